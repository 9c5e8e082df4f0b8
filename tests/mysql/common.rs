//! Short ways to ask the driver.

use crate::servers::mysql::{Database, Role};
use dbeast::drivers::{Driver, DriverError, Limits, Read, Task, open};
use dbeast::value::{Cell, Rows, TableName};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// This moment.
#[expect(clippy::disallowed_methods, reason = "a test is its own caller and owns the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Work with ample time.
pub(crate) fn task() -> Task {
    task_of(&CancellationToken::new(), Duration::from_mins(1))
}

/// Work that ends by this token or after this time.
pub(crate) fn task_of(cancel: &CancellationToken, time: Duration) -> Task {
    Task::new(cancel.clone(), now() + time, Limits::contract())
}

/// A driver on a database, as a role.
pub(crate) fn driver(database: &Database, role: Role) -> Arc<dyn Driver> {
    open(&database.location(role))
}

/// A table of a database.
pub(crate) fn table(database: &Database, name: &str) -> TableName {
    TableName { schema: database.name().to_owned(), name: name.to_owned() }
}

/// A read of one table.
pub(crate) fn reading(sql: &str, table: &TableName) -> Read {
    Read { sql: sql.to_owned(), tables: vec![table.clone()], columns: Vec::new(), rows_max: 500 }
}

/// Any read of a table: whether it may be read, not what is in it.
pub(crate) fn any_read(table: &TableName) -> Read {
    let (schema, name) = (quoted(&table.schema), quoted(&table.name));
    reading(&format!("SELECT `t`.* FROM {schema}.{name} AS `t` LIMIT 3"), table)
}

/// Rows of a read as texts.
pub(crate) async fn texts(
    driver: &dyn Driver,
    sql: &str,
    table: &TableName,
) -> Result<Vec<Vec<String>>, DriverError> {
    let read = reading(sql, table);
    driver.read(&read, None, &task()).await.map(|proven| shown(&proven.value))
}

fn shown(rows: &Rows) -> Vec<Vec<String>> {
    rows.rows.iter().map(|row| row.iter().map(show).collect()).collect()
}

/// The text of a cell.
pub(crate) fn show(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Binary(bytes) => {
            bytes.iter().fold("hex ".to_owned(), |text, byte| format!("{text}{byte:02x}"))
        }
    }
}

/// An identifier as the servers read it.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
