//! PostgreSQL.
//!
//! In the order of a read: [`pool`](super::pool) gives a connection, which [`connect`] opened and pinned over [`wire`];
//! [`hold`] begins a transaction, takes the locks of [`lock`] and proves the tables in it with [`catalog`],
//! [`relation`], [`proof`] and [`rule`]; [`identity`] says whether they are the same as before; [`query`] runs the statement; [`rows`] and
//! [`types`] turn the answer into cells within the limits; [`cancel`] stops it. [`write`], [`full`] and [`estimate`]
//! are the other kinds of work. [`error`] turns the server's codes into reasons.
//!
//! What the server cannot be asked: SQLite asks its authorizer about each table that a statement touches, PostgreSQL has nothing of
//! the kind. That a statement names the proven tables only, and calls listed functions only, is what the typed statement says from
//! which its text was written (`crate::sql`); the driver adds the read-only transaction, the pinned search path and the
//! single statement of the protocol.

mod cancel;
mod catalog;
mod connect;
mod connection;
mod error;
mod estimate;
mod full;
mod hold;
mod identity;
mod lock;
mod proof;
mod query;
mod relation;
mod rows;
mod rule;
mod types;
mod wire;
mod write;

use super::bounds::bounded;
use super::budget::{Budget, check_description};
use super::pool::{self, Lease, Pool};
use super::{
    Driver, DriverError, Gate, Limits, Pinned, Probe, Proven, Read, Server, TableList, TableWrite,
    Task,
};
use crate::reason::DatabaseReason;
use crate::value::{Estimate, Guard, Rows, TableDescription, TableEntry, TableName};
use async_trait::async_trait;
use connect::Purpose;
use connection::{Connection, State};
use hold::Wanted;
use lock::Mode;
use relation::text;
use std::fmt;
use std::sync::Arc;

/// Entries of a list of tables, at most.
const ENTRIES_MAX: usize = 1000;

/// A driver for one database of a server, with its own small pool of connections.
#[derive(Clone)]
pub struct PostgresDriver {
    server: Arc<Server>,
    pool: Arc<Pool<Connection>>,
}

impl PostgresDriver {
    /// A driver for this database. Nothing is connected yet.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self { server: Arc::new(server), pool: Arc::default() }
    }

    /// Looks whether the database can be reached.
    ///
    /// # Errors
    /// When it cannot, or the work was stopped.
    pub async fn probe(&self, task: &Task) -> Result<Probe, DriverError> {
        let mut lease = self.lease(task).await?;
        let result = bounded(task, async {
            let connection = lease.connection()?;
            let rows = ask(connection, "facts").await?;
            let row = rows.first().map(Vec::as_slice).unwrap_or_default().to_vec();
            Ok(Probe {
                engine_version: text(&row, 1).to_owned(),
                tables: text(&row, 2).parse().unwrap_or_default(),
                file_bytes: None,
            })
        })
        .await;
        self.pool.settle(lease, &result).await;
        result
    }

    /// A connection for verified statements.
    async fn lease(&self, task: &Task) -> Result<Lease<Connection>, DriverError> {
        self.pool.lease(connect::open(&self.server, Purpose::Verified), task).await
    }

    /// The end of work on a leased connection: an open transaction is rolled back if that is quick, or the connection
    /// is closed.
    async fn settle<T>(
        &self,
        mut lease: Lease<Connection>,
        result: &Result<T, DriverError>,
        task: &Task,
    ) {
        let may_go_on = result.as_ref().err().is_none_or(|error| {
            error.is_refused()
                || error.is_identity_changed()
                || error.is_failed() && error.reason() != DatabaseReason::ServerLost
        });
        if may_go_on
            && let Ok(connection) = lease.connection()
            && connection.state() != State::Idle
            && result.is_err()
        {
            // If it fails, the connection is not clean, and is closed.
            let _ = bounded(task, connection.roll_back()).await;
        }
        self.pool.settle(lease, result).await;
    }

    fn check_writable(&self) -> Result<(), DriverError> {
        if self.server.is_read_only {
            return Err(DriverError::refused(DatabaseReason::SourceIsReadOnly));
        }
        Ok(())
    }
}

impl fmt::Debug for PostgresDriver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Where it is and whose it is stays with the person.
        formatter.debug_struct("PostgresDriver").finish_non_exhaustive()
    }
}

#[async_trait]
impl Driver for PostgresDriver {
    async fn list_tables(&self, task: &Task) -> Result<TableList, DriverError> {
        let mut lease = self.lease(task).await?;
        let result = bounded(task, async {
            let rows = ask(lease.connection()?, "candidates").await?;
            Ok(list(&rows, task.limits()))
        })
        .await;
        self.settle(lease, &result, task).await;
        result
    }

    async fn describe_table(
        &self,
        table: &TableName,
        pinned: Option<&Pinned>,
        task: &Task,
    ) -> Result<Proven<TableDescription>, DriverError> {
        let mode = Mode::from(self.server.read_lock);
        let mut lease = self.lease(task).await?;
        let result = bounded(task, async {
            let connection = lease.connection()?;
            let wanted = Wanted { tables: vec![table], pinned, mode, begin: "begin_read" };
            let held = hold::hold(connection, &wanted, task).await?;
            let identities = identity::identities(&held.proof, [table], pinned)?;
            query::check_permission(connection, &held, table).await?;
            if !held.is_still() {
                held.check_again(connection, &wanted).await?;
            }
            connection.roll_back().await?;
            let guards = held.guards(&[Guard::ResultLimits]);
            let relation = held.proof.relations.into_iter().next();
            let columns = relation.map(|relation| relation.columns).unwrap_or_default();
            check_description(&columns, task.limits())?;
            Ok(Proven {
                value: TableDescription { table: table.clone(), columns, guards },
                identities,
            })
        })
        .await;
        self.settle(lease, &result, task).await;
        result
    }

    async fn read(
        &self,
        read: &Read,
        pinned: Option<&Pinned>,
        task: &Task,
    ) -> Result<Proven<Rows>, DriverError> {
        let mode = Mode::from(self.server.read_lock);
        loop {
            let mut lease = self.lease(task).await?;
            let was_used = lease.is_used();
            let result = bounded(task, async {
                query::read(lease.connection()?, read, pinned, mode, task).await
            })
            .await;
            self.settle(lease, &result, task).await;
            match result {
                // The server went away while the connection lay idle. A read may be sent again.
                Err(error) if was_used && error.reason() == DatabaseReason::ServerLost => {}
                result => return result,
            }
        }
    }

    async fn write_table(
        &self,
        write: &TableWrite,
        gate: Gate,
        task: &Task,
    ) -> Result<Rows, DriverError> {
        self.check_writable()?;
        let mut lease = self.lease(task).await?;
        let result =
            bounded(task, async { write::write(lease.connection()?, write, gate, task).await })
                .await;
        let result = cancel::outcome(lease.connection()?, result).await;
        // Triggers may have changed anything about the connection.
        lease.end().await;
        result
    }

    async fn run_full(&self, sql: &str, gate: Gate, task: &Task) -> Result<Rows, DriverError> {
        self.check_writable()?;
        let mut lease = pool::fresh(connect::open(&self.server, Purpose::Full), task).await?;
        let result =
            bounded(task, async { full::run(lease.connection()?, sql, gate, task).await }).await;
        let result = cancel::outcome(lease.connection()?, result).await;
        lease.end().await;
        result
    }

    async fn estimate(&self, write: &TableWrite, task: &Task) -> Result<Estimate, DriverError> {
        self.check_writable()?;
        let mut lease = self.lease(task).await?;
        let result =
            bounded(task, async { estimate::estimate(lease.connection()?, write, task).await })
                .await;
        self.settle(lease, &result, task).await;
        result
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

/// The answer to one of our own questions without parameters.
async fn ask(
    connection: &mut Connection,
    question: &str,
) -> Result<Vec<connection::CatalogRow>, DriverError> {
    connection.run("begin_read", &[], 0)?;
    connection.run(question, &[], 0)?;
    connection.run("rollback", &[], 0)?;
    connection.sync();
    connection.send().await?;
    connection.rows().await?;
    let rows = connection.rows().await?;
    connection.finish().await?;
    Ok(rows)
}

/// The candidates that fit the limits.
fn list(rows: &[connection::CatalogRow], limits: Limits) -> TableList {
    let mut budget = Budget::new(limits);
    let mut list = TableList::default();
    for row in rows {
        let (schema, name) = (text(row, 0), text(row, 1));
        let kind = match text(row, 2) {
            "r" => "table",
            "p" => "partitioned_table",
            "v" => "view",
            "m" => "materialized_view",
            _ => "foreign_table",
        };
        if list.tables.len() >= ENTRIES_MAX || !budget.entry(&[schema, name, kind]) {
            list.truncated = true;
            break;
        }
        let table = TableName { schema: schema.to_owned(), name: name.to_owned() };
        list.tables.push(TableEntry { table, kind: kind.to_owned() });
    }
    list
}
