//! Exactly one statement, and what became of one that was sent.

use super::authorizer::Authority;
use super::cancel::Stop;
use super::connect::Handle;
use super::error::{During, explain, leaves_commit_open};
use super::types;
use crate::drivers::budget::{Budget, Taken};
use crate::drivers::{DriverError, Limits};
use crate::reason::DatabaseReason;
use crate::value::{Cell, ResultLimit, Rows};
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, Row, Statement};

/// Compiles a text that holds exactly one statement, without parameters.
pub(super) fn single<'a>(handle: &'a Handle, sql: &str) -> Result<Statement<'a>, DriverError> {
    // SQLite would stop reading at a NUL and never see the rest.
    if sql.contains('\0') {
        return Err(DriverError::refused(DatabaseReason::StatementNotSingle));
    }
    let mut batch = Batch::new(&handle.connection, sql);
    let statement = batch
        .next()
        .map_err(|error| denied_or(&handle.authority, error, During::Prepare))?
        .ok_or_else(|| DriverError::refused(DatabaseReason::StatementEmpty))?;
    // Whatever follows, even if it does not compile, is more than one statement.
    if !matches!(batch.next(), Ok(None)) {
        return Err(DriverError::refused(DatabaseReason::StatementNotSingle));
    }
    if statement.parameter_count() != 0 {
        return Err(DriverError::refused(DatabaseReason::StatementHasParameters));
    }
    Ok(statement)
}

/// The authorizer knows more about a denial than SQLite's message.
pub(super) fn denied_or(
    authority: &Authority,
    error: rusqlite::Error,
    during: During,
) -> DriverError {
    let code = error.sqlite_extended_error_code();
    match authority.denial(code == Some(rusqlite::ffi::SQLITE_AUTH)) {
        Some(reason) => DriverError::refused(reason).because(error),
        None => explain(error, during),
    }
}

/// Why a statement that was sent failed.
pub(super) struct Failure {
    pub(super) error: DriverError,
    /// Whether a commit that was part of it may have reached the disk.
    pub(super) leaves_commit_open: bool,
}

/// Runs a statement that was sent, and keeps of its rows what fits the limits. The limits are no error here, because
/// the statement takes effect.
///
/// One that may write runs to its end: SQLite commits it there, and also if it were left before.
pub(super) fn run(
    handle: &Handle,
    statement: &mut Statement<'_>,
    limits: Limits,
    stop: &Stop,
) -> Result<Rows, Failure> {
    let is_writing = !statement.readonly() && statement.is_explain() == 0;
    let during = if is_writing { During::Write } else { During::Step };
    let names = statement.column_names().map(str::to_owned).collect();
    let mut kept = Kept::new(limits, names);
    handle.authority.run();
    let mut rows = statement.raw_query();
    loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            Err(error) => {
                let leaves_commit_open = is_writing && leaves_commit_open(&error);
                let error = denied_or(&handle.authority, error, during);
                return Err(Failure { error, leaves_commit_open });
            }
        };
        kept.add(row);
        if !is_writing && kept.is_cut() {
            break;
        }
        if !is_writing && let Err(error) = stop.check() {
            return Err(Failure { error, leaves_commit_open: false });
        }
    }
    drop(rows);
    let mut rows = kept.into_rows();
    if is_writing && handle.authority.changes_rows() {
        rows.affected_rows = Some(handle.connection.changes());
    }
    Ok(rows)
}

/// Rows of a statement that was sent, as long as they fit.
struct Kept {
    budget: Budget,
    rows: Rows,
}

impl Kept {
    fn new(limits: Limits, columns: Vec<String>) -> Self {
        let mut kept = Self { budget: Budget::new(limits), rows: Rows::default() };
        if kept.budget.columns(&columns).is_ok() {
            kept.rows.columns = columns;
        } else {
            kept.budget = Budget::new(limits);
            kept.cut(ResultLimit::Bytes);
        }
        kept
    }

    fn is_cut(&self) -> bool {
        self.rows.truncated_by.is_some()
    }

    fn cut(&mut self, limit: ResultLimit) {
        self.rows.truncated_by = Some(limit);
    }

    fn add(&mut self, row: &Row<'_>) {
        if self.is_cut() {
            return;
        }
        if self.budget.is_full() {
            return self.cut(ResultLimit::Rows);
        }
        let Some(cells) = self.cells(row) else {
            return self.cut(ResultLimit::CellBytes);
        };
        match self.budget.row(&cells) {
            Ok(Taken::Whole) => self.rows.rows.push(cells),
            Ok(Taken::Nothing(limit)) => self.cut(limit),
            Err(_) => self.cut(ResultLimit::Bytes),
        }
    }

    /// The cells, unless one is too large. A part of a value could be taken for the whole.
    fn cells(&self, row: &Row<'_>) -> Option<Vec<Cell>> {
        let mut cells = Vec::with_capacity(self.rows.columns.len());
        for index in 0..self.rows.columns.len() {
            let value = row.get_ref(index).ok()?;
            let shown = types::Shown::of(value);
            self.budget.cell(shown.size()).ok()?;
            cells.push(shown.into_cell());
        }
        Some(cells)
    }

    fn into_rows(self) -> Rows {
        Rows { bytes: self.budget.bytes(), ..self.rows }
    }
}
