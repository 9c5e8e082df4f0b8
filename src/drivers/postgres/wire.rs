//! Messages to and from a server, within bounds.
//!
//! Why no client library of a higher level: those that are kept well ask for results in binary and decode a list of
//! types, and they take whole messages into memory. Here every value arrives as the server's own text, a
//! cell of 50 MB is passed over without being kept, several questions travel in one message, and nothing is ever
//! prepared a second time behind our back. Building and taking apart the messages is a library's.
//!
//! Source: the PostgreSQL manual, "Frontend/Backend Protocol".

use crate::drivers::stream::Stream;
use bytes::{Buf as _, BufMut as _, BytesMut};
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::{Header, Message};
use postgres_protocol::message::frontend;
use std::io;

/// Bytes of a message that is no row. Errors, notices and streams can be longer: they quote values.
const MESSAGE_BYTES_MAX: usize = 1024 * 1024;

/// Bytes that are kept of an error that is longer. Its code comes first.
const LONG_ERROR_BYTES_KEPT: usize = 16 * 1024;

/// What came from the server.
pub(super) enum Incoming {
    /// Any message but a row.
    Message(Message),
    /// A row within the bound.
    Row(Row),
    /// A row beyond the bound, passed over. The longest value of it, in bytes.
    LongRow { longest: usize },
}

/// The values of a row. Copied out of the buffer, which is then free for what comes next.
pub(super) struct Row {
    bytes: Vec<u8>,
}

impl Row {
    /// Bytes of all values with their lengths.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Each value; nothing for NULL. Ends early if the row is broken (PostgreSQL manual, "Message Formats",
    /// `DataRow`).
    pub(super) fn values(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
                rest = after;
                return Some(None);
            };
            let (value, after) = after.split_at_checked(length)?;
            rest = after;
            Some(Some(value))
        })
    }
}

/// Buffers around a stream.
pub(super) struct Wire {
    stream: Stream,
    incoming: BytesMut,
    outgoing: BytesMut,
    /// A row that is being passed over.
    passing: Option<Passing>,
    /// Bytes of another message that are still to be passed over.
    skipping: usize,
}

/// How much of a row is still to come, and what was seen of it. Kept here so that reading may be stopped at any
/// moment and goes on where it was.
struct Passing {
    rest: usize,
    value_rest: usize,
    values: u16,
    has_count: bool,
    longest: usize,
}

impl Wire {
    pub(super) fn new(stream: Stream) -> Self {
        let (incoming, outgoing) = (BytesMut::with_capacity(16 * 1024), BytesMut::new());
        Self { stream, incoming, outgoing, passing: None, skipping: 0 }
    }

    /// Whether nothing came while nobody waited.
    pub(super) fn is_quiet(&self) -> bool {
        self.incoming.is_empty() && self.stream.is_quiet()
    }

    /// Adds a message of the library to what will be sent.
    pub(super) fn put(
        &mut self,
        write: impl FnOnce(&mut BytesMut) -> io::Result<()>,
    ) -> io::Result<()> {
        write(&mut self.outgoing)
    }

    /// Parse: exactly one statement, or the server refuses it.
    pub(super) fn parse(&mut self, name: &str, sql: &str) -> io::Result<()> {
        frontend::parse(name, sql, [], &mut self.outgoing)
    }

    /// Describe of a statement.
    pub(super) fn describe(&mut self, name: &str) -> io::Result<()> {
        frontend::describe(b'S', name, &mut self.outgoing)
    }

    /// Bind and Execute: parameters and results as text, at most so many rows, 0 for all.
    pub(super) fn run(&mut self, name: &str, values: &[&str], rows: i32) -> io::Result<()> {
        let bound = frontend::bind(
            "",
            name,
            [],
            values,
            |value, bytes| {
                bytes.extend_from_slice(value.as_bytes());
                Ok(IsNull::No)
            },
            // Every column as text.
            [0],
            &mut self.outgoing,
        );
        match bound {
            Ok(()) => frontend::execute("", rows, &mut self.outgoing),
            Err(frontend::BindError::Serialization(error)) => Err(error),
            Err(frontend::BindError::Conversion(error)) => Err(io::Error::other(error)),
        }
    }

    /// Sync: the server answers everything up to here and says in which state it is.
    pub(super) fn sync(&mut self) {
        frontend::sync(&mut self.outgoing);
    }

    /// Sends what was put.
    pub(super) async fn send(&mut self) -> io::Result<()> {
        self.stream.write(&mut self.outgoing).await
    }

    /// The next message; rows only up to so many bytes. May be dropped and called again.
    pub(super) async fn next(&mut self, row_bytes_max: usize) -> io::Result<Incoming> {
        loop {
            let skipped = self.skipping.min(self.incoming.len());
            self.incoming.advance(skipped);
            self.skipping -= skipped;
            if let Some(longest) = self.pass()? {
                return Ok(Incoming::LongRow { longest });
            }
            if self.skipping == 0 && self.passing.is_none() {
                if let Some(message) = self.take(row_bytes_max)? {
                    return Ok(message);
                }
                if self.skipping > 0 || self.passing.is_some() {
                    continue;
                }
            }
            self.stream.read_more(&mut self.incoming).await?;
        }
    }

    /// A whole message, if it is there. Begins to pass over a row that is too long.
    fn take(&mut self, row_bytes_max: usize) -> io::Result<Option<Incoming>> {
        let Some(header) = Header::parse(&self.incoming)? else { return Ok(None) };
        let length = usize::try_from(header.len()).map_err(io::Error::other)?;
        let is_row = header.tag() == b'D';
        if is_row && length > row_bytes_max {
            self.incoming.advance(5);
            self.passing = Some(Passing {
                rest: length.saturating_sub(4),
                value_rest: 0,
                values: 0,
                has_count: false,
                longest: 0,
            });
            return Ok(None);
        }
        if !is_row && length > MESSAGE_BYTES_MAX {
            return self.take_long(header.tag(), length);
        }
        let Some(whole) = self.incoming.get(..=length) else {
            self.incoming.reserve(length);
            return Ok(None);
        };
        // What the library makes of a message shares its memory with it, so it gets a copy.
        let taken = if is_row {
            let values = whole.get(7..).ok_or_else(|| io::Error::other("a row is too short"))?;
            Incoming::Row(Row { bytes: values.to_vec() })
        } else {
            let mut copy = BytesMut::from(whole);
            let message = Message::parse(&mut copy)?.ok_or(io::ErrorKind::InvalidData)?;
            Incoming::Message(message)
        };
        self.incoming.advance(length + 1);
        Ok(Some(taken))
    }

    /// The beginning of a long error, if it is there; nothing of a notice or of data of a stream. The rest will be
    /// passed over.
    fn take_long(&mut self, tag: u8, length: usize) -> io::Result<Option<Incoming>> {
        match tag {
            b'N' | b'd' => {
                self.skipping = length + 1;
                Ok(None)
            }
            b'E' => {
                let Some(kept) = self.incoming.get(5..LONG_ERROR_BYTES_KEPT) else {
                    return Ok(None);
                };
                // The value that is cut ends here, and so does the list of values.
                let mut message = BytesMut::new();
                message.put_u8(tag);
                message.put_u32(u32::try_from(kept.len() + 6).map_err(io::Error::other)?);
                message.put_slice(kept);
                message.put_slice(&[0, 0]);
                self.skipping = length + 1;
                let message = Message::parse(&mut message)?.ok_or(io::ErrorKind::InvalidData)?;
                Ok(Some(Incoming::Message(message)))
            }
            _ => Err(io::Error::other("a message of the server is too long")),
        }
    }

    /// Passes over as much of a long row as is there. At its end, the length of its longest value.
    fn pass(&mut self) -> io::Result<Option<usize>> {
        let Some(passing) = &mut self.passing else { return Ok(None) };
        let broken = || io::Error::other("a row of the server is broken");
        loop {
            let skipped = passing.value_rest.min(self.incoming.len());
            self.incoming.advance(skipped);
            passing.value_rest -= skipped;
            passing.rest = passing.rest.checked_sub(skipped).ok_or_else(broken)?;
            if passing.value_rest > 0 {
                return Ok(None);
            }
            if passing.has_count && passing.values == 0 {
                let longest = passing.longest;
                let is_whole = passing.rest == 0;
                self.passing = None;
                return if is_whole { Ok(Some(longest)) } else { Err(broken()) };
            }
            let field = if passing.has_count { 4 } else { 2 };
            if self.incoming.len() < field {
                return Ok(None);
            }
            passing.rest = passing.rest.checked_sub(field).ok_or_else(broken)?;
            if passing.has_count {
                let length = usize::try_from(self.incoming.get_i32()).unwrap_or(0);
                passing.values -= 1;
                passing.value_rest = length;
                passing.longest = passing.longest.max(length);
            } else {
                passing.values = self.incoming.get_u16();
                passing.has_count = true;
            }
        }
    }

    /// Says good-bye and waits until the server has closed.
    pub(super) async fn close(mut self) {
        self.outgoing.clear();
        frontend::terminate(&mut self.outgoing);
        if self.stream.write(&mut self.outgoing).await.is_ok() {
            self.stream.read_to_end_of_connection().await;
        }
    }
}
