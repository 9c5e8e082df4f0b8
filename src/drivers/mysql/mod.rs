//! MySQL and MariaDB: one protocol, two engines.

use super::{
    Driver, DriverError, Gate, Pinned, Probe, Proven, Read, Server, TableList, TableWrite, Task,
};
use crate::reason::DatabaseReason;
use crate::value::{Estimate, Rows, TableDescription, TableName};
use async_trait::async_trait;
use std::fmt;
use std::sync::Arc;

/// Which of the two a server is. They differ in catalogs, timeouts and modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// MySQL.
    Mysql,
    /// MariaDB.
    Mariadb,
}

/// A driver for one database of a server, with its own small pool of connections.
#[derive(Clone)]
pub struct MysqlDriver {
    flavour: Flavour,
    server: Arc<Server>,
}

impl MysqlDriver {
    /// A driver for this database. Nothing is connected yet.
    #[must_use]
    pub fn new(flavour: Flavour, server: Server) -> Self {
        Self { flavour, server: Arc::new(server) }
    }

    /// Looks whether the database can be reached.
    ///
    /// # Errors
    /// When it cannot, or the work was stopped.
    pub async fn probe(&self, _task: &Task) -> Result<Probe, DriverError> {
        Err(unfinished())
    }
}

fn unfinished() -> DriverError {
    DriverError::failed(DatabaseReason::DriverFailed)
}

impl fmt::Debug for MysqlDriver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MysqlDriver")
            .field("flavour", &self.flavour)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Driver for MysqlDriver {
    async fn list_tables(&self, _: &Task) -> Result<TableList, DriverError> {
        Err(unfinished())
    }
    async fn describe_table(
        &self,
        _: &TableName,
        _: Option<&Pinned>,
        _: &Task,
    ) -> Result<Proven<TableDescription>, DriverError> {
        Err(unfinished())
    }
    async fn read(
        &self,
        _: &Read,
        _: Option<&Pinned>,
        _: &Task,
    ) -> Result<Proven<Rows>, DriverError> {
        Err(unfinished())
    }
    async fn write_table(&self, _: &TableWrite, _: Gate, _: &Task) -> Result<Rows, DriverError> {
        let _ = &self.server;
        Err(unfinished())
    }
    async fn run_full(&self, _: &str, _: Gate, _: &Task) -> Result<Rows, DriverError> {
        Err(unfinished())
    }
    async fn estimate(&self, _: &TableWrite, _: &Task) -> Result<Estimate, DriverError> {
        Err(unfinished())
    }
    async fn close(&self) {}
}
