//! Tables that are held still and proven, in an open transaction.
//!
//! The contract holds them by LOCK TABLES, which would stop the writes of everybody else while an agent reads. Here the
//! first statement over a table in the transaction takes its metadata lock and keeps it to the end: whoever would change,
//! rename or drop the table waits, and whoever changes its rows does not (MySQL manual, "Metadata Locking"; MariaDB
//! documentation, "Metadata Locking"). LOCK TABLES is then not needed as a privilege.

use super::Flavour;
use super::catalog::{self, check_name, qualified};
use super::connect::{STATEMENT_TIME_MS, set_time};
use super::connection::Connection;
use super::relation::{self, Relation};
use crate::drivers::{DriverError, Pinned, Server, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, ObjectIdentity, TableName};

/// Physical tables of one statement, at most (contract, "Tools").
const TABLES_MAX: usize = 16;

/// How much earlier than its own bound a connection's statement may have to end without being told.
const NEARLY_MS: u64 = 2_000;

/// Whether the transaction may change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Read,
    Write,
}

/// Tables that are held and proven, in an open transaction.
pub(super) struct Held {
    /// Each once, in the order of their names.
    pub(super) relations: Vec<Relation>,
    mode: Mode,
}

impl Held {
    /// The proven table of this name.
    pub(super) fn find(&self, table: &TableName) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.table == *table)
    }

    /// Each table with its identity. The pinned one must be among them and the same as before.
    pub(super) fn identities<'a>(
        &self,
        tables: impl IntoIterator<Item = &'a TableName>,
        pinned: Option<&Pinned>,
    ) -> Result<Vec<(TableName, ObjectIdentity)>, DriverError> {
        let found = tables
            .into_iter()
            .filter_map(|table| self.find(table).map(|found| (table.clone(), found.identity)));
        let identities: Vec<(TableName, ObjectIdentity)> = found.collect();
        match pinned {
            Some(pinned) if !identities.contains(pinned) => Err(DriverError::identity_changed()),
            Some(_) | None => Ok(identities),
        }
    }

    /// Contract, "Tools": `alias.name` must be a real column. The server compares names of columns without regard to
    /// case.
    pub(super) fn check_columns<'a>(
        &self,
        columns: impl IntoIterator<Item = (&'a TableName, &'a str)>,
    ) -> Result<(), DriverError> {
        for (table, column) in columns {
            let Some(relation) = self.find(table) else {
                return Err(DriverError::refused(Reason::TableNotVerified));
            };
            let is_it = |known: &str| known.to_lowercase() == column.to_lowercase();
            if !relation.columns.iter().any(|known| is_it(&known.name)) {
                return Err(DriverError::refused(Reason::ColumnUnknown));
            }
        }
        Ok(())
    }

    /// The layers that engaged, and these after them.
    pub(super) fn guards(&self, after: &[Guard]) -> Vec<Guard> {
        let mut guards = Vec::new();
        if self.mode == Mode::Read {
            guards.push(Guard::ReadOnlyTransaction);
        }
        guards.extend([Guard::Deadline, Guard::SessionSettings]);
        guards.extend([Guard::TableProof, Guard::IdentityPinned]);
        guards.extend(after);
        guards
    }
}

/// Opens a transaction, holds the tables and proves them.
pub(super) async fn hold(
    connection: &mut Connection,
    flavour: Flavour,
    server: &Server,
    wanted: &[&TableName],
    pinned: Option<&Pinned>,
    mode: Mode,
    task: &Task,
) -> Result<Held, DriverError> {
    let tables = unique(wanted)?;
    if let Some((pinned, _)) = pinned
        && !tables.contains(&pinned)
    {
        return Err(DriverError::refused(Reason::TableNotVerified));
    }
    // Another database has other privileges, other people and other tables under the same names.
    if tables.iter().any(|table| table.schema != server.database) {
        return Err(DriverError::refused(Reason::TableElsewhere));
    }
    let remaining_ms = task.remaining_ms();
    let is_shorter = remaining_ms < STATEMENT_TIME_MS - NEARLY_MS;
    set_time(connection, flavour, if is_shorter { remaining_ms } else { STATEMENT_TIME_MS })
        .await?;
    connection
        .command(match mode {
            Mode::Read => "START TRANSACTION READ ONLY",
            Mode::Write => "START TRANSACTION READ WRITE",
        })
        .await?;
    let mut relations = Vec::new();
    for table in tables {
        let is_pinned = pinned.is_some_and(|(pinned, _)| pinned == table);
        let proven = prove(connection, flavour, table).await;
        relations.push(proven.map_err(|error| {
            // A pinned table that is gone, or of no supported kind any more, is another one, too.
            if is_pinned && error.is_refused() && error.reason() != Reason::ProcessNotPermitted {
                DriverError::identity_changed().replacing(error)
            } else {
                error
            }
        })?);
    }
    Ok(Held { relations, mode })
}

/// Looks, holds, and looks again: only the second look counts. Nothing but a table of a supported kind is touched.
async fn prove(
    connection: &mut Connection,
    flavour: Flavour,
    table: &TableName,
) -> Result<Relation, DriverError> {
    relation::judge_kind(&catalog::kind(connection, table).await?)?;
    // The empty list of indexes keeps a view from being opened, if it took the table's place a moment ago: for a view,
    // the server refuses it before it looks inside.
    let pin = format!("SELECT 1 FROM {} AS t USE INDEX () LIMIT 0", qualified(table));
    connection.command(&pin).await.map_err(of_pin)?;
    let catalog = catalog::read(connection, flavour, table).await?;
    relation::judge(&catalog, table)
}

fn of_pin(error: DriverError) -> DriverError {
    if error.reason() == Reason::StatementNotPermitted {
        DriverError::failed(Reason::TableNotPermitted).replacing(error)
    } else if matches!(error.reason(), Reason::TableUnknown | Reason::StatementNotAccepted) {
        // It was there a moment ago, and a table.
        DriverError::refused(Reason::SchemaChanged).replacing(error)
    } else {
        error
    }
}

/// Each table once.
fn unique<'a>(tables: &[&'a TableName]) -> Result<Vec<&'a TableName>, DriverError> {
    let mut unique = tables.to_vec();
    unique.sort_unstable();
    unique.dedup();
    if unique.len() > TABLES_MAX {
        return Err(DriverError::refused(Reason::TooManyTables));
    }
    unique.iter().try_for_each(|table| check_name(table))?;
    Ok(unique)
}
