//! Attacks on the words by which an end is told.

use crate::common::{Sandbox, task};
use dbeast::drivers::{Gate, Location, open};

/// FAIL keeps what the statement has done so far, and without a transaction of ours SQLite commits it.
#[tokio::test]
async fn a_failure_that_left_rows_is_not_called_one_without_effect() {
    let mut wrong = Vec::new();
    for (made, sql) in [
        ("", "INSERT OR FAIL INTO t VALUES (1), (2), (2)"),
        ("", "INSERT INTO c VALUES (1), (2), (2)"),
        (
            "CREATE TRIGGER g BEFORE INSERT ON t WHEN NEW.a = 2 BEGIN SELECT RAISE(FAIL, 'no'); END",
            "INSERT INTO t VALUES (1), (2)",
        ),
    ] {
        let sandbox = Sandbox::new(&format!(
            "CREATE TABLE t(a UNIQUE); CREATE TABLE c(a UNIQUE ON CONFLICT FAIL); {made}"
        ));
        let driver =
            open(&Location::Sqlite { path: sandbox.path().to_owned(), is_read_only: false });
        let error = driver.run_full(sql, Gate::open(), &task()).await.expect_err("it fails");
        let count = |table: &str| {
            let sql = format!("SELECT count(*) FROM {table}");
            sandbox.writer().query_row(&sql, [], |row| row.get::<_, i64>(0)).expect("a number")
        };
        let left = count("t") + count("c");
        if left > 0 && !error.is_outcome_unknown() {
            wrong.push(format!("{sql}: {error:?}, and {left} rows are there"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What triggers did is undone with the statement.
#[tokio::test]
async fn a_failure_that_left_nothing_is_not_called_unknown() {
    let sandbox = Sandbox::new(
        "CREATE TABLE t(a UNIQUE); CREATE TABLE log(a);
         CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.a); END",
    );
    let driver = open(&Location::Sqlite { path: sandbox.path().to_owned(), is_read_only: false });
    let sql = "INSERT INTO t VALUES (1), (1)";
    let error = driver.run_full(sql, Gate::open(), &task()).await.expect_err("it fails");
    let count =
        sandbox.writer().query_row("SELECT count(*) FROM log", [], |row| row.get::<_, i64>(0));
    assert_eq!(count, Ok(0));
    assert!(!error.is_outcome_unknown(), "nothing is left, and {error:?}");
}
