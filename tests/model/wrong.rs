//! Steps with a fault, which the model must find, each with a rule that it breaks.

use dbeast::events::{Envelope, Event, RequestEvent, SharingEvent, TaskEvent};
use dbeast::reducer::state::{Share, State, Status};
use dbeast::reducer::{Answer, Effect, Step, reduce};
use std::sync::Arc;

type Fault = (&'static str, &'static str, fn(&State, &Envelope) -> Step);

/// What is wrong, a rule that it breaks, and the step.
pub(crate) const FAULTS: [Fault; 6] = [
    ("taking a grant back does nothing", "M-4", keeps_grants),
    ("lowering a level revokes nothing", "M-4", only_lowers),
    ("an answer after the request was over is handed over", "R-4", takes_late_answers),
    ("what completed runs again", "M-3", runs_again),
    ("a statement is sent as often as its driver asks", "M-2", sends_again),
    ("a key is forgotten when the request is taken back", "K-1", forgets_keys),
];

fn done(state: State) -> Step {
    Step { state, effects: Vec::new(), answer: Ok(Answer::Done) }
}

fn keeps_grants(state: &State, envelope: &Envelope) -> Step {
    match &envelope.event {
        Event::Grant(_) => done(state.clone()),
        _ => reduce(state, envelope),
    }
}

fn only_lowers(state: &State, envelope: &Envelope) -> Step {
    let Event::Sharing(SharingEvent::Set { source, audience, level: Some(level) }) =
        &envelope.event
    else {
        return reduce(state, envelope);
    };
    let mut state = state.clone();
    let share = Share { level: *level, tables: tables_of(&state, source, audience) };
    state.sharing.insert((source.clone(), audience.clone()), Arc::new(share));
    done(state)
}

fn tables_of(
    state: &State,
    source: &dbeast::ids::SourceId,
    audience: &dbeast::events::Audience,
) -> imbl::OrdMap<dbeast::value::TableName, dbeast::events::TableLevel> {
    let share = state.sharing.get(&(source.clone(), audience.clone()));
    share.map(|share| share.tables.clone()).unwrap_or_default()
}

fn takes_late_answers(state: &State, envelope: &Envelope) -> Step {
    let mut step = reduce(state, envelope);
    let Event::Task(TaskEvent::Finished { task, outcome }) = &envelope.event else { return step };
    let dbeast::events::TaskOutcome::Completed { body, .. } = outcome else { return step };
    let Some(request) = state.tasks.get(task).map(|task| &task.request) else { return step };
    if let Some(request) = step.state.requests.get_mut(request) {
        let request = Arc::make_mut(request);
        request.status = Status::Completed;
        request.problem = None;
        request.result = Some(body.clone());
    }
    step
}

fn runs_again(state: &State, envelope: &Envelope) -> Step {
    let mut step = reduce(state, envelope);
    let Event::Task(TaskEvent::Finished { task, .. }) = &envelope.event else { return step };
    let Some(holder) = state.tasks.get(task) else { return step };
    let Some(request) = step.state.requests.get_mut(&holder.request) else { return step };
    if request.status == Status::Completed {
        let again = step.state.counters.task.next();
        let request = Arc::make_mut(request);
        request.status = Status::Running;
        request.task = Some(again);
        request.result = None;
        request.finished_at = None;
        step.state.counters.task = again;
        step.state.tasks.insert(again, holder.clone());
        step.effects.push(run(again, holder));
    }
    step
}

fn run(task: dbeast::ids::TaskId, holder: &dbeast::reducer::state::Task) -> Effect {
    use dbeast::reducer::limits::{CONNECTION_SETUP, OPERATION};
    Effect::RunTask {
        task,
        request: holder.request.clone(),
        place: dbeast::reducer::Place {
            source: dbeast::ids::SourceId::new("src1"),
            generation: dbeast::ids::SourceGeneration(1),
            location: dbeast::events::SourceLocation::Sqlite { path: Arc::from("shop.db") },
            context: None,
            is_read_only: false,
            read_lock: dbeast::value::ReadLock::Full,
        },
        work: dbeast::reducer::Work::ListTables,
        pinned: None,
        setup: CONNECTION_SETUP,
        deadline: OPERATION,
    }
}

fn sends_again(state: &State, envelope: &Envelope) -> Step {
    let mut step = reduce(state, envelope);
    if let Event::Task(TaskEvent::ReadyToSend { task }) = &envelope.event
        && state.tasks.get(task).is_some_and(|task| task.is_sent)
    {
        step.effects.push(Effect::SendStatement { task: *task });
        step.answer = Ok(Answer::Done);
    }
    step
}

fn forgets_keys(state: &State, envelope: &Envelope) -> Step {
    let mut step = reduce(state, envelope);
    if let Event::Request(RequestEvent::Cancelled { request, .. }) = &envelope.event
        && step.answer.is_ok()
        && let Some(owner) = step.state.requests.get(request).map(|request| &request.session)
        && let Some(session) = step.state.sessions.get_mut(owner)
    {
        Arc::make_mut(session).keys = imbl::OrdMap::new();
    }
    step
}
