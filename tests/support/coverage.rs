//! Which variants the stories reach.

use super::Told;
use super::world::World;
use dbeast::events::{Event, RequestEvent, ServerEvent, TaskEvent};
use dbeast::reducer::state::State;
use dbeast::transcript::names::{
    self, AUTHORISATIONS, EFFECTS, ENDS, EVENTS, LEVELS, NOTICES, OPERATIONS, OUTCOMES, PROBLEMS,
    REFUSALS, STATUSES,
};
use std::collections::BTreeSet;

/// All that could be reached.
pub(crate) fn all() -> BTreeSet<String> {
    let lists = [
        EVENTS,
        OPERATIONS,
        OUTCOMES,
        EFFECTS,
        STATUSES,
        PROBLEMS,
        AUTHORISATIONS,
        LEVELS,
        NOTICES,
    ];
    let plain = lists.into_iter().flatten().map(|name| (*name).to_owned());
    let refusals = REFUSALS.iter().map(|name| format!("refusal {name}"));
    let ends = ENDS.iter().map(|name| format!("end {name}"));
    plain.chain(refusals).chain(ends).collect()
}

/// What this world reached in all its lives. A reason for the end of a session that the list does
/// not know is an error: the list is ours.
pub(crate) fn reached(world: &World) -> Told<BTreeSet<String>> {
    let mut reached = BTreeSet::new();
    for life in &world.lives {
        for envelope in &life.log {
            reached.insert(names::event(&envelope.event).to_owned());
            reached.extend(inside(&envelope.event).map(str::to_owned));
        }
        for effect in life.effects.iter().flatten() {
            reached.insert(names::effect(effect).to_owned());
        }
        for refusal in life.answers.iter().filter_map(|answer| answer.as_ref().err()) {
            reached.insert(format!("refusal {}", names::refusal(refusal)));
        }
        for state in &life.states {
            in_state(state, &mut reached)?;
        }
    }
    Ok(reached)
}

fn inside(event: &Event) -> impl Iterator<Item = &'static str> {
    let (operation, notice, outcome) = match event {
        Event::Request(RequestEvent::Submitted(made)) => {
            (Some(names::operation(&made.operation)), None, None)
        }
        Event::Server(ServerEvent::NoticeRaised { notice }) => {
            (None, Some(names::notice(notice)), None)
        }
        Event::Task(TaskEvent::Finished { outcome, .. }) => {
            (None, None, Some(names::outcome(outcome)))
        }
        Event::Client(_)
        | Event::Session(_)
        | Event::Source(_)
        | Event::Sharing(_)
        | Event::Request(_)
        | Event::Server(_) => (None, None, None),
    };
    operation.into_iter().chain(notice).chain(outcome)
}

fn in_state(state: &State, reached: &mut BTreeSet<String>) -> Told<()> {
    for request in state.requests.values() {
        reached.insert(names::status(&request.status).to_owned());
        reached.extend(request.problem.as_ref().map(names::problem).map(str::to_owned));
        reached.extend(request.authorisation.as_ref().map(names::authorisation).map(str::to_owned));
    }
    for tombstone in state.tombstones.values() {
        reached.insert(names::status(&tombstone.status).to_owned());
    }
    for level in state.sharing.values() {
        reached.insert(names::level(level).to_owned());
    }
    for entry in state.activity.iter().filter(|entry| entry.event == "session_ended") {
        let why = entry.detail.as_deref().unwrap_or_default();
        if !ENDS.contains(&why) {
            return Err(format!("`{why}` is missing in the list of ends"));
        }
        reached.insert(format!("end {why}"));
    }
    Ok(())
}
