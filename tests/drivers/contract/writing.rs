//! Writes of one table.

use super::stopping::ENDLESS;
use super::{Bench, Doorman, NUMBERS, Shop, bounded, single, task, task_with, texts};
use dbeast::drivers::{DriverError, Gate, Limits, TableWrite, Task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{ResultLimit, Rows};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const INSERT: &str = "INSERT INTO {s}.orders (id, customer, total) VALUES (4, 'Eve', 1)";

/// Starts a write behind a gate that the test answers.
fn start(
    shop: &Shop,
    write: TableWrite,
    task: Task,
) -> (Doorman, JoinHandle<Result<Rows, DriverError>>) {
    let (gate, doorman) = Doorman::new();
    let driver = Arc::clone(&shop.driver);
    let work = tokio::spawn(async move { driver.write_table(&write, gate, &task).await });
    (doorman, work)
}

pub(crate) async fn a_write_takes_effect_once_and_only_after_the_gate(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let (doorman, work) = start(&shop, shop.write("orders", INSERT), task());
    doorman.asked().await;
    assert_eq!(shop.orders(), ["1|Ada|10", "2|Bob|20", "3|Ada|NULL"], "before the go-ahead");
    assert_eq!(doorman.questions(), 1);
    doorman.let_go();
    let rows = work.await.expect("no panic").expect("written");
    assert_eq!(rows.affected_rows, Some(1));
    assert_eq!((rows.rows.len(), rows.truncated_by), (0, None));
    assert!(!rows.guards.is_empty());
    assert_eq!(shop.orders(), ["1|Ada|10", "2|Bob|20", "3|Ada|NULL", "4|Eve|1"]);
    assert!(!shop.stage.is_working());
}

pub(crate) async fn changed_rows_are_counted(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let cases = [
        ("UPDATE {s}.orders SET total = 7 WHERE customer = 'Ada'", 2),
        ("UPDATE {s}.orders SET total = 7 WHERE id = 99", 0),
        ("INSERT INTO {s}.orders (id, customer) VALUES (4, 'Eve'), (5, 'Eve'), (6, 'Eve')", 3),
        ("DELETE FROM {s}.orders WHERE customer = 'Eve'", 3),
    ];
    for (sql, affected) in cases {
        let write = shop.write("orders", sql);
        let rows = shop.driver.write_table(&write, Gate::open(), &task()).await.expect(sql);
        assert_eq!(rows.affected_rows, Some(affected), "{sql}");
    }
    assert_eq!(shop.orders(), ["1|Ada|7", "2|Bob|20", "3|Ada|7"]);
}

pub(crate) async fn a_closed_gate_writes_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let (doorman, work) = start(&shop, shop.write("orders", INSERT), task());
    doorman.asked().await;
    drop(doorman);
    let error = work.await.expect("no panic").expect_err("closed");
    assert!(error.is_cancelled(), "{error:?} {}", error.cause());
    shop.must_be_untouched("a closed gate").await;
}

pub(crate) async fn cancelled_at_the_gate_writes_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let cancel = CancellationToken::new();
    let bounds = bounded(&cancel, Duration::from_mins(1));
    let (doorman, work) = start(&shop, shop.write("orders", INSERT), bounds);
    doorman.asked().await;
    cancel.cancel();
    let error = work.await.expect("no panic").expect_err("cancelled");
    assert!(error.is_cancelled(), "{error:?} {}", error.cause());
    shop.must_be_untouched("cancelled at the gate").await;
}

pub(crate) async fn the_deadline_at_the_gate_writes_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    shop.must_be_untouched("before").await;
    let bounds = bounded(&CancellationToken::new(), Duration::from_millis(400));
    let (doorman, work) = start(&shop, shop.write("orders", INSERT), bounds);
    doorman.asked().await;
    let error = work.await.expect("no panic").expect_err("too late");
    assert!(error.is_deadline_exceeded(), "{error:?} {}", error.cause());
    shop.must_be_untouched("the deadline at the gate").await;
}

pub(crate) async fn cancelled_before_the_gate_is_never_asked(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let cancel = CancellationToken::new();
    cancel.cancel();
    let bounds = bounded(&cancel, Duration::from_mins(1));
    let (doorman, work) = start(&shop, shop.write("orders", INSERT), bounds);
    assert!(work.await.expect("no panic").expect_err("cancelled").is_cancelled());
    assert_eq!(doorman.questions(), 0);
    shop.must_be_untouched("cancelled before").await;
}

pub(crate) async fn a_failed_write_is_rolled_back(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in [
        "INSERT INTO {s}.orders (id, customer) VALUES (8, 'x'), (1, 'a second one')",
        "INSERT INTO {s}.orders (id, customer) VALUES (8, 'x'), (9, NULL)",
        "UPDATE {s}.orders SET customer = NULL",
    ] {
        let (doorman, work) = start(&shop, shop.write("orders", sql), task());
        doorman.asked().await;
        doorman.let_go();
        let error = work.await.expect("no panic").expect_err(sql);
        assert_eq!(error.reason(), Reason::ConstraintViolated, "{sql}: {}", error.cause());
        assert!(!error.is_outcome_unknown());
        shop.must_be_untouched(sql).await;
    }
}

pub(crate) async fn what_is_refused_never_asks(bench: &dyn Bench) {
    let view = "CREATE VIEW {s}.seen AS SELECT id FROM {s}.orders".to_owned();
    let shop = Shop::with(bench, &[view]);
    let column = |name: &str| {
        let mut write = shop.write("orders", "UPDATE {s}.orders SET total = 0");
        write.columns = vec!["total".to_owned(), name.to_owned()];
        write
    };
    let cases = [
        (shop.write("nothing", "DELETE FROM {s}.nothing"), Some(Reason::TableUnknown)),
        (shop.write("seen", "DELETE FROM {s}.seen"), None),
        (column("nothing"), Some(Reason::ColumnUnknown)),
        (shop.write("orders", "UPDATE {s}.orders SET nothing = 0"), None),
        (shop.write("orders", "DELETE FROM {s}.orders; DELETE FROM {s}.lines"), None),
        (shop.write("orders", "DELETE FROM {s}.orders; COMMIT"), None),
        (shop.write("orders", "DELETE FROM {s}.orders\0"), None),
        (shop.write("orders", "not sql at all"), None),
        (shop.write("orders", ""), None),
        (shop.write("orders", "DROP TABLE {s}.orders"), None),
        (shop.write("orders", "COMMIT"), None),
        (shop.write("orders", "ROLLBACK"), None),
    ];
    for (write, reason) in cases {
        let (doorman, work) = start(&shop, write.clone(), task());
        let error = work.await.expect("no panic").expect_err(&write.sql);
        assert!(error.is_refused(), "{write:?}: {error:?} {}", error.cause());
        if let Some(reason) = reason {
            assert_eq!(error.reason(), reason, "{write:?}: {}", error.cause());
        }
        assert_eq!(doorman.questions(), 0, "{write:?}");
        shop.must_be_untouched(&write.sql).await;
    }
    assert!(shop.driver.write_table(&column("id"), Gate::open(), &task()).await.is_ok());
}

pub(crate) async fn a_read_only_source_refuses_writes(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let (gate, doorman) = Doorman::new();
    let write = shop.write("orders", INSERT);
    let refused = shop.read_only_driver().write_table(&write, gate, &task()).await;
    let error = refused.expect_err("read-only");
    assert!(error.is_refused());
    assert_eq!(error.reason(), Reason::SourceIsReadOnly);
    assert_eq!(doorman.questions(), 0);
    shop.must_be_untouched("a read-only source").await;
}

pub(crate) async fn cancelling_stops_a_running_write(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let cancel = CancellationToken::new();
    let bounds = bounded(&cancel, Duration::from_mins(5));
    // Twice in parentheses: MySQL lets an UPDATE read its own table only so.
    let sql =
        format!("UPDATE {{s}}.numbers SET x = 0 WHERE x < (SELECT r.n FROM ({ENDLESS}) AS r)");
    let (doorman, work) = start(&shop, shop.write("numbers", &sql), bounds);
    doorman.asked().await;
    doorman.let_go();
    // However far it got: it is stopped, and nothing of it stays.
    super::wait_until(|| shop.stage.is_working()).await;
    cancel.cancel();
    let error = work.await.expect("no panic").expect_err("cancelled");
    assert!(error.is_cancelled() || error.is_outcome_unknown(), "{error:?} {}", error.cause());
    super::wait_until(|| !shop.stage.is_working()).await;
    let left = shop.stage.raw().rows(&shop.spell("SELECT count(*) FROM {s}.numbers WHERE x = 0"));
    assert_eq!(single(&left), Some("0"));
    shop.must_be_untouched("a cancelled write").await;
}

pub(crate) async fn returned_rows_end_at_the_limits(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    if !shop.dialect.has_returning {
        let write = shop.write("numbers", "UPDATE {s}.numbers SET x = x + 1000");
        let rows = shop.driver.write_table(&write, Gate::open(), &task()).await.expect("written");
        assert_eq!(rows.affected_rows, Some(u64::from(NUMBERS)));
        return;
    }
    let write =
        shop.write("orders", "UPDATE {s}.orders SET total = 5 WHERE id < 3 RETURNING id, total");
    let rows = shop.driver.write_table(&write, Gate::open(), &task()).await.expect("written");
    let mut returned = texts(&rows);
    returned.sort();
    assert_eq!(returned, [["1", "5"], ["2", "5"]]);
    assert_eq!((rows.affected_rows, rows.truncated_by), (Some(2), None));
    let write = shop.write("numbers", "UPDATE {s}.numbers SET x = x + 1000 RETURNING x");
    let limits = Limits::contract();
    let cases = [(limits, 500, ResultLimit::Rows), (limits.with_rows(3), 3, ResultLimit::Rows)];
    for (limits, count, limit) in cases {
        let task = task_with(limits);
        let rows = shop.driver.write_table(&write, Gate::open(), &task).await.expect("written");
        assert_eq!((rows.rows.len(), rows.truncated_by), (count, Some(limit)));
        assert_eq!(rows.affected_rows, Some(u64::from(NUMBERS)), "all of it took effect");
    }
    let left = shop.stage.raw().rows(&shop.spell("SELECT min(x) FROM {s}.numbers"));
    assert_eq!(single(&left), Some("2001"), "each write took effect once");
}
