//! Short ways to ask the driver.

use crate::servers::postgres::{Database, Role};
use dbeast::drivers::{Driver, DriverError, Limits, Location, Proven, Read, Server, Task, open};
use dbeast::value::{Cell, ReadLock, Rows, TableName};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// A deadline so far ahead of now.
#[expect(clippy::disallowed_methods, reason = "a test is its own caller and owns the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Work with ample time.
pub(crate) fn task() -> Task {
    task_of(Duration::from_mins(1))
}

/// Work that may take so long.
pub(crate) fn task_of(time: Duration) -> Task {
    Task::new(CancellationToken::new(), now() + time, Limits::contract())
}

/// A driver on a database, as a role with a lock.
pub(crate) fn driver(database: &Database<'_>, role: Role, lock: ReadLock) -> Arc<dyn Driver> {
    driver_at(Server { read_lock: lock, ..database.location(role) })
}

/// A driver on any server.
pub(crate) fn driver_at(server: Server) -> Arc<dyn Driver> {
    open(&Location::Postgres(Box::new(server)))
}

/// A table by its two names.
pub(crate) fn table(schema: &str, name: &str) -> TableName {
    TableName { schema: schema.to_owned(), name: name.to_owned() }
}

/// A read of one table.
pub(crate) fn reading(sql: &str, table: &TableName) -> Read {
    Read { sql: sql.to_owned(), tables: vec![table.clone()], columns: Vec::new(), rows_max: 500 }
}

/// Any read of a table: whether it may be read, not what is in it.
pub(crate) fn any_read(table: &TableName) -> Read {
    let (schema, name) = (quoted(&table.schema), quoted(&table.name));
    reading(&format!("SELECT 1 AS \"one\" FROM {schema}.{name} AS \"t\" LIMIT 3"), table)
}

/// Reads the rows of one table as texts.
pub(crate) async fn texts(
    driver: &dyn Driver,
    sql: &str,
    table: &TableName,
) -> Result<Vec<Vec<String>>, DriverError> {
    let read = reading(sql, table);
    driver.read(&read, None, &task()).await.map(|proven: Proven<Rows>| shown(&proven.value))
}

/// Rows as texts.
pub(crate) fn shown(rows: &Rows) -> Vec<Vec<String>> {
    rows.rows.iter().map(|row| row.iter().map(show).collect()).collect()
}

fn show(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Binary(bytes) => format!("{bytes:02x?}"),
    }
}

/// An identifier as PostgreSQL reads it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// What an error says to anybody else than the person: nothing of the place, the account or the data.
pub(crate) fn assert_says_nothing(error: &DriverError, server: &Server) {
    let said = format!(
        "{error} {error:?} {error:#?} {} {}",
        error.reason().message(),
        error.reason().code()
    );
    let password = server.password.as_ref().map_or("", |password| password.reveal());
    let port = server.port.to_string();
    for word in [&server.host, &port, &server.database, &server.user, password, "t_database_"] {
        assert!(word.is_empty() || !said.contains(word), "{word} stands in {said}");
    }
}
