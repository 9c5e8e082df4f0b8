//! Connections for reads that are kept between two pieces of work. The console has its own.
//!
//! Only a connection that ended a read in a clean state is kept: a verified read changes nothing of it. Everything
//! else, and every connection that ran a write, is closed.

use super::cancel::{bounded, patiently};
use super::connect::{self, Purpose};
use super::connection::{Connection, State};
use crate::drivers::{DriverError, Server, Task};
use crate::reason::DatabaseReason;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Idle connections, at most: as many as there are operations at once (contract, "Limits").
const IDLE_MAX: usize = 4;

/// How long an idle connection is kept.
const IDLE_TIME_MAX: Duration = Duration::from_secs(30);

/// Contract, "Limits": connection setup deadline.
const SETUP_MAX: Duration = Duration::from_secs(15);

/// The idle connections of one server.
#[derive(Default)]
pub(super) struct Pool {
    idle: Mutex<Idle>,
}

#[derive(Default)]
struct Idle {
    connections: Vec<Connection>,
    /// Grows when everything is closed: what was opened before does not come back.
    closings: u64,
    /// Grows with each use, so that only a pool that rested is emptied.
    uses: u64,
}

impl Pool {
    /// A connection for verified statements: an idle one that is still good, or a new one.
    pub(super) async fn lease(&self, server: &Server, task: &Task) -> Result<Lease, DriverError> {
        let closings = self.locked().closings;
        while let Some(connection) = self.take() {
            if connection.is_clean() {
                return Ok(Lease::of(connection, true, closings));
            }
            // It broke while it lay here.
            close(connection).await;
        }
        let mut lease = fresh(server, Purpose::Verified, task).await?;
        lease.closings = closings;
        Ok(lease)
    }

    /// Takes a connection back, or closes it, and returns when that is done.
    pub(super) async fn settle<T>(
        self: &Arc<Self>,
        mut lease: Lease,
        result: &Result<T, DriverError>,
    ) {
        let Some(connection) = lease.connection.take() else { return };
        let is_stopped = result
            .as_ref()
            .is_err_and(|error| error.is_cancelled() || error.is_deadline_exceeded());
        if connection.is_clean() && !is_stopped {
            self.keep(connection, lease.closings).await;
        } else {
            end(connection).await;
        }
    }

    /// Closes what is idle, and whatever is in use as soon as its work ends.
    pub(super) async fn close(&self) {
        self.locked().closings += 1;
        while let Some(connection) = self.take() {
            close(connection).await;
        }
    }

    fn locked(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Connection> {
        let mut idle = self.locked();
        idle.uses += 1;
        idle.connections.pop()
    }

    async fn keep(self: &Arc<Self>, connection: Connection, closings: u64) {
        let (surplus, uses) = self.put(connection, closings);
        if let Some(connection) = surplus {
            close(connection).await;
        }
        let pool = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(IDLE_TIME_MAX).await;
            let Some(pool) = pool.upgrade() else { return };
            for connection in pool.rested(uses) {
                close(connection).await;
            }
        });
    }

    /// Puts a connection to the idle ones. The one that is too many, and how often there was a use.
    fn put(&self, connection: Connection, closings: u64) -> (Option<Connection>, u64) {
        let mut idle = self.locked();
        idle.uses += 1;
        if idle.closings != closings {
            return (Some(connection), idle.uses);
        }
        idle.connections.push(connection);
        let has_surplus = idle.connections.len() > IDLE_MAX;
        // The one that rested longest.
        (has_surplus.then(|| idle.connections.remove(0)), idle.uses)
    }

    /// The idle connections, if there was no use since.
    fn rested(&self, uses: u64) -> Vec<Connection> {
        let mut idle = self.locked();
        if idle.uses == uses { std::mem::take(&mut idle.connections) } else { Vec::new() }
    }
}

/// How long the setting up of a connection may go on after the work was stopped.
const SETUP_REST_MAX: Duration = Duration::from_secs(1);

/// A connection of its own that no other work gets, before or after.
pub(super) async fn fresh(
    server: &Server,
    purpose: Purpose,
    task: &Task,
) -> Result<Lease, DriverError> {
    let setup = tokio::time::timeout(SETUP_MAX, connect::open(server, purpose));
    let mut setup = Box::pin(setup);
    let connection = match bounded(task, async { Ok(setup.as_mut().await) }).await {
        Ok(connection) => connection.unwrap_or_else(|_| {
            let reason = DatabaseReason::ServerUnreachable;
            Err(DriverError::unavailable(reason).because("it does not answer"))
        })?,
        Err(stopped) => {
            // What has begun on a server that answers ends first. One that is silent does nothing.
            if let Ok(Ok(Ok(connection))) = tokio::time::timeout(SETUP_REST_MAX, setup).await {
                close(connection).await;
            }
            return Err(stopped);
        }
    };
    Ok(Lease::of(connection, false, 0))
}

/// A connection in use. If it is dropped, because the work was dropped, the server is told to stop.
pub(super) struct Lease {
    connection: Option<Connection>,
    /// Whether it lay idle before, so that its server may be gone without anything having happened.
    is_used: bool,
    /// How often the pool had been closed when it was given out.
    closings: u64,
}

impl Lease {
    const fn of(connection: Connection, is_used: bool, closings: u64) -> Self {
        Self { connection: Some(connection), is_used, closings }
    }

    /// Whether it lay idle before.
    pub(super) const fn is_used(&self) -> bool {
        self.is_used
    }

    /// The connection.
    pub(super) fn connection(&mut self) -> Result<&mut Connection, DriverError> {
        self.connection.as_mut().ok_or_else(|| DriverError::failed(DatabaseReason::DriverFailed))
    }

    /// Ends it and returns when the server has closed.
    pub(super) async fn end(mut self) {
        if let Some(connection) = self.connection.take() {
            end(connection).await;
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let (Some(connection), Ok(runtime)) =
            (self.connection.take(), tokio::runtime::Handle::try_current())
        {
            runtime.spawn(end(connection));
        }
    }
}

/// Stops what still runs, and closes.
async fn end(connection: Connection) {
    if connection.state() == State::Busy {
        let key = connection.key().clone();
        key.insist(close(connection)).await;
    } else {
        close(connection).await;
    }
}

async fn close(connection: Connection) {
    patiently(connection.close()).await;
}
