//! Handles that a driver keeps between two reads never show another file, another schema or another moment.

use crate::common::{Sandbox, after, reading, table, task};
use dbeast::drivers::{Driver, Limits, Task};
use dbeast::reason::DatabaseReason as Reason;
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn shelf(word: &str) -> Sandbox {
    Sandbox::new(&format!("CREATE TABLE t(a); INSERT INTO t VALUES ('{word}');"))
}

async fn word(driver: &Arc<dyn Driver>) -> String {
    let read = reading(&["t"], "SELECT a FROM main.t");
    let rows = driver.read(&read, None, &task()).await.expect("rows").value;
    let cells = rows.rows.concat();
    cells.iter().map(crate::common::show).collect::<Vec<_>>().join(",")
}

#[tokio::test]
async fn a_file_that_is_written_over_or_moved_here_is_another_one() {
    let (one, other) = (shelf("one"), shelf("two"));
    let driver = one.driver();
    for _ in 0..3 {
        assert_eq!(word(&driver).await, "one");
    }
    // The same size, the same version of the schema, and the same count of changes.
    let bytes = fs::read(other.path()).expect("the file");
    assert_eq!(bytes.len(), fs::read(one.path()).expect("the file").len());
    fs::write(one.path(), &bytes).expect("written over");
    assert_eq!(word(&driver).await, "two");
    let third = shelf("six");
    fs::rename(third.path(), one.path()).expect("moved");
    assert_eq!(word(&driver).await, "six");
    fs::remove_file(one.path()).expect("removed");
    let error = driver.list_tables(&task()).await.expect_err("gone");
    assert_eq!(error.reason(), Reason::SourceMissing);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_that_points_elsewhere_is_followed_anew() {
    let (one, other) = (shelf("one"), shelf("two"));
    let link = one.folder().join("link");
    std::os::unix::fs::symlink(one.path(), &link).expect("a link");
    let driver = crate::common::driver(&link);
    assert_eq!(word(&driver).await, "one");
    fs::remove_file(&link).expect("removed");
    std::os::unix::fs::symlink(other.path(), &link).expect("a link");
    assert_eq!(word(&driver).await, "two");
}

#[tokio::test]
async fn every_change_of_rows_and_schema_is_seen() {
    for mode in ["delete", "wal"] {
        let sandbox = shelf("one");
        let writer = sandbox.writer();
        writer.pragma_update(None, "journal_mode", mode).expect("a journal");
        let driver = sandbox.driver();
        assert_eq!(word(&driver).await, "one");
        for (change, expected) in [
            ("INSERT INTO t VALUES ('two')", "one,two"),
            ("ALTER TABLE t ADD COLUMN b", "one,two"),
            ("DELETE FROM t; INSERT INTO t VALUES ('x', 'y')", "x"),
            ("DROP TABLE t; CREATE TABLE t(b, a); INSERT INTO t VALUES (1, 2)", "2"),
            ("CREATE INDEX i ON t(a)", "2"),
            ("VACUUM", "2"),
        ] {
            writer.execute_batch(change).expect(change);
            assert_eq!(word(&driver).await, expected, "{mode}: {change}");
        }
        writer
            .execute_batch("DROP TABLE t; CREATE VIEW t AS SELECT 'trap' AS a")
            .expect("a view instead");
        let read = reading(&["t"], "SELECT a FROM main.t");
        let error = driver.read(&read, None, &task()).await.expect_err("a view");
        assert_eq!(error.reason(), Reason::TableIsView, "{mode}");
        writer.execute_batch("DROP VIEW t; CREATE TABLE t(a AS ('x'), b)").expect("a table");
        let error = driver.describe_table(&table("t"), None, &task()).await.expect_err("generated");
        assert_eq!(error.reason(), Reason::TableHasGeneratedColumn, "{mode}");
    }
}

#[tokio::test]
async fn what_one_read_may_see_the_next_may_not() {
    let shop = Sandbox::shop();
    let driver = shop.driver();
    let secrets = reading(&["secrets"], "SELECT word FROM main.secrets");
    let orders = reading(&["orders"], "SELECT word FROM main.secrets");
    for _ in 0..3 {
        assert!(driver.read(&secrets, None, &task()).await.is_ok());
        let error = driver.read(&orders, None, &task()).await.expect_err("not its table");
        assert_eq!(error.reason(), Reason::TableNotVerified);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_cancellation_stops_nobody_else() {
    let sandbox = Sandbox::new(
        "CREATE TABLE t(a INTEGER);
         WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000) INSERT INTO t SELECT x FROM n;",
    );
    let driver = sandbox.driver();
    let read = reading(&["t"], "SELECT sum(a) FROM main.t");
    for _ in 0..200 {
        let cancel = CancellationToken::new();
        let bounds = Task::new(cancel.clone(), after(Duration::from_mins(1)), Limits::contract());
        assert!(driver.read(&read, None, &bounds).await.is_ok());
        let next = tokio::spawn({
            let (driver, read) = (Arc::clone(&driver), read.clone());
            async move { driver.read(&read, None, &task()).await }
        });
        cancel.cancel();
        assert!(next.await.expect("no panic").is_ok(), "the next read is stopped");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn closing_lets_go_of_the_file() {
    let sandbox = shelf("one");
    let driver = sandbox.driver();
    let is_open = || {
        let files = fs::read_dir("/proc/self/fd").expect("open files").flatten();
        let links = files.filter_map(|file| fs::read_link(file.path()).ok());
        links.filter(|link| link == sandbox.path()).count()
    };
    assert_eq!(is_open(), 0);
    for _ in 0..2 {
        assert_eq!(word(&driver).await, "one");
        assert_eq!(is_open(), 1, "one handle is kept");
        assert!(
            driver.read(&reading(&["t"], "SELECT b FROM main.t"), None, &task()).await.is_err()
        );
        assert_eq!(is_open(), 0, "after an error none is");
        assert_eq!(word(&driver).await, "one");
        driver.close().await;
        assert_eq!(is_open(), 0);
    }
    assert_eq!(word(&driver).await, "one");
    drop(driver);
    assert_eq!(is_open(), 0, "with the driver its handles end");
}
