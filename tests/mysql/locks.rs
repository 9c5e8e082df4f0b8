//! What a read keeps others from, and what it does not; and that a table cannot change between proof and read.

use super::common::{any_read, driver, now, reading, table, task, task_of};
use crate::contract::wait_until;
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, Role};
use dbeast::drivers::{Driver, DriverError, Proven};
use dbeast::value::Rows;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// An UPDATE of somebody else may take so long while a read goes on.
const UPDATE_MS_MAX: u128 = 100;

fn stage(kind: Kind) -> Database {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE numbers (x int primary key, note varchar(20))");
    let rows: Vec<String> = (1..=700).map(|number| format!("({number}, 'n')")).collect();
    root.must(&format!("INSERT INTO numbers VALUES {}", rows.join(",")));
    database
}

/// A read that goes on until it is cancelled.
fn start(
    driver: &Arc<dyn Driver>,
    database: &Database,
    cancel: &CancellationToken,
) -> JoinHandle<Result<Proven<Rows>, DriverError>> {
    let name = database.name();
    let sql = format!(
        "SELECT sum(a.x - b.x + c.x - d.x) AS n FROM {name}.numbers AS a, {name}.numbers AS b, \
         {name}.numbers AS c, {name}.numbers AS d"
    );
    let read = reading(&sql, &table(database, "numbers"));
    let (driver, task) = (Arc::clone(driver), task_of(cancel, Duration::from_mins(1)));
    tokio::spawn(async move { driver.read(&read, None, &task).await })
}

fn runs(database: &Database) -> bool {
    database.statements_of(Role::Reader).iter().any(|(_, text)| text.starts_with("SELECT sum("))
}

pub(crate) async fn others_write_while_an_agent_reads_and_change_nothing_else(kind: Kind) {
    let database = stage(kind);
    let driver = driver(&database, Role::Reader);
    let cancel = CancellationToken::new();
    let work = start(&driver, &database, &cancel);
    wait_until(|| runs(&database)).await;

    let mut root = database.root();
    let mut longest = 0;
    for _ in 0..5 {
        let before = now();
        root.must("UPDATE numbers SET note = concat(note, 'x') WHERE x = 7");
        longest = longest.max(before.elapsed().as_millis());
    }
    println!("say: {kind:?}: an UPDATE beside a read took {longest} ms at most");
    assert!(longest < UPDATE_MS_MAX, "{longest} ms");

    // A change of the definition waits for as long as the read goes on.
    let is_done = Arc::new(AtomicBool::new(false));
    let changing = {
        let (is_done, mut other) = (Arc::clone(&is_done), database.root());
        std::thread::spawn(move || {
            other.must("ALTER TABLE numbers ADD COLUMN more int");
            is_done.store(true, Ordering::SeqCst);
        })
    };
    let list = match kind {
        Kind::Mysql => "performance_schema.processlist",
        Kind::Mariadb => "information_schema.PROCESSLIST",
    };
    let waiting = format!(
        "SELECT 1 FROM {list} WHERE STATE LIKE 'Waiting for table metadata lock%' \
         AND INFO LIKE 'ALTER TABLE numbers%' AND DB = '{}'",
        database.name()
    );
    wait_until(|| !root.must(&waiting).rows.is_empty()).await;
    assert!(runs(&database) && !is_done.load(Ordering::SeqCst));
    let before = now();
    cancel.cancel();
    assert!(work.await.expect("no panic").expect_err("cancelled").is_cancelled());
    println!("say: {kind:?}: a read ended {} ms after its cancel", before.elapsed().as_millis());
    assert!(!database.is_working(Role::Reader), "it still runs after the driver has answered");
    wait_until(|| is_done.load(Ordering::SeqCst)).await;
    changing.join().expect("changed");
}

/// Somebody swaps the table under its name again and again: a read has the rows of one of them and says which.
pub(crate) async fn a_table_is_the_proven_one_when_it_is_read(kind: Kind) {
    const ROUNDS: u32 = 60;
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE sung (x int)");
    root.must("CREATE FUNCTION sing() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO sung VALUES (1); RETURN 1; END");
    root.must("CREATE TABLE t (which varchar(9))");
    root.must("CREATE TABLE other (which varchar(9), b int)");
    root.must("INSERT INTO t VALUES ('first')");
    root.must("INSERT INTO other VALUES ('second', 2)");
    root.must("CREATE VIEW v AS SELECT sing() AS which");
    let is_over = Arc::new(AtomicBool::new(false));
    let swapping = {
        let (is_over, mut other) = (Arc::clone(&is_over), database.root());
        std::thread::spawn(move || {
            while !is_over.load(Ordering::SeqCst) {
                other.must("RENAME TABLE t TO u, other TO t, u TO other");
                other.must("RENAME TABLE t TO u, v TO t");
                other.must("RENAME TABLE t TO v, u TO t");
            }
        })
    };
    let driver = driver(&database, Role::Reader);
    let table = table(&database, "t");
    let mut seen: Vec<(String, usize)> = Vec::new();
    for _ in 0..ROUNDS {
        if let Ok(proven) = driver.read(&any_read(&table), None, &task()).await {
            let identity = format!("{:?}", proven.identities[0].1);
            seen.push((identity, proven.value.columns.len()));
        }
    }
    is_over.store(true, Ordering::SeqCst);
    swapping.join().expect("swapped");
    seen.sort();
    seen.dedup();
    assert!(!seen.is_empty(), "no read got through");
    // Each identity goes with one shape.
    let mut identities: Vec<&String> = seen.iter().map(|(identity, _)| identity).collect();
    identities.dedup();
    assert_eq!(identities.len(), seen.len(), "{seen:?}");
    assert_eq!(root.must("SELECT * FROM sung").rows.len(), 0, "a view was opened");
}

/// A lock of somebody else is waited for a short time, and then said.
pub(crate) async fn a_locked_table_is_said_to_be_locked(kind: Kind) {
    let database = stage(kind);
    let mut root = database.root();
    root.must("LOCK TABLES numbers WRITE");
    let driver = driver(&database, Role::Reader);
    let table = table(&database, "numbers");
    let error = driver.read(&any_read(&table), None, &task()).await.expect_err("locked");
    assert_eq!(error.reason(), dbeast::reason::DatabaseReason::TableLocked, "{}", error.cause());
    root.must("UNLOCK TABLES");
    assert!(driver.read(&any_read(&table), None, &task()).await.is_ok());
}
