//! Why a move was refused, and the words for it.
//!
//! No variant holds text from outside, so nothing that an agent must not see can travel in one
//! (contract, "Results and errors"). Unknown and foreign identifiers are the same variant.

use crate::reason::Reason;
use serde::Serialize;

/// A typed refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Refusal {
    /// The agents' door is closed.
    ServerStopped,
    /// No live session of this client has this token.
    SessionExpired,
    /// No such source or request for this client: unknown, foreign or not shared.
    ResourceUnavailable,
    /// The request key was used with other arguments.
    RequestConflict,
    /// The text or its tables cannot be verified.
    Unsupported(Reason),
    /// The session has as many waiting requests as it may.
    SessionPendingLimit,
    /// All sessions together have as many waiting requests as they may.
    PendingLimit,
    /// The session has used up its request keys.
    KeyLimit,
    /// As many connections exist as may.
    ClientLimit,
    /// As many sources exist as may.
    SourceLimit,
    /// As many documents are open as may.
    DocumentLimit,
    /// The document is larger than a snapshot may be.
    SnapshotTooLarge,
    /// All documents together are larger than they may be.
    SnapshotsTooLarge,
    /// As many tables have a level of their own as may.
    SharedTableLimit,
    /// The session has as many grants as it may.
    GrantLimit,
    /// The source never accepts writes.
    SourceReadOnly,
    /// The snapshot that was asked for is not the current one.
    VersionChanged,
    /// The decision reaches for something that the request is not about.
    ScopeDoesNotFit,
    /// The engine of the source has no such setting.
    SettingDoesNotFit,
    /// The request is not waiting for a decision (any more).
    NotPending,
    /// The request was allowed already.
    AlreadyAllowed,
    /// The person named something that does not exist (any more).
    Unknown,
    /// An identifier that must be fresh is in use.
    IdentifierInUse,
    /// An answer to work that is not known (any more).
    LateAnswer,
    /// Restoring is only possible before anything else happened.
    NotAtStart,
}

/// The contract's error codes for agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The arguments are not of the tool's form.
    InvalidInput,
    /// There is no live session behind the token.
    SessionExpired,
    /// The person (or their silence) said no.
    PermissionDenied,
    /// Unknown, foreign or not shared.
    ResourceUnavailable,
    /// The statement or its tables cannot be verified.
    UnsupportedSafeRead,
    /// The key was used for something else.
    RequestConflict,
    /// A limit was reached.
    LimitExceeded,
    /// It was taken back.
    Cancelled,
    /// Nobody can say whether it took effect.
    OutcomeUnknown,
    /// The database could not run it.
    ExecutionFailed,
}

impl ErrorCode {
    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::SessionExpired => "session_expired",
            Self::PermissionDenied => "permission_denied",
            Self::ResourceUnavailable => "resource_unavailable",
            Self::UnsupportedSafeRead => "unsupported_safe_read",
            Self::RequestConflict => "request_conflict",
            Self::LimitExceeded => "limit_exceeded",
            Self::Cancelled => "cancelled",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::ExecutionFailed => "execution_failed",
        }
    }
}

impl Refusal {
    /// Which of the contract's codes an agent sees.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::ServerStopped | Self::SessionExpired => ErrorCode::SessionExpired,
            Self::ResourceUnavailable
            | Self::Unknown
            | Self::VersionChanged
            | Self::LateAnswer
            | Self::NotAtStart => ErrorCode::ResourceUnavailable,
            Self::SourceReadOnly => ErrorCode::PermissionDenied,
            Self::ScopeDoesNotFit | Self::SettingDoesNotFit => ErrorCode::InvalidInput,
            Self::RequestConflict
            | Self::NotPending
            | Self::AlreadyAllowed
            | Self::IdentifierInUse => ErrorCode::RequestConflict,
            Self::Unsupported(_) => ErrorCode::UnsupportedSafeRead,
            Self::SessionPendingLimit
            | Self::PendingLimit
            | Self::KeyLimit
            | Self::ClientLimit
            | Self::SourceLimit
            | Self::DocumentLimit
            | Self::SnapshotTooLarge
            | Self::SnapshotsTooLarge
            | Self::SharedTableLimit
            | Self::GrantLimit => ErrorCode::LimitExceeded,
        }
    }

    /// Why a text or its tables cannot be verified; none for every other refusal.
    #[must_use]
    pub const fn reason(self) -> Option<Reason> {
        if let Self::Unsupported(reason) = self { Some(reason) } else { None }
    }

    /// What was wrong, in static words.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::ServerStopped => "The server for agents is stopped.",
            Self::SessionExpired => {
                "There is no live session behind this session_token for this connection."
            }
            Self::ResourceUnavailable => {
                "Nothing is available to this session under that identifier."
            }
            Self::RequestConflict => "This request_key was already used with different arguments.",
            Self::Unsupported(reason) => match reason {
                Reason::Sql(reason) => reason.message(),
                Reason::Database(reason) => reason.message(),
            },
            Self::SessionPendingLimit => "This session already has 4 requests that wait.",
            Self::PendingLimit => "32 requests already wait in all.",
            Self::KeyLimit => "This session has used its 256 request keys.",
            Self::ClientLimit => "There are already 16 agent connections.",
            Self::SourceLimit => "There are already 128 sources.",
            Self::DocumentLimit => "There are already 128 open documents.",
            Self::SnapshotTooLarge => "A document for agents can have at most 4 MiB.",
            Self::SnapshotsTooLarge => "All documents for agents can have at most 16 MiB together.",
            Self::SharedTableLimit => "As many single tables are shared as can be.",
            Self::GrantLimit => "This session already has 64 grants.",
            Self::SourceReadOnly => "This source is read-only; nothing on it can be written.",
            Self::VersionChanged => "The document has changed; that snapshot is gone.",
            Self::ScopeDoesNotFit => "This kind of access does not fit the request.",
            Self::SettingDoesNotFit => "The engine of this source has no such setting.",
            Self::NotPending => "This request does not wait for a decision any more.",
            Self::AlreadyAllowed => "This request was already allowed; it waits for a free slot.",
            Self::Unknown => "That does not exist any more.",
            Self::IdentifierInUse => "That identifier is already in use.",
            Self::LateAnswer => "That work is already over.",
            Self::NotAtStart => "Restoring is only possible before anything else happened.",
        }
    }

    /// What to do next, in static words.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::ServerStopped => "Ask the person to start the server in DBeast.",
            Self::SessionExpired => "Call begin_session and use the session_token that it returns.",
            Self::ResourceUnavailable => {
                "Call list_catalog to see what is shared with this connection."
            }
            Self::RequestConflict | Self::IdentifierInUse => {
                "Use a fresh UUID for each new intent."
            }
            Self::Unsupported(_) => "Change the statement; it never runs another way by itself.",
            Self::SessionPendingLimit | Self::PendingLimit => {
                "Wait for a decision (get_request) or take one back (cancel_request)."
            }
            Self::KeyLimit => "Begin a new session.",
            Self::ClientLimit => "Revoke a connection that is not used any more.",
            Self::SourceLimit => "Remove a source that is not used any more.",
            Self::DocumentLimit => "Close a document that is not used any more.",
            Self::SnapshotTooLarge | Self::SnapshotsTooLarge => {
                "Close it for agents, or share a smaller document."
            }
            Self::SharedTableLimit => "Share the whole source, or take single tables out.",
            Self::GrantLimit => "Take back a grant that is not needed any more.",
            Self::SourceReadOnly => {
                "Read from it, or let the person make the source writable in DBeast."
            }
            Self::VersionChanged => "Call list_catalog for the version of the current snapshot.",
            Self::ScopeDoesNotFit => "Choose one of the kinds of access that the request offers.",
            Self::SettingDoesNotFit => {
                "Leave it out: on MySQL and MariaDB the database is the schema, and there is one lock."
            }
            Self::NotPending | Self::AlreadyAllowed | Self::Unknown | Self::LateAnswer => {
                "Look at the current state; it has changed meanwhile."
            }
            Self::NotAtStart => "Restart the program.",
        }
    }
}
