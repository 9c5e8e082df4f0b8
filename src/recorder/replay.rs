//! Folds a recording and compares each link with the one that was recorded.
//!
//! A file is read twice: once to check it as a whole ([`check`]), so that nothing of a bad file is
//! applied or printed, and once to fold it ([`replay`]). Both hold one line and one state at a time.

use super::chain::{Chain, Link};
use super::problem::Problem;
use super::reader::Reader;
use crate::reducer::reduce;
use crate::transcript::Occurrence;
use std::io::BufRead;

/// How a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// Every event led to what it had led to.
    Same {
        /// How many events.
        events: u64,
        /// The last link.
        link: Link,
    },
    /// An event leads to another state, other effects or another answer than it had, or it is not
    /// the event that was recorded.
    Differs {
        /// The first such event.
        seq: u64,
        /// Its line in the file.
        line: u64,
    },
}

/// Reads a whole recording without applying anything. Gives the number of its events.
pub fn check(input: impl BufRead) -> Result<u64, Problem> {
    let (_, reader) = Reader::open(input)?;
    let mut events = 0;
    for recorded in reader {
        recorded?;
        events += 1;
    }
    Ok(events)
}

/// Folds a recording and shows each event with what it leads to, up to the first that differs.
pub fn replay(input: impl BufRead, mut show: impl FnMut(&Occurrence)) -> Result<Replayed, Problem> {
    let (header, reader) = Reader::open(input)?;
    let mut chain = Chain::after(header.link);
    let mut state = header.state();
    let mut events = 0;
    for recorded in reader {
        let recorded = recorded?;
        let step = reduce(&state, &recorded.envelope);
        let link = chain.add(recorded.text.as_bytes(), &state, &step);
        let next = step.state.clone();
        let before = std::mem::replace(&mut state, next);
        let seq = recorded.envelope.seq;
        show(&Occurrence { before, envelope: recorded.envelope, step });
        if link != recorded.link {
            return Ok(Replayed::Differs { seq, line: recorded.line });
        }
        events += 1;
    }
    Ok(Replayed::Same { events, link: chain.link() })
}
