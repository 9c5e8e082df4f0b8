//! Values as the server writes them: every built-in type, texts in other encodings, and what is beyond a limit.

mod encodings;
mod kinds;
mod limits;
mod messages;
mod types;

use super::common::{driver, reading, table, task};
use crate::servers::postgres::{Database, Role};
use dbeast::drivers::{Driver, DriverError, Gate};
use dbeast::value::{Cell, ReadLock, Rows};

/// A text.
fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

/// The rows of a verified read of the table `s.t`.
async fn read(database: &Database<'_>, sql: &str) -> Result<Rows, DriverError> {
    let driver = driver(database, Role::Owner, ReadLock::Full);
    let read = driver.read(&reading(sql, &table("s", "t")), None, &task()).await;
    read.map(|proven| proven.value)
}

/// The rows of a statement in the agent's own words, which must succeed.
async fn full(database: &Database<'_>, sql: &str) -> Rows {
    full_of(&*driver(database, Role::Owner, ReadLock::Full), sql).await
}

async fn full_of(driver: &dyn Driver, sql: &str) -> Rows {
    let ran = driver.run_full(sql, Gate::open(), &task()).await;
    ran.unwrap_or_else(|error| panic!("{sql:.200}: {error:?} {}", error.cause()))
}
