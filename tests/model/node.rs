//! A state of the model, and when two of them are the same.
//!
//! Two nodes count as one if the same moves are possible from both and lead to nodes that count as
//! one again, with the same rules kept. `form` writes down what decides that, and leaves out:
//!
//! - `seq`, the activity list and its counter: `reduce` copies or appends them and never reads them.
//! - Names, `created_at`, `added_at`, `started_at`, `granted_at`, `submitted_at`: for the person's
//!   view only; `reduce` never compares them.
//! - The alarm: after each step it is the earliest deadline, and those are in the form.
//! - Absolute time: `reduce` compares and subtracts points in time, so only distances from now count,
//!   and of a deadline only while it can still come.
//! - Identifiers of sessions, tasks and grants and their counters: new ones are always fresh, so only
//!   which are the same matters. A session is written as its agent (who has one at most), a dead one
//!   that still holds a slot as dead; a task as its request (which has one at most).
//! - Numbers of source configurations: only whether one is the current one matters, since a number
//!   never comes back.
//! - What invariants derive: the session and task of a request, and whether it has a result.
//!
//! `tests/model.rs` compares a small model with and without all this.

use super::moves::{Agent, Whom, shop};
use dbeast::events::{Audience, Operation, Scope};
use dbeast::ids::{RequestId, SessionId};
use dbeast::reducer::State;
use dbeast::reducer::state::{GrantScope, Request, Status};
use dbeast::time::Millis;
use dbeast::value::TableName;
use std::hash::{Hash, Hasher};

/// A state of the reducer with what the model remembers beside it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) state: State,
    /// What the clock says: later than the state if a timer slept.
    pub(crate) at: Millis,
    /// How often time may still go on.
    pub(crate) jumps: u8,
    /// Sessions begun so far.
    pub(crate) sessions: u16,
    /// Requests whose work was started: a bit each.
    pub(crate) ran: u8,
    /// Requests whose statement was sent: a bit each.
    pub(crate) sent: u8,
    /// Rules that the last move broke: a bit each (`rules.rs`).
    pub(crate) broken: u64,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.form() == other.form()
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(&self.form());
    }
}

/// The number in `r2` or `c1`.
pub(crate) fn number(word: &str) -> u8 {
    word.as_bytes().get(1).map_or(0, |digit| digit.wrapping_sub(b'0'))
}

/// The bit of a request.
pub(crate) fn bit(request: &RequestId) -> u8 {
    1 << number(request.as_str())
}

fn is_orders(table: &TableName) -> u8 {
    u8::from(table.name == "orders")
}

impl Node {
    /// What decides everything that can still happen.
    pub(crate) fn form(&self) -> Vec<u8> {
        let mut form = Vec::with_capacity(160);
        let state = &self.state;
        form.extend(self.broken.to_be_bytes());
        form.extend([self.jumps, self.ran, self.sent]);
        put_time(&mut form, state.now.0.abs_diff(self.at.0));
        form.push(u8::from(state.server.port.is_some()));
        form.extend(Agent::ALL.map(|agent| u8::from(state.clients.contains_key(&agent.id()))));
        for source in state.sources.values() {
            form.extend([u8::from(source.is_available), u8::from(source.is_read_only)]);
        }
        self.put_sharing(&mut form);
        self.put_sessions(&mut form);
        form.push(0xF1);
        form.extend(state.counters.request.to_be_bytes());
        for (id, request) in &state.requests {
            self.put_request(&mut form, id, request);
        }
        form.push(0xF2);
        self.put_grants(&mut form);
        form.push(0xF3);
        self.put_tasks(&mut form);
        form
    }

    fn put_sharing(&self, form: &mut Vec<u8>) {
        for ((_, audience), share) in &self.state.sharing {
            let whom = match audience {
                Audience::AllAgents => 0,
                Audience::Client(client) => number(client.as_str()),
            };
            form.extend([0xE0 + whom, share.level as u8]);
            for (table, level) in &share.tables {
                form.extend([0xD0 + is_orders(table), *level as u8]);
            }
        }
    }

    fn put_sessions(&self, form: &mut Vec<u8>) {
        let now = self.state.now;
        for agent in Agent::ALL {
            let client = agent.id();
            let Some(session) =
                self.state.sessions.values().find(|session| session.client == client)
            else {
                form.push(0xC0);
                continue;
            };
            form.push(0xC1);
            put_time(form, now.since(session.began_at).0);
            put_time(form, now.since(session.last_used_at).0);
            for (key, kept) in &session.keys {
                let digest = kept.digest.0[0];
                form.extend([number(key.as_str()), number(kept.request.as_str()), digest]);
            }
            for (request, stone) in &session.tombstones {
                form.extend([0xB0 + number(request.as_str()), stone.status as u8]);
            }
        }
    }

    fn put_request(&self, form: &mut Vec<u8>, id: &RequestId, request: &Request) {
        let now = self.state.now;
        let current = self.state.sources.get(&shop()).map(|source| source.generation);
        let is_current = match &request.target {
            dbeast::events::Target::Source { generation, .. } => Some(*generation) == current,
            dbeast::events::Target::Document { .. } => false,
        };
        let kind = match &request.operation {
            Operation::QuerySql { read } => u8::try_from(read.tables.len()).unwrap_or(9),
            Operation::RequestSql { write, .. } => 3 + u8::from(write.is_some()),
            _ => 9,
        };
        form.extend([
            number(id.as_str()),
            number(request.client.as_str()),
            kind,
            u8::from(is_current),
            u8::from(request.is_table_write),
            request.status as u8,
            request.authorisation.map_or(9, |why| why as u8),
        ]);
        match (request.status, request.finished_at) {
            (Status::Pending, _) => put_time(form, request.expires_at.since(now).0),
            (_, Some(at)) => put_time(form, now.since(at).0),
            (_, None) => {}
        }
    }

    fn put_grants(&self, form: &mut Vec<u8>) {
        for grant in self.state.grants.values() {
            form.extend([self.owner(&grant.session), grant.scope.kind() as u8]);
            match &grant.scope {
                GrantScope::Once { request } => form.push(number(request.as_str())),
                GrantScope::Table { table, identity, .. } => {
                    let identity = identity.map_or(0xFF, |identity| identity.0[0]);
                    form.extend([is_orders(table), identity]);
                }
                GrantScope::Source { .. } | GrantScope::FullSql { .. } => {}
                GrantScope::Document { .. } => form.push(Scope::Document as u8),
            }
        }
    }

    fn put_tasks(&self, form: &mut Vec<u8>) {
        for task in self.state.tasks.values() {
            let marks = [task.may_write, task.is_sent, task.is_cancelling].map(u8::from);
            form.extend([number(task.request.as_str()), self.owner(&task.session)]);
            form.extend(marks);
            if !task.is_cancelling {
                put_time(form, task.deadline_at.since(self.state.now).0);
            }
        }
    }

    /// The agent of a live session; 0 for a dead one.
    fn owner(&self, session: &SessionId) -> u8 {
        let live = self.state.sessions.get(session);
        live.map_or(0, |session| number(session.client.as_str()))
    }

    /// The number of the session that the agent has.
    pub(crate) fn session(&self, agent: Agent) -> Option<u16> {
        let client = agent.id();
        let mut sessions = self.state.sessions.iter();
        let (id, _) = sessions.find(|(_, session)| session.client == client)?;
        id.as_str().get(1..)?.parse().ok()
    }

    /// The level that the database has for somebody.
    pub(crate) fn share(&self, whom: Whom) -> Option<&dbeast::reducer::state::Share> {
        self.state.sharing.get(&(shop(), whom.audience())).map(|share| &**share)
    }
}

fn put_time(form: &mut Vec<u8>, length: u64) {
    form.extend(length.to_be_bytes());
}
