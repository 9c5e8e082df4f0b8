//! Servers that die and networks that fail, at each point of a piece of work.

use super::common::{
    any_read, assert_says_nothing, driver, driver_at, reading, table, task, task_of, texts,
};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Options, Postgres, Role};
use crate::servers::proxy::{Action, Proxy, Rule, Side};
use dbeast::drivers::{Driver, DriverError, Gate, Server, TableWrite, Task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ReadLock;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Would run for years.
const ENDLESS: &str = "SELECT count(*) AS \"n\" FROM \"s\".\"n\" AS \"a\", \"s\".\"n\" AS \"b\", \
    \"s\".\"n\" AS \"c\", \"s\".\"n\" AS \"d\", \"s\".\"n\" AS \"e\"";

const INSERT: &str = "INSERT INTO \"s\".\"t\" (\"a\") VALUES (7)";

/// Whether anybody of the driver runs something.
const WORKING: &str = "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'DBeast' \
    AND datname = current_database() AND state = 'active')";

/// A table to write to, and one to wait on.
fn tables(database: &Database<'_>) {
    let mut owner = database.connect(Role::Owner);
    owner.must("CREATE SCHEMA s; CREATE TABLE s.t (a int); INSERT INTO s.t VALUES (1)");
    owner.must("CREATE TABLE s.n (x int); INSERT INTO s.n SELECT generate_series(1, 1000)");
}

fn count(database: &Database<'_>) -> String {
    database.connect(Role::Owner).value("SELECT count(*) FROM s.t")
}

/// A driver behind a network.
fn behind(proxy: &Proxy, database: &Database<'_>) -> (Server, Arc<dyn Driver>) {
    let server = Server { port: proxy.port(), ..database.location(Role::Owner) };
    (server.clone(), driver_at(server))
}

/// A gate that does this when it is asked, and then opens.
fn gate_with(act: impl FnOnce() + Send + 'static) -> Gate {
    let (sender, go_ahead) = oneshot::channel();
    let ask = move || {
        act();
        sender.send(()).expect("the driver waits for it");
    };
    Gate::new(ask, go_ahead)
}

/// Full SQL, or a write of one table.
#[derive(Clone, Copy, Debug)]
enum Way {
    Full,
    Table,
}

async fn insert(driver: &dyn Driver, way: Way, gate: Gate, task: &Task) -> Result<(), DriverError> {
    match way {
        Way::Full => driver.run_full(INSERT, gate, task).await.map(drop),
        Way::Table => {
            let columns = vec!["a".to_owned()];
            let write = TableWrite { sql: INSERT.to_owned(), table: table("s", "t"), columns };
            driver.write_table(&write, gate, task).await.map(drop)
        }
    }
}

async fn must_read(driver: &dyn Driver, when: &str) {
    let sql = "SELECT 1 AS \"one\" FROM \"s\".\"t\" AS \"t\" LIMIT 1";
    let rows = texts(driver, sql, &table("s", "t")).await;
    let rows = rows.unwrap_or_else(|error| panic!("{when}: {error:?} {}", error.cause()));
    assert_eq!(rows, [["1"]], "{when}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_in_a_read() {
    let server = Postgres::start(Options::default());
    let database = Database::new(&server);
    tables(&database);
    for lock in [ReadLock::Full, ReadLock::Weak] {
        let driver = driver(&database, Role::Owner, lock);
        let endless = reading(ENDLESS, &table("s", "n"));
        let working = Arc::clone(&driver);
        let work = tokio::spawn(async move { working.read(&endless, None, &task()).await });
        database.connect(Role::Superuser).until(WORKING);
        server.kill("QUIT");
        let error = work.await.expect("no panic").expect_err("it was killed");
        assert_eq!(error.reason(), Reason::ServerLost, "{}", error.cause());
        assert_says_nothing(&error, &database.location(Role::Owner));
        let read = driver.read(&any_read(&table("s", "t")), None, &task()).await;
        let error = read.expect_err("it is dead");
        assert_eq!(error.reason(), Reason::ServerUnreachable, "{}", error.cause());
        assert!(error.is_unavailable());
        server.restart();
        must_read(&*driver, "it is back").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_is_ended_in_a_read() {
    let database = Database::shared();
    tables(&database);
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let endless = reading(ENDLESS, &table("s", "n"));
    let working = Arc::clone(&driver);
    let work = tokio::spawn(async move { working.read(&endless, None, &task()).await });
    let mut superuser = database.connect(Role::Superuser);
    superuser.until(WORKING);
    superuser.must(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND application_name = 'DBeast'",
    );
    let error = work.await.expect("no panic").expect_err("it was ended");
    assert_eq!(error.reason(), Reason::ServerLost, "{}", error.cause());
    must_read(&*driver, "afterwards").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_after_a_statement_was_sent() {
    let server = Postgres::start(Options::default());
    let database = Database::new(&server);
    tables(&database);
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let working = Arc::clone(&driver);
    let slow = "INSERT INTO s.t SELECT 7 FROM pg_sleep(600)";
    let work = tokio::spawn(async move { working.run_full(slow, Gate::open(), &task()).await });
    database.connect(Role::Superuser).until(
        "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'DBeast' AND wait_event = 'PgSleep')",
    );
    server.kill("QUIT");
    let error = work.await.expect("no panic").expect_err("it was killed");
    assert_eq!(error.reason(), Reason::OutcomeUnknown, "{}", error.cause());
    assert!(error.is_outcome_unknown());
    assert_says_nothing(&error, &database.location(Role::Owner));
    server.restart();
    assert_eq!(count(&database), "1", "never sent again");
    must_read(&*driver, "it is back").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_before_a_statement_was_sent() {
    let server: &'static Postgres = Box::leak(Box::new(Postgres::start(Options::default())));
    let database = Database::new(server);
    tables(&database);
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    for way in [Way::Full, Way::Table] {
        // It dies while the driver is at the gate: everything is ready and nothing was sent.
        let result = insert(&*driver, way, gate_with(|| server.kill("QUIT")), &task()).await;
        let error = result.expect_err("it is dead");
        server.restart();
        assert_eq!(count(&database), "1", "{way:?}");
        assert!(!error.is_outcome_unknown(), "{way:?}: it broke before anything was sent");
        assert_eq!(error.reason(), Reason::ServerLost, "{way:?}: {}", error.cause());
    }
    server.kill("INT");
    for way in [Way::Full, Way::Table] {
        let never = Gate::new(|| panic!("nobody is there to send it to"), oneshot::channel().1);
        let error = insert(&*driver, way, never, &task()).await.expect_err("it is dead");
        assert_eq!(error.reason(), Reason::ServerUnreachable, "{way:?}: {}", error.cause());
    }
}

/// At the driver's message of this kind.
fn at(kind: u8, arrives: bool, action: Action) -> Rule {
    let contains = String::new();
    Rule { side: Side::Client, begins: Some(kind), contains, arrives, action }
}

/// Where the network fails while Full SQL is under way, and whether it took effect. The server commits when it is told
/// that nothing more comes.
fn moments(action: Action) -> [(&'static str, Rule, bool); 5] {
    [
        ("as it is sent", at(b'E', false, action), false),
        ("when it has arrived in part", at(b'E', true, action), false),
        ("when all of it has arrived", at(b'S', true, action), true),
        ("as its end is told", Rule::at_answer(b'C', action), true),
        ("between its end and the server's being ready", Rule::at_answer(b'Z', action), true),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_breaks_after_full_sql_was_sent() {
    let database = Database::shared();
    tables(&database);
    for (moment, rule, takes_effect) in moments(Action::Drop) {
        let proxy = Arc::new(Proxy::start(database.server().port()));
        let (server, driver) = behind(&proxy, &database);
        let armed = Arc::clone(&proxy);
        let gate = gate_with(move || armed.arm(rule));
        let result = insert(&*driver, Way::Full, gate, &task()).await;
        proxy.wait_for_rule();
        let error = result.expect_err(moment);
        assert_says_nothing(&error, &server);
        database.connect(Role::Superuser).until(&format!("NOT {WORKING}"));
        let rows = count(&database);
        assert_eq!(rows, if takes_effect { "2" } else { "1" }, "{moment}");
        assert!(error.is_outcome_unknown(), "{moment}: {error:?} ({})", error.cause());
        database.connect(Role::Owner).must("DELETE FROM s.t WHERE a = 7");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_breaks_before_anything_was_sent() {
    let database = Database::shared();
    tables(&database);
    let quote = |text: &str| text.to_owned();
    for way in [Way::Full, Way::Table] {
        for arrives in [false, true] {
            let proxy = Proxy::start(database.server().port());
            let (server, driver) = behind(&proxy, &database);
            let action = Action::Drop;
            let contains = quote("INSERT INTO");
            proxy.arm(Rule { side: Side::Client, begins: Some(b'P'), contains, arrives, action });
            let never = Gate::new(|| panic!("it is not ready"), oneshot::channel().1);
            let error = insert(&*driver, way, never, &task()).await.expect_err("it broke");
            proxy.wait_for_rule();
            assert_says_nothing(&error, &server);
            assert_eq!(error.reason(), Reason::ServerLost, "{way:?} {arrives}: {}", error.cause());
            assert!(error.is_failed(), "{error:?}");
            assert_eq!(count(&database), "1");
        }
    }
}

/// What the driver may say of a table write that the network broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Unknown,
    /// Its end was seen.
    DoneOrUnknown,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_breaks_in_a_table_write() {
    let database = Database::shared();
    tables(&database);
    let drop_it = Action::Drop;
    let tag = Rule { contains: "COMMIT".to_owned(), ..Rule::at_answer(b'C', drop_it) };
    // Nothing lasts before COMMIT is sent, and from then on nobody can know whether it has arrived.
    for (moment, rule, takes_effect, expected) in [
        ("as it is sent", at(b'E', false, drop_it), false, Said::Nothing),
        ("when it has arrived", at(b'S', true, drop_it), false, Said::Nothing),
        ("as its end is told", Rule::at_answer(b'C', drop_it), false, Said::Nothing),
        ("as COMMIT is sent", Rule::before("commit", drop_it), false, Said::Unknown),
        ("as the end of COMMIT is told", tag.clone(), true, Said::Unknown),
        ("after it", Rule { arrives: true, ..tag }, true, Said::DoneOrUnknown),
    ] {
        let proxy = Arc::new(Proxy::start(database.server().port()));
        let (server, driver) = behind(&proxy, &database);
        let armed = Arc::clone(&proxy);
        let gate = gate_with(move || armed.arm(rule));
        let result = insert(&*driver, Way::Table, gate, &task()).await;
        proxy.wait_for_rule();
        database.connect(Role::Superuser).until(&format!("NOT {WORKING}"));
        assert_eq!(count(&database), if takes_effect { "2" } else { "1" }, "{moment}");
        let said = match &result {
            Ok(()) => Said::DoneOrUnknown,
            Err(error) => {
                assert_says_nothing(error, &server);
                if error.is_outcome_unknown() { Said::Unknown } else { Said::Nothing }
            }
        };
        let is_right = said == expected || expected == Said::DoneOrUnknown && said == Said::Unknown;
        assert!(is_right, "{moment}: {result:?}, expected {expected:?}");
        database.connect(Role::Owner).must("DELETE FROM s.t WHERE a = 7");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_stalls_after_full_sql_was_sent() {
    let database = Database::shared();
    tables(&database);
    // Each takes half a minute, as the driver waits twice for a server that may yet answer: one is enough.
    let [_, _, arrived, ..] = moments(Action::Stall);
    for (moment, rule, takes_effect) in [arrived] {
        let proxy = Arc::new(Proxy::start(database.server().port()));
        let (_, driver) = behind(&proxy, &database);
        let armed = Arc::clone(&proxy);
        let gate = gate_with(move || armed.arm(rule));
        let error = insert(&*driver, Way::Full, gate, &task_of(Duration::from_secs(2))).await;
        let error = error.expect_err("it hears nothing");
        assert!(error.is_outcome_unknown(), "{moment}: {error:?} ({})", error.cause());
        proxy.act(Action::Cut);
        database.connect(Role::Superuser).until(&format!("NOT {WORKING}"));
        assert_eq!(count(&database), if takes_effect { "2" } else { "1" }, "{moment}");
        database.connect(Role::Owner).must("DELETE FROM s.t WHERE a = 7");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_fails_in_a_read() {
    let database = Database::shared();
    tables(&database);
    let marked = "SELECT 'marked' AS \"m\" FROM \"s\".\"t\" AS \"t\"";
    for lock in [ReadLock::Full, ReadLock::Weak] {
        for (action, reason) in
            [(Action::Drop, Reason::ServerLost), (Action::Stall, Reason::DeadlineExceeded)]
        {
            // A silent network takes its time, under either lock the same.
            let points = match (action, lock) {
                (Action::Stall, ReadLock::Full) => &[][..],
                (Action::Stall, ReadLock::Weak) => &[true],
                _ => &[false, true],
            };
            for arrives in points.iter().copied() {
                let proxy = Proxy::start(database.server().port());
                let (server, _) = behind(&proxy, &database);
                let driver = driver_at(Server { read_lock: lock, ..server.clone() });
                proxy.arm(Rule { arrives, ..Rule::before("marked", action) });
                let time = Duration::from_secs(if action == Action::Stall { 1 } else { 30 });
                let read = reading(marked, &table("s", "t"));
                let error = driver.read(&read, None, &task_of(time)).await.expect_err("no answer");
                proxy.wait_for_rule();
                assert_eq!(error.reason(), reason, "{action:?} {arrives}: {}", error.cause());
                assert_says_nothing(&error, &server);
                proxy.act(Action::Drop);
                must_read(&*driver, "the network is back").await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_rests_in_the_pool_and_died_is_no_failure() {
    let server = Postgres::start(Options::default());
    let database = Database::new(&server);
    tables(&database);
    let proxy = Proxy::start(server.port());
    let (_, driver) = behind(&proxy, &database);
    must_read(&*driver, "before").await;
    must_read(&*driver, "again").await;
    assert_eq!(proxy.counts().connections, 1, "it is kept");
    for signal in ["INT", "QUIT"] {
        server.kill(signal);
        server.restart();
        must_read(&*driver, signal).await;
        let written = insert(&*driver, Way::Table, Gate::open(), &task()).await;
        written.unwrap_or_else(|error| panic!("{signal}: {}", error.cause()));
    }
    proxy.act(Action::Drop);
    must_read(&*driver, "after the network broke").await;
    database.connect(Role::Superuser).must(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 't_owner'",
    );
    must_read(&*driver, "after the connection was ended").await;
    // What goes nowhere is not noticed by itself; but it is only found out in the read's own time.
    proxy.act(Action::Stall);
    let read =
        driver.read(&any_read(&table("s", "t")), None, &task_of(Duration::from_secs(2))).await;
    assert_eq!(read.expect_err("nothing is heard").reason(), Reason::DeadlineExceeded);
    proxy.act(Action::Drop);
    must_read(&*driver, "after the network was silent").await;
}
