//! Requests (contract, "Approval and execution"). `state::Status::leads_to` is the graph.
//!
//! ```text
//! pending → running → completed → revoked / completed_result_revoked / result_expired
//!    |         |----> failed / cancelled / expired / revoked / outcome_unknown
//!    |--------> denied / cancelled / expired / revoked
//! ```
//!
//! A final status changes only by what is written there. A statement that may write and was sent never
//! becomes `cancelled`, `expired` or `revoked`: that would suggest that nothing took effect.

use super::access::Asked;
use super::activity::{self, About};
use super::limits::{
    DECISION, KEYS_PER_SESSION_MAX, PENDING_MAX, PENDING_PER_SESSION_MAX, REQUESTS_MAX, RETENTION,
    SESSIONS_MAX,
};
use super::state::{
    Authorisation, EntryKind, GrantScope, Problem, Request, Reservation, Status, Tombstone,
};
use super::{Answer, Effect, Next, Place, Refusal, grants, sessions, tasks};
use crate::events::{
    Operation, RefusedText, RequestEvent, ResultBody, Scope, Submission, Target, WriteEstimate,
};
use crate::ids::{ClientId, RequestId, SessionId};
use crate::reason::Reason;
use crate::secret::TokenHash;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &RequestEvent) -> Result<Answer, Refusal> {
    match event {
        RequestEvent::Submitted(submission) => submit(next, submission),
        RequestEvent::Allowed { request, scope } => allow(next, request, *scope),
        RequestEvent::Denied { request, note } => deny(next, request, note.clone()),
        RequestEvent::Cancelled { client, token_hash, request } => {
            cancel(next, client, token_hash, request)
        }
        RequestEvent::Estimated { request, estimate } => estimated(next, request, estimate),
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
    check_target(next, submission)?;
    if let Operation::Refused { text } = &submission.operation {
        return Err(refuse_text(next, &session, submission, text));
    }
    check_limits(next, &session, submission)?;
    make_room(next, &session);
    insert(next, &session, submission);
    Ok(Answer::Request { request: submission.request.clone(), is_new: true })
}

/// What the key alone decides: the same intent again, or a conflict (contract, "Idempotency").
fn answer_of_key(
    next: &Next,
    session: &SessionId,
    submission: &Submission,
) -> Option<Result<Answer, Refusal>> {
    let reserved = next.state.sessions.get(session)?.keys.get(&submission.key)?;
    Some(if reserved.digest == submission.digest {
        Ok(Answer::Request { request: reserved.request.clone(), is_new: false })
    } else {
        Err(Refusal::RequestConflict)
    })
}

/// Whether the target is visible and still what the agent asked about, and takes such work at all.
fn check_target(next: &Next, submission: &Submission) -> Result<(), Refusal> {
    let state = &next.state;
    let operation = &submission.operation;
    match &submission.target {
        Target::Source { source, generation } => {
            let known = state
                .level_of(&submission.client, source)
                .and_then(|_| state.sources.get(source))
                .filter(|known| known.generation == *generation)
                .ok_or(Refusal::ResourceUnavailable)?;
            if matches!(operation, Operation::ReadOpenFile { .. }) {
                Err(Refusal::ResourceUnavailable)
            } else if operation.may_write() && known.is_read_only {
                Err(Refusal::SourceReadOnly)
            } else {
                Ok(())
            }
        }
        Target::Document { file, version } => {
            let known = state
                .document_of(&submission.client, file)
                .filter(|_| matches!(operation, Operation::ReadOpenFile { .. }))
                .ok_or(Refusal::ResourceUnavailable)?;
            if known.version == *version { Ok(()) } else { Err(Refusal::VersionChanged) }
        }
    }
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
        source: submission.target.source(),
        operation: Some(&submission.operation),
        sql: submission.operation.sql(),
        detail: Some(Arc::from(text.reason.message())),
        ..About::default()
    };
    activity::note(next, EntryKind::StatementRefused, about);
    Refusal::Unsupported(Reason::Sql(text.reason))
}

fn check_limits(next: &Next, session: &SessionId, submission: &Submission) -> Result<(), Refusal> {
    let state = &next.state;
    let own_session = state.sessions.get(session).ok_or(Refusal::SessionExpired)?;
    // What is left of the requests of others stands apart from what this one can reach.
    let is_taken = state.requests.contains_key(&submission.request)
        || own_session.tombstones.contains_key(&submission.request);
    let pending = state.requests.values().filter(|request| request.status == Status::Pending);
    let (all, own) = pending.fold((0_usize, 0_usize), |(all, own), request| {
        (all + 1, own + usize::from(request.session == *session))
    });
    if is_taken {
        Err(Refusal::IdentifierInUse)
    } else if own_session.keys.len() >= KEYS_PER_SESSION_MAX {
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
        bury(next, &id);
    }
}

fn least_needed(next: &Next, session: &SessionId) -> Option<RequestId> {
    let finished = || next.state.requests.iter().filter(|(_, request)| request.status.is_final());
    let without_result = finished().filter(|(_, request)| request.result.is_none());
    let oldest = without_result.min_by_key(|(_, request)| request.order);
    let gives_way = oldest.or_else(|| {
        let greediest = greediest(finished().map(|(_, request)| &request.session), session);
        let results = finished().filter(|(_, request)| greediest.contains(&&request.session));
        results.min_by_key(|(_, request)| request.order)
    });
    gives_way.map(|(id, _)| id.clone())
}

/// The sessions that keep the most results; only the one that asks, if it is among them.
fn greediest<'a>(
    owners: impl Iterator<Item = &'a SessionId>,
    asking: &SessionId,
) -> Vec<&'a SessionId> {
    // There are few sessions: a list is searched faster than a map is made.
    let mut kept: Vec<(&SessionId, usize)> = Vec::with_capacity(SESSIONS_MAX);
    for owner in owners {
        match kept.iter_mut().find(|(session, _)| *session == owner) {
            Some((_, count)) => *count += 1,
            None => kept.push((owner, 1)),
        }
    }
    let most = kept.iter().map(|(_, count)| *count).max();
    let greediest = kept.into_iter().filter(|(_, count)| Some(*count) == most);
    let greediest: Vec<_> = greediest.map(|(owner, _)| owner).collect();
    match greediest.iter().find(|owner| **owner == asking) {
        Some(own) => vec![*own],
        None => greediest,
    }
}

fn insert(next: &mut Next, session: &SessionId, submission: &Submission) {
    next.state.counters.request = next.state.counters.request.saturating_add(1);
    let is_table_write = next.state.allows_table_write(
        &submission.client,
        &submission.target,
        &submission.operation,
    );
    let authorisation = next.state.standing(Asked {
        client: &submission.client,
        session,
        target: &submission.target,
        operation: &submission.operation,
        is_table_write,
    });
    let request = Request {
        order: next.state.counters.request,
        client: submission.client.clone(),
        session: session.clone(),
        target: submission.target.clone(),
        operation: submission.operation.clone(),
        is_table_write,
        status: Status::Pending,
        authorisation,
        submitted_at: next.now,
        expires_at: next.now.plus(DECISION),
        task: None,
        finished_at: None,
        result: None,
        problem: None,
        estimate: None,
    };
    let id = submission.request.clone();
    ask_for_estimate(next, &id, &request);
    if request.authorisation.is_some() {
        next.may_start(id.clone());
    }
    next.insert_request(id.clone(), request);
    let reservation = Reservation { request: id.clone(), digest: submission.digest };
    next.change_session(session, |session| {
        session.keys.insert(submission.key.clone(), reservation);
    });
    activity::note_request(next, EntryKind::RequestSubmitted, &id);
}

/// Asks the database what it expects of a write that the person will be asked about. The prompt does not wait
/// for it, and it may never come.
fn ask_for_estimate(next: &mut Next, id: &RequestId, request: &Request) {
    if let (Some(write), Target::Source { source, .. }) =
        (request.undecided_write(), &request.target)
        && let Some(known) = next.state.sources.get(source)
    {
        let place = Place::of(source, known);
        let (request, write) = (id.clone(), write.clone());
        next.effects.push(Effect::Estimate { request, place, write });
    }
}

/// Takes in what the database expects, once, while the person still has to decide.
fn estimated(next: &mut Next, id: &RequestId, estimate: &WriteEstimate) -> Result<Answer, Refusal> {
    let request = next.state.requests.get(id).ok_or(Refusal::LateAnswer)?;
    if request.undecided_write().is_none() || request.estimate.is_some() {
        return Err(Refusal::LateAnswer);
    }
    next.change_request(id, |request| request.estimate = Some(estimate.clone()));
    Ok(Answer::Done)
}

/// The person's yes: to this request alone, or with a grant for what else the scope covers. It decides about
/// no other request that waits.
fn allow(next: &mut Next, id: &RequestId, scope: Scope) -> Result<Answer, Refusal> {
    let request = next.state.requests.get(id).cloned().ok_or(Refusal::Unknown)?;
    if request.status != Status::Pending {
        return Err(Refusal::NotPending);
    }
    if request.authorisation.is_some() {
        return Err(Refusal::AlreadyAllowed);
    }
    let granted = grants::scope_of(id, &request, scope).ok_or(Refusal::ScopeDoesNotFit)?;
    let authorisation = match granted {
        GrantScope::Once { .. } => Authorisation::Once,
        GrantScope::Table { .. }
        | GrantScope::Source { .. }
        | GrantScope::FullSql { .. }
        | GrantScope::Document { .. } => Authorisation::SessionGrant,
    };
    grants::give(next, &request.session, granted)?;
    next.change_request(id, |request| {
        request.authorisation = Some(authorisation);
        request.estimate = None;
    });
    next.may_start(id.clone());
    activity::note_request_with(next, EntryKind::RequestAllowed, id, |about| {
        about.scope = Some(scope);
    });
    Ok(Answer::Done)
}

/// Also takes back an allowance that has not started yet: the person may change their mind.
fn deny(next: &mut Next, id: &RequestId, note: Option<Arc<str>>) -> Result<Answer, Refusal> {
    let request = next.state.requests.get(id).ok_or(Refusal::Unknown)?;
    if request.status != Status::Pending {
        return Err(Refusal::NotPending);
    }
    grants::drop_once(next, id);
    let detail = note.clone();
    finish(next, id, Status::Denied, None, Some(Problem::Denied { note }));
    activity::note_request_with(next, EntryKind::RequestDenied, id, |about| {
        about.detail = detail;
    });
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
    let is_kept = next.state.requests.get(id).is_some_and(|request| request.session == session);
    let is_buried = next
        .state
        .sessions
        .get(&session)
        .is_some_and(|session| session.tombstones.contains_key(id));
    if is_kept {
        close(next, id, Status::Cancelled);
    } else if !is_buried {
        return Err(Refusal::ResourceUnavailable);
    }
    // Taking back what is already over changes nothing and is no error: the agent wanted it over.
    Ok(Answer::Request { request: id.clone(), is_new: false })
}

/// Ends a request that is not final. Its result will never be handed over; its task is told to
/// stop and keeps its slot until it has. A statement that may write and was sent ends as
/// `outcome_unknown`, whatever the reason.
pub(super) fn close(next: &mut Next, id: &RequestId, status: Status) {
    let Some(request) = next.state.requests.get(id) else { return };
    if request.status.is_final() {
        return;
    }
    let task = request.task;
    let may_have_taken_effect = task
        .and_then(|task| next.state.tasks.get(&task))
        .is_some_and(|task| task.may_write && task.is_sent);
    grants::drop_once(next, id);
    if let Some(task) = task {
        tasks::cancel(next, task);
    }
    if may_have_taken_effect {
        finish_unknown(next, id, None);
        return;
    }
    let (kind, problem) = match status {
        Status::Expired => (EntryKind::RequestExpired, Problem::DecisionExpired),
        Status::Revoked => (EntryKind::RequestRevoked, Problem::Revoked),
        Status::Pending
        | Status::Running
        | Status::Completed
        | Status::Failed
        | Status::Denied
        | Status::Cancelled
        | Status::OutcomeUnknown
        | Status::CompletedResultRevoked
        | Status::ResultExpired => (EntryKind::RequestCancelled, Problem::Cancelled),
    };
    finish(next, id, status, None, Some(problem));
    activity::note_request(next, kind, id);
}

/// Ends a request whose statement was sent and may have taken effect.
pub(super) fn finish_unknown(
    next: &mut Next,
    id: &RequestId,
    cause: Option<crate::events::WithheldText>,
) {
    finish(next, id, Status::OutcomeUnknown, None, Some(Problem::OutcomeUnknown));
    activity::note_request_with(next, EntryKind::RequestOutcomeUnknown, id, |about| {
        about.cause = cause;
    });
}

/// Takes the result of a completed request away, or of one that completes just now. What took effect stays
/// said.
pub(super) fn withhold(next: &mut Next, id: &RequestId) {
    let Some(request) = next.state.requests.get(id) else { return };
    if request.status.is_final() && request.status != Status::Completed {
        return;
    }
    let (status, problem) = if request.operation.may_write() {
        (Status::CompletedResultRevoked, Problem::ResultRevoked)
    } else {
        (Status::Revoked, Problem::Revoked)
    };
    finish(next, id, status, None, Some(problem));
    activity::note_request(next, EntryKind::RequestRevoked, id);
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
            withhold(next, &id);
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
    result: Option<ResultBody>,
    problem: Option<Problem>,
) {
    let now = next.now;
    next.change_request(id, |request| {
        request.status = status;
        request.task = None;
        request.finished_at = Some(now);
        request.result = result;
        request.problem = problem;
        request.estimate = None;
    });
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
    for id in &kept_long_enough {
        bury(next, id);
    }
}

fn bury(next: &mut Next, id: &RequestId) {
    let Some(request) = next.remove_request(id) else { return };
    let status = match request.status {
        Status::Completed => Status::ResultExpired,
        status @ (Status::Pending
        | Status::Running
        | Status::Failed
        | Status::Denied
        | Status::Cancelled
        | Status::Expired
        | Status::Revoked
        | Status::OutcomeUnknown
        | Status::CompletedResultRevoked
        | Status::ResultExpired) => status,
    };
    let tombstone = Tombstone { status, problem: request.problem.clone() };
    next.change_session(&request.session, |session| {
        session.tombstones.insert(id.clone(), tombstone);
    });
}
