//! The last question before a statement that may write is sent.
//!
//! Contract, "Approval and execution": source state, session, permissions and deadline are checked again before
//! execution starts. Whoever stops the work before the gate is passed knows that nothing was sent; whoever stops it
//! afterwards does not know what took effect.

use super::{DriverError, Task};
use crate::reason::DatabaseReason;
use tokio::sync::oneshot;

/// Asks once, waits for the answer, and is used up by it.
pub struct Gate {
    ask: Box<dyn FnOnce() + Send>,
    go_ahead: oneshot::Receiver<()>,
}

impl Gate {
    /// A gate that asks by calling `ask` and is passed when `go_ahead` is sent to. If the sender is dropped
    /// instead, it stays closed.
    #[must_use]
    pub fn new(ask: impl FnOnce() + Send + 'static, go_ahead: oneshot::Receiver<()>) -> Self {
        Self { ask: Box::new(ask), go_ahead }
    }

    /// A gate that is open, for the person's own statements and for tests.
    #[must_use]
    pub fn open() -> Self {
        let (sender, go_ahead) = oneshot::channel();
        // The receiver is right here.
        let _ = sender.send(());
        Self::new(|| {}, go_ahead)
    }

    /// Asks and waits. Call it when everything is ready and nothing was sent, and send at once afterwards.
    ///
    /// # Errors
    /// When the work was stopped or the answer is no: then nothing may be sent any more.
    pub async fn pass(self, task: &Task) -> Result<(), DriverError> {
        let deadline = tokio::time::sleep_until(task.deadline().into());
        (self.ask)();
        tokio::select! {
            biased;
            () = task.cancel().cancelled() => Err(DriverError::cancelled()),
            () = deadline => Err(DriverError::deadline_exceeded(DatabaseReason::DeadlineExceeded)),
            answer = self.go_ahead => answer.map_err(|_| DriverError::cancelled()),
        }
    }
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Gate").finish_non_exhaustive()
    }
}
