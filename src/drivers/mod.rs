//! Databases behind one small trait. Start with [`Driver`] and [`open`].
//!
//! A driver trusts nobody: not the SQL layer before it, not the text, not the file. It proves every
//! table, runs one statement in the read-only transaction of that proof, counts the limits
//! while it reads, and reports the guards that engaged. It knows no session, grant or HTTP.

mod bounds;
mod budget;
mod error;
mod gate;
mod hint;
mod limits;
mod location;
pub mod mysql;
mod pool;
pub mod postgres;
pub mod sqlite;
mod stream;
mod taking;

pub use error::DriverError;
pub use gate::Gate;
pub use limits::Limits;
pub use location::{Location, Server};

use crate::value::{Estimate, ObjectIdentity, Rows, TableDescription, TableEntry, TableName};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
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

    /// Proves the table of a write, asks at the gate, and only then sends the statement, in a transaction that
    /// is committed if it succeeds and rolled back if it does not.
    ///
    /// # Errors
    /// As for a read, and then nothing took effect. [`DriverError::is_outcome_unknown`] if the statement was
    /// sent and its end was not seen.
    async fn write_table(
        &self,
        write: &TableWrite,
        gate: Gate,
        task: &Task,
    ) -> Result<Rows, DriverError>;

    /// Gets one statement of any kind ready, asks at the gate, and only then sends it: the text as it is,
    /// outside any transaction of ours. Results beyond the limits are dropped and never an error, because the
    /// statement took effect.
    ///
    /// # Errors
    /// When it is not exactly one statement, the database refused it, the source cannot be used, or the work was
    /// stopped before it was sent: nothing took effect. [`DriverError::is_outcome_unknown`] if it was sent and its
    /// end was not seen.
    async fn run_full(&self, sql: &str, gate: Gate, task: &Task) -> Result<Rows, DriverError>;

    /// What the database expects a write to touch, without running anything of it: its table is proven
    /// first, as for the write itself.
    ///
    /// # Errors
    /// When the table cannot be proven, the database gives no plan, or the work was stopped.
    async fn estimate(&self, write: &TableWrite, task: &Task) -> Result<Estimate, DriverError>;

    /// Closes what is kept open between two pieces of work. Work that goes on is not touched.
    async fn close(&self);
}

/// One INSERT, UPDATE or DELETE of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableWrite {
    /// The statement: one, without parameters, its table written as `schema.table`.
    pub sql: String,
    /// The table that it changes.
    pub table: TableName,
    /// Columns that the table must have.
    pub columns: Vec<String>,
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
        Location::Sqlite { path, is_read_only } => {
            Arc::new(sqlite::SqliteDriver::new(path.clone(), *is_read_only))
        }
        Location::Postgres(server) => Arc::new(postgres::PostgresDriver::new((**server).clone())),
        Location::Mysql(server) => {
            Arc::new(mysql::MysqlDriver::new(mysql::Flavour::Mysql, (**server).clone()))
        }
        Location::Mariadb(server) => {
            Arc::new(mysql::MysqlDriver::new(mysql::Flavour::Mariadb, (**server).clone()))
        }
    }
}

/// Looks whether a location holds a readable database, for a person who adds a source.
///
/// # Errors
/// When it does not, with a reason and a hint; or when the work was stopped.
pub async fn probe(location: &Location, task: &Task) -> Result<Probe, DriverError> {
    match location {
        Location::Sqlite { path, is_read_only } => {
            sqlite::SqliteDriver::new(path.clone(), *is_read_only).probe(task).await
        }
        Location::Postgres(server) => {
            postgres::PostgresDriver::new((**server).clone()).probe(task).await
        }
        Location::Mysql(server) => {
            let server = (**server).clone();
            mysql::MysqlDriver::new(mysql::Flavour::Mysql, server).probe(task).await
        }
        Location::Mariadb(server) => {
            let server = (**server).clone();
            mysql::MysqlDriver::new(mysql::Flavour::Mariadb, server).probe(task).await
        }
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

    /// Milliseconds until the deadline, at least one: for engines that count time themselves.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "only how much is left of a moment that came as data"
    )]
    pub fn remaining_ms(&self) -> u64 {
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        u64::try_from(remaining.as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// The limits of its result.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }
}
