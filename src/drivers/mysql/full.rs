//! One statement in the agent's own words, under the account's privileges.
//!
//! The protocol's query holds exactly one statement, because several were not agreed on at the login. There is no
//! transaction around it.

use super::Flavour;
use super::connect::set_time;
use super::connection::{Answer, Connection, State};
use super::rows::{self, Beyond, Ended};
use super::words;
use super::write::affected;
use crate::drivers::{DriverError, Gate, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, Rows};

/// Looks at the statement, asks, and only then sends it.
pub(super) async fn run(
    connection: &mut Connection,
    flavour: Flavour,
    sql: &str,
    gate: Gate,
    task: &Task,
) -> Result<Rows, DriverError> {
    if sql.contains('\0') {
        return Err(DriverError::refused(Reason::StatementNotSingle));
    }
    if words::without_comments(sql).is_empty() {
        return Err(DriverError::refused(Reason::StatementEmpty));
    }
    set_time(connection, flavour, task.remaining_ms()).await?;
    look(connection, sql).await?;
    let is_whole = connection.rows(EVERY_ENGINE).await?.is_empty() && is_one_piece(sql);
    gate.pass(task).await?;
    connection.check_open()?;
    connection.will_last(!is_whole);
    let ended = match connection.query(sql).await {
        Ok(Answer::Done(done)) => Ok(Ended { rows: Rows::default(), done: Some(done) }),
        Ok(Answer::Columns(columns)) => {
            rows::read(connection, &columns, task.limits(), Beyond::Drain).await
        }
        Err(error) => Err(error),
    };
    let ended = match ended {
        Ok(ended) => {
            let done = rows::drain(connection, ended.done.unwrap_or_default()).await;
            done.map(|done| (ended.rows, affected(done)))
        }
        Err(error) => Err(error),
    };
    match ended {
        Ok((rows, affected_rows)) => {
            connection.has_ended();
            if connection.state() != State::Idle {
                // It ends with the connection, and so does everything in it: nothing took effect.
                return Err(DriverError::refused(Reason::TransactionControl));
            }
            let guards = vec![Guard::Deadline, Guard::SingleStatement, Guard::ResultLimits];
            Ok(Rows { affected_rows: affected_rows.filter(|_| changes(sql)), guards, ..rows })
        }
        Err(error) => {
            // An answer of the server that is an error says that nothing took effect, unless parts of it stay.
            if is_whole && error.reason() != Reason::ServerLost {
                connection.has_ended();
            }
            Err(error)
        }
    }
}

/// Whether there is a table whose engine cannot undo: a statement that fails leaves its rows there.
const EVERY_ENGINE: &str = "SELECT 1 FROM information_schema.TABLES AS t \
     JOIN information_schema.ENGINES AS e ON e.ENGINE = t.ENGINE \
     WHERE t.TABLE_TYPE = 'BASE TABLE' AND e.TRANSACTIONS <> 'YES' AND t.TABLE_SCHEMA NOT IN \
     ('mysql', 'information_schema', 'performance_schema', 'sys') LIMIT 1";

/// Lets the server look at the statement without running it, in a read-only transaction that is undone.
async fn look(connection: &mut Connection, sql: &str) -> Result<(), DriverError> {
    /// The server cannot prepare this kind of statement; it still refuses two of them when they are sent.
    const UNSUPPORTED: &str = "1295";
    connection.command("START TRANSACTION READ ONLY").await?;
    let prepared = connection.prepare(sql).await;
    connection.roll_back().await?;
    match prepared {
        Ok(prepared) if prepared.parameters > 0 => {
            Err(DriverError::refused(Reason::StatementHasParameters))
        }
        Ok(_) => Ok(()),
        Err(error) if error.cause().contains(UNSUPPORTED) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether a statement takes effect as a whole or not at all. Judged by its first word; whatever is not known does not.
fn is_one_piece(sql: &str) -> bool {
    matches!(
        words::first(sql).as_str(),
        "select"
            | "with"
            | "insert"
            | "update"
            | "delete"
            | "replace"
            | "show"
            | "explain"
            | "describe"
            | "values"
            | "table"
    )
}

/// Whether the number of rows is that of changed ones.
fn changes(sql: &str) -> bool {
    matches!(
        words::first(sql).as_str(),
        "insert" | "update" | "delete" | "replace" | "with" | "load" | "call"
    )
}
