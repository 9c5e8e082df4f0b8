//! About requests and their keys.

use super::State;
use crate::ids::{RequestId, SessionId};
use crate::reducer::limits::{PENDING_MAX, PENDING_PER_SESSION_MAX, REQUESTS_MAX};
use crate::reducer::state::{Request, Status};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The requests that are in both states. Another request under the same identifier is not the same.
fn lasting<'a>(
    before: &'a State,
    after: &'a State,
) -> impl Iterator<Item = (&'a RequestId, &'a Arc<Request>, &'a Arc<Request>)> {
    before.requests.iter().filter_map(|(id, old)| {
        let new = after.requests.get(id).filter(|new| new.order == old.order)?;
        Some((id, old, new))
    })
}

pub(super) fn belong_to_a_session(_: &State, state: &State) -> bool {
    state.requests.values().all(|request| {
        let session = state.sessions.get(&request.session);
        session.is_some_and(|session| session.client == request.client)
    })
}

pub(super) fn run_while_their_task_does(_: &State, state: &State) -> bool {
    state.requests.iter().all(|(id, request)| {
        let task = request.task.and_then(|task| state.tasks.get(&task));
        match (request.status == Status::Running, task) {
            (true, Some(task)) => {
                task.request == *id
                    && !task.is_cancelling
                    && task.session == request.session
                    && task.may_write == request.operation.may_write()
            }
            (true, None) | (false, Some(_)) => false,
            (false, None) => request.task.is_none(),
        }
    })
}

pub(super) fn have_a_result_or_a_problem(_: &State, state: &State) -> bool {
    state.requests.values().all(|request| {
        let is_completed = request.status == Status::Completed;
        request.result.is_some() == is_completed
            && request.problem.is_some() == (request.status.is_final() && !is_completed)
            && request.finished_at.is_some() == request.status.is_final()
    })
}

pub(super) fn move_along_the_graph(before: &State, after: &State) -> bool {
    let kept = lasting(before, after).all(|(_, old, new)| is_a_way(old, new.status));
    // One event can start and end a request, but nothing begins in the middle of its life.
    let fresh = after.requests.iter().all(|(id, new)| {
        let is_fresh = before.requests.get(id).is_none_or(|old| old.order != new.order);
        !is_fresh || matches!(new.status, Status::Pending | Status::Running | Status::Revoked)
    });
    let buried = before.requests.iter().all(|(id, old)| {
        let session = after.sessions.get(&old.session);
        let session = session.filter(|new| {
            before.sessions.get(&old.session).is_some_and(|old| old.began_at == new.began_at)
        });
        let is_kept = after.requests.contains_key(id);
        session.is_none_or(|session| match session.tombstones.get(id) {
            Some(stone) => stone.status.is_final() && is_a_way(old, stone.status),
            None => is_kept,
        })
    });
    let stone = before.sessions.iter().all(|(id, old)| {
        let new = after.sessions.get(id).filter(|new| new.began_at == old.began_at);
        new.is_none_or(|new| {
            old.tombstones.iter().all(|(id, stone)| new.tombstones.get(id) == Some(stone))
        })
    });
    kept && fresh && buried && stone
}

/// Whether the graph leads there, in one move or in two: one event may let time pass and do its own.
fn is_a_way(old: &Request, new: Status) -> bool {
    let may_write = old.operation.may_write();
    old.status == new
        || old.status.leads_to(new, may_write)
        || Status::ALL.iter().any(|middle| {
            old.status.leads_to(*middle, may_write) && middle.leads_to(new, may_write)
        })
}

pub(super) fn stay_within_their_limits(_: &State, state: &State) -> bool {
    let pending: Vec<_> = state
        .requests
        .values()
        .filter(|request| request.status == Status::Pending)
        .map(|request| &request.session)
        .collect();
    state.requests.len() <= REQUESTS_MAX
        && pending.len() <= PENDING_MAX
        && state.sessions.keys().all(|id| {
            pending.iter().filter(|owner| **owner == id).count() <= PENDING_PER_SESSION_MAX
        })
}

pub(super) fn stay_covered(_: &State, state: &State) -> bool {
    state.requests.values().all(|request| match request.status {
        Status::Pending | Status::Running | Status::Completed => state.covers(request),
        Status::Failed
        | Status::Denied
        | Status::Cancelled
        | Status::Expired
        | Status::Revoked
        | Status::OutcomeUnknown
        | Status::CompletedResultRevoked
        | Status::ResultExpired => true,
    })
}

pub(super) fn are_immutable(before: &State, after: &State) -> bool {
    lasting(before, after).all(|(_, old, new)| {
        let changeable = Request {
            status: new.status,
            authorisation: new.authorisation,
            task: new.task,
            finished_at: new.finished_at,
            result: new.result.clone(),
            problem: new.problem.clone(),
            estimate: new.estimate.clone(),
            ..(**old).clone()
        };
        changeable == **new
            && (old.authorisation.is_none() || old.authorisation == new.authorisation)
    })
}

pub(super) fn keys_stay(before: &State, after: &State) -> bool {
    let kept = before.sessions.iter().all(|(id, old)| {
        let new = after.sessions.get(id).filter(|new| new.began_at == old.began_at);
        new.is_none_or(|new| {
            old.keys.ptr_eq(&new.keys)
                || old.keys.iter().all(|(key, reserved)| new.keys.get(key) == Some(reserved))
        })
    });
    let has_key = |session: &SessionId, id: &RequestId| {
        let session = after.sessions.get(session);
        session.is_some_and(|session| session.keys.values().any(|kept| kept.request == *id))
    };
    kept && after.requests.iter().all(|(id, request)| has_key(&request.session, id))
}

pub(super) fn keys_run_once(before: &State, after: &State) -> bool {
    let one_request_each = after.sessions.values().all(|session| {
        let made: BTreeSet<_> = session.keys.values().map(|kept| &kept.request).collect();
        made.len() == session.keys.len()
    });
    // A request that left `pending` never goes back, so it has one task if no other is for it.
    let one_task_each = after.tasks.iter().all(|(number, task)| {
        let is_new = !before.tasks.contains_key(number);
        let was_pending = before.requests.get(&task.request).is_none_or(|old| {
            old.status == Status::Pending
                || after.requests.get(&task.request).is_none_or(|new| new.order != old.order)
        });
        !is_new || was_pending
    });
    one_request_each && one_task_each
}

pub(super) fn estimates_are_of_undecided_writes(before: &State, after: &State) -> bool {
    let is_undecided = after
        .requests
        .values()
        .all(|request| request.estimate.is_none() || request.undecided_write().is_some());
    let came_once =
        lasting(before, after).all(|(_, old, new)| match (&old.estimate, &new.estimate) {
            (Some(old), Some(new)) => old == new,
            (Some(_), None) => new.undecided_write().is_none(),
            (None, Some(_) | None) => true,
        });
    is_undecided && came_once
}
