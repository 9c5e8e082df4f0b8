//! Tables that can be proven and tables that cannot.

use crate::common::{Sandbox, reading, table, task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::TableName;
use std::fmt::Write as _;

/// A full-text table brings virtual tables and their storage.
const MIXED: &str = "
    CREATE TABLE plain(a INTEGER);
    CREATE TABLE strict_one(a INTEGER) STRICT;
    CREATE TABLE keyed(a INTEGER PRIMARY KEY, b) WITHOUT ROWID;
    CREATE TABLE stored(a, b AS (a + 1) STORED);
    CREATE TABLE computed(a, b AS (a + 1));
    CREATE VIEW seen AS SELECT a FROM plain;
    CREATE VIRTUAL TABLE texts USING fts5(body);
    CREATE VIRTUAL TABLE areas USING rtree(id, low, high);
    CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE TABLE partial_index(a, b);
    CREATE INDEX partial_one ON partial_index(a) WHERE b > 0;
    CREATE INDEX expression_one ON partial_index(lower(a));
    INSERT INTO partial_index VALUES ('X', 1);
";

const KINDS: &[(&str, Option<Reason>)] = &[
    ("plain", None),
    ("PLAIN", None),
    ("strict_one", None),
    ("keyed", None),
    ("counted", None),
    ("partial_index", None),
    ("stored", Some(Reason::TableHasGeneratedColumn)),
    ("computed", Some(Reason::TableHasGeneratedColumn)),
    ("seen", Some(Reason::TableIsView)),
    ("texts", Some(Reason::TableIsVirtual)),
    ("areas", Some(Reason::TableIsVirtual)),
    ("texts_data", Some(Reason::TableIsShadow)),
    ("texts_content", Some(Reason::TableIsShadow)),
    ("Texts_Config", Some(Reason::TableIsShadow)),
    ("areas_node", Some(Reason::TableIsShadow)),
    ("sqlite_master", Some(Reason::TableIsSystem)),
    ("sqlite_schema", Some(Reason::TableIsSystem)),
    ("SQLITE_sequence", Some(Reason::TableIsSystem)),
    ("missing", Some(Reason::TableUnknown)),
    ("", Some(Reason::TableUnknown)),
    ("pla\0in", Some(Reason::TableUnknown)),
    ("json_each", Some(Reason::TableUnknown)),
    ("pragma_table_list", Some(Reason::TableUnknown)),
    ("plain\" UNION SELECT 1 --", Some(Reason::TableUnknown)),
    ("partial_one", Some(Reason::TableUnknown)),
];

#[tokio::test]
async fn each_kind_of_table_is_told_apart() {
    let sandbox = Sandbox::new(MIXED);
    for (name, expected) in KINDS {
        let described = sandbox.driver().describe_table(&table(name), None, &task()).await;
        assert_eq!(described.err().map(|error| error.reason()), *expected, "describe {name:?}");
        let read = sandbox.read(&[name], "SELECT 1").await;
        assert_eq!(read.err().map(|error| error.reason()), *expected, "read {name:?}");
    }
}

#[tokio::test]
async fn only_main_has_tables() {
    let sandbox = Sandbox::new(MIXED);
    for (schema, expected) in
        [("main", None), ("MAIN", None), ("temp", Some(())), ("", Some(())), ("other", Some(()))]
    {
        let name = TableName { schema: schema.to_owned(), name: "plain".to_owned() };
        let described = sandbox.driver().describe_table(&name, None, &task()).await;
        let reason = described.err().map(|error| error.reason());
        assert_eq!(reason, expected.map(|()| Reason::SchemaUnknown), "{schema:?}");
    }
}

#[tokio::test]
async fn virtual_tables_and_their_storage_cannot_be_read_past_the_proof() {
    let sandbox = Sandbox::new(MIXED);
    for sql in [
        "SELECT body FROM main.texts",
        "SELECT count(*) FROM texts",
        "SELECT block FROM main.texts_data",
        "SELECT count(*) FROM texts_data",
        "SELECT a FROM main.plain WHERE a IN texts",
    ] {
        let reason = sandbox.refusal(&["plain"], sql).await;
        let expected =
            [Reason::TableNotVerified, Reason::OperationNotVerified, Reason::StatementNotAccepted];
        assert!(expected.contains(&reason), "{sql}: {reason:?}");
    }
}

#[tokio::test]
async fn indexes_with_expressions_are_used_without_widening_the_read() {
    let sandbox = Sandbox::new(MIXED);
    let sql = "SELECT a FROM main.partial_index WHERE lower(a) = 'x'";
    assert_eq!(sandbox.texts(&["partial_index"], sql).await, [["X"]]);
    let sql = "SELECT a FROM main.partial_index WHERE a = 'X' AND b > 0";
    assert_eq!(sandbox.texts(&["partial_index"], sql).await, [["X"]]);
}

#[tokio::test]
async fn sixty_four_columns_are_covered_and_sixty_five_are_not() {
    let mut sql = String::new();
    for count in [64, 65] {
        let columns: Vec<String> = (0..count).map(|number| format!("c{number}")).collect();
        write!(sql, "CREATE TABLE wide{count}({});", columns.join(",")).expect("written");
    }
    let sandbox = Sandbox::new(&sql);
    assert!(sandbox.read(&["wide64"], "SELECT c63 FROM main.wide64").await.is_ok());
    assert_eq!(
        sandbox.refusal(&["wide65"], "SELECT c0 FROM main.wide65").await,
        Reason::TableTooWide
    );
}

#[tokio::test]
async fn a_collation_that_is_not_built_in_is_refused() {
    let sandbox = Sandbox::empty();
    let writer = sandbox.writer();
    writer
        .execute_batch(
            "CREATE TABLE tuned(a TEXT COLLATE NOCASE, b TEXT COLLATE rtrim);
             CREATE TABLE custom(a TEXT);
             PRAGMA writable_schema = ON;
             UPDATE sqlite_master SET sql = 'CREATE TABLE custom(a TEXT COLLATE german)' WHERE name = 'custom';",
        )
        .expect("a table with a collation of another program");
    drop(writer);
    assert!(sandbox.read(&["tuned"], "SELECT a FROM main.tuned").await.is_ok());
    let reason = sandbox.refusal(&["custom"], "SELECT 1").await;
    assert_eq!(reason, Reason::TableHasCustomCollation);
}

#[tokio::test]
async fn a_function_of_another_program_in_the_schema_does_not_run() {
    let sandbox = Sandbox::empty();
    let writer = sandbox.writer();
    writer
        .execute_batch(
            "CREATE TABLE t(a TEXT, b TEXT);
             INSERT INTO t VALUES ('x', 'y');
             CREATE INDEX by_a ON t(lower(a));
             PRAGMA writable_schema = ON;
             UPDATE sqlite_master SET sql = 'CREATE INDEX by_a ON t(custom(a))' WHERE name = 'by_a';
             UPDATE sqlite_master SET sql = 'CREATE TABLE t(a TEXT CHECK(custom(a)), b TEXT DEFAULT (custom(1)))' WHERE name = 't';",
        )
        .expect("a schema that calls a function of another program");
    drop(writer);
    assert_eq!(sandbox.texts(&["t"], "SELECT a, b FROM main.t").await, [["x", "y"]]);
    let reason = sandbox.refusal(&["t"], "SELECT custom(a) FROM main.t").await;
    assert_eq!(reason, Reason::StatementNotAccepted);
}

#[tokio::test]
async fn functions_in_defaults_are_no_obstacle_and_no_permission() {
    let sandbox = Sandbox::new(
        "CREATE TABLE t(
            id TEXT DEFAULT (lower(hex(randomblob(16)))), made TEXT DEFAULT CURRENT_TIMESTAMP,
            at TEXT DEFAULT (strftime('%s', 'now')), blank BLOB DEFAULT (zeroblob(4)));
         INSERT INTO t(id) VALUES ('x');
         CREATE INDEX by_blank ON t(blank);
         ANALYZE;",
    );
    let sql = "SELECT id, made IS NULL, at IS NULL, blank FROM main.t";
    assert_eq!(sandbox.texts(&["t"], sql).await, [["x", "0", "0", "[00, 00, 00, 00]"]]);
    for call in [
        "randomblob(9)",
        "hex('a')",
        "CURRENT_TIMESTAMP",
        "strftime('%s', 'now')",
        "zeroblob(1000000000)",
        "lower(hex('a'))",
    ] {
        for sql in [
            format!("SELECT {call} FROM main.t"),
            format!("SELECT id FROM main.t WHERE blank = {call}"),
            format!("SELECT id FROM main.t ORDER BY {call}"),
            format!("SELECT id FROM main.t LIMIT {call}"),
            format!("SELECT count(*) FROM main.t GROUP BY {call}"),
            format!("SELECT (SELECT {call})"),
        ] {
            // A folded zeroblob of a gigabyte is too big before it is refused.
            let reason = sandbox.refusal(&["t"], &sql).await;
            let expected = [Reason::FunctionNotVerified, Reason::StatementTooComplex];
            assert!(expected.contains(&reason), "{sql}: {reason:?}");
        }
    }
}

#[tokio::test]
async fn comments_in_the_schema_are_no_obstacle() {
    let sandbox =
        Sandbox::new("CREATE TABLE t(a /* why */, -- and how\n b); INSERT INTO t VALUES (1, 2);");
    assert_eq!(sandbox.texts(&["t"], "SELECT a, b FROM main.t").await, [["1", "2"]]);
}

#[tokio::test]
async fn a_changed_table_is_proven_anew() {
    let shop = Sandbox::shop();
    let driver = shop.driver();
    let read = reading(&["orders"], "SELECT total FROM main.orders WHERE id = 1");
    assert!(driver.read(&read, None, &task()).await.is_ok());
    shop.writer().execute_batch("ALTER TABLE orders DROP COLUMN total").expect("changed");
    let error = driver.read(&read, None, &task()).await.expect_err("the column is gone");
    assert_eq!(error.reason(), Reason::StatementNotAccepted);
    shop.writer()
        .execute_batch("DROP TABLE orders; CREATE VIEW orders AS SELECT 1 AS total, 1 AS id")
        .expect("changed");
    let error = driver.read(&read, None, &task()).await.expect_err("a view now");
    assert_eq!(error.reason(), Reason::TableIsView);
}
