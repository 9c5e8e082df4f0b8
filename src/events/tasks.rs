//! Tasks: work outside the reducer. A task holds its slot until its end is reported here.

use super::{ResultBody, WithheldText};
use crate::ids::TaskId;
use crate::reason::Reason;
use crate::value::{ObjectIdentity, TableName};
use serde::{Deserialize, Serialize};

/// Facts about tasks (contract, "Approval and execution": the limit belongs to the task).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEvent {
    /// Everything is ready to send a statement that may write. Nothing was sent: the driver waits for
    /// `Effect::SendStatement`. So it is always known whether a statement can have taken effect.
    ReadyToSend {
        /// Which task.
        task: TaskId,
    },
    /// The work really ended and its connection is closed. Frees the slot, whatever became of the
    /// request meanwhile.
    Finished {
        /// Which task. A task that is not known any more is a late answer and changes nothing.
        task: TaskId,
        /// How it ended.
        outcome: TaskOutcome,
    },
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskOutcome {
    /// With a result.
    Completed {
        /// What it brought back.
        body: ResultBody,
        /// The tables that the driver proved for it, with what makes each the same table later.
        identities: Vec<(TableName, ObjectIdentity)>,
    },
    /// The database refused or failed, and nothing took effect.
    Failed {
        /// Static words for the agent.
        reason: Reason,
        /// The driver's own words, for the person only.
        cause: Option<WithheldText>,
    },
    /// A table is not the one that was granted; nothing was read.
    IdentityChanged,
    /// It was interrupted because somebody asked for it.
    Cancelled,
    /// It was interrupted because its time was over.
    DeadlineExceeded,
    /// The statement was sent and its end was not seen.
    OutcomeUnknown {
        /// The driver's own words, for the person only.
        cause: Option<WithheldText>,
    },
}
