//! Deadlines, cancellation, and callers that go away.

use crate::common::{Sandbox, after, driver, long_ago, reading, task};
use dbeast::drivers::{Limits, Read, Task};
use dbeast::reason::DatabaseReason as Reason;
use rusqlite::Connection;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Statements that would run for years, each inside another part of the engine.
const ENDLESS: &[&str] = &[
    "SELECT count(*) FROM main.n a, main.n b, main.n c, main.n d, main.n e",
    "SELECT a.x FROM main.n a, main.n b, main.n c, main.n d ORDER BY a.x + b.x * c.x - d.x",
    "SELECT DISTINCT a.x || b.x || c.x || d.x FROM main.n a, main.n b, main.n c, main.n d ORDER BY 1",
    "SELECT a.x FROM main.n a, main.n b, main.n c, main.n d WHERE a.x + b.x + c.x + d.x < 0",
    "SELECT a.x + b.x * c.x, count(*) FROM main.n a, main.n b, main.n c, main.n d GROUP BY 1 HAVING count(*) < 0",
];

fn numbers() -> Sandbox {
    Sandbox::new(
        "CREATE TABLE n(x INTEGER);
         WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 2000) INSERT INTO n SELECT x FROM c;",
    )
}

fn endless() -> Read {
    reading(&["n"], "SELECT count(*) FROM main.n a, main.n b, main.n c, main.n d, main.n e")
}

fn soon(cancel: &CancellationToken, time: Duration) -> Task {
    Task::new(cancel.clone(), after(time), Limits::contract())
}

/// Whether a reader holds its lock just now: then nobody can get the file for himself.
fn is_being_read(writer: &Connection) -> bool {
    let alone = writer.execute_batch("BEGIN EXCLUSIVE").is_ok();
    if alone {
        writer.execute_batch("ROLLBACK").expect("ended");
    }
    !alone
}

async fn wait_until(mut condition: impl FnMut() -> bool) {
    let waiting = async {
        while !condition() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting)
        .await
        .expect("the condition holds in time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_deadline_stops_every_kind_of_endless_work() {
    let sandbox = numbers();
    for sql in ENDLESS {
        let task = soon(&CancellationToken::new(), Duration::from_millis(150));
        let error = sandbox.driver().read(&reading(&["n"], sql), None, &task).await.expect_err(sql);
        assert!(error.is_deadline_exceeded() && !error.is_cancelled(), "{sql}: {error:?}");
        assert_eq!(error.reason(), Reason::DeadlineExceeded, "{sql}");
        assert!(!is_being_read(&sandbox.writer()), "{sql} is still running");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancellation_stops_running_work_before_the_future_resolves() {
    let sandbox = numbers();
    let writer = sandbox.writer();
    let cancel = CancellationToken::new();
    let task = soon(&cancel, Duration::from_mins(1));
    let database = sandbox.driver();
    let work = tokio::spawn(async move { database.read(&endless(), None, &task).await });
    wait_until(|| is_being_read(&writer)).await;
    cancel.cancel();
    let error = work.await.expect("no panic").expect_err("cancelled");
    assert!(error.is_cancelled() && !error.is_deadline_exceeded(), "{error:?}");
    assert_eq!(error.reason(), Reason::Cancelled);
    assert!(!is_being_read(&writer), "the work goes on after its future has resolved");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_future_stops_its_work() {
    let sandbox = numbers();
    let writer = sandbox.writer();
    let task = soon(&CancellationToken::new(), Duration::from_mins(10));
    let database = sandbox.driver();
    let work = tokio::spawn(async move { database.read(&endless(), None, &task).await });
    wait_until(|| is_being_read(&writer)).await;
    work.abort();
    assert!(work.await.is_err_and(|error| error.is_cancelled()));
    wait_until(|| !is_being_read(&writer)).await;
}

#[tokio::test]
async fn work_that_is_over_before_it_begins_never_touches_the_file() {
    let missing = driver(std::path::Path::new("/nowhere/at/all"));
    let late = Task::new(CancellationToken::new(), long_ago(), Limits::contract());
    let error = missing.list_tables(&late).await.expect_err("too late");
    assert!(error.is_deadline_exceeded(), "{error:?}");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let error =
        missing.list_tables(&soon(&cancel, Duration::from_mins(1))).await.expect_err("cancelled");
    assert!(error.is_cancelled(), "{error:?}");
}

#[tokio::test]
async fn a_lock_is_waited_for_until_the_deadline() {
    let shop = Sandbox::shop();
    let writer = shop.writer();
    writer.execute_batch("BEGIN EXCLUSIVE").expect("the lock");
    let task = soon(&CancellationToken::new(), Duration::from_millis(100));
    let error = shop
        .driver()
        .read(&reading(&["orders"], "SELECT id FROM main.orders"), None, &task)
        .await
        .expect_err("locked");
    assert!(error.is_deadline_exceeded(), "{error:?}");
    assert_eq!(error.reason(), Reason::SourceLocked);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_a_lock_ends_with_the_lock_or_with_the_caller() {
    let shop = Sandbox::shop();
    let writer = shop.writer();
    writer.execute_batch("BEGIN EXCLUSIVE").expect("the lock");
    let cancel = CancellationToken::new();
    let (database, bounds) = (shop.driver(), soon(&cancel, Duration::from_mins(1)));
    let waiting = tokio::spawn(async move { database.list_tables(&bounds).await });
    tokio::task::yield_now().await;
    cancel.cancel();
    let error = waiting.await.expect("no panic").expect_err("cancelled");
    assert!(error.is_cancelled(), "{error:?}");

    let database = shop.driver();
    let waiting = tokio::spawn(async move { database.list_tables(&task()).await });
    tokio::task::yield_now().await;
    writer.execute_batch("ROLLBACK").expect("released");
    assert_eq!(waiting.await.expect("no panic").expect("a list").tables.len(), 4);
}

#[tokio::test]
async fn a_pattern_that_backtracks_is_stopped() {
    let sandbox = Sandbox::new(
        "CREATE TABLE t(v); INSERT INTO t SELECT printf('%.*c', 1000000, 'a') FROM (VALUES (1), (2), (3));",
    );
    let pattern = "%a".repeat(490) + "b";
    let sql = format!("SELECT count(*) FROM main.t WHERE v LIKE '{pattern}'");
    let task = soon(&CancellationToken::new(), Duration::from_millis(200));
    let result = sandbox.driver().read(&reading(&["t"], &sql), None, &task).await;
    if let Err(error) = result {
        assert!(error.is_deadline_exceeded(), "{error:?}");
    }
    let long = format!("SELECT count(*) FROM main.t WHERE v LIKE '{}'", "%a".repeat(501));
    assert!(sandbox.read(&["t"], &long).await.is_err());
}
