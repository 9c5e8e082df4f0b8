//! A connection that is logged in: questions, their answers, and in which state they leave it.

use super::cancel::KillKey;
use super::error::{ServerMessage, broken};
use super::wire::{self, ERROR, Incoming, Wire};
use crate::drivers::DriverError;
use crate::drivers::bounds::patiently;
use crate::drivers::pool::Session;
use crate::reason::DatabaseReason;
use async_trait::async_trait;
use mysql_common::constants::{CapabilityFlags, StatusFlags};
use mysql_common::io::ParseBuf;
use mysql_common::packets::{Column, CommonOkPacket, OkPacketDeserializer};

/// Bytes of a row of our own questions.
const CATALOG_ROW_BYTES_MAX: usize = 1024 * 1024;

/// Bytes of the whole answer to one of our own questions, and of all descriptions of columns: far more than there can be.
const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Commands (MySQL manual, "Command Phase").
const QUERY: u8 = 0x03;
const PREPARE: u8 = 0x16;
const CLOSE_STATEMENT: u8 = 0x19;
const RESET: u8 = 0x1f;
const INIT_DATABASE: u8 = 0x02;

/// First bytes of packets.
const OK: u8 = 0x00;
const FILE_WANTED: u8 = 0xfb;
const EOF: u8 = 0xfe;

/// What a server must know.
pub(super) const NEEDED: CapabilityFlags = CapabilityFlags::from_bits_truncate(
    CapabilityFlags::CLIENT_PROTOCOL_41.bits()
        | CapabilityFlags::CLIENT_TRANSACTIONS.bits()
        | CapabilityFlags::CLIENT_SECURE_CONNECTION.bits()
        | CapabilityFlags::CLIENT_PLUGIN_AUTH.bits(),
);

/// What both sides agreed on, as far as it changes packets.
pub(super) const CAPABILITIES: CapabilityFlags = CapabilityFlags::from_bits_truncate(
    CapabilityFlags::CLIENT_LONG_PASSWORD.bits()
        | CapabilityFlags::CLIENT_LONG_FLAG.bits()
        | CapabilityFlags::CLIENT_PROTOCOL_41.bits()
        | CapabilityFlags::CLIENT_TRANSACTIONS.bits()
        | CapabilityFlags::CLIENT_SECURE_CONNECTION.bits()
        | CapabilityFlags::CLIENT_MULTI_RESULTS.bits()
        | CapabilityFlags::CLIENT_PLUGIN_AUTH.bits(),
);

/// A row of our own questions, as text.
pub(super) type CatalogRow = Vec<Option<String>>;

/// What can be said of the server's last answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It waits, outside any transaction.
    Idle,
    /// It waits, in a transaction.
    InTransaction,
    /// Something was sent and its end was not read.
    Busy,
}

/// What is on its way whose effect lasts, and whose end was not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    Nothing,
    /// It takes effect as a whole or not at all.
    Whole,
    /// It leaves parts of its work although it fails.
    Parts,
}

/// What of an answer comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Its beginning.
    Answer,
    /// Descriptions of columns.
    Columns,
    /// Rows.
    Rows,
}

/// How a statement ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Rows that it changed, if it said so.
    pub(super) affected_rows: Option<u64>,
    /// Whether another result follows.
    pub(super) has_more: bool,
}

/// How the answer to a statement begins.
pub(super) enum Answer {
    /// It returned no columns.
    Done(Done),
    /// These columns; rows follow.
    Columns(Vec<Column>),
}

/// A step of the rows.
pub(super) enum RowReply {
    Row(Vec<u8>),
    /// A row that was passed over, and its longest value in bytes.
    LongRow {
        longest: usize,
    },
    Done(Done),
}

/// A connection.
pub(super) struct Connection {
    wire: Wire,
    key: KillKey,
    state: State,
    phase: Phase,
    /// The number of the server's last complaint.
    last_code: u16,
    /// Whether a transaction was open when the last statement was sent. An error does not say whether it still is.
    was_in_transaction: bool,
    /// How much time the server gives a statement, in milliseconds.
    pub(super) time_ms: u64,
    sent: Sent,
    /// Whether somebody was told to stop what runs here: that may come late and hit something else.
    is_told_to_stop: bool,
}

impl Connection {
    pub(super) const fn new(wire: Wire, key: KillKey) -> Self {
        Self {
            wire,
            key,
            state: State::Idle,
            phase: Phase::Answer,
            last_code: 0,
            was_in_transaction: false,
            time_ms: 0,
            sent: Sent::Nothing,
            is_told_to_stop: false,
        }
    }

    pub(super) const fn state(&self) -> State {
        self.state
    }

    /// The number of the server's last complaint.
    pub(super) const fn last_code(&self) -> u16 {
        self.last_code
    }

    /// What stops the statement of this connection. It is of no use afterwards.
    pub(super) fn stop(&mut self) -> KillKey {
        self.is_told_to_stop = true;
        self.key.clone()
    }

    /// Makes sure that the server has not closed or said anything since it was last listened to.
    pub(super) fn check_open(&self) -> Result<(), DriverError> {
        if self.wire.is_quiet() {
            return Ok(());
        }
        Err(DriverError::failed(DatabaseReason::ServerLost).because("it closed the connection"))
    }

    /// Notes that what is sent next lasts. Until [`Connection::has_ended`], nobody knows what took effect.
    pub(super) const fn will_last(&mut self, leaves_parts: bool) {
        self.sent = if leaves_parts { Sent::Parts } else { Sent::Whole };
    }

    /// Notes that the end of what was sent is known.
    pub(super) const fn has_ended(&mut self) {
        self.sent = Sent::Nothing;
    }

    pub(super) const fn is_sent(&self) -> bool {
        !matches!(self.sent, Sent::Nothing)
    }

    pub(super) const fn leaves_parts(&self) -> bool {
        matches!(self.sent, Sent::Parts)
    }

    /// Forgets everything of the session: temporary tables, variables, roles, settings. What the server runs for each new
    /// connection is not run again.
    pub(super) async fn reset(&mut self) -> Result<(), DriverError> {
        self.send(RESET, &[]).await?;
        self.expect_done().await
    }

    /// Chooses the database in which names are looked up.
    pub(super) async fn choose(&mut self, database: &str) -> Result<(), DriverError> {
        self.send(INIT_DATABASE, database.as_bytes()).await?;
        self.expect_done().await
    }

    /// Runs one statement without columns, or whose rows do not matter.
    pub(super) async fn command(&mut self, sql: &str) -> Result<Done, DriverError> {
        match self.query(sql).await? {
            Answer::Done(done) => Ok(done),
            Answer::Columns(_) => loop {
                if let RowReply::Done(done) = self.row(CATALOG_ROW_BYTES_MAX).await? {
                    return Ok(done);
                }
            },
        }
    }

    /// The rows of one of our own questions.
    pub(super) async fn rows(&mut self, sql: &str) -> Result<Vec<CatalogRow>, DriverError> {
        let mut rows = Vec::new();
        let mut bytes = 0_usize;
        if let Answer::Columns(_) = self.query(sql).await? {
            loop {
                match self.row(CATALOG_ROW_BYTES_MAX).await? {
                    RowReply::Row(row) if bytes < ANSWER_BYTES_MAX => {
                        // An empty row costs something, too.
                        bytes = bytes.saturating_add(row.len()).saturating_add(size_of_val(&row));
                        rows.push(texts(&row)?);
                    }
                    RowReply::Row(_) | RowReply::LongRow { .. } => {
                        return Err(DriverError::refused(DatabaseReason::CatalogTooLarge));
                    }
                    RowReply::Done(_) => break,
                }
            }
        }
        Ok(rows)
    }

    /// Sends one statement and reads how its answer begins.
    pub(super) async fn query(&mut self, sql: &str) -> Result<Answer, DriverError> {
        self.send(QUERY, sql.as_bytes()).await?;
        self.begin().await
    }

    /// How the answer, or the next result of it, begins.
    pub(super) async fn begin(&mut self) -> Result<Answer, DriverError> {
        let packet = self.packet().await?;
        match packet.first() {
            Some(&OK) => Ok(Answer::Done(self.done(&packet)?)),
            // A wish for a file of this machine, which was not agreed on.
            Some(&FILE_WANTED) | None => Err(odd()),
            Some(_) => {
                let count = wire::count(&packet).ok_or_else(odd)?;
                self.phase = Phase::Columns;
                let columns = self.columns(count).await?;
                self.phase = Phase::Rows;
                Ok(Answer::Columns(columns))
            }
        }
    }

    /// The next row, up to so many bytes.
    pub(super) async fn row(&mut self, row_bytes_max: usize) -> Result<RowReply, DriverError> {
        match self.wire.next(Some(row_bytes_max)).await.map_err(|error| self.lost(error))? {
            Incoming::LongRow { longest } => Ok(RowReply::LongRow { longest }),
            Incoming::Packet(packet) if packet.first() == Some(&ERROR) => {
                Err(self.complaint(&packet))
            }
            Incoming::Packet(packet) if is_end(&packet) => {
                Ok(RowReply::Done(self.end_of_rows(&packet)?))
            }
            Incoming::Packet(packet) => Ok(RowReply::Row(packet)),
        }
    }

    /// Lets the server look at a statement without running it: how many parameters and columns it has.
    pub(super) async fn prepare(&mut self, sql: &str) -> Result<Prepared, DriverError> {
        self.send(PREPARE, sql.as_bytes()).await?;
        let packet = self.packet().await?;
        // MySQL manual, "COM_STMT_PREPARE Response": mark, number of the statement, columns, parameters.
        let (Some(&OK), Some(number), Some(columns), Some(parameters)) =
            (packet.first(), packet.get(1..5), pair(&packet, 5), pair(&packet, 7))
        else {
            return Err(odd());
        };
        for count in [parameters, columns] {
            if count > 0 {
                self.columns(usize::from(count)).await?;
            }
        }
        let number = number.to_vec();
        self.state = self.state_before();
        // Nothing answers.
        self.wire.command(CLOSE_STATEMENT, &number).await.map_err(|error| self.lost(error))?;
        Ok(Prepared { columns, parameters })
    }

    /// Reads and drops everything up to the end of what runs: whether it ended well, or nothing if the connection breaks.
    pub(super) async fn rest(&mut self) -> Option<bool> {
        while self.state == State::Busy {
            let step = match self.phase {
                Phase::Answer => self.begin_to_drop().await,
                Phase::Columns => self.packet().await.map(|packet| {
                    if is_end(&packet) {
                        self.phase = Phase::Rows;
                    }
                }),
                Phase::Rows => self.row(CATALOG_ROW_BYTES_MAX).await.map(|_| ()),
            };
            match step {
                Ok(()) => {}
                Err(error) if error.reason() == DatabaseReason::ServerLost => return None,
                Err(_) => return Some(false),
            }
        }
        Some(true)
    }

    /// Reads how an answer begins, and no further.
    async fn begin_to_drop(&mut self) -> Result<(), DriverError> {
        let packet = self.packet().await?;
        if packet.first() == Some(&OK) {
            self.done(&packet)?;
        } else {
            self.phase = Phase::Columns;
        }
        Ok(())
    }

    /// Rolls back whatever is open.
    pub(super) async fn roll_back(&mut self) -> Result<(), DriverError> {
        self.command("ROLLBACK").await.map(|_| ())
    }

    async fn send(&mut self, mark: u8, body: &[u8]) -> Result<(), DriverError> {
        self.was_in_transaction |= self.state == State::InTransaction;
        (self.state, self.phase) = (State::Busy, Phase::Answer);
        self.wire.command(mark, body).await.map_err(|error| self.lost(error))
    }

    async fn expect_done(&mut self) -> Result<(), DriverError> {
        let packet = self.packet().await?;
        self.done(&packet).map(|_| ())
    }

    /// The next packet, which is no row.
    async fn packet(&mut self) -> Result<Vec<u8>, DriverError> {
        match self.wire.next(None).await.map_err(|error| self.lost(error))? {
            Incoming::Packet(packet) if packet.first() == Some(&ERROR) => {
                Err(self.complaint(&packet))
            }
            Incoming::Packet(packet) => Ok(packet),
            Incoming::LongRow { .. } => Err(odd()),
        }
    }

    /// So many descriptions of columns, and their end.
    async fn columns(&mut self, count: usize) -> Result<Vec<Column>, DriverError> {
        // MySQL manual, "Limits on Table Column Count and Row Size".
        const COLUMNS_MAX: usize = 4096;
        if count > COLUMNS_MAX {
            return Err(odd());
        }
        let mut columns = Vec::with_capacity(count);
        let mut bytes = 0_usize;
        for _ in 0..count {
            let packet = self.packet().await?;
            bytes = bytes.saturating_add(packet.len());
            if bytes > ANSWER_BYTES_MAX {
                return Err(odd());
            }
            columns.push(ParseBuf(&packet).parse::<Column>(()).map_err(broken)?);
        }
        let end = self.packet().await?;
        if is_end(&end) { Ok(columns) } else { Err(odd()) }
    }

    const fn state_before(&self) -> State {
        if self.was_in_transaction { State::InTransaction } else { State::Idle }
    }

    /// The end of a statement without columns.
    fn done(&mut self, packet: &[u8]) -> Result<Done, DriverError> {
        let mut buffer = ParseBuf(packet);
        let ok = buffer.parse::<OkPacketDeserializer<'_, CommonOkPacket>>(CAPABILITIES);
        let ok = ok.map_err(|_| odd())?.into_inner();
        let affected_rows = Some(ok.affected_rows());
        Ok(self.note(ok.status_flags(), affected_rows))
    }

    /// The end of rows: mark, warnings, status.
    fn end_of_rows(&mut self, packet: &[u8]) -> Result<Done, DriverError> {
        let flags = pair(packet, 3).ok_or_else(odd)?;
        Ok(self.note(StatusFlags::from_bits_truncate(flags), None))
    }

    fn note(&mut self, flags: StatusFlags, affected_rows: Option<u64>) -> Done {
        let has_more = flags.contains(StatusFlags::SERVER_MORE_RESULTS_EXISTS);
        self.was_in_transaction = flags.contains(StatusFlags::SERVER_STATUS_IN_TRANS);
        self.phase = Phase::Answer;
        if !has_more {
            self.state = self.state_before();
        }
        Done { affected_rows, has_more }
    }

    /// What the server complains about; it waits again.
    fn complaint(&mut self, packet: &[u8]) -> DriverError {
        let Some(message) = complaint(packet) else { return odd() };
        self.state = self.state_before();
        self.last_code = message.code();
        message.into_error()
    }

    /// Nothing more comes over this connection.
    fn lost(&mut self, error: std::io::Error) -> DriverError {
        self.state = State::Busy;
        broken(error)
    }
}

#[async_trait]
impl Session for Connection {
    fn is_clean(&self) -> bool {
        self.state == State::Idle && !self.is_told_to_stop && self.wire.is_quiet()
    }

    async fn close(self) {
        self.wire.close().await;
    }

    async fn end(self) {
        if self.state == State::Busy {
            let key = self.key.clone();
            key.insist(patiently(self.close())).await;
        } else {
            patiently(self.close()).await;
        }
    }
}

/// What the server says of a statement that was not run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prepared {
    pub(super) columns: u16,
    pub(super) parameters: u16,
}

/// What an error packet says: mark, number, and for a client that is logged in a `#` with SQLSTATE before the words.
pub(super) fn complaint(packet: &[u8]) -> Option<ServerMessage> {
    let code = pair(packet, 1)?;
    let words = packet.get(3..)?;
    let (state, words) = match words.strip_prefix(b"#").and_then(|rest| rest.split_at_checked(5)) {
        Some((state, words)) => (state, words),
        None => (&b""[..], words),
    };
    Some(ServerMessage::new(code, state, words))
}

/// Whether a packet ends columns or rows: a row with this first byte is far longer.
fn is_end(packet: &[u8]) -> bool {
    packet.first() == Some(&EOF) && packet.len() < 9
}

/// A number of two bytes at a place.
fn pair(packet: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*packet.get(at..)?.first_chunk::<2>()?))
}

/// Something that the protocol does not allow here. The connection is of no use any more.
pub(super) fn odd() -> DriverError {
    DriverError::failed(DatabaseReason::ServerLost).because("the server broke the protocol")
}

/// The values of a row of our own questions. Two names that are no text must not be taken for the same one.
fn texts(row: &[u8]) -> Result<CatalogRow, DriverError> {
    let text = |bytes| {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            DriverError::failed(DatabaseReason::GuardUnavailable).because(error)
        })?;
        Ok(text.to_owned())
    };
    wire::values(row).map(|value| value.map(text).transpose()).collect()
}

#[cfg(test)]
mod tests {
    use super::{CAPABILITIES, complaint};
    use mysql_common::io::ParseBuf;
    use mysql_common::packets::{Column, CommonOkPacket, HandshakePacket, OkPacketDeserializer};

    /// What a server says is never trusted to be well made: nothing here may panic.
    #[test]
    fn broken_packets_are_errors() {
        let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..200_000_usize {
            let byte = |_| {
                chance ^= chance << 13;
                chance ^= chance >> 7;
                chance ^= chance << 17;
                let [byte, ..] = chance.to_le_bytes();
                // Small numbers are lengths, and many of them are well made.
                byte >> (round % 8)
            };
            let bytes: Vec<u8> = (0..round % 90).map(byte).collect();
            let _ = ParseBuf(&bytes).parse::<Column>(());
            let _ = ParseBuf(&bytes)
                .parse::<OkPacketDeserializer<'_, CommonOkPacket>>(CAPABILITIES)
                .map(|ok| ok.into_inner().affected_rows());
            let _ = complaint(&bytes);
            let greeting = [&[10, b'9', 0][..], &bytes].concat();
            if super::super::connect::is_greeting(&greeting) {
                let _ = ParseBuf(&greeting).parse::<HandshakePacket<'_>>(()).map(|it| it.nonce());
            }
        }
    }
}
