//! Databases in temporary folders, and short ways to ask the driver.

use dbeast::drivers::{Driver, DriverError, Limits, Location, Read, Task, open};
use dbeast::reason::DatabaseReason;
use dbeast::value::{Cell, Rows, TableName};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A database file in a folder of its own.
pub(crate) struct Sandbox {
    folder: TempDir,
    path: PathBuf,
}

impl Sandbox {
    /// A folder without a database.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("database.sqlite");
        Self { folder, path }
    }

    /// A database made by these statements.
    pub(crate) fn new(sql: &str) -> Self {
        let sandbox = Self::empty();
        sandbox.writer().execute_batch(sql).expect("valid test data");
        sandbox
    }

    /// The usual tables: orders to read, and secrets never to read.
    pub(crate) fn shop() -> Self {
        Self::new(
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total REAL);
             CREATE INDEX orders_by_customer ON orders(customer);
             INSERT INTO orders VALUES (1, 'Ada', 10.5), (2, 'Bob', 20.0), (3, 'Ada', NULL);
             CREATE TABLE lines(order_id INTEGER, product TEXT, PRIMARY KEY(order_id, product)) WITHOUT ROWID;
             INSERT INTO lines VALUES (1, 'pen'), (1, 'ink'), (2, 'pen');
             CREATE TABLE secrets(id INTEGER PRIMARY KEY, word TEXT);
             CREATE INDEX secrets_by_word ON secrets(word);
             INSERT INTO secrets VALUES (1, 'hidden');
             CREATE VIEW open_secrets AS SELECT word FROM secrets;",
        )
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Another program's handle, which may write.
    pub(crate) fn writer(&self) -> Connection {
        let connection = Connection::open(&self.path).expect("a writable database");
        connection.busy_timeout(Duration::ZERO).expect("no waiting");
        connection
    }

    pub(crate) fn driver(&self) -> Arc<dyn Driver> {
        driver(&self.path)
    }

    /// Reads with the tables named.
    pub(crate) async fn read(&self, tables: &[&str], sql: &str) -> Result<Rows, DriverError> {
        let read = reading(tables, sql);
        self.driver().read(&read, None, &task()).await.map(|proven| proven.value)
    }

    /// Reads the rows as texts.
    pub(crate) async fn texts(&self, tables: &[&str], sql: &str) -> Vec<Vec<String>> {
        let rows = self.read(tables, sql).await.unwrap_or_else(|error| {
            panic!("{sql}: {} ({})", error.reason().code(), error.cause());
        });
        rows.rows.iter().map(|row| row.iter().map(show).collect()).collect()
    }

    /// The reason for which a read is refused.
    pub(crate) async fn refusal(&self, tables: &[&str], sql: &str) -> DatabaseReason {
        match self.read(tables, sql).await {
            Ok(rows) => panic!("{sql} was answered: {rows:?}"),
            Err(error) => error.reason(),
        }
    }
}

pub(crate) fn driver(path: &Path) -> Arc<dyn Driver> {
    open(&Location::Sqlite { path: path.to_owned(), is_read_only: true })
}

/// A table of `main`.
pub(crate) fn table(name: &str) -> TableName {
    TableName { schema: "main".to_owned(), name: name.to_owned() }
}

pub(crate) fn reading(tables: &[&str], sql: &str) -> Read {
    Read {
        sql: sql.to_owned(),
        tables: tables.iter().map(|name| table(name)).collect(),
        columns: Vec::new(),
        rows_max: 500,
    }
}

/// A deadline so far ahead of now.
#[expect(clippy::disallowed_methods, reason = "a test is its own caller and owns the clock")]
pub(crate) fn after(time: Duration) -> Instant {
    Instant::now() + time
}

/// A deadline that passed before the test began.
#[expect(clippy::disallowed_methods, reason = "a test is its own caller and owns the clock")]
pub(crate) fn long_ago() -> Instant {
    let now = Instant::now();
    now.checked_sub(Duration::from_secs(5)).unwrap_or(now)
}

/// Work with ample time.
pub(crate) fn task() -> Task {
    task_with(Limits::contract())
}

pub(crate) fn task_with(limits: Limits) -> Task {
    Task::new(CancellationToken::new(), after(Duration::from_mins(1)), limits)
}

pub(crate) fn show(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Binary(bytes) => format!("{bytes:02x?}"),
    }
}
