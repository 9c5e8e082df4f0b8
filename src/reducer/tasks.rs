//! Tasks: work outside that holds a slot. Status and slot are separate: cancelling changes the
//! request at once, the slot is freed only by the report of the end (contract, "Approval and
//! execution": the concurrency limit belongs to the task).

use super::limits::{OPERATION, TASKS_MAX, TASKS_PER_SESSION_MAX};
use super::state::{Authorisation, Problem, Request, Status, Task};
use super::{Answer, Effect, Next, Refusal, Work, activity, grants, requests};
use crate::events::{Operation, ResultBody, TaskEvent, TaskOutcome};
use crate::ids::{RequestId, TaskId};
use crate::reason::Reason;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &TaskEvent) -> Result<Answer, Refusal> {
    match event {
        TaskEvent::Finished { task, outcome } => finished(next, *task, outcome),
    }
}

fn finished(next: &mut Next, id: TaskId, outcome: &TaskOutcome) -> Result<Answer, Refusal> {
    let task = next.state.tasks.remove(&id).ok_or(Refusal::LateAnswer)?;
    let is_current = next
        .state
        .requests
        .get(&task.request)
        .is_some_and(|request| request.status == Status::Running && request.task == Some(id));
    if is_current {
        match outcome {
            TaskOutcome::Completed(body) => complete(next, &task.request, body),
            TaskOutcome::Failed { reason, cause } => {
                fail(next, &task.request, *reason, cause.clone());
            }
            TaskOutcome::Cancelled => requests::close(next, &task.request, Status::Cancelled),
            TaskOutcome::DeadlineExceeded => overrun(next, &task.request),
        }
    }
    Ok(Answer::Done)
}

/// Checks again that the request is still covered before its result may be handed over.
fn complete(next: &mut Next, id: &RequestId, body: &ResultBody) {
    let is_covered = next.state.requests.get(id).is_some_and(|request| next.state.covers(request));
    if is_covered {
        requests::finish(next, id, Status::Completed, Some(body.clone()), None);
        activity::note_request(next, "request_completed", id, None);
    } else {
        requests::finish(next, id, Status::Revoked, None, Some(Problem::Revoked));
        activity::note_request(next, "request_revoked", id, None);
    }
}

fn fail(next: &mut Next, id: &RequestId, reason: Reason, cause: Option<Arc<str>>) {
    requests::finish(next, id, Status::Failed, None, Some(Problem::Failed(reason)));
    let detail = match cause {
        Some(cause) => Arc::from(format!("{} ({cause})", reason.message())),
        None => Arc::from(reason.message()),
    };
    activity::note_request(next, "request_failed", id, Some(detail));
}

fn overrun(next: &mut Next, id: &RequestId) {
    requests::finish(next, id, Status::Expired, None, Some(Problem::DeadlineExceeded));
    let detail = Arc::from("the operation took longer than 30 seconds");
    activity::note_request(next, "request_expired", id, Some(detail));
}

/// Tells a task to stop, once.
pub(super) fn cancel(next: &mut Next, id: TaskId) {
    if let Some(task) = next.state.tasks.get_mut(&id)
        && !task.is_cancelling
    {
        task.is_cancelling = true;
        next.effects.push(Effect::CancelTask { task: id });
    }
}

/// Tells tasks to stop whose time is over.
pub(super) fn stop_overdue(next: &mut Next) {
    let now = next.now;
    let overdue: Vec<(TaskId, RequestId)> = next
        .state
        .tasks
        .iter()
        .filter(|(_, task)| !task.is_cancelling && task.deadline_at <= now)
        .map(|(id, task)| (*id, task.request.clone()))
        .collect();
    for (task, request) in overdue {
        cancel(next, task);
        overrun(next, &request);
    }
}

/// Starts waiting requests that have their authorisation, in their order, while slots are free.
pub(super) fn start_ready(next: &mut Next) {
    let mut ready: Vec<(u64, RequestId)> = next
        .state
        .requests
        .iter()
        .filter(|(_, request)| request.status == Status::Pending && request.authorisation.is_some())
        .map(|(id, request)| (request.order, id.clone()))
        .collect();
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
        Some(Authorisation::SharedAccess) => true,
        None => false,
    };
    let location = next.state.sources.get(&request.source).map(|source| source.location.clone());
    let work = work_of(&request.operation);
    let (true, true, Some(location), Some(work)) =
        (is_granted, next.state.covers(&request), location, work)
    else {
        requests::close(next, id, Status::Revoked);
        return;
    };
    next.state.counters.task = next.state.counters.task.next();
    let task = next.state.counters.task;
    let started = Request { status: Status::Running, task: Some(task), ..request.clone() };
    next.state.requests.insert(id.clone(), started);
    let holder = Task {
        request: id.clone(),
        session: request.session,
        deadline_at: next.now.plus(OPERATION),
        is_cancelling: false,
    };
    next.state.tasks.insert(task, holder);
    next.effects.push(Effect::RunTask {
        task,
        request: id.clone(),
        location,
        work,
        deadline: OPERATION,
    });
    activity::note_request(next, "request_started", id, None);
}

fn work_of(operation: &Operation) -> Option<Work> {
    match operation {
        Operation::ListTables => Some(Work::ListTables),
        Operation::DescribeTable { table } => Some(Work::DescribeTable { table: table.clone() }),
        Operation::ReadTable { read } | Operation::QuerySql { read } => {
            Some(Work::Read { read: read.clone() })
        }
        Operation::Refused { .. } => None,
    }
}
