//! Messages of the server that are longer than anything that is kept: they are passed over, and what they mean stays.

use super::{full, read, text};
use crate::postgres::common::{driver, task};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Role};
use dbeast::drivers::{DriverError, Gate};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ReadLock;

fn database() -> Database<'static> {
    let database = Database::shared();
    database.connect(Role::Owner).must(
        "CREATE SCHEMA s; CREATE TABLE s.t (v text);
         INSERT INTO s.t VALUES (repeat('x', 3000000));
         CREATE FUNCTION s.tell(words text) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''%'', words; RETURN 7; END';
         CREATE FUNCTION s.fail(words text) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''%'', words; END'",
    );
    database
}

async fn failed(database: &Database<'_>, sql: &str) -> DriverError {
    let driver = driver(database, Role::Owner, ReadLock::Full);
    driver.run_full(sql, Gate::open(), &task()).await.expect_err(sql)
}

#[tokio::test]
async fn long_notices_are_passed_over() {
    let database = database();
    let rows = full(&database, "SELECT s.tell(v), s.tell(v || v) FROM s.t").await;
    assert_eq!(rows.rows, [[text("7"), text("7")]]);
}

#[tokio::test]
async fn a_long_error_is_an_error_like_others() {
    let database = database();
    let read = read(&database, "SELECT \"v\"::int FROM \"s\".\"t\"").await;
    let error = read.expect_err("no number");
    assert_eq!(error.reason(), Reason::ExecutionFailed, "{}", error.cause());
    let cause = error.cause();
    assert!(cause.starts_with("invalid input syntax for type integer: \"xxx"), "{cause:.100}");
    assert!(cause.contains("(22P02)") && cause.len() < 20_000, "{}", cause.len());
    for sql in ["SELECT s.fail(v) FROM s.t", "SELECT s.fail(repeat(v, 10)) FROM s.t"] {
        let error = failed(&database, sql).await;
        assert_eq!(error.reason(), Reason::ExecutionFailed, "{}", error.cause());
        assert!(!error.is_outcome_unknown());
    }
}

#[tokio::test]
async fn a_stream_of_long_rows_is_refused_like_others() {
    let database = database();
    let sql = "COPY (SELECT v || v FROM s.t, generate_series(1, 100000)) TO STDOUT";
    let error = failed(&database, sql).await;
    assert_eq!(error.reason(), Reason::StatementNeedsStream, "{}", error.cause());
}
