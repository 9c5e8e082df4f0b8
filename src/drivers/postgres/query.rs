//! The read itself: transaction, locks, proof, statement, rows, and the proof again where a lock does not hold
//! everything.

use super::catalog::Catalog;
use super::connection::{Connection, Reply, State, odd};
use super::identity::identities;
use super::lock::{self, Denied, Mode};
use super::proof::{self, Proof};
use super::relation;
use super::rows::{self, Beyond};
use crate::drivers::{DriverError, Limits, Pinned, Proven, Read, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, Rows, TableName};

/// Physical tables of one statement, at most (contract, "Tools").
const TABLES_MAX: usize = 16;

/// Proves the tables of a read and runs it. The connection is left outside any transaction, or busy.
pub(super) async fn read(
    connection: &mut Connection,
    read: &Read,
    pinned: Option<&Pinned>,
    mode: Mode,
    task: &Task,
) -> Result<Proven<Rows>, DriverError> {
    let tables: Vec<&TableName> = read.tables.iter().collect();
    let held = hold(connection, &tables, mode, "begin_read", task).await?;
    let columns = read.columns.iter().map(|(table, column)| (table, column.as_str()));
    check_columns(&held.proof, columns)?;
    let identities = identities(&held.proof, &read.tables, pinned)?;
    let again = !held.is_still();
    let limits = task.limits().with_rows(read.rows_max);
    let mut value = run(connection, &read.sql, limits, !again).await?;
    if again {
        held.check_again(connection, &tables).await?;
    }
    if connection.state() != State::Busy {
        connection.roll_back().await?;
    }
    value.guards = held.guards(&[Guard::SingleStatement, Guard::ResultLimits]);
    Ok(Proven { value, identities })
}

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

    /// Proves the same tables again, by what the catalog says now.
    pub(super) async fn check_again(
        &self,
        connection: &mut Connection,
        tables: &[&TableName],
    ) -> Result<(), DriverError> {
        if connection.state() != State::InTransaction {
            return Err(DriverError::failed(Reason::GuardUnavailable));
        }
        let unique = unique(tables)?;
        let changed = || DriverError::refused(Reason::SchemaChanged);
        let again = proof::prove(connection, &unique)
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

/// Opens a transaction, locks the tables and proves them: one message, unless there are views.
pub(super) async fn hold(
    connection: &mut Connection,
    tables: &[&TableName],
    mode: Mode,
    begin: &str,
    task: &Task,
) -> Result<Held, DriverError> {
    let tables = unique(tables)?;
    let denied = match attempt(connection, &tables, &[], mode, begin, task).await {
        Ok(catalog) => {
            let proof = proof::complete(connection, &tables, &catalog).await?;
            return Ok(Held { proof, mode });
        }
        Err(Denied::Other(error)) => return Err(error),
        Err(denied) => denied,
    };
    // Which of them it was, and why, the catalog knows; nothing is read but the catalog.
    connection.roll_back().await?;
    begin_with(connection, begin, task)?;
    Catalog::ask(connection, &tables)?;
    connection.sync();
    connection.send().await?;
    begun(connection).await?;
    let catalog = Catalog::read(connection).await?;
    connection.finish().await?;
    let proof = proof::complete(connection, &tables, &catalog).await?;
    connection.roll_back().await?;
    let readable = (0..tables.len()).all(|at| relation::is_readable(&catalog, at));
    match denied {
        Denied::NotPermitted(message) => Err(match mode {
            Mode::Full if readable => DriverError::refused(Reason::TableLockNotPermitted),
            Mode::Full | Mode::Weak => DriverError::failed(Reason::TableNotPermitted),
            Mode::Write => DriverError::failed(Reason::StatementNotPermitted),
        }
        .because(message)),
        // Everything is of a supported kind, so it was a materialized view.
        Denied::WrongKind(_) => {
            drop(proof);
            hold_materialized(connection, &tables, &catalog, mode, begin, task).await
        }
        Denied::Other(error) => Err(error),
    }
}

async fn hold_materialized(
    connection: &mut Connection,
    tables: &[&TableName],
    catalog: &Catalog,
    mode: Mode,
    begin: &str,
    task: &Task,
) -> Result<Held, DriverError> {
    let samples: Vec<&TableName> = (0..tables.len())
        .filter(|at| relation::is_materialized(catalog, *at))
        .filter_map(|at| tables.get(at).copied())
        .collect();
    let attempt = attempt(connection, tables, &samples, mode, begin, task).await;
    let catalog = attempt.map_err(|denied| match denied {
        Denied::NotPermitted(message) => {
            DriverError::failed(Reason::TableNotPermitted).because(message)
        }
        // It was another kind a moment ago.
        Denied::WrongKind(message) => DriverError::refused(Reason::SchemaChanged).because(message),
        Denied::Other(error) => error,
    })?;
    let proof = proof::complete(connection, tables, &catalog).await?;
    Ok(Held { proof, mode })
}

/// One message: transaction, its time, locks, and the proof's questions. `samples` are materialized views.
async fn attempt(
    connection: &mut Connection,
    tables: &[&TableName],
    samples: &[&TableName],
    mode: Mode,
    begin: &str,
    task: &Task,
) -> Result<Catalog, Denied> {
    let plain: Vec<&TableName> =
        tables.iter().copied().filter(|table| !samples.contains(table)).collect();
    let locking = lock::statement(&plain, mode);
    let statements: Vec<String> =
        locking.into_iter().chain(samples.iter().map(|table| lock::sample(table))).collect();
    let prepared = begin_with(connection, begin, task)
        .and_then(|()| statements.iter().try_for_each(|statement| connection.command(statement)))
        .and_then(|()| Catalog::ask(connection, tables));
    prepared.map_err(Denied::Other)?;
    connection.sync();
    connection.send().await.map_err(Denied::Other)?;
    begun(connection).await.map_err(Denied::Other)?;
    lock::read(connection, statements.len()).await?;
    let catalog = Catalog::read(connection).await.map_err(Denied::Other)?;
    connection.finish().await.map_err(Denied::Other)?;
    Ok(catalog)
}

/// Adds the begin of a transaction that the server itself ends with the task.
fn begin_with(connection: &mut Connection, begin: &str, task: &Task) -> Result<(), DriverError> {
    connection.run(begin, &[], 0)?;
    connection.run("bound", &[&task.remaining_ms().to_string()], 0)
}

/// Reads the answers to [`begin_with`].
async fn begun(connection: &mut Connection) -> Result<(), DriverError> {
    connection.rows().await?;
    connection.rows().await?;
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

/// Prepares and runs the statement, and rolls back in the same message unless the transaction is needed.
async fn run(
    connection: &mut Connection,
    sql: &str,
    limits: Limits,
    rolls_back: bool,
) -> Result<Rows, DriverError> {
    connection.parse("", sql)?;
    connection.describe("")?;
    // One more than may be handed out, to know whether there are more.
    let rows = i32::try_from(limits.rows()).unwrap_or(i32::MAX - 1) + 1;
    connection.run("", &[], rows)?;
    if rolls_back {
        connection.run("rollback", &[], 0)?;
    }
    connection.sync();
    connection.send().await?;
    let columns = described(connection).await?;
    if columns.is_empty() {
        return Err(DriverError::refused(Reason::StatementNotRead));
    }
    let ended = rows::read(connection, &columns, limits, Beyond::Stop).await;
    let ended = ended.map_err(of_read)?;
    if ended.is_whole {
        connection.finish().await?;
    }
    Ok(ended.rows)
}

/// The columns of the statement that was prepared last; empty if it returns nothing.
pub(super) async fn described(
    connection: &mut Connection,
) -> Result<Vec<rows::Column>, DriverError> {
    loop {
        match connection.reply(0).await? {
            Reply::Parameters(0) => {}
            Reply::Parameters(_) => {
                return Err(DriverError::refused(Reason::StatementHasParameters));
            }
            Reply::Columns(body) => return rows::columns(&body),
            Reply::NoColumns => return Ok(Vec::new()),
            Reply::Error(message) => return Err(of_read(message.into_error())),
            Reply::Row(_)
            | Reply::LongRow { .. }
            | Reply::Complete(_)
            | Reply::Suspended
            | Reply::Empty
            | Reply::Copy { .. }
            | Reply::Ready => return Err(odd()),
        }
    }
}

/// In a read, what is not permitted is a table.
fn of_read(error: DriverError) -> DriverError {
    if error.reason() == Reason::StatementNotPermitted {
        DriverError::failed(Reason::TableNotPermitted).replacing(error)
    } else {
        error
    }
}
