//! The state: persistent ordered maps, so that a copy costs nothing and every walk has one order.
//!
//! Larger things stand behind an `Arc`: copying a node of a map then copies pointers only.

mod activity;
mod entries;
mod grant;
mod pairs;
mod request;

pub use activity::{Activity, Entry, EntryKind};
pub use entries::Entries;
pub use grant::{Grant, GrantScope};
pub use request::{Authorisation, Problem, Request, Reservation, Status, Task, Tombstone};

use super::refusal::Refusal;
use crate::events::{
    Audience, DocumentKind, Level, Notice, SourceLocation, TableLevel, WithheldText,
};
use crate::ids::{
    ClientId, DocumentVersion, FileId, Generation, GrantId, RequestId, RequestKey, SessionId,
    SourceGeneration, SourceId, TaskId,
};
use crate::secret::TokenHash;
use crate::time::Millis;
use crate::value::{ReadLock, TableName};
use imbl::{OrdMap, OrdSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Agent connections by identifier.
pub type Clients = OrdMap<ClientId, Arc<Client>>;
/// Databases by identifier.
pub type Sources = OrdMap<SourceId, Arc<Source>>;
/// The sharing table.
pub type Sharing = OrdMap<(SourceId, Audience), Arc<Share>>;

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
    pub clients: Clients,
    /// Live sessions; an ended one is removed.
    pub sessions: OrdMap<SessionId, Arc<Session>>,
    /// Databases.
    pub sources: Sources,
    /// Standing access. No entry means not shared.
    pub sharing: Sharing,
    /// Open texts.
    pub documents: OrdMap<FileId, Arc<Document>>,
    /// Who sees which document in the catalog.
    pub shared_documents: OrdSet<(FileId, Audience)>,
    /// Live grants: one-time ones that are not yet used, and those for a session.
    pub grants: OrdMap<GrantId, Arc<Grant>>,
    /// Requests of live sessions, finished ones for a while.
    pub requests: OrdMap<RequestId, Arc<Request>>,
    /// Work that holds a slot.
    pub tasks: OrdMap<TaskId, Task>,
    /// The last entries of the activity list.
    pub activity: Activity,
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

/// A live session, with what ends together with it.
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
    /// Keys that it used, never evicted.
    #[serde(with = "pairs")]
    pub keys: OrdMap<RequestKey, Reservation>,
    /// What is left of its finished requests after their time: enough to answer, no data.
    #[serde(with = "pairs")]
    pub tombstones: OrdMap<RequestId, Tombstone>,
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
    /// The database or schema in which names are looked up.
    pub context: Option<Arc<str>>,
    /// Which configuration this is.
    pub generation: SourceGeneration,
    /// Whether it can be used at all.
    pub is_available: bool,
    /// Whether it never accepts writes.
    pub is_read_only: bool,
    /// How tables are held during a read.
    pub read_lock: ReadLock,
    /// When it was added.
    pub added_at: Millis,
}

/// An entry of the sharing table: the database level, and levels of single tables above it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Share {
    /// The database level.
    pub level: Level,
    /// Levels of tables by name.
    #[serde(with = "pairs")]
    pub tables: OrdMap<TableName, TableLevel>,
}

/// An open text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Document {
    /// The person's name for it.
    pub name: Arc<str>,
    /// The name that agents see.
    pub alias: Arc<str>,
    /// What kind of text it is.
    pub kind: DocumentKind,
    /// Which snapshot this is.
    pub version: DocumentVersion,
    /// The snapshot.
    pub text: WithheldText,
    /// When it was opened.
    pub opened_at: Millis,
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
    /// Last snapshot of a document.
    pub document_version: DocumentVersion,
    /// Last request.
    pub request: u64,
    /// Last activity entry.
    pub entry: u64,
    /// Last generic alias of a source.
    pub source_alias: u64,
    /// Last generic alias of a document.
    pub document_alias: u64,
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
            .map(|(id, session)| (id, &**session))
            .ok_or(Refusal::SessionExpired)
    }

    /// How many keys the live sessions have used.
    #[must_use]
    pub fn keys_used(&self) -> usize {
        self.sessions.values().map(|session| session.keys.len()).sum()
    }

    /// How many tombstones the live sessions have.
    #[must_use]
    pub fn tombstones(&self) -> usize {
        self.sessions.values().map(|session| session.tombstones.len()).sum()
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
    for key in &hit {
        map.remove(key);
    }
}
