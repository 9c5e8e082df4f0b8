//! Attacks on the moments between proof, gate, statement and end, and on the words by which an end is told.

use super::common::{driver, driver_at, reading, shown, table, task, task_of};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Role};
use crate::servers::proxy::{Action, Proxy, Rule};
use dbeast::drivers::{Gate, Limits, Server, TableWrite, Task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ReadLock;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

const SELECT: &str = "SELECT \"t\".\"a\" FROM \"s\".\"t\" AS \"t\"";

fn database() -> Database<'static> {
    let database = Database::shared();
    database
        .connect(Role::Owner)
        .must("CREATE SCHEMA s; CREATE TABLE s.t (a int); INSERT INTO s.t VALUES (1)");
    database
}

/// A gate at which this happens before it opens.
fn gate_with(act: impl FnOnce() + Send + 'static) -> Gate {
    let (sender, go_ahead) = oneshot::channel();
    let ask = move || {
        act();
        sender.send(()).expect("the driver waits for it");
    };
    Gate::new(ask, go_ahead)
}

/// A gate that never opens.
fn closed() -> Gate {
    Gate::new(|| {}, oneshot::channel().1)
}

/// Parse alone reads literals, and the literal of an array of a domain runs the CHECK of the domain, whose effects the
/// Sync after Parse commits. All of that happens before the gate.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_full_sql_runs_before_the_gate() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    owner.must(
        "CREATE TABLE s.canary (a int);
         CREATE FUNCTION s.sing(int) RETURNS bool LANGUAGE plpgsql AS
             'BEGIN INSERT INTO s.canary VALUES ($1); RETURN true; END';
         CREATE DOMAIN s.d AS int CHECK (s.sing(VALUE))",
    );
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let mut sung = Vec::new();
    for (sql, gate) in
        [("SELECT '{1}'::s.d[]", closed()), ("SELECT '{2}'::s.d[], $1::int", Gate::open())]
    {
        let error = driver.run_full(sql, gate, &task()).await.expect_err("not sent");
        assert!(!error.is_outcome_unknown(), "{error:?}");
        sung.push((sql, format!("{error:?}"), owner.value("SELECT count(*) FROM s.canary")));
    }
    assert!(sung.iter().all(|(.., count)| count == "0"), "{sung:#?}");
}

/// The names of the columns alone can be beyond the limit of a result.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_took_effect_is_not_called_a_failure_because_of_long_names() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    // 63 letters that JSON writes with six each.
    let names: Vec<String> =
        (0..80).map(|n| format!("\"{n:02}{}\" int", "\u{1}".repeat(61))).collect();
    owner.must(&format!("CREATE TABLE s.w ({})", names.join(", ")));
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let sql = format!("INSERT INTO s.w DEFAULT VALUES RETURNING {}", ["*"; 12].join(", "));
    let ran = driver.run_full(&sql, Gate::open(), &task()).await;
    let count = owner.value("SELECT count(*) FROM s.w");
    match ran {
        Ok(_) => assert_eq!(count, "1"),
        Err(error) => assert!(
            error.is_outcome_unknown() || count == "0",
            "{error:?} says that nothing took effect, and there are {count} rows"
        ),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_result_is_cut_under_the_weaker_lock_too() {
    let database = database();
    database.connect(Role::Owner).must(
        "CREATE TABLE s.long (a text); INSERT INTO s.long SELECT repeat('x', 10000) FROM generate_series(1, 400)",
    );
    let sql = "SELECT \"t\".\"a\" FROM \"s\".\"long\" AS \"t\"";
    for lock in [ReadLock::Full, ReadLock::Weak] {
        let driver = driver(&database, Role::Owner, lock);
        let read = driver.read(&reading(sql, &table("s", "long")), None, &task()).await;
        let read = read.unwrap_or_else(|error| panic!("{lock:?}: {error:?} {}", error.cause()));
        assert!(read.value.truncated_by.is_some(), "{lock:?}");
    }
}

/// Renaming a schema takes no lock on what is in it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_table_cannot_be_put_under_the_name_of_a_proven_one() {
    let database = database();
    database.connect(Role::Owner).must(
        "CREATE SCHEMA evil; CREATE TABLE evil.secret (a int); INSERT INTO evil.secret VALUES (666);
         CREATE TABLE evil.canary (a int);
         CREATE FUNCTION evil.sing(int) RETURNS int LANGUAGE plpgsql AS
             'BEGIN RAISE WARNING ''sung''; RETURN $1; END';
         CREATE VIEW evil.t AS SELECT evil.sing(a) AS a FROM evil.secret",
    );
    let proxy = Proxy::start(database.server().port());
    let driver = driver_at(Server { port: proxy.port(), ..database.location(Role::Owner) });
    proxy.arm(Rule::before("AS \"t\"", Action::Stall));
    let working = tokio::spawn({
        let driver = driver.clone();
        async move { driver.read(&reading(SELECT, &table("s", "t")), None, &task()).await }
    });
    tokio::task::block_in_place(|| {
        proxy.wait_for_rule();
        database
            .connect(Role::Owner)
            .must("ALTER SCHEMA s RENAME TO old; ALTER SCHEMA evil RENAME TO s");
        proxy.resume();
    });
    let read = working.await.expect("no panic");
    let got = read.map(|read| (shown(&read.value), read.value.guards));
    assert!(
        got.as_ref().is_err_and(|error| !error.is_outcome_unknown())
            || got.as_ref().is_ok_and(|(rows, _)| *rows == [["1"]]),
        "another table was read under a full lock: {got:?}"
    );
}

/// A schema that was away and is back is another row of the catalog, under both locks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_that_was_away_and_is_back_is_another_one() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    owner.must("CREATE SCHEMA evil; CREATE TABLE evil.t (a int)");
    for read_lock in [ReadLock::Full, ReadLock::Weak] {
        let proxy = Proxy::start(database.server().port());
        let at = Server { port: proxy.port(), ..database.location(Role::Owner) };
        let driver = driver_at(Server { read_lock, ..at });
        proxy.arm(Rule::before("AS \"t\"", Action::Stall));
        let working = tokio::spawn(async move {
            driver.read(&reading(SELECT, &table("s", "t")), None, &task()).await
        });
        tokio::task::block_in_place(|| {
            proxy.wait_for_rule();
            owner.must("ALTER SCHEMA s RENAME TO old; ALTER SCHEMA evil RENAME TO s");
            owner.must("ALTER SCHEMA s RENAME TO evil; ALTER SCHEMA old RENAME TO s");
            proxy.resume();
        });
        let error = working.await.expect("no panic").expect_err("it was away");
        assert_eq!(error.reason(), Reason::SchemaChanged, "{read_lock:?}: {}", error.cause());
    }
}

fn writing() -> TableWrite {
    let sql = "UPDATE \"s\".\"t\" SET \"a\" = 7".to_owned();
    TableWrite { sql, table: table("s", "t"), columns: vec!["a".to_owned()] }
}

/// Writes while this happens between the proof and the statement.
async fn write_while(database: &Database<'_>, sql: &str) -> String {
    let proxy = Proxy::start(database.server().port());
    let driver = driver_at(Server { port: proxy.port(), ..database.location(Role::Owner) });
    proxy.arm(Rule::before("SET \"a\" = 7", Action::Stall));
    let working =
        tokio::spawn(async move { driver.write_table(&writing(), Gate::open(), &task()).await });
    tokio::task::block_in_place(|| {
        proxy.wait_for_rule();
        let mut other = database.connect(Role::Owner);
        // What has to wait for the lock of the write gives up.
        other.must("SET lock_timeout = '500ms'");
        drop(other.ask(sql));
        proxy.resume();
    });
    format!("{:?}", working.await.expect("no panic"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_write_does_not_write_what_inherits_since_the_proof() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    owner.must("CREATE TABLE s.child (a int); INSERT INTO s.child VALUES (5)");
    let ran = write_while(&database, "ALTER TABLE s.child INHERIT s.t").await;
    let child = owner.value("SELECT a FROM ONLY s.child");
    assert_eq!(child, "5", "another table was written: {ran:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_write_does_not_write_what_has_its_name_since_the_proof() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    owner.must("CREATE SCHEMA evil; CREATE TABLE evil.t (a int); INSERT INTO evil.t VALUES (5)");
    let swap = "ALTER SCHEMA s RENAME TO old; ALTER SCHEMA evil RENAME TO s";
    let ran = write_while(&database, swap).await;
    assert_eq!(owner.value("SELECT a FROM s.t"), "5", "another table was written: {ran:?}");
}

/// Contract, "Approval and execution": a change that invalidates the description fails, and nothing is prepared again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_its_columns_while_full_sql_waits_at_the_gate_makes_it_fail() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let mut other = database.connect(Role::Owner);
    let gate = gate_with(move || drop(other.must("ALTER TABLE s.t ADD COLUMN b int")));
    let ran = driver.run_full("UPDATE s.t SET a = 7 RETURNING *", gate, &task()).await;
    let error = ran.expect_err("its columns are others");
    assert_eq!(error.reason(), Reason::SchemaChanged, "{}", error.cause());
    assert_eq!(owner.value("SELECT a FROM s.t"), "1", "nothing took effect");
}

/// An account can change its own settings for ever, also by Full SQL that was allowed once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_of_the_account_do_not_change_what_a_read_means() {
    let database = database();
    database.connect(Role::Owner).must("INSERT INTO s.t VALUES (NULL)");
    let mut superuser = database.connect(Role::Superuser);
    let name = database.name();
    superuser.must(&format!("ALTER DATABASE {name} SET transform_null_equals = on"));
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let sql = format!("{SELECT} WHERE \"t\".\"a\" = NULL");
    let read = driver.read(&reading(&sql, &table("s", "t")), None, &task()).await.expect("rows");
    assert_eq!(shown(&read.value), Vec::<Vec<String>>::new(), "= NULL is never true");
}

/// Statements that leave something behind although they fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_that_left_something_is_not_called_one_without_effect() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    superuser.must(
        "INSERT INTO s.t VALUES (1); CREATE TABLE s.u (a int); CREATE TABLE s.v (a int);
         INSERT INTO s.u VALUES (1); INSERT INTO s.v VALUES (0);
         CREATE FUNCTION s.bad(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
             'BEGIN IF current_setting(''s.bad'', true) = ''on'' THEN RAISE EXCEPTION ''bad''; END IF; RETURN $1; END';
         CREATE INDEX ON s.v (s.bad(a));
         ALTER ROLE postgres SET s.bad = 'on'",
    );
    let driver = driver(&database, Role::Superuser, ReadLock::Full);
    let path = std::env::temp_dir().join(format!("dbeast-attack-{}", std::process::id()));
    let copy =
        format!("COPY s.t TO PROGRAM 'echo ran > {}; cat > /dev/null; exit 3'", path.display());
    let mut wrong = Vec::new();
    for (sql, left) in [
        (
            "CREATE UNIQUE INDEX/**/CONCURRENTLY i ON s.t (a)",
            "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'i')",
        ),
        (
            "ANALYZE s.u, s.v",
            "SELECT EXISTS (SELECT FROM pg_stats WHERE schemaname = 's' AND tablename = 'u')",
        ),
        (copy.as_str(), ""),
    ] {
        let error = driver.run_full(sql, Gate::open(), &task()).await.expect_err("it fails");
        let is_left = if left.is_empty() { path.exists() } else { superuser.value(left) == "t" };
        if is_left && !error.is_outcome_unknown() {
            wrong.push(format!("{sql}: {error:?} {}", error.cause()));
        }
    }
    superuser.must("ALTER ROLE postgres RESET s.bad");
    let _ = std::fs::remove_file(path);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What was committed on the way stays when the rest is stopped.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_procedure_that_was_stopped_after_a_commit_is_not_called_without_effect() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    let sql = "DO $$ BEGIN INSERT INTO s.t VALUES (2); COMMIT; PERFORM pg_sleep(60); END $$";
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let cancel = CancellationToken::new();
    let bounds = Task::new(
        cancel.clone(),
        super::common::now() + Duration::from_mins(1),
        Limits::contract(),
    );
    let working = tokio::spawn(async move { driver.run_full(sql, Gate::open(), &bounds).await });
    tokio::task::block_in_place(|| owner.until("(SELECT count(*) = 2 FROM s.t)"));
    cancel.cancel();
    let error = working.await.expect("no panic").expect_err("stopped");
    assert!(error.is_outcome_unknown(), "{error:?}, and what it committed is there");
}

/// A statement can catch being cancelled, and can switch off that the server looks for its client.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_work_is_the_end_of_the_statement() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    let sql = "DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '0', false); \
        LOOP BEGIN PERFORM pg_sleep(1000); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$";
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let ran = driver.run_full(sql, Gate::open(), &task_of(Duration::from_secs(2))).await;
    // Long enough for a server that looks every second.
    superuser.must("SELECT pg_sleep(5)");
    let working = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'DBeast' \
        AND datname = current_database() AND state = 'active'";
    let count = superuser.value(working);
    superuser.must(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'DBeast' \
         AND datname = current_database()",
    );
    assert_eq!(count, "0", "the slot is free and it still runs: {ran:?}");
}

/// While LOCK waits for the second table, the first one can get another name: then what is locked is not what is proven,
/// and what is proven can be replaced.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_proven_is_what_is_locked() {
    let database = database();
    let mut owner = database.connect(Role::Owner);
    owner.must(
        "CREATE TABLE s.z (a int); INSERT INTO s.z VALUES (1);
         CREATE SCHEMA evil; CREATE TABLE evil.t (a int); CREATE TABLE evil.z (a int);
         INSERT INTO evil.t VALUES (2); INSERT INTO evil.z VALUES (2);
         CREATE FUNCTION evil.sing() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 666; END'",
    );
    let proxy = Proxy::start(database.server().port());
    let driver = driver_at(Server { port: proxy.port(), ..database.location(Role::Owner) });
    let mut read = reading(
        "SELECT \"t\".\"a\" FROM \"s\".\"t\" AS \"t\", \"s\".\"z\" AS \"z\" LIMIT 1",
        &table("s", "t"),
    );
    read.tables.push(table("s", "z"));
    let mut blocker = database.connect(Role::Owner);
    blocker.must("BEGIN; LOCK TABLE s.z IN ACCESS EXCLUSIVE MODE");
    proxy.arm(Rule::before("AS \"t\"", Action::Stall));
    let working = tokio::spawn(async move { driver.read(&read, None, &task()).await });
    tokio::task::block_in_place(|| {
        owner.until("EXISTS (SELECT FROM pg_locks WHERE NOT granted)");
        owner.must("ALTER SCHEMA s RENAME TO old; ALTER SCHEMA evil RENAME TO s");
        blocker.must("COMMIT");
        while !working.is_finished() && !proxy.is_rule_met() {
            std::thread::yield_now();
        }
        // Locked or not: if it is, the driver need not wait for this.
        let swap = "SET lock_timeout = '1s'; ALTER TABLE s.t RENAME TO gone";
        let swapped = owner.ask(swap).is_ok();
        if swapped {
            owner.must("CREATE VIEW s.t AS SELECT s.sing() AS a");
        }
        proxy.resume();
    });
    let read = working.await.expect("no panic");
    let got = read.map(|read| (shown(&read.value), read.value.guards));
    assert!(
        !got.as_ref().is_ok_and(|(rows, _)| *rows == [["666"]]),
        "somebody's function ran under a full lock: {got:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn describing_a_view_runs_nothing_that_was_put_under_its_name() {
    let database = database();
    database.connect(Role::Owner).must(
        "CREATE VIEW s.v AS SELECT a FROM s.t; CREATE SCHEMA evil;
         CREATE FUNCTION evil.sing(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
             'BEGIN RAISE EXCEPTION ''sung''; END';
         CREATE VIEW evil.v AS SELECT a FROM s.t WHERE evil.sing(1) = 1",
    );
    let proxy = Proxy::start(database.server().port());
    let driver = driver_at(Server { port: proxy.port(), ..database.location(Role::Owner) });
    proxy.arm(Rule::before("LIMIT 0", Action::Stall));
    let working =
        tokio::spawn(async move { driver.describe_table(&table("s", "v"), None, &task()).await });
    tokio::task::block_in_place(|| {
        proxy.wait_for_rule();
        database
            .connect(Role::Owner)
            .must("ALTER SCHEMA s RENAME TO old; ALTER SCHEMA evil RENAME TO s");
        proxy.resume();
    });
    let described = working.await.expect("no panic");
    let cause = described.err().map(|error| error.cause()).unwrap_or_default();
    assert!(!cause.contains("sung"), "somebody's function ran: {cause}");
}

#[tokio::test]
async fn a_statement_cannot_get_at_how_it_is_prepared() {
    let database = database();
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    // It would run itself, and the server says so.
    let ran = driver.run_full("EXECUTE requested", Gate::open(), &task()).await;
    assert!(ran.is_err_and(|error| error.is_refused()));
    for sql in ["DEALLOCATE requested", "DEALLOCATE ALL", "DISCARD ALL"] {
        assert!(driver.run_full(sql, Gate::open(), &task()).await.is_ok(), "{sql}");
    }
}
