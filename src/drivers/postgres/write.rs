//! One verified write of one table: proof, go-ahead, statement, commit.
//!
//! Until COMMIT is sent, closing the connection undoes everything. From then on until its answer nobody knows.

use super::connection::{Connection, Reply, odd};
use super::full::without_comments;
use super::hold::{Held, Wanted, check_columns, hold};
use super::lock::Mode;
use super::query;
use super::relation::Kind;
use super::rows::{self, Beyond};
use crate::drivers::{DriverError, Gate, TableWrite, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, Rows};

/// Proves the table, asks, and only then runs the statement and commits.
pub(super) async fn write(
    connection: &mut Connection,
    write: &TableWrite,
    gate: Gate,
    task: &Task,
) -> Result<Rows, DriverError> {
    let held = prove(connection, write, "begin_write", task).await?;
    connection.parse("", &write.sql)?;
    connection.describe("")?;
    held.ask_still(connection)?;
    connection.sync();
    connection.send().await?;
    let columns = query::described(connection).await?;
    held.read_still(connection).await?;
    connection.finish().await?;
    gate.pass(task).await?;
    connection.run("", &[], 0)?;
    held.ask_still(connection)?;
    connection.sync();
    connection.send().await?;
    let ended = rows::read(connection, &columns, task.limits(), Beyond::Drain).await?;
    held.read_still(connection).await?;
    connection.finish().await?;
    commit(connection).await?;
    let affected_rows = ended.tag.as_deref().and_then(rows::affected);
    let guards = vec![
        Guard::Deadline,
        Guard::SearchPath,
        Guard::TableProof,
        Guard::IdentityPinned,
        Guard::SingleStatement,
        Guard::ResultLimits,
    ];
    Ok(Rows { affected_rows, guards, ..ended.rows })
}

/// Holds the table and proves that it is a plain one with these columns.
pub(super) async fn prove(
    connection: &mut Connection,
    write: &TableWrite,
    begin: &'static str,
    task: &Task,
) -> Result<Held, DriverError> {
    if write.sql.contains('\0') {
        return Err(DriverError::refused(Reason::StatementNotSingle));
    }
    let text = without_comments(&write.sql);
    if text.is_empty() {
        return Err(DriverError::refused(Reason::StatementEmpty));
    }
    // Each of these words begins one kind of statement, and no other statement begins with it.
    let first = text.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    // A row that is inserted goes to the named table alone; for the others, nothing may begin to inherit from it.
    let mode = match first.to_ascii_lowercase().as_str() {
        "insert" => Mode::Insert,
        "update" | "delete" => Mode::Change,
        _ => return Err(DriverError::refused(Reason::StatementNotAccepted)),
    };
    let wanted = Wanted { tables: vec![&write.table], pinned: None, mode, begin };
    let held = hold(connection, &wanted, task).await?;
    let relation = held.proof.find(&write.table).ok_or_else(odd)?;
    if relation.kind != Kind::Table {
        return Err(DriverError::refused(Reason::TableNotWritable));
    }
    check_columns(&held.proof, write.columns.iter().map(|column| (&write.table, column.as_str())))?;
    Ok(held)
}

/// Commits. A rule that is checked only now, such as a deferred foreign key, is an error without effect.
async fn commit(connection: &mut Connection) -> Result<(), DriverError> {
    connection.run("commit", &[], 0)?;
    connection.sync();
    connection.will_last(false);
    connection.send().await?;
    loop {
        match connection.reply(0).await? {
            Reply::Complete(tag) => {
                // COMMIT is answered when it is done; whether the connection still works does not matter.
                connection.has_ended();
                let is_committed = tag == "COMMIT";
                return if is_committed {
                    Ok(())
                } else {
                    Err(DriverError::failed(Reason::ExecutionFailed))
                };
            }
            Reply::Error(message) => {
                connection.has_ended();
                return Err(message.into_error());
            }
            Reply::NoColumns => {}
            Reply::Row(_)
            | Reply::LongRow { .. }
            | Reply::Columns(_)
            | Reply::Parameters(_)
            | Reply::Suspended
            | Reply::Empty
            | Reply::Copy { .. }
            | Reply::Ready => return Err(odd()),
        }
    }
}
