//! PostgreSQL.

use super::{
    Driver, DriverError, Gate, Pinned, Probe, Proven, Read, Server, TableList, TableWrite, Task,
};
use crate::reason::DatabaseReason;
use crate::value::{Estimate, Rows, TableDescription, TableName};
use async_trait::async_trait;
use std::fmt;
use std::sync::Arc;

/// A driver for one database of a server.
#[derive(Clone)]
pub struct PostgresDriver {
    _server: Arc<Server>,
}

impl PostgresDriver {
    /// A driver for this database. Nothing is connected yet.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self { _server: Arc::new(server) }
    }

    /// Looks whether the database can be reached.
    ///
    /// # Errors
    /// When it cannot, or the work was stopped.
    pub async fn probe(&self, _task: &Task) -> Result<Probe, DriverError> {
        Err(DriverError::unavailable(DatabaseReason::ServerUnreachable))
    }
}

impl fmt::Debug for PostgresDriver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PostgresDriver").finish_non_exhaustive()
    }
}

#[async_trait]
impl Driver for PostgresDriver {
    async fn list_tables(&self, _task: &Task) -> Result<TableList, DriverError> {
        Err(DriverError::unavailable(DatabaseReason::ServerUnreachable))
    }

    async fn describe_table(
        &self,
        _table: &TableName,
        _pinned: Option<&Pinned>,
        _task: &Task,
    ) -> Result<Proven<TableDescription>, DriverError> {
        Err(DriverError::unavailable(DatabaseReason::ServerUnreachable))
    }

    async fn read(
        &self,
        _read: &Read,
        _pinned: Option<&Pinned>,
        _task: &Task,
    ) -> Result<Proven<Rows>, DriverError> {
        Err(DriverError::unavailable(DatabaseReason::ServerUnreachable))
    }

    async fn write_table(
        &self,
        _write: &TableWrite,
        _gate: Gate,
        _task: &Task,
    ) -> Result<Rows, DriverError> {
        Err(DriverError::unavailable(DatabaseReason::ServerUnreachable))
    }

    async fn run_full(&self, _sql: &str, _gate: Gate, _task: &Task) -> Result<Rows, DriverError> {
        Err(DriverError::unavailable(DatabaseReason::ServerUnreachable))
    }

    async fn estimate(&self, _write: &TableWrite, _task: &Task) -> Result<Estimate, DriverError> {
        Err(DriverError::unavailable(DatabaseReason::ServerUnreachable))
    }

    async fn close(&self) {}
}
