//! Rows, cells and bytes: at the limit and one past it.

use crate::common::{Sandbox, reading, task, task_with};
use dbeast::drivers::Limits;
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{Cell, Rows};

/// A table `n` with the numbers from 1.
fn numbers(count: u32) -> Sandbox {
    Sandbox::new(&format!(
        "CREATE TABLE n(x INTEGER);
         WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT {count}) INSERT INTO n SELECT x FROM c;"
    ))
}

async fn count(sandbox: &Sandbox, rows_max: u32, sql: &str) -> (usize, bool) {
    let mut read = reading(&["n"], sql);
    read.rows_max = rows_max;
    let rows = sandbox.driver().read(&read, None, &task()).await.expect(sql).value;
    (rows.rows.len(), rows.is_truncated())
}

#[tokio::test]
async fn rows_are_truncated_exactly_when_there_are_more() {
    let sandbox = numbers(501);
    assert_eq!(count(&sandbox, 500, "SELECT x FROM main.n LIMIT 500").await, (500, false));
    assert_eq!(count(&sandbox, 500, "SELECT x FROM main.n").await, (500, true));
    assert_eq!(count(&sandbox, 501, "SELECT x FROM main.n").await, (500, true), "never above 500");
    assert_eq!(
        count(&sandbox, u32::MAX, "SELECT x FROM main.n").await,
        (500, true),
        "never above 500"
    );
    assert_eq!(count(&sandbox, 3, "SELECT x FROM main.n WHERE x <= 3").await, (3, false));
    assert_eq!(count(&sandbox, 3, "SELECT x FROM main.n WHERE x <= 4").await, (3, true));
    assert_eq!(count(&sandbox, 3, "SELECT x FROM main.n UNION SELECT 0").await, (3, true));
    assert_eq!(count(&sandbox, 1, "SELECT x FROM main.n WHERE x = 0").await, (0, false));
    assert_eq!(count(&sandbox, 0, "SELECT x FROM main.n WHERE x = 0").await, (0, false));
    assert_eq!(count(&sandbox, 0, "SELECT x FROM main.n").await, (0, true));
}

/// A table `t` with one value of so many bytes, made by an expression over `{bytes}`.
fn value(expression: &str) -> Sandbox {
    Sandbox::new(&format!(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t(v) VALUES ({expression});"
    ))
}

#[tokio::test]
async fn a_cell_is_whole_or_refused() {
    let cases = [
        ("printf('%.*c', 65536, 'x')", true),
        ("printf('%.*c', 65537, 'x')", false),
        // Two bytes per letter.
        ("replace(hex(zeroblob(16384)), '0', 'é')", true),
        ("replace(hex(zeroblob(16385)), '0', 'é')", false),
        // Two hexadecimal digits per byte.
        ("zeroblob(32768)", true),
        ("zeroblob(32769)", false),
        ("CAST(x'ff' || zeroblob(40000) AS TEXT)", false),
    ];
    for (expression, fits) in cases {
        let sandbox = value(expression);
        let result = sandbox.read(&["t"], "SELECT v FROM main.t").await;
        match result {
            Ok(rows) => {
                assert!(fits && rows.rows.len() == 1 && !rows.is_truncated(), "{expression}");
            }
            Err(error) => {
                assert!(!fits && error.is_limit_exceeded(), "{expression}: {error:?}");
                assert_eq!(error.reason(), Reason::CellTooLarge, "{expression}");
            }
        }
    }
}

#[tokio::test]
async fn a_large_cell_beyond_the_last_row_is_not_looked_at() {
    let sandbox = value("1), (zeroblob(100000)");
    let mut read = reading(&["t"], "SELECT v FROM main.t ORDER BY id");
    read.rows_max = 1;
    let rows = sandbox.driver().read(&read, None, &task()).await.expect("one row").value;
    assert!(rows.is_truncated() && rows.rows == [[Cell::Text("1".to_owned())]]);
}

/// Bytes of the compact JSON of columns and rows.
fn json_bytes(rows: &Rows) -> usize {
    let cells: Vec<Vec<serde_json::Value>> = rows
        .rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| match cell {
                    Cell::Null => serde_json::Value::Null,
                    Cell::Text(text) => text.clone().into(),
                    Cell::Binary(bytes) => {
                        let digits = bytes
                            .iter()
                            .fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"));
                        serde_json::json!({ "binary_hex": digits })
                    }
                })
                .collect()
        })
        .collect();
    let size = |value: &serde_json::Value| value.to_string().len();
    size(&serde_json::json!(rows.columns)) + size(&serde_json::json!(cells))
}

#[tokio::test]
async fn the_result_is_counted_as_the_json_that_leaves() {
    let sandbox = Sandbox::new(
        "CREATE TABLE t(a, b);
         INSERT INTO t VALUES ('plain', 1), ('q\"b\\', 2.5), (char(1, 10, 9, 127), NULL), (x'00ff', 'é€😀'), ('', x'');",
    );
    let read = reading(&["t"], "SELECT a, b AS \"b\"\"\" FROM main.t");
    let whole = sandbox.driver().read(&read, None, &task()).await.expect("rows").value;
    let bytes = json_bytes(&whole);
    for (limit, count) in [(bytes, 5), (bytes - 1, 4)] {
        let task = task_with(Limits::contract().with_result_bytes(limit));
        let rows = sandbox.driver().read(&read, None, &task).await.expect("rows").value;
        assert_eq!((rows.rows.len(), rows.is_truncated()), (count, count < 5), "{limit} bytes");
        assert!(json_bytes(&rows) <= limit);
    }
}

#[tokio::test]
async fn a_large_result_ends_before_the_row_that_does_not_fit() {
    let sandbox = Sandbox::new(
        "CREATE TABLE t(v); INSERT INTO t SELECT printf('%.*c', 60000, 'x') FROM (VALUES (1), (2), (3), (4), (5));",
    );
    let rows = sandbox.read(&["t"], "SELECT v FROM main.t").await.expect("rows");
    assert_eq!((rows.rows.len(), rows.is_truncated()), (4, true));
    assert!(json_bytes(&rows) <= 262_144);
}

#[tokio::test]
async fn a_first_row_that_does_not_fit_is_an_error() {
    let sandbox = value("printf('%.*c', 60000, 'x')");
    let error = sandbox.read(&["t"], "SELECT v, v, v, v, v FROM main.t").await.expect_err("300 kB");
    assert!(error.is_limit_exceeded());
    assert_eq!(error.reason(), Reason::RowTooLarge);
    // Each of these letters takes six bytes in JSON.
    let sandbox = value("replace(hex(zeroblob(25000)), '0', char(1))");
    let error = sandbox.read(&["t"], "SELECT v FROM main.t").await.expect_err("300 kB");
    assert_eq!(error.reason(), Reason::RowTooLarge);
}

#[tokio::test]
async fn limits_can_be_lowered_and_not_raised() {
    let limits = Limits::contract()
        .with_rows(u32::MAX)
        .with_result_bytes(usize::MAX)
        .with_cell_bytes(usize::MAX);
    assert_eq!(limits, Limits::contract());
    let sandbox = numbers(3);
    let task = task_with(limits.with_rows(2));
    let rows = sandbox
        .driver()
        .read(&reading(&["n"], "SELECT x FROM main.n"), None, &task)
        .await
        .expect("rows")
        .value;
    assert_eq!((rows.rows.len(), rows.is_truncated()), (2, true));
}

#[tokio::test]
async fn values_of_a_mebibyte_are_the_most_that_is_computed() {
    let sandbox = value("printf('%.*c', 1048577, 'x')");
    assert_eq!(sandbox.texts(&["t"], "SELECT id FROM main.t").await, [["1"]], "not touched");
    assert_eq!(
        sandbox.texts(&["t"], "SELECT octet_length(v) FROM main.t").await,
        [["1048577"]],
        "not loaded"
    );
    let error = sandbox.read(&["t"], "SELECT length(v) FROM main.t").await.expect_err("too large");
    assert!(error.is_limit_exceeded());
    assert_eq!(error.reason(), Reason::ValueTooLarge);
    let sandbox = value("printf('%.*c', 600000, 'x')");
    let error =
        sandbox.read(&["t"], "SELECT length(v || v) FROM main.t").await.expect_err("too large");
    assert_eq!(error.reason(), Reason::ValueTooLarge);
}
