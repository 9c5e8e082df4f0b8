//! Time as plain numbers. There is deliberately no `now()` here: only `effects::clock` reads a
//! clock, and time enters the reducer as part of an envelope.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A point in time, in milliseconds since the Unix epoch.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// This point plus a duration.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.0))
    }

    /// How long after `earlier` this point is; zero if it is not after it.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

/// A length of time, in milliseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Duration(pub u64);

impl Duration {
    /// A length in whole seconds.
    #[must_use]
    pub const fn seconds(seconds: u64) -> Self {
        Self(seconds * 1_000)
    }

    /// A length in whole minutes.
    #[must_use]
    pub const fn minutes(minutes: u64) -> Self {
        Self::seconds(minutes * 60)
    }

    /// For timers outside the reducer.
    #[must_use]
    pub const fn to_std(self) -> std::time::Duration {
        std::time::Duration::from_millis(self.0)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.0 / 1_000, self.0 % 1_000);
        match (seconds, millis) {
            (0, millis) => write!(f, "{millis}ms"),
            (seconds, 0) => write!(f, "{seconds}s"),
            (seconds, millis) => write!(f, "{seconds}.{millis:03}s"),
        }
    }
}
