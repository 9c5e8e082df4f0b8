//! Grants: what the person allowed beyond one request. They live as long as their session at most.

use crate::ids::GrantId;
use serde::{Deserialize, Serialize};

/// Facts about grants (contract, "Resources and permissions"). Giving one is a decision about a
/// request: `RequestEvent::Allowed`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantEvent {
    /// The person took a grant back. What ran or is done on it goes with it.
    Revoked {
        /// Which grant.
        grant: GrantId,
    },
}

/// How far a decision reaches (contract, the table of permissions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Exactly this request.
    Once,
    /// Table read for the session: the one table that the request names.
    Table,
    /// Strict source read for the session.
    Source,
    /// Full SQL for the session: any single statement that the account may run.
    FullSql,
    /// Document read for the session: this snapshot of this document.
    Document,
}

impl Scope {
    /// Every scope, from the narrowest.
    pub const ALL: [Self; 5] =
        [Self::Once, Self::Table, Self::Source, Self::FullSql, Self::Document];

    /// The word for programs and the activity list.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Table => "table",
            Self::Source => "source",
            Self::FullSql => "full_sql",
            Self::Document => "document",
        }
    }
}
