//! What a read and a statement in the agent's own words hold of memory, measured by the system. The server is another
//! program.
//!
//! Alone in its program, because the peak belongs to the whole of it.
#![cfg(target_os = "linux")]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise, and says what it measured"
)]

#[path = "postgres/common.rs"]
#[expect(dead_code, reason = "the PostgreSQL suite uses the rest")]
mod common;
#[path = "drivers/memory.rs"]
mod memory;
mod servers;

use common::{driver, reading, table, task};
use dbeast::drivers::{Driver, Gate, TableWrite};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{ReadLock, ResultLimit, Rows};
use memory::{GROWTH_MAX_KIB, assert_measures, begin, grown};
use servers::Client as _;
use servers::postgres::{Database, Role};

/// What becomes of a statement: how many rows came and the limit that ended them, or why it was refused.
type Told = Result<(usize, Option<ResultLimit>), Reason>;

/// Table, statement, what becomes of it as a verified read, and in Full SQL.
type Case = (&'static str, &'static str, Told, Told);

const ROWS: Told = Ok((500, Some(ResultLimit::Rows)));
const TOO_LARGE: Told = Err(Reason::CellTooLarge);
const CUT: Told = Ok((0, Some(ResultLimit::CellBytes)));

const FAILED: Told = Err(Reason::ExecutionFailed);

const READS: &[Case] = &[
    ("rows", "SELECT id, word, number FROM s.rows", ROWS, ROWS),
    ("rows", "SELECT word FROM s.rows ORDER BY number DESC, word", ROWS, ROWS),
    ("rows", "SELECT a.word FROM s.rows AS a JOIN s.rows AS b ON a.id = b.id", ROWS, ROWS),
    ("rows", "SELECT count(*), max(word) FROM s.rows", Ok((1, None)), Ok((1, None))),
    ("packed", "SELECT word FROM s.packed", TOO_LARGE, CUT),
    ("packed", "SELECT id, raw FROM s.packed", TOO_LARGE, CUT),
    ("packed", "SELECT raw, word, raw FROM s.packed", TOO_LARGE, CUT),
    ("packed", "SELECT length(word) FROM s.packed", Ok((1, None)), Ok((1, None))),
    ("plain", "SELECT word FROM s.plain", TOO_LARGE, CUT),
    ("plain", "SELECT id, raw FROM s.plain", TOO_LARGE, CUT),
    // The server's message quotes the whole value.
    ("plain", "SELECT CAST(word AS integer) FROM s.plain", FAILED, FAILED),
];

/// Statements that only Full SQL runs.
const WRITES: &[(&str, Told)] = &[
    ("INSERT INTO s.copied SELECT id, word, number FROM s.rows RETURNING id, word, number", ROWS),
    ("INSERT INTO s.plain SELECT 2, word, raw FROM s.plain RETURNING word, raw", CUT),
    ("SELECT s.tell(word) FROM s.packed WHERE id = 1", Ok((1, None))),
    ("COPY s.rows TO STDOUT", Err(Reason::StatementNeedsStream)),
];

fn made() -> Database<'static> {
    let database = Database::shared();
    database.connect(Role::Owner).must(
        "CREATE SCHEMA s; CREATE TABLE s.rows (id int PRIMARY KEY, word text, number float8);
         INSERT INTO s.rows SELECT n, 'the word number ' || n, n * 0.5 FROM generate_series(1, 1000000) AS n;
         CREATE TABLE s.copied (id int, word text, number float8);
         CREATE TABLE s.packed (id int, word text, raw bytea);
         CREATE TABLE s.plain (id int, word text, raw bytea);
         ALTER TABLE s.plain ALTER word SET STORAGE EXTERNAL, ALTER raw SET STORAGE EXTERNAL;
         INSERT INTO s.packed SELECT 1, repeat('x', 50000000), decode(repeat('7f', 50000000), 'hex');
         INSERT INTO s.plain SELECT 1, repeat('x', 50000000), decode(repeat('7f', 50000000), 'hex');
         CREATE FUNCTION s.tell(words text) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''%'', words; RETURN 7; END'",
    );
    let mut client = database.connect(Role::Superuser);
    // What the server logs is kept by this program; long errors are not to be.
    client.must(&format!("ALTER DATABASE {} SET log_min_messages = log", database.name()));
    let sizes = "SELECT pg_table_size('s.packed') < 5000000, pg_table_size('s.plain') > 100000000";
    let sizes = client.must(sizes).rows.concat();
    assert_eq!(sizes, [Some("t".to_owned()), Some("t".to_owned())], "packed and plain");
    database
}

fn told(rows: &Rows) -> (usize, Option<ResultLimit>) {
    (rows.rows.len(), rows.truncated_by)
}

async fn in_full(driver: &dyn Driver, sql: &str) -> (Told, Option<u64>) {
    let ran = driver.run_full(sql, Gate::open(), &task()).await;
    let affected = ran.as_ref().ok().and_then(|rows| rows.affected_rows);
    (ran.map(|rows| told(&rows)).map_err(|error| error.reason()), affected)
}

#[tokio::test]
async fn large_tables_and_cells_leave_memory_flat() {
    let database = made();
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    // Threads and tables of the library are there before anything is measured.
    let warm = reading("SELECT id FROM s.rows WHERE id = 1", &table("s", "rows"));
    driver.read(&warm, None, &task()).await.expect("warm");
    for (name, sql, expected_read, expected_full) in READS {
        let before = begin();
        let read = driver.read(&reading(sql, &table("s", name)), None, &task()).await;
        let verified = grown(before);
        let read = read.map(|read| told(&read.value)).map_err(|error| error.reason());
        assert_eq!(read, *expected_read, "{sql}");
        let before = begin();
        let (ran, _) = in_full(&*driver, sql).await;
        let full = grown(before);
        assert_eq!(ran, *expected_full, "{sql}");
        println!("{verified:>6} KiB verified, {full:>6} KiB as Full SQL: {sql}");
        assert!(verified < GROWTH_MAX_KIB && full < GROWTH_MAX_KIB, "{sql}");
    }
    for (sql, expected) in WRITES {
        let before = begin();
        let (ran, affected) = in_full(&*driver, sql).await;
        let full = grown(before);
        assert_eq!(ran, *expected, "{sql}");
        println!("{full:>6} KiB as Full SQL, {affected:?} rows: {sql}");
        assert!(full < GROWTH_MAX_KIB, "{sql}");
    }
    let write = TableWrite {
        sql: "DELETE FROM s.copied RETURNING id, word, number".to_owned(),
        table: table("s", "copied"),
        columns: Vec::new(),
    };
    let before = begin();
    let rows = driver.write_table(&write, Gate::open(), &task()).await.expect("written");
    let written = grown(before);
    assert_eq!((rows.affected_rows, rows.truncated_by), (Some(1_000_000), Some(ResultLimit::Rows)));
    println!("{written:>6} KiB as a verified write: {}", write.sql);
    assert!(written < GROWTH_MAX_KIB);
    // Everything that was sent took effect.
    assert_eq!(database.connect(Role::Owner).value("SELECT count(*) FROM s.copied"), "0");
    assert_eq!(database.connect(Role::Owner).value("SELECT count(*) FROM s.plain"), "2");
    assert_measures();
}
