//! Requests, what is left of them, and the work for them.

use crate::events::{ArgumentsDigest, Operation, ResultBody, Target, VerifiedWrite, WriteEstimate};
use crate::ids::{ClientId, RequestId, SessionId, TaskId};
use crate::reason::Reason;
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
    /// Its statement was sent, and nobody can say whether it took effect.
    OutcomeUnknown,
    /// It took effect; what was taken away is the access to its result.
    CompletedResultRevoked,
    /// It had a result, which is gone.
    ResultExpired,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 11] = [
        Self::Pending,
        Self::Running,
        Self::Completed,
        Self::Failed,
        Self::Denied,
        Self::Cancelled,
        Self::Expired,
        Self::Revoked,
        Self::OutcomeUnknown,
        Self::CompletedResultRevoked,
        Self::ResultExpired,
    ];

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
            Self::OutcomeUnknown => "outcome_unknown",
            Self::CompletedResultRevoked => "completed_result_revoked",
            Self::ResultExpired => "result_expired",
        }
    }

    /// Whether nothing can change it any more but the passing of its time or a revocation.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }

    /// Whether the graph of the contract has a way from this status to the other. `may_write` says
    /// whether the request may have changed data.
    #[must_use]
    pub const fn leads_to(self, other: Self, may_write: bool) -> bool {
        match self {
            Self::Pending => matches!(
                other,
                Self::Running | Self::Denied | Self::Cancelled | Self::Expired | Self::Revoked
            ),
            Self::Running => match other {
                Self::Completed
                | Self::Failed
                | Self::Cancelled
                | Self::Expired
                | Self::Revoked => true,
                Self::OutcomeUnknown | Self::CompletedResultRevoked => may_write,
                Self::Pending | Self::Running | Self::Denied | Self::ResultExpired => false,
            },
            Self::Completed => match other {
                Self::Revoked => !may_write,
                Self::CompletedResultRevoked => may_write,
                Self::ResultExpired => true,
                Self::Pending
                | Self::Running
                | Self::Completed
                | Self::Failed
                | Self::Denied
                | Self::Cancelled
                | Self::Expired
                | Self::OutcomeUnknown => false,
            },
            Self::Failed
            | Self::Denied
            | Self::Cancelled
            | Self::Expired
            | Self::Revoked
            | Self::OutcomeUnknown
            | Self::CompletedResultRevoked
            | Self::ResultExpired => false,
        }
    }
}

/// Why a request may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Authorisation {
    /// The person allowed it, once.
    Once,
    /// A grant of its session covers it.
    SessionGrant,
    /// Standing access covers it.
    SharedAccess,
}

impl Authorisation {
    /// The word in the activity list.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::SessionGrant => "session_grant",
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
    /// Nobody can say whether it took effect.
    OutcomeUnknown,
    /// It took effect, and its result was taken away.
    ResultRevoked,
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
    /// On what.
    pub target: Target,
    /// What.
    pub operation: Operation,
    /// Whether access to a table covers it, so that the text written by DBeast runs.
    pub is_table_write: bool,
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
    /// What its database expects of it, while the person has not decided.
    pub estimate: Option<WriteEstimate>,
}

impl Request {
    /// Whether it waits for a decision or a slot.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.status == Status::Pending
    }

    /// The write that can be estimated for the person: one of one table, about which they have not decided.
    #[must_use]
    pub fn undecided_write(&self) -> Option<&Arc<VerifiedWrite>> {
        match &self.operation {
            Operation::RequestSql { write: Some(write), .. }
                if self.is_waiting() && self.authorisation.is_none() =>
            {
                Some(write)
            }
            Operation::ListTables
            | Operation::DescribeTable { .. }
            | Operation::ReadTable { .. }
            | Operation::QuerySql { .. }
            | Operation::RequestSql { .. }
            | Operation::ReadOpenFile { .. }
            | Operation::Refused { .. } => None,
        }
    }

    /// The exact text that runs, where there is one.
    #[must_use]
    pub fn sql(&self) -> Option<&Arc<str>> {
        if self.is_table_write
            && let Operation::RequestSql { write: Some(write), .. } = &self.operation
        {
            return Some(&write.sql);
        }
        self.operation.sql()
    }
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
    /// Whether it may change data: then it asks before it sends.
    pub may_write: bool,
    /// Whether it was told to send its statement. From then on nobody can be sure that nothing
    /// took effect, until it says how it ended.
    pub is_sent: bool,
    /// Whether it was told to stop.
    pub is_cancelling: bool,
}
