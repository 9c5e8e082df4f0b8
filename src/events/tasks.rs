//! Tasks: work outside the reducer. A task holds its slot until its end is reported here.

use super::ResultBody;
use crate::ids::TaskId;
use crate::reason::Reason;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Facts about tasks (contract, "Approval and execution": the limit belongs to the task).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEvent {
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
    Completed(ResultBody),
    /// The database refused or failed.
    Failed {
        /// Static words for the agent.
        reason: Reason,
        /// The driver's own words, for the person only.
        cause: Option<Arc<str>>,
    },
    /// It was interrupted because somebody asked for it.
    Cancelled,
    /// It was interrupted because its time was over.
    DeadlineExceeded,
}
