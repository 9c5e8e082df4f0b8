//! A write of one table: proof, gate, statement, commit.
//!
//! The statement is compiled twice. First on its own, with triggers, views and foreign keys switched off, so that the
//! authorizer and the check of the program see nothing but the statement itself: it may touch the one table
//! only. Then as it runs, with everything that the table brings into play: contract, "Standing access", triggers and
//! foreign key actions still run. What they do is what the person who made them wanted; of it only that is denied which no
//! statement may do (`blocks.rs`).
//!
//! The text is a rendered one, so `"x"` is a column and never a string, and there are no comments. That holds for the
//! bodies of triggers, too: one that writes a string in double quotes makes the write fail, and nothing takes effect.

use super::authorizer::{Readable, Writable};
use super::cancel::Stop;
use super::catalog::Catalog;
use super::connect::{self, Handle};
use super::error::{During, explain, leaves_commit_open};
use super::proof::{Proof, prove, quoted};
use super::protection::{self, Purpose};
use super::{program, statement};
use crate::drivers::{DriverError, Gate, TableWrite, Task};
use crate::reason::DatabaseReason;
use crate::value::{Guard, Rows};
use rusqlite::Statement;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Writes one table.
pub(super) fn write(
    path: &Path,
    write: &TableWrite,
    gate: Gate,
    task: &Task,
    stop: &Arc<Stop>,
) -> Result<Rows, DriverError> {
    let mut handle = connect::open_for(path, stop, Purpose::Write)?;
    // At once, so that nobody writes between the proof and the statement. A journal that the last writer left
    // half-way is rolled back here, as by any program that may write.
    transaction(&handle, "BEGIN IMMEDIATE").map_err(|error| explain(error, During::Proof))?;
    let sent = send(&mut handle, write, gate, task, stop);
    let rows = match sent {
        Ok(rows) => rows,
        Err(error) => return Err(undo(&handle, error)),
    };
    commit(&handle, stop)?;
    // It took effect whatever happens now.
    let _ = protection::settle(&handle.connection);
    Ok(rows)
}

/// Proves and compiles, asks at the gate, and runs.
fn send(
    handle: &mut Handle,
    write: &TableWrite,
    gate: Gate,
    task: &Task,
    stop: &Arc<Stop>,
) -> Result<Rows, DriverError> {
    let mut guards = handle.guards.clone();
    handle.authority.proof();
    let catalog = Catalog::read(&handle.connection)?;
    judge(handle, &catalog, write)?;
    guards.extend([Guard::TableProof, Guard::IdentityPinned, Guard::Authorizer]);
    protection::release(&handle.connection)?;
    handle.authority.compile();
    let mut statement = statement::single(handle, &write.sql)?;
    must_change_rows(&statement)?;
    guards.push(Guard::SingleStatement);
    stop.pass(gate, task)?;
    // Until it is committed, whatever goes wrong can be undone.
    let mut rows = statement::run(handle, &mut statement, task.limits(), stop)
        .map_err(|failure| failure.error)?;
    guards.push(Guard::ResultLimits);
    rows.guards = guards;
    Ok(rows)
}

/// Proves the table and makes sure that the statement, on its own, touches nothing else.
pub(super) fn judge(
    handle: &Handle,
    catalog: &Catalog,
    write: &TableWrite,
) -> Result<(), DriverError> {
    let proof = prove(handle, catalog, &write.table)?;
    if write.columns.iter().any(|column| !proof.has_column(column)) {
        return Err(DriverError::refused(DatabaseReason::ColumnUnknown));
    }
    protection::tighten(&handle.connection)?;
    let mut readable = Readable::default();
    let columns = proof.columns.iter().map(|column| column.name.as_str());
    readable.insert(&proof.table.name, columns);
    readable.insert_defaults(&functions_of_definition(handle, &proof)?);
    let table = proof.table.name.to_ascii_lowercase();
    handle.authority.write(Writable { table, readable });
    let statement = statement::single(handle, &write.sql)?;
    must_change_rows(&statement)?;
    let mut roots: BTreeSet<i64> = proof.roots.iter().copied().collect();
    // Counts the numbers of AUTOINCREMENT. The authorizer lets no statement name it.
    roots.extend(catalog.find("sqlite_sequence").map(|relation| relation.root_page));
    program::check_write(&handle.connection, &write.sql, &roots)
}

fn must_change_rows(statement: &Statement<'_>) -> Result<(), DriverError> {
    // EXPLAIN changes nothing.
    if statement.readonly() || statement.is_explain() != 0 {
        return Err(DriverError::refused(DatabaseReason::OperationNotVerified));
    }
    Ok(())
}

/// Functions in defaults, checks and indexes of the table, which really run when it is written to.
///
/// SQLite asks about them as if the statement called them, so the statement may call them, too. They are built in
/// and, since the schema is not trusted, without effects.
fn functions_of_definition(
    handle: &Handle,
    proof: &Proof,
) -> Result<BTreeSet<String>, DriverError> {
    let table = quoted(&proof.table.name);
    let assignments: Vec<String> = proof
        .columns
        .iter()
        .map(|column| format!("{name} = {name}", name = quoted(&column.name)))
        .collect();
    handle.authority.definition(&proof.table.name);
    for sql in [
        format!("INSERT INTO main.{table} DEFAULT VALUES"),
        format!("UPDATE main.{table} SET {}", assignments.join(", ")),
    ] {
        // Compiled and dropped: nothing of it runs.
        handle.connection.prepare(&sql).map_err(|error| explain(error, During::Prepare))?;
    }
    Ok(handle.authority.noted())
}

fn commit(handle: &Handle, stop: &Stop) -> Result<(), DriverError> {
    if let Err(stopped) = stop.check() {
        return Err(undo(handle, stopped));
    }
    let Err(error) = transaction(handle, "COMMIT") else { return Ok(()) };
    let is_open = leaves_commit_open(&error);
    let failed = undo(handle, explain(error, During::Write));
    Err(if is_open { DriverError::outcome_unknown().replacing(failed) } else { failed })
}

/// Rolls back; the error says the truth afterwards. A transaction that was never committed cannot take effect, also if
/// rolling it back fails: whoever opens the file next finishes that.
fn undo(handle: &Handle, error: DriverError) -> DriverError {
    if handle.connection.is_autocommit() {
        // SQLite has rolled it back by itself.
        return error;
    }
    // Closing the handle rolls back what could not be rolled back here.
    let _ = transaction(handle, "ROLLBACK");
    error
}

fn transaction(handle: &Handle, sql: &str) -> rusqlite::Result<()> {
    handle.authority.transaction();
    handle.connection.execute_batch(sql)
}
