//! The recorder: a bounded log of all events, and how it is read and replayed.
//!
//! The store hands over each event with what it led to. The log holds the event in the wire form of
//! `events` (digests instead of results, marks instead of token hashes) and a *link*: a rolling
//! hash of everything that the event changed, of its effects and of its answer. Whoever replays the
//! log makes the same links, or learns which event is the first that went another way.
//!
//! Start with `log.rs` (what is kept), then `form.rs` (the file), `reader.rs` and `replay.rs`.
//! What never lives here: rules, clocks, files, results, tokens.

mod chain;
mod checkpoint;
mod form;
mod log;
mod problem;
mod reader;
mod replay;

pub use chain::Link;
pub use checkpoint::without_payloads;
pub use log::{Bounds, Fill, Recorder, Recording};
pub use problem::{Problem, What};
pub use reader::{Header, Reader, Recorded};
pub use replay::{Replayed, check, replay};

/// Events that the recorder keeps. A busy day has some thousands; with one agent that asks without
/// pause it is still more than an hour.
pub const EVENTS_MAX: u64 = 100_000;
/// Bytes of lines that the recorder keeps. Most events are below 300 bytes, so that it is the
/// events that count, unless somebody sends very long statements.
pub const BYTES_MAX: usize = 32 * 1024 * 1024;
/// The log is kept in so many parts; when it is full, the oldest one goes. Each part keeps the state
/// at its beginning, which shares nearly everything with the states around it.
pub const SEGMENTS: usize = 16;

/// Longest line of an event in a file. The longest that DBeast can write restores levels of 64 tables
/// for each of 128 sources and 17 audiences; any other holds one statement of at most 64 KiB, in
/// which each byte may take six.
pub const LINE_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Longest first line: it may hold a whole state, with that sharing and with the statements of all
/// requests and of the activity list.
pub const HEADER_BYTES_MAX: usize = 96 * 1024 * 1024;
/// Largest file that is read: the longest first line, what is kept, and one line more.
pub const FILE_BYTES_MAX: u64 = 192 * 1024 * 1024;
