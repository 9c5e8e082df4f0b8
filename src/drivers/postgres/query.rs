//! The read itself: held and proven tables, statement, rows, and the proof again where a lock does not hold
//! everything.

use super::connection::{Connection, Reply, odd};
use super::hold::{Held, Wanted, check_columns, hold};
use super::identity::identities;
use super::lock::{self, Mode};
use super::relation::Kind;
use super::rows::{self, Beyond};
use crate::drivers::{DriverError, Limits, Pinned, Proven, Read, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, Rows, TableName};

/// Proves the tables of a read and runs it. The connection is left outside any transaction, or busy.
pub(super) async fn read(
    connection: &mut Connection,
    read: &Read,
    pinned: Option<&Pinned>,
    mode: Mode,
    task: &Task,
) -> Result<Proven<Rows>, DriverError> {
    let tables = read.tables.iter().collect();
    let wanted = Wanted { tables, pinned, mode, begin: "begin_read" };
    let held = hold(connection, &wanted, task).await?;
    if read.sql.contains('\0') {
        return Err(DriverError::refused(Reason::StatementNotSingle));
    }
    let columns = read.columns.iter().map(|(table, column)| (table, column.as_str()));
    check_columns(&held.proof, columns)?;
    let identities = identities(&held.proof, &read.tables, pinned)?;
    let limits = task.limits().with_rows(read.rows_max);
    let mut value = run(connection, &read.sql, limits, &held).await?;
    if !held.is_still() {
        held.check_again(connection, &wanted).await?;
    }
    connection.roll_back().await?;
    value.guards = held.guards(&[Guard::SingleStatement, Guard::ResultLimits]);
    Ok(Proven { value, identities })
}

/// Whether the account may read a view, which depends on what is behind it: the server decides, for no rows.
pub(super) async fn check_permission(
    connection: &mut Connection,
    held: &Held,
    table: &TableName,
) -> Result<(), DriverError> {
    if held.proof.find(table).is_none_or(|relation| relation.kind != Kind::View) {
        return Ok(());
    }
    connection.parse("", &format!("SELECT FROM {} LIMIT 0", lock::qualified(table)))?;
    connection.describe("")?;
    // Planning it may run what it calls, so its name must still mean what was proven.
    held.ask_still(connection)?;
    connection.run("", &[], 0)?;
    connection.sync();
    connection.send().await?;
    described(connection).await?;
    held.read_still(connection).await?;
    connection.finish().await.map_err(of_read)
}

/// Prepares and runs the statement, and rolls back in the same message unless the transaction is needed. The names in it
/// still mean what was proven: before anything of it is planned, and when it has run.
async fn run(
    connection: &mut Connection,
    sql: &str,
    limits: Limits,
    held: &Held,
) -> Result<Rows, DriverError> {
    connection.parse("", sql)?;
    connection.describe("")?;
    held.ask_still(connection)?;
    // One more than may be handed out, to know whether there are more.
    let rows = i32::try_from(limits.rows()).unwrap_or(i32::MAX - 1) + 1;
    connection.run("", &[], rows)?;
    held.ask_still(connection)?;
    // Else the transaction is needed for the second proof, and everything that is on its way has to be read.
    let (rolls_back, beyond) =
        if held.is_still() { (true, Beyond::Stop) } else { (false, Beyond::PassOver) };
    if rolls_back {
        connection.run("rollback", &[], 0)?;
    }
    connection.sync();
    connection.send().await?;
    let columns = described(connection).await?;
    if columns.is_empty() {
        return Err(DriverError::refused(Reason::StatementNotRead));
    }
    held.read_still(connection).await?;
    let ended = rows::read(connection, &columns, limits, beyond).await.map_err(of_read)?;
    if !ended.is_whole {
        // It is told to stop, and the question is asked anew; the schemas' rows tell as much later.
        connection.key().send().await;
        connection.roll_back().await?;
        held.ask_still(connection)?;
        connection.sync();
        connection.send().await?;
    }
    held.read_still(connection).await?;
    connection.finish().await?;
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
