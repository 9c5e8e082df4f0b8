//! Full SQL: one statement of any kind that is not blocked, in its original text and outside any transaction of ours.

use super::cancel::Stop;
use super::connect;
use super::protection::{self, Purpose};
use super::{program, statement};
use crate::drivers::{DriverError, Gate, Task};
use crate::reason::DatabaseReason;
use crate::value::{Guard, Rows};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs one statement. Temporary tables end with the handle, so nothing of it is left but what is in the file.
pub(super) fn run(
    path: &Path,
    sql: &str,
    gate: Gate,
    task: &Task,
    stop: &Arc<Stop>,
) -> Result<Rows, DriverError> {
    let mut handle = connect::open_for(path, stop, Purpose::Full)?;
    let has_committed = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&has_committed);
    let note = move || {
        noted.store(true, Ordering::Release);
        false
    };
    handle.connection.commit_hook(Some(note)).map_err(protection::unguarded)?;
    let mut guards = handle.guards.clone();
    handle.authority.compile();
    let mut statement = statement::single(&handle, sql)?;
    // Nobody is asked about the file while VACUUM INTO is compiled. While it runs, the authorizer is; this
    // refuses it before the gate.
    if statement.is_explain() == 0 && program::is_vacuum_into(&handle.connection, sql) {
        return Err(DriverError::refused(DatabaseReason::StatementBlocked));
    }
    guards.extend([Guard::SingleStatement, Guard::Authorizer]);
    let is_writing = !statement.readonly();
    if !is_writing {
        protection::bound_values(&handle.connection)?;
    }
    stop.pass(gate, task)?;
    match statement::run(&handle, &mut statement, task.limits(), stop) {
        Ok(mut rows) => {
            guards.push(Guard::ResultLimits);
            rows.guards = guards;
            if is_writing {
                // It took effect whatever happens now.
                let _ = protection::settle(&handle.connection);
            }
            Ok(rows)
        }
        // A statement is a transaction of its own, so its end and its commit are one.
        Err(failure) if failure.leaves_commit_open => {
            Err(DriverError::outcome_unknown().replacing(failure.error))
        }
        // FAIL keeps what was done before it, and that is committed.
        Err(failure)
            if has_committed.load(Ordering::Acquire)
                && failure.error.reason() == DatabaseReason::ConstraintViolated =>
        {
            Err(DriverError::outcome_unknown().replacing(failure.error))
        }
        Err(failure) => Err(failure.error),
    }
}
