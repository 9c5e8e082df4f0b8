//! Stopping: the request to the server to stop a statement, and what became of it.
//!
//! Contract, "Approval and execution": a cancelled task holds its slot until cancellation finishes and the
//! connection is closed; exceeding the deadline starts cancellation.

use super::connect::{self, Purpose};
use super::connection::{Connection, Reply};
use crate::drivers::bounds::{CLOSE_MAX, patiently};
use crate::drivers::pool::Session as _;
use crate::drivers::{DriverError, Server};
use bytes::BytesMut;
use postgres_protocol::message::frontend;
use std::time::Duration;

/// How often a server is asked to stop a statement before the process is ended.
const REQUESTS_MAX: u32 = 15;

/// How long a server has to answer after it was told to stop, before it is told again.
const REPEAT_AFTER: Duration = Duration::from_millis(200);

/// What opens the right to stop the statements of one connection.
#[derive(Clone)]
pub(super) struct CancelKey {
    server: Server,
    process: i32,
    secret: i32,
}

impl CancelKey {
    pub(super) fn new(server: &Server, process: i32, secret: i32) -> Self {
        Self { server: server.clone(), process, secret }
    }

    /// Asks the server, over a connection of its own, to stop what the other one runs. The server answers by closing.
    pub(super) async fn send(&self) {
        let asking = async {
            let mut stream = connect::reach(&self.server).await.ok()?;
            let mut bytes = BytesMut::new();
            frontend::cancel_request(self.process, self.secret, &mut bytes);
            stream.write(&mut bytes).await.ok()?;
            stream.read_to_end_of_connection().await;
            Some(())
        };
        // Whether it arrived shows in the statement's end.
        let _ = tokio::time::timeout(CLOSE_MAX, asking).await;
    }
}

impl CancelKey {
    /// Asks again and again until `ending` ends: a request that arrives a moment before the statement begins is lost. A statement
    /// can also catch it; after a while its process is ended, which nothing can catch.
    pub(super) async fn insist<T>(&self, ending: impl Future<Output = T>) -> T {
        tokio::pin!(ending);
        for turn in 0_u32.. {
            if turn < REQUESTS_MAX {
                self.send().await;
            } else {
                let _ = tokio::time::timeout(CLOSE_MAX, Box::pin(self.terminate())).await;
            }
            if let Ok(ended) = tokio::time::timeout(REPEAT_AFTER, &mut ending).await {
                return ended;
            }
        }
        ending.await
    }

    /// Ends the process behind the connection, which is still open, so that its number is nobody else's.
    async fn terminate(&self) -> Result<(), DriverError> {
        let mut connection = connect::open(&self.server, Purpose::Full).await?;
        connection.command(&format!("SELECT pg_catalog.pg_terminate_backend({})", self.process))?;
        connection.sync();
        connection.send().await?;
        connection.finish().await?;
        connection.close().await;
        Ok(())
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
    let key = connection.key().clone();
    let leaves_parts = connection.leaves_parts();
    let words = key.insist(patiently(last_words(connection))).await;
    match words.flatten() {
        Some(true) => Err(DriverError::outcome_unknown()
            .because("it had ended before it could be stopped: it took effect")),
        Some(false) if !leaves_parts => Err(error),
        Some(false) | None => Err(DriverError::outcome_unknown().replacing(error)),
    }
}

/// Whether the statement that runs ended well; none if the connection breaks first. Its end is the server's waiting: what
/// it did lasts only then.
async fn last_words(connection: &mut Connection) -> Option<bool> {
    let mut has_failed = false;
    loop {
        match connection.reply(0).await.ok()? {
            Reply::Error(_) => has_failed = true,
            Reply::Copy { is_in: true } => connection.refuse_stream().await.ok()?,
            Reply::Ready => return Some(!has_failed),
            Reply::Complete(_)
            | Reply::Row(_)
            | Reply::LongRow { .. }
            | Reply::Columns(_)
            | Reply::NoColumns
            | Reply::Parameters(_)
            | Reply::Suspended
            | Reply::Empty
            | Reply::Copy { is_in: false } => {}
        }
    }
}
