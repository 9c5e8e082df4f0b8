//! What should be done outside, as plain comparable data. `effects` runs it and answers with events.

use crate::events::{Audience, Level, SourceLocation, VerifiedRead};
use crate::ids::{ClientId, RequestId, SourceId, TaskId};
use crate::secret::TokenHash;
use crate::time::{Duration, Millis};
use crate::value::TableName;
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
        /// What.
        work: Work,
        /// How long it may take.
        deadline: Duration,
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
        sharing: Vec<(SourceId, Audience, Level)>,
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
    /// When it was added.
    pub added_at: Millis,
}
