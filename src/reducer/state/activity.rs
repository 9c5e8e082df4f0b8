//! The activity list as it is kept: two bounded queues, read as one list.

use super::{Authorisation, Entries, Status};
use crate::events::{Scope, Tool, WithheldText};
use crate::ids::{RequestId, SessionId};
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The last entries. What agents can make at will has a share of its own, so that it cannot wash out
/// what the person and the databases did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Activity {
    /// What the person, the databases and authorised requests did, oldest first.
    pub of_record: Entries,
    /// What agents can make at will, oldest first.
    pub at_will: Entries,
}

impl Activity {
    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.of_record.len() + self.at_will.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> Vec<&Arc<Entry>> {
        let mut entries: Vec<&Arc<Entry>> =
            self.of_record.iter().chain(self.at_will.iter()).collect();
        entries.sort_unstable_by_key(|entry| entry.entry);
        entries
    }
}

/// One entry of the activity list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// Counts up.
    pub entry: u64,
    /// When.
    pub at: Millis,
    /// What happened.
    pub kind: EntryKind,
    /// Connection, by the person's name for it.
    pub client_label: Option<Arc<str>>,
    /// Public session identifier.
    pub session: Option<SessionId>,
    /// The agent's own words.
    pub session_label: Option<Arc<str>>,
    /// Request.
    pub request: Option<RequestId>,
    /// Source or document, by the person's name for it.
    pub resource_name: Option<Arc<str>>,
    /// Source or document, by the name that agents see.
    pub resource_alias: Option<Arc<str>>,
    /// Tool.
    pub tool: Option<Tool>,
    /// Status of the request after it.
    pub status: Option<Status>,
    /// The exact SQL.
    pub sql: Option<Arc<str>>,
    /// Why the request might run.
    pub authorisation: Option<Authorisation>,
    /// How far a decision reached.
    pub scope: Option<Scope>,
    /// More for the person, in words of DBeast or of the person.
    pub detail: Option<Arc<str>>,
    /// The driver's own words, for the person only.
    pub cause: Option<WithheldText>,
}

/// What an entry says happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EntryKind {
    /// The person connected an agent.
    ClientCreated,
    /// The person revoked a connection.
    ClientRevoked,
    /// An agent began a session.
    SessionBegan,
    /// A session ended.
    SessionEnded,
    /// The person added a database.
    SourceAdded,
    /// The person gave it other names.
    SourceRenamed,
    /// The person changed what it is.
    SourceChanged,
    /// The person removed it.
    SourceRemoved,
    /// The person shared a document, or not any more.
    DocumentShared,
    /// A document went back to the text on disk.
    DocumentReverted,
    /// A document was closed.
    DocumentClosed,
    /// The person changed standing access.
    SharingSet,
    /// The person took a grant back.
    GrantRevoked,
    /// A grant ended because its table is another one.
    GrantEnded,
    /// A text could not be verified.
    StatementRefused,
    /// An agent asked.
    RequestSubmitted,
    /// The person allowed a request.
    RequestAllowed,
    /// Its task started.
    RequestStarted,
    /// It has a result.
    RequestCompleted,
    /// The database refused or failed.
    RequestFailed,
    /// The person said no.
    RequestDenied,
    /// It was taken back.
    RequestCancelled,
    /// Its time was over.
    RequestExpired,
    /// What it stood on was taken away.
    RequestRevoked,
    /// Nobody can say whether it took effect.
    RequestOutcomeUnknown,
    /// The end of a statement whose request was over before.
    StatementEnded,
    /// The agents' door opened.
    ServerStarted,
    /// The agents' door closed.
    ServerStopped,
    /// The person pressed Stop all.
    AllStopped,
}

impl EntryKind {
    /// The past-tense word for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ClientCreated => "client_created",
            Self::ClientRevoked => "client_revoked",
            Self::SessionBegan => "session_began",
            Self::SessionEnded => "session_ended",
            Self::SourceAdded => "source_added",
            Self::SourceRenamed => "source_renamed",
            Self::SourceChanged => "source_changed",
            Self::SourceRemoved => "source_removed",
            Self::DocumentShared => "document_shared",
            Self::DocumentReverted => "document_reverted",
            Self::DocumentClosed => "document_closed",
            Self::SharingSet => "sharing_set",
            Self::GrantRevoked => "grant_revoked",
            Self::GrantEnded => "grant_ended",
            Self::StatementRefused => "statement_refused",
            Self::RequestSubmitted => "request_submitted",
            Self::RequestAllowed => "request_allowed",
            Self::RequestStarted => "request_started",
            Self::RequestCompleted => "request_completed",
            Self::RequestFailed => "request_failed",
            Self::RequestDenied => "request_denied",
            Self::RequestCancelled => "request_cancelled",
            Self::RequestExpired => "request_expired",
            Self::RequestRevoked => "request_revoked",
            Self::RequestOutcomeUnknown => "request_outcome_unknown",
            Self::StatementEnded => "statement_ended",
            Self::ServerStarted => "server_started",
            Self::ServerStopped => "server_stopped",
            Self::AllStopped => "all_stopped",
        }
    }
}
