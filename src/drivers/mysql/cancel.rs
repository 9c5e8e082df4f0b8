//! Stopping: the request to the server to stop a statement, and what became of it.
//!
//! Contract, "Approval and execution": a cancelled task holds its slot until cancellation finishes and the
//! connection is closed; exceeding the deadline starts cancellation. A server does not notice that its client is gone
//! while it works, so each statement has to be stopped by another connection (MySQL manual, "KILL Statement").

use super::Flavour;
use super::connect;
use super::connection::Connection;
use crate::drivers::bounds::{CLOSE_MAX, patiently};
use crate::drivers::pool::Session as _;
use crate::drivers::{DriverError, Server};
use std::time::Duration;

/// How often a server is asked to stop a statement before its connection is ended.
const REQUESTS_MAX: u32 = 15;

/// How long a server has to answer after it was told to stop, before it is told again.
const REPEAT_AFTER: Duration = Duration::from_millis(200);

/// What is needed to stop the statements of one connection. An account may stop its own.
#[derive(Clone)]
pub(super) struct KillKey {
    flavour: Flavour,
    server: Server,
    number: u32,
}

impl KillKey {
    pub(super) fn new(flavour: Flavour, server: &Server, number: u32) -> Self {
        Self { flavour, server: server.clone(), number }
    }

    /// Asks again and again until `ending` ends: a request that arrives a moment before the statement begins is lost.
    /// After a while the connection is ended.
    pub(super) async fn insist<T>(&self, ending: impl Future<Output = T>) -> T {
        tokio::pin!(ending);
        for turn in 0_u32.. {
            let what = if turn < REQUESTS_MAX { "QUERY" } else { "CONNECTION" };
            // Whether it arrived shows in the statement's end.
            let asking = tokio::time::timeout(CLOSE_MAX, Box::pin(self.kill(what)));
            tokio::select! {
                ended = &mut ending => return ended,
                _ = asking => {}
            }
            if let Ok(ended) = tokio::time::timeout(REPEAT_AFTER, &mut ending).await {
                return ended;
            }
        }
        ending.await
    }

    async fn kill(&self, what: &str) -> Result<(), DriverError> {
        let mut connection = connect::log_in(self.flavour, &self.server).await?;
        let killed = connection.command(&format!("KILL {what} {}", self.number)).await;
        connection.close().await;
        killed.map(|_| ())
    }
}

/// What became of work that may have sent something that lasts: the error as it is if nothing can have taken effect.
///
/// Stopped work asks the server to stop and reads on: an error says that nothing took effect, and an end that it did.
pub(super) async fn outcome<T>(
    connection: &mut Connection,
    result: Result<T, DriverError>,
) -> Result<T, DriverError> {
    let error = match result {
        Ok(value) => return Ok(value),
        Err(error) if !connection.is_sent() => return Err(error),
        Err(error) => error,
    };
    if !error.is_cancelled() && !error.is_deadline_exceeded() {
        return Err(DriverError::outcome_unknown().replacing(error));
    }
    let key = connection.stop();
    let leaves_parts = connection.leaves_parts();
    let words = key.insist(patiently(connection.rest())).await;
    match words.flatten() {
        Some(true) => Err(DriverError::outcome_unknown()
            .because("it had ended before it could be stopped: it took effect")),
        Some(false) if !leaves_parts => Err(error),
        Some(false) | None => Err(DriverError::outcome_unknown().replacing(error)),
    }
}
