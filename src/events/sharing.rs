//! Standing access: what the person lets a connection do without or with a question.

use crate::ids::{ClientId, SourceId};
use serde::{Deserialize, Serialize};

/// Facts about sharing (contract, "Resources and permissions").
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharingEvent {
    /// The person set the level of one source for one audience.
    Set {
        /// Which source.
        source: SourceId,
        /// For whom.
        audience: Audience,
        /// The new level; none removes the entry.
        level: Option<Level>,
    },
}

/// For whom an entry of the sharing table holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Every connection, also ones made later.
    AllAgents,
    /// One connection.
    Client(ClientId),
}

/// How much of a source. The order is the order of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// In the catalog; each request needs a decision.
    Ask,
    /// Verified metadata and verified reads run without a question.
    Read,
}

impl Level {
    /// The word used in the catalog and the interface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Read => "read",
        }
    }
}
