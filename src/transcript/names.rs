//! The name of each variant, and the list of all names. One macro makes both, so that a variant
//! without a name does not compile and a name without a variant does not exist.

use crate::events::{
    ClientEvent, Event, Level, Notice, Operation, RequestEvent, ServerEvent, SessionEvent,
    SharingEvent, SourceEvent, TaskEvent, TaskOutcome,
};
use crate::reducer::state::{Authorisation, Problem, Status};
use crate::reducer::{Effect, Refusal};

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
    Event::Source(SourceEvent::Removed { .. }) => "SourceRemoved",
    Event::Sharing(SharingEvent::Set { .. }) => "SharingSet",
    Event::Request(RequestEvent::Submitted(_)) => "RequestSubmitted",
    Event::Request(RequestEvent::AllowedOnce { .. }) => "RequestAllowedOnce",
    Event::Request(RequestEvent::Denied { .. }) => "RequestDenied",
    Event::Request(RequestEvent::Cancelled { .. }) => "RequestCancelled",
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
    Operation::Refused { .. } => "operation refused by its text",
});

names!(OUTCOMES, outcome, TaskOutcome {
    TaskOutcome::Completed(_) => "outcome completed",
    TaskOutcome::Failed { .. } => "outcome failed",
    TaskOutcome::Cancelled => "outcome cancelled",
    TaskOutcome::DeadlineExceeded => "outcome deadline exceeded",
});

names!(EFFECTS, effect, Effect {
    Effect::RunTask { .. } => "effect RunTask",
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
    Refusal::SessionLimit => "session limit",
    Refusal::ClientLimit => "client limit",
    Refusal::SourceLimit => "source limit",
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
    Status::ResultExpired => "status result_expired",
});

names!(PROBLEMS, problem, Problem {
    Problem::Denied { .. } => "problem denied",
    Problem::DecisionExpired => "problem decision expired",
    Problem::DeadlineExceeded => "problem deadline exceeded",
    Problem::Failed(_) => "problem failed",
    Problem::Cancelled => "problem cancelled",
    Problem::Revoked => "problem revoked",
});

names!(AUTHORISATIONS, authorisation, Authorisation {
    Authorisation::Once => "authorisation once",
    Authorisation::SharedAccess => "authorisation shared_access",
});

names!(LEVELS, level, Level {
    Level::Ask => "level ask",
    Level::Read => "level read",
});

names!(NOTICES, notice, Notice {
    Notice::VaultInMemory => "notice vault_in_memory",
    Notice::VaultUnavailable => "notice vault_unavailable",
    Notice::VaultOfOtherOwner => "notice vault_of_other_owner",
    Notice::VaultNotSaved => "notice vault_not_saved",
    Notice::ConfigurationNotSaved => "notice configuration_not_saved",
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
