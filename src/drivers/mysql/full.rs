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
            let is_certain = is_whole || is_refused_first(sql, connection.last_code());
            if is_certain && error.reason() != Reason::ServerLost {
                connection.has_ended();
            }
            Err(error)
        }
    }
}

/// Whether the server says no before it begins: to a text that it cannot read, and to definitions and grants that the account
/// may not make.
fn is_refused_first(sql: &str, code: u16) -> bool {
    const SYNTAX: u16 = 1064;
    const NOT_PERMITTED: &[u16] = &[1044, 1045, 1142, 1143, 1227, 1290];
    let is_definition = matches!(
        words::first(sql).as_str(),
        "create" | "alter" | "drop" | "rename" | "truncate" | "grant" | "revoke" | "lock"
    );
    code == SYNTAX && words::first(sql) != "call" || is_definition && NOT_PERMITTED.contains(&code)
}

/// Whether there is a table whose engine cannot undo: a statement that fails leaves its rows there.
const EVERY_ENGINE: &str = "SELECT 1 FROM information_schema.TABLES AS t \
     JOIN information_schema.ENGINES AS e ON e.ENGINE = t.ENGINE \
     WHERE t.TABLE_TYPE = 'BASE TABLE' AND e.TRANSACTIONS <> 'YES' AND t.TABLE_SCHEMA NOT IN \
     ('mysql', 'information_schema', 'performance_schema', 'sys') LIMIT 1";

/// Lets the server look at the statement without running it, in a transaction that is undone. Preparing calls nothing: what
/// is constant is computed when a statement runs.
async fn look(connection: &mut Connection, sql: &str) -> Result<(), DriverError> {
    /// The server cannot prepare this kind of statement; it still refuses two of them when they are sent.
    const UNSUPPORTED: u16 = 1295;
    connection.command("START TRANSACTION").await?;
    let prepared = connection.prepare(sql).await;
    let code = connection.last_code();
    connection.roll_back().await?;
    match prepared {
        Ok(prepared) if prepared.parameters > 0 => {
            Err(DriverError::refused(Reason::StatementHasParameters))
        }
        Ok(_) => Ok(()),
        Err(_) if code == UNSUPPORTED => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether a statement takes effect as a whole or not at all, if every engine can undo. Judged by its words; whatever is not
/// known does not.
///
/// MySQL manual, "Atomic Data Definition Statement Support"; MariaDB documentation, "Atomic DDL".
fn is_one_piece(sql: &str) -> bool {
    let text = words::without_comments(sql).to_ascii_lowercase();
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let mut next = || words.find(|word| !word.is_empty()).unwrap_or_default();
    let (first, second) = (next(), next());
    let is_of_several = matches!(second, "user" | "role" | "database" | "schema" | "server");
    match first {
        "select" | "with" | "insert" | "update" | "delete" | "replace" | "show" | "explain"
        | "describe" | "values" | "table" | "truncate" => true,
        "create" | "alter" => !is_of_several,
        // Several things may be named, and MariaDB drops them one after the other.
        "drop" => !is_of_several && !text.contains(','),
        _ => false,
    }
}

/// Whether the number of rows is that of changed ones.
fn changes(sql: &str) -> bool {
    matches!(
        words::first(sql).as_str(),
        "insert" | "update" | "delete" | "replace" | "with" | "load" | "call"
    )
}

#[cfg(test)]
mod tests {
    use super::is_one_piece;

    #[test]
    fn what_is_whole_is_known() {
        for sql in [
            "INSERT INTO t VALUES (1)",
            "/* CALL */ (SELECT 1)",
            "CREATE TABLE t(a int, b int)",
            "DROP TABLE t",
            "ALTER TABLE t ADD a int",
        ] {
            assert!(is_one_piece(sql), "{sql}");
        }
    }

    #[test]
    fn what_may_leave_parts_is_not() {
        for sql in [
            "CALL p()",
            "/*!50000 INSERT */ INTO t VALUES (1)",
            "DROP TABLE a, b",
            "DROP DATABASE d",
            "CREATE USER a, b",
            "DROP\nUSER a",
            "ALTER/**/USER a",
            "GRANT SELECT ON d.* TO a, b",
            "LOAD DATA INFILE 'x' INTO TABLE t",
            "DO f()",
            "ANALYZE TABLE a",
            "RENAME TABLE a TO b, c TO d",
            "",
        ] {
            assert!(!is_one_piece(sql), "{sql}");
        }
    }
}
