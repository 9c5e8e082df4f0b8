//! Runs the work of one task on its database and turns the driver's answer into an outcome.

use super::clock::{self, Stopwatch};
use super::ids;
use crate::drivers::{self, DriverError, Limits, Location, Pinned, Proven, Task};
use crate::events::{
    Excerpt, ResultBody, ResultPayload, SourceLocation, TaskOutcome, VerifiedRead, WithheldText,
};
use crate::reason::{DatabaseReason, Reason};
use crate::reducer::Work;
use crate::reducer::limits::ROWS_MAX;
use crate::time::Duration;
use crate::value::{Guard, ObjectIdentity, TableName};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Runs the work to its real end. Never fails: whatever goes wrong is an outcome, so that the slot
/// is always given back.
pub(super) async fn run(
    work: Work,
    location: SourceLocation,
    pinned: Option<Pinned>,
    deadline: Duration,
    cancel: CancellationToken,
) -> TaskOutcome {
    let task = Task::new(cancel, clock::instant_after(deadline), Limits::contract());
    let working =
        tokio::spawn(async move { work_on(&work, &location, pinned.as_ref(), &task).await });
    match working.await {
        Ok(Ok(Proven { value, identities })) => completed(value, identities),
        Ok(Err(error)) => stopped(&error),
        Err(_) => TaskOutcome::Failed {
            reason: Reason::Database(DatabaseReason::ExecutionFailed),
            cause: Some(withheld("the driver stopped unexpectedly; this is a defect of DBeast")),
        },
    }
}

/// Where a driver finds the database of a source.
#[must_use]
pub fn location_of(location: &SourceLocation) -> Location {
    match location {
        SourceLocation::Sqlite { path } => {
            Location::Sqlite { path: PathBuf::from(&**path), is_read_only: true }
        }
    }
}

async fn work_on(
    work: &Work,
    location: &SourceLocation,
    pinned: Option<&Pinned>,
    task: &Task,
) -> Result<Proven<ResultPayload>, DriverError> {
    let driver = drivers::open(&location_of(location));
    match work {
        Work::ListTables => {
            let list = driver.list_tables(task).await?;
            let value = ResultPayload::Tables { tables: list.tables, truncated: list.truncated };
            // Nothing in the list is proven.
            Ok(Proven { value, identities: Vec::new() })
        }
        Work::DescribeTable { table } => {
            let Proven { value, identities } = driver.describe_table(table, pinned, task).await?;
            Ok(Proven { value: ResultPayload::Table(value), identities })
        }
        Work::Read { read } => {
            let stopwatch = Stopwatch::start();
            let read = driver.read(&to_driver(read), pinned, task).await?;
            let Proven { value: mut rows, identities } = read;
            // The reducer only ever hands on texts that came out of a typed statement.
            rows.guards.insert(0, Guard::TypedStatement);
            let value = ResultPayload::Rows { rows, elapsed_ms: stopwatch.elapsed_ms() };
            Ok(Proven { value, identities })
        }
        // They would have to ask before they send (`TaskEvent::ReadyToSend`); no driver does yet.
        Work::TableWrite { .. } | Work::FullSql { .. } => {
            Err(DriverError::refused(DatabaseReason::WritesUnavailable))
        }
    }
}

/// Hands out a range of a document: the text that the person saw, and nothing else.
pub(super) fn read_document(excerpt: &Excerpt) -> TaskOutcome {
    let Some(text) = excerpt.text.text() else {
        let reason = Reason::Database(DatabaseReason::ExecutionFailed);
        return TaskOutcome::Failed { reason, cause: None };
    };
    let payload = ResultPayload::Text {
        from: excerpt.from,
        text: text.clone(),
        snapshot_bytes: excerpt.snapshot_bytes,
    };
    completed(payload, Vec::new())
}

/// A text that stays out of logs.
fn withheld(text: &str) -> WithheldText {
    WithheldText::new(Arc::from(text), ids::digest_of_withheld(text.as_bytes()))
}

fn to_driver(read: &VerifiedRead) -> drivers::Read {
    drivers::Read {
        sql: read.sql.to_string(),
        tables: read.tables.clone(),
        columns: read.columns.clone(),
        rows_max: ROWS_MAX,
    }
}

fn completed(payload: ResultPayload, identities: Vec<(TableName, ObjectIdentity)>) -> TaskOutcome {
    match serde_json::to_vec(&payload) {
        Ok(bytes) => {
            let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            let body = ResultBody::new(payload, ids::digest_of_withheld(&bytes), size);
            TaskOutcome::Completed { body, identities }
        }
        Err(error) => TaskOutcome::Failed {
            reason: Reason::Database(DatabaseReason::ExecutionFailed),
            cause: Some(withheld(&error.to_string())),
        },
    }
}

fn stopped(error: &DriverError) -> TaskOutcome {
    // A lock that somebody else held is worth saying; any other overrun is the statement's own.
    let is_lock = error.reason() == DatabaseReason::SourceLocked;
    if error.is_deadline_exceeded() && !is_lock {
        TaskOutcome::DeadlineExceeded
    } else if error.is_cancelled() {
        TaskOutcome::Cancelled
    } else if error.is_identity_changed() {
        TaskOutcome::IdentityChanged
    } else {
        let cause = error.cause();
        let cause = (!cause.is_empty()).then(|| withheld(&cause));
        TaskOutcome::Failed { reason: Reason::Database(error.reason()), cause }
    }
}

#[cfg(test)]
mod tests {
    use super::stopped;
    use crate::drivers::DriverError;
    use crate::events::TaskOutcome;
    use crate::reason::{DatabaseReason, Reason};

    #[test]
    fn a_lock_is_named_as_the_reason_and_not_the_time_that_it_took() {
        let outcome = stopped(&DriverError::deadline_exceeded(DatabaseReason::SourceLocked));
        let reason = Reason::Database(DatabaseReason::SourceLocked);
        assert_eq!(outcome, TaskOutcome::Failed { reason, cause: None });
        let outcome = stopped(&DriverError::deadline_exceeded(DatabaseReason::DeadlineExceeded));
        assert_eq!(outcome, TaskOutcome::DeadlineExceeded);
        assert_eq!(stopped(&DriverError::identity_changed()), TaskOutcome::IdentityChanged);
    }
}
