//! MySQL and MariaDB: one protocol, two engines that differ in catalogs, timeouts and modes.
//!
//! In the order of a read: [`pool`](super::pool) gives a connection, which [`connect`] opened over [`wire`], logged in with [`login`],
//! and pinned; [`version`] says which of the two answers; [`hold`] begins a transaction, holds the tables and proves them with
//! [`catalog`], [`file_name`] and [`relation`]; [`query`] runs the statement; [`rows`] and [`types`] turn the answer into cells
//! within the limits; [`cancel`] stops it. [`write`], [`full`] and [`estimate`] are the other kinds of work. [`words`] knows
//! the words of a text, [`error`] turns the server's codes into reasons.
//!
//! What the server cannot be asked: there is no authorizer. That a statement names the proven tables only, and calls listed
//! functions only, is what the typed statement says from which its text was written (`crate::sql`); the driver adds the
//! read-only transaction, the pinned settings and the single statement of the protocol.

mod cancel;
mod catalog;
mod connect;
mod connection;
mod error;
mod estimate;
mod file_name;
mod full;
mod hold;
mod login;
mod query;
mod relation;
mod rows;
mod types;
mod version;
mod wire;
mod words;
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
use catalog::cell;
use connect::Purpose;
use connection::{CatalogRow, Connection, State};
use hold::Mode;
use std::fmt;
use std::sync::Arc;

/// Entries of a list of tables, at most.
const ENTRIES_MAX: usize = 1000;

/// Which of the two a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// MySQL 8.4 and newer.
    Mysql,
    /// MariaDB 10.11 and newer.
    Mariadb,
}

/// A driver for one database of a server, with its own small pool of connections.
#[derive(Clone)]
pub struct MysqlDriver {
    flavour: Flavour,
    server: Arc<Server>,
    pool: Arc<Pool<Connection>>,
}

impl MysqlDriver {
    /// A driver for this database. Nothing is connected yet.
    #[must_use]
    pub fn new(flavour: Flavour, server: Server) -> Self {
        Self { flavour, server: Arc::new(server), pool: Arc::default() }
    }

    /// Looks whether the database can be reached.
    ///
    /// # Errors
    /// When it cannot, or the work was stopped.
    pub async fn probe(&self, task: &Task) -> Result<Probe, DriverError> {
        let mut lease = self.lease(task).await?;
        let result = bounded(task, async {
            let sql = catalog::facts(&self.server.database);
            let rows = lease.connection()?.rows(&sql).await?;
            let row = rows.first().map(Vec::as_slice).unwrap_or_default().to_vec();
            Ok(Probe {
                engine_version: cell(&row, 0).to_owned(),
                tables: cell(&row, 1).parse().unwrap_or_default(),
                file_bytes: None,
            })
        })
        .await;
        self.settle(lease, &result, task).await;
        result
    }

    /// A connection for verified statements.
    async fn lease(&self, task: &Task) -> Result<Lease<Connection>, DriverError> {
        loop {
            let opening = connect::open(self.flavour, &self.server, Purpose::Verified);
            let mut lease = self.pool.lease(opening, task).await?;
            if !lease.is_used() {
                return Ok(lease);
            }
            // It lay idle: whether it still is what it was. One that is not, or whose server is gone, is closed.
            let connection = lease.connection()?;
            let checking = connect::check(connection, self.flavour, Purpose::Verified);
            match bounded(task, checking).await {
                Ok(()) => return Ok(lease),
                Err(error) if error.is_cancelled() || error.is_deadline_exceeded() => {
                    lease.end().await;
                    return Err(error);
                }
                Err(_) => lease.end().await,
            }
        }
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
            && connection.state() == State::InTransaction
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

impl fmt::Debug for MysqlDriver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Where it is and whose it is stays with the person.
        formatter
            .debug_struct("MysqlDriver")
            .field("flavour", &self.flavour)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Driver for MysqlDriver {
    async fn list_tables(&self, task: &Task) -> Result<TableList, DriverError> {
        let mut lease = self.lease(task).await?;
        let result = bounded(task, async {
            let sql = catalog::candidates(&self.server.database, ENTRIES_MAX);
            let rows = lease.connection()?.rows(&sql).await?;
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
        let mut lease = self.lease(task).await?;
        let result = bounded(task, async {
            let connection = lease.connection()?;
            let (flavour, server) = (self.flavour, &*self.server);
            let held =
                hold::hold(connection, flavour, server, &[table], pinned, Mode::Read, task).await?;
            let identities = held.identities([table], pinned)?;
            connection.roll_back().await?;
            let guards = held.guards(&[Guard::ResultLimits]);
            let relation = held.relations.into_iter().next();
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
        loop {
            let mut lease = self.lease(task).await?;
            let was_used = lease.is_used();
            let result = bounded(task, async {
                let connection = lease.connection()?;
                query::read(connection, self.flavour, &self.server, read, pinned, task).await
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
        let result = bounded(task, async {
            let connection = lease.connection()?;
            write::write(connection, self.flavour, &self.server, write, gate, task).await
        })
        .await;
        let result = cancel::outcome(lease.connection()?, result).await;
        // Triggers may have changed anything about the connection.
        lease.end().await;
        result
    }

    async fn run_full(&self, sql: &str, gate: Gate, task: &Task) -> Result<Rows, DriverError> {
        self.check_writable()?;
        let opening = connect::open(self.flavour, &self.server, Purpose::Full);
        let mut lease = pool::fresh(opening, task).await?;
        let result = bounded(task, async {
            full::run(lease.connection()?, self.flavour, sql, gate, task).await
        })
        .await;
        let result = cancel::outcome(lease.connection()?, result).await;
        lease.end().await;
        result
    }

    async fn estimate(&self, write: &TableWrite, task: &Task) -> Result<Estimate, DriverError> {
        self.check_writable()?;
        let mut lease = self.lease(task).await?;
        let result = bounded(task, async {
            let connection = lease.connection()?;
            estimate::estimate(connection, self.flavour, &self.server, write, task).await
        })
        .await;
        self.settle(lease, &result, task).await;
        result
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

/// The candidates that fit the limits.
fn list(rows: &[CatalogRow], limits: Limits) -> TableList {
    let mut budget = Budget::new(limits);
    let mut list = TableList::default();
    for row in rows {
        let (schema, name) = (cell(row, 0), cell(row, 1));
        let kind = match cell(row, 2) {
            "BASE TABLE" if cell(row, 3).contains("partitioned") => "partitioned_table",
            "BASE TABLE" => "table",
            "VIEW" | "SYSTEM VIEW" => "view",
            "SEQUENCE" => "sequence",
            _ => "other",
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
