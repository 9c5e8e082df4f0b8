//! Rows, bytes and cells: at the limit and one past it.

use super::{Bench, NUMBERS, Shop, task, task_with};
use dbeast::drivers::Limits;
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{Cell, ResultLimit, Rows};

pub(crate) async fn rows_end_at_the_limit(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let cases = [
        (500, "SELECT x FROM {s}.numbers", 500, Some(ResultLimit::Rows)),
        (u32::MAX, "SELECT x FROM {s}.numbers", 500, Some(ResultLimit::Rows)),
        (500, "SELECT x FROM {s}.numbers WHERE x <= 500", 500, None),
        (500, "SELECT x FROM {s}.numbers WHERE x <= 501", 500, Some(ResultLimit::Rows)),
        (3, "SELECT x FROM {s}.numbers WHERE x <= 3", 3, None),
        (3, "SELECT x FROM {s}.numbers", 3, Some(ResultLimit::Rows)),
        (0, "SELECT x FROM {s}.numbers", 0, Some(ResultLimit::Rows)),
        (0, "SELECT x FROM {s}.numbers WHERE x = 0", 0, None),
    ];
    for (rows_max, sql, count, truncated_by) in cases {
        let mut read = shop.reading(&["numbers"], sql);
        read.rows_max = rows_max;
        let rows = shop.driver.read(&read, None, &task()).await.expect(sql).value;
        assert_eq!((rows.rows.len(), rows.truncated_by), (count, truncated_by), "{rows_max} {sql}");
    }
    const { assert!(NUMBERS > 501) };
}

/// Bytes of the compact JSON of columns and rows.
pub(crate) fn json_bytes(rows: &Rows) -> usize {
    let cell = |cell: &Cell| match cell {
        Cell::Null => serde_json::Value::Null,
        Cell::Text(text) => text.clone().into(),
        Cell::Binary(bytes) => {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            serde_json::json!({ "binary_hex": digits.concat() })
        }
    };
    let cells: Vec<Vec<serde_json::Value>> =
        rows.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let size = |value: serde_json::Value| value.to_string().len();
    size(serde_json::json!(rows.columns)) + size(serde_json::json!(cells))
}

pub(crate) async fn bytes_are_those_of_the_compact_json(bench: &dyn Bench) {
    let bytes = bench.dialect().two_bytes;
    let words = format!(
        "INSERT INTO {{s}}.words VALUES (1, 'plain', {bytes}), (2, 'q\"uoted €', NULL), (3, '', NULL)"
    );
    let shop = Shop::with(bench, &[words]);
    let read = shop.reading(&["words"], "SELECT word, raw, id FROM {s}.words ORDER BY id");
    let whole = shop.driver.read(&read, None, &task()).await.expect("rows").value;
    let bytes = json_bytes(&whole);
    assert_eq!(whole.bytes, u64::try_from(bytes).expect("small"));
    for (limit, count, truncated_by) in [(bytes, 3, None), (bytes - 1, 2, Some(ResultLimit::Bytes))]
    {
        let task = task_with(Limits::contract().with_result_bytes(limit));
        let rows = shop.driver.read(&read, None, &task).await.expect("rows").value;
        assert_eq!((rows.rows.len(), rows.truncated_by), (count, truncated_by), "{limit}");
        assert_eq!(rows.bytes, u64::try_from(json_bytes(&rows)).expect("small"));
    }
}

pub(crate) async fn a_cell_is_whole_or_refused(bench: &dyn Bench) {
    let word = |id: u32, length: usize| {
        format!("INSERT INTO {{s}}.words VALUES ({id}, '{}', NULL)", "x".repeat(length))
    };
    let shop = Shop::with(bench, &[word(1, 65_536), word(2, 65_537), word(3, 3_000_000)]);
    let read = async |id: u32| {
        let sql = format!("SELECT word FROM {{s}}.words WHERE id = {id}");
        shop.read(&["words"], &sql).await
    };
    assert_eq!(read(1).await.expect("at the limit").rows.len(), 1);
    let error = read(2).await.expect_err("one past it");
    assert!(error.is_limit_exceeded());
    assert_eq!(error.reason(), Reason::CellTooLarge);
    assert!(read(3).await.expect_err("far past it").is_limit_exceeded());
}

pub(crate) async fn a_first_row_that_does_not_fit_is_refused(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let read = shop.reading(&["orders"], "SELECT id, customer FROM {s}.orders ORDER BY id");
    let task = task_with(Limits::contract().with_result_bytes(25));
    let error = shop.driver.read(&read, None, &task).await.expect_err("too small");
    assert!(error.is_limit_exceeded());
    assert_eq!(error.reason(), Reason::RowTooLarge);
}
