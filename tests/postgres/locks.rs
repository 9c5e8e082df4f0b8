//! What a read keeps others from, what it does not, and how soon it is gone when it is stopped. Measured and
//! printed.

use super::common::{driver, driver_at, now, reading, table, task, task_of, texts};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, PostgresClient, Role};
use crate::servers::proxy::{Action, Proxy, Rule};
use dbeast::drivers::{Driver, DriverError, Limits, Server, Task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ReadLock;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const LOCKS: [ReadLock; 2] = [ReadLock::Full, ReadLock::Weak];

/// Would run for years.
const ENDLESS: &str = "SELECT count(*) AS \"n\" FROM \"s\".\"t\" AS \"a\", \"s\".\"t\" AS \"b\", \
    \"s\".\"t\" AS \"c\", \"s\".\"t\" AS \"d\", \"s\".\"t\" AS \"e\"";

const MARKED: &str = "SELECT 'marked' AS \"m\", \"t\".\"a\" FROM \"s\".\"t\" AS \"t\" LIMIT 1";

/// The driver's connection that runs the endless read.
const READS: &str = "SELECT FROM pg_stat_activity WHERE application_name = 'DBeast' \
    AND datname = current_database() AND state = 'active' AND query LIKE 'SELECT count%'";

fn database() -> Database<'static> {
    let database = Database::shared();
    let mut owner = database.connect(Role::Owner);
    owner.must("CREATE SCHEMA s; CREATE TABLE s.t (a int, b text)");
    owner.must("INSERT INTO s.t SELECT n, n::text FROM generate_series(1, 1000) n");
    database
}

/// A read that goes on until it is cancelled, seen at work.
struct Reading {
    cancel: CancellationToken,
    work: JoinHandle<Result<(), DriverError>>,
}

impl Reading {
    fn begin(database: &Database<'_>, driver: &Arc<dyn Driver>) -> Self {
        let cancel = CancellationToken::new();
        let task = Task::new(cancel.clone(), now() + Duration::from_mins(5), Limits::contract());
        let driver = Arc::clone(driver);
        let read = reading(ENDLESS, &table("s", "t"));
        let work = tokio::spawn(async move { driver.read(&read, None, &task).await.map(drop) });
        database.connect(Role::Superuser).until(&format!("EXISTS ({READS})"));
        Self { cancel, work }
    }

    async fn end(self) {
        self.cancel.cancel();
        let error = self.work.await.expect("no panic").expect_err("it was cancelled");
        assert!(error.is_cancelled(), "{error:?}");
    }
}

/// Whether a connection waits for a lock.
fn waits(client: &PostgresClient) -> String {
    let process = client.process;
    format!("EXISTS (SELECT FROM pg_locks WHERE pid = {process} AND NOT granted)")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_go_on_during_a_read() {
    let database = database();
    for lock in LOCKS {
        let reading = Reading::begin(&database, &driver(&database, Role::Owner, lock));
        let mut writer = database.connect(Role::Writer);
        for sql in [
            "UPDATE s.t SET b = 'x' WHERE a < 100",
            "INSERT INTO s.t VALUES (0)",
            "DELETE FROM s.t WHERE a = 0",
        ] {
            let began = now();
            writer.must(sql);
            let took = began.elapsed();
            println!("measured: {lock:?} lock held, {sql}: {took:?}");
            assert!(took < Duration::from_secs(5));
        }
        reading.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_the_definition_wait_for_a_read() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    // The last two wait for the full lock only.
    let changes =
        ["ALTER TABLE s.t ADD c int", "ALTER TABLE s.t DROP c", "DROP TABLE s.t", "TRUNCATE s.t"];
    let more =
        ["ALTER TABLE s.t ALTER a SET STATISTICS 5", "CREATE INDEX one ON s.t (a)", "ANALYZE s.t"];
    for lock in LOCKS {
        let of_full = if lock == ReadLock::Full { &more[..] } else { &[] };
        for sql in changes.iter().chain(of_full) {
            let reading = Reading::begin(&database, &driver(&database, Role::Owner, lock));
            let mut other = database.connect(Role::Owner);
            // Each is undone; ANALYZE has nothing to undo.
            other.must("BEGIN");
            other.begin(sql);
            superuser.until(&waits(&other));
            let began = now();
            reading.end().await;
            let done = other.answer();
            println!(
                "measured: {lock:?} lock, {sql}: waited, and was done {:?} after the end",
                began.elapsed()
            );
            // The column is not there in the second.
            assert!(done.is_ok() || sql.contains("DROP c"), "{sql}: {done:?}");
            other.must("ROLLBACK");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_during_a_read_under_the_weaker_lock_makes_it_fail() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    owner.must(
        "CREATE FUNCTION s.f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END'",
    );
    // What does not wait for a reader, and changes what the planner may run.
    for (sql, undone) in [
        ("CREATE INDEX one ON s.t (s.f(a))", "DROP INDEX s.one"),
        ("CREATE INDEX one ON s.t (b)", "DROP INDEX s.one"),
        ("CREATE STATISTICS s.two ON (s.f(a)) FROM s.t", "DROP STATISTICS s.two"),
    ] {
        let proxy = Proxy::start(database.server().port());
        let location = database.location(Role::Reader);
        let server = Server { port: proxy.port(), read_lock: ReadLock::Weak, ..location };
        let driver = driver_at(server);
        let began = texts(&*driver, MARKED, &table("s", "t")).await.expect("nothing has changed");
        assert_eq!(began.len(), 1);
        proxy.arm(Rule::after("marked", Action::Stall));
        let working = Arc::clone(&driver);
        let read = reading(MARKED, &table("s", "t"));
        let work = tokio::spawn(async move { working.read(&read, None, &task()).await.map(drop) });
        proxy.wait_for_rule();
        // Its statement may run now, or be done; its second proof has not come.
        owner.must(sql);
        proxy.resume();
        let result = work.await.expect("no panic");
        owner.must(undone);
        let error = result.expect_err(sql);
        println!("measured: weaker lock, {sql}: {}", error.reason().code());
        let reasons =
            [Reason::SchemaChanged, Reason::IndexNotBuiltIn, Reason::StatisticsNotBuiltIn];
        assert!(
            reasons.contains(&error.reason()),
            "{sql}: {} {}",
            error.reason().code(),
            error.cause()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_waits_shortly_for_whoever_changes_the_table() {
    let database = database();
    for lock in LOCKS {
        let mut other = database.connect(Role::Owner);
        other.must("BEGIN; ALTER TABLE s.t ADD c int");
        let driver = driver(&database, Role::Owner, lock);
        let began = now();
        let error = texts(&*driver, MARKED, &table("s", "t")).await.expect_err("it is locked");
        let took = began.elapsed();
        println!("measured: {lock:?} lock refused after {took:?}");
        assert_eq!(error.reason(), Reason::TableLocked, "{}", error.cause());
        assert!(took < Duration::from_secs(8), "{took:?}");
        // Nothing of the failed read is left.
        other.must("COMMIT; BEGIN; ALTER TABLE s.t DROP c; COMMIT");
        texts(&*driver, MARKED, &table("s", "t")).await.expect("it is free");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_ends_on_the_server_with_its_deadline() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    for lock in LOCKS {
        let driver = driver(&database, Role::Owner, lock);
        texts(&*driver, MARKED, &table("s", "t")).await.expect("connected");
        let time = Duration::from_secs(2);
        let deadline = now() + time;
        let read = reading(ENDLESS, &table("s", "t"));
        let working = Arc::clone(&driver);
        let work =
            tokio::spawn(async move { working.read(&read, None, &task_of(time)).await.map(drop) });
        superuser.until(&format!("EXISTS ({READS})"));
        superuser.until(&format!("NOT EXISTS ({READS})"));
        let gone = now();
        let error = work.await.expect("no panic").expect_err("endless");
        let told = now();
        assert_eq!(error.reason(), Reason::DeadlineExceeded, "{}", error.cause());
        let late = |moment: std::time::Instant| moment.saturating_duration_since(deadline);
        println!(
            "measured: {lock:?} lock, gone {:?} and told {:?} after the deadline",
            late(gone),
            late(told)
        );
        assert!(late(gone) < Duration::from_secs(1), "{:?}", late(gone));
        assert!(gone >= deadline.checked_sub(Duration::from_millis(200)).expect("a later moment"));
        let locked = "EXISTS (SELECT FROM pg_locks WHERE relation = 's.t'::regclass)";
        superuser.until(&format!("NOT {locked}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_ends_on_the_server_when_it_is_cancelled() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    for lock in LOCKS {
        let driver = driver(&database, Role::Owner, lock);
        let reading = Reading::begin(&database, &driver);
        let began = now();
        reading.end().await;
        let told = began.elapsed();
        // The slot is free only when it has ended there.
        assert_eq!(superuser.value(&format!("SELECT EXISTS ({READS})")), "f");
        println!("measured: {lock:?} lock, cancelled and gone after {told:?}");
        assert!(told < Duration::from_secs(1), "{told:?}");
    }
}

/// Another connection asks the server to stop; where that one is refused, the server's own timeout does it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_ends_by_itself_where_nobody_can_stop_it() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    let proxy = Proxy::start(database.server().port());
    let driver = driver_at(Server { port: proxy.port(), ..database.location(Role::Owner) });
    let time = Duration::from_secs(2);
    let read = reading(ENDLESS, &table("s", "t"));
    let began = now();
    let work =
        tokio::spawn(async move { driver.read(&read, None, &task_of(time)).await.map(drop) });
    superuser.until(&format!("EXISTS ({READS})"));
    proxy.act(Action::Stall);
    superuser.until(&format!("NOT EXISTS ({READS})"));
    let gone = began.elapsed();
    println!("measured: without a way to the server, gone after {gone:?} of {time:?}");
    assert!(gone < time + Duration::from_secs(3), "{gone:?}");
    let error = work.await.expect("no panic").expect_err("endless");
    assert_eq!(error.reason(), Reason::DeadlineExceeded, "{}", error.cause());
}

/// What a read costs on the way, proof and all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_takes_few_round_trips() {
    let database = database();
    database.connect(Role::Owner).must("CREATE VIEW s.v AS SELECT a FROM s.t");
    for lock in LOCKS {
        for (name, sql) in
            [("t", MARKED), ("v", "SELECT \"v\".\"a\" FROM \"s\".\"v\" AS \"v\" LIMIT 1")]
        {
            let proxy = Proxy::start(database.server().port());
            let location = database.location(Role::Owner);
            let driver = driver_at(Server { port: proxy.port(), read_lock: lock, ..location });
            let mut trips = Vec::new();
            for _ in 0..3 {
                let before = proxy.counts().round_trips;
                texts(&*driver, sql, &table("s", name)).await.expect("a plain read");
                trips.push(proxy.counts().round_trips - before);
            }
            println!(
                "measured: {lock:?} lock, s.{name}: round trips of three reads, the first with its connection: {trips:?}"
            );
            assert_eq!(proxy.counts().connections, 1);
            assert!(trips[1] < trips[0] && trips[1] == trips[2] && trips[2] <= 10, "{trips:?}");
        }
    }
}
