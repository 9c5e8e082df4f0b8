//! What should be done outside, as plain comparable data. `effects` runs it and answers with events.

use crate::events::{Excerpt, KeptShare, SourceLocation, VerifiedRead};
use crate::ids::{ClientId, RequestId, SourceId, TaskId};
use crate::secret::TokenHash;
use crate::time::{Duration, Millis};
use crate::value::{ObjectIdentity, TableName};
use serde::Serialize;
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
        location: SourceLocation,
        /// The database or schema in which names are looked up.
        context: Option<Arc<str>>,
        /// What.
        work: Work,
        /// The table must still be this one, or nothing is read (`TaskOutcome::IdentityChanged`).
        pinned: Option<(TableName, ObjectIdentity)>,
        /// How long connecting may take.
        setup: Duration,
        /// How long all of it may take.
        deadline: Duration,
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
        /// All connections.
        clients: Vec<SavedClient>,
        /// All entries of the sharing table.
        sharing: Vec<KeptShare>,
    },
    /// Keep the sources in the configuration file.
    SaveSources {
        /// All sources.
        sources: Vec<SavedSource>,
    },
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
        read: VerifiedRead,
    },
    /// One INSERT, UPDATE or DELETE of one table. Asks before it sends.
    TableWrite {
        /// What runs, written by DBeast.
        sql: Arc<str>,
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
    /// When it was added.
    pub added_at: Millis,
}
