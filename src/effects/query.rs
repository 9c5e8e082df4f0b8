//! Runs the work of one task on its database and turns the driver's answer into an outcome.

use super::clock::{self, Stopwatch};
use super::ids;
use crate::drivers::{
    self, Driver, DriverError, Gate, Limits, Location, Pinned, Proven, Server, Task,
};
use crate::events::{
    Excerpt, ResultBody, ResultPayload, ServerPlace, SourceLocation, TaskOutcome, VerifiedRead,
    VerifiedWrite, WithheldText,
};
use crate::reason::{DatabaseReason, Reason};
use crate::reducer::limits::ROWS_MAX;
use crate::reducer::{Place, Work};
use crate::secret::Secret;
use crate::time::Duration;
use crate::value::{Guard, ObjectIdentity, Rows, TableName};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Runs the work to its real end. Never fails: whatever goes wrong is an outcome, so that the slot
/// is always given back. The gate is asked only by work that may write.
pub(super) async fn run(
    driver: Arc<dyn Driver>,
    work: Work,
    pinned: Option<Pinned>,
    gate: Gate,
    deadline: Duration,
    cancel: CancellationToken,
) -> TaskOutcome {
    let task = Task::new(cancel, clock::instant_after(deadline), Limits::contract());
    let may_write = matches!(work, Work::TableWrite { .. } | Work::FullSql { .. });
    let working =
        tokio::spawn(async move { work_on(&*driver, &work, pinned.as_ref(), gate, &task).await });
    match working.await {
        Ok(Ok(Proven { value, identities })) => completed(value, identities, may_write),
        Ok(Err(error)) => stopped(&error),
        Err(_) => {
            let words = "the driver stopped unexpectedly; this is a defect of DBeast";
            broken_off(withheld(words), may_write)
        }
    }
}

/// Where a driver finds the database of a source, with everything that it needs there.
#[must_use]
pub fn location_of(place: &Place, password: Option<Secret>) -> Location {
    let Place { location, context, is_read_only, read_lock, .. } = place;
    let server = |place: &ServerPlace| {
        let ServerPlace { host, port, database, user } = place;
        Box::new(Server {
            host: host.to_string(),
            port: *port,
            database: database.to_string(),
            user: user.to_string(),
            password,
            schema: context.as_ref().map(ToString::to_string),
            read_lock: *read_lock,
            is_read_only: *is_read_only,
        })
    };
    match location {
        SourceLocation::Sqlite { path } => {
            Location::Sqlite { path: PathBuf::from(&**path), is_read_only: *is_read_only }
        }
        SourceLocation::Postgres(place) => Location::Postgres(server(place)),
        SourceLocation::Mysql(place) => Location::Mysql(server(place)),
        SourceLocation::Mariadb(place) => Location::Mariadb(server(place)),
    }
}

async fn work_on(
    driver: &dyn Driver,
    work: &Work,
    pinned: Option<&Pinned>,
    gate: Gate,
    task: &Task,
) -> Result<Proven<ResultPayload>, DriverError> {
    let stopwatch = Stopwatch::start();
    // Nothing that is proven only for this work is known by its identity later.
    let unproven = |value| Proven { value, identities: Vec::new() };
    let rows = |rows| ResultPayload::Rows { rows, elapsed_ms: stopwatch.elapsed_ms() };
    match work {
        Work::ListTables => {
            let list = driver.list_tables(task).await?;
            let value = ResultPayload::Tables { tables: list.tables, truncated: list.truncated };
            Ok(unproven(value))
        }
        Work::DescribeTable { table } => {
            let Proven { value, identities } = driver.describe_table(table, pinned, task).await?;
            Ok(Proven { value: ResultPayload::Table(value), identities })
        }
        Work::Read { read } => {
            let read = driver.read(&to_driver(read), pinned, task).await?;
            let Proven { value, identities } = read;
            Ok(Proven { value: rows(rendered(value)), identities })
        }
        Work::TableWrite { write } => {
            let written = driver.write_table(&to_driver_write(write), gate, task).await?;
            Ok(unproven(rows(rendered(written))))
        }
        Work::FullSql { sql } => Ok(unproven(rows(driver.run_full(sql, gate, task).await?))),
    }
}

/// The reducer only ever hands on texts of reads and table writes that came out of a typed statement.
fn rendered(mut rows: Rows) -> Rows {
    rows.guards.insert(0, Guard::TypedStatement);
    rows
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
    completed(payload, Vec::new(), false)
}

/// A text that stays out of logs.
pub(super) fn withheld(text: &str) -> WithheldText {
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

pub(super) fn to_driver_write(write: &VerifiedWrite) -> drivers::TableWrite {
    drivers::TableWrite {
        sql: write.sql.to_string(),
        table: write.table.clone(),
        columns: write.columns.clone(),
    }
}

fn completed(
    payload: ResultPayload,
    identities: Vec<(TableName, ObjectIdentity)>,
    may_write: bool,
) -> TaskOutcome {
    match serde_json::to_vec(&payload) {
        Ok(bytes) => {
            let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            let body = ResultBody::new(payload, ids::digest_of_withheld(&bytes), size);
            TaskOutcome::Completed { body, identities }
        }
        Err(error) => broken_off(withheld(&error.to_string()), may_write),
    }
}

/// The end of work that was lost on the way. Whether a statement took effect cannot be said then.
fn broken_off(cause: WithheldText, may_write: bool) -> TaskOutcome {
    if may_write {
        return TaskOutcome::OutcomeUnknown { cause: Some(cause) };
    }
    let reason = Reason::Database(DatabaseReason::ExecutionFailed);
    TaskOutcome::Failed { reason, cause: Some(cause) }
}

fn stopped(error: &DriverError) -> TaskOutcome {
    let cause = error.cause();
    let cause = (!cause.is_empty()).then(|| withheld(&cause));
    // A lock that somebody else held is worth saying; any other overrun is the statement's own.
    let is_lock =
        matches!(error.reason(), DatabaseReason::SourceLocked | DatabaseReason::TableLocked);
    if error.is_outcome_unknown() {
        TaskOutcome::OutcomeUnknown { cause }
    } else if error.is_deadline_exceeded() && !is_lock {
        TaskOutcome::DeadlineExceeded
    } else if error.is_cancelled() {
        TaskOutcome::Cancelled
    } else if error.is_identity_changed() {
        TaskOutcome::IdentityChanged
    } else {
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
        for lock in [DatabaseReason::SourceLocked, DatabaseReason::TableLocked] {
            let outcome = stopped(&DriverError::deadline_exceeded(lock));
            assert_eq!(
                outcome,
                TaskOutcome::Failed { reason: Reason::Database(lock), cause: None }
            );
        }
        let outcome = stopped(&DriverError::deadline_exceeded(DatabaseReason::DeadlineExceeded));
        assert_eq!(outcome, TaskOutcome::DeadlineExceeded);
        assert_eq!(stopped(&DriverError::identity_changed()), TaskOutcome::IdentityChanged);
    }

    #[test]
    fn what_the_driver_does_not_know_is_not_called_a_failure() {
        let outcome = stopped(&DriverError::outcome_unknown());
        assert_eq!(outcome, TaskOutcome::OutcomeUnknown { cause: None });
    }
}
