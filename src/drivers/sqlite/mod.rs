//! SQLite: a local file, read through a handle that can only read, and written through one of its own.
//!
//! In the order of a read: [`cancel`] runs it on a blocking thread and can stop it, [`connect`] opens
//! a handle and [`protection`] protects it, [`pool`] keeps it for a moment, [`query`] begins a transaction, [`catalog`], [`proof`] and [`identity`] prove the
//! tables in it, [`authorizer`] and [`program`] judge the statement twice, and [`types`] turns values into
//! cells. [`error`] turns SQLite's codes into reasons.
//!
//! [`write`] and [`full`] open a handle that may write, unless the source is read-only, and ask at the gate before they
//! run anything; [`blocks`] is what even Full SQL may never do. Foreign keys are enforced on these handles.
//!
//! An empty file is a valid empty database, as it is for SQLite itself.
//!
//! A database in WAL mode needs the index of its log (`-shm`) even for reading. SQLite creates
//! it beside the database if no other program has it open, and leaves it there. If it cannot be
//! created, the read is refused; `immutable=1` would avoid it and is never used, because then a
//! concurrent writer leads to wrong results without an error.

mod authorizer;
mod blocks;
mod cancel;
mod catalog;
mod connect;
mod error;
mod estimate;
mod full;
mod identity;
mod pool;
mod program;
mod proof;
mod protection;
mod query;
mod statement;
mod types;
mod write;

use super::budget::Budget;
use super::{
    Driver, DriverError, Gate, Limits, Pinned, Probe, Proven, Read, TableList, TableWrite, Task,
};
use crate::reason::DatabaseReason;
use crate::value::{Estimate, Guard, Rows, TableDescription, TableEntry, TableName};
use async_trait::async_trait;
use pool::Pool;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Entries of a list of tables, at most.
const ENTRIES_MAX: usize = 1000;

/// A driver for one SQLite file. Every piece of work has a handle for itself; those that only read are kept for a
/// moment for the next one, until [`Driver::close`].
#[derive(Clone)]
pub struct SqliteDriver {
    path: Arc<PathBuf>,
    /// Whether it is never opened for writing.
    is_read_only: bool,
    pool: Arc<Pool>,
}

impl SqliteDriver {
    /// A driver for this path, taken literally.
    #[must_use]
    pub fn new(path: PathBuf, is_read_only: bool) -> Self {
        Self { path: Arc::new(path), is_read_only, pool: Arc::default() }
    }

    /// Looks whether the file is a readable SQLite database.
    ///
    /// # Errors
    /// When it is not, or the work was stopped.
    pub async fn probe(&self, task: &Task) -> Result<Probe, DriverError> {
        let path = Arc::clone(&self.path);
        cancel::run(task, move |stop| {
            let (_, metadata) = connect::locate(&path)?;
            let mut handle = connect::open(&path, stop)?;
            let (tables, _) = query::in_transaction(&mut handle, |_, catalog, _| {
                Ok(catalog.candidates().count() + catalog.unnamed())
            })?;
            Ok(Probe {
                engine_version: rusqlite::version().to_owned(),
                tables: u64::try_from(tables).unwrap_or(u64::MAX),
                file_bytes: Some(metadata.len()),
            })
        })
        .await
    }
}

impl fmt::Debug for SqliteDriver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The path stays with the person.
        formatter.debug_struct("SqliteDriver").finish_non_exhaustive()
    }
}

#[async_trait]
impl Driver for SqliteDriver {
    async fn list_tables(&self, task: &Task) -> Result<TableList, DriverError> {
        let path = Arc::clone(&self.path);
        let (pool, limits) = (Arc::clone(&self.pool), task.limits());
        cancel::run(task, move |stop| {
            let (list, _) = pool.with(&path, stop, |handle| {
                query::in_transaction(handle, |_, catalog, _| Ok(list(catalog, limits)))
            })?;
            Ok(list)
        })
        .await
    }

    async fn describe_table(
        &self,
        table: &TableName,
        pinned: Option<&Pinned>,
        task: &Task,
    ) -> Result<Proven<TableDescription>, DriverError> {
        let path = Arc::clone(&self.path);
        let (table, pinned) = (table.clone(), pinned.cloned());
        let (pool, limits) = (Arc::clone(&self.pool), task.limits());
        cancel::run(task, move |stop| {
            let (mut proven, guards) = pool.with(&path, stop, |handle| {
                query::in_transaction(handle, |handle, catalog, guards| {
                    let pinned = pinned.as_ref();
                    let proof = identity::prove_pinned(handle, catalog, &table, pinned)?;
                    let proofs = std::slice::from_ref(&proof);
                    let identities = identity::identities(proofs, [&table], pinned)?;
                    guards.push(Guard::TableProof);
                    let value = describe(&proof, limits)?;
                    guards.push(Guard::ResultLimits);
                    Ok(Proven { value, identities })
                })
            })?;
            proven.value.guards = guards;
            Ok(proven)
        })
        .await
    }

    async fn read(
        &self,
        read: &Read,
        pinned: Option<&Pinned>,
        task: &Task,
    ) -> Result<Proven<Rows>, DriverError> {
        let path = Arc::clone(&self.path);
        let (read, pinned) = (read.clone(), pinned.cloned());
        let (pool, limits) = (Arc::clone(&self.pool), task.limits());
        cancel::run(task, move |stop| {
            pool.with(&path, stop, |handle| {
                query::read(handle, &read, pinned.as_ref(), limits, stop)
            })
        })
        .await
    }

    async fn write_table(
        &self,
        write: &TableWrite,
        gate: Gate,
        task: &Task,
    ) -> Result<Rows, DriverError> {
        self.must_be_writable()?;
        let path = Arc::clone(&self.path);
        let (write, bounds) = (write.clone(), task.clone());
        cancel::run_writing(task, move |stop| write::write(&path, &write, gate, &bounds, stop))
            .await
    }

    async fn run_full(&self, sql: &str, gate: Gate, task: &Task) -> Result<Rows, DriverError> {
        self.must_be_writable()?;
        let path = Arc::clone(&self.path);
        let (sql, bounds) = (sql.to_owned(), task.clone());
        cancel::run_writing(task, move |stop| full::run(&path, &sql, gate, &bounds, stop)).await
    }

    async fn estimate(&self, write: &TableWrite, task: &Task) -> Result<Estimate, DriverError> {
        self.must_be_writable()?;
        let path = Arc::clone(&self.path);
        let (write, pool) = (write.clone(), Arc::clone(&self.pool));
        cancel::run(task, move |stop| {
            let (estimate, _) = pool.with(&path, stop, |handle| {
                query::in_transaction(handle, |handle, catalog, _| {
                    estimate::estimate(handle, catalog, &write)
                })
            })?;
            Ok(estimate)
        })
        .await
    }

    async fn close(&self) {
        let pool = Arc::clone(&self.pool);
        // Closing a handle touches the file. That the program ends meanwhile closes it as well.
        let _ = tokio::task::spawn_blocking(move || pool.close()).await;
    }
}

impl SqliteDriver {
    /// A source that is never written to is refused before its file is touched.
    fn must_be_writable(&self) -> Result<(), DriverError> {
        if self.is_read_only {
            return Err(DriverError::refused(DatabaseReason::SourceIsReadOnly));
        }
        Ok(())
    }
}

/// The candidates that fit the limits.
fn list(catalog: &catalog::Catalog, limits: Limits) -> TableList {
    let mut budget = Budget::new(limits);
    let mut list = TableList {
        tables: Vec::new(),
        // A table whose name is no text exists and cannot be listed.
        truncated: catalog.unnamed() > 0,
    };
    for relation in catalog.candidates() {
        let kind = relation.kind.word();
        if list.tables.len() >= ENTRIES_MAX || !budget.entry(&[proof::SCHEMA, &relation.name, kind])
        {
            list.truncated = true;
            break;
        }
        list.tables.push(TableEntry {
            table: TableName { schema: proof::SCHEMA.to_owned(), name: relation.name.clone() },
            kind: kind.to_owned(),
        });
    }
    list
}

/// The description of a proven table, if it fits the limits.
fn describe(proof: &proof::Proof, limits: Limits) -> Result<TableDescription, DriverError> {
    let mut budget = Budget::new(limits);
    for column in &proof.columns {
        budget.cell(column.name.len().max(column.declared_type.len()))?;
        if !budget.entry(&[&column.name, &column.declared_type]) {
            return Err(DriverError::limit_exceeded(DatabaseReason::RowTooLarge));
        }
    }
    let (table, columns) = (proof.table.clone(), proof.columns.clone());
    Ok(TableDescription { table, columns, guards: Vec::new() })
}
