//! The model: which moves are possible in a node, and where they lead by the real `reduce`.

use super::moves::{Agent, Ask, Call, Change, Move, Outcome, Table, Whom, shop};
use super::node::Node;
use super::rules;
use dbeast::events::{Envelope, Level, Scope, TableLevel};
use dbeast::ids::TaskId;
use dbeast::reducer::state::{Activity, State, Status};
use dbeast::reducer::{Step, reduce};
use dbeast::time::Duration;
use dbeast::transcript::words;
use stateright::{Model, Property};

/// Requests that exist in all.
pub(crate) const REQUESTS_MAX: u64 = 2;

/// The moves of one model.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    pub(crate) name: &'static str,
    /// How everything is shared at the start.
    pub(crate) scene: Vec<Move>,
    pub(crate) levels: Vec<(Whom, Vec<Option<Level>>)>,
    pub(crate) tables: Vec<(Whom, Table, Vec<Option<TableLevel>>)>,
    pub(crate) asks: Vec<(Agent, Ask)>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) changes: Vec<Change>,
    /// Whether the person revokes connections, ends sessions and stops all.
    pub(crate) is_ended: bool,
    /// Whether the person stops and starts the server.
    pub(crate) is_stopped: bool,
    /// Whether agents use the other agent's token, keys again, other digests, stale texts.
    pub(crate) is_attacked: bool,
    /// How often time goes on.
    pub(crate) jumps: u8,
    /// Statuses that are reached.
    pub(crate) reached: Vec<Status>,
}

/// A space with the step that leads through it.
#[derive(Clone)]
pub(crate) struct Machine {
    pub(crate) space: Space,
    pub(crate) step: fn(&State, &Envelope) -> Step,
}

impl Machine {
    pub(crate) fn new(space: Space) -> Self {
        Self { space, step: reduce }
    }

    /// The moves that every model begins with.
    pub(crate) fn opening(&self) -> Vec<Move> {
        let mut moves = vec![Move::StartServer, Move::AddShop];
        moves.extend(Agent::ALL.map(Move::Connect));
        moves.extend(&self.space.scene);
        moves.extend([Move::Begin(Agent::Claude, 1), Move::Begin(Agent::Cursor, 2)]);
        moves
    }

    fn first(&self) -> Node {
        let mut node = Node {
            state: State::default(),
            at: words::START,
            jumps: self.space.jumps,
            sessions: 0,
            ran: 0,
            sent: 0,
            broken: 0,
        };
        for made in self.opening() {
            node = self.after(&node, made);
        }
        node
    }

    /// Where a move leads.
    pub(crate) fn after(&self, node: &Node, made: Move) -> Node {
        let mut next = node.clone();
        match made {
            Move::Clock(length) | Move::Sleep(length) => {
                next.at = node.at.plus(length);
                next.jumps = node.jumps.saturating_sub(1);
            }
            Move::Begin(..) => next.sessions += 1,
            _ => {}
        }
        let Some(event) = made.event() else { return next };
        let envelope = Envelope { seq: node.state.seq + 1, at: next.at, event };
        let step = (self.step)(&node.state, &envelope);
        next.broken = rules::broken(node, made, &envelope, &step);
        next.sent |= rules::sent(&node.state, &step).into_iter().fold(0, |all, bit| all | bit);
        next.ran |= rules::ran(&step).into_iter().fold(0, |all, bit| all | bit);
        next.state = step.state;
        // Never read by `reduce`, and most of what a state weighs.
        next.state.activity = Activity::default();
        next
    }

    fn person(&self, node: &Node, moves: &mut Vec<Move>) {
        self.sharing(node, moves);
        let state = &node.state;
        let source = state.sources.get(&shop());
        moves.extend(self.space.changes.iter().copied().map(Move::Change).filter(|made| {
            source.is_some_and(|source| match made {
                Move::Change(Change::Available(is)) => source.is_available != *is,
                Move::Change(Change::ReadOnly(is)) => source.is_read_only != *is,
                _ => true,
            })
        }));
        for (id, request) in &state.requests {
            let number = super::node::number(id.as_str());
            if request.status == Status::Pending {
                moves.extend(self.space.scopes.iter().map(|scope| Move::Allow(number, *scope)));
            } else if self.space.is_attacked {
                moves.push(Move::Allow(number, Scope::Once));
            }
            if request.status == Status::Pending || self.space.is_attacked {
                moves.push(Move::Deny(number));
            }
        }
        moves.extend(state.grants.keys().map(|grant| Move::TakeBack(grant.0)));
        if self.space.is_ended {
            moves.push(Move::StopAll);
            let live = |agent: &Agent| state.clients.contains_key(&agent.id());
            moves.extend(Agent::ALL.into_iter().filter(live).map(Move::Disconnect));
            let sessions = Agent::ALL.into_iter().filter_map(|agent| node.session(agent));
            moves.extend(sessions.map(Move::EndSession));
        }
        if self.space.is_stopped {
            moves.push(Move::StartServer);
            moves.extend(state.server.port.map(|_| Move::StopServer));
        }
    }

    fn sharing(&self, node: &Node, moves: &mut Vec<Move>) {
        let lives = |whom: &Whom| match whom {
            Whom::Everybody => true,
            Whom::Only(agent) => node.state.clients.contains_key(&agent.id()),
        };
        for (whom, levels) in self.space.levels.iter().filter(|(whom, _)| lives(whom)) {
            let is = node.share(*whom).map(|share| share.level);
            let others = levels.iter().filter(|level| **level != is);
            moves.extend(others.map(|level| Move::Share(*whom, *level)));
        }
        for (whom, table, levels) in &self.space.tables {
            let Some(share) = node.share(*whom) else { continue };
            let is = share.tables.get(&table.name()).copied();
            let others = levels.iter().filter(|level| **level != is);
            moves.extend(others.map(|level| Move::ShareTable(*whom, *table, *level)));
        }
    }

    fn agents(&self, node: &Node, moves: &mut Vec<Move>) {
        let state = &node.state;
        let acts = |agent: &Agent| self.space.asks.iter().any(|(who, _)| who == agent);
        for agent in Agent::ALL.into_iter().filter(acts) {
            if state.clients.contains_key(&agent.id()) && state.server.port.is_some() {
                moves.push(Move::Begin(agent, node.sessions + 1));
            }
            let Some(session) = node.session(agent) else { continue };
            moves.push(Move::Leave(agent, session));
            let own = state.requests.iter().filter(|(_, request)| request.client == agent.id());
            moves.extend(
                own.map(|(id, _)| Move::Cancel(agent, session, super::node::number(id.as_str()))),
            );
            let asks = self.space.asks.iter().filter(|(who, _)| *who == agent);
            for (_, ask) in asks {
                if let Some(call) = call(node, agent, session, *ask) {
                    moves.push(Move::Submit(call));
                    if self.space.is_attacked && !self.space.changes.is_empty() {
                        let stale = call.generation + 1;
                        let call = Call { generation: stale, is_stale: true, ..call };
                        moves.push(Move::Submit(call));
                    }
                }
            }
            if self.space.is_attacked {
                attacks(node, agent, session, moves);
            }
        }
    }

    fn outside(&self, node: &Node, moves: &mut Vec<Move>) {
        for (id, task) in &node.state.tasks {
            if task.may_write {
                moves.push(Move::Ready(id.0));
            }
            moves.extend(self.space.outcomes.iter().map(|outcome| Move::Finish(id.0, *outcome)));
        }
        // Some work that is over: which one is nothing that a node remembers.
        let mut over = (1..=node.state.counters.task.0).map(TaskId);
        let over = over.find(|task| !node.state.tasks.contains_key(task));
        if let Some(over) = over.filter(|_| self.space.is_attacked) {
            moves.extend([Move::Ready(over.0), Move::Finish(over.0, Outcome::Rows)]);
        }
        let Some(alarm) = node.state.alarm.filter(|_| self.space.jumps > 0) else { return };
        moves.push(Move::RingEarly);
        if node.jumps > 0 {
            let length = Duration(alarm.0.saturating_sub(node.at.0));
            moves.push(Move::Clock(length));
            if alarm > node.at {
                moves.push(Move::Sleep(length));
                moves.push(Move::Sleep(Duration(length.0 - 1)));
            }
        }
    }
}

/// A call that makes a request, if there may be another one. Its key is the next of its session, so that both
/// agents, and the same agent in a new session, use the same keys.
fn call(node: &Node, agent: Agent, session: u16, ask: Ask) -> Option<Call> {
    let made = node.state.counters.request;
    let live = node.state.sessions.get(&super::moves::session_id(session))?;
    let seen = dbeast::reducer::read::source(&node.state, &agent.id(), &shop());
    (made < REQUESTS_MAX).then(|| Call {
        agent,
        session,
        key: u8::try_from(live.keys.len()).unwrap_or(u8::MAX).saturating_add(1),
        request: u8::try_from(made).unwrap_or(u8::MAX).saturating_add(1),
        ask,
        generation: seen.map_or(0, |source| source.generation.0),
        is_stale: false,
    })
}

/// Every used key again, with what it was used for and with something else; everything with the token of the
/// other agent.
fn attacks(node: &Node, agent: Agent, session: u16, moves: &mut Vec<Move>) {
    let state = &node.state;
    let Some(live) = state.sessions.get(&super::moves::session_id(session)) else { return };
    let generation = state.sources.get(&shop()).map_or(0, |source| source.generation.0);
    let fresh =
        Call { agent, session, key: 1, request: 9, ask: Ask::Orders, generation, is_stale: false };
    for key in 1..=u8::try_from(live.keys.len()).unwrap_or(u8::MAX) {
        moves.extend([Ask::Orders, Ask::Plain].map(|ask| Move::Submit(Call { key, ask, ..fresh })));
    }
    let other = Agent::ALL.into_iter().find(|other| *other != agent);
    let Some(foreign) = other.and_then(|other| node.session(other)) else { return };
    moves.push(Move::Submit(Call { session: foreign, key: 7, ..fresh }));
    moves.push(Move::Leave(agent, foreign));
    for id in state.requests.keys() {
        let number = super::node::number(id.as_str());
        moves.extend([Move::Cancel(agent, foreign, number), Move::Cancel(agent, session, number)]);
    }
}

impl Model for Machine {
    type State = Node;
    type Action = Move;

    fn init_states(&self) -> Vec<Node> {
        vec![self.first()]
    }

    fn actions(&self, node: &Node, moves: &mut Vec<Move>) {
        if node.broken == 0 {
            self.person(node, moves);
            self.agents(node, moves);
            self.outside(node, moves);
        }
    }

    fn next_state(&self, node: &Node, made: Move) -> Option<Node> {
        Some(self.after(node, made))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        rules::properties(&self.space.reached)
    }
}
