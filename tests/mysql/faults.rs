//! Servers that die and networks that fail, at each point of a piece of work.

use super::common::{any_read, driver, now, reading, table, task, task_of};
use crate::contract::{Doorman, wait_until};
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, Mysql, Options, Role};
use crate::servers::proxy::{Action, Proxy, Rule, Side};
use dbeast::drivers::{Driver, DriverError, Gate, Server, TableWrite, open};
use dbeast::reason::DatabaseReason as Reason;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const JOIN: &str =
    "SELECT sum(a.x - b.x + c.x - d.x) AS n FROM {d}.n AS a, {d}.n AS b, {d}.n AS c, {d}.n AS d";

fn fill(database: &Database) {
    let mut root = database.root();
    root.must("CREATE TABLE t (a int)");
    root.must("INSERT INTO t VALUES (1)");
    root.must("CREATE TABLE n (x int)");
    let rows: Vec<String> = (1..=700).map(|number| format!("({number})")).collect();
    root.must(&format!("INSERT INTO n VALUES {}", rows.join(",")));
}

fn count(database: &Database) -> usize {
    database.root().must("SELECT a FROM t").rows.len()
}

/// A server of its own, to be killed. What was committed is on the disk.
fn own(kind: Kind) -> Database {
    let options = Options { settings: &["innodb-flush-log-at-trx-commit=1"] };
    let server: &'static Mysql = Box::leak(Box::new(Mysql::start(kind, options)));
    let database = Database::new(server, "faults");
    fill(&database);
    database
}

/// A driver behind a network.
fn behind(proxy: &Proxy, database: &Database) -> Arc<dyn Driver> {
    let server = database.server_as(Role::Owner);
    open(&database.locate(Server { port: proxy.port(), ..server }))
}

/// Full SQL, or a write of one table.
#[derive(Clone, Copy, Debug)]
enum Way {
    Full,
    Table,
}

const WAYS: [Way; 2] = [Way::Full, Way::Table];

async fn insert(
    driver: &dyn Driver,
    database: &Database,
    way: Way,
    gate: Gate,
) -> Result<(), DriverError> {
    let sql = format!("INSERT INTO {}.t (a) VALUES (7)", database.name());
    match way {
        Way::Full => driver.run_full(&sql, gate, &task()).await.map(drop),
        Way::Table => {
            let write =
                TableWrite { sql, table: table(database, "t"), columns: vec!["a".to_owned()] };
            driver.write_table(&write, gate, &task()).await.map(drop)
        }
    }
}

async fn must_read(driver: &dyn Driver, database: &Database, when: &str) {
    let read = driver.read(&any_read(&table(database, "t")), None, &task()).await;
    read.unwrap_or_else(|error| panic!("{when}: {error:?} {}", error.cause()));
}

pub(crate) async fn a_killed_server_is_lost_and_found_again(kind: Kind) {
    let database = own(kind);
    let driver = driver(&database, Role::Owner);
    must_read(&*driver, &database, "before").await;
    // In a read.
    let read = reading(&JOIN.replace("{d}", database.name()), &table(&database, "n"));
    let work = {
        let driver = Arc::clone(&driver);
        tokio::spawn(async move { driver.read(&read, None, &task()).await })
    };
    wait_until(|| !database.statements_of(Role::Owner).is_empty()).await;
    database.server().kill("KILL");
    let error = work.await.expect("no panic").expect_err("killed");
    // It is asked once more, as a read may be, and nobody is there.
    assert!([Reason::ServerLost, Reason::ServerUnreachable].contains(&error.reason()), "{error:?}");
    // While it is dead.
    let error = driver.read(&any_read(&table(&database, "t")), None, &task()).await;
    assert_eq!(error.expect_err("dead").reason(), Reason::ServerUnreachable);
    database.server().restart();
    must_read(&*driver, &database, "after the restart").await;
    // While its connections lie idle.
    database.server().kill("KILL");
    database.server().restart();
    must_read(&*driver, &database, "after a restart in between").await;
    // In a write, which is undone.
    let sql = format!(
        "UPDATE {0}.t SET a = (SELECT r.n FROM ({1}) AS r)",
        database.name(),
        JOIN.replace("{d}", database.name())
    );
    let write = TableWrite { sql, table: table(&database, "t"), columns: Vec::new() };
    let work = {
        let driver = Arc::clone(&driver);
        tokio::spawn(async move { driver.write_table(&write, Gate::open(), &task()).await })
    };
    wait_until(|| {
        database.statements_of(Role::Owner).iter().any(|(_, text)| text.starts_with("UPDATE"))
    })
    .await;
    database.server().kill("KILL");
    let error = work.await.expect("no panic").expect_err("killed");
    assert_eq!(error.reason(), Reason::ServerLost, "{}", error.cause());
    assert!(!error.is_outcome_unknown(), "COMMIT was not sent");
    database.server().restart();
    assert_eq!(database.root().must("SELECT a FROM t").rows, [[Some("1".to_owned())]]);
}

pub(crate) async fn a_full_statement_of_a_killed_server_is_of_unknown_outcome(kind: Kind) {
    let database = own(kind);
    let driver = driver(&database, Role::Owner);
    let sql = JOIN.replace("{d}", database.name());
    let (gate, doorman) = Doorman::new();
    let work = {
        let driver = Arc::clone(&driver);
        tokio::spawn(async move { driver.run_full(&sql, gate, &task()).await })
    };
    // Behind the gate: the look at the statement, before it, stands in the server's list as well.
    doorman.asked().await;
    doorman.let_go();
    wait_until(|| {
        database.statements_of(Role::Owner).iter().any(|(_, text)| text.starts_with("SELECT sum"))
    })
    .await;
    database.server().kill("KILL");
    let error = work.await.expect("no panic").expect_err("killed");
    assert!(error.is_outcome_unknown(), "{error:?}");
}

/// Before the go-ahead nothing can have happened, whatever breaks.
pub(crate) async fn a_network_that_breaks_at_the_gate_changes_nothing(kind: Kind) {
    let database = Database::shared(kind);
    fill(&database);
    for way in WAYS {
        let proxy = Arc::new(Proxy::start_mysql(database.server().port()));
        let driver = behind(&proxy, &database);
        let (sender, go_ahead) = tokio::sync::oneshot::channel();
        let breaking = Arc::clone(&proxy);
        let gate = Gate::new(
            move || {
                breaking.act(Action::Drop);
                breaking.wait_until_idle();
                sender.send(()).expect("the driver waits for it");
            },
            go_ahead,
        );
        let error = insert(&*driver, &database, way, gate).await.expect_err("broken");
        assert_eq!(error.reason(), Reason::ServerLost, "{way:?}: {}", error.cause());
        assert!(!error.is_outcome_unknown(), "{way:?}");
        assert_eq!(count(&database), 1, "{way:?}");
        must_read(&*driver, &database, "afterwards").await;
    }
}

/// From the last message on, nobody knows; and it is never sent a second time.
pub(crate) async fn a_network_that_breaks_at_the_end_leaves_the_outcome_unknown(kind: Kind) {
    for (way, last) in [(Way::Full, "INSERT INTO"), (Way::Table, "COMMIT")] {
        for arrives in [false, true] {
            let database = Database::shared(kind);
            fill(&database);
            let proxy = Arc::new(Proxy::start_mysql(database.server().port()));
            let driver = behind(&proxy, &database);
            let (sender, go_ahead) = tokio::sync::oneshot::channel();
            let arming = Arc::clone(&proxy);
            // The message arrives and its answer does not, or neither.
            let action = if arrives { Action::StallSide(Side::Server) } else { Action::Drop };
            // Behind the gate, so that the look at the statement is not taken for it.
            let gate = Gate::new(
                move || {
                    arming.arm(Rule::before(last, action));
                    sender.send(()).expect("the driver waits for it");
                },
                go_ahead,
            );
            let work = {
                let (driver, database) = (Arc::clone(&driver), database.clone());
                tokio::spawn(async move { insert(&*driver, &database, way, gate).await })
            };
            if arrives {
                wait_until(|| count(&database) == 2).await;
                proxy.act(Action::Drop);
            }
            let error = work.await.expect("no panic").expect_err("broken");
            assert!(error.is_outcome_unknown(), "{way:?} {arrives}: {error:?}");
            assert!(proxy.is_rule_met());
            proxy.wait_until_idle();
            must_read(&*driver, &database, "afterwards").await;
            assert_eq!(count(&database), if arrives { 2 } else { 1 }, "{way:?} {arrives}");
        }
    }
}

/// A network that is silent keeps nothing longer than the bounds say.
pub(crate) async fn a_network_that_stalls_ends_at_the_deadline(kind: Kind) {
    let database = Database::shared(kind);
    fill(&database);
    for at in ["START TRANSACTION", "USE INDEX", "SELECT `t`.*"] {
        let proxy = Proxy::start_mysql(database.server().port());
        let driver = behind(&proxy, &database);
        must_read(&*driver, &database, "before").await;
        proxy.arm(Rule::before(at, Action::Stall));
        let before = now();
        let short = task_of(&CancellationToken::new(), Duration::from_millis(500));
        let read = any_read(&table(&database, "t"));
        let error = driver.read(&read, None, &short).await.expect_err("stalled");
        assert_eq!(error.reason(), Reason::DeadlineExceeded, "{at}: {}", error.cause());
        assert!(proxy.is_rule_met(), "{at}");
        assert!(before.elapsed() < Duration::from_secs(30), "{at}: {:?}", before.elapsed());
        proxy.resume();
        must_read(&*driver, &database, "afterwards").await;
    }
}
