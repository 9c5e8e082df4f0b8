//! The one place that reads a clock.
#![expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]

use crate::store::Clock;
use crate::time::{Duration, Millis};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

/// The program's clock: the wall clock of the start plus a monotonic count, so that changing the
/// system's time neither ends sessions nor lets them live longer.
#[must_use]
pub fn real() -> Clock {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let start = Millis(to_millis(since_epoch));
    let counter = Instant::now();
    Arc::new(move || start.plus(Duration(to_millis(counter.elapsed()))))
}

/// Measures how long something takes.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Milliseconds since the start.
    #[must_use]
    pub fn elapsed_ms(&self) -> u64 {
        to_millis(self.0.elapsed())
    }
}

/// The instant that is so far away, for drivers that stop by themselves.
#[must_use]
pub fn instant_after(duration: Duration) -> Instant {
    Instant::now() + duration.to_std()
}

fn to_millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
