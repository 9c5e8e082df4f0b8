//! Long histories by chance at full size, against a second opinion that is written out again.
//!
//! Start with `properties/chance.rs` (what happens; `dice.rs` makes the choices), then
//! `properties/reference.rs` (what must be so). The
//! seed is fixed: a failure is always the same, is cut down to what it takes, and is told event by event.
//! What never lives here: single rules. Those are stories (`tests/scenarios`). To search for longer:
//!
//! ```text
//! PROPTEST_CASES=500 PROPTEST_RNG_SEED=7 cargo test --no-default-features --test properties
//! ```
#![allow(
    clippy::expect_used,
    clippy::match_bool,
    clippy::similar_names,
    clippy::wildcard_enum_match_arm,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod properties {
    pub(crate) mod chance;
    pub(crate) mod dice;
    pub(crate) mod reference;
}
mod support;

use dbeast::events::{Envelope, Event, TaskEvent};
use dbeast::reducer::state::{State, Status};
use dbeast::reducer::{Answer, Effect, Step, diff, invariants, read, reduce, view};
use dbeast::time::Millis;
use dbeast::transcript::{names, words};
use properties::dice::{Dice, Mood, Row};
use properties::reference::Reference;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::Value;
use std::collections::BTreeSet;
use support::{checks, coverage};

/// Histories, unless `PROPTEST_CASES` says otherwise.
const CASES: u32 = 3;
/// Events of one history.
const EVENTS: usize = 4_100;
/// The page looks at every so many events.
const LOOKED_AT_EVERY: usize = 60;
/// Everybody tries to read everything after every so many events.
const READ_EVERY: usize = 25;

/// How a history goes on: by `reduce`, or with a fault that must be found.
type Next = fn(&State, &Envelope) -> Step;

/// A history as it goes on.
struct History {
    next: Next,
    state: State,
    now: Millis,
    log: Vec<Envelope>,
    reference: Reference,
    /// What the page shows, kept by differences, and of which state.
    shown: Value,
    seen: State,
    reached: BTreeSet<String>,
}

impl History {
    fn new(next: Next) -> Self {
        Self {
            next,
            state: State::default(),
            now: words::START,
            log: Vec::new(),
            reference: Reference::default(),
            shown: view_of(&State::default()),
            seen: State::default(),
            reached: BTreeSet::new(),
        }
    }

    /// Lets one event happen. An error says which rule it broke.
    fn go_on(&mut self, index: usize, row: &Row) -> Result<(), String> {
        let seq = self.state.seq + 1;
        let mood = Mood::at(index);
        let mut dice = Dice { row, taken: 0, state: &self.state, mood, fresh: index as u64 };
        self.now = dice.later(self.now);
        let event = if seq == 1 { dice.restored() } else { dice.event() };
        let envelope = Envelope { seq, at: self.now, event };
        let step = (self.next)(&self.state, &envelope);
        self.log.push(envelope.clone());
        let broken = invariants::broken(&self.state, &step.state);
        if !broken.is_empty() {
            return Err(format!("{} broken", broken.join(", ")));
        }
        if let Err(refusal) = &step.answer {
            let (before, after) = (&self.state, &step.state);
            checks::refused_changes_nothing(before, &envelope, after, &step.effects)?;
            self.reached.insert(format!("refusal {}", names::refusal(refusal)));
        }
        self.reference.follow(&self.state, &envelope, &step)?;
        self.note(&envelope.event, &step.effects);
        self.state = step.state;
        if index.is_multiple_of(READ_EVERY) {
            self.everybody_reads()?;
            coverage::in_state(&self.state, &mut self.reached)?;
        }
        if index.is_multiple_of(LOOKED_AT_EVERY) {
            self.the_page_follows()?;
        }
        Ok(())
    }

    fn note(&mut self, event: &Event, effects: &[Effect]) {
        let mut reach = |name: &str| {
            if !self.reached.contains(name) {
                self.reached.insert(name.to_owned());
            }
        };
        reach(names::event(event));
        coverage::inside(event).map(&mut reach);
        for effect in effects {
            reach(names::effect(effect));
            if let Effect::RunTask { work, .. } = effect {
                reach(names::work(work));
            }
        }
    }

    /// Each session reads each request, now and when the clock is a little ahead of the last event.
    fn everybody_reads(&self) -> Result<(), String> {
        for at in
            [self.now.max(self.state.now), self.state.now.plus(dbeast::time::Duration(290_000))]
        {
            for (name, session) in &self.state.sessions {
                for (id, request) in &self.state.requests {
                    let (client, token) = (&session.client, &session.token_hash);
                    let Ok(reading) = read::request(&self.state, client, token, id, at) else {
                        continue;
                    };
                    if request.session != *name {
                        return Err(format!("{id} is read by {name}, which never asked it"));
                    }
                    let why = reading.result.and_then(|_| self.reference.forbids(id, name, at));
                    if let Some(why) = why {
                        return Err(format!("the result of {id} is released, but {why}"));
                    }
                }
            }
        }
        Ok(())
    }

    fn the_page_follows(&mut self) -> Result<(), String> {
        let now = view_of(&self.state);
        let patch = serde_json::to_value(diff::between(&self.seen, &self.state))
            .and_then(serde_json::from_value::<json_patch::Patch>)
            .map_err(|error| error.to_string())?;
        json_patch::patch(&mut self.shown, &patch).map_err(|error| error.to_string())?;
        self.seen = self.state.clone();
        if self.shown == now { Ok(()) } else { Err("the page shows something else".to_owned()) }
    }

    /// A replay of the log ends in the same state.
    fn replays(&self) -> Result<(), String> {
        let from = State::default();
        let again =
            self.log.iter().fold(from, |state, envelope| (self.next)(&state, envelope).state);
        if again == self.state { Ok(()) } else { Err("a replay of the log differs".to_owned()) }
    }
}

fn view_of(state: &State) -> Value {
    serde_json::to_value(view::project(state)).expect("a view can be written")
}

/// Plays rows, each with its place in the whole history. Gives the history and what went wrong.
fn play(next: Next, rows: &[(usize, Row)]) -> (History, Result<(), String>) {
    let mut history = History::new(next);
    for (index, row) in rows {
        if let Err(what) = history.go_on(*index, row) {
            return (history, Err(what));
        }
    }
    let end = history.the_page_follows().and_then(|()| history.replays());
    (history, end)
}

/// Leaves out what this kind of failure does not need: halves first, then smaller and smaller pieces.
fn cut(next: Next, mut rows: Vec<(usize, Row)>, kind: &str) -> Vec<(usize, Row)> {
    let (history, _) = play(next, &rows);
    rows.truncate(history.log.len());
    let mut piece = rows.len() / 2;
    while piece > 0 {
        let mut from = 0;
        while from < rows.len() {
            let mut fewer = rows.clone();
            fewer.drain(from..(from + piece).min(rows.len()));
            if play(next, &fewer).1.is_err_and(|what| what.contains(kind)) {
                rows = fewer;
            } else {
                from += piece;
            }
        }
        piece /= 2;
    }
    rows
}

/// What happened, event by event. The seam for whoever tells it in the language of stories.
fn tell(log: &[Envelope]) -> String {
    let lines = log.iter().map(|envelope| {
        let at = words::offset(envelope.at, words::START);
        format!("{at:<14} {}\n", words::event(&envelope.event))
    });
    lines.collect()
}

/// A runner with the fixed seed, unless the environment says otherwise.
fn runner() -> (TestRunner, u32) {
    let is_set = |name| std::env::var_os(name).is_some();
    let mut config = Config::default();
    if !is_set("PROPTEST_CASES") {
        config.cases = CASES;
    }
    if !is_set("PROPTEST_RNG_SEED") {
        config.rng_seed = RngSeed::Fixed(1);
    }
    let cases = config.cases;
    (TestRunner::new(config), cases)
}

#[test]
fn long_histories_break_nothing_and_reach_everything() {
    let (mut runner, cases) = runner();
    let rows = vec(any::<Row>(), EVENTS);
    let mut reached = BTreeSet::new();
    for case in 1..=cases {
        let rows = rows.new_tree(&mut runner).expect("rows have no condition").current();
        let rows: Vec<(usize, Row)> = rows.into_iter().enumerate().collect();
        let (history, end) = play(reduce, &rows);
        if end.is_err() {
            let (history, end) = play(reduce, &cut(reduce, rows, ""));
            let what = end.expect_err("what was cut down still fails");
            panic!("history {case}: {what}, after:\n{}", tell(&history.log));
        }
        reached.extend(history.reached);
    }
    let missing: Vec<String> = coverage::all().difference(&reached).cloned().collect();
    assert!(missing.is_empty(), "no history reached {missing:?}");
}

/// Lowering a level leaves the results that the person had allowed one by one: no invariant sees that.
fn keeps_results(state: &State, envelope: &Envelope) -> Step {
    let mut step = reduce(state, envelope);
    if matches!(&envelope.event, Event::Sharing(_)) && step.answer.is_ok() {
        for (id, request) in &state.requests {
            let is_kept = request.status == Status::Completed && step.state.covers(request);
            if is_kept && step.state.requests.contains_key(id) {
                step.state.requests.insert(id.clone(), request.clone());
            }
        }
        step.state.alarm = state.alarm;
    }
    step
}

/// A driver may send as often as it asks.
fn sends_again(state: &State, envelope: &Envelope) -> Step {
    let mut step = reduce(state, envelope);
    if let Event::Task(TaskEvent::ReadyToSend { task }) = &envelope.event
        && state.tasks.contains_key(task)
        && step.answer.is_err()
    {
        step.effects.push(Effect::SendStatement { task: *task });
        step.answer = Ok(Answer::Done);
    }
    step
}

#[test]
fn a_fault_that_no_invariant_sees_is_found_and_cut_down() {
    let faults: [(Next, &str); 2] = [
        (keeps_results, "is released, but what it was about was taken away"),
        (sends_again, " sent "),
    ];
    for (next, expected) in faults {
        let rows = vec(any::<Row>(), 500);
        let (mut runner, _) = runner();
        let failed = (0..20).find_map(|_| {
            let rows = rows.new_tree(&mut runner).ok()?.current();
            let rows: Vec<(usize, Row)> = rows.into_iter().enumerate().collect();
            let is_found = play(next, &rows).1.is_err_and(|what| what.contains(expected));
            is_found.then_some(rows)
        });
        let fewer = cut(next, failed.expect(expected), expected);
        let (history, end) = play(next, &fewer);
        let what = end.expect_err(expected);
        let told = tell(&history.log);
        assert!(what.contains(expected), "{what}, after:\n{told}");
        assert!(fewer.len() <= 20, "{} events are left:\n{told}", fewer.len());
    }
}
