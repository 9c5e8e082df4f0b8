//! Writes of one table in SQLite: what they bring into play, what they may not touch, and how they end.

use crate::common::{Sandbox, after, table, task};
use dbeast::drivers::{Driver, DriverError, Gate, Limits, Location, TableWrite, Task, open};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{Cell, Guard, Rows};
use rusqlite::Connection;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

pub(crate) fn writable(sandbox: &Sandbox) -> Arc<dyn Driver> {
    open(&Location::Sqlite { path: sandbox.path().to_owned(), is_read_only: false })
}

pub(crate) async fn write(sandbox: &Sandbox, name: &str, sql: &str) -> Result<Rows, DriverError> {
    let write = TableWrite { sql: sql.to_owned(), table: table(name), columns: Vec::new() };
    writable(sandbox).write_table(&write, Gate::open(), &task()).await
}

/// What another program sees.
fn text(sandbox: &Sandbox, sql: &str) -> String {
    let seen = sandbox.writer().query_row(sql, [], |row| row.get::<_, Option<String>>(0));
    seen.expect(sql).unwrap_or_default()
}

/// A table with everything that a write brings into play.
const FAMILY: &str = "
    CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, note TEXT DEFAULT (upper('new')),
        CHECK (length(trim(name)) > 0));
    CREATE INDEX by_note ON parent(lower(note)) WHERE note IS NOT NULL;
    INSERT INTO parent VALUES (1, 'one', 'x'), (2, 'two', 'y'), (3, 'three', 'z');
    CREATE TABLE child(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE ON UPDATE SET NULL);
    INSERT INTO child VALUES (10, 1), (11, 2);
    CREATE TABLE strict_child(parent INTEGER REFERENCES parent);
    INSERT INTO strict_child VALUES (3);
    CREATE TABLE log(what TEXT, at TEXT DEFAULT CURRENT_TIMESTAMP);
    CREATE VIEW names AS SELECT name FROM parent;
    CREATE TRIGGER noted AFTER INSERT ON parent BEGIN
        INSERT INTO log(what) SELECT 'inserted ' || NEW.name || ', ' || count(*) FROM names; END;
    CREATE TRIGGER gone AFTER DELETE ON child BEGIN INSERT INTO log(what) VALUES ('child ' || OLD.id); END;
    CREATE TRIGGER kept BEFORE UPDATE OF note ON parent WHEN NEW.note = 'forbidden' BEGIN
        SELECT raise(ABORT, 'never'); END;
    CREATE TABLE numbered(id INTEGER PRIMARY KEY AUTOINCREMENT, a);
    CREATE TABLE paired(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE typed(a INTEGER, b TEXT) STRICT;
    CREATE TABLE secrets(id INTEGER PRIMARY KEY, word TEXT);
    INSERT INTO secrets VALUES (1, 'hidden');
    CREATE TABLE \"odd \"\"na.me; --'\"(\"select\" TEXT);
    CREATE TABLE \"таблица é€😀\"(a);
";

#[tokio::test]
async fn triggers_and_foreign_keys_do_their_work() {
    let sandbox = Sandbox::new(FAMILY);
    let rows =
        write(&sandbox, "parent", "INSERT INTO main.parent(id, name) VALUES (4, 'four')").await;
    let rows = rows.expect("inserted");
    assert_eq!(rows.affected_rows, Some(1), "what a trigger does is not counted");
    assert_eq!(
        rows.guards,
        [
            Guard::Deadline,
            Guard::TableProof,
            Guard::IdentityPinned,
            Guard::Authorizer,
            Guard::SingleStatement,
            Guard::ResultLimits,
        ]
    );
    assert_eq!(text(&sandbox, "SELECT note FROM parent WHERE id = 4"), "NEW");
    assert_eq!(text(&sandbox, "SELECT group_concat(what) FROM log"), "inserted four, 4");
    // ON DELETE CASCADE, and the trigger of the table that it reaches.
    let rows = write(&sandbox, "parent", "DELETE FROM main.parent WHERE id = 1").await;
    assert_eq!(rows.expect("deleted").affected_rows, Some(1));
    assert_eq!(text(&sandbox, "SELECT what FROM log WHERE what LIKE 'child%'"), "child 10");
    // ON UPDATE SET NULL.
    let rows = write(&sandbox, "parent", "UPDATE main.parent SET id = 22 WHERE id = 2").await;
    assert_eq!(rows.expect("updated").affected_rows, Some(1));
    assert_eq!(text(&sandbox, "SELECT count(*) || '' FROM child WHERE parent IS NULL"), "1");
}

#[tokio::test]
async fn rules_of_the_database_hold_and_leave_nothing() {
    let sandbox = Sandbox::new(FAMILY);
    let before = std::fs::read(sandbox.path()).expect("the file");
    for (name, sql) in [
        ("parent", "DELETE FROM main.parent WHERE id = 3"),
        ("parent", "DELETE FROM main.parent"),
        ("child", "INSERT INTO main.child VALUES (12, 99)"),
        ("child", "UPDATE main.child SET parent = 99"),
        ("parent", "INSERT INTO main.parent(name) VALUES ('one')"),
        ("parent", "INSERT INTO main.parent(name) VALUES ('  ')"),
        ("parent", "INSERT INTO main.parent(id) VALUES (5)"),
        ("parent", "UPDATE main.parent SET note = 'forbidden'"),
        ("paired", "INSERT INTO main.paired VALUES (1, NULL)"),
        ("typed", "INSERT INTO main.typed VALUES ('no number', 'x')"),
        ("parent", "INSERT OR ROLLBACK INTO main.parent(name) VALUES ('new'), ('one')"),
        ("parent", "INSERT OR FAIL INTO main.parent(name) VALUES ('new'), ('one')"),
    ] {
        let error = write(&sandbox, name, sql).await.expect_err(sql);
        assert_eq!(error.reason(), Reason::ConstraintViolated, "{sql}: {}", error.cause());
        assert!(error.is_failed(), "{sql}: {error:?}");
        assert_eq!(text(&sandbox, "SELECT count(*) || '' FROM parent"), "3", "{sql}");
    }
    sandbox.writer().execute_batch("BEGIN EXCLUSIVE; ROLLBACK").expect("no lock is left");
    let after = std::fs::read(sandbox.path()).expect("the file");
    assert_eq!(before.len(), after.len());
}

#[tokio::test]
async fn every_kind_of_plain_table_is_written() {
    let sandbox = Sandbox::new(FAMILY);
    for (name, sql, affected) in [
        ("numbered", "INSERT INTO main.numbered(a) VALUES (1), (2)", 2),
        ("NUMBERED", "UPDATE main.numbered SET a = a + 1 WHERE id > 1", 1),
        ("paired", "INSERT INTO main.paired VALUES (1, 2), (1, 3)", 2),
        ("paired", "INSERT INTO main.paired VALUES (1, 2) ON CONFLICT DO NOTHING", 0),
        ("paired", "REPLACE INTO main.paired VALUES (1, 2)", 1),
        ("paired", "UPDATE main.paired SET b = b + 10 WHERE a IN (SELECT a FROM main.paired)", 2),
        ("paired", "INSERT INTO main.paired SELECT a + 1, b FROM main.paired", 2),
        ("paired", "DELETE FROM main.paired", 4),
        ("typed", "INSERT INTO main.typed VALUES (1, 'x')", 1),
        ("typed", "INSERT INTO main.typed VALUES (2, 'y') RETURNING a, b", 1),
        (
            "parent",
            "INSERT INTO main.parent(name) VALUES ('one') ON CONFLICT(name) DO UPDATE SET note = excluded.name",
            1,
        ),
        ("parent", "UPDATE main.parent SET note = lower(name) || coalesce(note, '')", 3),
        (
            "odd \"na.me; --'",
            "INSERT INTO \"main\".\"odd \"\"na.me; --'\"(\"select\") VALUES ('a')",
            1,
        ),
        ("таблица é€😀", "INSERT INTO main.\"таблица é€😀\" VALUES (1)", 1),
    ] {
        let rows = write(&sandbox, name, sql).await;
        let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error:?} {}", error.cause()));
        assert_eq!(rows.affected_rows, Some(affected), "{sql}");
    }
    let sql = "UPDATE main.typed SET b = 'z' WHERE a = 2 RETURNING b, a, b";
    let rows = write(&sandbox, "typed", sql).await.expect("returned");
    assert_eq!(rows.columns, ["b", "a", "b"]);
    assert_eq!(rows.rows, [["z", "2", "z"].map(|text| Cell::Text(text.to_owned()))]);
    assert_eq!(text(&sandbox, "PRAGMA integrity_check"), "ok");
    assert_eq!(text(&sandbox, "SELECT seq || '' FROM sqlite_sequence"), "2");
}

/// Table, statement: each touches something else than the table, or does something else than writing it.
const BEYOND: &[(&str, &str)] = &[
    ("parent", "DELETE FROM main.child"),
    ("parent", "DELETE FROM main.secrets"),
    ("parent", "INSERT INTO main.log(what) VALUES ('x')"),
    ("parent", "UPDATE main.secrets SET word = 'x'"),
    ("parent", "UPDATE main.parent SET note = (SELECT word FROM main.secrets)"),
    ("parent", "UPDATE main.parent SET note = (SELECT word FROM secrets)"),
    ("parent", "UPDATE main.parent SET note = (SELECT count(*) FROM secrets)"),
    ("parent", "UPDATE main.parent SET note = (SELECT count(*) FROM main.secrets)"),
    ("parent", "UPDATE main.parent SET note = s.word FROM main.secrets AS s"),
    ("parent", "DELETE FROM main.parent WHERE EXISTS (SELECT 1 FROM secrets)"),
    ("parent", "INSERT INTO main.parent(name) SELECT word FROM main.secrets"),
    ("parent", "INSERT INTO main.parent(name) SELECT name FROM names"),
    ("parent", "INSERT INTO main.parent(name) SELECT name FROM sqlite_master"),
    ("numbered", "INSERT INTO main.numbered(a) SELECT count(*) FROM sqlite_sequence"),
    ("numbered", "INSERT INTO main.numbered(a) SELECT seq FROM main.sqlite_sequence"),
    ("numbered", "UPDATE main.numbered SET a = (SELECT count(*) FROM sqlite_schema)"),
    ("parent", "UPDATE main.parent SET note = (SELECT file FROM pragma_database_list)"),
    ("parent", "UPDATE main.parent SET note = load_extension('x')"),
    ("parent", "UPDATE main.parent SET note = randomblob(10)"),
    ("parent", "UPDATE main.parent SET note = fts3_tokenizer('simple')"),
    ("log", "UPDATE main.log SET what = rowid"),
    ("parent", "UPDATE main.parent SET note = ?"),
    ("parent", "INSERT INTO main.parent(name) VALUES ('new') RETURNING (SELECT word FROM secrets)"),
    ("parent", "WITH s AS (SELECT word FROM secrets) DELETE FROM main.parent WHERE name IN s"),
    (
        "parent",
        "INSERT INTO main.parent(name) VALUES ('a') ON CONFLICT DO UPDATE SET note = (SELECT word FROM secrets)",
    ),
    ("parent", "EXPLAIN DELETE FROM main.parent"),
    ("parent", "EXPLAIN QUERY PLAN DELETE FROM main.parent"),
    ("parent", "SELECT name FROM main.parent"),
    ("parent", "DROP TABLE main.parent"),
    ("parent", "ALTER TABLE main.parent ADD COLUMN x"),
    ("parent", "CREATE TABLE main.more(a)"),
    ("parent", "CREATE TRIGGER t AFTER INSERT ON parent BEGIN DELETE FROM log; END"),
    ("parent", "ATTACH '/tmp/never-written' AS other"),
    ("parent", "PRAGMA foreign_keys = OFF"),
    ("parent", "VACUUM INTO '/tmp/never-written'"),
    ("parent", "VACUUM"),
    ("parent", "ANALYZE"),
    ("parent", "BEGIN"),
    ("parent", "SAVEPOINT s"),
    ("parent", "DELETE FROM main.parent -- a comment"),
    ("parent", "DELETE FROM temp.parent"),
    ("names", "DELETE FROM main.names"),
    ("sqlite_sequence", "DELETE FROM main.sqlite_sequence"),
    ("sqlite_master", "DELETE FROM main.sqlite_master"),
    ("missing", "DELETE FROM main.missing"),
];

#[tokio::test]
async fn a_write_reaches_nothing_but_its_table() {
    let sandbox = Sandbox::new(FAMILY);
    let before = std::fs::read(sandbox.path()).expect("the file");
    let mut surprises = Vec::new();
    for (name, sql) in BEYOND {
        let (_open, go_ahead) = tokio::sync::oneshot::channel();
        let gate = Gate::new(|| panic!("asked at the gate"), go_ahead);
        let write = TableWrite { sql: (*sql).to_owned(), table: table(name), columns: Vec::new() };
        match writable(&sandbox).write_table(&write, gate, &task()).await {
            Ok(rows) => surprises.push(format!("{sql:?} was run: {rows:?}")),
            Err(error) if !error.is_refused() => {
                surprises.push(format!("{sql:?}: {error:?} ({})", error.cause()));
            }
            Err(_) => {}
        }
        // Nor does an estimate look at it.
        let estimate = writable(&sandbox).estimate(&write, &task()).await;
        assert!(estimate.is_err_and(|error| error.is_refused()), "{sql}");
        assert_eq!(std::fs::read(sandbox.path()).expect("the file"), before, "{sql:?}");
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    assert!(!std::path::Path::new("/tmp/never-written").exists());
}

fn soon(time: Duration) -> Task {
    Task::new(CancellationToken::new(), after(time), Limits::contract())
}

fn insert() -> TableWrite {
    let sql = "INSERT INTO main.orders VALUES (4, 'Eve', 1)".to_owned();
    TableWrite { sql, table: table("orders"), columns: Vec::new() }
}

fn orders(writer: &Connection) -> i64 {
    writer.query_row("SELECT count(*) FROM orders", [], |row| row.get(0)).expect("a count")
}

#[tokio::test]
async fn another_writer_is_waited_for_and_then_given_up() {
    for mode in ["delete", "wal"] {
        let shop = Sandbox::shop();
        let writer = shop.writer();
        writer.pragma_update(None, "journal_mode", mode).expect("a journal");
        writer.execute_batch("BEGIN IMMEDIATE").expect("the lock");
        let bounds = soon(Duration::from_millis(100));
        let refused = writable(&shop).write_table(&insert(), Gate::open(), &bounds).await;
        let error = refused.expect_err("locked");
        assert!(error.is_deadline_exceeded(), "{error:?}");
        assert_eq!(error.reason(), Reason::SourceLocked, "{mode}");
        let full = writable(&shop).run_full(&insert().sql, Gate::open(), &bounds).await;
        assert!(full.is_err(), "{mode}");
        let bounds = soon(Duration::from_millis(100));
        let full = writable(&shop).run_full(&insert().sql, Gate::open(), &bounds).await;
        assert_eq!(full.expect_err("locked").reason(), Reason::SourceLocked, "{mode}");
        writer.execute_batch("ROLLBACK").expect("released");
        assert_eq!(orders(&writer), 3);
        assert!(writable(&shop).write_table(&insert(), Gate::open(), &task()).await.is_ok());
        assert_eq!(orders(&writer), 4);
    }
}

#[tokio::test]
async fn a_reader_in_the_way_of_the_commit_undoes_the_write() {
    let shop = Sandbox::shop();
    let reader = shop.writer();
    let mut statement = reader.prepare("SELECT id FROM orders").expect("a statement");
    let mut rows = statement.query([]).expect("rows");
    assert!(rows.next().expect("a row").is_some(), "it holds its lock");
    let bounds = soon(Duration::from_millis(200));
    let undone = writable(&shop).write_table(&insert(), Gate::open(), &bounds).await;
    let error = undone.expect_err("the file is being read");
    assert!(error.is_deadline_exceeded() && !error.is_outcome_unknown(), "{error:?}");
    assert_eq!(error.reason(), Reason::SourceLocked);
    drop(rows);
    drop(statement);
    assert_eq!(orders(&reader), 3);
    // With a log, readers are in nobody's way.
    reader.pragma_update(None, "journal_mode", "wal").expect("a log");
    let mut statement = reader.prepare("SELECT id FROM orders").expect("a statement");
    let mut rows = statement.query([]).expect("rows");
    assert!(rows.next().expect("a row").is_some());
    assert!(writable(&shop).write_table(&insert(), Gate::open(), &task()).await.is_ok());
    drop(rows);
    drop(statement);
    assert_eq!(orders(&reader), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_of_two_programs_take_turns() {
    for mode in ["delete", "wal"] {
        let sandbox = Sandbox::new("CREATE TABLE n(x INTEGER); INSERT INTO n VALUES (0);");
        let writer = sandbox.writer();
        writer.pragma_update(None, "journal_mode", mode).expect("a journal");
        let (driver, other) = (writable(&sandbox), sandbox.path().to_owned());
        let theirs = std::thread::spawn(move || {
            let writer = Connection::open(other).expect("a handle");
            writer.busy_timeout(Duration::from_secs(30)).expect("patience");
            for _ in 0..50 {
                writer.execute_batch("UPDATE n SET x = x + 1").expect("written");
            }
        });
        let sql = "UPDATE main.n SET x = x + 1".to_owned();
        let one = TableWrite { sql: sql.clone(), table: table("n"), columns: Vec::new() };
        for _ in 0..25 {
            driver.write_table(&one, Gate::open(), &task()).await.expect("written");
            // Full SQL has no turn of its own before it runs, so it may have to give way.
            while let Err(error) = driver.run_full(&sql, Gate::open(), &task()).await {
                assert_eq!(error.reason(), Reason::ConflictWithOthers, "{}", error.cause());
            }
        }
        theirs.join().expect("no panic");
        assert_eq!(text(&sandbox, "SELECT x || '' FROM n"), "100", "{mode}");
    }
}

#[tokio::test]
async fn a_table_made_again_between_two_writes_is_proven_anew() {
    let shop = Sandbox::shop();
    let driver = writable(&shop);
    assert!(driver.write_table(&insert(), Gate::open(), &task()).await.is_ok());
    shop.writer()
        .execute_batch("DROP TABLE orders; CREATE VIEW orders AS SELECT 1 AS id, 2 AS a, 3 AS b")
        .expect("a view");
    let error = driver.write_table(&insert(), Gate::open(), &task()).await.expect_err("a view");
    assert_eq!(error.reason(), Reason::TableIsView);
}

#[tokio::test]
async fn values_that_no_read_returns_can_be_written_around() {
    let sandbox = Sandbox::new(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a, v); INSERT INTO t VALUES (1, 1, zeroblob(50000000));",
    );
    let rows =
        write(&sandbox, "t", "UPDATE main.t SET a = 2 RETURNING a, v").await.expect("written");
    assert_eq!((rows.affected_rows, rows.rows.len()), (Some(1), 0));
    assert_eq!(rows.truncated_by, Some(dbeast::value::ResultLimit::CellBytes));
    assert_eq!(text(&sandbox, "SELECT a || ' ' || length(v) FROM t"), "2 50000000");
    let error = writable(&sandbox).run_full("SELECT v FROM t", Gate::open(), &task()).await;
    assert_eq!(error.expect_err("50 MB").reason(), Reason::ValueTooLarge);
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_source_is_never_opened_for_writing() {
    // Nothing is there, and nobody notices.
    let missing = Location::Sqlite { path: "/nowhere/at/all".into(), is_read_only: true };
    let driver = open(&missing);
    let refused = driver.write_table(&insert(), Gate::open(), &task()).await;
    assert_eq!(refused.expect_err("read-only").reason(), Reason::SourceIsReadOnly);
    let refused = driver.run_full("SELECT 1", Gate::open(), &task()).await;
    assert_eq!(refused.expect_err("read-only").reason(), Reason::SourceIsReadOnly);
    let refused = driver.estimate(&insert(), &task()).await;
    assert_eq!(refused.expect_err("read-only").reason(), Reason::SourceIsReadOnly);
    let missing = Location::Sqlite { path: "/nowhere/at/all".into(), is_read_only: false };
    let refused = open(&missing).write_table(&insert(), Gate::open(), &task()).await;
    assert_eq!(refused.expect_err("missing").reason(), Reason::SourceMissing);
}
