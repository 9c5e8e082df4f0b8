//! The read itself: transaction, proof, statement, rows.

use super::authorizer::{Authority, Readable};
use super::cancel::Stop;
use super::catalog::{self, Catalog};
use super::connect::{Handle, Known};
use super::error::{During, explain};
use super::identity::{identities, prove_pinned};
use super::proof::Proof;
use super::protection;
use super::{program, statement, types};
use crate::drivers::budget::{Budget, Taken};
use crate::drivers::{DriverError, Limits, Pinned, Proven, Read};
use crate::reason::DatabaseReason;
use crate::value::{Cell, Guard, ResultLimit, Rows};
use rusqlite::{Row, Statement, TransactionState};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Physical tables of one statement, at most (contract, "Tools").
const TABLES_MAX: usize = 16;

/// Runs work inside one read transaction and always rolls it back.
///
/// The first read of the catalog takes the snapshot (SQLite manual, "Isolation In SQLite"), so
/// the proof and the statement see the same schema and the same data.
pub(super) fn in_transaction<T>(
    handle: &mut Handle,
    work: impl FnOnce(&Handle, &Catalog, &mut Vec<Guard>) -> Result<T, DriverError>,
) -> Result<(T, Vec<Guard>), DriverError> {
    handle.authority.transaction();
    handle
        .connection
        .execute_batch("BEGIN DEFERRED")
        .map_err(|error| explain(error, During::Proof))?;
    let mut guards = handle.guards.clone();
    let result = snapshot(handle, &mut guards).and_then(|catalog| {
        let value = work(handle, &catalog, &mut guards)?;
        // Only we could have let it go, and then nothing was held still.
        must_hold_snapshot(handle)?;
        guards.push(Guard::IdentityPinned);
        Ok(value)
    });
    handle.authority.transaction();
    let rolled_back = handle.connection.execute_batch("ROLLBACK");
    let value = result?;
    rolled_back.map_err(|error| explain(error, During::Proof))?;
    // The guard says that the transaction was rolled back, so that has to be true.
    if !handle.connection.is_autocommit() {
        return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
    }
    Ok((value, guards))
}

fn snapshot(handle: &mut Handle, guards: &mut Vec<Guard>) -> Result<Arc<Catalog>, DriverError> {
    handle.authority.proof();
    let version = catalog::version(&handle.connection)?;
    let catalog = match handle.known.catalog.take() {
        Some(catalog) if catalog.version == version => catalog,
        _ => {
            handle.known = Known::default();
            Arc::new(Catalog::read(&handle.connection)?)
        }
    };
    handle.known.catalog = Some(Arc::clone(&catalog));
    must_hold_snapshot(handle)?;
    guards.push(Guard::ReadOnlyTransaction);
    Ok(catalog)
}

/// Makes sure that the transaction reads one moment of the file, in which no change of the schema can be seen.
fn must_hold_snapshot(handle: &Handle) -> Result<(), DriverError> {
    let state = handle
        .connection
        .transaction_state(Some("main"))
        .map_err(|error| explain(error, During::Proof))?;
    if state != TransactionState::Read || handle.connection.is_autocommit() {
        return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
    }
    Ok(())
}

/// Proves the tables of a read and runs it.
pub(super) fn read(
    handle: &mut Handle,
    read: &Read,
    pinned: Option<&Pinned>,
    limits: Limits,
    stop: &Stop,
) -> Result<Proven<Rows>, DriverError> {
    let (mut proven, guards) = in_transaction(handle, |handle, catalog, guards| {
        let proofs = prove_all(handle, catalog, read, pinned)?;
        let identities = identities(&proofs, &read.tables, pinned)?;
        guards.push(Guard::TableProof);
        protection::tighten(&handle.connection)?;
        let mut statement = prepare(handle, &read.sql, &proofs)?;
        guards.push(Guard::Authorizer);
        let budget = Budget::new(limits.with_rows(read.rows_max));
        let value = fetch(&mut statement, &handle.authority, budget, stop)?;
        guards.push(Guard::ResultLimits);
        Ok(Proven { value, identities })
    })?;
    proven.value.guards = guards;
    Ok(proven)
}

fn prove_all(
    handle: &Handle,
    catalog: &Catalog,
    read: &Read,
    pinned: Option<&Pinned>,
) -> Result<Vec<Arc<Proof>>, DriverError> {
    let mut proofs: Vec<Arc<Proof>> = Vec::new();
    for table in &read.tables {
        if proofs.iter().any(|proof| proof.is_of(table)) {
            continue;
        }
        if proofs.len() >= TABLES_MAX {
            return Err(DriverError::refused(DatabaseReason::TooManyTables));
        }
        proofs.push(prove_pinned(handle, catalog, table, pinned)?);
    }
    for (table, column) in &read.columns {
        let Some(proof) = proofs.iter().find(|proof| proof.is_of(table)) else {
            return Err(DriverError::refused(DatabaseReason::TableNotVerified));
        };
        if !proof.has_column(column) {
            return Err(DriverError::refused(DatabaseReason::ColumnUnknown));
        }
    }
    Ok(proofs)
}

/// Compiles exactly one reading statement over the proven tables.
fn prepare<'a>(
    handle: &'a Handle,
    sql: &str,
    proofs: &[Arc<Proof>],
) -> Result<Statement<'a>, DriverError> {
    let mut readable = Readable::default();
    let mut roots = BTreeSet::new();
    for proof in proofs {
        let columns = proof.columns.iter().map(|column| column.name.as_str());
        readable.insert(&proof.table.name, columns);
        readable.insert_defaults(&proof.defaults);
        roots.extend(proof.roots.iter().copied());
    }
    handle.authority.read(readable);

    let statement = statement::single(handle, sql)?;
    if !statement.readonly() || statement.is_explain() != 0 || statement.column_count() == 0 {
        return Err(DriverError::refused(DatabaseReason::StatementNotRead));
    }
    program::check(&handle.connection, sql, &roots)?;
    Ok(statement)
}

fn fetch(
    statement: &mut Statement<'_>,
    authority: &Authority,
    mut budget: Budget,
    stop: &Stop,
) -> Result<Rows, DriverError> {
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    budget.columns(&columns)?;
    let mut result = Rows { columns, ..Rows::default() };
    let mut rows = statement.raw_query();
    loop {
        stop.check()?;
        let next =
            rows.next().map_err(|error| statement::denied_or(authority, error, During::Step))?;
        let Some(row) = next else { break };
        // A further row exists, whatever it holds.
        if budget.is_full() {
            result.truncated_by = Some(ResultLimit::Rows);
            break;
        }
        let cells = cells(row, result.columns.len(), &budget)?;
        match budget.row(&cells)? {
            Taken::Whole => result.rows.push(cells),
            Taken::Nothing(limit) => {
                result.truncated_by = Some(limit);
                break;
            }
        }
    }
    result.bytes = budget.bytes();
    Ok(result)
}

fn cells(row: &Row<'_>, count: usize, budget: &Budget) -> Result<Vec<Cell>, DriverError> {
    let mut cells = Vec::with_capacity(count);
    for index in 0..count {
        let value = row.get_ref(index).map_err(|error| explain(error, During::Step))?;
        let shown = types::Shown::of(value);
        budget.cell(shown.size())?;
        cells.push(shown.into_cell());
    }
    Ok(cells)
}
