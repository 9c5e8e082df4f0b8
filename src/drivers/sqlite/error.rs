//! From SQLite's result codes to reasons.
//!
//! Source: the SQLite manual, "Result and Error Codes" (rescode.html), with the extended codes.

use crate::drivers::DriverError;
use crate::reason::DatabaseReason;
use rusqlite::Error;
use rusqlite::ffi;

/// What was being done when SQLite failed: the same code means different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum During {
    /// Opening the file.
    Open,
    /// Reading the catalog with our own fixed statements.
    Proof,
    /// Preparing the statement that was asked for.
    Prepare,
    /// Running it.
    Step,
    /// Running a statement that may write, or ending its transaction.
    Write,
}

/// The reason for a failure. A denial of the authorizer is looked up by the caller first.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "every other error is a mistake in the use of the library"
)]
pub(super) fn explain(error: Error, during: During) -> DriverError {
    let described = match &error {
        Error::SqliteFailure(failure, _) | Error::SqlInputError { error: failure, .. } => {
            from_code(failure.extended_code, during)
        }
        Error::Empty => DriverError::refused(DatabaseReason::StatementEmpty),
        Error::MultipleStatement => DriverError::refused(DatabaseReason::StatementNotSingle),
        Error::NulError(_) | Error::InvalidPath(_) => {
            DriverError::unavailable(DatabaseReason::SourcePathUnusable)
        }
        _ => DriverError::failed(DatabaseReason::DriverFailed),
    };
    described.because(error)
}

/// The reason for an extended result code.
fn from_code(extended: i32, during: During) -> DriverError {
    use DatabaseReason as Reason;
    match extended {
        ffi::SQLITE_READONLY_ROLLBACK | ffi::SQLITE_READONLY_RECOVERY => {
            return DriverError::unavailable(Reason::SourceNeedsRecovery);
        }
        ffi::SQLITE_READONLY_CANTINIT
        | ffi::SQLITE_READONLY_CANTLOCK
        | ffi::SQLITE_READONLY_DIRECTORY => {
            return DriverError::unavailable(Reason::SourceLogUnavailable);
        }
        ffi::SQLITE_IOERR_GETTEMPPATH => return DriverError::failed(Reason::OutOfSpace),
        _ => {}
    }
    if during == During::Write
        && let Some(error) = from_writing(extended)
    {
        return error;
    }
    match extended & 0xff {
        // While a statement runs the database and its log are open already, so what cannot be opened
        // is a temporary file.
        ffi::SQLITE_CANTOPEN if during == During::Step => DriverError::failed(Reason::OutOfSpace),
        // The file was opened before, so what cannot be opened now is the index of the log.
        ffi::SQLITE_CANTOPEN if during != During::Open => {
            DriverError::unavailable(Reason::SourceLogUnavailable)
        }
        ffi::SQLITE_CANTOPEN | ffi::SQLITE_PERM | ffi::SQLITE_AUTH if during == During::Open => {
            DriverError::unavailable(Reason::SourceNotPermitted)
        }
        ffi::SQLITE_NOTADB => DriverError::unavailable(Reason::SourceNotADatabase),
        ffi::SQLITE_CORRUPT => DriverError::unavailable(Reason::SourceDamaged),
        ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED | ffi::SQLITE_PROTOCOL => {
            DriverError::unavailable(Reason::SourceLocked)
        }
        ffi::SQLITE_IOERR => DriverError::unavailable(Reason::SourceUnreadable),
        ffi::SQLITE_NOMEM | ffi::SQLITE_FULL => DriverError::failed(Reason::OutOfSpace),
        ffi::SQLITE_READONLY => DriverError::refused(Reason::StatementNotRead),
        ffi::SQLITE_SCHEMA => DriverError::refused(Reason::SchemaChanged),
        ffi::SQLITE_AUTH => DriverError::refused(Reason::OperationNotVerified),
        ffi::SQLITE_TOOBIG => match during {
            During::Prepare => DriverError::refused(Reason::StatementTooComplex),
            During::Open | During::Proof => DriverError::unavailable(Reason::CatalogTooLarge),
            During::Step => DriverError::limit_exceeded(Reason::ValueTooLarge),
            During::Write => DriverError::failed(Reason::ExecutionFailed),
        },
        _ => match during {
            During::Open => DriverError::unavailable(Reason::SourceUnreadable),
            During::Proof => DriverError::failed(Reason::DriverFailed),
            During::Prepare => DriverError::refused(Reason::StatementNotAccepted),
            During::Step | During::Write => DriverError::failed(Reason::ExecutionFailed),
        },
    }
}

/// What means something else where something is written.
fn from_writing(extended: i32) -> Option<DriverError> {
    use DatabaseReason as Reason;
    match extended & 0xff {
        ffi::SQLITE_CONSTRAINT => Some(DriverError::failed(Reason::ConstraintViolated)),
        // The journal beside the file cannot be made, or the file was protected meanwhile.
        ffi::SQLITE_CANTOPEN | ffi::SQLITE_READONLY | ffi::SQLITE_PERM => {
            Some(DriverError::unavailable(Reason::SourceNotPermitted))
        }
        ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => {
            Some(DriverError::failed(Reason::ConflictWithOthers))
        }
        ffi::SQLITE_AUTH => Some(DriverError::refused(Reason::StatementBlocked)),
        _ => None,
    }
}

/// Whether an error leaves open whether a commit reached the disk. Only the system's own errors do: after each
/// other one SQLite has undone the transaction, or it is undone by whoever opens the file next.
pub(super) fn leaves_commit_open(error: &Error) -> bool {
    error.sqlite_extended_error_code().is_none_or(|code| code & 0xff == ffi::SQLITE_IOERR)
}

#[cfg(test)]
mod tests {
    use super::{During, from_code, leaves_commit_open};
    use crate::reason::DatabaseReason;
    use rusqlite::{Error, ffi};

    #[test]
    fn the_same_code_means_different_things_at_different_times() {
        let reason = |code, during| from_code(code, during).reason();
        assert_eq!(reason(ffi::SQLITE_CANTOPEN, During::Open), DatabaseReason::SourceNotPermitted);
        assert_eq!(
            reason(ffi::SQLITE_CANTOPEN, During::Proof),
            DatabaseReason::SourceLogUnavailable
        );
        assert_eq!(reason(ffi::SQLITE_CANTOPEN, During::Step), DatabaseReason::OutOfSpace);
        assert_eq!(
            reason(ffi::SQLITE_TOOBIG, During::Prepare),
            DatabaseReason::StatementTooComplex
        );
        assert_eq!(reason(ffi::SQLITE_TOOBIG, During::Step), DatabaseReason::ValueTooLarge);
    }

    #[test]
    fn half_written_databases_are_told_apart_from_forbidden_writes() {
        let reason = |code| from_code(code, During::Step).reason();
        assert_eq!(reason(ffi::SQLITE_READONLY_ROLLBACK), DatabaseReason::SourceNeedsRecovery);
        assert_eq!(reason(ffi::SQLITE_READONLY_RECOVERY), DatabaseReason::SourceNeedsRecovery);
        assert_eq!(reason(ffi::SQLITE_READONLY_CANTINIT), DatabaseReason::SourceLogUnavailable);
        assert_eq!(reason(ffi::SQLITE_READONLY), DatabaseReason::StatementNotRead);
    }

    #[test]
    fn what_goes_wrong_while_writing_has_its_own_words() {
        let reason = |code| from_code(code, During::Write).reason();
        assert_eq!(reason(ffi::SQLITE_CONSTRAINT_TRIGGER), DatabaseReason::ConstraintViolated);
        assert_eq!(reason(ffi::SQLITE_CANTOPEN), DatabaseReason::SourceNotPermitted);
        assert_eq!(reason(ffi::SQLITE_READONLY_DBMOVED), DatabaseReason::SourceNotPermitted);
        assert_eq!(reason(ffi::SQLITE_BUSY_SNAPSHOT), DatabaseReason::ConflictWithOthers);
        assert_eq!(reason(ffi::SQLITE_FULL), DatabaseReason::OutOfSpace);
        assert_eq!(reason(ffi::SQLITE_TOOBIG), DatabaseReason::ExecutionFailed);
        assert_eq!(reason(ffi::SQLITE_CORRUPT_INDEX), DatabaseReason::SourceDamaged);
    }

    #[test]
    fn only_a_failure_of_the_system_leaves_a_commit_open() {
        let is_open = |code| leaves_commit_open(&Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [ffi::SQLITE_IOERR, ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR_DELETE] {
            assert!(is_open(code), "{code}");
        }
        for code in [
            ffi::SQLITE_BUSY,
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY,
            ffi::SQLITE_CORRUPT,
            ffi::SQLITE_FULL,
            ffi::SQLITE_INTERRUPT,
            ffi::SQLITE_NOMEM,
            ffi::SQLITE_READONLY,
        ] {
            assert!(!is_open(code), "{code}");
        }
        // An error of the library around it says nothing about the file.
        assert!(leaves_commit_open(&Error::InvalidQuery));
    }
}
