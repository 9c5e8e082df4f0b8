//! Connections for reads that are kept between two pieces of work. The console has its own.
//!
//! Only a connection that ended a read in a clean state is kept: a verified read changes nothing of it. Everything
//! else, and every connection that ran a write, is closed.

use super::bounds::{bounded, patiently};
use super::{DriverError, Task};
use crate::reason::DatabaseReason;
use async_trait::async_trait;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Idle connections, at most: as many as there are operations at once (contract, "Limits").
const IDLE_MAX: usize = 4;

/// How long an idle connection is kept.
const IDLE_TIME_MAX: Duration = Duration::from_secs(30);

/// Contract, "Limits": connection setup deadline.
const SETUP_MAX: Duration = Duration::from_secs(15);

/// A connection as far as the pool is concerned.
#[async_trait]
pub(in crate::drivers) trait Session: Sized + Send + 'static {
    /// Whether it can be used again: it waits outside any transaction, and nothing came meanwhile.
    fn is_clean(&self) -> bool;

    /// Says good-bye and waits until the server has closed.
    async fn close(self);

    /// Stops what still runs, and closes.
    async fn end(self);
}

/// The idle connections of one server.
pub(in crate::drivers) struct Pool<S> {
    idle: Mutex<Idle<S>>,
}

struct Idle<S> {
    connections: Vec<S>,
    /// Grows when everything is closed: what was opened before does not come back.
    closings: u64,
    /// Grows with each use, so that only a pool that rested is emptied.
    uses: u64,
}

impl<S> Default for Pool<S> {
    fn default() -> Self {
        Self { idle: Mutex::new(Idle { connections: Vec::new(), closings: 0, uses: 0 }) }
    }
}

impl<S: Session> Pool<S> {
    /// A connection for verified statements: an idle one that is still good, or a new one, which `opening` makes.
    pub(in crate::drivers) async fn lease(
        &self,
        opening: impl Future<Output = Result<S, DriverError>> + Send,
        task: &Task,
    ) -> Result<Lease<S>, DriverError> {
        let closings = self.locked().closings;
        while let Some(connection) = self.take() {
            if connection.is_clean() {
                return Ok(Lease::of(connection, true, closings));
            }
            // It broke while it lay here.
            close(connection).await;
        }
        let mut lease = fresh(opening, task).await?;
        lease.closings = closings;
        Ok(lease)
    }

    /// Takes a connection back, or closes it, and returns when that is done.
    pub(in crate::drivers) async fn settle<T>(
        self: &Arc<Self>,
        mut lease: Lease<S>,
        result: &Result<T, DriverError>,
    ) {
        let Some(connection) = lease.connection.take() else { return };
        let is_stopped = result
            .as_ref()
            .is_err_and(|error| error.is_cancelled() || error.is_deadline_exceeded());
        if connection.is_clean() && !is_stopped {
            self.keep(connection, lease.closings).await;
        } else {
            connection.end().await;
        }
    }

    /// Closes what is idle, and whatever is in use as soon as its work ends.
    pub(in crate::drivers) async fn close(&self) {
        self.locked().closings += 1;
        while let Some(connection) = self.take() {
            close(connection).await;
        }
    }

    fn locked(&self) -> MutexGuard<'_, Idle<S>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<S> {
        let mut idle = self.locked();
        idle.uses += 1;
        idle.connections.pop()
    }

    async fn keep(self: &Arc<Self>, connection: S, closings: u64) {
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
    fn put(&self, connection: S, closings: u64) -> (Option<S>, u64) {
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
    fn rested(&self, uses: u64) -> Vec<S> {
        let mut idle = self.locked();
        if idle.uses == uses { std::mem::take(&mut idle.connections) } else { Vec::new() }
    }
}

/// How long the setting up of a connection may go on after the work was stopped.
const SETUP_REST_MAX: Duration = Duration::from_secs(1);

/// A connection of its own that no other work gets, before or after.
pub(in crate::drivers) async fn fresh<S: Session>(
    opening: impl Future<Output = Result<S, DriverError>> + Send,
    task: &Task,
) -> Result<Lease<S>, DriverError> {
    let setup = tokio::time::timeout(SETUP_MAX, opening);
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
pub(in crate::drivers) struct Lease<S: Session> {
    connection: Option<S>,
    /// Whether it lay idle before, so that its server may be gone without anything having happened.
    is_used: bool,
    /// How often the pool had been closed when it was given out.
    closings: u64,
}

impl<S: Session> Lease<S> {
    const fn of(connection: S, is_used: bool, closings: u64) -> Self {
        Self { connection: Some(connection), is_used, closings }
    }

    /// Whether it lay idle before.
    pub(in crate::drivers) const fn is_used(&self) -> bool {
        self.is_used
    }

    /// The connection.
    pub(in crate::drivers) fn connection(&mut self) -> Result<&mut S, DriverError> {
        self.connection.as_mut().ok_or_else(|| DriverError::failed(DatabaseReason::DriverFailed))
    }

    /// Ends it and returns when the server has closed.
    pub(in crate::drivers) async fn end(mut self) {
        if let Some(connection) = self.connection.take() {
            connection.end().await;
        }
    }
}

impl<S: Session> Drop for Lease<S> {
    fn drop(&mut self) {
        if let (Some(connection), Ok(runtime)) =
            (self.connection.take(), tokio::runtime::Handle::try_current())
        {
            runtime.spawn(connection.end());
        }
    }
}

async fn close<S: Session>(connection: S) {
    patiently(connection.close()).await;
}
