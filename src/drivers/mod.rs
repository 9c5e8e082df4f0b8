//! Databases behind one small trait. Start with [`Driver`] and [`open`].
//!
//! A driver trusts nobody: not the SQL layer before it, not the text, not the file. It proves every
//! table, runs one statement in the read-only transaction of that proof, counts the limits
//! while it reads, and reports the guards that engaged. It knows no session, grant or HTTP.

mod budget;
mod error;
pub mod sqlite;

pub use error::DriverError;

use crate::value::{Engine, ObjectIdentity, Rows, TableDescription, TableEntry, TableName};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// A database that can be read under proof.
///
/// Every future resolves only when the work behind it has really ended, also after cancellation
/// and after the deadline, so that a caller may count concurrent work by it. Dropping a future
/// stops the work, but then nobody learns when it ended.
#[async_trait]
pub trait Driver: Send + Sync + Debug {
    /// Lists candidates; nothing in the list is proven yet.
    ///
    /// # Errors
    /// When the source cannot be read, or the work was stopped.
    async fn list_tables(&self, task: &Task) -> Result<TableList, DriverError>;

    /// Proves a table and describes it. If it is pinned, it must still be that very table.
    ///
    /// # Errors
    /// When the table cannot be proven or is another one, the source cannot be read, or the work was
    /// stopped.
    async fn describe_table(
        &self,
        table: &TableName,
        pinned: Option<&Pinned>,
        task: &Task,
    ) -> Result<Proven<TableDescription>, DriverError>;

    /// Proves every table of the read and runs its statement in the same read-only transaction. The
    /// pinned table must be one of them and still that very table, or the statement does not run.
    ///
    /// # Errors
    /// When a table cannot be proven, the pinned one is another one, the statement is no verified read
    /// of exactly these tables, a limit is exceeded, the source cannot be read, or the work was stopped.
    async fn read(
        &self,
        read: &Read,
        pinned: Option<&Pinned>,
        task: &Task,
    ) -> Result<Proven<Rows>, DriverError>;
}

/// A table that must still be the one that was proven before.
pub type Pinned = (TableName, ObjectIdentity);

/// What was read, and which tables were proven for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven<T> {
    /// What was read.
    pub value: T,
    /// Each table by the name under which it was asked for, with what makes it the same table later.
    pub identities: Vec<(TableName, ObjectIdentity)>,
}

/// Opens a driver. Nothing is touched before the first call of a method.
#[must_use]
pub fn open(location: &Location) -> Arc<dyn Driver> {
    match location {
        Location::Sqlite { path } => Arc::new(sqlite::SqliteDriver::new(path.clone())),
    }
}

/// Looks whether a location holds a readable database, for a person who adds a source.
///
/// # Errors
/// When it does not, with a reason and a hint; or when the work was stopped.
pub async fn probe(location: &Location, task: &Task) -> Result<Probe, DriverError> {
    match location {
        Location::Sqlite { path } => sqlite::SqliteDriver::new(path.clone()).probe(task).await,
    }
}

/// Where a database is. Never leaves DBeast.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A local SQLite 3 file.
    Sqlite {
        /// Its path, taken literally: never a URI, never `:memory:`.
        path: PathBuf,
    },
}

impl Location {
    /// Which engine answers there.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite { .. } => Engine::Sqlite,
        }
    }
}

impl Debug for Location {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Contract, "Resources and permissions": paths do not travel with identifiers, so they
        // are not printed by accident either.
        formatter.debug_struct("Location").field("engine", &self.engine()).finish_non_exhaustive()
    }
}

/// What [`probe`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Version of the engine that reads the database, for example `3.54.1`.
    pub engine_version: String,
    /// How many tables and views it has, not counting the engine's own.
    pub tables: u64,
    /// Size of its file, where it has one.
    pub file_bytes: Option<u64>,
}

/// Candidates for reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TableList {
    /// Ordered by name.
    pub tables: Vec<TableEntry>,
    /// True exactly when the database has more tables than are here.
    pub truncated: bool,
}

/// One statement with everything that may be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The statement: one, without parameters, every table written as `schema.table`.
    pub sql: String,
    /// Every physical table of the statement, at most 16.
    pub tables: Vec<TableName>,
    /// Columns that the statement takes from tables; each must exist on that table.
    pub columns: Vec<(TableName, String)>,
    /// The most rows to return, at most 500; more is cut to the contract's limit.
    pub rows_max: u32,
}

/// The bounds of one piece of work.
#[derive(Clone, Debug)]
pub struct Task {
    cancel: CancellationToken,
    deadline: Instant,
    limits: Limits,
}

impl Task {
    /// Work that stops when the token is cancelled and when the deadline passes.
    ///
    /// The deadline is data from the caller, who owns the clock.
    #[must_use]
    pub const fn new(cancel: CancellationToken, deadline: Instant, limits: Limits) -> Self {
        Self { cancel, deadline, limits }
    }

    /// Stops the work when it is cancelled.
    #[must_use]
    pub const fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// When the work stops at the latest.
    #[must_use]
    pub const fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The limits of its result.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }
}

/// Limits of one result. They can be lowered and never raised (contract, "Limits").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    rows: u32,
    result_bytes: usize,
    cell_bytes: usize,
}

impl Limits {
    const ROWS: u32 = 500;
    const RESULT_BYTES: usize = 256 * 1024;
    const CELL_BYTES: usize = 64 * 1024;

    /// The contract's limits: 500 rows, 256 KiB of data, 64 KiB in a cell.
    #[must_use]
    pub const fn contract() -> Self {
        Self { rows: Self::ROWS, result_bytes: Self::RESULT_BYTES, cell_bytes: Self::CELL_BYTES }
    }

    /// At most so many rows.
    #[must_use]
    pub fn with_rows(self, rows: u32) -> Self {
        Self { rows: self.rows.min(rows), ..self }
    }

    /// At most so many bytes of compact JSON for columns and rows together.
    #[must_use]
    pub fn with_result_bytes(self, bytes: usize) -> Self {
        Self { result_bytes: self.result_bytes.min(bytes), ..self }
    }

    /// At most so many bytes in a cell: of UTF-8 text, or of hexadecimal digits.
    #[must_use]
    pub fn with_cell_bytes(self, bytes: usize) -> Self {
        Self { cell_bytes: self.cell_bytes.min(bytes), ..self }
    }

    /// The most rows.
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// The most bytes of a result.
    #[must_use]
    pub const fn result_bytes(self) -> usize {
        self.result_bytes
    }

    /// The most bytes of a cell.
    #[must_use]
    pub const fn cell_bytes(self) -> usize {
        self.cell_bytes
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::contract()
    }
}
