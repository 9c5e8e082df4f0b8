//! Databases that the person added.

use crate::ids::SourceId;
use crate::value::Engine;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Facts about sources.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceEvent {
    /// The person added a database. It is shared with nobody.
    Added {
        /// Fresh identifier; it is also what agents see, and says nothing about the database.
        source: SourceId,
        /// The person's name for it; agents never see it.
        name: Arc<str>,
        /// The name that agents see. None takes a generic one, such as `SQLite source 1`.
        alias: Option<Arc<str>>,
        /// Where it is.
        location: SourceLocation,
        /// Whether it never accepts writes, whatever is shared or granted.
        is_read_only: bool,
    },
    /// The person gave it other names. Nothing that was granted changes.
    Renamed {
        /// Which one.
        source: SourceId,
        /// The person's name for it.
        name: Arc<str>,
        /// The name that agents see.
        alias: Arc<str>,
    },
    /// The person changed what it is: a new configuration, to which nothing carries over.
    Changed {
        /// Which one.
        source: SourceId,
        /// What.
        change: SourceChange,
    },
    /// The person removed it. Everything granted on it ends.
    Removed {
        /// Which one.
        source: SourceId,
    },
}

/// A change that makes another configuration of a source (contract, "Idempotency and freshness").
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceChange {
    /// Where it is.
    Connection {
        /// The new place.
        location: SourceLocation,
    },
    /// Its password; the password itself is no event data.
    Password,
    /// The database or schema in which names are looked up.
    Context {
        /// The new one; none for the engine's own.
        context: Option<Arc<str>>,
    },
    /// Whether it can be used at all.
    Availability {
        /// Whether it can from now on.
        is_available: bool,
    },
    /// Whether it never accepts writes.
    ReadOnly {
        /// Whether it never does from now on.
        is_read_only: bool,
    },
}

impl SourceChange {
    /// What was changed, for the activity list.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Connection { .. } => "its connection changed",
            Self::Password => "its password changed",
            Self::Context { .. } => "its database or schema changed",
            Self::Availability { is_available: true } => "it can be used again",
            Self::Availability { is_available: false } => "it cannot be used for now",
            Self::ReadOnly { is_read_only: true } => "it is read-only now",
            Self::ReadOnly { is_read_only: false } => "it is not read-only any more",
        }
    }
}

/// Where a database is. Agents never see this.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceLocation {
    /// A local SQLite file.
    Sqlite {
        /// Absolute path, as the person gave it.
        path: Arc<str>,
    },
}

impl SourceLocation {
    /// Which engine answers there.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite { .. } => Engine::Sqlite,
        }
    }

    /// For the person: where it is, in one line.
    #[must_use]
    pub fn describe(&self) -> &str {
        match self {
            Self::Sqlite { path } => path,
        }
    }
}
