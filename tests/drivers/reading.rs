//! Statements that must be answered, and the values they answer with.

use crate::common::{Sandbox, reading, table, task};
use dbeast::value::{Cell, Guard};
use std::time::Duration;

/// Statement and rows, over the tables `orders` and `lines`.
const ANSWERED: &[(&str, &[&[&str]])] = &[
    (r#"SELECT "id" FROM "main"."orders" ORDER BY "id""#, &[&["1"], &["2"], &["3"]]),
    ("SELECT id FROM main.ORDERS WHERE CUSTOMER = 'Bob'", &[&["2"]]),
    ("SELECT id FROM main.orders ORDER BY id;", &[&["1"], &["2"], &["3"]]),
    ("SELECT DISTINCT customer FROM main.orders ORDER BY 1", &[&["Ada"], &["Bob"]]),
    ("SELECT count(*) FROM main.orders", &[&["3"]]),
    ("SELECT count(*) FROM main.lines", &[&["3"]]),
    ("SELECT 1 FROM main.orders LIMIT 1", &[&["1"]]),
    (
        "SELECT sum(total), avg(total), min(id), max(id) FROM main.orders",
        &[&["30.5", "15.25", "1", "3"]],
    ),
    (
        "SELECT upper(customer), lower(customer), length(customer), octet_length(customer) FROM main.orders WHERE id = 1",
        &[&["ADA", "ada", "3", "3"]],
    ),
    (
        "SELECT coalesce(total, 0), nullif(id, 3), round(2.6), abs(-4) FROM main.orders WHERE id = 3",
        &[&["0", "NULL", "3.0", "4"]],
    ),
    ("SELECT id FROM main.orders WHERE customer LIKE 'a%' ORDER BY id", &[&["1"], &["3"]]),
    (
        r"SELECT id FROM main.orders WHERE customer NOT LIKE 'a\%' ESCAPE '\' AND id IN (1, 2) ORDER BY id",
        &[&["1"], &["2"]],
    ),
    (
        "SELECT customer, count(*) FROM main.orders GROUP BY customer HAVING count(*) > 1",
        &[&["Ada", "2"]],
    ),
    (
        "SELECT o.id, l.product FROM main.orders AS o LEFT JOIN main.lines AS l ON l.order_id = o.id ORDER BY 1, 2",
        &[&["1", "ink"], &["1", "pen"], &["2", "pen"], &["3", "NULL"]],
    ),
    ("SELECT a.id FROM main.orders a JOIN main.orders b ON a.id = b.id WHERE a.id = 2", &[&["2"]]),
    (
        "WITH ada AS (SELECT id FROM main.orders WHERE customer = 'Ada') SELECT id FROM ada ORDER BY id",
        &[&["1"], &["3"]],
    ),
    (
        "WITH ada AS (SELECT id FROM main.orders WHERE customer = 'Ada') SELECT count(*) FROM ada",
        &[&["2"]],
    ),
    (
        "WITH ada AS MATERIALIZED (SELECT id FROM main.orders) SELECT count(*) FROM ada x, ada y",
        &[&["9"]],
    ),
    ("SELECT count(*) FROM (SELECT id FROM main.orders)", &[&["3"]]),
    ("SELECT x.n FROM (SELECT count(*) AS n FROM main.orders) AS x", &[&["3"]]),
    (
        "SELECT id FROM main.orders WHERE EXISTS (SELECT 1 FROM main.lines WHERE order_id = id) ORDER BY id",
        &[&["1"], &["2"]],
    ),
    (
        "SELECT (SELECT count(*) FROM main.lines WHERE order_id = id) FROM main.orders ORDER BY id",
        &[&["2"], &["1"], &["0"]],
    ),
    (
        "SELECT customer FROM main.orders UNION SELECT product FROM main.lines ORDER BY 1",
        &[&["Ada"], &["Bob"], &["ink"], &["pen"]],
    ),
    ("SELECT customer FROM main.orders EXCEPT SELECT 'Bob'", &[&["Ada"]]),
    ("SELECT customer FROM main.orders INTERSECT SELECT 'Bob'", &[&["Bob"]]),
    (
        "SELECT CASE WHEN total IS NULL THEN 'none' ELSE 'some' END FROM main.orders ORDER BY id",
        &[&["some"], &["some"], &["none"]],
    ),
    ("SELECT id FROM main.orders WHERE id = 1 OR customer = 'Bob' ORDER BY id", &[&["1"], &["2"]]),
    (
        "SELECT id FROM main.orders WHERE id BETWEEN 2 AND 3 ORDER BY total DESC, id",
        &[&["2"], &["3"]],
    ),
    (
        "SELECT id * 2 + 1, id || '!', id % 2, -id, NOT id, id & 1 FROM main.orders WHERE id = 2",
        &[&["5", "2!", "0", "-2", "0", "0"]],
    ),
    ("SELECT total IS NOT NULL FROM main.orders WHERE id = 1", &[&["1"]]),
    ("SELECT count(DISTINCT customer) FROM main.orders", &[&["2"]]),
    ("SELECT id FROM main.orders ORDER BY id LIMIT 1 OFFSET 1", &[&["2"]]),
    ("SELECT id FROM main.orders WHERE customer = '; DROP TABLE orders --'", &[]),
    ("VALUES (1), (2)", &[&["1"], &["2"]]),
    // A CTE hides a table that was not verified, so nothing of that table is read.
    ("WITH secrets AS (SELECT id FROM main.orders) SELECT count(*) FROM secrets", &[&["3"]]),
    (
        "WITH a AS (SELECT id FROM main.orders), b AS (SELECT max(id) AS top FROM a) SELECT top FROM b",
        &[&["3"]],
    ),
    (
        "SELECT l.product FROM main.orders o JOIN main.lines l ON o.id = l.order_id AND l.product LIKE 'i%'",
        &[&["ink"]],
    ),
    (
        "SELECT o.id FROM main.lines l RIGHT JOIN main.orders o ON o.id = l.order_id WHERE l.product IS NULL",
        &[&["3"]],
    ),
    ("SELECT count(*) FROM main.lines l FULL JOIN main.orders o ON o.id = l.order_id", &[&["4"]]),
    ("SELECT id FROM main.orders WHERE (id, customer) = (2, 'Bob')", &[&["2"]]),
    (
        "SELECT id FROM main.orders WHERE (id, 'pen') IN (SELECT order_id, product FROM main.lines) ORDER BY 1",
        &[&["1"], &["2"]],
    ),
    (
        "SELECT customer FROM main.orders GROUP BY customer ORDER BY max(total) DESC LIMIT 1",
        &[&["Bob"]],
    ),
    (
        "SELECT id FROM main.orders UNION ALL SELECT order_id FROM main.lines ORDER BY 1 LIMIT 2 OFFSET 3",
        &[&["2"], &["2"]],
    ),
    (
        "SELECT customer FROM main.orders WHERE customer >= 'B' AND id <> 1 ORDER BY customer",
        &[&["Bob"]],
    ),
];

#[tokio::test]
async fn ordinary_reads_are_answered() {
    let shop = Sandbox::shop();
    for (sql, expected) in ANSWERED {
        assert_eq!(shop.texts(&["orders", "lines"], sql).await, *expected, "{sql}");
    }
}

#[tokio::test]
async fn reads_are_answered_when_the_planner_has_statistics() {
    let shop = Sandbox::shop();
    shop.writer().execute_batch("ANALYZE").expect("statistics");
    for (sql, expected) in ANSWERED {
        assert_eq!(shop.texts(&["orders", "lines"], sql).await, *expected, "{sql}");
    }
}

#[tokio::test]
async fn the_columns_and_the_guards_are_reported() {
    let shop = Sandbox::shop();
    let rows = shop
        .read(&["orders"], "SELECT id, id, total AS \"a b\" FROM main.orders")
        .await
        .expect("rows");
    assert_eq!(rows.columns, ["id", "id", "a b"]);
    assert!(!rows.is_truncated());
    assert_eq!(
        rows.guards,
        [
            Guard::ReadOnlyHandle,
            Guard::Deadline,
            Guard::ReadOnlyTransaction,
            Guard::TableProof,
            Guard::Authorizer,
            Guard::ResultLimits,
            Guard::IdentityPinned,
        ]
    );
}

#[tokio::test]
async fn every_kind_of_value_is_exact() {
    let sandbox = Sandbox::new(
        "CREATE TABLE kinds(position INTEGER, value);
         INSERT INTO kinds VALUES
            (1, 9223372036854775807), (2, -9223372036854775808), (3, 0.1), (4, 1.0), (5, 9e999),
            (6, -9e999), (7, -0.0), (8, 5e-324), (9, 'é\"\\'), (10, ''), (11, x''), (12, x'00ff'),
            (13, NULL), (14, CAST(x'ff61' AS TEXT)), (15, CAST(x'610062' AS TEXT)), (16, 9007199254740993);",
    );
    let text = |text: &str| Cell::Text(text.to_owned());
    let expected = [
        text("9223372036854775807"),
        text("-9223372036854775808"),
        text("0.1"),
        text("1.0"),
        text("Infinity"),
        text("-Infinity"),
        text("-0.0"),
        text("5e-324"),
        text("é\"\\"),
        text(""),
        Cell::Binary(Vec::new()),
        Cell::Binary(vec![0, 255]),
        Cell::Null,
        // No UTF-8, so not shown as text.
        Cell::Binary(vec![0xff, 0x61]),
        text("a\0b"),
        text("9007199254740993"),
    ];
    let rows = sandbox
        .read(&["kinds"], "SELECT value FROM main.kinds ORDER BY position")
        .await
        .expect("rows");
    let cells: Vec<Cell> = rows.rows.into_iter().flatten().collect();
    assert_eq!(cells, expected);
}

#[tokio::test]
async fn strange_names_work_when_they_are_quoted() {
    let sandbox = Sandbox::new(
        r#"CREATE TABLE "a ""b; --'"("select ""x" TEXT); INSERT INTO "a ""b; --'" VALUES ('here');"#,
    );
    let mut read = reading(&[], r#"SELECT "select ""x" FROM "main"."a ""b; --'""#);
    read.tables = vec![table(r#"a "b; --'"#)];
    read.columns = vec![(table(r#"A "B; --'"#), r#"SELECT "X"#.to_owned())];
    let rows = sandbox.driver().read(&read, None, &task()).await.expect("rows").value;
    assert_eq!(rows.rows, [[Cell::Text("here".to_owned())]]);
}

#[tokio::test]
async fn a_reader_sees_one_moment_while_another_program_writes() {
    let shop = Sandbox::shop();
    let writer = shop.writer();
    writer.pragma_update(None, "journal_mode", "wal").expect("a write-ahead log");
    writer
        .execute_batch("BEGIN IMMEDIATE; INSERT INTO orders VALUES (4, 'Eve', 1.0);")
        .expect("an open transaction");
    let sql = "SELECT count(*) FROM main.orders";
    assert_eq!(shop.texts(&["orders"], sql).await, [["3"]], "not committed yet");
    writer.execute_batch("COMMIT").expect("committed");
    assert_eq!(shop.texts(&["orders"], sql).await, [["4"]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_readers_never_see_half_a_transaction() {
    for mode in ["wal", "delete"] {
        let sandbox = Sandbox::new(
            "CREATE TABLE accounts(id INTEGER PRIMARY KEY, amount INTEGER);
             INSERT INTO accounts VALUES (1, 500), (2, 500);",
        );
        let writer = sandbox.writer();
        writer.pragma_update(None, "journal_mode", mode).expect("the mode");
        writer.busy_timeout(Duration::from_secs(20)).expect("patience");
        let moving = tokio::task::spawn_blocking(move || {
            for _ in 0..200 {
                writer
                    .execute_batch(
                        "BEGIN IMMEDIATE;
                         UPDATE accounts SET amount = amount - 1 WHERE id = 1;
                         UPDATE accounts SET amount = amount + 1 WHERE id = 2;
                         COMMIT;",
                    )
                    .expect("moved");
            }
        });
        let readers: Vec<_> = (0..4)
            .map(|_| {
                let database = sandbox.driver();
                tokio::spawn(async move {
                    let read = reading(&["accounts"], "SELECT sum(amount) FROM main.accounts");
                    for _ in 0..25 {
                        let rows = database.read(&read, None, &task()).await.expect("rows").value;
                        assert_eq!(rows.rows, [[Cell::Text("1000".to_owned())]]);
                    }
                })
            })
            .collect();
        for reader in readers {
            reader.await.expect("no half transaction");
        }
        moving.await.expect("the writer was never stopped");
        let moved =
            sandbox.texts(&["accounts"], "SELECT amount FROM main.accounts ORDER BY id").await;
        assert_eq!(moved, [["300"], ["700"]], "{mode}");
    }
}
