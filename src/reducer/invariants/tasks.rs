//! About work outside: slots, deadlines, and statements that may write.

use super::State;
use crate::events::Target;
use crate::ids::SessionId;
use crate::reducer::deadlines::earliest_of;
use crate::reducer::limits::{RETENTION, TASKS_MAX, TASKS_PER_SESSION_MAX};
use crate::reducer::state::Status;
use crate::time::Millis;
use std::collections::BTreeSet;

pub(super) fn writes_are_sent_once(before: &State, after: &State) -> bool {
    after.tasks.iter().all(|(id, task)| {
        let was_sent = before.tasks.get(id).is_some_and(|old| old.is_sent);
        let goes_now = task.is_sent && !was_sent;
        let is_allowed = || {
            let request = after.requests.get(&task.request);
            let request = request.filter(|request| request.task == Some(*id));
            request.is_some_and(|request| match &request.target {
                Target::Source { source, .. } => {
                    let source = after.sources.get(source);
                    source.is_some_and(|source| !source.is_read_only) && after.covers(request)
                }
                Target::Document { .. } => false,
            })
        };
        (!was_sent || task.is_sent)
            && (!task.is_sent || task.may_write)
            && (!goes_now || before.tasks.contains_key(id) && is_allowed())
    })
}

pub(super) fn sent_writes_end_truly(before: &State, after: &State) -> bool {
    before.tasks.values().filter(|task| task.may_write && task.is_sent).all(|task| {
        let Some(old) = before.requests.get(&task.request) else { return true };
        let kept = after.requests.get(&task.request).map(|new| new.status);
        let session = after.sessions.get(&old.session);
        let buried = session.and_then(|session| session.tombstones.get(&task.request));
        let Some(status) = kept.or(buried.map(|stone| stone.status)) else { return true };
        old.status != Status::Running
            || matches!(
                status,
                Status::Running
                    | Status::Completed
                    | Status::CompletedResultRevoked
                    | Status::Failed
                    | Status::OutcomeUnknown
            )
    })
}

pub(super) fn stay_within_their_slots(_: &State, state: &State) -> bool {
    let holders: BTreeSet<_> = state.tasks.values().map(|task| &task.session).collect();
    state.tasks.len() <= TASKS_MAX
        && state.tasks.len() <= holders.len().saturating_mul(TASKS_PER_SESSION_MAX)
}

pub(super) fn alarm_is_the_earliest_deadline(_: &State, state: &State) -> bool {
    state.alarm == earliest_of(state)
}

pub(super) fn nothing_waits_for_a_free_slot(_: &State, state: &State) -> bool {
    let holds_slots = |session: &SessionId| {
        state.tasks.values().filter(|task| task.session == *session).count()
            >= TASKS_PER_SESSION_MAX
    };
    state.tasks.len() >= TASKS_MAX
        || state.requests.values().all(|request| {
            !request.is_waiting()
                || request.authorisation.is_none()
                || holds_slots(&request.session)
        })
}

pub(super) fn alarm_rings_in_time(_: &State, state: &State) -> bool {
    let rings_by = |at: Millis| state.alarm.is_some_and(|alarm| alarm <= at);
    let requests_hold = state.requests.values().all(|request| match request.finished_at {
        Some(at) => rings_by(at.plus(RETENTION)),
        None => request.status != Status::Pending || rings_by(request.expires_at),
    });
    requests_hold
        && state.sessions.values().all(|session| rings_by(session.ends_at()))
        && state.tasks.values().all(|task| task.is_cancelling || rings_by(task.deadline_at))
}

pub(super) fn slots_are_freed_singly(before: &State, after: &State) -> bool {
    let freed = before.tasks.keys().filter(|id| !after.tasks.contains_key(*id)).count();
    let mut taken = after.tasks.keys().filter(|id| !before.tasks.contains_key(*id));
    let keep_going = before.tasks.iter().all(|(id, old)| {
        after.tasks.get(id).is_none_or(|new| {
            new.request == old.request
                && new.session == old.session
                && new.deadline_at == old.deadline_at
                && (new.is_cancelling || !old.is_cancelling)
        })
    });
    freed <= 1
        && keep_going
        && taken.all(|id| *id > before.counters.task && *id <= after.counters.task)
}
