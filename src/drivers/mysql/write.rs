//! One verified write of one table: proof, go-ahead, statement, commit.
//!
//! Until COMMIT is sent, closing the connection undoes everything. From then on until its answer nobody knows.
//! Triggers and foreign keys act as they always do (contract, "Tools"); what a trigger does to a table of an engine
//! without transactions stays, also after a failure.

use super::Flavour;
use super::connection::{Answer, Connection, Done};
use super::hold::{Held, Mode, hold};
use super::rows::{self, Beyond, Ended};
use super::words;
use crate::drivers::{DriverError, Gate, Server, TableWrite, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, Rows};

/// Proves the table, asks, and only then runs the statement and commits.
pub(super) async fn write(
    connection: &mut Connection,
    flavour: Flavour,
    server: &Server,
    write: &TableWrite,
    gate: Gate,
    task: &Task,
) -> Result<Rows, DriverError> {
    let held = prove(connection, flavour, server, write, task).await?;
    gate.pass(task).await?;
    connection.check_open()?;
    let ended = match connection.query(&write.sql).await? {
        Answer::Done(done) => Ended { rows: Rows::default(), done: Some(done) },
        Answer::Columns(columns) => {
            rows::read(connection, &columns, task.limits(), Beyond::Drain).await?
        }
    };
    let done = rows::drain(connection, ended.done.unwrap_or_default()).await?;
    commit(connection).await?;
    let guards = held.guards(&[Guard::SingleStatement, Guard::ResultLimits]);
    Ok(Rows { affected_rows: affected(done), guards, ..ended.rows })
}

/// Holds the table, proves that it has these columns, and lets the server look at the statement.
pub(super) async fn prove(
    connection: &mut Connection,
    flavour: Flavour,
    server: &Server,
    write: &TableWrite,
    task: &Task,
) -> Result<Held, DriverError> {
    if write.sql.contains('\0') {
        return Err(DriverError::refused(Reason::StatementNotSingle));
    }
    match words::first(&write.sql).as_str() {
        "" => return Err(DriverError::refused(Reason::StatementEmpty)),
        "insert" | "update" | "delete" => {}
        _ => return Err(DriverError::refused(Reason::StatementNotAccepted)),
    }
    let tables = [&write.table];
    let held = hold(connection, flavour, server, &tables, None, Mode::Write, task).await?;
    held.check_columns(write.columns.iter().map(|column| (&write.table, column.as_str())))?;
    let prepared = connection.prepare(&write.sql).await?;
    if prepared.parameters > 0 {
        return Err(DriverError::refused(Reason::StatementHasParameters));
    }
    Ok(held)
}

/// Rows that a statement changed. The servers say all bits of a number if it changed none by its kind.
pub(super) const fn affected(done: Done) -> Option<u64> {
    match done.affected_rows {
        Some(u64::MAX) => None,
        rows => rows,
    }
}

/// Commits.
async fn commit(connection: &mut Connection) -> Result<(), DriverError> {
    connection.will_last(false);
    let committed = connection.command("COMMIT").await;
    if committed.as_ref().err().is_none_or(|error| error.reason() != Reason::ServerLost) {
        connection.has_ended();
    }
    committed.map(|_| ())
}
