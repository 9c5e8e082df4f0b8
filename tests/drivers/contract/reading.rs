//! Verified reads.

use super::{Bench, Shop, task, texts};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::Cell;

pub(crate) async fn values_are_exact_text(bench: &dyn Bench) {
    let bytes = bench.dialect().two_bytes;
    let words = format!(
        "INSERT INTO {{s}}.words VALUES (1, '', {bytes}), (2, NULL, NULL), (3, 'é€😀 \"quoted\" it''s', NULL)"
    );
    let shop = Shop::with(bench, &[words]);
    let rows = shop.read(&["words"], "SELECT word, raw FROM {s}.words ORDER BY id").await;
    let text = |text: &str| Cell::Text(text.to_owned());
    assert_eq!(
        rows.expect("rows").rows,
        [
            vec![text(""), Cell::Binary(vec![0, 255])],
            vec![Cell::Null, Cell::Null],
            vec![text("é€😀 \"quoted\" it's"), Cell::Null],
        ]
    );
    let rows = shop
        .read(
            &["orders"],
            "SELECT o.id, o.total, count(*) FROM {s}.orders AS o GROUP BY o.id, o.total ORDER BY 1",
        )
        .await
        .expect("rows");
    assert_eq!(texts(&rows), [["1", "10", "1"], ["2", "20", "1"], ["3", "NULL", "1"]]);
    assert_eq!((rows.truncated_by, rows.affected_rows), (None, None));
}

pub(crate) async fn columns_may_have_one_name(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let sql = "SELECT id, id, total AS id FROM {s}.orders WHERE id = 1";
    let rows = shop.read(&["orders"], sql).await.expect("rows");
    assert_eq!(rows.columns, ["id", "id", "id"]);
    assert_eq!(texts(&rows), [["1", "1", "10"]]);
    let rows = shop.read(&["orders"], "SELECT id FROM {s}.orders WHERE id = 9").await;
    let rows = rows.expect("no rows");
    assert_eq!((rows.columns.len(), rows.rows.len(), rows.truncated_by), (1, 0, None));
}

pub(crate) async fn unknown_columns_are_refused(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let mut read = shop.reading(&["orders"], "SELECT id FROM {s}.orders");
    read.columns = vec![(shop.table("orders"), "nothing".to_owned())];
    let error = shop.driver.read(&read, None, &task()).await.expect_err("no such column");
    assert!(error.is_refused());
    assert_eq!(error.reason(), Reason::ColumnUnknown, "{}", error.cause());
    read.columns = vec![(shop.table("orders"), "customer".to_owned())];
    assert!(shop.driver.read(&read, None, &task()).await.is_ok());
    let error = shop.read(&["orders"], "SELECT nothing FROM {s}.orders").await;
    let error = error.expect_err("no such column");
    assert!(error.is_refused(), "{error:?} {}", error.cause());
}

pub(crate) async fn only_one_statement_is_read(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in [
        "SELECT id FROM {s}.orders; DELETE FROM {s}.orders",
        "SELECT id FROM {s}.orders; SELECT id FROM {s}.orders",
        "SELECT 1\0; DELETE FROM {s}.orders",
        "",
    ] {
        let error = shop.read(&["orders"], sql).await.expect_err(sql);
        assert!(error.is_refused(), "{sql:?}: {error:?} {}", error.cause());
    }
    shop.must_be_untouched("two statements").await;
}

pub(crate) async fn reading_never_writes(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in [
        "DELETE FROM {s}.orders",
        "UPDATE {s}.orders SET total = 0",
        "INSERT INTO {s}.orders VALUES (9, 'x', 1)",
        "DROP TABLE {s}.orders",
        "CREATE TABLE {s}.more(a INTEGER)",
        "COMMIT",
        "ROLLBACK",
        "BEGIN",
    ] {
        let error = shop.read(&["orders"], sql).await.expect_err(sql);
        assert!(!error.is_outcome_unknown(), "{sql}: {error:?} {}", error.cause());
        shop.must_be_untouched(sql).await;
    }
}
