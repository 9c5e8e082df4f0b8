//! What the model checks: the catalogue of invariants after each step, and rules of its own.
//!
//! A step that breaks a rule leaves its bit in the node, so that the path to the node is the
//! counter-example. Nothing goes on from there.

use super::machine::Machine;
use super::moves::{Agent, Move, Whom, request_id, session_id, shop, token};
use super::node::{Node, bit};
use dbeast::events::{Audience, Envelope, Event, TaskEvent};
use dbeast::ids::{ClientId, TaskId};
use dbeast::reducer::invariants::CATALOGUE;
use dbeast::reducer::limits::RETENTION;
use dbeast::reducer::state::{GrantScope, Request, State, Status};
use dbeast::reducer::{Answer, Effect, Step, read};
use stateright::Property;
use std::collections::BTreeSet;

/// Rules of the model, beside the catalogue: id and sentence.
pub(crate) const OWN: [(&str, &str); 6] = [
    ("M-1", "The work that goes on outside is exactly the tasks of the state."),
    ("M-2", "A statement is sent at most once for a task."),
    ("M-3", "The work of a request is started at most once."),
    (
        "M-4",
        "A move that is answered as done has done what it says, and what it takes away is gone.",
    ),
    ("M-5", "A move that is refused changes nothing but the last use of its session."),
    ("M-6", "A result is read by its own session only, while it is kept and covered."),
];

const READING: usize = 5;

/// Most rules that a node has bits for.
const RULES_MAX: usize = 40;

/// The rules that this step breaks, a bit each.
pub(crate) fn broken(before: &Node, made: Move, envelope: &Envelope, step: &Step) -> u64 {
    let mut bits = 0;
    for (index, invariant) in CATALOGUE.iter().enumerate() {
        if !(invariant.holds)(&before.state, &step.state) {
            bits |= 1 << index;
        }
    }
    let is_in_time = envelope.at == before.state.now;
    let own = [
        work_is_the_tasks(&before.state, envelope, step),
        sent_once(before, step),
        ran_once(before, step),
        !matches!(step.answer, Ok(Answer::Done | Answer::Request { .. }))
            || does_what_it_says(made, &before.state, &step.state, is_in_time),
        step.answer.is_ok() || !is_in_time || changes_nothing(&before.state, step),
    ];
    for (index, holds) in own.into_iter().enumerate() {
        if !holds {
            bits |= 1 << (CATALOGUE.len() + index);
        }
    }
    bits
}

/// The ids of these bits.
pub(crate) fn names(bits: u64) -> Vec<&'static str> {
    let all = CATALOGUE.iter().map(|invariant| invariant.id).chain(OWN.map(|(id, _)| id));
    all.enumerate().filter(|(index, _)| bits & (1 << index) != 0).map(|(_, id)| id).collect()
}

fn work_is_the_tasks(before: &State, envelope: &Envelope, step: &Step) -> bool {
    let mut work: BTreeSet<TaskId> = before.tasks.keys().copied().collect();
    if let Event::Task(TaskEvent::Finished { task, .. }) = &envelope.event {
        work.remove(task);
    }
    let is_told_apart = step.effects.iter().all(|effect| match effect {
        Effect::RunTask { task, .. } | Effect::ReadDocument { task, .. } => work.insert(*task),
        // Time passes first: what ends at its deadline may be told to stop in the same step.
        Effect::CancelTask { task } => before.tasks.contains_key(task),
        Effect::SendStatement { task } => work.contains(task),
        // It is no work of a task.
        Effect::Estimate { .. }
        | Effect::SetAlarm { .. }
        | Effect::SaveVault { .. }
        | Effect::SaveSources { .. } => true,
    });
    is_told_apart && work.iter().eq(step.state.tasks.keys())
}

/// The bits of the requests whose statement this step sends, and whose work it starts.
pub(crate) fn sent(before: &State, step: &Step) -> Vec<u8> {
    let sent = step.effects.iter().filter_map(|effect| match effect {
        Effect::SendStatement { task } => before.tasks.get(task).map(|task| bit(&task.request)),
        _ => None,
    });
    sent.collect()
}

pub(crate) fn ran(step: &Step) -> Vec<u8> {
    let ran = step.effects.iter().filter_map(|effect| match effect {
        Effect::RunTask { request, .. } => Some(bit(request)),
        _ => None,
    });
    ran.collect()
}

fn sent_once(before: &Node, step: &Step) -> bool {
    let mut known = before.sent;
    sent(&before.state, step).into_iter().all(|bit| {
        let is_first = known & bit == 0;
        known |= bit;
        is_first
    })
}

fn ran_once(before: &Node, step: &Step) -> bool {
    let mut known = before.ran;
    ran(step).into_iter().all(|bit| {
        let is_first = known & bit == 0;
        known |= bit;
        is_first
    })
}

/// Whether a request can still lead to a result in somebody's hands.
const fn is_alive(request: &Request) -> bool {
    matches!(request.status, Status::Pending | Status::Running | Status::Completed)
}

fn has_nothing(state: &State, client: &ClientId) -> bool {
    let lives = |id| state.sessions.get(id).is_some_and(|session| session.client == *client);
    state.sessions.values().all(|session| session.client != *client)
        && state.requests.values().all(|request| request.client != *client)
        && state.grants.values().all(|grant| !lives(&grant.session))
}

fn nothing_is_alive(state: &State, audience: &Audience) -> bool {
    let holds = |id| state.sessions.get(id).is_some_and(|owner| audience.holds(&owner.client));
    state.requests.values().all(|request| !audience.holds(&request.client) || !is_alive(request))
        && state.grants.values().all(|grant| !holds(&grant.session))
}

fn does_what_it_says(made: Move, before: &State, after: &State, is_in_time: bool) -> bool {
    let is_empty = || after.sessions.is_empty() && after.requests.is_empty();
    match made {
        Move::StartServer => is_empty() && after.server.port.is_some(),
        Move::StopServer => is_empty() && after.server.port.is_none(),
        Move::StopAll => is_empty(),
        Move::Disconnect(agent) => {
            let own = |audience: &Audience| *audience == Audience::Client(agent.id());
            has_nothing(after, &agent.id())
                && !after.clients.contains_key(&agent.id())
                && !after.sharing.keys().any(|(_, audience)| own(audience))
        }
        Move::Change(change) => {
            let was = before.sources.get(&shop()).map(|source| source.generation);
            let is = after.sources.get(&shop()).map(|source| source.generation);
            let _ = change;
            is > was && nothing_is_alive(after, &Audience::AllAgents)
        }
        Move::Share(whom, level) => {
            let of = |state: &State| {
                state.sharing.get(&(shop(), whom.audience())).map(|share| share.level)
            };
            of(after) == level && (level >= of(before) || nothing_is_alive(after, &whom.audience()))
        }
        Move::ShareTable(whom, table, level) => {
            let of = |state: &State| {
                let share = state.sharing.get(&(shop(), whom.audience()));
                share.and_then(|share| share.tables.get(&table.name()).copied())
            };
            of(after) == level && (level >= of(before) || nothing_is_alive(after, &whom.audience()))
        }
        Move::Deny(number) => status(after, number) == Some(Status::Denied),
        Move::TakeBack(grant) => taken_back(grant, before, after),
        Move::EndSession(number) => !after.sessions.contains_key(&session_id(number)),
        Move::Begin(agent, number) => {
            let session = after.sessions.get(&session_id(number));
            session.is_some_and(|session| session.client == agent.id() && session.keys.is_empty())
        }
        Move::Leave(agent, _) => has_nothing(after, &agent.id()),
        Move::Cancel(_, _, number) => status(after, number).is_none_or(Status::is_final),
        Move::Finish(task, _) => !is_in_time || a_late_end_changes_no_request(task, before, after),
        Move::Connect(_)
        | Move::AddShop
        | Move::Allow(..)
        | Move::Submit(_)
        | Move::Ready(_)
        | Move::Clock(_)
        | Move::Sleep(_)
        | Move::RingEarly => true,
    }
}

fn status(state: &State, number: u8) -> Option<Status> {
    state.requests.get(&request_id(number)).map(|request| request.status)
}

fn taken_back(grant: u64, before: &State, after: &State) -> bool {
    let id = dbeast::ids::GrantId(grant);
    let was_for = before.grants.get(&id).and_then(|grant| match &grant.scope {
        GrantScope::Once { request } => Some(request),
        _ => None,
    });
    let is_over = was_for
        .and_then(|request| after.requests.get(request))
        .is_none_or(|request| request.status.is_final());
    !after.grants.contains_key(&id) && is_over
}

/// The end of work whose request was over before, or is another's, says nothing to any agent.
fn a_late_end_changes_no_request(task: u64, before: &State, after: &State) -> bool {
    let Some(task) = before.tasks.get(&TaskId(task)) else { return false };
    let was_running =
        before.requests.get(&task.request).is_some_and(|request| request.status == Status::Running);
    was_running || before.requests.get(&task.request) == after.requests.get(&task.request)
}

/// Nobody's time was over, so a refused move has no reason to change anything.
fn changes_nothing(before: &State, step: &Step) -> bool {
    let after = &step.state;
    let no_effect = step.effects.iter().all(|effect| matches!(effect, Effect::SetAlarm { .. }));
    no_effect
        && before.server == after.server
        && before.clients == after.clients
        && before.sources == after.sources
        && before.sharing == after.sharing
        && before.grants == after.grants
        && before.requests == after.requests
        && before.tasks == after.tasks
        && before.sessions.keys().eq(after.sessions.keys())
        && before
            .sessions
            .values()
            .zip(after.sessions.values())
            .all(|(old, new)| old.keys == new.keys && old.tombstones == new.tombstones)
}

/// Everybody tries to read every request with every token, at the time that the clock says.
fn is_read_properly(node: &Node) -> bool {
    let state = &node.state;
    let tokens = || Agent::ALL.into_iter().filter_map(|agent| node.session(agent));
    state.requests.iter().all(|(id, request)| {
        Agent::ALL.into_iter().all(|agent| {
            tokens().all(|number| {
                let reading = read::request(state, &agent.id(), &token(number), id, node.at);
                let is_own = agent.id() == request.client && session_id(number) == request.session;
                match reading {
                    Ok(reading) => is_own && (reading.result.is_none() || may_leave(node, request)),
                    Err(_) => true,
                }
            })
        })
    })
}

/// What the contract asks before a result is handed over, written out again.
fn may_leave(node: &Node, request: &Request) -> bool {
    let state = &node.state;
    let is_kept = request.finished_at.is_some_and(|at| at.plus(RETENTION) > node.at);
    let lives = state.sessions.get(&request.session);
    let lives = lives.is_some_and(|session| session.ends_at() > node.at);
    let whoms = Agent::ALL.into_iter().filter(|agent| agent.id() == request.client);
    let is_shared = whoms
        .flat_map(|agent| [Whom::Only(agent), Whom::Everybody])
        .any(|whom| node.share(whom).is_some());
    let is_there = state.sources.get(&shop()).is_some_and(|source| {
        let is_same = match &request.target {
            dbeast::events::Target::Source { generation, .. } => *generation == source.generation,
            dbeast::events::Target::Document { .. } => false,
        };
        source.is_available && is_same && !(source.is_read_only && request.operation.may_write())
    });
    request.status == Status::Completed
        && is_kept
        && lives
        && is_shared
        && is_there
        && state.covers(request)
        && state.server.port.is_some()
}

fn holds<const RULE: usize>(_: &Machine, node: &Node) -> bool {
    node.broken & (1 << RULE) == 0
}

fn reading_holds(_: &Machine, node: &Node) -> bool {
    is_read_properly(node)
}

fn reaches<const STATUS: usize>(_: &Machine, node: &Node) -> bool {
    let status = Status::ALL[STATUS];
    let stones = node.state.sessions.values().flat_map(|session| session.tombstones.values());
    node.state.requests.values().any(|request| request.status == status)
        || stones.into_iter().any(|stone| stone.status == status)
}

macro_rules! each {
    ($function:ident: $($number:literal)+) => { [$($function::<$number>),+] };
}

/// What always holds, and what is reached at some time.
pub(crate) fn properties(reached: &[Status]) -> Vec<Property<Machine>> {
    let rules: [fn(&Machine, &Node) -> bool; RULES_MAX] = each!(holds:
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
        20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
    let statuses: [fn(&Machine, &Node) -> bool; Status::ALL.len()] =
        each!(reaches: 0 1 2 3 4 5 6 7 8 9 10);
    let ids: Vec<&'static str> = CATALOGUE
        .iter()
        .map(|invariant| invariant.id)
        .chain(OWN.iter().take(READING).map(|(id, _)| *id))
        .collect();
    assert!(ids.len() <= RULES_MAX, "a node has no bits for so many rules");
    let always = ids.into_iter().zip(rules).map(|(id, rule)| Property::always(id, rule));
    let reading = Property::always(OWN[READING].0, reading_holds as fn(&Machine, &Node) -> bool);
    let sometimes = Status::ALL
        .into_iter()
        .zip(statuses)
        .filter(|(status, _)| reached.contains(status))
        .map(|(status, rule)| Property::sometimes(status.word(), rule));
    always.chain([reading]).chain(sometimes).collect()
}
