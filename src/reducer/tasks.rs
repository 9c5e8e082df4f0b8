//! Tasks: work outside that holds a slot. Status and slot are separate: cancelling changes the
//! request at once, the slot is freed only by the report of the end (contract, "Approval and
//! execution": the concurrency limit belongs to the task).
//!
//! Work that may write goes in two steps: it starts, gets everything ready, and asks before it sends. The go-ahead
//! is given in one step with the check that the request is still covered, so it is always known
//! whether a statement can have taken effect.

use super::access::Asked;
use super::activity;
use super::limits::{CONNECTION_SETUP, OPERATION, TASKS_MAX, TASKS_PER_SESSION_MAX};
use super::state::{Authorisation, EntryKind, GrantScope, Problem, Request, Status, Task};
use super::{Answer, Effect, MayStart, Next, Place, Refusal, Work, grants, requests};
use crate::events::{Operation, ResultBody, Target, TaskEvent, TaskOutcome, WithheldText};
use crate::ids::{RequestId, TaskId};
use crate::reason::{DatabaseReason, Reason};
use crate::value::{Engine, ObjectIdentity, ReadLock, TableName};
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &TaskEvent) -> Result<Answer, Refusal> {
    match event {
        TaskEvent::ReadyToSend { task } => ready_to_send(next, *task),
        TaskEvent::Finished { task, outcome } => finished(next, *task, outcome),
    }
}

/// The last check before a statement that may write leaves. It is given once per task.
fn ready_to_send(next: &mut Next, id: TaskId) -> Result<Answer, Refusal> {
    let task = next.state.tasks.get(&id).cloned().ok_or(Refusal::LateAnswer)?;
    if !task.may_write || task.is_sent || task.is_cancelling {
        return Err(Refusal::LateAnswer);
    }
    let request = next.state.requests.get(&task.request).cloned();
    if request.is_some_and(|request| request.task == Some(id) && next.state.covers(&request)) {
        next.change_task(id, |task| task.is_sent = true);
        next.effects.push(Effect::SendStatement { task: id });
    } else {
        requests::close(next, &task.request, Status::Revoked);
    }
    Ok(Answer::Done)
}

fn finished(next: &mut Next, id: TaskId, outcome: &TaskOutcome) -> Result<Answer, Refusal> {
    let task = next.remove_task(id).ok_or(Refusal::LateAnswer)?;
    let request = next.state.requests.get(&task.request).cloned();
    let current =
        request.filter(|request| request.status == Status::Running && request.task == Some(id));
    let Some(request) = current else {
        note_late_end(next, &task, outcome);
        return Ok(Answer::Done);
    };
    let id = &task.request;
    let is_unknown = task.may_write && task.is_sent;
    match outcome {
        TaskOutcome::Completed { body, identities } => {
            if task.may_write && !task.is_sent {
                // It ran without the go-ahead. Whatever it did, it is not what was allowed.
                requests::finish_unknown(next, id, None);
            } else {
                complete(next, id, &request, body, identities);
            }
        }
        TaskOutcome::Failed { reason, cause } => fail(next, id, *reason, cause.clone()),
        TaskOutcome::OutcomeUnknown { cause } if task.may_write => {
            requests::finish_unknown(next, id, cause.clone());
        }
        TaskOutcome::OutcomeUnknown { cause } => {
            fail(next, id, Reason::Database(DatabaseReason::ExecutionFailed), cause.clone());
        }
        TaskOutcome::Cancelled | TaskOutcome::DeadlineExceeded | TaskOutcome::IdentityChanged
            if is_unknown =>
        {
            requests::finish_unknown(next, id, None);
        }
        TaskOutcome::Cancelled => requests::close(next, id, Status::Cancelled),
        TaskOutcome::DeadlineExceeded => overrun(next, id),
        TaskOutcome::IdentityChanged => {
            grants::end_of_request(next, &request);
            requests::close(next, id, Status::Revoked);
        }
    }
    Ok(Answer::Done)
}

/// The person should know how a statement ended that may have written and whose request was over before, also if
/// it was never told to send and did. The agent's status stays as it is.
fn note_late_end(next: &mut Next, task: &Task, outcome: &TaskOutcome) {
    let claims_effect =
        matches!(outcome, TaskOutcome::Completed { .. } | TaskOutcome::OutcomeUnknown { .. });
    if !(task.may_write && (task.is_sent || claims_effect)) {
        return;
    }
    let (word, cause) = match outcome {
        TaskOutcome::Completed { .. } => ("the database says that it took effect", None),
        TaskOutcome::Failed { cause, .. } => {
            ("the database says that it did not take effect", cause.clone())
        }
        TaskOutcome::IdentityChanged | TaskOutcome::Cancelled | TaskOutcome::DeadlineExceeded => {
            ("it was stopped; it may have taken effect", None)
        }
        TaskOutcome::OutcomeUnknown { cause } => {
            ("its end was not seen; it may have taken effect", cause.clone())
        }
    };
    let about = activity::About {
        session: Some(&task.session),
        request: Some(&task.request),
        detail: Some(Arc::from(word)),
        cause,
        ..activity::About::default()
    };
    activity::note(next, EntryKind::StatementEnded, about);
}

/// Checks again that the request is still covered before its result may be handed over, and that the table is
/// the one that was granted.
fn complete(
    next: &mut Next,
    id: &RequestId,
    request: &Request,
    body: &ResultBody,
    identities: &[(TableName, ObjectIdentity)],
) {
    if next.state.covers(request) && grants::recognise(next, request, identities) {
        requests::finish(next, id, Status::Completed, Some(body.clone()), None);
        let lock = lock_word(next, request, body);
        activity::note_request_with(next, EntryKind::RequestCompleted, id, |about| {
            about.detail = lock.map(Arc::from);
        });
    } else if next.state.requests.get(id).is_some_and(|request| !request.status.is_final()) {
        // The end of its grant may have ended the request already.
        requests::withhold(next, id);
    }
}

/// How the tables of a read were held, where there is a choice.
fn lock_word(next: &Next, request: &Request, body: &ResultBody) -> Option<&'static str> {
    let source = request.target.source().and_then(|source| next.state.sources.get(source))?;
    let has_choice = match source.location.engine() {
        Engine::Postgres => !request.operation.may_write(),
        Engine::Sqlite | Engine::Mysql | Engine::Mariadb => false,
    };
    match body.lock().filter(|_| has_choice)? {
        ReadLock::Full => Some("its tables were held by the full read lock"),
        ReadLock::Weak => {
            Some("its tables were held by the weaker read lock and proven before and after")
        }
    }
}

fn fail(next: &mut Next, id: &RequestId, reason: Reason, cause: Option<WithheldText>) {
    requests::finish(next, id, Status::Failed, None, Some(Problem::Failed(reason)));
    activity::note_request_with(next, EntryKind::RequestFailed, id, |about| {
        about.detail = Some(Arc::from(reason.message()));
        about.cause = cause;
    });
}

fn overrun(next: &mut Next, id: &RequestId) {
    requests::finish(next, id, Status::Expired, None, Some(Problem::DeadlineExceeded));
    activity::note_request_with(next, EntryKind::RequestExpired, id, |about| {
        about.detail = Some(Arc::from("the operation took longer than 30 seconds"));
    });
}

/// Tells a task to stop, once.
pub(super) fn cancel(next: &mut Next, id: TaskId) {
    if next.state.tasks.get(&id).is_some_and(|task| !task.is_cancelling) {
        next.change_task(id, |task| task.is_cancelling = true);
        next.effects.push(Effect::CancelTask { task: id });
    }
}

/// Tells tasks to stop whose time is over.
pub(super) fn stop_overdue(next: &mut Next) {
    let now = next.now;
    let overdue: Vec<(TaskId, Task)> = next
        .state
        .tasks
        .iter()
        .filter(|(_, task)| !task.is_cancelling && task.deadline_at <= now)
        .map(|(id, task)| (*id, task.clone()))
        .collect();
    for (id, task) in overdue {
        cancel(next, id);
        if task.may_write && task.is_sent {
            requests::finish_unknown(next, &task.request, None);
        } else {
            overrun(next, &task.request);
        }
    }
}

/// Starts waiting requests that have their authorisation, in their order, while slots are free.
pub(super) fn start_ready(next: &mut Next) {
    let may_start = std::mem::replace(&mut next.may_start, MayStart::Nothing);
    if next.state.tasks.len() >= TASKS_MAX {
        return;
    }
    match may_start {
        MayStart::Nothing => {}
        MayStart::One(id) => {
            let request = next.state.requests.get(&id);
            if request.is_some_and(|request| is_ready(request)) {
                start(next, &id);
            }
        }
        MayStart::Any => start_any(next),
    }
}

fn is_ready(request: &Request) -> bool {
    request.status == Status::Pending && request.authorisation.is_some()
}

fn start_any(next: &mut Next) {
    let ready = next.state.requests.iter().filter(|(_, request)| is_ready(request));
    let mut ready: Vec<(u64, RequestId)> =
        ready.map(|(id, request)| (request.order, id.clone())).collect();
    ready.sort_unstable();
    for (_, id) in ready {
        if next.state.tasks.len() >= TASKS_MAX {
            return;
        }
        start(next, &id);
    }
}

fn start(next: &mut Next, id: &RequestId) {
    let Some(request) = next.state.requests.get(id).cloned() else { return };
    let own = next.state.tasks.values().filter(|task| task.session == request.session).count();
    if own >= TASKS_PER_SESSION_MAX {
        return;
    }
    let is_granted = match request.authorisation {
        Some(Authorisation::Once) => grants::consume(next, id),
        Some(Authorisation::SessionGrant | Authorisation::SharedAccess) => true,
        None => false,
    };
    let task = next.state.counters.task.next();
    let (true, true, Some(effect)) =
        (is_granted, next.state.covers(&request), effect_of(next, task, id, &request))
    else {
        requests::close(next, id, Status::Revoked);
        return;
    };
    next.state.counters.task = task;
    let holder = Task {
        request: id.clone(),
        session: request.session.clone(),
        deadline_at: next.now.plus(OPERATION),
        may_write: request.operation.may_write(),
        is_sent: false,
        is_cancelling: false,
    };
    next.change_request(id, |request| {
        request.status = Status::Running;
        request.task = Some(task);
    });
    next.insert_task(task, holder);
    next.effects.push(effect);
    activity::note_request(next, EntryKind::RequestStarted, id);
}

fn effect_of(next: &Next, task: TaskId, id: &RequestId, request: &Request) -> Option<Effect> {
    let work = match (&request.operation, request.sql()) {
        (Operation::ListTables, _) => Work::ListTables,
        (Operation::DescribeTable { table }, _) => Work::DescribeTable { table: table.clone() },
        (Operation::ReadTable { read } | Operation::QuerySql { read }, _) => {
            Work::Read { read: read.clone() }
        }
        (Operation::RequestSql { write: Some(write), .. }, _) if request.is_table_write => {
            Work::TableWrite { write: write.clone() }
        }
        (Operation::RequestSql { .. }, sql) => Work::FullSql { sql: sql?.clone() },
        (Operation::ReadOpenFile { excerpt }, _) => {
            let excerpt = excerpt.clone();
            return Some(Effect::ReadDocument { task, request: id.clone(), excerpt });
        }
        (Operation::Refused { .. }, _) => return None,
    };
    let Target::Source { source: asked, .. } = &request.target else { return None };
    let source = next.state.sources.get(asked)?;
    let pinned = (!next.state.is_covered_without_table_grant(request))
        .then(|| next.state.table_grant(Asked::from(request)))
        .flatten()
        .and_then(|granted| match granted {
            GrantScope::Table { table, identity, .. } => Some((table.clone(), (*identity)?)),
            GrantScope::Once { .. }
            | GrantScope::Source { .. }
            | GrantScope::FullSql { .. }
            | GrantScope::Document { .. } => None,
        });
    Some(Effect::RunTask {
        task,
        request: id.clone(),
        place: Place::of(asked, source),
        work,
        pinned,
        setup: CONNECTION_SETUP,
        deadline: OPERATION,
    })
}
