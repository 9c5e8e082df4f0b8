//! Stopping blocking work: by cancellation, at the deadline, and when the caller goes away.
//!
//! SQLite work blocks a thread, so it is stopped from outside in three ways that cover each
//! other: an interrupt for a running statement (`sqlite3_interrupt`), a flag that the progress handler
//! looks at (the interrupt has no effect between statements), and a bell for the thread that
//! waits for a lock. A file system that does not answer at all cannot be stopped by any of them; the
//! future then resolves when it answers.

use crate::drivers::{DriverError, Gate, Task};
use crate::reason::DatabaseReason;
use rusqlite::InterruptHandle;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long one piece of work waits for locks in all (contract, "Limits": connection setup). It is
/// shorter than the operation deadline, so that the reason given is the lock and not the time.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(15);

/// Why work was stopped. The first cause wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopCause {
    /// The token was cancelled, or the future was dropped.
    Cancelled,
    /// The deadline passed.
    DeadlineExceeded,
}

/// The brake of one piece of work, shared by the thread that works and the future that waits.
#[derive(Default)]
pub(super) struct Stop {
    cause: Mutex<Option<StopCause>>,
    bell: Condvar,
    pulled: AtomicBool,
    /// Wakes whoever waits at the gate.
    wake: CancellationToken,
    /// Whether the gate was passed, so that something may have been sent.
    sent: AtomicBool,
    stuck_at_lock: AtomicBool,
    /// How long this work has waited for locks, in milliseconds.
    waited_for_locks_ms: AtomicU64,
    handle: Mutex<Option<InterruptHandle>>,
}

impl Stop {
    /// Stops the work. Only the first cause counts.
    pub(super) fn pull(&self, cause: StopCause) {
        {
            let mut slot = locked(&self.cause);
            if slot.is_none() {
                *slot = Some(cause);
            }
            self.pulled.store(true, Ordering::Release);
        }
        self.bell.notify_all();
        self.wake.cancel();
        if let Some(handle) = locked(&self.handle).as_ref() {
            handle.interrupt();
        }
    }

    /// Whether the work must stop. Cheap enough for the progress handler.
    pub(super) fn is_pulled(&self) -> bool {
        self.pulled.load(Ordering::Acquire)
    }

    /// Lets a later `pull` interrupt this connection.
    pub(super) fn attach(&self, handle: InterruptHandle) {
        *locked(&self.handle) = Some(handle);
    }

    /// No later `pull` interrupts the connection any more.
    pub(super) fn detach(&self) {
        *locked(&self.handle) = None;
    }

    /// Waits before the next attempt to get a lock; false if the work must stop instead.
    pub(super) fn wait_for_lock(&self, pause: Duration) -> bool {
        let pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        let waited_ms = self.waited_for_locks_ms.fetch_add(pause_ms, Ordering::AcqRel);
        if u128::from(waited_ms) >= LOCK_WAIT_MAX.as_millis() {
            self.stuck_at_lock.store(true, Ordering::Release);
            self.pull(StopCause::DeadlineExceeded);
            return false;
        }
        let cause = locked(&self.cause);
        let (cause, _) = self
            .bell
            .wait_timeout_while(cause, pause, |cause| cause.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let stopped = cause.is_some();
        if stopped {
            self.stuck_at_lock.store(true, Ordering::Release);
        }
        !stopped
    }

    /// Waits at the gate, on the thread that works, and notes that it was passed. Whoever waits is woken by
    /// everything that stops the work, also by a caller that goes away.
    pub(super) fn pass(&self, gate: Gate, task: &Task) -> Result<(), DriverError> {
        tokio::runtime::Handle::current().block_on(async {
            tokio::select! {
                biased;
                () = self.wake.cancelled() => Err(DriverError::cancelled()),
                passed = gate.pass(task) => passed,
            }
        })?;
        self.check()?;
        self.sent.store(true, Ordering::Release);
        Ok(())
    }

    /// An error if the work must stop.
    pub(super) fn check(&self) -> Result<(), DriverError> {
        self.error().map_or(Ok(()), Err)
    }

    /// The error of stopped work.
    fn error(&self) -> Option<DriverError> {
        let cause = *locked(&self.cause);
        cause.map(|cause| match cause {
            StopCause::Cancelled => DriverError::cancelled(),
            StopCause::DeadlineExceeded if self.stuck_at_lock.load(Ordering::Acquire) => {
                DriverError::deadline_exceeded(DatabaseReason::SourceLocked)
            }
            StopCause::DeadlineExceeded => {
                DriverError::deadline_exceeded(DatabaseReason::DeadlineExceeded)
            }
        })
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stop").field("cause", &self.cause).finish_non_exhaustive()
    }
}

/// A thread that panicked while it held one of these locks left a whole value behind, so poison
/// carries no news here.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pulls the brake when the future that owns it is dropped.
struct PullOnDrop(Arc<Stop>);

impl Drop for PullOnDrop {
    fn drop(&mut self) {
        // After the work has ended this finds a closed connection and does nothing.
        self.0.pull(StopCause::Cancelled);
    }
}

/// Runs blocking work within the bounds of a task and resolves when the work has really ended.
///
/// Contract, "Approval and execution": a cancelled task holds its slot until cancellation
/// finishes; exceeding the deadline starts cancellation.
pub(super) async fn run<T, W>(task: &Task, work: W) -> Result<T, DriverError>
where
    T: Send + 'static,
    W: FnOnce(&Arc<Stop>) -> Result<T, DriverError> + Send + 'static,
{
    match ended(task, work).await? {
        (None, result) => result,
        // Stopped work has no result, even if it got ready in the same moment: whoever stopped it
        // has already been told that there will be none.
        (Some(stopped), Ok(_)) => Err(stopped),
        (Some(stopped), Err(error)) => Err(stopped.replacing(error)),
    }
}

/// The same for work that may write: what took effect is told, whoever stopped it meanwhile, and an end that
/// nobody saw is never told as another one.
pub(super) async fn run_writing<T, W>(task: &Task, work: W) -> Result<T, DriverError>
where
    T: Send + 'static,
    W: FnOnce(&Arc<Stop>) -> Result<T, DriverError> + Send + 'static,
{
    match ended(task, work).await? {
        (None, result) => result,
        (Some(_), Ok(value)) => Ok(value),
        (Some(_), Err(error)) if error.is_outcome_unknown() => Err(error),
        (Some(stopped), Err(error)) => Err(stopped.replacing(error)),
    }
}

/// Runs the work on a thread for blocking work, and stops it from here. Also why it was stopped, if it was.
async fn ended<T, W>(
    task: &Task,
    work: W,
) -> Result<(Option<DriverError>, Result<T, DriverError>), DriverError>
where
    T: Send + 'static,
    W: FnOnce(&Arc<Stop>) -> Result<T, DriverError> + Send + 'static,
{
    let deadline = tokio::time::sleep_until(task.deadline().into());
    tokio::pin!(deadline);
    // Work whose time passed before (by more than a tick of the timer) never touches the file.
    tokio::select! {
        biased;
        () = task.cancel().cancelled() => return Err(DriverError::cancelled()),
        () = &mut deadline => {
            return Err(DriverError::deadline_exceeded(DatabaseReason::DeadlineExceeded));
        }
        () = std::future::ready(()) => {}
    }

    let stop = Arc::new(Stop::default());
    let _brake = PullOnDrop(Arc::clone(&stop));
    let inside = Arc::clone(&stop);
    let mut worker = tokio::task::spawn_blocking(move || {
        inside.check()?;
        work(&inside)
    });
    let joined = tokio::select! {
        biased;
        joined = &mut worker => joined,
        () = task.cancel().cancelled() => {
            stop.pull(StopCause::Cancelled);
            worker.await
        }
        () = &mut deadline => {
            stop.pull(StopCause::DeadlineExceeded);
            worker.await
        }
    };
    let result = joined.unwrap_or_else(|error| {
        let failed = if stop.sent.load(Ordering::Acquire) {
            DriverError::outcome_unknown()
        } else {
            DriverError::failed(DatabaseReason::DriverFailed)
        };
        Err(failed.because(error))
    });
    Ok((stop.error(), result))
}

#[cfg(test)]
mod tests {
    use super::{LOCK_WAIT_MAX, Stop};
    use crate::reason::DatabaseReason;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    #[test]
    fn waiting_for_a_lock_ends_before_the_operation_does_and_says_so() {
        let stop = Stop::default();
        let almost = u64::try_from(LOCK_WAIT_MAX.as_millis()).unwrap() - 1;
        stop.waited_for_locks_ms.store(almost, Ordering::Release);
        assert!(stop.wait_for_lock(Duration::from_millis(1)), "there is a millisecond left");
        assert!(!stop.wait_for_lock(Duration::from_millis(1)), "the time is over");
        assert_eq!(stop.check().unwrap_err().reason(), DatabaseReason::SourceLocked);
    }
}
