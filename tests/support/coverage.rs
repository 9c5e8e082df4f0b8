//! Which variants the stories reach.

use super::Told;
use super::world::World;
use dbeast::events::{Event, RequestEvent, ServerEvent, TaskEvent};
use dbeast::reducer::Effect;
use dbeast::reducer::state::{EntryKind, State};
use dbeast::transcript::names::{
    self, AUTHORISATIONS, EFFECTS, ENDS, ENTRIES, EVENTS, LEVELS, NOTICES, OPERATIONS, OUTCOMES,
    PROBLEMS, REFUSALS, SCOPES, STATUSES, TABLE_LEVELS, WORKS,
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
        TABLE_LEVELS,
        SCOPES,
        WORKS,
        ENTRIES,
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
            if let Effect::RunTask { work, .. } = effect {
                reached.insert(names::work(work).to_owned());
            }
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

pub(crate) fn inside(event: &Event) -> Option<&'static str> {
    match event {
        Event::Request(RequestEvent::Submitted(made)) => Some(names::operation(&made.operation)),
        Event::Request(RequestEvent::Allowed { scope, .. }) => Some(names::scope(scope)),
        Event::Server(ServerEvent::NoticeRaised { notice }) => Some(names::notice(notice)),
        Event::Task(TaskEvent::Finished { outcome, .. }) => Some(names::outcome(outcome)),
        Event::Client(_)
        | Event::Session(_)
        | Event::Source(_)
        | Event::Document(_)
        | Event::Sharing(_)
        | Event::Grant(_)
        | Event::Request(_)
        | Event::Task(TaskEvent::ReadyToSend { .. })
        | Event::Server(_) => None,
    }
}

pub(crate) fn in_state(state: &State, reached: &mut BTreeSet<String>) -> Told<()> {
    for request in state.requests.values() {
        reached.insert(names::status(&request.status).to_owned());
        reached.extend(request.problem.as_ref().map(names::problem).map(str::to_owned));
        reached.extend(request.authorisation.as_ref().map(names::authorisation).map(str::to_owned));
    }
    for tombstone in state.sessions.values().flat_map(|session| session.tombstones.values()) {
        reached.insert(names::status(&tombstone.status).to_owned());
    }
    for share in state.sharing.values() {
        reached.insert(names::level(&share.level).to_owned());
        reached.extend(share.tables.values().map(|level| names::table_level(level).to_owned()));
    }
    let entries = state.activity.entries();
    reached.extend(entries.iter().map(|entry| names::entry(&entry.kind).to_owned()));
    for entry in entries.into_iter().filter(|entry| entry.kind == EntryKind::SessionEnded) {
        let why = entry.detail.as_deref().unwrap_or_default();
        if !ENDS.contains(&why) {
            return Err(format!("`{why}` is missing in the list of ends"));
        }
        reached.insert(format!("end {why}"));
    }
    Ok(())
}
