//! Full SQL: one statement of any kind.

use super::stopping::ENDLESS;
use super::{Bench, Doorman, NUMBERS, Shop, bounded, single, task, task_with, texts, wait_until};
use dbeast::drivers::{DriverError, Gate, Limits, Task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{ResultLimit, Rows};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Starts a statement behind a gate that the test answers.
fn start(shop: &Shop, sql: &str, task: Task) -> (Doorman, JoinHandle<Result<Rows, DriverError>>) {
    let (gate, doorman) = Doorman::new();
    let (driver, sql) = (Arc::clone(&shop.driver), shop.spell(sql));
    let work = tokio::spawn(async move { driver.run_full(&sql, gate, &task).await });
    (doorman, work)
}

/// Runs a statement that must succeed.
async fn run(shop: &Shop, sql: &str) -> Rows {
    let done = shop.driver.run_full(&shop.spell(sql), Gate::open(), &task()).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error:?} {}", error.cause()))
}

pub(crate) async fn any_single_statement_runs(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let (doorman, work) = start(&shop, "CREATE TABLE {s}.more(a INTEGER)", task());
    doorman.asked().await;
    assert_eq!(doorman.questions(), 1);
    doorman.let_go();
    assert!(work.await.expect("no panic").is_ok());
    assert_eq!(run(&shop, "INSERT INTO {s}.more VALUES (1), (2)").await.affected_rows, Some(2));
    assert_eq!(run(&shop, "UPDATE {s}.more SET a = 3 WHERE a = 2;").await.affected_rows, Some(1));
    assert_eq!(texts(&run(&shop, "SELECT a FROM {s}.more ORDER BY a").await), [["1"], ["3"]]);
    run(&shop, "ALTER TABLE {s}.more ADD COLUMN b INTEGER").await;
    run(&shop, "CREATE VIEW {s}.seen AS SELECT b, a FROM {s}.more").await;
    assert_eq!(texts(&run(&shop, "SELECT b, a FROM {s}.seen WHERE a = 1").await), [["NULL", "1"]]);
    run(&shop, "DROP VIEW {s}.seen").await;
    run(&shop, "DROP TABLE {s}.more").await;
    shop.must_be_untouched("other tables").await;
    let list = shop.driver.list_tables(&task()).await.expect("a list");
    assert_eq!(list.tables.len(), 4);
}

pub(crate) async fn its_rows_are_returned_within_limits(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let rows = run(&shop, "SELECT x FROM {s}.numbers ORDER BY x").await;
    assert_eq!((rows.rows.len(), rows.truncated_by), (500, Some(ResultLimit::Rows)));
    let rows = run(&shop, "SELECT x FROM {s}.numbers WHERE x <= 500 ORDER BY x").await;
    assert_eq!((rows.rows.len(), rows.truncated_by), (500, None));
    assert_eq!(rows.columns, ["x"]);
    assert_eq!(rows.bytes, u64::try_from(super::limits::json_bytes(&rows)).expect("small"));
    let task = task_with(Limits::contract().with_result_bytes(100));
    let sql = shop.spell("SELECT x FROM {s}.numbers");
    let rows = shop.driver.run_full(&sql, Gate::open(), &task).await.expect("rows");
    assert_eq!(rows.truncated_by, Some(ResultLimit::Bytes));
    assert!(!rows.rows.is_empty() && rows.bytes <= 100);
}

pub(crate) async fn a_statement_that_writes_runs_to_its_end(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let returning = if shop.dialect.has_returning { " RETURNING x" } else { "" };
    let rows = run(&shop, &format!("UPDATE {{s}}.numbers SET x = x + 1000{returning}")).await;
    assert_eq!(rows.affected_rows, Some(u64::from(NUMBERS)));
    if shop.dialect.has_returning {
        assert_eq!((rows.rows.len(), rows.truncated_by), (500, Some(ResultLimit::Rows)));
    }
    let left =
        shop.stage.raw().rows(&shop.spell("SELECT count(*) FROM {s}.numbers WHERE x > 1000"));
    assert_eq!(single(&left), Some(NUMBERS.to_string().as_str()));
}

pub(crate) async fn large_cells_are_no_error_after_a_write(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let returning = if shop.dialect.has_returning { " RETURNING id, word" } else { "" };
    let word = "x".repeat(65_537);
    let sql = format!("INSERT INTO {{s}}.words VALUES (1, '{word}', NULL){returning}");
    let rows = run(&shop, &sql).await;
    assert_eq!(rows.affected_rows, Some(1));
    if shop.dialect.has_returning {
        assert_eq!(rows.truncated_by, Some(ResultLimit::CellBytes));
        assert!(texts(&rows).concat().iter().all(|cell| cell.len() <= 65_536));
    }
    let left = shop.stage.raw().rows(&shop.spell("SELECT count(*) FROM {s}.words"));
    assert_eq!(single(&left), Some("1"));
    // The rows end before it, whatever comes after.
    run(&shop, "INSERT INTO {s}.words VALUES (0, 'a', NULL), (2, 'b', NULL)").await;
    let rows = run(&shop, "SELECT id, word FROM {s}.words ORDER BY id").await;
    assert_eq!(texts(&rows), [["0", "a"]]);
    assert_eq!(rows.truncated_by, Some(ResultLimit::CellBytes));
}

pub(crate) async fn columns_that_do_not_fit_are_no_error_after_a_write(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    if !shop.dialect.has_returning {
        // A read in the agent's own words is judged the same way.
        run(&shop, "INSERT INTO {s}.words VALUES (1, 'a', NULL)").await;
    }
    let task = task_with(Limits::contract().with_result_bytes(8));
    let sql = if shop.dialect.has_returning {
        "INSERT INTO {s}.words VALUES (1, 'a', NULL) RETURNING word"
    } else {
        "SELECT word FROM {s}.words"
    };
    let rows = shop.driver.run_full(&shop.spell(sql), Gate::open(), &task).await.expect("rows");
    assert_eq!(rows.truncated_by, Some(ResultLimit::Bytes));
    assert!(rows.columns.is_empty() && rows.rows.is_empty());
    let left = shop.stage.raw().rows(&shop.spell("SELECT count(*) FROM {s}.words"));
    assert_eq!(single(&left), Some("1"));
}

pub(crate) async fn two_statements_never_ask(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in [
        "DELETE FROM {s}.orders; DELETE FROM {s}.lines",
        "SELECT 1; DROP TABLE {s}.orders",
        "DELETE FROM {s}.orders; not sql at all",
        "DELETE FROM {s}.orders\0; SELECT 1",
        "",
        "not sql at all",
        "DELETE FROM {s}.nothing",
    ] {
        let (doorman, work) = start(&shop, sql, task());
        let error = work.await.expect("no panic").expect_err(sql);
        assert!(error.is_refused(), "{sql:?}: {error:?} {}", error.cause());
        assert_eq!(doorman.questions(), 0, "{sql:?}");
        shop.must_be_untouched(sql).await;
    }
}

pub(crate) async fn a_closed_gate_runs_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in ["DELETE FROM {s}.orders", "DROP TABLE {s}.orders"] {
        let (doorman, work) = start(&shop, sql, task());
        doorman.asked().await;
        drop(doorman);
        let error = work.await.expect("no panic").expect_err(sql);
        assert!(error.is_cancelled(), "{sql}: {error:?} {}", error.cause());
        shop.must_be_untouched(sql).await;
    }
}

pub(crate) async fn a_failure_leaves_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let sql = "INSERT INTO {s}.orders VALUES (8, 'x', 1), (1, 'a second one', 1)";
    let (doorman, work) = start(&shop, sql, task());
    doorman.asked().await;
    doorman.let_go();
    let error = work.await.expect("no panic").expect_err("a second one");
    assert_eq!(error.reason(), Reason::ConstraintViolated, "{}", error.cause());
    shop.must_be_untouched("a failure").await;
}

pub(crate) async fn a_read_only_source_runs_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in ["DELETE FROM {s}.orders", "SELECT 1"] {
        let (gate, doorman) = Doorman::new();
        let driver = shop.read_only_driver();
        let error = driver.run_full(&shop.spell(sql), gate, &task()).await.expect_err("read-only");
        assert!(error.is_refused());
        assert_eq!(error.reason(), Reason::SourceIsReadOnly);
        assert_eq!(doorman.questions(), 0);
    }
    shop.must_be_untouched("a read-only source").await;
}

/// An endless statement that writes.
fn endless() -> String {
    format!("UPDATE {{s}}.orders SET total = ({ENDLESS})")
}

pub(crate) async fn cancelling_stops_it(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in [ENDLESS.to_owned(), endless()] {
        let cancel = CancellationToken::new();
        let (doorman, work) = start(&shop, &sql, bounded(&cancel, Duration::from_mins(5)));
        doorman.asked().await;
        doorman.let_go();
        wait_until(|| shop.stage.is_working()).await;
        cancel.cancel();
        let error = work.await.expect("no panic").expect_err("cancelled");
        assert!(error.is_cancelled() || error.is_outcome_unknown(), "{sql}: {error:?}");
        wait_until(|| !shop.stage.is_working()).await;
        shop.must_be_untouched(&sql).await;
    }
}

pub(crate) async fn the_deadline_stops_it(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in [ENDLESS.to_owned(), endless()] {
        let bounds = bounded(&CancellationToken::new(), Duration::from_millis(400));
        let sql = shop.spell(&sql);
        let error = shop.driver.run_full(&sql, Gate::open(), &bounds).await.expect_err("endless");
        let is_told = error.is_deadline_exceeded() || error.is_outcome_unknown();
        assert!(is_told, "{sql}: {error:?} {}", error.cause());
        wait_until(|| !shop.stage.is_working()).await;
        shop.must_be_untouched(&sql).await;
    }
}
