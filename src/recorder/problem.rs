//! What can be wrong with a file: the line, what was expected there, and what to do.

use super::{FILE_BYTES_MAX, HEADER_BYTES_MAX, LINE_BYTES_MAX};
use crate::events::LOG_VERSION;
use crate::time::Millis;
use std::fmt;

/// Why a file is no recording that can be replayed. Nothing of it was applied.
#[derive(Debug)]
pub struct Problem {
    /// Where, from 1; none if it is about the file as a whole.
    pub line: Option<u64>,
    /// What.
    pub what: What,
}

/// What is wrong.
#[derive(Debug)]
pub enum What {
    /// The file cannot be read.
    Unreadable(std::io::Error),
    /// It is a directory, a pipe or a device.
    NotAFile,
    /// It has no bytes.
    Empty,
    /// It is larger than any recording.
    FileTooLarge,
    /// A line is longer than any line of a recording.
    LineTooLong {
        /// How long it may be.
        most: usize,
    },
    /// A line holds a zero byte.
    ZeroByte,
    /// A line is no UTF-8.
    NotText,
    /// A line ends as only converted files do.
    Converted,
    /// The first line is something else.
    NotARecording,
    /// The first line is an event.
    NoHeader,
    /// The first line cannot be read.
    BadHeader(String),
    /// The form is of another version.
    OtherVersion {
        /// Which.
        version: u64,
        /// Of the program that wrote it.
        program: String,
    },
    /// The state from which the recording goes on cannot be read.
    BadBase(String),
    /// The line is no JSON.
    NotJson(String),
    /// The line is an event that this version does not know.
    UnknownEvent(String),
    /// The line holds a field that this version does not know.
    UnknownField(String),
    /// The line was written by something else.
    Rewritten,
    /// An event is missing, is there twice or stands elsewhere.
    OutOfOrder {
        /// Which event belongs here.
        expected: u64,
        /// Which is here.
        found: u64,
    },
    /// An event is earlier than the one before it.
    TimeRanBackwards {
        /// The one before.
        before: Millis,
        /// This one.
        at: Millis,
    },
    /// Something follows after the last line.
    AfterTheEnd,
    /// The last line is missing.
    NoEnd {
        /// How many events there were.
        events: u64,
    },
    /// The last line does not fit what is above it.
    WrongEnd {
        /// How many events it says.
        expected: u64,
        /// How many there are.
        found: u64,
    },
}

const AGAIN: &str = "Save the recording again.";
const UNCHANGED: &str = "Use the file as DBeast saved it.";

impl Problem {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.what {
            What::Unreadable(_) => "Check the path and its permissions.".to_owned(),
            What::NotAFile
            | What::NotARecording
            | What::FileTooLarge
            | What::LineTooLong { .. } => {
                "Give the file that Save recording made, dbeast-recording.jsonl.".to_owned()
            }
            What::Empty | What::NotJson(_) | What::NoEnd { .. } => {
                format!("The file was cut off or never finished. {AGAIN}")
            }
            What::ZeroByte
            | What::NotText
            | What::Converted
            | What::Rewritten
            | What::NoHeader
            | What::BadHeader(_)
            | What::BadBase(_)
            | What::OutOfOrder { .. }
            | What::TimeRanBackwards { .. }
            | What::AfterTheEnd
            | What::WrongEnd { .. } => UNCHANGED.to_owned(),
            What::OtherVersion { program, .. } => {
                format!("Replay it with DBeast {program}, or save a new recording with this one.")
            }
            What::UnknownEvent(_) | What::UnknownField(_) => {
                "Replay it with the version of DBeast that saved it.".to_owned()
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}", self.what)
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the file cannot be read: {error}"),
            Self::NotAFile => f.write_str("this is no file"),
            Self::Empty => f.write_str("the file is empty"),
            Self::FileTooLarge => {
                write!(f, "the file has more than {FILE_BYTES_MAX} bytes; no recording has")
            }
            Self::LineTooLong { most } => {
                write!(f, "the line has more than {most} bytes; no line of a recording has")
            }
            Self::ZeroByte => f.write_str("the line holds a zero byte; a recording is plain text"),
            Self::NotText => f.write_str("the line is no UTF-8 text"),
            Self::Converted => f.write_str("the line ends with a carriage return"),
            Self::NotARecording => {
                f.write_str("a recording begins with {\"dbeast_log\":…}, and this does not")
            }
            Self::NoHeader => {
                f.write_str("this is an event, but the first line must be the header")
            }
            Self::BadHeader(why) => write!(f, "the header cannot be read: {why}"),
            Self::OtherVersion { version, program } => write!(
                f,
                "the recording has form {version}, written by DBeast {program}; this version reads form {LOG_VERSION}"
            ),
            Self::BadBase(why) => {
                write!(f, "the state at the beginning of the recording cannot be read: {why}")
            }
            Self::NotJson(why) => {
                write!(f, "an event was expected, but the line ends early: {why}")
            }
            Self::UnknownEvent(why) => {
                write!(f, "an event was expected, but this is none that this version knows: {why}")
            }
            Self::UnknownField(path) => {
                write!(f, "the event has `{path}`, which this version does not know")
            }
            Self::Rewritten => f.write_str("the line is not written the way DBeast writes it"),
            Self::OutOfOrder { expected, found } => {
                write!(f, "event {expected} was expected, but this is event {found}: ")?;
                f.write_str(if found < expected {
                    "it is there twice or out of order"
                } else {
                    "events are missing or out of order"
                })
            }
            Self::TimeRanBackwards { before, at } => write!(
                f,
                "the event is at {} and the one before it at {}; time never runs backwards",
                at.0, before.0
            ),
            Self::AfterTheEnd => f.write_str("the recording had ended, but something follows"),
            Self::NoEnd { events } => write!(
                f,
                "the last line {{\"end\":…}} was expected here, after {events} events; it is missing"
            ),
            Self::WrongEnd { expected, found } if expected == found => {
                f.write_str("the last line does not carry the link of the last event")
            }
            Self::WrongEnd { expected, found } => {
                write!(f, "the last line speaks of {expected} events, but there are {found}")
            }
        }
    }
}

/// The most that a line may have.
pub(super) const fn most(line: u64) -> usize {
    if line == 1 { HEADER_BYTES_MAX } else { LINE_BYTES_MAX }
}
