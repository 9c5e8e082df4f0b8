//! Rows as they come, counted against the limits of a result.

use super::connection::{Connection, Reply, odd};
use super::error::broken;
use super::types;
use super::wire::Row;
use crate::drivers::budget::Budget;
use crate::drivers::taking::{PASSED_BYTES_MAX, Taking};
use crate::drivers::{DriverError, Limits};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Cell, Rows};

pub(super) use crate::drivers::taking::Beyond;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::RowDescriptionBody;

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
    let names = columns.iter().map(|column| column.name.clone()).collect();
    let mut taking = Taking::begin(names, limits, beyond)?;
    let row_bytes_max = limits.result_bytes().saturating_add(16 * 1024);
    let mut passed = 0_usize;
    loop {
        match connection.reply(row_bytes_max).await? {
            Reply::Row(row) if taking.is_over() => {
                passed = passed.saturating_add(row.bytes());
            }
            Reply::Row(row) => taking.take(|budget| cells(columns, &row, budget))?,
            Reply::LongRow { longest } => {
                passed = passed.saturating_add(longest);
                if !taking.is_over() {
                    taking.long(longest)?;
                }
            }
            Reply::Complete(tag) => return Ok(ended(taking, Some(tag), true)),
            Reply::Suspended => return Ok(ended(taking, None, true)),
            Reply::Error(message) => return Err(message.into_error()),
            Reply::Empty => return Err(DriverError::refused(Reason::StatementEmpty)),
            Reply::Copy { .. } => return Err(DriverError::refused(Reason::StatementNeedsStream)),
            Reply::Columns(_) | Reply::NoColumns | Reply::Parameters(_) | Reply::Ready => {
                return Err(odd());
            }
        }
        if beyond == Beyond::Stop && passed > PASSED_BYTES_MAX {
            return Ok(ended(taking, None, false));
        }
    }
}

fn ended(taking: Taking, tag: Option<String>, is_whole: bool) -> Ended {
    Ended { rows: taking.end(), tag, is_whole }
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

/// The cells of a row; none if the server broke the protocol.
fn cells(columns: &[Column], row: &Row, budget: &Budget) -> Result<Vec<Cell>, DriverError> {
    let mut values = row.values();
    let cell = |column: &Column| {
        let value = values.next().ok_or_else(odd)?;
        types::cell(column.type_oid, value, budget)
    };
    columns.iter().map(cell).collect()
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
