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
    },
    /// The person removed it. Everything granted on it ends.
    Removed {
        /// Which one.
        source: SourceId,
    },
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
