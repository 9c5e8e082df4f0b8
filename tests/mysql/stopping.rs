//! The server's own clock, and what becomes of a statement that is stopped.

use super::common::{driver, now, reading, table, task, task_of};
use crate::contract::wait_until;
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, Role};
use dbeast::reason::DatabaseReason as Reason;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Would run for hours.
const JOIN: &str = "SELECT sum(a.x - b.x + c.x - d.x) AS n FROM {d}.numbers AS a, {d}.numbers AS b, \
     {d}.numbers AS c, {d}.numbers AS d";

fn stage(kind: Kind) -> Database {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE numbers (x int)");
    let rows: Vec<String> = (1..=700).map(|number| format!("({number})")).collect();
    root.must(&format!("INSERT INTO numbers VALUES {}", rows.join(",")));
    database
}

/// The bound of the server is the task's, also for work that nobody stops.
pub(crate) async fn the_server_knows_the_bound(kind: Kind) {
    let database = stage(kind);
    let driver = driver(&database, Role::Reader);
    let variable = match kind {
        Kind::Mysql => "@@SESSION.max_execution_time",
        Kind::Mariadb => "@@SESSION.max_statement_time",
    };
    let read = reading(&format!("SELECT {variable} AS bound"), &table(&database, "numbers"));
    for (time, least, most) in [(60, 30_000, 30_000), (9, 7_000, 9_000), (60, 30_000, 30_000)] {
        let task = task_of(&CancellationToken::new(), Duration::from_secs(time));
        let rows = driver.read(&read, None, &task).await.expect("rows").value.rows;
        let dbeast::value::Cell::Text(bound) = &rows[0][0] else { panic!("{rows:?}") };
        let bound: f64 = bound.parse().expect("a number");
        let milliseconds = if kind == Kind::Mysql { bound } else { bound * 1000.0 };
        assert!((f64::from(least)..=f64::from(most)).contains(&milliseconds), "{milliseconds}");
    }
}

/// A join that only time can stop ends by the server's own clock: nobody asks it to. The same settings as the driver's, on
/// a connection of the test.
pub(crate) async fn the_server_stops_a_join_by_itself(kind: Kind) {
    let database = stage(kind);
    let mut root = database.root();
    root.must(match kind {
        Kind::Mysql => "SET SESSION max_execution_time = 300",
        Kind::Mariadb => "SET SESSION max_statement_time = 0.3",
    });
    let failure = root.ask(&JOIN.replace("{d}", database.name())).expect_err("stopped");
    assert!(["3024", "1969"].contains(&failure.code.as_str()), "{failure:?}");
}

pub(crate) async fn a_stopped_read_is_gone_when_the_driver_answers(kind: Kind) {
    let database = stage(kind);
    let driver = driver(&database, Role::Reader);
    let read = reading(&JOIN.replace("{d}", database.name()), &table(&database, "numbers"));
    // By the deadline.
    let before = now();
    let task_of_a_second = task_of(&CancellationToken::new(), Duration::from_secs(1));
    let error = driver.read(&read, None, &task_of_a_second).await.expect_err("too slow");
    assert_eq!(error.reason(), Reason::DeadlineExceeded, "{}", error.cause());
    let late = before.elapsed().saturating_sub(Duration::from_secs(1));
    assert!(!database.is_working(Role::Reader), "it still runs");
    println!("say: {kind:?}: {} ms after the deadline it was gone", late.as_millis());
    assert!(late < Duration::from_secs(1), "{late:?}");
    // By a cancel.
    let cancel = CancellationToken::new();
    let task_with_cancel = task_of(&cancel, Duration::from_mins(1));
    let work = {
        let driver = Arc::clone(&driver);
        tokio::spawn(async move { driver.read(&read, None, &task_with_cancel).await })
    };
    wait_until(|| !database.statements_of(Role::Reader).is_empty()).await;
    let before = now();
    cancel.cancel();
    assert!(work.await.expect("no panic").expect_err("cancelled").is_cancelled());
    let took = before.elapsed();
    assert!(!database.is_working(Role::Reader), "it still runs");
    println!("say: {kind:?}: {} ms after the cancel it was gone", took.as_millis());
    assert!(took < Duration::from_secs(1), "{took:?}");
    let rows = reading("SELECT 1 AS one", &table(&database, "numbers"));
    assert!(driver.read(&rows, None, &task()).await.is_ok(), "still usable");
}
