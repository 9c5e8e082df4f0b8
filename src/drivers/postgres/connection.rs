//! A connection that is logged in: questions, their answers, and in which state they leave it.

use super::cancel::CancelKey;
use super::error::{ServerMessage, broken};
use super::wire::{Incoming, Row, Wire};
use crate::drivers::DriverError;
use crate::drivers::bounds::patiently;
use crate::drivers::pool::Session;
use crate::reason::DatabaseReason;
use async_trait::async_trait;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::{Message, RowDescriptionBody};
use postgres_protocol::message::frontend;
use std::collections::BTreeSet;

/// Bytes of a row of our own questions. The longest are rules of views.
const CATALOG_ROW_BYTES_MAX: usize = 1024 * 1024;

/// A row of our own questions, as text.
pub(super) type CatalogRow = Vec<Option<String>>;

/// What can be said of the server's last answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It waits, outside any transaction.
    Idle,
    /// It waits, in a transaction.
    InTransaction,
    /// It waits, in a transaction that failed.
    Failed,
    /// Something was sent and its end was not read.
    Busy,
}

/// A step of an answer.
pub(super) enum Reply {
    /// A row.
    Row(Row),
    /// A row that was passed over, and its longest value in bytes.
    LongRow { longest: usize },
    /// The columns of what comes.
    Columns(RowDescriptionBody),
    /// There are no columns.
    NoColumns,
    /// How many parameters the statement has.
    Parameters(usize),
    /// The end of a statement, with its command tag.
    Complete(String),
    /// There are more rows than were asked for.
    Suspended,
    /// The text held no statement.
    Empty,
    /// The server wants or sends a stream of data.
    Copy { is_in: bool },
    /// The statement failed; the server answers nothing more up to the next Sync.
    Error(ServerMessage),
    /// The server waits.
    Ready,
}

/// A connection.
pub(super) struct Connection {
    wire: Wire,
    key: CancelKey,
    version: u32,
    state: State,
    /// How many Syncs the server has not answered yet.
    unanswered: u32,
    /// Whether something is on its way whose effect lasts, and its end was not seen.
    is_sent: bool,
    /// Whether it leaves parts of its work although it fails.
    leaves_parts: bool,
    /// Built-in functions that run what a number or a text says. They belong to the server's version.
    indirect: BTreeSet<u32>,
}

impl Connection {
    pub(super) const fn new(wire: Wire, key: CancelKey, version: u32) -> Self {
        Self {
            wire,
            key,
            version,
            state: State::Idle,
            unanswered: 0,
            is_sent: false,
            leaves_parts: false,
            indirect: BTreeSet::new(),
        }
    }

    /// The server's major version.
    pub(super) const fn version(&self) -> u32 {
        self.version
    }

    pub(super) const fn state(&self) -> State {
        self.state
    }

    pub(super) const fn key(&self) -> &CancelKey {
        &self.key
    }

    /// Makes sure that the server has not closed or said anything since it was last listened to, so that nothing is sent
    /// to a server that is known to be gone.
    pub(super) fn check_open(&self) -> Result<(), DriverError> {
        if self.wire.is_quiet() {
            return Ok(());
        }
        Err(DriverError::failed(DatabaseReason::ServerLost).because("it closed the connection"))
    }

    /// Notes that what is sent next lasts. Until [`Connection::has_ended`], nobody knows what took effect. Some statements leave
    /// parts of their work although they fail.
    pub(super) const fn will_last(&mut self, leaves_parts: bool) {
        self.is_sent = true;
        self.leaves_parts = leaves_parts;
    }

    /// Whether what is on its way leaves parts of its work although it fails.
    pub(super) const fn leaves_parts(&self) -> bool {
        self.leaves_parts
    }

    /// Notes that its end was seen.
    pub(super) const fn has_ended(&mut self) {
        self.is_sent = false;
    }

    /// Whether something is on its way whose effect lasts.
    pub(super) const fn is_sent(&self) -> bool {
        self.is_sent
    }

    /// Adds Parse.
    pub(super) fn parse(&mut self, name: &str, sql: &str) -> Result<(), DriverError> {
        self.wire.parse(name, sql).map_err(broken)
    }

    /// Adds Describe of a statement.
    pub(super) fn describe(&mut self, name: &str) -> Result<(), DriverError> {
        self.wire.describe(name).map_err(broken)
    }

    /// Adds Bind and Execute of a statement that is there.
    pub(super) fn run(
        &mut self,
        name: &str,
        values: &[&str],
        rows: i32,
    ) -> Result<(), DriverError> {
        self.wire.run(name, values, rows).map_err(broken)
    }

    /// Adds a statement of our own without result.
    pub(super) fn command(&mut self, sql: &str) -> Result<(), DriverError> {
        self.parse("", sql)?;
        self.run("", &[], 0)
    }

    /// Adds Sync.
    pub(super) fn sync(&mut self) {
        self.wire.sync();
        self.unanswered += 1;
    }

    /// Sends everything that was added.
    pub(super) async fn send(&mut self) -> Result<(), DriverError> {
        self.state = State::Busy;
        self.wire.send().await.map_err(broken)
    }

    /// The next step of the answer.
    pub(super) async fn reply(&mut self, row_bytes_max: usize) -> Result<Reply, DriverError> {
        loop {
            let message = match self.wire.next(row_bytes_max).await.map_err(broken)? {
                Incoming::Row(row) => return Ok(Reply::Row(row)),
                Incoming::LongRow { longest } => return Ok(Reply::LongRow { longest }),
                Incoming::Message(message) => message,
            };
            #[expect(
                clippy::wildcard_enum_match_arm,
                reason = "whatever else comes breaks the connection, also what is added later"
            )]
            let reply = match message {
                // Of no news, or what is still on its way of a stream that was refused.
                Message::ParseComplete
                | Message::BindComplete
                | Message::CloseComplete
                | Message::NoticeResponse(_)
                | Message::NotificationResponse(_)
                | Message::ParameterStatus(_)
                | Message::CopyData(_)
                | Message::CopyDone => continue,
                Message::RowDescription(body) => Reply::Columns(body),
                Message::NoData => Reply::NoColumns,
                Message::ParameterDescription(body) => {
                    Reply::Parameters(body.parameters().count().map_err(broken)?)
                }
                Message::CommandComplete(body) => {
                    Reply::Complete(body.tag().map_err(broken)?.to_owned())
                }
                Message::PortalSuspended => Reply::Suspended,
                Message::EmptyQueryResponse => Reply::Empty,
                Message::CopyInResponse(_) => Reply::Copy { is_in: true },
                Message::CopyOutResponse(_) => Reply::Copy { is_in: false },
                Message::ErrorResponse(body) => Reply::Error(ServerMessage::of(&body)),
                Message::ReadyForQuery(body) => {
                    self.ready(body.status())?;
                    Reply::Ready
                }
                _ => return Err(odd()),
            };
            return Ok(reply);
        }
    }

    fn ready(&mut self, status: u8) -> Result<(), DriverError> {
        self.unanswered = self.unanswered.saturating_sub(1);
        let state = match status {
            b'I' => State::Idle,
            b'T' => State::InTransaction,
            b'E' => State::Failed,
            _ => return Err(odd()),
        };
        self.state = if self.unanswered == 0 { state } else { State::Busy };
        Ok(())
    }

    /// Refuses to take part in a stream of data.
    pub(super) async fn refuse_stream(&mut self) -> Result<(), DriverError> {
        let fail = |bytes: &mut bytes::BytesMut| frontend::copy_fail("not supported here", bytes);
        self.wire.put(fail).map_err(broken)?;
        // The server passes over everything up to a Sync that comes after its error.
        self.sync();
        self.send().await
    }

    /// Rows of the next statement of our own.
    pub(super) async fn rows(&mut self) -> Result<Vec<CatalogRow>, DriverError> {
        let mut rows = Vec::new();
        loop {
            match self.reply(CATALOG_ROW_BYTES_MAX).await? {
                Reply::Row(row) => rows.push(texts(&row)?),
                Reply::LongRow { .. } => {
                    return Err(DriverError::refused(DatabaseReason::CatalogTooLarge));
                }
                Reply::Complete(_) => return Ok(rows),
                Reply::Error(message) => return Err(message.into_error()),
                Reply::Columns(_)
                | Reply::NoColumns
                | Reply::Parameters(_)
                | Reply::Suspended
                | Reply::Empty
                | Reply::Copy { .. }
                | Reply::Ready => return Err(odd()),
            }
        }
    }

    /// The end of everything that was sent. What the server complains about now is not of interest any more.
    pub(super) async fn settle(&mut self) -> Result<(), DriverError> {
        while self.state == State::Busy && self.unanswered > 0 {
            self.reply(CATALOG_ROW_BYTES_MAX).await?;
        }
        Ok(())
    }

    /// Waits until the server waits, with what it complained about first.
    pub(super) async fn finish(&mut self) -> Result<(), DriverError> {
        let mut complaint = None;
        while self.unanswered > 0 {
            if let Reply::Error(message) = self.reply(CATALOG_ROW_BYTES_MAX).await? {
                complaint.get_or_insert(message);
            }
        }
        complaint.map_or(Ok(()), |message| Err(message.into_error()))
    }

    /// Runs one question of our own and prepares these statements, in one message.
    pub(super) async fn prepare(
        &mut self,
        question: &str,
        statements: &[(&str, String)],
    ) -> Result<Vec<CatalogRow>, DriverError> {
        self.command(question)?;
        for (name, sql) in statements {
            self.parse(name, sql)?;
        }
        self.sync();
        self.send().await?;
        let rows = self.rows().await?;
        self.finish().await?;
        Ok(rows)
    }

    /// Learns which built-in functions run what a number or a text says.
    pub(super) async fn learn_indirect(&mut self) -> Result<(), DriverError> {
        self.run("indirect", &[], 0)?;
        self.sync();
        self.send().await?;
        let rows = self.rows().await?;
        self.finish().await?;
        self.indirect =
            rows.iter().filter_map(|row| row.first()?.as_deref()?.parse().ok()).collect();
        Ok(())
    }

    /// Built-in functions that run what a number or a text says.
    pub(super) const fn indirect(&self) -> &BTreeSet<u32> {
        &self.indirect
    }

    /// Rolls back whatever is open and waits until the server says so.
    pub(super) async fn roll_back(&mut self) -> Result<(), DriverError> {
        self.settle().await?;
        if self.state != State::Idle {
            self.command("ROLLBACK")?;
            self.sync();
            self.send().await?;
            self.finish().await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Session for Connection {
    fn is_clean(&self) -> bool {
        self.state == State::Idle && self.wire.is_quiet()
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

/// Something that the protocol does not allow here. The connection is of no use any more.
pub(super) fn odd() -> DriverError {
    DriverError::failed(DatabaseReason::ServerLost).because("the server broke the protocol")
}

/// The values of a row of our own questions. Two names that are no text must not be taken for the same one.
fn texts(row: &Row) -> Result<CatalogRow, DriverError> {
    let text = |bytes| {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            DriverError::failed(DatabaseReason::GuardUnavailable).because(error)
        })?;
        Ok(text.to_owned())
    };
    row.values().map(|value| value.map(text).transpose()).collect()
}
