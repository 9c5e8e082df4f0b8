//! Standing access: what the person lets a connection do without or with a question.

use crate::ids::{ClientId, SourceId};
use crate::value::TableName;
use serde::{Deserialize, Serialize};

/// Facts about sharing (contract, "Resources and permissions").
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharingEvent {
    /// The person set the database level of one source for one audience. Levels of tables stay.
    Set {
        /// Which source.
        source: SourceId,
        /// For whom.
        audience: Audience,
        /// The new level; none removes the entry with its tables.
        level: Option<Level>,
    },
    /// The person set the level of one table. Its source must be shared with the audience.
    TableSet {
        /// Which source.
        source: SourceId,
        /// For whom.
        audience: Audience,
        /// Which table, by name: its identity is not pinned.
        table: TableName,
        /// The new level; none takes the table out.
        level: Option<TableLevel>,
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

impl Audience {
    /// Whether the audience holds this connection.
    #[must_use]
    pub fn holds(&self, client: &ClientId) -> bool {
        match self {
            Self::AllAgents => true,
            Self::Client(one) => one == client,
        }
    }
}

/// How much of a source. The order is the order of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// In the catalog; each request needs a decision.
    Ask,
    /// Verified metadata and verified reads run without a question.
    Read,
    /// Any single statement runs without a question (the same as Full SQL).
    ReadWrite,
}

impl Level {
    /// The word used in the catalog and the interface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Read => "read",
            Self::ReadWrite => "read_write",
        }
    }
}

/// How much of a table. The order is the order of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableLevel {
    /// Verified reads of the table run without a question.
    Read,
    /// So does one INSERT, UPDATE or DELETE on it, as DBeast writes it again.
    ReadWrite,
}

impl TableLevel {
    /// The word used in the catalog and the interface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadWrite => "read_write",
        }
    }
}

/// One entry of the sharing table as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct KeptShare {
    /// Which source.
    pub source: SourceId,
    /// For whom.
    pub audience: Audience,
    /// The database level.
    pub level: Level,
    /// Levels of single tables.
    pub tables: Vec<(TableName, TableLevel)>,
}
