//! What the planner expects of a write, for the person who decides. Nothing of the statement runs.
//!
//! EXPLAIN without ANALYZE only plans, but planning computes what looks constant. So the table is proven first, and its
//! rules and defaults, which a plan of a write takes in, must be free of code that is not built in. The transaction
//! is read-only and is rolled back.

use super::connection::Connection;
use super::relation::text;
use super::write::prove;
use crate::drivers::{DriverError, TableWrite, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::Estimate;

/// Bytes of a plan that are shown.
const PLAN_BYTES_MAX: usize = 8 * 1024;

/// Proves the table of a write and explains it.
pub(super) async fn estimate(
    connection: &mut Connection,
    write: &TableWrite,
    task: &Task,
) -> Result<Estimate, DriverError> {
    let held = prove(connection, write, "begin_read", task).await?;
    connection.run("own_code", &[&write.table.schema, &write.table.name], 0)?;
    connection.sync();
    connection.send().await?;
    let own_code = connection.rows().await?;
    connection.finish().await?;
    let is_free = own_code.len() == 1
        && own_code.iter().all(|row| text(row, 0) == "f" && text(row, 1) == "f");
    if !is_free {
        return Err(DriverError::refused(Reason::OperationNotVerified));
    }
    held.ask_still(connection)?;
    connection.command(&format!("EXPLAIN (FORMAT JSON) {}", write.sql))?;
    connection.command(&format!("EXPLAIN {}", write.sql))?;
    held.ask_still(connection)?;
    connection.run("rollback", &[], 0)?;
    connection.sync();
    connection.send().await?;
    held.read_still(connection).await?;
    let json = connection.rows().await?;
    let lines = connection.rows().await?;
    held.read_still(connection).await?;
    connection.finish().await?;
    let lines: Vec<&str> = lines.iter().map(|row| text(row, 0)).collect();
    let json = json.first().map(|row| text(row, 0)).unwrap_or_default();
    Ok(Estimate { rows: rows_of(json), plan: cut(lines.join("\n")) })
}

/// Rows that reach the write: those of the plan below it.
fn rows_of(json: &str) -> Option<u64> {
    let plans: serde_json::Value = serde_json::from_str(json).ok()?;
    plans.get(0)?.get("Plan")?.get("Plans")?.get(0)?.get("Plan Rows")?.as_u64()
}

fn cut(mut plan: String) -> String {
    if plan.len() > PLAN_BYTES_MAX {
        let end = plan.floor_char_boundary(PLAN_BYTES_MAX.saturating_sub('…'.len_utf8()));
        plan.truncate(end);
        plan.push('…');
    }
    plan
}
