//! What should be done outside, as plain comparable data. `effects` runs it and answers with events.
//!
//! What is to be kept shares its maps with the state: asking for it costs the same however much it is.

use super::state::{Clients, Sharing, Source, Sources};
use crate::events::{Excerpt, KeptShare, SourceLocation, VerifiedRead, VerifiedWrite};
use crate::ids::{ClientId, RequestId, SourceGeneration, SourceId, TaskId};
use crate::secret::TokenHash;
use crate::time::{Duration, Millis};
use crate::value::{ObjectIdentity, ReadLock, TableName};
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Effect {
    /// Start work. Its end comes back as `TaskEvent::Finished`, whatever happens.
    RunTask {
        /// Who reports.
        task: TaskId,
        /// For the log; the request may be gone when the task ends.
        request: RequestId,
        /// Where.
        place: Place,
        /// What.
        work: Work,
        /// The table must still be this one, or nothing is read (`TaskOutcome::IdentityChanged`).
        pinned: Option<(TableName, ObjectIdentity)>,
        /// How long connecting may take.
        setup: Duration,
        /// How long all of it may take.
        deadline: Duration,
    },
    /// Ask the database what it expects of a write, without running anything of it. The answer comes back as
    /// `RequestEvent::Estimated`, or none comes.
    Estimate {
        /// For which request.
        request: RequestId,
        /// Where.
        place: Place,
        /// The write.
        write: Arc<VerifiedWrite>,
    },
    /// Send the statement of work that asked for it (`TaskEvent::ReadyToSend`).
    SendStatement {
        /// Which task.
        task: TaskId,
    },
    /// Hand out a range of a document. Its end comes back as `TaskEvent::Finished`.
    ReadDocument {
        /// Who reports.
        task: TaskId,
        /// For the log.
        request: RequestId,
        /// The range and its text.
        excerpt: Excerpt,
    },
    /// Interrupt work. It keeps its slot until it reports its end.
    CancelTask {
        /// Which task.
        task: TaskId,
    },
    /// Send `TimePassed` at this time; a later alarm replaces an earlier one.
    SetAlarm {
        /// When; none switches it off.
        at: Option<Millis>,
    },
    /// Keep connections and sharing in the vault.
    SaveVault {
        /// All connections; `saved_clients` is their list.
        #[serde(serialize_with = "as_saved_clients")]
        clients: Clients,
        /// All entries of the sharing table; `kept_shares` is their list.
        #[serde(serialize_with = "as_kept_shares")]
        sharing: Sharing,
    },
    /// Keep the sources in the configuration file.
    SaveSources {
        /// All sources; `saved_sources` is their list.
        #[serde(serialize_with = "as_saved_sources")]
        sources: Sources,
    },
}

/// Where work is done: a source under one configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Place {
    /// Which source. Its password, if it has one, is known outside under this identifier.
    pub source: SourceId,
    /// Under which configuration: what is kept open for another one must not be used.
    pub generation: SourceGeneration,
    /// Where it is.
    pub location: SourceLocation,
    /// The database or schema in which names are looked up.
    pub context: Option<Arc<str>>,
    /// Whether it is never written to, whatever the work is.
    pub is_read_only: bool,
    /// How tables are held during a read.
    pub read_lock: ReadLock,
}

impl Place {
    /// The source as it is now.
    #[must_use]
    pub fn of(id: &SourceId, source: &Source) -> Self {
        Self {
            source: id.clone(),
            generation: source.generation,
            location: source.location.clone(),
            context: source.context.clone(),
            is_read_only: source.is_read_only,
            read_lock: source.read_lock,
        }
    }
}

/// The work of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Work {
    /// Candidates of the source.
    ListTables,
    /// Verified metadata.
    DescribeTable {
        /// Which table.
        table: TableName,
    },
    /// A verified read.
    Read {
        /// What runs.
        read: Arc<VerifiedRead>,
    },
    /// One INSERT, UPDATE or DELETE of one table. Asks before it sends.
    TableWrite {
        /// What runs, written by DBeast.
        write: Arc<VerifiedWrite>,
    },
    /// Any single statement. Asks before it sends.
    FullSql {
        /// What runs, in the agent's own words.
        sql: Arc<str>,
    },
}

/// A connection as the vault keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SavedClient {
    /// Identifier.
    pub client: ClientId,
    /// The person's name for it.
    pub label: Arc<str>,
    /// SHA-256 of its token.
    pub token_hash: TokenHash,
    /// When it was created.
    pub created_at: Millis,
}

/// A source as the configuration file keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SavedSource {
    /// Identifier.
    pub source: SourceId,
    /// The person's name for it.
    pub name: Arc<str>,
    /// The name that agents see.
    pub alias: Arc<str>,
    /// Where it is.
    pub location: SourceLocation,
    /// The database or schema in which names are looked up.
    pub context: Option<Arc<str>>,
    /// Whether it never accepts writes.
    pub is_read_only: bool,
    /// How tables are held during a read.
    pub read_lock: ReadLock,
    /// When it was added.
    pub added_at: Millis,
}

/// The connections as the vault keeps them.
#[must_use]
pub fn saved_clients(clients: &Clients) -> Vec<SavedClient> {
    let saved = clients.iter().map(|(id, client)| SavedClient {
        client: id.clone(),
        label: client.label.clone(),
        token_hash: client.token_hash,
        created_at: client.created_at,
    });
    saved.collect()
}

/// The sharing table as the vault keeps it.
#[must_use]
pub fn kept_shares(sharing: &Sharing) -> Vec<KeptShare> {
    let kept = sharing.iter().map(|((source, audience), share)| KeptShare {
        source: source.clone(),
        audience: audience.clone(),
        level: share.level,
        tables: share.tables.iter().map(|(name, level)| (name.clone(), *level)).collect(),
    });
    kept.collect()
}

/// The sources as the configuration file keeps them.
#[must_use]
pub fn saved_sources(sources: &Sources) -> Vec<SavedSource> {
    let saved = sources.iter().map(|(id, source)| SavedSource {
        source: id.clone(),
        name: source.name.clone(),
        alias: source.alias.clone(),
        location: source.location.clone(),
        context: source.context.clone(),
        is_read_only: source.is_read_only,
        read_lock: source.read_lock,
        added_at: source.added_at,
    });
    saved.collect()
}

fn as_saved_clients<S: Serializer>(clients: &Clients, to: S) -> Result<S::Ok, S::Error> {
    saved_clients(clients).serialize(to)
}

fn as_kept_shares<S: Serializer>(sharing: &Sharing, to: S) -> Result<S::Ok, S::Error> {
    kept_shares(sharing).serialize(to)
}

fn as_saved_sources<S: Serializer>(sources: &Sources, to: S) -> Result<S::Ok, S::Error> {
    saved_sources(sources).serialize(to)
}
