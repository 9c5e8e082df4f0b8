//! The name of each variant, and the list of all names. One macro makes both, so that a variant
//! without a name does not compile and a name without a variant does not exist.

use crate::events::{
    ClientEvent, DocumentEvent, Event, GrantEvent, Level, Notice, Operation, RequestEvent, Scope,
    ServerEvent, SessionEvent, SharingEvent, SourceChange, SourceEvent, TableLevel, TaskEvent,
    TaskOutcome,
};
use crate::reducer::state::{Authorisation, EntryKind, Problem, Status};
use crate::reducer::{Effect, Refusal, Work};

macro_rules! names {
    ($list:ident, $function:ident, $type:ty { $($pattern:pat => $name:literal,)+ }) => {
        /// All of them.
        pub const $list: &[&str] = &[$($name,)+];

        /// The name of one.
        #[must_use]
        pub fn $function(value: &$type) -> &'static str {
            match value { $($pattern => $name,)+ }
        }
    };
}

names!(EVENTS, event, Event {
    Event::Client(ClientEvent::Created { .. }) => "ClientCreated",
    Event::Client(ClientEvent::Revoked { .. }) => "ClientRevoked",
    Event::Session(SessionEvent::Began { .. }) => "SessionBegan",
    Event::Session(SessionEvent::Used { .. }) => "SessionUsed",
    Event::Session(SessionEvent::Ended { .. }) => "SessionEnded",
    Event::Session(SessionEvent::Revoked { .. }) => "SessionRevoked",
    Event::Source(SourceEvent::Added { .. }) => "SourceAdded",
    Event::Source(SourceEvent::Renamed { .. }) => "SourceRenamed",
    Event::Source(SourceEvent::Changed { change: SourceChange::Connection { .. }, .. }) => "SourceChanged connection",
    Event::Source(SourceEvent::Changed { change: SourceChange::Password, .. }) => "SourceChanged password",
    Event::Source(SourceEvent::Changed { change: SourceChange::Context { .. }, .. }) => "SourceChanged context",
    Event::Source(SourceEvent::Changed { change: SourceChange::Availability { .. }, .. }) => "SourceChanged availability",
    Event::Source(SourceEvent::Changed { change: SourceChange::ReadOnly { .. }, .. }) => "SourceChanged read-only",
    Event::Source(SourceEvent::Changed { change: SourceChange::ReadLock { .. }, .. }) => "SourceChanged read lock",
    Event::Source(SourceEvent::Removed { .. }) => "SourceRemoved",
    Event::Document(DocumentEvent::Opened { .. }) => "DocumentOpened",
    Event::Document(DocumentEvent::Changed { .. }) => "DocumentChanged",
    Event::Document(DocumentEvent::Reverted { .. }) => "DocumentReverted",
    Event::Document(DocumentEvent::Closed { .. }) => "DocumentClosed",
    Event::Document(DocumentEvent::Shared { .. }) => "DocumentShared",
    Event::Sharing(SharingEvent::Set { .. }) => "SharingSet",
    Event::Sharing(SharingEvent::TableSet { .. }) => "SharingTableSet",
    Event::Grant(GrantEvent::Revoked { .. }) => "GrantRevoked",
    Event::Request(RequestEvent::Submitted(_)) => "RequestSubmitted",
    Event::Request(RequestEvent::Allowed { .. }) => "RequestAllowed",
    Event::Request(RequestEvent::Denied { .. }) => "RequestDenied",
    Event::Request(RequestEvent::Cancelled { .. }) => "RequestCancelled",
    Event::Request(RequestEvent::Estimated { .. }) => "RequestEstimated",
    Event::Task(TaskEvent::ReadyToSend { .. }) => "TaskReadyToSend",
    Event::Task(TaskEvent::Finished { .. }) => "TaskFinished",
    Event::Server(ServerEvent::Restored { .. }) => "ServerRestored",
    Event::Server(ServerEvent::Started { .. }) => "ServerStarted",
    Event::Server(ServerEvent::Stopped) => "ServerStopped",
    Event::Server(ServerEvent::AllStopped) => "AllStopped",
    Event::Server(ServerEvent::NoticeRaised { .. }) => "NoticeRaised",
    Event::Server(ServerEvent::NoticeCleared { .. }) => "NoticeCleared",
    Event::Server(ServerEvent::TimePassed) => "TimePassed",
});

names!(OPERATIONS, operation, Operation {
    Operation::ListTables => "operation list_tables",
    Operation::DescribeTable { .. } => "operation describe_table",
    Operation::ReadTable { .. } => "operation read_table",
    Operation::QuerySql { .. } => "operation query_sql",
    Operation::RequestSql { write: None, .. } => "operation request_sql",
    Operation::RequestSql { write: Some(_), .. } => "operation request_sql of one table",
    Operation::ReadOpenFile { .. } => "operation read_open_file",
    Operation::Refused { .. } => "operation refused by its text",
});

names!(OUTCOMES, outcome, TaskOutcome {
    TaskOutcome::Completed { .. } => "outcome completed",
    TaskOutcome::Failed { .. } => "outcome failed",
    TaskOutcome::IdentityChanged => "outcome identity changed",
    TaskOutcome::Cancelled => "outcome cancelled",
    TaskOutcome::DeadlineExceeded => "outcome deadline exceeded",
    TaskOutcome::OutcomeUnknown { .. } => "outcome unknown",
});

names!(EFFECTS, effect, Effect {
    Effect::RunTask { .. } => "effect RunTask",
    Effect::Estimate { .. } => "effect Estimate",
    Effect::SendStatement { .. } => "effect SendStatement",
    Effect::ReadDocument { .. } => "effect ReadDocument",
    Effect::CancelTask { .. } => "effect CancelTask",
    Effect::SetAlarm { .. } => "effect SetAlarm",
    Effect::SaveVault { .. } => "effect SaveVault",
    Effect::SaveSources { .. } => "effect SaveSources",
});

names!(REFUSALS, refusal, Refusal {
    Refusal::ServerStopped => "server stopped",
    Refusal::SessionExpired => "session expired",
    Refusal::ResourceUnavailable => "resource unavailable",
    Refusal::RequestConflict => "request conflict",
    Refusal::Unsupported(_) => "unsupported",
    Refusal::SessionPendingLimit => "session pending limit",
    Refusal::PendingLimit => "pending limit",
    Refusal::KeyLimit => "key limit",
    Refusal::ClientLimit => "client limit",
    Refusal::SourceLimit => "source limit",
    Refusal::DocumentLimit => "document limit",
    Refusal::SnapshotTooLarge => "snapshot too large",
    Refusal::SnapshotsTooLarge => "snapshots too large",
    Refusal::SharedTableLimit => "shared table limit",
    Refusal::GrantLimit => "grant limit",
    Refusal::SourceReadOnly => "source read-only",
    Refusal::VersionChanged => "version changed",
    Refusal::ScopeDoesNotFit => "scope does not fit",
    Refusal::SettingDoesNotFit => "setting does not fit",
    Refusal::NotPending => "not pending",
    Refusal::AlreadyAllowed => "already allowed",
    Refusal::Unknown => "unknown",
    Refusal::IdentifierInUse => "identifier in use",
    Refusal::LateAnswer => "late answer",
    Refusal::NotAtStart => "not at start",
});

names!(STATUSES, status, Status {
    Status::Pending => "status pending",
    Status::Running => "status running",
    Status::Completed => "status completed",
    Status::Failed => "status failed",
    Status::Denied => "status denied",
    Status::Cancelled => "status cancelled",
    Status::Expired => "status expired",
    Status::Revoked => "status revoked",
    Status::OutcomeUnknown => "status outcome_unknown",
    Status::CompletedResultRevoked => "status completed_result_revoked",
    Status::ResultExpired => "status result_expired",
});

names!(PROBLEMS, problem, Problem {
    Problem::Denied { .. } => "problem denied",
    Problem::DecisionExpired => "problem decision expired",
    Problem::DeadlineExceeded => "problem deadline exceeded",
    Problem::Failed(_) => "problem failed",
    Problem::Cancelled => "problem cancelled",
    Problem::Revoked => "problem revoked",
    Problem::OutcomeUnknown => "problem outcome unknown",
    Problem::ResultRevoked => "problem result revoked",
});

names!(AUTHORISATIONS, authorisation, Authorisation {
    Authorisation::Once => "authorisation once",
    Authorisation::SessionGrant => "authorisation session_grant",
    Authorisation::SharedAccess => "authorisation shared_access",
});

names!(LEVELS, level, Level {
    Level::Ask => "level ask",
    Level::Read => "level read",
    Level::ReadWrite => "level read_write",
});

names!(TABLE_LEVELS, table_level, TableLevel {
    TableLevel::Read => "table level read",
    TableLevel::ReadWrite => "table level read_write",
});

names!(SCOPES, scope, Scope {
    Scope::Once => "scope once",
    Scope::Table => "scope table",
    Scope::Source => "scope source",
    Scope::FullSql => "scope full_sql",
    Scope::Document => "scope document",
});

names!(WORKS, work, Work {
    Work::ListTables => "work list tables",
    Work::DescribeTable { .. } => "work describe",
    Work::Read { .. } => "work read",
    Work::TableWrite { .. } => "work table write",
    Work::FullSql { .. } => "work full sql",
});

names!(ENTRIES, entry, EntryKind {
    EntryKind::ClientCreated => "activity client_created",
    EntryKind::ClientRevoked => "activity client_revoked",
    EntryKind::SessionBegan => "activity session_began",
    EntryKind::SessionEnded => "activity session_ended",
    EntryKind::SourceAdded => "activity source_added",
    EntryKind::SourceRenamed => "activity source_renamed",
    EntryKind::SourceChanged => "activity source_changed",
    EntryKind::SourceRemoved => "activity source_removed",
    EntryKind::DocumentShared => "activity document_shared",
    EntryKind::DocumentReverted => "activity document_reverted",
    EntryKind::DocumentClosed => "activity document_closed",
    EntryKind::SharingSet => "activity sharing_set",
    EntryKind::GrantRevoked => "activity grant_revoked",
    EntryKind::GrantEnded => "activity grant_ended",
    EntryKind::StatementRefused => "activity statement_refused",
    EntryKind::RequestSubmitted => "activity request_submitted",
    EntryKind::RequestAllowed => "activity request_allowed",
    EntryKind::RequestStarted => "activity request_started",
    EntryKind::RequestCompleted => "activity request_completed",
    EntryKind::RequestFailed => "activity request_failed",
    EntryKind::RequestDenied => "activity request_denied",
    EntryKind::RequestCancelled => "activity request_cancelled",
    EntryKind::RequestExpired => "activity request_expired",
    EntryKind::RequestRevoked => "activity request_revoked",
    EntryKind::RequestOutcomeUnknown => "activity request_outcome_unknown",
    EntryKind::StatementEnded => "activity statement_ended",
    EntryKind::ServerStarted => "activity server_started",
    EntryKind::ServerStopped => "activity server_stopped",
    EntryKind::AllStopped => "activity all_stopped",
});

names!(NOTICES, notice, Notice {
    Notice::VaultInMemory => "notice vault_in_memory",
    Notice::VaultUnavailable => "notice vault_unavailable",
    Notice::VaultOfOtherOwner => "notice vault_of_other_owner",
    Notice::VaultNotSaved => "notice vault_not_saved",
    Notice::ConfigurationNotSaved => "notice configuration_not_saved",
    Notice::PasswordsUnavailable => "notice passwords_unavailable",
    Notice::PasswordsNotSaved => "notice passwords_not_saved",
});

/// Why a session ended, as the activity list says it. The reducer keeps the enum to itself.
pub const ENDS: &[&str] = &[
    "ended by the agent",
    "replaced by a new session of the same connection",
    "idle for too long",
    "reached its longest time",
    "ended by the person",
    "Stop all",
    "its connection was revoked",
    "the server stopped",
];
