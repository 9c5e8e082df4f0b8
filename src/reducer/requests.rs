//! Requests (contract, "Approval and execution").
//!
//! ```text
//! pending → running → completed
//!    |         |----> failed / cancelled / expired / revoked
//!    |--------> denied / cancelled / expired / revoked
//! ```
//!
//! A final status changes only when its time is over: the request becomes a tombstone. A completed
//! one may still be revoked before that; its result is then gone.

use super::activity::{self, About};
use super::limits::{
    DECISION, KEYS_PER_SESSION_MAX, PENDING_MAX, PENDING_PER_SESSION_MAX, REQUESTS_MAX, RETENTION,
};
use super::state::{Authorisation, Problem, Request, Reservation, Source, Status, Tombstone};
use super::{Answer, Next, Refusal, grants, sessions, tasks};
use crate::events::{Level, Operation, RefusedText, RequestEvent, Submission};
use crate::ids::{ClientId, RequestId, SessionId};
use crate::reason::Reason;
use crate::secret::TokenHash;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &RequestEvent) -> Result<Answer, Refusal> {
    match event {
        RequestEvent::Submitted(submission) => submit(next, submission),
        RequestEvent::AllowedOnce { request } => allow_once(next, request),
        RequestEvent::Denied { request, note } => deny(next, request, note.clone()),
        RequestEvent::Cancelled { client, token_hash, request } => {
            cancel(next, client, token_hash, request)
        }
    }
}

/// The order of the checks is part of the rules: who, then the key, then what is visible, then the
/// text, then the limits. A caller learns nothing about what it cannot see.
fn submit(next: &mut Next, submission: &Submission) -> Result<Answer, Refusal> {
    let (session, _) =
        next.state.session_of(&submission.client, &submission.token_hash, next.now)?;
    let session = session.clone();
    sessions::touch(next, &submission.client, &session)?;
    if let Some(answer) = answer_of_key(next, &session, submission) {
        return answer;
    }
    let level = next.state.level_of(&submission.client, &submission.source);
    let source = next.state.sources.get(&submission.source).cloned();
    let (Some(level), Some(source)) = (level, source) else {
        return Err(Refusal::ResourceUnavailable);
    };
    if submission.source_generation != Some(source.generation) {
        return Err(Refusal::ResourceUnavailable);
    }
    if let Operation::Refused { text } = &submission.operation {
        return Err(refuse_text(next, &session, submission, text));
    }
    check_limits(next, &session, submission)?;
    make_room(next, &session);
    insert(next, &session, submission, level, &source);
    Ok(Answer::Request { request: submission.request.clone(), is_new: true })
}

/// What the key alone decides: the same intent again, or a conflict (contract, "Idempotency").
fn answer_of_key(
    next: &Next,
    session: &SessionId,
    submission: &Submission,
) -> Option<Result<Answer, Refusal>> {
    let reserved = next.state.keys.get(&(session.clone(), submission.key.clone()))?;
    Some(if reserved.digest == submission.digest {
        Ok(Answer::Request { request: reserved.request.clone(), is_new: false })
    } else {
        Err(Refusal::RequestConflict)
    })
}

fn refuse_text(
    next: &mut Next,
    session: &SessionId,
    submission: &Submission,
    text: &RefusedText,
) -> Refusal {
    let about = About {
        client: Some(&submission.client),
        session: Some(session),
        source: Some(&submission.source),
        operation: Some(&submission.operation),
        detail: Some(Arc::from(text.reason.message())),
        ..About::default()
    };
    activity::note(next, "statement_refused", about);
    Refusal::Unsupported(Reason::Sql(text.reason))
}

fn check_limits(next: &Next, session: &SessionId, submission: &Submission) -> Result<(), Refusal> {
    let state = &next.state;
    let is_taken = state.requests.contains_key(&submission.request)
        || state.tombstones.contains_key(&submission.request);
    let keys_used = state.sessions.get(session).map_or(usize::MAX, |session| session.keys_used);
    let pending = state.requests.values().filter(|request| request.status == Status::Pending);
    let (all, own) = pending.fold((0_usize, 0_usize), |(all, own), request| {
        (all + 1, own + usize::from(request.session == *session))
    });
    if is_taken {
        Err(Refusal::IdentifierInUse)
    } else if keys_used >= KEYS_PER_SESSION_MAX {
        Err(Refusal::KeyLimit)
    } else if own >= PENDING_PER_SESSION_MAX {
        Err(Refusal::SessionPendingLimit)
    } else if all >= PENDING_MAX {
        Err(Refusal::PendingLimit)
    } else {
        Ok(())
    }
}

/// Keeps the stored requests within their limit. Finished ones are kept *up to* five minutes
/// (contract, "Limits"), so the limit takes from those: first the oldest that have no result, whose
/// tombstone says as much; then the oldest result of the session that keeps the most, its own if it is
/// the one. So no agent can shut others out by asking a lot, and none loses results to a greedier one.
fn make_room(next: &mut Next, session: &SessionId) {
    while next.state.requests.len() >= REQUESTS_MAX {
        let Some(id) = least_needed(next, session) else { return };
        bury(next, id);
    }
}

fn least_needed(next: &Next, session: &SessionId) -> Option<RequestId> {
    let requests = &next.state.requests;
    let finished = requests.iter().filter(|(_, request)| request.status.is_final());
    let kept = |owner: &SessionId| {
        let own = requests.values().filter(|request| request.session == *owner);
        own.filter(|request| request.result.is_some()).count()
    };
    finished
        .min_by_key(|(_, request)| {
            let has_result = request.result.is_some();
            let share = if has_result { kept(&request.session) } else { 0 };
            let is_others = has_result && request.session != *session;
            (has_result, std::cmp::Reverse(share), is_others, request.order)
        })
        .map(|(id, _)| id.clone())
}

fn insert(
    next: &mut Next,
    session: &SessionId,
    submission: &Submission,
    level: Level,
    source: &Source,
) {
    next.state.counters.request = next.state.counters.request.saturating_add(1);
    let authorisation = match level {
        Level::Ask => None,
        Level::Read => Some(Authorisation::SharedAccess),
    };
    let request = Request {
        order: next.state.counters.request,
        client: submission.client.clone(),
        session: session.clone(),
        source: submission.source.clone(),
        source_generation: source.generation,
        operation: submission.operation.clone(),
        status: Status::Pending,
        authorisation,
        submitted_at: next.now,
        expires_at: next.now.plus(DECISION),
        task: None,
        finished_at: None,
        result: None,
        problem: None,
    };
    let id = submission.request.clone();
    next.state.requests.insert(id.clone(), request);
    let reservation = Reservation { request: id.clone(), digest: submission.digest };
    next.state.keys.insert((session.clone(), submission.key.clone()), reservation);
    if let Some(session) = next.state.sessions.get_mut(session) {
        session.keys_used = session.keys_used.saturating_add(1);
    }
    activity::note_request(next, "request_submitted", &id, None);
}

fn allow_once(next: &mut Next, id: &RequestId) -> Result<Answer, Refusal> {
    let request = next.state.requests.get_mut(id).ok_or(Refusal::Unknown)?;
    if request.status != Status::Pending {
        return Err(Refusal::NotPending);
    }
    if request.authorisation.is_some() {
        return Err(Refusal::AlreadyAllowed);
    }
    request.authorisation = Some(Authorisation::Once);
    grants::give_once(next, id);
    activity::note_request(next, "request_allowed", id, None);
    Ok(Answer::Done)
}

/// Also takes back an allowance that has not started yet: the person may change their mind.
fn deny(next: &mut Next, id: &RequestId, note: Option<Arc<str>>) -> Result<Answer, Refusal> {
    let request = next.state.requests.get(id).ok_or(Refusal::Unknown)?;
    if request.status != Status::Pending {
        return Err(Refusal::NotPending);
    }
    grants::drop_of(next, id);
    let detail = note.clone();
    finish(next, id, Status::Denied, None, Some(Problem::Denied { note }));
    activity::note_request(next, "request_denied", id, detail);
    Ok(Answer::Done)
}

fn cancel(
    next: &mut Next,
    client: &ClientId,
    token_hash: &TokenHash,
    id: &RequestId,
) -> Result<Answer, Refusal> {
    let (session, _) = next.state.session_of(client, token_hash, next.now)?;
    let session = session.clone();
    sessions::touch(next, client, &session)?;
    let is_own = |owner: &SessionId| *owner == session;
    let known = next
        .state
        .requests
        .get(id)
        .map(|request| is_own(&request.session))
        .or_else(|| next.state.tombstones.get(id).map(|tombstone| is_own(&tombstone.session)));
    if known != Some(true) {
        return Err(Refusal::ResourceUnavailable);
    }
    // Taking back what is already over changes nothing and is no error: the agent wanted it over.
    close(next, id, Status::Cancelled);
    Ok(Answer::Request { request: id.clone(), is_new: false })
}

/// Ends a request that is not final. Its result will never be handed over; its task is told to
/// stop and keeps its slot until it has.
pub(super) fn close(next: &mut Next, id: &RequestId, status: Status) {
    let Some(request) = next.state.requests.get(id) else { return };
    if request.status.is_final() {
        return;
    }
    let task = request.task;
    grants::drop_of(next, id);
    if let Some(task) = task {
        tasks::cancel(next, task);
    }
    let (event, problem) = match status {
        Status::Expired => ("request_expired", Problem::DecisionExpired),
        Status::Revoked => ("request_revoked", Problem::Revoked),
        Status::Pending
        | Status::Running
        | Status::Completed
        | Status::Failed
        | Status::Denied
        | Status::Cancelled
        | Status::ResultExpired => ("request_cancelled", Problem::Cancelled),
    };
    finish(next, id, status, None, Some(problem));
    activity::note_request(next, event, id, None);
}

/// Ends requests because what they stood on was taken away: open ones, and completed ones whose
/// result must not be handed over any more.
pub(super) fn revoke_where(next: &mut Next, is_hit: impl Fn(&Request) -> bool) {
    let hit: Vec<(RequestId, Status)> = next
        .state
        .requests
        .iter()
        .filter(|(_, request)| is_hit(request))
        .map(|(id, request)| (id.clone(), request.status))
        .collect();
    for (id, status) in hit {
        if status == Status::Completed {
            finish(next, &id, Status::Revoked, None, Some(Problem::Revoked));
            activity::note_request(next, "request_revoked", &id, None);
        } else {
            close(next, &id, Status::Revoked);
        }
    }
}

/// Makes a request final.
pub(super) fn finish(
    next: &mut Next,
    id: &RequestId,
    status: Status,
    result: Option<crate::events::ResultBody>,
    problem: Option<Problem>,
) {
    let now = next.now;
    if let Some(request) = next.state.requests.get_mut(id) {
        request.status = status;
        request.task = None;
        request.finished_at = Some(now);
        request.result = result;
        request.problem = problem;
    }
}

/// Expires what nobody decided, and turns finished requests into tombstones when their time is
/// over. The key stays reserved (contract, "Idempotency and freshness").
pub(super) fn let_time_pass(next: &mut Next) {
    let now = next.now;
    let undecided: Vec<RequestId> = next
        .state
        .requests
        .iter()
        .filter(|(_, request)| request.status == Status::Pending && request.expires_at <= now)
        .map(|(id, _)| id.clone())
        .collect();
    for id in &undecided {
        close(next, id, Status::Expired);
    }
    let kept_long_enough: Vec<RequestId> = next
        .state
        .requests
        .iter()
        .filter(|(_, request)| request.finished_at.is_some_and(|at| at.plus(RETENTION) <= now))
        .map(|(id, _)| id.clone())
        .collect();
    for id in kept_long_enough {
        bury(next, id);
    }
}

fn bury(next: &mut Next, id: RequestId) {
    let Some(request) = next.state.requests.remove(&id) else { return };
    let status = match request.status {
        Status::Completed => Status::ResultExpired,
        status @ (Status::Pending
        | Status::Running
        | Status::Failed
        | Status::Denied
        | Status::Cancelled
        | Status::Expired
        | Status::Revoked
        | Status::ResultExpired) => status,
    };
    let tombstone = Tombstone { session: request.session, status, problem: request.problem };
    next.state.tombstones.insert(id, tombstone);
}
