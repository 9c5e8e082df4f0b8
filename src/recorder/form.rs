//! The file of a recording: JSON Lines. The first says what it is and from where it goes on, then
//! there is one line per event, and the last one says how many there were.

use super::chain::Link;
use super::checkpoint::Base;
use crate::events::{Envelope, Event};
use crate::time::Millis;
use serde::{Deserialize, Serialize};

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head<'a> {
    /// The version of the form; the first field, so that every version can tell it.
    pub(super) dbeast_log: u32,
    /// The version of the program that recorded.
    pub(super) program: std::borrow::Cow<'a, str>,
    /// The first event that follows.
    pub(super) from_seq: u64,
    /// The state before it; none at the start of the program.
    pub(super) base: Option<Base>,
    /// The link before it.
    pub(super) link: Link,
}

/// One event.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// Position.
    pub(super) seq: u64,
    /// When.
    pub(super) at: Millis,
    /// What.
    pub(super) event: Event,
    /// The link that it makes.
    pub(super) link: Link,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Tail {
    pub(super) end: End,
}

/// What the last line says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct End {
    /// How many events there are.
    pub(super) events: u64,
    /// The last link.
    pub(super) link: Link,
}

/// An event's line without its link and its last brace: what the link is made from.
pub(super) fn event_text(envelope: &Envelope) -> String {
    let mut text = to_text(envelope);
    text.pop();
    text
}

/// A whole line without its end.
pub(super) fn line_text(event_text: &str, link: Link) -> String {
    format!("{event_text},\"link\":\"{link}\"}}")
}

/// Any part of the file as text.
pub(super) fn to_text(value: &impl Serialize) -> String {
    // Plain data always serialises. Should some not, the reader refuses the line that this makes.
    serde_json::to_string(value).unwrap_or_else(|error| format!("unwritable: {error}"))
}
