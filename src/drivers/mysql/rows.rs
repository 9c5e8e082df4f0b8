//! Rows as they come, counted against the limits of a result.

use super::connection::{Answer, Connection, Done, RowReply, odd};
use super::{types, wire};
use crate::drivers::budget::Budget;
use crate::drivers::taking::{PASSED_BYTES_MAX, Taking};
use crate::drivers::{DriverError, Limits};
use crate::value::{Cell, Rows};
use mysql_common::packets::Column;

pub(super) use crate::drivers::taking::Beyond;

/// How a statement ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) rows: Rows,
    /// How it ended, if everything that the server sends for it was read.
    pub(super) done: Option<Done>,
}

/// Reads one result whose columns these are.
pub(super) async fn read(
    connection: &mut Connection,
    columns: &[Column],
    limits: Limits,
    beyond: Beyond,
) -> Result<Ended, DriverError> {
    let names = columns.iter().map(|column| column.name_str().into_owned()).collect();
    let kinds: Vec<bool> = columns.iter().map(types::is_binary).collect();
    let mut taking = Taking::begin(names, limits, beyond)?;
    let row_bytes_max = limits.result_bytes().saturating_add(16 * 1024);
    let mut passed = 0_usize;
    loop {
        match connection.row(row_bytes_max).await? {
            RowReply::Row(row) if taking.is_over() => passed = passed.saturating_add(row.len()),
            RowReply::Row(row) => taking.take(|budget| cells(&kinds, &row, budget))?,
            RowReply::LongRow { longest } => {
                passed = passed.saturating_add(longest);
                if !taking.is_over() {
                    taking.long(longest)?;
                }
            }
            RowReply::Done(done) => return Ok(Ended { rows: taking.end(), done: Some(done) }),
        }
        if beyond == Beyond::Stop && passed > PASSED_BYTES_MAX {
            return Ok(Ended { rows: taking.end(), done: None });
        }
    }
}

/// Reads and drops whatever follows a first result: a procedure can return several.
pub(super) async fn drain(
    connection: &mut Connection,
    mut done: Done,
) -> Result<Done, DriverError> {
    while done.has_more {
        done = match connection.begin().await? {
            Answer::Done(done) => done,
            Answer::Columns(_) => loop {
                if let RowReply::Done(done) = connection.row(0).await? {
                    break done;
                }
            },
        };
    }
    Ok(done)
}

/// The cells of a row, by whether each column is binary.
fn cells(kinds: &[bool], row: &[u8], budget: &Budget) -> Result<Vec<Cell>, DriverError> {
    let mut values = wire::values(row);
    let cell = |is_binary: &bool| {
        let value = values.next().ok_or_else(odd)?;
        types::cell(*is_binary, value, budget)
    };
    kinds.iter().map(cell).collect()
}
