//! The bounds of a task around work on a server.

use super::{DriverError, Task};
use crate::reason::DatabaseReason;
use std::time::Duration;

/// How long a server may take to close after it was told to stop. A network that is gone would hold the slot for ever;
/// the server's own timeouts end the statement then.
pub(in crate::drivers) const CLOSE_MAX: Duration = Duration::from_secs(10);

/// Runs work within the bounds of a task. Stopped work is dropped where it is; its connection must be closed.
pub(in crate::drivers) async fn bounded<T>(
    task: &Task,
    work: impl Future<Output = Result<T, DriverError>>,
) -> Result<T, DriverError> {
    let deadline = tokio::time::sleep_until(task.deadline().into());
    tokio::select! {
        biased;
        () = task.cancel().cancelled() => Err(DriverError::cancelled()),
        () = deadline => Err(DriverError::deadline_exceeded(DatabaseReason::DeadlineExceeded)),
        result = work => result,
    }
}

/// Waits for an end that depends on the server, and not for ever.
pub(in crate::drivers) async fn patiently<T>(ending: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(CLOSE_MAX, ending).await.ok()
}
