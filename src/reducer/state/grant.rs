//! Grants: what the person allowed, until it is used up or taken back.

use crate::events::Scope;
use crate::ids::{DocumentVersion, FileId, RequestId, SessionId, SourceGeneration, SourceId};
use crate::time::Millis;
use crate::value::{ObjectIdentity, TableName};
use serde::{Deserialize, Serialize};

/// A grant of one session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Grant {
    /// Whose requests it covers.
    pub session: SessionId,
    /// Which of them.
    pub scope: GrantScope,
    /// When the person gave it.
    pub granted_at: Millis,
}

/// What a grant covers (contract, the table of permissions).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GrantScope {
    /// Exactly one request that has not started.
    Once {
        /// Which one.
        request: RequestId,
    },
    /// Verified reads of nothing but one table.
    Table {
        /// Of which source.
        source: SourceId,
        /// Under which configuration.
        generation: SourceGeneration,
        /// Which table.
        table: TableName,
        /// What makes it the same table; known from the first read on.
        identity: Option<ObjectIdentity>,
    },
    /// Verified reads and metadata of a source.
    Source {
        /// Which one.
        source: SourceId,
        /// Under which configuration.
        generation: SourceGeneration,
    },
    /// Any single statement on a source.
    FullSql {
        /// Which one.
        source: SourceId,
        /// Under which configuration.
        generation: SourceGeneration,
    },
    /// One snapshot of a document.
    Document {
        /// Which document.
        file: FileId,
        /// Which snapshot.
        version: DocumentVersion,
    },
}

impl GrantScope {
    /// Which kind of scope it is.
    #[must_use]
    pub const fn kind(&self) -> Scope {
        match self {
            Self::Once { .. } => Scope::Once,
            Self::Table { .. } => Scope::Table,
            Self::Source { .. } => Scope::Source,
            Self::FullSql { .. } => Scope::FullSql,
            Self::Document { .. } => Scope::Document,
        }
    }

    /// The source that it is about.
    #[must_use]
    pub const fn source(&self) -> Option<&SourceId> {
        match self {
            Self::Table { source, .. }
            | Self::Source { source, .. }
            | Self::FullSql { source, .. } => Some(source),
            Self::Once { .. } | Self::Document { .. } => None,
        }
    }

    /// The document that it is about.
    #[must_use]
    pub const fn file(&self) -> Option<&FileId> {
        match self {
            Self::Document { file, .. } => Some(file),
            Self::Once { .. } | Self::Table { .. } | Self::Source { .. } | Self::FullSql { .. } => {
                None
            }
        }
    }

    /// Which table was read under it, if it is for a table and something was read.
    #[must_use]
    pub const fn identity(&self) -> Option<ObjectIdentity> {
        match self {
            Self::Table { identity, .. } => *identity,
            Self::Once { .. }
            | Self::Source { .. }
            | Self::FullSql { .. }
            | Self::Document { .. } => None,
        }
    }

    /// Whether both are for one table, if a database makes no difference between `a` and `A` in names.
    /// Good for taking away only: where it makes one, these are two tables.
    #[must_use]
    pub fn is_same_table(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Table { source: one, table, .. },
                Self::Table { source: two, table: other, .. },
            ) => {
                one == two
                    && table.schema.eq_ignore_ascii_case(&other.schema)
                    && table.name.eq_ignore_ascii_case(&other.name)
            }
            (
                Self::Once { .. }
                | Self::Table { .. }
                | Self::Source { .. }
                | Self::FullSql { .. }
                | Self::Document { .. },
                _,
            ) => false,
        }
    }

    /// Whether granting one replaces the other: the same kind of access to the same thing (contract:
    /// "granting the same scope again"). Another snapshot of a document is another thing: what was read of
    /// the one before stands on its own grant.
    #[must_use]
    pub fn is_same_scope(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Once { request: one }, Self::Once { request: two }) => one == two,
            (
                Self::Table { source: one, table, .. },
                Self::Table { source: two, table: other, .. },
            ) => one == two && table == other,
            (Self::Source { source: one, .. }, Self::Source { source: two, .. })
            | (Self::FullSql { source: one, .. }, Self::FullSql { source: two, .. }) => one == two,
            (
                Self::Document { file: one, version: of },
                Self::Document { file: two, version: other },
            ) => one == two && of == other,
            (
                Self::Once { .. }
                | Self::Table { .. }
                | Self::Source { .. }
                | Self::FullSql { .. }
                | Self::Document { .. },
                _,
            ) => false,
        }
    }
}
