//! The rules. `reduce` folds one event into the state and says what should be done outside.
//!
//! It is total: no panic, no error on any event in any state. An illegal move changes nothing and
//! yields a typed refusal. What never lives here: clocks, randomness, I/O, SQL parsing, JSON for
//! agents (`tests/tidy.rs` reads the imports). Start with `state.rs`, then `requests.rs`.

pub mod access;
mod activity;
mod clients;
mod deadlines;
pub mod diff;
mod documents;
pub mod effect;
mod grants;
pub mod invariants;
pub mod limits;
pub mod read;
pub mod refusal;
mod requests;
mod server;
mod sessions;
mod sharing;
mod sources;
pub mod state;
mod tasks;
pub mod view;

use deadlines::Deadlines;
pub use effect::{Effect, Place, Work};
pub use refusal::{ErrorCode, Refusal};
pub use server::kept;
pub use state::State;

use crate::events::{Envelope, Event};
use crate::ids::RequestId;
use crate::time::Millis;
use serde::Serialize;

/// What one event led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state after the event.
    pub state: State,
    /// What should be done outside, in order.
    pub effects: Vec<Effect>,
    /// The answer to whoever sent the event.
    pub answer: Result<Answer, Refusal>,
}

/// A move that was legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Answer {
    /// It is done.
    Done,
    /// The event is about a request that now exists.
    Request {
        /// Which one.
        request: RequestId,
        /// False when the same key had already made it; nothing ran again.
        is_new: bool,
    },
}

/// Folds one event into the state.
#[must_use]
pub fn reduce(state: &State, envelope: &Envelope) -> Step {
    let mut next = Next::after(state, envelope);
    if !next.nothing_is_due() {
        server::let_time_pass(&mut next);
    }
    let answer = match &envelope.event {
        Event::Client(event) => clients::reduce(&mut next, event),
        Event::Session(event) => sessions::reduce(&mut next, event),
        Event::Source(event) => sources::reduce(&mut next, event),
        Event::Document(event) => documents::reduce(&mut next, event),
        Event::Sharing(event) => sharing::reduce(&mut next, event),
        Event::Grant(event) => grants::reduce(&mut next, event),
        Event::Request(event) => requests::reduce(&mut next, event),
        Event::Task(event) => tasks::reduce(&mut next, event),
        Event::Server(event) => server::reduce(&mut next, event),
    };
    tasks::start_ready(&mut next);
    next.set_alarm();
    Step { state: next.state, effects: next.effects, answer }
}

/// The state in the making and the effects so far. Each family's machine works on it.
struct Next {
    state: State,
    effects: Vec<Effect>,
    now: Millis,
    may_start: MayStart,
    deadlines: Deadlines,
}

/// Which waiting requests may be able to start after what happened. Before an event none was (invariant T-5).
enum MayStart {
    /// None.
    Nothing,
    /// This one: it has its authorisation now.
    One(RequestId),
    /// Any that has its authorisation: a slot is free.
    Any,
}

impl Next {
    fn after(state: &State, envelope: &Envelope) -> Self {
        let mut state = state.clone();
        state.seq = envelope.seq;
        // Time never runs backwards, whatever the outside says.
        state.now = state.now.max(envelope.at);
        let now = state.now;
        let deadlines = Deadlines::of(&state);
        Self { state, effects: Vec::new(), now, may_start: MayStart::Nothing, deadlines }
    }

    /// Notes that a request has its authorisation now.
    fn may_start(&mut self, request: RequestId) {
        self.may_start = match self.may_start {
            MayStart::Nothing => MayStart::One(request),
            MayStart::One(_) | MayStart::Any => MayStart::Any,
        };
    }
}
