//! Packets to and from a server, within bounds.
//!
//! Why no client library of a higher level: those that are kept well take whole packets into memory and decode values by
//! type. Here every value arrives as the server's own text, and a cell of 50 MB is passed over without being kept.
//! What is inside a packet is a library's.
//!
//! Source: the MySQL manual, "Client/Server Protocol", "MySQL Packets" and "Text Resultset".

use crate::drivers::stream::Stream;
use bytes::{Buf as _, BytesMut};
use std::io;

/// Bytes of a packet that is no row.
const PACKET_BYTES_MAX: usize = 1024 * 1024;

/// A packet of this length is continued in the next one.
const CONTINUED: usize = 0x00ff_ffff;

/// The first byte of a NULL in a row.
const NULL: u8 = 0xfb;

/// The first byte of an error.
pub(super) const ERROR: u8 = 0xff;

/// What came from the server.
pub(super) enum Incoming {
    /// A packet within the bound.
    Packet(Vec<u8>),
    /// A row beyond the bound, passed over. The longest value of it, in bytes.
    LongRow { longest: usize },
}

/// Buffers around a stream.
pub(super) struct Wire {
    stream: Stream,
    incoming: BytesMut,
    outgoing: BytesMut,
    /// The number of the next packet; both sides count in turn.
    sequence: u8,
    /// A row that is being passed over.
    passing: Option<Passing>,
}

/// How much of a row is still to come, and what was seen of it. Kept here so that reading may be stopped at any
/// moment and goes on where it was.
struct Passing {
    /// Bytes of the present packet.
    rest: usize,
    /// Whether another packet continues it.
    is_continued: bool,
    /// Bytes of the present value.
    value_rest: usize,
    /// The bytes that say how long the next value is, as far as they came.
    length: Vec<u8>,
    longest: usize,
}

impl Wire {
    pub(super) fn new(stream: Stream) -> Self {
        let (incoming, outgoing) = (BytesMut::with_capacity(16 * 1024), BytesMut::new());
        Self { stream, incoming, outgoing, sequence: 0, passing: None }
    }

    /// Whether nothing came while nobody waited.
    pub(super) fn is_quiet(&self) -> bool {
        self.incoming.is_empty() && self.stream.is_quiet()
    }

    /// Sends a command, which begins a new exchange.
    pub(super) async fn command(&mut self, mark: u8, body: &[u8]) -> io::Result<()> {
        self.sequence = 0;
        self.put(&[&[mark], body])?;
        self.stream.write(&mut self.outgoing).await
    }

    /// Sends the next packet of an exchange.
    pub(super) async fn answer(&mut self, body: &[u8]) -> io::Result<()> {
        self.put(&[body])?;
        self.stream.write(&mut self.outgoing).await
    }

    fn put(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length >= CONTINUED {
            return Err(io::Error::other("a statement of 16 MiB and more cannot be sent"));
        }
        let [low, middle, high, _] = u32::try_from(length).map_err(io::Error::other)?.to_le_bytes();
        self.outgoing.clear();
        self.outgoing.extend_from_slice(&[low, middle, high, self.sequence]);
        for part in parts {
            self.outgoing.extend_from_slice(part);
        }
        self.sequence = self.sequence.wrapping_add(1);
        Ok(())
    }

    /// The next packet. `row_bytes_max` is the bound of a row, and none if no row can come. May be dropped and called again.
    pub(super) async fn next(&mut self, row_bytes_max: Option<usize>) -> io::Result<Incoming> {
        loop {
            if let Some(longest) = self.pass()? {
                return Ok(Incoming::LongRow { longest });
            }
            if self.passing.is_none() {
                if let Some(packet) = self.take(row_bytes_max)? {
                    return Ok(Incoming::Packet(packet));
                }
                if self.passing.is_some() {
                    continue;
                }
            }
            self.stream.read_more(&mut self.incoming).await?;
        }
    }

    /// A whole packet, if it is there. Begins to pass over a row that is too long.
    fn take(&mut self, row_bytes_max: Option<usize>) -> io::Result<Option<Vec<u8>>> {
        let Some((length, sequence)) = self.head() else { return Ok(None) };
        let Some(first) = self.incoming.get(4).copied().or_else(|| (length == 0).then_some(0))
        else {
            return Ok(None);
        };
        if let Some(bytes_max) = row_bytes_max
            && first != ERROR
            && (length > bytes_max || length == CONTINUED)
        {
            self.incoming.advance(4);
            self.sequence = sequence.wrapping_add(1);
            self.passing = Some(Passing {
                rest: length,
                is_continued: length == CONTINUED,
                value_rest: 0,
                length: Vec::with_capacity(9),
                longest: 0,
            });
            return Ok(None);
        }
        if length > row_bytes_max.unwrap_or_default().max(PACKET_BYTES_MAX) {
            return Err(io::Error::other("a packet of the server is too long"));
        }
        let Some(body) = self.incoming.get(4..length.saturating_add(4)) else {
            self.incoming.reserve(length);
            return Ok(None);
        };
        let packet = body.to_vec();
        self.incoming.advance(length + 4);
        self.sequence = sequence.wrapping_add(1);
        Ok(Some(packet))
    }

    /// Length and number of the packet that comes.
    fn head(&self) -> Option<(usize, u8)> {
        let (&[low, middle, high, sequence], _) = self.incoming.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes([low, middle, high, 0]);
        Some((usize::try_from(length).unwrap_or(CONTINUED), sequence))
    }

    /// Passes over as much of a long row as is there. At its end, the length of its longest value.
    fn pass(&mut self) -> io::Result<Option<usize>> {
        loop {
            let head = self.head();
            let Some(passing) = &mut self.passing else { return Ok(None) };
            if passing.rest == 0 && !passing.is_continued {
                let longest = passing.longest;
                self.passing = None;
                return Ok(Some(longest));
            }
            if passing.rest == 0 {
                let Some((length, sequence)) = head else { return Ok(None) };
                self.incoming.advance(4);
                self.sequence = sequence.wrapping_add(1);
                passing.rest = length;
                passing.is_continued = length == CONTINUED;
                continue;
            }
            let available = passing.rest.min(self.incoming.len());
            if available == 0 {
                return Ok(None);
            }
            let skipped = passing.value_rest.min(available);
            if skipped > 0 {
                self.incoming.advance(skipped);
                passing.rest -= skipped;
                passing.value_rest -= skipped;
                continue;
            }
            passing.length.push(self.incoming.get_u8());
            passing.rest -= 1;
            match length_of(&passing.length)? {
                Length::Unfinished => {}
                Length::Null => passing.length.clear(),
                Length::Bytes(length) => {
                    passing.length.clear();
                    passing.value_rest = length;
                    passing.longest = passing.longest.max(length);
                }
            }
        }
    }

    /// Says good-bye and waits until the server has closed.
    pub(super) async fn close(mut self) {
        const QUIT: u8 = 1;
        if self.command(QUIT, &[]).await.is_ok() {
            self.stream.read_to_end_of_connection().await;
        }
    }
}

/// What stands before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    /// There is none.
    Null,
    /// It has so many bytes.
    Bytes(usize),
    /// More of it must come first.
    Unfinished,
}

/// The length that stands before a value.
fn length_of(bytes: &[u8]) -> io::Result<Length> {
    let broken = || io::Error::other("a row of the server is broken");
    let Some((&first, rest)) = bytes.split_first() else { return Ok(Length::Unfinished) };
    let wanted = match first {
        0..NULL => return Ok(Length::Bytes(usize::from(first))),
        NULL => return Ok(Length::Null),
        0xfc => 2,
        0xfd => 3,
        0xfe => 8,
        _ => return Err(broken()),
    };
    let Some(digits) = rest.get(..wanted) else { return Ok(Length::Unfinished) };
    let mut wide = [0; 8];
    for (place, digit) in wide.iter_mut().zip(digits) {
        *place = *digit;
    }
    let length = usize::try_from(u64::from_le_bytes(wide)).map_err(io::Error::other)?;
    Ok(Length::Bytes(length))
}

/// The number of columns with which an answer begins.
pub(super) fn count(packet: &[u8]) -> Option<usize> {
    match length_of(packet) {
        Ok(Length::Bytes(count)) => Some(count),
        Ok(Length::Null | Length::Unfinished) | Err(_) => None,
    }
}

/// Each value of a row; nothing for NULL. Ends early if the row is broken.
pub(super) fn values(row: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let bytes = match rest.first()? {
            0xfc => 3,
            0xfd => 4,
            0xfe => 9,
            _ => 1,
        };
        let (head, after) = rest.split_at_checked(bytes)?;
        let length = match length_of(head).ok()? {
            Length::Bytes(length) => length,
            Length::Null => {
                rest = after;
                return Some(None);
            }
            Length::Unfinished => return None,
        };
        let (value, after) = after.split_at_checked(length)?;
        rest = after;
        Some(Some(value))
    })
}

#[cfg(test)]
mod tests {
    use super::{Length, length_of, values};

    #[test]
    fn values_are_read_by_their_lengths() {
        let row = [1, b'a', 0xfb, 0, 0xfc, 2, 0, b'b', b'c'];
        let found: Vec<Option<&[u8]>> = values(&row).collect();
        assert_eq!(found, [Some(&b"a"[..]), None, Some(&b""[..]), Some(&b"bc"[..])]);
    }

    #[test]
    fn a_broken_row_ends_early() {
        for row in [
            &[5, b'a'][..],
            &[0xfc, 2],
            &[0xff, 1],
            &[0xfe, 255, 255, 255, 255, 255, 255, 255, 255],
        ] {
            assert_eq!(values(row).count(), 0, "{row:?}");
        }
        assert!(length_of(&[0xff]).is_err());
        assert_eq!(length_of(&[0xfd, 1]).expect("so far"), Length::Unfinished);
    }
}
