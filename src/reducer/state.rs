//! The state: persistent ordered maps, so that a copy costs nothing and every walk has one order.

use super::refusal::Refusal;
use crate::events::{
    ArgumentsDigest, Audience, Level, Notice, Operation, ResultBody, SourceLocation,
};
use crate::ids::{
    ClientId, Generation, GrantId, RequestId, RequestKey, SessionId, SourceGeneration, SourceId,
    TaskId,
};
use crate::reason::Reason;
use crate::secret::TokenHash;
use crate::time::Millis;
use imbl::{OrdMap, OrdSet, Vector};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything that DBeast knows between two events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// The envelope that made this state; also the revision of the view.
    pub seq: u64,
    /// The time of that envelope.
    pub now: Millis,
    /// The agents' door.
    pub server: Server,
    /// Agent connections.
    pub clients: OrdMap<ClientId, Client>,
    /// Live sessions; an ended one is removed.
    pub sessions: OrdMap<SessionId, Session>,
    /// Databases.
    pub sources: OrdMap<SourceId, Source>,
    /// Standing access. No entry means not shared.
    pub sharing: OrdMap<(SourceId, Audience), Level>,
    /// Live one-time grants: given, not yet used.
    pub grants: OrdMap<GrantId, Grant>,
    /// Requests of live sessions, finished ones for a while.
    pub requests: OrdMap<RequestId, Request>,
    /// Keys of live sessions, never evicted.
    pub keys: OrdMap<(SessionId, RequestKey), Reservation>,
    /// What is left of finished requests after their time: enough to answer, no data.
    pub tombstones: OrdMap<RequestId, Tombstone>,
    /// Work that holds a slot.
    pub tasks: OrdMap<TaskId, Task>,
    /// The last entries of the activity list, oldest first.
    pub activity: Vector<Entry>,
    /// What the person should know about the program itself.
    pub notices: OrdSet<Notice>,
    /// The alarm that is set outside.
    pub alarm: Option<Millis>,
    /// Counters for what only the reducer names.
    pub counters: Counters,
}

/// The agents' door.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Server {
    /// Port while it is open.
    pub port: Option<u16>,
    /// Counts the starts.
    pub generation: Generation,
    /// When it was opened last.
    pub started_at: Option<Millis>,
}

/// An agent connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Client {
    /// The person's name for it.
    pub label: Arc<str>,
    /// SHA-256 of its token.
    pub token_hash: TokenHash,
    /// When the person created it.
    pub created_at: Millis,
}

/// A live session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Session {
    /// Whose it is.
    pub client: ClientId,
    /// SHA-256 of its token.
    pub token_hash: TokenHash,
    /// The agent's own words.
    pub label: Option<Arc<str>>,
    /// When it began.
    pub began_at: Millis,
    /// When it was last used.
    pub last_used_at: Millis,
    /// How many keys it has reserved.
    pub keys_used: usize,
}

/// A database.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The person's name for it.
    pub name: Arc<str>,
    /// The name that agents see.
    pub alias: Arc<str>,
    /// Where it is.
    pub location: SourceLocation,
    /// Which configuration this is.
    pub generation: SourceGeneration,
    /// When it was added.
    pub added_at: Millis,
}

/// A one-time grant: exactly one request, not yet started.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Grant {
    /// The one request that it covers.
    pub request: RequestId,
    /// When the person gave it.
    pub granted_at: Millis,
}

/// Where a request is in its life (contract, "Approval and execution").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Status {
    /// Waits for a decision or, if it has its authorisation, for a free slot.
    Pending,
    /// Its task runs.
    Running,
    /// It has a result.
    Completed,
    /// The database refused or failed.
    Failed,
    /// The person said no.
    Denied,
    /// It was taken back.
    Cancelled,
    /// Its time was over: for the decision, or for the operation.
    Expired,
    /// What it stood on was taken away.
    Revoked,
    /// It had a result, which is gone.
    ResultExpired,
}

impl Status {
    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::ResultExpired => "result_expired",
        }
    }

    /// Whether nothing can change it any more but the passing of its time.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }
}

/// Why a request may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Authorisation {
    /// The person allowed it, once.
    Once,
    /// Standing access covered it when it was asked.
    SharedAccess,
}

impl Authorisation {
    /// The word in the activity list.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::SharedAccess => "shared_access",
        }
    }
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Problem {
    /// The person said no, perhaps with words for the agent.
    Denied {
        /// The person's words.
        note: Option<Arc<str>>,
    },
    /// Nobody decided in time, or no slot became free in time.
    DecisionExpired,
    /// The operation took too long.
    DeadlineExceeded,
    /// The database refused or failed.
    Failed(Reason),
    /// It was taken back.
    Cancelled,
    /// What it stood on was taken away.
    Revoked,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// Position in the order of arrival: waiting ones start in this order.
    pub order: u64,
    /// Who asked.
    pub client: ClientId,
    /// In which session.
    pub session: SessionId,
    /// Of which source.
    pub source: SourceId,
    /// Under which configuration of the source.
    pub source_generation: SourceGeneration,
    /// What.
    pub operation: Operation,
    /// Where it is in its life.
    pub status: Status,
    /// Why it may run; none while the person has not decided.
    pub authorisation: Option<Authorisation>,
    /// When it came.
    pub submitted_at: Millis,
    /// When it expires if it is still pending.
    pub expires_at: Millis,
    /// Its task while it runs.
    pub task: Option<TaskId>,
    /// When it became final.
    pub finished_at: Option<Millis>,
    /// Its result while it is kept.
    pub result: Option<ResultBody>,
    /// Why it has none.
    pub problem: Option<Problem>,
}

/// A key that was used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reservation {
    /// The request that it made.
    pub request: RequestId,
    /// With which arguments.
    pub digest: ArgumentsDigest,
}

/// What is left of a finished request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tombstone {
    /// Whose it was.
    pub session: SessionId,
    /// How it ended.
    pub status: Status,
    /// Why it had no result.
    pub problem: Option<Problem>,
}

/// Work that holds a slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Task {
    /// For which request; it may be gone.
    pub request: RequestId,
    /// Whose slot it holds; the session may be gone.
    pub session: SessionId,
    /// When its time is over.
    pub deadline_at: Millis,
    /// Whether it was told to stop.
    pub is_cancelling: bool,
}

/// One entry of the activity list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Entry {
    /// Counts up.
    pub entry: u64,
    /// When.
    pub at: Millis,
    /// Past-tense word.
    pub event: &'static str,
    /// Connection, by the person's name for it.
    pub client_label: Option<Arc<str>>,
    /// Public session identifier.
    pub session: Option<SessionId>,
    /// The agent's own words.
    pub session_label: Option<Arc<str>>,
    /// Request.
    pub request: Option<RequestId>,
    /// Source, by the person's name for it.
    pub source_name: Option<Arc<str>>,
    /// Source, by the name that agents see.
    pub source_alias: Option<Arc<str>>,
    /// Tool.
    pub operation: Option<&'static str>,
    /// Status of the request after it.
    pub status: Option<Status>,
    /// The exact SQL.
    pub sql: Option<Arc<str>>,
    /// Why the request might run.
    pub authorisation: Option<Authorisation>,
    /// More for the person: a reason, or the driver's own words.
    pub detail: Option<Arc<str>>,
}

/// Counters for what only the reducer names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Counters {
    /// Last grant.
    pub grant: GrantId,
    /// Last task.
    pub task: TaskId,
    /// Last source configuration.
    pub source_generation: SourceGeneration,
    /// Last request.
    pub request: u64,
    /// Last activity entry.
    pub entry: u64,
    /// Last generic alias.
    pub alias: u64,
}

impl State {
    /// The client whose token has this hash. Every client is compared, so that the time says
    /// nothing about which one it was.
    #[must_use]
    pub fn client_of(&self, token_hash: &TokenHash) -> Option<&ClientId> {
        let mut found = None;
        for (id, client) in &self.clients {
            if client.token_hash == *token_hash {
                found = Some(id);
            }
        }
        found
    }

    /// The live session of this client with this token (contract, "Identity and session" 3, 4).
    pub fn session_of(
        &self,
        client: &ClientId,
        token_hash: &TokenHash,
        now: Millis,
    ) -> Result<(&SessionId, &Session), Refusal> {
        if self.server.port.is_none() {
            return Err(Refusal::ServerStopped);
        }
        self.sessions
            .iter()
            .find(|(_, session)| session.client == *client && session.token_hash == *token_hash)
            .filter(|(_, session)| session.ends_at() > now)
            .ok_or(Refusal::SessionExpired)
    }

    /// What the client may do with the source: the higher of its own entry and that of all agents.
    #[must_use]
    pub fn level_of(&self, client: &ClientId, source: &SourceId) -> Option<Level> {
        let own = self.sharing.get(&(source.clone(), Audience::Client(client.clone())));
        let all = self.sharing.get(&(source.clone(), Audience::AllAgents));
        own.max(all).copied()
    }

    /// Whether the request is still covered by what it stands on (contract, "Approval and
    /// execution": checked again before execution and before the hand-over).
    #[must_use]
    pub fn covers(&self, request: &Request) -> bool {
        let source_is_same = self
            .sources
            .get(&request.source)
            .is_some_and(|source| source.generation == request.source_generation);
        let level = self.level_of(&request.client, &request.source);
        let needed = match request.authorisation {
            Some(Authorisation::SharedAccess) => Level::Read,
            Some(Authorisation::Once) | None => Level::Ask,
        };
        source_is_same && self.sessions.contains_key(&request.session) && level >= Some(needed)
    }
}

impl Session {
    /// When it is over if it is not used again.
    #[must_use]
    pub fn ends_at(&self) -> Millis {
        let idle = self.last_used_at.plus(super::limits::SESSION_IDLE);
        idle.min(self.began_at.plus(super::limits::SESSION_LIFETIME))
    }
}

/// Removes the entries of a map that are hit.
pub(super) fn remove_where<K: Ord + Clone, V: Clone>(
    map: &mut OrdMap<K, V>,
    is_hit: impl Fn(&K, &V) -> bool,
) {
    let hit: Vec<K> =
        map.iter().filter(|(key, value)| is_hit(key, value)).map(|(key, _)| key.clone()).collect();
    for key in hit {
        map.remove(&key);
    }
}
