//! Statements that must be refused although the tables that they claim to read are fine.

use crate::common::{Sandbox, reading, table, task};
use dbeast::reason::DatabaseReason as Reason;

/// Statement and reason, with only `orders` proven.
const REFUSED: &[(&str, Reason)] = &[
    // Not exactly one statement.
    ("", Reason::StatementEmpty),
    (" ; ", Reason::StatementEmpty),
    ("SELECT 1; SELECT 2", Reason::StatementNotSingle),
    ("SELECT id FROM main.orders; DROP TABLE orders", Reason::StatementNotSingle),
    ("SELECT id FROM main.orders; nonsense", Reason::StatementNotSingle),
    ("SELECT 1\0; DROP TABLE orders", Reason::StatementNotSingle),
    // Writing.
    ("INSERT INTO main.orders VALUES (9, 'x', 1)", Reason::StatementNotRead),
    ("INSERT INTO main.orders VALUES (9, 'x', 1) RETURNING id", Reason::StatementNotRead),
    ("REPLACE INTO main.orders VALUES (1, 'x', 1)", Reason::StatementNotRead),
    ("UPDATE main.orders SET total = 0", Reason::StatementNotRead),
    ("DELETE FROM main.orders", Reason::StatementNotRead),
    ("DELETE FROM main.orders RETURNING id", Reason::StatementNotRead),
    ("WITH x AS (SELECT 1) DELETE FROM main.orders", Reason::StatementNotRead),
    ("WITH x AS (SELECT 1) UPDATE main.orders SET total = 0", Reason::StatementNotRead),
    ("CREATE TABLE main.t(a)", Reason::StatementNotRead),
    ("CREATE TEMP TABLE t(a)", Reason::StatementNotRead),
    ("CREATE TEMP TABLE t AS SELECT * FROM main.orders", Reason::StatementNotRead),
    ("CREATE TEMP VIEW v AS SELECT 1", Reason::StatementNotRead),
    ("CREATE VIRTUAL TABLE main.f USING fts5(a)", Reason::StatementNotRead),
    ("DROP TABLE main.orders", Reason::StatementNotRead),
    ("ALTER TABLE main.orders RENAME TO o", Reason::OperationNotVerified),
    ("VACUUM", Reason::StatementNotRead),
    ("VACUUM INTO '/tmp/never-written'", Reason::StatementNotRead),
    ("REINDEX", Reason::OperationNotVerified),
    ("ANALYZE", Reason::StatementNotRead),
    // Other files, settings, transactions.
    ("ATTACH DATABASE '/tmp/never-written' AS other", Reason::OperationNotVerified),
    ("DETACH DATABASE main", Reason::OperationNotVerified),
    ("PRAGMA query_only", Reason::OperationNotVerified),
    ("PRAGMA query_only = OFF", Reason::OperationNotVerified),
    ("PRAGMA query_only(0)", Reason::OperationNotVerified),
    ("PRAGMA main.journal_mode = DELETE", Reason::OperationNotVerified),
    ("PRAGMA writable_schema = ON", Reason::OperationNotVerified),
    ("PRAGMA main.table_xinfo(orders)", Reason::OperationNotVerified),
    ("PRAGMA schema_version", Reason::OperationNotVerified),
    ("BEGIN", Reason::StatementNotRead),
    ("COMMIT", Reason::StatementNotRead),
    ("END", Reason::StatementNotRead),
    ("ROLLBACK", Reason::StatementNotRead),
    ("SAVEPOINT s", Reason::StatementNotRead),
    ("RELEASE s", Reason::StatementNotRead),
    ("EXPLAIN SELECT id FROM main.orders", Reason::StatementNotRead),
    ("EXPLAIN QUERY PLAN SELECT id FROM main.orders", Reason::StatementNotRead),
    // Other relations.
    ("SELECT word FROM main.secrets", Reason::TableNotVerified),
    ("SELECT word FROM secrets", Reason::TableNotVerified),
    ("SELECT count(*) FROM main.secrets", Reason::TableNotVerified),
    ("SELECT count(*) FROM secrets", Reason::TableNotVerified),
    ("SELECT 1 FROM secrets", Reason::TableNotVerified),
    ("SELECT id FROM main.orders WHERE EXISTS (SELECT 1 FROM secrets)", Reason::TableNotVerified),
    (
        "SELECT id FROM main.orders WHERE 'hidden' IN (SELECT word FROM secrets)",
        Reason::TableNotVerified,
    ),
    (
        "WITH orders AS (SELECT word AS id FROM secrets) SELECT id FROM orders",
        Reason::TableNotVerified,
    ),
    (
        "SELECT id FROM main.orders UNION ALL SELECT word FROM main.secrets",
        Reason::TableNotVerified,
    ),
    ("SELECT id FROM main.orders ORDER BY (SELECT word FROM secrets)", Reason::TableNotVerified),
    ("SELECT name FROM main.sqlite_master", Reason::TableNotVerified),
    ("SELECT count(*) FROM sqlite_schema", Reason::TableNotVerified),
    ("SELECT count(*) FROM sqlite_temp_master", Reason::TableNotVerified),
    ("SELECT word FROM main.open_secrets", Reason::StatementNotAccepted),
    ("SELECT count(*) FROM open_secrets", Reason::StatementNotAccepted),
    ("SELECT id FROM main.orders WHERE id IN open_secrets", Reason::StatementNotAccepted),
    ("SELECT id FROM main.orders WHERE id IN secrets", Reason::TableNotVerified),
    // Table-valued functions, with and without parentheses.
    ("SELECT * FROM pragma_table_info('orders')", Reason::TableNotVerified),
    ("SELECT count(*) FROM pragma_table_list", Reason::OperationNotVerified),
    ("SELECT count(*) FROM pragma_database_list", Reason::OperationNotVerified),
    ("SELECT id FROM main.orders WHERE id IN pragma_database_list", Reason::TableNotVerified),
    ("SELECT value FROM json_each('[1]')", Reason::TableNotVerified),
    ("SELECT count(*) FROM json_each('[1]')", Reason::OperationNotVerified),
    ("SELECT count(*) FROM dbstat", Reason::OperationNotVerified),
    ("SELECT * FROM fts3tokenize", Reason::TableNotVerified),
    // Functions.
    ("SELECT load_extension('x')", Reason::FunctionNotVerified),
    ("SELECT readfile('/etc/passwd')", Reason::StatementNotAccepted),
    ("SELECT writefile('/tmp/never-written', 'x')", Reason::StatementNotAccepted),
    ("SELECT fts3_tokenizer('simple')", Reason::FunctionNotVerified),
    ("SELECT randomblob(1000000000)", Reason::FunctionNotVerified),
    ("SELECT zeroblob(1000000000)", Reason::FunctionNotVerified),
    ("SELECT printf('%1000000000s', 'x')", Reason::FunctionNotVerified),
    ("SELECT replace('a', 'a', 'b')", Reason::FunctionNotVerified),
    ("SELECT group_concat(customer) FROM main.orders", Reason::FunctionNotVerified),
    ("SELECT random()", Reason::FunctionNotVerified),
    ("SELECT sqlite_version()", Reason::FunctionNotVerified),
    ("SELECT sqlite_compileoption_get(1)", Reason::FunctionNotVerified),
    ("SELECT last_insert_rowid()", Reason::FunctionNotVerified),
    ("SELECT current_timestamp", Reason::FunctionNotVerified),
    ("SELECT date('now')", Reason::FunctionNotVerified),
    ("SELECT customer -> '$' FROM main.orders", Reason::FunctionNotVerified),
    ("SELECT customer GLOB '*' FROM main.orders", Reason::FunctionNotVerified),
    ("SELECT id FROM main.orders WHERE customer MATCH 'x'", Reason::FunctionNotVerified),
    ("SELECT id FROM main.orders ORDER BY random()", Reason::FunctionNotVerified),
    ("SELECT id FROM main.orders LIMIT (SELECT abs(random()))", Reason::FunctionNotVerified),
    ("SELECT row_number() OVER () FROM main.orders", Reason::FunctionNotVerified),
    (
        "SELECT sum(id) OVER (ORDER BY id ROWS 1 PRECEDING) FROM main.orders",
        Reason::OperationNotVerified,
    ),
    // Columns, strings, parameters, recursion, comments.
    ("SELECT rowid FROM main.lines", Reason::StatementNotAccepted),
    ("SELECT \"no such column\" FROM main.orders", Reason::StatementNotAccepted),
    ("SELECT id FROM main.orders WHERE id = ?", Reason::StatementHasParameters),
    ("SELECT id FROM main.orders WHERE id = :x", Reason::StatementHasParameters),
    (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
        Reason::OperationNotVerified,
    ),
    (
        "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
        Reason::OperationNotVerified,
    ),
    ("SELECT id FROM main.orders -- comment", Reason::StatementNotAccepted),
    ("SELECT id /* comment */ FROM main.orders", Reason::StatementNotAccepted),
    ("SELECT id FROM main.orders COLLATE", Reason::StatementNotAccepted),
    ("SELECT id FROM main.orders ORDER BY customer COLLATE unknown", Reason::StatementNotAccepted),
    ("SELECT id FROM temp.orders", Reason::StatementNotAccepted),
    ("not sql at all", Reason::StatementNotAccepted),
];

#[tokio::test]
async fn hostile_statements_are_refused_and_change_nothing() {
    let shop = Sandbox::shop();
    let before = std::fs::read(shop.path()).expect("the file");
    let mut surprises = Vec::new();
    for (sql, expected) in REFUSED {
        match shop.read(&["orders"], sql).await {
            Ok(rows) => surprises.push(format!("{sql:?} was answered: {rows:?}")),
            Err(error) if error.reason() != *expected => surprises.push(format!(
                "{sql:?}: {} instead of {} ({})",
                error.reason().code(),
                expected.code(),
                error.cause()
            )),
            Err(error) => assert!(error.is_refused(), "{sql:?}: {error:?}"),
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    assert_eq!(std::fs::read(shop.path()).expect("the file"), before, "the file has changed");
    assert!(!std::path::Path::new("/tmp/never-written").exists());
}

#[tokio::test]
async fn a_row_id_that_is_no_column_is_refused() {
    let sandbox = Sandbox::new("CREATE TABLE plain(a); INSERT INTO plain VALUES (1);");
    for word in ["rowid", "oid", "_rowid_"] {
        let sql = format!("SELECT {word} FROM main.plain");
        assert_eq!(sandbox.refusal(&["plain"], &sql).await, Reason::ColumnNotVerified, "{sql}");
    }
}

#[tokio::test]
async fn columns_are_checked_on_their_own_table() {
    let shop = Sandbox::shop();
    let cases = [
        ("orders", "total", None),
        ("ORDERS", "TOTAL", None),
        ("orders", "word", Some(Reason::ColumnUnknown)),
        ("orders", "rowid", Some(Reason::ColumnUnknown)),
        ("secrets", "word", Some(Reason::TableNotVerified)),
    ];
    for (name, column, expected) in cases {
        let mut read = reading(&["orders"], "SELECT id FROM main.orders");
        read.columns = vec![(table(name), column.to_owned())];
        let result = shop.driver().read(&read, None, &task()).await;
        assert_eq!(result.err().map(|error| error.reason()), expected, "{name}.{column}");
    }
}

#[tokio::test]
async fn more_than_sixteen_tables_are_refused() {
    use std::fmt::Write as _;
    let mut sql = String::new();
    for number in 0..17 {
        write!(sql, "CREATE TABLE t{number}(a);").expect("written");
    }
    let sandbox = Sandbox::new(&sql);
    let names: Vec<String> = (0..17).map(|number| format!("t{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert!(sandbox.read(&names[..16], "SELECT a FROM main.t1").await.is_ok());
    assert_eq!(sandbox.refusal(&names, "SELECT a FROM main.t1").await, Reason::TooManyTables);
    // The same table twice is one table.
    assert!(sandbox.read(&["t1"; 40], "SELECT a FROM main.t1").await.is_ok());
}

#[tokio::test]
async fn statements_beyond_the_limits_of_the_handle_are_refused() {
    let shop = Sandbox::shop();
    let deep = format!("SELECT {}1{}", "(1+".repeat(600), ")".repeat(600));
    let long = format!("SELECT '{}'", "x".repeat(300_000));
    let wide = format!("SELECT {}", vec!["1"; 1025].join(","));
    let compound = vec!["SELECT 1"; 101].join(" UNION ALL ");
    for sql in [long, deep, wide, compound] {
        let reason = shop.refusal(&["orders"], &sql).await;
        let expected = [Reason::StatementTooComplex, Reason::StatementNotAccepted];
        assert!(expected.contains(&reason), "{}: {reason:?}", &sql[..40]);
    }
}
