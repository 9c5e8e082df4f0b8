//! What the optimizer expects of a write, for the person who decides. Nothing of the statement runs.
//!
//! EXPLAIN plans and does not run, but planning computes what looks constant; the statement calls listed functions only, and
//! the table is proven first. The transaction is rolled back.

use super::Flavour;
use super::catalog::cell;
use super::connection::{Answer, Connection, RowReply};
use super::wire;
use super::write::prove;
use crate::drivers::{DriverError, Server, TableWrite, Task};
use crate::value::Estimate;

/// Bytes of a plan that are shown.
const PLAN_BYTES_MAX: usize = 8 * 1024;
/// Lines of a plan that are kept.
const LINES_MAX: usize = 100;

/// Proves the table of a write and explains it.
pub(super) async fn estimate(
    connection: &mut Connection,
    flavour: Flavour,
    server: &Server,
    write: &TableWrite,
    task: &Task,
) -> Result<Estimate, DriverError> {
    prove(connection, flavour, server, write, task).await?;
    let (names, rows) = explain(connection, &write.sql).await?;
    connection.roll_back().await?;
    let at = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    // The first line is the written table.
    let number = |wanted: &str| rows.first().and_then(|row| cell(row, at(wanted)?).parse().ok());
    let plan: Vec<String> = rows.iter().map(|row| line(&names, row)).collect();
    Ok(Estimate { rows: number("rows"), plan: cut(plan.join("\n")) })
}

type Plan = (Vec<String>, Vec<Vec<Option<String>>>);

async fn explain(connection: &mut Connection, sql: &str) -> Result<Plan, DriverError> {
    let mut rows = Vec::new();
    let Answer::Columns(columns) =
        connection.query(&format!("EXPLAIN FORMAT=TRADITIONAL {sql}")).await?
    else {
        return Ok((Vec::new(), rows));
    };
    loop {
        match connection.row(PLAN_BYTES_MAX).await? {
            RowReply::Row(row) if rows.len() < LINES_MAX => {
                let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
                rows.push(wire::values(&row).map(|value| value.map(text)).collect());
            }
            RowReply::Row(_) | RowReply::LongRow { .. } => {}
            RowReply::Done(_) => break,
        }
    }
    Ok((columns.iter().map(|column| column.name_str().into_owned()).collect(), rows))
}

/// One line of a plan: what is not empty, with its name.
fn line(names: &[String], row: &[Option<String>]) -> String {
    let parts = names.iter().zip(row).filter_map(|(name, value)| {
        value.as_deref().filter(|value| !value.is_empty()).map(|value| format!("{name}: {value}"))
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn cut(mut plan: String) -> String {
    if plan.len() > PLAN_BYTES_MAX {
        let end = plan.floor_char_boundary(PLAN_BYTES_MAX.saturating_sub('…'.len_utf8()));
        plan.truncate(end);
        plan.push('…');
    }
    plan
}
