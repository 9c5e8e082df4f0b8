//! What always holds, each with an id that stories and documents quote. The same predicates run after
//! every step of the program, of every story and of the model.

use super::limits::{
    ACTIVITY_MAX, CLIENTS_MAX, PENDING_MAX, PENDING_PER_SESSION_MAX, REQUESTS_MAX, RETENTION,
    SESSIONS_MAX, TASKS_MAX, TASKS_PER_SESSION_MAX,
};
use super::state::{Authorisation, Request, State, Status};
use crate::events::{Audience, Level};
use crate::ids::RequestId;
use crate::time::Millis;
use std::collections::BTreeSet;

/// One invariant.
pub struct Invariant {
    /// Short id, never reused.
    pub id: &'static str,
    /// What holds, in one sentence.
    pub sentence: &'static str,
    /// Whether it holds between a state and the one before it.
    pub holds: fn(before: &State, after: &State) -> bool,
}

/// The catalogue.
pub const CATALOGUE: &[Invariant] = &[
    Invariant {
        id: "C-1",
        sentence: "There are at most 16 connections, and no two have the same token.",
        holds: |_, state| {
            let clients: Vec<_> = state.clients.values().collect();
            clients.len() <= CLIENTS_MAX
                && clients.iter().enumerate().all(|(index, client)| {
                    clients
                        .iter()
                        .skip(index + 1)
                        .all(|other| other.token_hash != client.token_hash)
                })
        },
    },
    Invariant {
        id: "S-1",
        sentence: "A live session belongs to a live connection, which has no other.",
        holds: |_, state| {
            let owners: BTreeSet<_> =
                state.sessions.values().map(|session| &session.client).collect();
            state.sessions.len() == owners.len()
                && owners.into_iter().all(|owner| state.clients.contains_key(owner))
                && state.sessions.len() <= SESSIONS_MAX
        },
    },
    Invariant {
        id: "S-2",
        sentence: "No session lives while the agents' door is closed, nor past its time.",
        holds: |_, state| {
            state.sessions.is_empty()
                || state.server.port.is_some()
                    && state.sessions.values().all(|session| session.ends_at() > state.now)
        },
    },
    Invariant {
        id: "H-1",
        sentence: "An entry of the sharing table is about a source and a connection that exist.",
        holds: |_, state| {
            state.sharing.keys().all(|(source, audience)| {
                state.sources.contains_key(source)
                    && match audience {
                        Audience::AllAgents => true,
                        Audience::Client(client) => state.clients.contains_key(client),
                    }
            })
        },
    },
    Invariant {
        id: "G-1",
        sentence: "A one-time grant covers one waiting request that the person allowed, and no request has two.",
        holds: |_, state| {
            let covered: BTreeSet<_> = state.grants.values().map(|grant| &grant.request).collect();
            let allowed = state.requests.iter().filter(|(_, request)| {
                request.status == Status::Pending
                    && request.authorisation == Some(Authorisation::Once)
            });
            covered.len() == state.grants.len() && allowed.map(|(id, _)| id).eq(covered)
        },
    },
    Invariant {
        id: "G-2",
        sentence: "Nothing starts without a grant used up in that step, or standing access of that moment.",
        holds: |before, after| {
            after.requests.iter().all(|(id, request)| {
                let was_running = before
                    .requests
                    .get(id)
                    .is_some_and(|old| old.order == request.order && old.status == Status::Running);
                let starts = request.status == Status::Running && !was_running;
                !starts || is_authorised(before, after, id, request)
            })
        },
    },
    Invariant {
        id: "R-1",
        sentence: "A request belongs to a live session of its connection.",
        holds: |_, state| {
            state.requests.values().all(|request| {
                let session = state.sessions.get(&request.session);
                session.is_some_and(|session| session.client == request.client)
            })
        },
    },
    Invariant {
        id: "R-2",
        sentence: "A request runs exactly while its task holds a slot and was not told to stop.",
        holds: |_, state| {
            state.requests.iter().all(|(id, request)| {
                let task = request.task.and_then(|task| state.tasks.get(&task));
                match (request.status == Status::Running, task) {
                    (true, Some(task)) => task.request == *id && !task.is_cancelling,
                    (true, None) | (false, Some(_)) => false,
                    (false, None) => request.task.is_none(),
                }
            })
        },
    },
    Invariant {
        id: "R-3",
        sentence: "Exactly the completed requests have a result; exactly the other final ones a problem.",
        holds: |_, state| {
            state.requests.values().all(|request| {
                let is_completed = request.status == Status::Completed;
                request.result.is_some() == is_completed
                    && request.problem.is_some() == (request.status.is_final() && !is_completed)
                    && request.finished_at.is_some() == request.status.is_final()
            })
        },
    },
    Invariant {
        id: "R-4",
        sentence: "A final status stays, except that a completed request may be revoked.",
        holds: |before, after| {
            before.requests.iter().all(|(id, old)| {
                let Some(new) = after.requests.get(id) else { return true };
                // Another request under the same identifier has its own life.
                old.order != new.order
                    || !old.status.is_final()
                    || old.status == new.status
                    || old.status == Status::Completed && new.status == Status::Revoked
            })
        },
    },
    Invariant {
        id: "R-5",
        sentence: "At most 4 requests wait per session, 32 in all, and 64 are kept.",
        holds: |_, state| {
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
        },
    },
    Invariant {
        id: "R-6",
        sentence: "A request that waits, runs or has a result is still covered by what it stands on.",
        holds: |_, state| {
            state.requests.values().all(|request| match request.status {
                Status::Pending | Status::Running | Status::Completed => state.covers(request),
                Status::Failed
                | Status::Denied
                | Status::Cancelled
                | Status::Expired
                | Status::Revoked
                | Status::ResultExpired => true,
            })
        },
    },
    Invariant {
        id: "K-1",
        sentence: "A key of a live session never goes away or changes, and each request has its key.",
        holds: |before, after| {
            let lives_on = |id| {
                let (old, new) = (before.sessions.get(id), after.sessions.get(id));
                old.zip(new).is_some_and(|(old, new)| old.began_at == new.began_at)
            };
            let kept = before.keys.iter().all(|((session, key), reservation)| {
                !lives_on(session)
                    || after.keys.get(&(session.clone(), key.clone())) == Some(reservation)
            });
            let reserved: BTreeSet<_> = after.keys.values().map(|entry| &entry.request).collect();
            kept && after.requests.keys().all(|id| reserved.contains(id))
        },
    },
    Invariant {
        id: "T-1",
        sentence: "At most 4 tasks hold a slot, 1 per session, cancelled ones included.",
        holds: |_, state| {
            let holders: BTreeSet<_> = state.tasks.values().map(|task| &task.session).collect();
            state.tasks.len() <= TASKS_MAX
                && state.tasks.len() <= holders.len().saturating_mul(TASKS_PER_SESSION_MAX)
        },
    },
    Invariant {
        id: "T-2",
        sentence: "Whatever has a deadline has an alarm no later than it.",
        holds: |_, state| {
            let rings_by = |at: Millis| state.alarm.is_some_and(|alarm| alarm <= at);
            let requests_hold = state.requests.values().all(|request| match request.finished_at {
                Some(at) => rings_by(at.plus(RETENTION)),
                None => request.status != Status::Pending || rings_by(request.expires_at),
            });
            requests_hold
                && state.sessions.values().all(|session| rings_by(session.ends_at()))
                && state.tasks.values().all(|task| task.is_cancelling || rings_by(task.deadline_at))
        },
    },
    Invariant {
        id: "A-1",
        sentence: "The activity list keeps at most 100 entries.",
        holds: |_, state| state.activity.len() <= ACTIVITY_MAX,
    },
];

fn is_authorised(before: &State, after: &State, id: &RequestId, request: &Request) -> bool {
    let has_grant = |state: &State| state.grants.values().any(|grant| grant.request == *id);
    match request.authorisation {
        Some(Authorisation::Once) => {
            let was_given_now = after.counters.grant > before.counters.grant;
            (has_grant(before) || was_given_now) && !has_grant(after)
        }
        Some(Authorisation::SharedAccess) => {
            after.level_of(&request.client, &request.source) >= Some(Level::Read)
        }
        None => false,
    }
}

/// The ids of the invariants that do not hold. Empty is the only good answer.
#[must_use]
pub fn broken(before: &State, after: &State) -> Vec<&'static str> {
    CATALOGUE
        .iter()
        .filter(|invariant| !(invariant.holds)(before, after))
        .map(|invariant| invariant.id)
        .collect()
}
