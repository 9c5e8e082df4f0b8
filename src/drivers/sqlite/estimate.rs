//! How SQLite would carry out a write, without running it.
//!
//! `EXPLAIN QUERY PLAN` compiles the statement on a handle that can only read and lists the plan. How many rows it
//! would touch SQLite does not say.

use super::catalog::Catalog;
use super::connect::Handle;
use super::error::{During, explain};
use super::write::judge;
use crate::drivers::{DriverError, TableWrite};
use crate::value::Estimate;
use rusqlite::types::ValueRef;

/// Bytes of a plan, at most.
const PLAN_BYTES_MAX: usize = 8 * 1024;

/// The plan, one step a line. Empty where nothing is searched.
pub(super) fn estimate(
    handle: &Handle,
    catalog: &Catalog,
    write: &TableWrite,
) -> Result<Estimate, DriverError> {
    judge(handle, catalog, write)?;
    let failed = |error| explain(error, During::Prepare);
    let sql = format!("EXPLAIN QUERY PLAN {}", write.sql);
    let mut statement = handle.connection.prepare(&sql).map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    let mut plan = String::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let step = match row.get_ref(3).map_err(failed)? {
            ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => {
                String::new()
            }
        };
        if plan.len() + step.len() >= PLAN_BYTES_MAX {
            break;
        }
        if !plan.is_empty() {
            plan.push('\n');
        }
        plan.push_str(&step);
    }
    Ok(Estimate { rows: None, plan })
}
