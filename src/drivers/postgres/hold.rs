//! Tables that are held still and proven, in an open transaction.

use super::catalog::{Catalog, Catalogs};
use super::connect::STATEMENT_TIMEOUT_MS;
use super::connection::{Connection, State};
use super::identity::identities;
use super::lock::{self, Denied, Mode};
use super::proof::{self, Proof};
use super::relation::{self, Relation};
use crate::drivers::{DriverError, Pinned, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, TableName};
use std::collections::{BTreeMap, BTreeSet};

/// How much earlier than its own bound a connection's statement may have to end without being told.
const NEARLY_MS: u64 = 2_000;

/// Physical tables of one statement, at most (contract, "Tools").
const TABLES_MAX: usize = 16;

/// Tables that are locked and proven, in an open transaction.
pub(super) struct Held {
    pub(super) proof: Proof,
    mode: Mode,
}

impl Held {
    /// Whether the lock alone excludes that anything of the proof changes.
    pub(super) fn is_still(&self) -> bool {
        self.mode == Mode::Full && self.proof.is_all_lockable()
    }

    /// Adds the question whether every schema is still the one that the proof saw. What follows does not run if not.
    pub(super) fn ask_still(&self, connection: &mut Connection) -> Result<(), DriverError> {
        for (name, oid, version) in self.schemas() {
            connection.run("still", &[name, oid, version], 0)?;
        }
        Ok(())
    }

    /// Reads the answers to [`Held::ask_still`].
    pub(super) async fn read_still(&self, connection: &mut Connection) -> Result<(), DriverError> {
        for _ in self.schemas() {
            connection.rows().await.map_err(|error| {
                if error.reason() == Reason::ServerLost {
                    return error;
                }
                DriverError::refused(Reason::SchemaChanged).replacing(error)
            })?;
        }
        Ok(())
    }

    /// Name, OID and version of each schema.
    fn schemas(&self) -> BTreeSet<(&str, &str, &str)> {
        let of = |relation| {
            let Relation { table, schema: (oid, version), .. }: &Relation = relation;
            (table.schema.as_str(), oid.as_str(), version.as_str())
        };
        self.proof.relations.iter().map(of).collect()
    }

    /// Proves the same tables again, by what the catalog says now.
    pub(super) async fn check_again(
        &self,
        connection: &mut Connection,
        wanted: &Wanted<'_>,
    ) -> Result<(), DriverError> {
        if connection.state() != State::InTransaction {
            return Err(DriverError::failed(Reason::GuardUnavailable));
        }
        let unique = unique(&wanted.tables)?;
        let changed = || DriverError::refused(Reason::SchemaChanged);
        let again = proof::prove(connection, &unique, None)
            .await
            .map_err(|error| if error.is_refused() { changed().replacing(error) } else { error })?;
        let of = |proof| identities(proof, unique.iter().copied(), None);
        if of(&again)? == of(&self.proof)? { Ok(()) } else { Err(changed()) }
    }

    /// The layers that engaged, and these after them.
    pub(super) fn guards(&self, after: &[Guard]) -> Vec<Guard> {
        let mut guards = vec![Guard::ReadOnlyTransaction, Guard::Deadline, Guard::SearchPath];
        guards.push(Guard::TableProof);
        if self.mode == Mode::Weak {
            guards.push(Guard::WeakReadLock);
        }
        guards.push(if self.is_still() { Guard::IdentityPinned } else { Guard::ProvenAgain });
        guards.extend(after);
        guards
    }
}

/// What is to be held.
pub(super) struct Wanted<'a> {
    pub(super) tables: Vec<&'a TableName>,
    /// One of them must still be the one that was proven before.
    pub(super) pinned: Option<&'a Pinned>,
    pub(super) mode: Mode,
    /// The prepared statement that begins the transaction.
    pub(super) begin: &'static str,
}

/// Opens a transaction, locks the tables and proves them: one message, unless there are views.
pub(super) async fn hold(
    connection: &mut Connection,
    wanted: &Wanted<'_>,
    task: &Task,
) -> Result<Held, DriverError> {
    let tables = unique(&wanted.tables)?;
    if let Some((pinned, _)) = wanted.pinned
        && !tables.contains(&pinned)
    {
        return Err(DriverError::refused(Reason::TableNotVerified));
    }
    let denied = match attempt(connection, wanted, &tables, &[], task).await {
        Ok(catalog) => return judged(connection, wanted, &tables, &catalog).await,
        Err(Denied::Other(error)) => return Err(error),
        Err(denied) => denied,
    };
    // Which of them it was, and why, the catalog knows; nothing is read but the catalog.
    connection.roll_back().await?;
    let begin = begin_with(connection, wanted.begin, task)?;
    Catalogs::ask(connection, &tables)?;
    connection.sync();
    connection.send().await?;
    begun(connection, begin).await?;
    let catalog = Catalogs::read(connection, tables.len()).await?;
    connection.finish().await?;
    judged(connection, wanted, &tables, &catalog).await?;
    connection.roll_back().await?;
    let mode = wanted.mode;
    let readable = catalog.relations.iter().all(relation::is_readable);
    match denied {
        Denied::NotPermitted(message) => Err(match mode {
            Mode::Full if readable => DriverError::refused(Reason::TableLockNotPermitted),
            Mode::Full | Mode::Weak => DriverError::failed(Reason::TableNotPermitted),
            Mode::Change | Mode::Insert => DriverError::failed(Reason::StatementNotPermitted),
        }
        .because(message)),
        // It was made a moment ago.
        Denied::Unknown(message) => {
            Err(DriverError::refused(Reason::SchemaChanged).because(message))
        }
        // Everything is of a supported kind, so it was a materialized view.
        Denied::WrongKind(_) => {
            hold_materialized(connection, wanted, &tables, &catalog, task).await
        }
        Denied::Other(error) => Err(error),
    }
}

/// The proof by what the catalog says.
async fn judged(
    connection: &mut Connection,
    wanted: &Wanted<'_>,
    tables: &[&TableName],
    catalog: &Catalogs,
) -> Result<Held, DriverError> {
    let proof = proof::complete(connection, tables, catalog, wanted.pinned).await?;
    // A lock does not need the privilege to read.
    if wanted.mode == Mode::Full && !catalog.relations.iter().all(relation::is_readable) {
        return Err(DriverError::failed(Reason::TableNotPermitted));
    }
    Ok(Held { proof, mode: wanted.mode })
}

async fn hold_materialized(
    connection: &mut Connection,
    wanted: &Wanted<'_>,
    tables: &[&TableName],
    catalog: &Catalogs,
    task: &Task,
) -> Result<Held, DriverError> {
    let with_catalogs = tables.iter().zip(&catalog.relations);
    let samples: Vec<&TableName> = with_catalogs
        .filter(|(_, catalog)| relation::is_materialized(catalog))
        .map(|(table, _)| *table)
        .collect();
    let attempt = attempt(connection, wanted, tables, &samples, task).await;
    let catalog = attempt.map_err(|denied| match denied {
        Denied::NotPermitted(message) => {
            DriverError::failed(Reason::TableNotPermitted).because(message)
        }
        // It was another kind a moment ago.
        Denied::WrongKind(message) | Denied::Unknown(message) => {
            DriverError::refused(Reason::SchemaChanged).because(message)
        }
        Denied::Other(error) => error,
    })?;
    judged(connection, wanted, tables, &catalog).await
}

/// One message: transaction, its time, locks, and the proof's questions. `samples` are materialized views.
async fn attempt(
    connection: &mut Connection,
    wanted: &Wanted<'_>,
    tables: &[&TableName],
    samples: &[&TableName],
    task: &Task,
) -> Result<Catalogs, Denied> {
    let plain: Vec<&TableName> =
        tables.iter().copied().filter(|table| !samples.contains(table)).collect();
    let locking = lock::statement(&plain, wanted.mode);
    let statements: Vec<String> =
        locking.into_iter().chain(samples.iter().map(|table| lock::sample(table))).collect();
    let begin = begin_with(connection, wanted.begin, task).map_err(Denied::Other)?;
    // Before the locks and after them: else a schema that is renamed while one lock waits for another could make the
    // locked tables others than the proven ones.
    let schemas: BTreeSet<&str> = tables.iter().map(|table| table.schema.as_str()).collect();
    schemas
        .iter()
        .try_for_each(|schema| connection.run("schema", &[schema], 0))
        .and_then(|()| statements.iter().try_for_each(|statement| connection.command(statement)))
        .and_then(|()| Catalogs::ask(connection, tables))
        .map_err(Denied::Other)?;
    connection.sync();
    connection.send().await.map_err(Denied::Other)?;
    begun(connection, begin).await.map_err(Denied::Other)?;
    let mut before = BTreeMap::new();
    for schema in schemas {
        before.insert(schema, connection.rows().await.map_err(Denied::Other)?);
    }
    lock::read(connection, statements.len()).await?;
    let catalog = Catalogs::read(connection, tables.len()).await.map_err(Denied::Other)?;
    connection.finish().await.map_err(Denied::Other)?;
    let is_same = |(table, catalog): (&&TableName, &Catalog)| {
        let seen = before.get(table.schema.as_str()).map(Vec::as_slice).unwrap_or_default();
        catalog.relation.iter().all(|row| {
            seen.iter().all(|schema| (schema.first(), schema.get(1)) == (row.get(8), row.get(14)))
        })
    };
    if !tables.iter().zip(&catalog.relations).all(is_same) {
        return Err(Denied::Other(DriverError::refused(Reason::SchemaChanged)));
    }
    Ok(catalog)
}

/// Adds the begin of a transaction that the server itself ends with the task, and says how many statements that are.
fn begin_with(connection: &mut Connection, begin: &str, task: &Task) -> Result<usize, DriverError> {
    connection.run(begin, &[], 0)?;
    let remaining_ms = task.remaining_ms();
    // Else the bound that every connection has is near enough; the driver keeps the exact one.
    let is_shorter = remaining_ms < STATEMENT_TIMEOUT_MS - NEARLY_MS;
    if is_shorter {
        connection.run("bound", &[&remaining_ms.to_string()], 0)?;
    }
    Ok(1 + usize::from(is_shorter))
}

/// Reads the answers to [`begin_with`].
async fn begun(connection: &mut Connection, statements: usize) -> Result<(), DriverError> {
    for _ in 0..statements {
        connection.rows().await?;
    }
    Ok(())
}

/// Each table once.
fn unique<'a>(tables: &[&'a TableName]) -> Result<Vec<&'a TableName>, DriverError> {
    let mut unique = tables.to_vec();
    unique.sort_unstable();
    unique.dedup();
    if unique.len() > TABLES_MAX {
        return Err(DriverError::refused(Reason::TooManyTables));
    }
    unique.iter().try_for_each(|table| proof::check_name(table))?;
    Ok(unique)
}

/// Contract, "Tools": `alias.name` must be a real column, since the server would read anything else as a call.
pub(super) fn check_columns<'a>(
    proof: &Proof,
    columns: impl IntoIterator<Item = (&'a TableName, &'a str)>,
) -> Result<(), DriverError> {
    for (table, column) in columns {
        let Some(relation) = proof.find(table) else {
            return Err(DriverError::refused(Reason::TableNotVerified));
        };
        if !relation.columns.iter().any(|known| known.name == column) {
            return Err(DriverError::refused(Reason::ColumnUnknown));
        }
    }
    Ok(())
}
