//! Reads a recording line by line and checks everything that can be known without the rules. It
//! holds one line at a time.

use super::chain::Link;
use super::checkpoint::Base;
use super::form::{self, Head, Line, Tail};
use super::problem::{Problem, What, most};
use super::{FILE_BYTES_MAX, form::to_text};
use crate::events::{Envelope, LOG_VERSION};
use crate::reducer::State;
use crate::time::Millis;
use serde::Deserialize;
use serde_json::Value;
use std::io::{BufRead, Read as _};

/// What the first line says.
#[derive(Debug)]
pub struct Header {
    /// The version of the program that recorded.
    pub program: String,
    /// The first event that follows.
    pub from_seq: u64,
    pub(super) link: Link,
    base: Option<Base>,
}

impl Header {
    /// The state before the first event.
    #[must_use]
    pub fn state(&self) -> State {
        self.base.as_ref().map(|base| base.state().clone()).unwrap_or_default()
    }

    /// Whether the recording begins with the program, so that nothing is missing before it.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.base.is_none()
    }
}

/// One event as it was recorded.
#[derive(Debug)]
pub struct Recorded {
    /// Its line.
    pub line: u64,
    /// The event.
    pub envelope: Envelope,
    /// The link that it made.
    pub link: Link,
    pub(super) text: String,
}

/// Reads one file.
pub struct Reader<R> {
    input: R,
    line: u64,
    bytes: u64,
    next_seq: u64,
    before: Millis,
    events: u64,
    link: Link,
    buffer: Vec<u8>,
    is_over: bool,
}

/// The first fields, for telling what a line is.
#[derive(Deserialize)]
struct Probe {
    dbeast_log: Option<u64>,
    program: Option<String>,
    seq: Option<u64>,
    end: Option<Value>,
}

impl<R: BufRead> Reader<R> {
    /// Begins with the first line.
    pub fn open(input: R) -> Result<(Header, Self), Problem> {
        let mut reader = Self {
            input,
            line: 0,
            bytes: 0,
            next_seq: 1,
            before: Millis(0),
            events: 0,
            link: Link::default(),
            buffer: Vec::new(),
            is_over: false,
        };
        let Some(text) = reader.read_line()? else {
            return Err(Problem { line: None, what: What::Empty });
        };
        let header = header(&text).map_err(|what| reader.problem(what))?;
        reader.next_seq = header.from_seq;
        reader.link = header.link;
        reader.before = header.base.as_ref().map_or(Millis(0), |base| base.state().now);
        Ok((header, reader))
    }

    fn problem(&self, what: What) -> Problem {
        Problem { line: Some(self.line), what }
    }

    /// The next line, without its end.
    fn read_line(&mut self) -> Result<Option<String>, Problem> {
        self.line += 1;
        self.buffer.clear();
        let most = most(self.line);
        let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(2);
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.buffer);
        let read = read.map_err(|error| self.problem(What::Unreadable(error)))?;
        if read == 0 {
            return Ok(None);
        }
        self.bytes = self.bytes.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        if self.bytes > FILE_BYTES_MAX {
            return Err(Problem { line: None, what: What::FileTooLarge });
        }
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
        }
        if self.buffer.len() > most {
            return Err(self.problem(What::LineTooLong { most }));
        }
        if self.buffer.contains(&0) {
            return Err(self.problem(What::ZeroByte));
        }
        if self.buffer.last() == Some(&b'\r') {
            return Err(self.problem(What::Converted));
        }
        match std::str::from_utf8(&self.buffer) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(self.problem(What::NotText)),
        }
    }

    fn read_next(&mut self) -> Result<Option<Recorded>, Problem> {
        let Some(text) = self.read_line()? else {
            return Err(self.problem(What::NoEnd { events: self.events }));
        };
        match event(&text) {
            Ok(line) => self.take(&text, line).map(Some),
            Err(what) => match tail(&text) {
                Some(tail) => self.finish(&text, &tail).map(|()| None),
                None => Err(self.problem(what)),
            },
        }
    }

    fn take(&mut self, text: &str, line: Line) -> Result<Recorded, Problem> {
        let Line { seq, at, event, link } = line;
        let envelope = Envelope { seq, at, event };
        let event_text = form::event_text(&envelope);
        let written = form::line_text(&event_text, link);
        if written != text {
            return Err(self.problem(written_otherwise(text, &written)));
        }
        if seq != self.next_seq {
            let expected = self.next_seq;
            return Err(self.problem(What::OutOfOrder { expected, found: seq }));
        }
        if at < self.before {
            return Err(self.problem(What::TimeRanBackwards { before: self.before, at }));
        }
        self.next_seq = seq.saturating_add(1);
        self.before = at;
        self.events += 1;
        self.link = link;
        Ok(Recorded { line: self.line, envelope, link, text: event_text })
    }

    fn finish(&mut self, text: &str, tail: &Tail) -> Result<(), Problem> {
        let written = to_text(tail);
        if written != text {
            return Err(self.problem(written_otherwise(text, &written)));
        }
        if tail.end.events != self.events || tail.end.link != self.link {
            let (expected, found) = (tail.end.events, self.events);
            return Err(self.problem(What::WrongEnd { expected, found }));
        }
        match self.read_line()? {
            Some(_) => Err(self.problem(What::AfterTheEnd)),
            None => Ok(()),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Recorded, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.read_next().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

fn header(text: &str) -> Result<Header, What> {
    let Ok(probe) = serde_json::from_str::<Probe>(text) else {
        return Err(if text.starts_with("{\"dbeast_log\":") {
            What::BadHeader("it ends early or holds something else than JSON".to_owned())
        } else {
            What::NotARecording
        });
    };
    match probe {
        Probe { dbeast_log: Some(version), program, .. } => {
            if version != u64::from(LOG_VERSION) {
                let program = program.unwrap_or_else(|| "of that version".to_owned());
                return Err(What::OtherVersion { version, program });
            }
        }
        Probe { seq: Some(_), .. } | Probe { end: Some(_), .. } => return Err(What::NoHeader),
        Probe { .. } => return Err(What::NotARecording),
    }
    let head: Head<'_> = serde_json::from_str(text).map_err(|error| {
        let is_base = serde_json::from_str::<Value>(text)
            .is_ok_and(|value| value.get("base").is_some_and(Value::is_object));
        if is_base { What::BadBase(error.to_string()) } else { What::BadHeader(error.to_string()) }
    })?;
    let written = to_text(&head);
    if written != text {
        return Err(written_otherwise(text, &written));
    }
    let before = head.base.as_ref().map_or(0, |base| base.state().seq);
    if head.from_seq != before.saturating_add(1) {
        let expected = before.saturating_add(1);
        return Err(What::BadHeader(format!("its events begin at {expected}")));
    }
    let Head { program, from_seq, base, link, .. } = head;
    Ok(Header { program: program.into_owned(), from_seq, link, base })
}

fn event(text: &str) -> Result<Line, What> {
    serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            What::UnknownEvent(error.to_string())
        } else {
            What::NotJson(error.to_string())
        }
    })
}

fn tail(text: &str) -> Option<Tail> {
    if text.starts_with("{\"end\":") { serde_json::from_str(text).ok() } else { None }
}

/// Why a line that can be read is not the line that its content makes.
fn written_otherwise(text: &str, written: &str) -> What {
    let read = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    match only_in_first(&read(text), &read(written)) {
        Some(path) => What::UnknownField(path),
        None => What::Rewritten,
    }
}

/// The path of a field that only the first has.
fn only_in_first(one: &Value, other: &Value) -> Option<String> {
    let below = |name: &str, one: &Value, other: &Value| {
        only_in_first(one, other).map(|path| format!("{name}.{path}"))
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.iter().find_map(|(name, value)| match other.get(name) {
                None => Some(name.clone()),
                Some(same) => below(name, value, same),
            })
        }
        (Value::Array(one), Value::Array(other)) => one
            .iter()
            .zip(other)
            .enumerate()
            .find_map(|(index, (one, other))| below(&index.to_string(), one, other)),
        _ => None,
    }
}
