//! What one session leaves behind, the driver's or anybody's: temporary tables, settings, locks.

use super::common::{any_read, driver, driver_at, reading, shown, table, task};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Role};
use dbeast::drivers::{Driver, Gate, Server};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ReadLock;
use std::sync::Arc;

const SELECT: &str = "SELECT \"t\".\"a\" FROM \"s\".\"t\" AS \"t\" WHERE \"t\".\"a\" = 1";

fn database() -> Database<'static> {
    let database = Database::shared();
    database
        .connect(Role::Owner)
        .must("CREATE SCHEMA s; CREATE TABLE s.t (a int); INSERT INTO s.t VALUES (1)");
    database
}

async fn full(driver: &dyn Driver, sql: &str) -> Vec<Vec<String>> {
    let ran = driver.run_full(sql, Gate::open(), &task()).await;
    shown(&ran.unwrap_or_else(|error| panic!("{sql}: {error:?} {}", error.cause())))
}

async fn read(driver: &dyn Driver) -> Vec<Vec<String>> {
    let read = driver.read(&reading(SELECT, &table("s", "t")), None, &task()).await;
    shown(&read.unwrap_or_else(|error| panic!("{error:?} {}", error.cause())).value)
}

#[tokio::test]
async fn temporary_tables_of_others_are_refused_and_not_listed() {
    let database = database();
    for role in [Role::Owner, Role::Superuser] {
        let mut other = database.connect(role);
        other.must(
            "CREATE TEMP TABLE t (a int); CREATE TEMP TABLE w (a int); INSERT INTO w VALUES (1)",
        );
        other.must("CREATE VIEW v AS SELECT a FROM w; CREATE TEMP SEQUENCE q");
        let schema =
            other.value("SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema()");
        for lock in [ReadLock::Full, ReadLock::Weak] {
            let driver = driver(&database, role, lock);
            for name in ["t", "w", "v"] {
                let target = table(&schema, name);
                let described = driver.describe_table(&target, None, &task()).await.map(drop);
                let read = driver.read(&any_read(&target), None, &task()).await.map(drop);
                for answer in [described, read] {
                    let answer = answer.map_err(|error| error.reason());
                    assert_eq!(answer, Err(Reason::TableIsTemporary), "{role:?} {lock:?} {name}");
                }
            }
            let list = driver.list_tables(&task()).await.expect("a list");
            let names: Vec<_> = list.tables.iter().map(|entry| entry.table.to_string()).collect();
            assert_eq!(names, ["s.t"], "{role:?}");
        }
    }
}

#[tokio::test]
async fn what_an_agent_leaves_in_its_session_is_not_there_in_a_read() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    let location = Server { schema: Some("s".to_owned()), ..database.location(Role::Owner) };
    let driver = driver_at(location);
    database.connect(Role::Owner).must(
        "CREATE SCHEMA evil; CREATE FUNCTION evil.never(int, int) RETURNS bool LANGUAGE sql AS 'SELECT false';
         CREATE OPERATOR evil.= (LEFTARG = int, RIGHTARG = int, FUNCTION = evil.never)",
    );
    for sql in [
        "CREATE TEMP TABLE t AS SELECT 666 AS a",
        "CREATE TEMP VIEW t AS SELECT 666 AS a",
        "SET search_path = evil, pg_catalog",
        "SET default_transaction_read_only = off",
        "SET statement_timeout = 1",
        "SET standard_conforming_strings = off",
        "PREPARE s1 AS SELECT 666",
        "LISTEN something",
        "SELECT pg_advisory_lock(7)",
        "SELECT set_config('search_path', 'evil, pg_catalog', false)",
    ] {
        full(&*driver, sql).await;
        assert_eq!(read(&*driver).await, [["1"]], "{sql}");
        let left = full(
            &*driver,
            "SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema()), \
             (SELECT count(*) FROM pg_prepared_statements WHERE name = 's1'), \
             (SELECT count(*) FROM pg_listening_channels()), current_setting('search_path') LIKE '%evil%'",
        )
        .await;
        assert_eq!(left, [["0", "0", "0", "f"]], "{sql}");
    }
    superuser.until("NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory')");
    superuser.until("NOT EXISTS (SELECT FROM pg_class WHERE relpersistence = 't')");
}

#[tokio::test]
async fn settings_of_account_and_database_change_no_read() {
    let database = database();
    let mut superuser = database.connect(Role::Superuser);
    let name = database.name();
    superuser.must(
        "CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO public;
         CREATE FUNCTION evil.never(int, int) RETURNS bool LANGUAGE sql AS 'SELECT false';
         CREATE OPERATOR evil.= (LEFTARG = int, RIGHTARG = int, FUNCTION = evil.never);
         CREATE TABLE s.w (a timestamptz, b bytea, c float8, d interval, e text, f money);
         INSERT INTO s.w VALUES ('2001-02-03 04:05:06.7+00', '\\x00ff', 0.1::float8 + 0.2::float8, '1 day 02:03:04', 'a\\b', '7')",
    );
    let wide = "SELECT \"w\".\"a\", \"w\".\"b\", \"w\".\"c\", \"w\".\"d\", \"w\".\"e\" = 'a\\b' AS \"e\" FROM \"s\".\"w\" AS \"w\"";
    let ask = || {
        let driver = driver(&database, Role::Reader, ReadLock::Weak);
        async move {
            let read = driver.read(&reading(wide, &table("s", "w")), None, &task()).await;
            let rows = read.unwrap_or_else(|error| panic!("{error:?} {}", error.cause())).value;
            (rows.rows, read_of(&driver).await)
        }
    };
    let usual = ask().await;
    assert_eq!(usual.1, [["1"]]);
    for setting in [
        "search_path = evil, pg_catalog",
        "standard_conforming_strings = off",
        "bytea_output = escape",
        "DateStyle = 'German, DMY'",
        "IntervalStyle = sql_standard",
        "extra_float_digits = -15",
        "TimeZone = 'Asia/Tokyo'",
        "client_encoding = LATIN1",
        "transform_null_equals = on",
        "quote_all_identifiers = on",
        "enable_seqscan = off",
        "default_transaction_isolation = serializable",
        "default_transaction_deferrable = on",
        "default_transaction_read_only = off",
        "statement_timeout = 0",
        "row_security = on",
        "client_min_messages = debug5",
        "log_statement_stats = on",
        "jit_above_cost = 0",
        "backslash_quote = on",
    ] {
        superuser.must(&format!("ALTER DATABASE {name} SET {setting}"));
        superuser.must(&format!("ALTER ROLE t_reader IN DATABASE {name} SET {setting}"));
        assert_eq!(ask().await, usual, "{setting}");
        superuser.must(&format!("ALTER DATABASE {name} RESET ALL"));
        superuser.must(&format!("ALTER ROLE t_reader IN DATABASE {name} RESET ALL"));
    }
}

async fn read_of(driver: &Arc<dyn Driver>) -> Vec<Vec<String>> {
    read(&**driver).await
}

#[tokio::test]
async fn a_rule_that_is_checked_at_the_end_is_an_error_and_not_unknown() {
    let database = database();
    database.connect(Role::Owner).must(
        "CREATE TABLE s.p (x int PRIMARY KEY); \
         CREATE TABLE s.c (x int REFERENCES s.p DEFERRABLE INITIALLY DEFERRED)",
    );
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let ran = driver.run_full("INSERT INTO s.c VALUES (1)", Gate::open(), &task()).await;
    let error = ran.expect_err("nothing is in s.p");
    assert_eq!(error.reason(), Reason::ConstraintViolated, "{}", error.cause());
    assert_eq!(database.connect(Role::Owner).value("SELECT count(*) FROM s.c"), "0");
}

#[tokio::test]
async fn tables_of_one_name_in_two_schemas_are_two_tables() {
    let database = database();
    database
        .connect(Role::Owner)
        .must("CREATE SCHEMA z; CREATE TABLE z.t (a int); INSERT INTO z.t VALUES (2)");
    let driver = driver(&database, Role::Reader, ReadLock::Weak);
    let mut identities = Vec::new();
    for (schema, value) in [("s", "1"), ("z", "2")] {
        let sql = format!("SELECT \"t\".\"a\" FROM \"{schema}\".\"t\" AS \"t\"");
        let read = driver.read(&reading(&sql, &table(schema, "t")), None, &task()).await;
        let read = read.unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(shown(&read.value), [[value]]);
        identities.extend(read.identities);
    }
    assert_ne!(identities[0].1, identities[1].1);
    let list = driver.list_tables(&task()).await.expect("a list");
    let names: Vec<_> = list.tables.iter().map(|entry| entry.table.to_string()).collect();
    assert_eq!(names, ["s.t", "z.t"]);
}
