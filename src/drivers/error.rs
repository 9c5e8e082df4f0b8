//! One error type for every driver.
//!
//! Contract, "Results and errors": a raw driver error can contain an address, a user, a path or
//! data, so an agent only ever gets a static reason. The raw text stays inside, for the person.

use super::hint;
use crate::reason::DatabaseReason;
use std::error::Error;
use std::fmt;

/// What the driver was prevented from doing, and by what.
///
/// `Display` and `Debug` show static words only, so that the error may be logged anywhere. The
/// text of the database library comes out of [`DriverError::cause`] alone.
pub struct DriverError {
    family: Family,
    reason: DatabaseReason,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// The families that callers act upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// The caller cancelled, or went away.
    Cancelled,
    /// The deadline passed.
    DeadlineExceeded,
    /// The source cannot be opened or read at all.
    Unavailable,
    /// A table or a statement is outside what a verified read covers.
    Refused,
    /// A pinned table is another one now.
    IdentityChanged,
    /// A limit of the result was exceeded.
    LimitExceeded,
    /// The database accepted the statement and then failed; nothing took effect.
    Failed,
    /// The statement was sent and its end was not seen.
    OutcomeUnknown,
}

impl DriverError {
    /// The caller cancelled, or stopped waiting.
    pub(crate) fn cancelled() -> Self {
        Self::new(Family::Cancelled, DatabaseReason::Cancelled)
    }

    /// The deadline passed; the reason may say what the time was spent on.
    pub(crate) fn deadline_exceeded(reason: DatabaseReason) -> Self {
        Self::new(Family::DeadlineExceeded, reason)
    }

    /// The source cannot be opened or read.
    pub(crate) fn unavailable(reason: DatabaseReason) -> Self {
        Self::new(Family::Unavailable, reason)
    }

    /// The table or the statement is not covered.
    pub(crate) fn refused(reason: DatabaseReason) -> Self {
        Self::new(Family::Refused, reason)
    }

    /// The pinned table is another one now; nothing was read.
    pub(crate) fn identity_changed() -> Self {
        Self::new(Family::IdentityChanged, DatabaseReason::SchemaChanged)
    }

    /// A limit of the result was exceeded.
    pub(crate) fn limit_exceeded(reason: DatabaseReason) -> Self {
        Self::new(Family::LimitExceeded, reason)
    }

    /// The database failed.
    pub(crate) fn failed(reason: DatabaseReason) -> Self {
        Self::new(Family::Failed, reason)
    }

    /// The statement was sent and its end was not seen.
    pub(crate) fn outcome_unknown() -> Self {
        Self::new(Family::OutcomeUnknown, DatabaseReason::OutcomeUnknown)
    }

    const fn new(family: Family, reason: DatabaseReason) -> Self {
        Self { family, reason, source: None }
    }

    /// The same error with the raw error behind it.
    pub(crate) fn because(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same error with the raw error of another one, which it replaces.
    pub(crate) fn replacing(mut self, other: Self) -> Self {
        self.source = other.source;
        self
    }

    /// The static reason, which an agent may read.
    #[must_use]
    pub const fn reason(&self) -> DatabaseReason {
        self.reason
    }

    /// Whether the work was cancelled, also by a caller that stopped waiting.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.family == Family::Cancelled
    }

    /// Whether the deadline passed, also while waiting for a lock.
    #[must_use]
    pub fn is_deadline_exceeded(&self) -> bool {
        self.family == Family::DeadlineExceeded
    }

    /// Whether the source cannot be opened or read at all.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        self.family == Family::Unavailable
    }

    /// Whether a table or a statement is outside what a verified read covers.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.family == Family::Refused
    }

    /// Whether a pinned table is another one now. Then nothing was read.
    #[must_use]
    pub fn is_identity_changed(&self) -> bool {
        self.family == Family::IdentityChanged
    }

    /// Whether a limit of the result was exceeded.
    #[must_use]
    pub fn is_limit_exceeded(&self) -> bool {
        self.family == Family::LimitExceeded
    }

    /// Whether the database accepted the statement and then failed.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.family == Family::Failed
    }

    /// Whether the statement was sent and its end was not seen, so that it may have taken effect.
    #[must_use]
    pub fn is_outcome_unknown(&self) -> bool {
        self.family == Family::OutcomeUnknown
    }

    /// The raw text of the database library and of the operating system, outermost first.
    ///
    /// For the person only: it can hold paths, names and data. Never send it to an agent and never
    /// log it.
    #[must_use]
    pub fn cause(&self) -> String {
        let mut text = String::new();
        let mut next: Option<&(dyn Error + 'static)> =
            self.source.as_deref().map(|error| error as _);
        while let Some(error) = next {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&error.to_string());
            next = error.source();
        }
        text
    }

    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        hint::of(self.reason)
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.reason.message())
    }
}

impl fmt::Debug for DriverError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DriverError")
            .field("family", &self.family)
            .field("reason", &self.reason.code())
            .field("has_cause", &self.source.is_some())
            .finish()
    }
}

// `source()` is deliberately not implemented: generic error reporters walk it and would print the
// raw text of the database library.
impl Error for DriverError {}
