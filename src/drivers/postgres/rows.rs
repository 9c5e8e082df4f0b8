//! Rows as they come, counted against the limits of a result.

use super::connection::{Connection, Reply, odd};
use super::error::broken;
use super::types;
use super::wire::Row;
use crate::drivers::budget::{Budget, Taken};
use crate::drivers::{DriverError, Limits};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Cell, ResultLimit, Rows};
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::RowDescriptionBody;

/// Bytes of rows that are passed over so that a connection can be used again. More, and it is closed.
const PASSED_BYTES_MAX: usize = 1024 * 1024;

/// What happens with rows beyond the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// A read: a cell that is too large is an error, and nothing is read that is not handed out.
    Stop,
    /// The same, but everything that is on its way is passed over, so that the transaction can go on.
    PassOver,
    /// A statement that may write: it runs to its end, whatever it returns.
    Drain,
}

/// How a statement ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) rows: Rows,
    /// The command tag, if the statement ran to its end.
    pub(super) tag: Option<String>,
    /// Whether everything that the server sends for the statement was read.
    pub(super) is_whole: bool,
}

/// Reads the answer to one statement whose columns these are.
pub(super) async fn read(
    connection: &mut Connection,
    columns: &[Column],
    limits: Limits,
    beyond: Beyond,
) -> Result<Ended, DriverError> {
    let mut taking = Taking::begin(columns, limits, beyond)?;
    let row_bytes_max = limits.result_bytes().saturating_add(16 * 1024);
    let mut passed = 0_usize;
    loop {
        match connection.reply(row_bytes_max).await? {
            Reply::Row(row) if taking.is_over() => {
                passed = passed.saturating_add(row.bytes());
            }
            Reply::Row(row) => taking.take(&row)?,
            Reply::LongRow { longest } => {
                passed = passed.saturating_add(longest);
                if !taking.is_over() {
                    taking.long(longest)?;
                }
            }
            Reply::Complete(tag) => return Ok(taking.end(Some(tag), true)),
            Reply::Suspended => return Ok(taking.end(None, true)),
            Reply::Error(message) => return Err(message.into_error()),
            Reply::Empty => return Err(DriverError::refused(Reason::StatementEmpty)),
            Reply::Copy { .. } => return Err(DriverError::refused(Reason::StatementNeedsStream)),
            Reply::Columns(_) | Reply::NoColumns | Reply::Parameters(_) | Reply::Ready => {
                return Err(odd());
            }
        }
        if beyond == Beyond::Stop && passed > PASSED_BYTES_MAX {
            return Ok(taking.end(None, false));
        }
    }
}

/// A column of a result.
#[derive(Debug)]
pub(super) struct Column {
    name: String,
    type_oid: u32,
}

/// The columns of a description.
pub(super) fn columns(body: &RowDescriptionBody) -> Result<Vec<Column>, DriverError> {
    let column = |field: postgres_protocol::message::backend::Field<'_>| {
        Ok(Column { name: field.name().to_owned(), type_oid: field.type_oid() })
    };
    body.fields().map(column).collect().map_err(broken)
}

struct Taking<'a> {
    columns: &'a [Column],
    budget: Budget,
    beyond: Beyond,
    rows: Rows,
}

impl<'a> Taking<'a> {
    fn begin(columns: &'a [Column], limits: Limits, beyond: Beyond) -> Result<Self, DriverError> {
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let mut budget = Budget::new(limits);
        let rows = match (budget.columns(&names), beyond) {
            (Ok(()), _) => Rows { columns: names, ..Rows::default() },
            (Err(error), Beyond::Stop | Beyond::PassOver) => return Err(error),
            // The statement is on its way: an error would say that nothing took effect.
            (Err(_), Beyond::Drain) => {
                budget = Budget::new(limits);
                Rows { truncated_by: Some(ResultLimit::Bytes), ..Rows::default() }
            }
        };
        Ok(Self { columns, budget, beyond, rows })
    }

    fn is_over(&self) -> bool {
        self.rows.truncated_by.is_some()
    }

    fn take(&mut self, row: &Row) -> Result<(), DriverError> {
        // A further row exists, whatever it holds.
        if self.budget.is_full() {
            self.rows.truncated_by = Some(ResultLimit::Rows);
            return Ok(());
        }
        let Some(cells) = self.cells(row)? else {
            self.rows.truncated_by = Some(ResultLimit::CellBytes);
            return Ok(());
        };
        match self.budget.row(&cells) {
            Ok(Taken::Whole) => self.rows.rows.push(cells),
            Ok(Taken::Nothing(limit)) => self.rows.truncated_by = Some(limit),
            Err(_) if self.beyond == Beyond::Drain => {
                self.rows.truncated_by = Some(ResultLimit::Bytes);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The cells of a row; none if one is too large and that is no error.
    fn cells(&self, row: &Row) -> Result<Option<Vec<Cell>>, DriverError> {
        let mut values = row.values();
        let mut cells = Vec::with_capacity(self.columns.len());
        for column in self.columns {
            let value = values.next().ok_or_else(odd)?;
            match (types::cell(column.type_oid, value, &self.budget), self.beyond) {
                (Ok(cell), _) => cells.push(cell),
                (Err(error), Beyond::Stop | Beyond::PassOver) => return Err(error),
                (Err(_), Beyond::Drain) => return Ok(None),
            }
        }
        Ok(Some(cells))
    }

    /// A row that was passed over because it could not fit.
    fn long(&mut self, longest: usize) -> Result<(), DriverError> {
        if self.budget.is_full() {
            self.rows.truncated_by = Some(ResultLimit::Rows);
            return Ok(());
        }
        // Two letters before the digits of binary values do not count.
        let is_cell = self.budget.cell(longest.saturating_sub(2)).is_err();
        if self.beyond != Beyond::Drain {
            if is_cell {
                return Err(DriverError::limit_exceeded(Reason::CellTooLarge));
            }
            if self.rows.rows.is_empty() {
                return Err(DriverError::limit_exceeded(Reason::RowTooLarge));
            }
        }
        let limit = if is_cell { ResultLimit::CellBytes } else { ResultLimit::Bytes };
        self.rows.truncated_by = Some(limit);
        Ok(())
    }

    fn end(mut self, tag: Option<String>, is_whole: bool) -> Ended {
        self.rows.bytes = self.budget.bytes();
        Ended { rows: self.rows, tag, is_whole }
    }
}

/// How many rows a statement changed, by its command tag (PostgreSQL manual, "Message Formats",
/// `CommandComplete`).
pub(super) fn affected(tag: &str) -> Option<u64> {
    let mut words = tag.split(' ');
    let command = words.next()?;
    let changes = matches!(command, "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "COPY");
    if changes { words.next_back()?.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::affected;

    #[test]
    fn the_number_stands_last_in_the_tag() {
        assert_eq!(affected("INSERT 0 5"), Some(5));
        assert_eq!(affected("UPDATE 0"), Some(0));
        assert_eq!(affected("MERGE 7"), Some(7));
        assert_eq!(affected("SELECT 3"), None);
        assert_eq!(affected("CREATE TABLE"), None);
    }
}
