//! What somebody changes between two reads: whether a pinned table is still the same, and a standby.

use super::common::{any_read, driver, driver_at, table, task};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Options, Postgres, Role};
use dbeast::drivers::{Pinned, Server};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ReadLock;

const MADE: &str = "CREATE SCHEMA s; CREATE SCHEMA z; CREATE TABLE s.t (a int, b text); CREATE TABLE s.u (a int, b text);
    CREATE TABLE z.t (a int, b text); CREATE INDEX old ON s.t (a); ALTER TABLE s.t ADD CONSTRAINT c CHECK (a > 0);
    CREATE VIEW s.w AS SELECT a, b FROM s.t; CREATE VIEW s.v AS SELECT a FROM s.w; INSERT INTO s.t VALUES (1, 'x');
    CREATE MATERIALIZED VIEW s.m AS SELECT a FROM s.u";

/// What makes another table of it.
const CHANGES: &[(&str, &str)] = &[
    (
        "t",
        "DROP TABLE s.t CASCADE; CREATE TABLE s.t (a int, b text); CREATE INDEX old ON s.t (a); ALTER TABLE s.t ADD CONSTRAINT c CHECK (a > 0)",
    ),
    ("t", "ALTER TABLE s.t RENAME TO gone; ALTER TABLE s.u RENAME TO t"),
    ("t", "ALTER TABLE s.t RENAME TO gone; ALTER TABLE z.t SET SCHEMA s"),
    ("t", "ALTER SCHEMA s RENAME TO gone; ALTER SCHEMA z RENAME TO s"),
    ("t", "ALTER TABLE s.t ADD x int"),
    ("t", "DROP VIEW s.v, s.w; ALTER TABLE s.t DROP b"),
    ("t", "DROP VIEW s.v, s.w; ALTER TABLE s.t DROP b, ADD b text"),
    ("t", "ALTER TABLE s.t RENAME b TO c"),
    ("t", "DROP VIEW s.v, s.w; ALTER TABLE s.t ALTER b TYPE varchar(9)"),
    ("t", "DROP VIEW s.v, s.w; ALTER TABLE s.t ALTER b TYPE text COLLATE \"C\""),
    ("t", "ALTER TABLE s.t ALTER b SET NOT NULL"),
    ("t", "CREATE INDEX new ON s.t (b)"),
    ("t", "DROP INDEX s.old"),
    ("t", "DROP INDEX s.old; CREATE INDEX old ON s.t (a) WHERE a > 1"),
    ("t", "ALTER TABLE s.t ADD CHECK (a < 100)"),
    ("t", "ALTER TABLE s.t DROP CONSTRAINT c"),
    ("t", "ALTER TABLE s.t DROP CONSTRAINT c; ALTER TABLE s.t ADD CONSTRAINT c CHECK (a > -1)"),
    ("t", "CREATE STATISTICS s.st ON a, b FROM s.t"),
    ("v", "CREATE OR REPLACE VIEW s.v AS SELECT a + 1 AS a FROM s.w"),
    ("v", "CREATE OR REPLACE VIEW s.w AS SELECT a, 'y'::text AS b FROM s.t"),
    ("v", "CREATE OR REPLACE VIEW s.w AS SELECT a, b FROM s.u"),
    ("v", "ALTER TABLE s.t ADD x int"),
    ("v", "CREATE INDEX new ON s.t (b)"),
    ("v", "DROP VIEW s.v; CREATE VIEW s.v AS SELECT a FROM s.w"),
    ("v", "DROP VIEW s.v; CREATE TABLE s.v (a int)"),
    ("v", "ALTER VIEW s.v SET (security_barrier)"),
    ("m", "DROP MATERIALIZED VIEW s.m; CREATE MATERIALIZED VIEW s.m AS SELECT a FROM s.u"),
    ("m", "CREATE INDEX new ON s.m (a)"),
];

/// What leaves it what it was.
const HARMLESS: &[(&str, &str)] = &[
    ("t", "INSERT INTO s.t VALUES (2, 'y'); UPDATE s.t SET b = 'z'; DELETE FROM s.t WHERE a = 2"),
    ("t", "ANALYZE s.t"),
    ("t", "COMMENT ON TABLE s.t IS 'about it'; COMMENT ON COLUMN s.t.a IS 'about that'"),
    ("t", "ALTER TABLE s.u ADD x int; CREATE INDEX new ON s.u (b); CREATE TABLE z.more (a int)"),
    ("v", "INSERT INTO s.t VALUES (3, 'y'); ANALYZE s.t"),
    ("m", "INSERT INTO s.u VALUES (3, 'y'); REFRESH MATERIALIZED VIEW s.m"),
];

/// What the pinned table is to the driver after a change: the same, or the reason against it.
async fn after(change: &(&str, &str), lock: ReadLock) -> Result<(), Reason> {
    let database = Database::shared();
    let mut owner = database.connect(Role::Owner);
    owner.must(MADE);
    let target = table("s", change.0);
    let driver = driver(&database, Role::Owner, lock);
    let proven = driver.describe_table(&target, None, &task()).await;
    let proven = proven.unwrap_or_else(|error| panic!("{target}: {}", error.reason().code()));
    let pinned: Pinned = proven.identities[0].clone();
    let again = driver.read(&any_read(&target), Some(&pinned), &task()).await;
    again.unwrap_or_else(|error| panic!("{target} is what it was: {}", error.reason().code()));
    owner.must(change.1);
    let read = driver.read(&any_read(&target), Some(&pinned), &task()).await.map(drop);
    let described = driver.describe_table(&target, Some(&pinned), &task()).await.map(drop);
    let changed = read.as_ref().is_err_and(dbeast::drivers::DriverError::is_identity_changed);
    let [read, described] = [read, described].map(|answer| answer.map_err(|error| error.reason()));
    assert_eq!(read, described, "{change:?}");
    assert!(changed || read.is_ok(), "{change:?}: {read:?}");
    read
}

#[tokio::test]
async fn another_table_under_the_same_name_is_noticed() {
    let mut wrong = Vec::new();
    for change in CHANGES {
        for lock in [ReadLock::Full, ReadLock::Weak] {
            let answer = after(change, lock).await;
            if answer != Err(Reason::SchemaChanged) {
                wrong.push(format!("{change:?} {lock:?}: {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_same_table_stays_the_same() {
    let mut wrong = Vec::new();
    for change in HARMLESS {
        for lock in [ReadLock::Full, ReadLock::Weak] {
            let answer = after(change, lock).await;
            if answer.is_err() {
                wrong.push(format!("{change:?} {lock:?}: {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_standby_is_read_with_the_weaker_lock_only() {
    let server = Postgres::start(Options::default());
    let database = Database::new(&server);
    let standby = server.start_standby();
    database.connect(Role::Owner).must(MADE);
    let enumerated = "CREATE TYPE s.e AS ENUM ('a'); CREATE TABLE s.bad (a s.e)";
    database.connect(Role::Owner).must(enumerated);
    server.await_replayed();
    for role in [Role::Owner, Role::Superuser, Role::Reader] {
        let location = standby.location(database.name(), role);
        let full = driver_at(Server { read_lock: ReadLock::Full, ..location.clone() });
        let weak = driver_at(Server { read_lock: ReadLock::Weak, ..location });
        full.list_tables(&task()).await.expect("a list needs no lock");
        for name in ["t", "v"] {
            let target = table("s", name);
            let described = full.describe_table(&target, None, &task()).await.map(drop);
            let read = full.read(&any_read(&target), None, &task()).await.map(drop);
            for answer in [described, read] {
                let error = answer.expect_err("a standby");
                assert_eq!(error.reason(), Reason::ServerIsStandby, "{role:?} {}", error.cause());
            }
        }
        for name in ["t", "v", "m"] {
            let target = table("s", name);
            let described = weak.describe_table(&target, None, &task()).await;
            let read = weak.read(&any_read(&target), None, &task()).await;
            let both = (described.map(|it| it.identities), read.map(|it| it.identities));
            match both {
                (Ok(described), Ok(read)) => assert_eq!(described, read),
                both => panic!("{role:?} {name}: {both:?}"),
            }
        }
        let error = weak.read(&any_read(&table("s", "bad")), None, &task()).await.map(drop);
        assert_eq!(error.map_err(|error| error.reason()), Err(Reason::ColumnTypeIsEnum));
    }
}
