//! Writes what happened as a story, in the language of `tests/scenarios/README.md`.
//!
//! Whoever plays the story gets the same events: names are made of labels, identifiers come in the
//! order in which they appear, and time counts from the first event. What the language cannot say
//! is an error that names it; no story ever tells something else.

mod agents;
mod known;
mod person;
mod program;
mod text;

use super::Occurrence;
use crate::events::{Event, GrantEvent};
use crate::reducer::State;
use crate::time::Millis;
use known::Known;
use std::fmt;

pub use text::tables_named;

/// Why a log cannot be told.
#[derive(Debug)]
pub struct Untellable {
    /// Which event; none if it is about the whole.
    pub seq: Option<u64>,
    /// What the language cannot say.
    pub what: String,
}

impl fmt::Display for Untellable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seq {
            Some(seq) => write!(f, "event {seq} cannot be told as a story: {}", self.what),
            None => write!(f, "this cannot be told as a story: {}", self.what),
        }
    }
}

impl std::error::Error for Untellable {}

/// What the language cannot say, in words.
type Told<T> = Result<T, String>;

/// One line of a story with the lines below it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line {
    text: String,
    block: Vec<String>,
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self { text, block: Vec::new() }
    }
}

/// Takes one event after the other and writes the story.
#[derive(Debug, Default)]
pub struct Teller {
    lines: Vec<Line>,
    known: Known,
    events: u64,
    /// The first event's time, and the time that the story has reached.
    times: Option<(Millis, Millis)>,
}

impl Teller {
    /// A teller that has heard nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next event with what it led to.
    pub fn take(&mut self, occurrence: &Occurrence) -> Result<(), Untellable> {
        let seq = occurrence.envelope.seq;
        self.tell(occurrence).map_err(|what| Untellable { seq: Some(seq), what })
    }

    fn tell(&mut self, occurrence: &Occurrence) -> Told<()> {
        if self.events == 0 && occurrence.before != State::default() {
            return Err("the recording does not begin with the start of the program".to_owned());
        }
        self.events += 1;
        if self.pass_time(occurrence) {
            return Ok(());
        }
        let (start, _) = self.times.unwrap_or_default();
        let line = match &occurrence.envelope.event {
            Event::Client(event) => self.known.client_event(event),
            Event::Session(event) => self.known.session_event(event, occurrence)?,
            Event::Source(event) => self.known.source_event(event),
            Event::Document(event) => self.known.document_event(event)?,
            Event::Sharing(event) => self.known.sharing_event(event)?,
            Event::Grant(GrantEvent::Revoked { grant }) => {
                format!("dana takes back {grant}").into()
            }
            Event::Request(event) => self.known.request_event(event, occurrence)?,
            Event::Task(event) => self.known.task_event(event, occurrence)?,
            Event::Server(event) => self.known.server_event(event, start)?,
        };
        self.lines.push(line);
        Ok(())
    }

    /// Writes the lines for the time before the event. True if these lines are the event: an alarm
    /// that rang just when it should.
    fn pass_time(&mut self, occurrence: &Occurrence) -> bool {
        let at = occurrence.envelope.at;
        let (start, now) = self.times.unwrap_or((at, at));
        self.times = Some((start, at));
        let length = text::length(at.since(now));
        let is_ringing = text::is_time_passed(&occurrence.envelope.event);
        match occurrence.before.alarm {
            Some(alarm) if is_ringing && alarm.max(now) == at => {
                self.lines.push(format!("clock {length}").into());
                return true;
            }
            Some(alarm) if at > now && alarm <= at => {
                self.lines.push(format!("clock {length} without the alarm").into());
            }
            Some(_) | None if at > now => self.lines.push(format!("clock {length}").into()),
            Some(_) | None => {}
        }
        false
    }

    /// The whole story, under this title. `last` is the state at its end.
    pub fn finish(mut self, title: &str, last: &State) -> Result<String, Untellable> {
        if self.lines.is_empty() {
            let what = "nothing happened".to_owned();
            return Err(Untellable { seq: None, what });
        }
        let waiting: Vec<String> = last.tasks.keys().map(ToString::to_string).collect();
        if !waiting.is_empty() {
            self.lines.push(format!("expect waiting {}", waiting.join(", ")).into());
        }
        let mut story = format!(
            "# {title}\nWritten from a recording by `dbeast replay --story`. Names are made of labels, \
             identifiers come in the order\nin which they appear, and a result is only its digest.\n\
             recorded: {} events\n\n",
            self.events
        );
        for Line { text, block } in &self.lines {
            story.push_str(text);
            story.push('\n');
            for line in block {
                story.push_str("    ");
                story.push_str(line);
                story.push('\n');
            }
        }
        Ok(story)
    }
}
