//! What a read holds of memory, measured by the system: SQLite's own memory counts.
//!
//! Alone in its program, because the peak belongs to the whole of it.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::panic, reason = "a helper of a test fails the test")]

#[path = "drivers/common.rs"]
#[expect(dead_code, reason = "the SQLite suite uses the rest")]
mod common;
#[path = "drivers/memory.rs"]
mod memory;

use common::{Sandbox, reading, task};
use dbeast::drivers::{Gate, Location, open};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ResultLimit;
use memory::{GROWTH_MAX_KIB, assert_measures, begin, grown};

/// Table, statement, and what becomes of it: the limit that ends its rows, or a refusal.
type Case = (&'static str, &'static str, Result<Option<ResultLimit>, Reason>);

#[tokio::test]
async fn large_tables_and_cells_leave_memory_flat() {
    let sandbox = Sandbox::new(
        "CREATE TABLE rows(id INTEGER PRIMARY KEY, word TEXT, number REAL);
         WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000)
         INSERT INTO rows SELECT x, 'the word number ' || x, x * 0.5 FROM n;
         CREATE TABLE cells(id INTEGER PRIMARY KEY, word TEXT, raw BLOB);
         INSERT INTO cells VALUES (1, printf('%.*c', 50000000, 'x'), zeroblob(50000000));",
    );
    let driver = sandbox.driver();
    let full = open(&Location::Sqlite { path: sandbox.path().to_owned(), is_read_only: false });
    // Threads and tables of the library are there before anything is measured.
    sandbox.read(&["rows"], "SELECT id FROM main.rows WHERE id = 1").await.expect("warm");
    let cases: &[Case] = &[
        ("rows", "SELECT id, word, number FROM main.rows", Ok(Some(ResultLimit::Rows))),
        ("rows", "SELECT count(*), max(word), sum(number) FROM main.rows", Ok(None)),
        (
            "rows",
            "SELECT word FROM main.rows ORDER BY number DESC, word",
            Ok(Some(ResultLimit::Rows)),
        ),
        ("rows", "SELECT DISTINCT word FROM main.rows", Ok(Some(ResultLimit::Rows))),
        ("cells", "SELECT word FROM main.cells", Err(Reason::ValueTooLarge)),
        ("cells", "SELECT id, raw FROM main.cells", Err(Reason::ValueTooLarge)),
        ("cells", "SELECT length(word) FROM main.cells", Err(Reason::ValueTooLarge)),
        ("cells", "SELECT octet_length(word) FROM main.cells", Ok(None)),
    ];
    for (table, sql, expected) in cases {
        let before = begin();
        let read = driver.read(&reading(&[table], sql), None, &task()).await;
        let verified = grown(before);
        let told = read.map(|read| read.value.truncated_by).map_err(|error| error.reason());
        assert_eq!(told, *expected, "{sql}");
        let before = begin();
        let ran = full.run_full(sql, Gate::open(), &task()).await;
        let in_full = grown(before);
        let told = ran.map(|rows| rows.truncated_by).map_err(|error| error.reason());
        assert_eq!(told, *expected, "{sql}");
        println!("{verified:>6} KiB verified, {in_full:>6} KiB as Full SQL: {sql}");
        assert!(verified < GROWTH_MAX_KIB && in_full < GROWTH_MAX_KIB, "{sql}");
    }
    assert_measures();
}
