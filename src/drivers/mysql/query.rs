//! The read itself: held and proven tables, the statement, its rows.

use super::Flavour;
use super::connection::{Answer, Connection, State};
use super::hold::{Mode, hold};
use super::rows::{self, Beyond};
use super::words;
use crate::drivers::{DriverError, Limits, Pinned, Proven, Read, Server, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, Rows};

/// Proves the tables of a read and runs it. The connection is left outside any transaction, or busy.
pub(super) async fn read(
    connection: &mut Connection,
    flavour: Flavour,
    server: &Server,
    read: &Read,
    pinned: Option<&Pinned>,
    task: &Task,
) -> Result<Proven<Rows>, DriverError> {
    let tables: Vec<_> = read.tables.iter().collect();
    let held = hold(connection, flavour, server, &tables, pinned, Mode::Read, task).await?;
    check_is_read(&read.sql)?;
    held.check_columns(read.columns.iter().map(|(table, column)| (table, column.as_str())))?;
    let identities = held.identities(&read.tables, pinned)?;
    // Looked at before it runs: what returns no columns, or wants values, is no read.
    let prepared = connection.prepare(&read.sql).await.map_err(of_read)?;
    if prepared.parameters > 0 {
        return Err(DriverError::refused(Reason::StatementHasParameters));
    }
    if prepared.columns == 0 {
        return Err(DriverError::refused(Reason::StatementNotRead));
    }
    let limits = task.limits().with_rows(read.rows_max);
    let mut value = run(connection, &read.sql, limits).await.map_err(of_read)?;
    if connection.state() == State::InTransaction {
        connection.roll_back().await?;
    }
    value.guards = held.guards(&[Guard::SingleStatement, Guard::ResultLimits]);
    Ok(Proven { value, identities })
}

/// What begins a statement that reads, and nothing else.
fn check_is_read(sql: &str) -> Result<(), DriverError> {
    if sql.contains('\0') {
        return Err(DriverError::refused(Reason::StatementNotSingle));
    }
    match words::first(sql).as_str() {
        "" => Err(DriverError::refused(Reason::StatementEmpty)),
        "select" | "with" => Ok(()),
        _ => Err(DriverError::refused(Reason::StatementNotRead)),
    }
}

async fn run(connection: &mut Connection, sql: &str, limits: Limits) -> Result<Rows, DriverError> {
    let Answer::Columns(columns) = connection.query(sql).await? else {
        return Err(DriverError::refused(Reason::StatementNotRead));
    };
    match rows::read(connection, &columns, limits, Beyond::Stop).await {
        Ok(ended) => {
            match ended.done {
                Some(done) => {
                    rows::drain(connection, done).await?;
                }
                None => stop(connection).await,
            }
            Ok(ended.rows)
        }
        Err(error) => {
            if connection.state() == State::Busy && error.is_limit_exceeded() {
                stop(connection).await;
            }
            Err(error)
        }
    }
}

/// Stops a statement whose rows nobody wants any more. The connection is closed afterwards.
async fn stop(connection: &mut Connection) {
    let key = connection.stop();
    key.insist(connection.rest()).await;
}

/// In a read, what is not permitted is a table.
fn of_read(error: DriverError) -> DriverError {
    if error.reason() == Reason::StatementNotPermitted {
        DriverError::failed(Reason::TableNotPermitted).replacing(error)
    } else {
        error
    }
}
