//! One statement in the agent's own words, under the account's privileges.
//!
//! The protocol's Parse holds exactly one statement. There is no transaction around it: what must not stand in one
//! runs, and each statement is its own transaction.

use super::connection::{Connection, State};
use super::query::described;
use super::rows::{self, Beyond};
use crate::drivers::{DriverError, Gate, Task};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Guard, Rows};

/// The name under which the statement is prepared.
const STATEMENT: &str = "requested";

/// Gets the statement ready, asks, and only then sends it.
pub(super) async fn run(
    connection: &mut Connection,
    sql: &str,
    gate: Gate,
    task: &Task,
) -> Result<Rows, DriverError> {
    if sql.contains('\0') {
        return Err(DriverError::refused(Reason::StatementNotSingle));
    }
    if without_comments(sql).is_empty() {
        return Err(DriverError::refused(Reason::StatementEmpty));
    }
    let columns = prepare(connection, sql, task).await?;
    gate.pass(task).await?;
    connection.check_open()?;
    connection.run(STATEMENT, &[], 0)?;
    connection.sync();
    connection.will_last(commits_on_its_way(sql));
    connection.send().await?;
    let ended = match rows::read(connection, &columns, task.limits(), Beyond::Drain).await {
        Err(error) if error.reason() == Reason::StatementNeedsStream => {
            without_stream(connection, error, task).await
        }
        ended => ended,
    };
    match ended {
        Ok(ended) => {
            // What it did lasts only when the server waits again: until then it commits.
            if let Err(error) = connection.finish().await {
                if error.reason() != Reason::ServerLost && !commits_on_its_way(sql) {
                    connection.has_ended();
                }
                return Err(error);
            }
            connection.has_ended();
            if connection.state() != State::Idle {
                // It ends with the connection, and so does everything in it: nothing took effect.
                return Err(DriverError::refused(Reason::TransactionControl));
            }
            let affected_rows = ended.tag.as_deref().and_then(rows::affected);
            let guards = vec![Guard::Deadline, Guard::SingleStatement, Guard::ResultLimits];
            Ok(Rows { affected_rows, guards, ..ended.rows })
        }
        Err(error) => {
            // An answer of the server that is an error says that nothing took effect, unless the statement commits on
            // its way. What streams to or from here does not, and neither writes a file nor runs a program there.
            let is_certain =
                matches!(error.reason(), Reason::StatementEmpty | Reason::StatementNeedsStream)
                    || !commits_on_its_way(sql);
            if is_certain && error.reason() != Reason::ServerLost {
                connection.has_ended();
            }
            Err(error)
        }
    }
}

/// Prepares the statement in a read-only transaction that is undone: reading a literal can run code, such as a domain's
/// CHECK, and nothing of it may last before the gate.
async fn prepare(
    connection: &mut Connection,
    sql: &str,
    task: &Task,
) -> Result<Vec<rows::Column>, DriverError> {
    connection.command(&format!("SET statement_timeout = {}", task.remaining_ms()))?;
    connection.sync();
    connection.command("BEGIN READ ONLY")?;
    connection.parse(STATEMENT, sql)?;
    connection.describe(STATEMENT)?;
    connection.sync();
    connection.send().await?;
    connection.rows().await?;
    connection.reply(0).await?;
    connection.rows().await?;
    let columns = described(connection).await?;
    connection.finish().await?;
    // What is prepared under a name outlives the transaction.
    connection.roll_back().await?;
    Ok(columns)
}

/// It waits for data or sends it: it is told to stop, and what it did is undone with the stream. If it ended before
/// it could be told, it took effect.
async fn without_stream(
    connection: &mut Connection,
    error: DriverError,
    task: &Task,
) -> Result<rows::Ended, DriverError> {
    // One of both is the way to stop it: the first for data that it waits for, the second for data that it sends.
    connection.refuse_stream().await?;
    connection.key().send().await;
    match rows::read(connection, &[], task.limits(), Beyond::Drain).await {
        Err(answer) if answer.reason() == Reason::DeadlineExceeded => Err(error.replacing(answer)),
        ended => ended,
    }
}

/// Statements that may commit parts of their work before they fail: procedures and blocks can, and maintenance does.
/// Judged by the words outside comments; whatever is not known counts as one of them.
fn commits_on_its_way(sql: &str) -> bool {
    const WHOLE: &[&str] = &[
        "select",
        "with",
        "values",
        "table",
        "insert",
        "update",
        "delete",
        "merge",
        "truncate",
        "grant",
        "revoke",
        "comment",
        "set",
        "reset",
        "show",
        "explain",
        "lock",
        "copy",
        "create",
        "alter",
        "drop",
        "refresh",
        "begin",
        "commit",
        "end",
        "rollback",
        "abort",
        "savepoint",
        "release",
        "start",
        "prepare",
        "execute",
        "deallocate",
        "declare",
        "fetch",
        "move",
        "close",
        "listen",
        "notify",
        "unlisten",
        "discard",
        "security",
        "reassign",
        "import",
        "load",
        "checkpoint",
    ];
    /// Forms of these that do not run in one transaction.
    const PARTS: &[&str] = &["concurrently", "database", "tablespace", "subscription", "system"];
    /// Forms of COPY that write a file or run a program of the server.
    const OUTSIDE: &[&str] = &["to", "program"];
    let text = without_comments(sql).to_ascii_lowercase();
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    let is_definition = matches!(first, "create" | "alter" | "drop" | "refresh");
    !WHOLE.contains(&first)
        || is_definition && words.clone().any(|word| PARTS.contains(&word))
        || first == "copy" && words.any(|word| OUTSIDE.contains(&word))
}

/// The text without comments at its beginning (PostgreSQL manual, "Comments": they nest).
pub(super) fn without_comments(sql: &str) -> &str {
    let mut rest = sql;
    loop {
        rest = rest.trim_start_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, ';' | '(')
        });
        if let Some(line) = rest.strip_prefix("--") {
            rest = line.split_once('\n').map_or("", |(_, rest)| rest);
        } else if rest.starts_with("/*") {
            rest = after_comment(rest);
        } else {
            return rest;
        }
    }
}

fn after_comment(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find(['/', '*']) {
        rest = rest.get(at..).unwrap_or_default();
        if let Some(inner) = rest.strip_prefix("/*") {
            depth += 1;
            rest = inner;
        } else if let Some(outer) = rest.strip_prefix("*/") {
            depth = depth.saturating_sub(1);
            rest = outer;
            if depth == 0 {
                return rest;
            }
        } else {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::commits_on_its_way;

    #[test]
    fn a_statement_of_one_transaction_is_known() {
        for sql in [
            "INSERT INTO t VALUES (1)",
            "  -- a\n /* b /* c */ CALL */ (SELECT 1)",
            "with x as (select 1) delete from t",
            "CREATE TABLE t(a int)",
        ] {
            assert!(!commits_on_its_way(sql), "{sql}");
        }
    }

    #[test]
    fn what_may_commit_on_its_way_is_not() {
        for sql in [
            "CALL p()",
            "/* select */ call p()",
            "-- select\nDO $$ begin commit; end $$",
            "VACUUM t",
            "REINDEX DATABASE d",
            "CREATE INDEX CONCURRENTLY i ON t(a)",
            "CREATE INDEX/**/CONCURRENTLY i ON t(a)",
            "DROP DATABASE\"d\"",
            "ALTER SYSTEM SET work_mem = 1",
            "ANALYZE a, b",
            "COPY t TO PROGRAM 'x'",
            "COPY t FROM PROGRAM 'x'",
            "DROP DATABASE d",
            "",
        ] {
            assert!(commits_on_its_way(sql), "{sql}");
        }
    }
}
