//! What is kept: lines in segments, each with the state at its beginning.

use super::chain::{Chain, Link};
use super::checkpoint::Base;
use super::form::{self, End, Head, Tail};
use super::{BYTES_MAX, EVENTS_MAX, SEGMENTS};
use crate::events::{Envelope, LOG_VERSION};
use crate::reducer::{State, Step};
use std::collections::VecDeque;
use std::sync::Arc;

/// How much may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Events.
    pub events: u64,
    /// Bytes of their lines.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { events: EVENTS_MAX, bytes: BYTES_MAX }
    }
}

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The first event.
    pub from_seq: u64,
    /// Events.
    pub events: u64,
    /// Bytes of their lines.
    pub bytes: usize,
    /// How much may be kept.
    pub bounds: Bounds,
}

/// The log of the running program.
#[derive(Debug)]
pub struct Recorder {
    bounds: Bounds,
    closed: VecDeque<Arc<Segment>>,
    open: Segment,
    chain: Chain,
}

/// A part of the log.
#[derive(Clone, Debug)]
struct Segment {
    /// The state before its first event; none at the start of the program.
    base: Option<Base>,
    /// The link before its first event.
    link: Link,
    from_seq: u64,
    events: u64,
    lines: String,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new(Bounds::default())
    }
}

impl Recorder {
    /// A recorder for a program that starts with the empty state.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        let link = Link::default();
        let open = Segment { base: None, link, from_seq: 1, events: 0, lines: String::new() };
        Self { bounds, closed: VecDeque::new(), open, chain: Chain::after(link) }
    }

    /// Takes one event in, with the state before it and what it led to.
    pub fn record(&mut self, before: &State, envelope: &Envelope, step: &Step) {
        // The time as the reducer took it: it never runs backwards.
        let envelope = Envelope { at: step.state.now, ..envelope.clone() };
        let event = form::event_text(&envelope);
        let start = self.chain.link();
        let line = form::line_text(&event, self.chain.add(event.as_bytes(), before, step));
        if self.is_full(line.len()) {
            self.begin_segment(before, start);
        }
        self.open.lines.push_str(&line);
        self.open.lines.push('\n');
        self.open.events += 1;
        self.forget_the_oldest();
    }

    fn is_full(&self, bytes: usize) -> bool {
        let segments = u64::try_from(SEGMENTS).unwrap_or(1);
        self.open.events > 0
            && (self.open.events >= (self.bounds.events / segments).max(1)
                || self.open.lines.len() + bytes > self.bounds.bytes / SEGMENTS)
    }

    fn begin_segment(&mut self, before: &State, link: Link) {
        let fresh = Segment {
            base: Some(Base::of(before)),
            link,
            from_seq: before.seq.saturating_add(1),
            events: 0,
            lines: String::new(),
        };
        self.closed.push_back(Arc::new(std::mem::replace(&mut self.open, fresh)));
    }

    fn forget_the_oldest(&mut self) {
        while !self.closed.is_empty() {
            let fill = self.fill();
            if fill.events <= self.bounds.events && fill.bytes <= self.bounds.bytes {
                break;
            }
            self.closed.pop_front();
        }
    }

    /// How much is kept.
    #[must_use]
    pub fn fill(&self) -> Fill {
        let closed = || self.closed.iter().map(AsRef::as_ref);
        let all = || closed().chain(std::iter::once(&self.open));
        Fill {
            from_seq: all().next().map_or(1, |segment| segment.from_seq),
            events: all().map(|segment| segment.events).sum(),
            bytes: all().map(|segment| segment.lines.len()).sum(),
            bounds: self.bounds,
        }
    }

    /// What is kept, as it is now. Cheap: only the newest part is copied.
    #[must_use]
    pub fn recording(&self) -> Recording {
        let mut segments: Vec<_> = self.closed.iter().cloned().collect();
        segments.push(Arc::new(self.open.clone()));
        Recording { segments, fill: self.fill(), link: self.chain.link() }
    }
}

/// A log as it was at one moment.
#[derive(Clone, Debug)]
pub struct Recording {
    segments: Vec<Arc<Segment>>,
    fill: Fill,
    link: Link,
}

impl Recording {
    /// The file in pieces, in order. Each is at most a segment or the first line.
    pub fn pieces(self) -> impl Iterator<Item = String> {
        let Self { segments, fill, link } = self;
        let first = segments.first();
        let head = Head {
            dbeast_log: LOG_VERSION,
            program: env!("CARGO_PKG_VERSION").into(),
            from_seq: fill.from_seq,
            base: first.and_then(|segment| segment.base.clone()),
            link: first.map(|segment| segment.link).unwrap_or_default(),
        };
        let head = form::to_text(&head) + "\n";
        let tail = form::to_text(&Tail { end: End { events: fill.events, link } }) + "\n";
        std::iter::once(head)
            .chain(segments.into_iter().map(|segment| segment.lines.clone()))
            .chain(std::iter::once(tail))
    }

    /// The whole file.
    #[must_use]
    pub fn text(self) -> String {
        self.pieces().collect()
    }
}
