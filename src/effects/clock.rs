//! The one place that reads a clock.
#![expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]

use crate::store::Clock;
use crate::time::{Duration, Millis};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration as StdDuration, Instant, SystemTime};

/// The program's clock: the wall clock of the start plus a monotonic count, so that setting the system's time
/// back lets nothing live longer. The count stands still while the machine sleeps and the wall clock does
/// not: what it has run ahead is counted as well, so that no session outlives its time in a closed laptop.
#[must_use]
pub fn real() -> Clock {
    let counter = Instant::now();
    let passing = Mutex::new(Passing::since(wall()));
    Arc::new(move || {
        let mut passing = passing.lock().unwrap_or_else(PoisonError::into_inner);
        passing.at(counter.elapsed(), wall())
    })
}

fn wall() -> StdDuration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// How far the wall clock must have run ahead to be believed. Less is the two being read one after the other.
const AHEAD: StdDuration = StdDuration::from_secs(1);

/// Time as it was last told, with what both clocks showed then.
struct Passing {
    now: StdDuration,
    counted: StdDuration,
    wall: StdDuration,
}

impl Passing {
    const fn since(wall: StdDuration) -> Self {
        Self { now: wall, counted: StdDuration::ZERO, wall }
    }

    fn at(&mut self, counted: StdDuration, wall: StdDuration) -> Millis {
        let by_count = counted.saturating_sub(self.counted);
        let by_wall = wall.saturating_sub(self.wall);
        let has_slept = by_wall > by_count.saturating_add(AHEAD);
        let passed = if has_slept { by_wall } else { by_count };
        *self = Self { now: self.now.saturating_add(passed), counted, wall };
        Millis(to_millis(self.now))
    }
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

fn to_millis(duration: StdDuration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Passing, StdDuration};

    #[test]
    fn time_passes_in_sleep_and_never_runs_backwards() {
        let seconds = StdDuration::from_secs;
        let mut passing = Passing::since(seconds(1_000));
        let mut told = |counted, wall| passing.at(seconds(counted), seconds(wall)).0 / 1_000;
        assert_eq!(told(5, 1_005), 1_005);
        assert_eq!(told(6, 1_000 + 7 * 3_600), 1_000 + 7 * 3_600, "it slept for hours");
        assert_eq!(told(16, 2_000), 1_010 + 7 * 3_600, "the system's time was set back");
        assert_eq!(told(17, 2_002), 1_011 + 7 * 3_600, "a second is no sleep");
        assert_eq!(told(18, 2_002), 1_012 + 7 * 3_600, "it goes on");
    }
}
