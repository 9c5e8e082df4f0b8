//! The words in which the cases say what they damage.

use super::history::{Moment, Pair, body, client, session_id, source_target, token};
use dbeast::events::{ArgumentsDigest, Target};
use dbeast::ids::{GrantId, RequestId, RequestKey, SessionId, SourceGeneration, SourceId, TaskId};
use dbeast::reducer::State;
use dbeast::reducer::state::{
    Client, Document, Grant, GrantScope, Problem, Request, Reservation, Session, Share, Source,
    Status, Task,
};
use dbeast::time::Millis;
use std::sync::Arc;

/// One pair of states, and what must be said of it.
pub(crate) struct Case {
    /// What is so, in plain words.
    pub(crate) name: &'static str,
    /// The step of the history that is changed.
    pub(crate) moment: Moment,
    /// Exactly the ids that do not hold any more.
    pub(crate) broken: &'static [&'static str],
    /// The change.
    pub(crate) damage: fn(&mut Pair),
}

pub(crate) const fn breaks(
    name: &'static str,
    moment: Moment,
    broken: &'static [&'static str],
    damage: fn(&mut Pair),
) -> Case {
    assert!(!broken.is_empty(), "what breaks nothing is said by `holds`");
    Case { name, moment, broken, damage }
}

/// What is allowed: a limit that is reached, a way of the graph.
pub(crate) const fn holds(name: &'static str, moment: Moment, damage: fn(&mut Pair)) -> Case {
    Case { name, moment, broken: &[], damage }
}

pub(crate) fn the_client(state: &mut State, number: u8) -> &mut Client {
    Arc::make_mut(state.clients.get_mut(&client(number)).expect("a connection"))
}

pub(crate) fn session(state: &mut State, number: u8) -> &mut Session {
    Arc::make_mut(state.sessions.get_mut(&session_id(number)).expect("a session"))
}

pub(crate) fn source<'a>(state: &'a mut State, name: &str) -> &'a mut Source {
    Arc::make_mut(state.sources.get_mut(&SourceId::new(name)).expect("a database"))
}

pub(crate) fn request<'a>(state: &'a mut State, id: &str) -> &'a mut Request {
    Arc::make_mut(state.requests.get_mut(&RequestId::new(id)).expect("a request"))
}

/// The task that holds a slot for a request.
pub(crate) fn task_of<'a>(state: &'a mut State, id: &str) -> &'a mut Task {
    let number = task_id(state, id);
    state.tasks.get_mut(&number).expect("a task")
}

pub(crate) fn task_id(state: &State, id: &str) -> TaskId {
    let mut tasks = state.tasks.iter();
    *tasks.find(|(_, task)| task.request.as_str() == id).expect("a task of the request").0
}

/// The first grant of this kind.
pub(crate) fn grant(state: &mut State, is_it: fn(&GrantScope) -> bool) -> (GrantId, &mut Grant) {
    let mut grants = state.grants.iter();
    let id = *grants.find(|(_, grant)| is_it(&grant.scope)).expect("such a grant").0;
    (id, Arc::make_mut(state.grants.get_mut(&id).expect("it was found")))
}

pub(crate) const fn is_once(scope: &GrantScope) -> bool {
    matches!(scope, GrantScope::Once { .. })
}

pub(crate) const fn is_table(scope: &GrantScope) -> bool {
    matches!(scope, GrantScope::Table { .. })
}

pub(crate) const fn is_source(scope: &GrantScope) -> bool {
    matches!(scope, GrantScope::Source { .. })
}

pub(crate) const fn is_full_sql(scope: &GrantScope) -> bool {
    matches!(scope, GrantScope::FullSql { .. })
}

pub(crate) const fn is_document(scope: &GrantScope) -> bool {
    matches!(scope, GrantScope::Document { .. })
}

pub(crate) fn remove_grant(state: &mut State, is_it: fn(&GrantScope) -> bool) {
    let (id, _) = grant(state, is_it);
    state.grants.remove(&id);
}

/// One more grant under a number of its own.
pub(crate) fn add_grant(state: &mut State, owner: u8, scope: GrantScope) {
    let newest = state.grants.keys().next_back().copied().unwrap_or_default();
    let grant = Grant { session: session_id(owner), scope, granted_at: state.now };
    state.grants.insert(newest.next(), Arc::new(grant));
}

/// The same grant a second time.
pub(crate) fn add_same_grant(state: &mut State, is_it: fn(&GrantScope) -> bool) {
    let (_, first) = grant(state, is_it);
    let again = first.clone();
    let newest = state.grants.keys().next_back().copied().unwrap_or_default();
    state.grants.insert(newest.next(), Arc::new(again));
}

pub(crate) fn once(id: &str) -> GrantScope {
    GrantScope::Once { request: RequestId::new(id) }
}

/// A database with its configuration, as the scope of a grant.
pub(crate) fn of_source(state: &State, name: &str) -> (SourceId, SourceGeneration) {
    match source_target(state, name) {
        Target::Source { source, generation } => (source, generation),
        Target::Document { .. } => unreachable!("it is the target of a database"),
    }
}

/// One more connection, with a session as old as the newest one and without a past.
pub(crate) fn add_session(state: &mut State, number: u8) {
    add_client(state, number);
    let mut session = session(state, 4).clone();
    (session.client, session.token_hash) = (client(number), token(100 + number));
    (session.keys, session.tombstones) = (imbl::OrdMap::new(), imbl::OrdMap::new());
    state.sessions.insert(session_id(number), Arc::new(session));
}

pub(crate) fn add_client(state: &mut State, number: u8) {
    let (label, token_hash) = (Arc::from("one more"), token(number));
    let client_of = Client { label, token_hash, created_at: state.now };
    state.clients.insert(client(number), Arc::new(client_of));
}

/// One more request like another one, of this session and with a key.
pub(crate) fn add_request_like(state: &mut State, like: &str, owner: u8, id: &str) {
    let mut request = request(state, like).clone();
    (request.client, request.session) = (client(owner), session_id(owner));
    let id = RequestId::new(id);
    state.requests.insert(id.clone(), Arc::new(request));
    add_key(state, owner, id.as_str(), id.as_str());
}

pub(crate) fn add_key(state: &mut State, owner: u8, key: &str, made: &str) {
    let (request, digest) = (RequestId::new(made), ArgumentsDigest([0; 32]));
    let reserved = Reservation { request, digest };
    session(state, owner).keys.insert(RequestKey::new(key), reserved);
}

/// One more task that was told to stop, of a request that is gone.
pub(crate) fn add_task(state: &mut State, number: u64, owner: u8) {
    let task = Task {
        request: RequestId::new("gone"),
        session: SessionId::new(&format!("s{owner}")),
        deadline_at: Millis(1),
        may_write: false,
        is_sent: false,
        is_cancelling: true,
    };
    state.tasks.insert(TaskId(number), task);
}

pub(crate) fn remove_request(state: &mut State, id: &str) {
    state.requests.remove(&RequestId::new(id)).expect("a request");
    ring(state);
}

/// Documents under other names, of these sizes.
pub(crate) fn add_documents(state: &mut State, sizes: impl IntoIterator<Item = u64>) {
    let like = state.documents.values().next().expect("a document").clone();
    for (number, bytes) in sizes.into_iter().enumerate() {
        let text = super::history::text(bytes);
        let document = Document { text, ..(*like).clone() };
        let file = dbeast::ids::FileId::new(&format!("file{number}"));
        state.documents.insert(file, Arc::new(document));
    }
}

pub(crate) fn share_of<'a>(
    state: &'a mut State,
    name: &str,
    audience: dbeast::events::Audience,
) -> &'a mut Share {
    let share = state.sharing.get_mut(&(SourceId::new(name), audience));
    Arc::make_mut(share.expect("an entry of the sharing table"))
}

/// Sets the alarm for the earliest deadline, so that nothing is wrong with it.
pub(crate) fn ring(state: &mut State) {
    let sessions = state.sessions.values().map(|session| session.ends_at());
    let tasks = state.tasks.values().filter_map(Task::deadline);
    let requests = state.requests.values().filter_map(|request| request.deadline());
    state.alarm = sessions.chain(tasks).chain(requests).min();
}

/// Brings a request into another status, with all that belongs to it: result or problem, the task
/// told to stop, the alarm.
pub(crate) fn becomes(state: &mut State, id: &str, status: Status) {
    let now = state.now;
    let request = request(state, id);
    let is_completed = status == Status::Completed;
    request.status = status;
    request.finished_at = status.is_final().then_some(now);
    request.result = is_completed.then(body);
    request.problem = (status.is_final() && !is_completed).then_some(Problem::Cancelled);
    let task = request.task.take().and_then(|task| state.tasks.get_mut(&task));
    if let Some(task) = task {
        task.is_cancelling = true;
    }
    ring(state);
}

/// Takes away what a request is about: its database is configured anew.
pub(crate) fn uncover(state: &mut State, id: &str) {
    let generation = SourceGeneration(99);
    request(state, id).target = Target::Source { source: SourceId::new("orders"), generation };
}
