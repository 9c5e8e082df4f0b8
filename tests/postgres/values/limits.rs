//! Rows, cells and bytes: at the limit and one past it, read and in Full SQL.

use super::{full, read, text};
use crate::contract::limits::json_bytes;
use crate::postgres::common::{driver, table, task};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, Role};
use dbeast::drivers::{Gate, Limits, TableWrite, Task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{Cell, ReadLock, ResultLimit, Rows};

/// A table `s.t` made of these columns, with these rows.
fn filled(columns: &str, rows: &str) -> Database<'static> {
    let database = Database::shared();
    database
        .connect(Role::Owner)
        .must(&format!("CREATE SCHEMA s; CREATE TABLE s.t ({columns}); INSERT INTO s.t {rows}"));
    database
}

/// How many rows came, what ended them; and their bytes are those of the JSON.
fn told(rows: &Rows) -> (usize, Option<ResultLimit>) {
    assert_eq!(rows.bytes, u64::try_from(json_bytes(rows)).expect("small"));
    assert!(rows.bytes <= 262_144);
    (rows.rows.len(), rows.truncated_by)
}

#[tokio::test]
async fn five_hundred_rows_are_whole_and_one_more_is_not() {
    let database = filled("a int", "SELECT generate_series(1, 501)");
    for (sql, expected) in [
        ("SELECT a FROM s.t WHERE a < 501", (500, None)),
        ("SELECT a FROM s.t", (500, Some(ResultLimit::Rows))),
        ("SELECT a FROM s.t WHERE a < 1", (0, None)),
    ] {
        assert_eq!(told(&read(&database, sql).await.expect("rows")), expected, "{sql}");
        let rows = full(&database, sql).await;
        assert_eq!((told(&rows), rows.columns), (expected, vec!["a".to_owned()]), "{sql}");
    }
}

#[tokio::test]
async fn a_cell_of_64_kib_is_whole_and_one_more_byte_is_not() {
    let cases = [
        ("text", "repeat('x', 65536)", true),
        ("text", "repeat('x', 65537)", false),
        ("text", "repeat('é', 32768)", true),
        ("text", "repeat('é', 32768) || 'x'", false),
        ("text", "repeat('😀', 16384)", true),
        ("text", "repeat('😀', 16385)", false),
        // Two digits a byte; the two letters before them do not count.
        ("bytea", "decode(repeat('ff', 32768), 'hex')", true),
        ("bytea", "decode(repeat('ff', 32769), 'hex')", false),
        ("text[]", "ARRAY[repeat('x', 65534)]", true),
        ("text[]", "ARRAY[repeat('x', 65535)]", false),
        ("text", "repeat('x', 270000)", false),
        ("text", "repeat('x', 300000)", false),
        ("bytea", "decode(repeat('ff', 200000), 'hex')", false),
    ];
    for (kind, value, fits) in cases {
        let database = filled(
            &format!("id int, v {kind}"),
            &format!("SELECT 1, NULL UNION ALL SELECT 2, {value} UNION ALL SELECT 3, NULL"),
        );
        let answer = read(&database, "SELECT v FROM s.t ORDER BY id").await;
        let answer = answer.map(|rows| told(&rows)).map_err(|error| error.reason());
        let expected = if fits { Ok((3, None)) } else { Err(Reason::CellTooLarge) };
        assert_eq!(answer, expected, "{value}");
        // A statement in the agent's own words may have taken effect: its rows end before the cell.
        let rows = full(&database, "SELECT v FROM s.t ORDER BY id").await;
        let expected = if fits { (3, None) } else { (1, Some(ResultLimit::CellBytes)) };
        assert_eq!(told(&rows), expected, "{value}");
    }
}

#[tokio::test]
async fn a_result_of_256_kib_is_whole_and_one_more_byte_is_not() {
    // `["v"]`, `[]`, and six bytes or so for each row: the fifth row ends at the limit exactly.
    for (last, expected) in [(22_113, (5, None)), (22_114, (4, Some(ResultLimit::Bytes)))] {
        let database = filled(
            "id int, v text",
            &format!(
                "SELECT n, repeat('x', CASE n WHEN 5 THEN {last} ELSE 60000 END) FROM generate_series(1, 5) n"
            ),
        );
        let sql = "SELECT v FROM s.t ORDER BY id";
        let rows = read(&database, sql).await.expect("rows");
        assert_eq!(told(&rows), expected);
        assert_eq!(rows.bytes == 262_144, rows.truncated_by.is_none());
        assert_eq!(told(&full(&database, sql).await), expected);
    }
}

#[tokio::test]
async fn bytes_are_counted_as_the_json_that_leaves() {
    let database = filled(
        "id int, \"q\"\"\\ é\" text, b bytea",
        "VALUES (1, E'\\x01\\x02\"\\\\\\n\\t\\x7f', '\\x'), (2, NULL, NULL), (3, 'é€😀', '\\x00ff'), (4, '', '\\x01')",
    );
    let sql = "SELECT \"q\"\"\\ é\", \"b\", \"id\" FROM \"s\".\"t\" ORDER BY \"id\"";
    let whole = read(&database, sql).await.expect("rows");
    assert_eq!(told(&whole), (4, None));
    assert_eq!(whole.rows[0][..2], [text("\u{1}\u{2}\"\\\n\t\u{7f}"), Cell::Binary(vec![])]);
    assert_eq!(told(&full(&database, sql).await), (4, None));
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let bytes = json_bytes(&whole);
    for (limit, expected) in [(bytes, (4, None)), (bytes - 1, (3, Some(ResultLimit::Bytes)))] {
        let limits = Limits::contract().with_result_bytes(limit);
        let rows = driver.run_full(sql, Gate::open(), &limited(limits)).await.expect("rows");
        assert_eq!(told(&rows), expected);
    }
}

fn limited(limits: Limits) -> Task {
    let task = task();
    Task::new(task.cancel().clone(), task.deadline(), limits)
}

#[tokio::test]
async fn a_first_row_that_does_not_fit_is_refused_to_a_read_and_cut_for_full_sql() {
    // The first in a row that is taken and measured, the second in one that is passed over.
    for (count, letter) in [(44_000, "\u{1}"), (65_000, "x")] {
        let database = filled("v text", &format!("SELECT repeat('{letter}', {count})"));
        let sql = "SELECT v, v, v, v, v FROM s.t";
        let error = read(&database, sql).await.expect_err("more than 256 KiB");
        assert_eq!(error.reason(), Reason::RowTooLarge);
        assert_eq!(told(&full(&database, sql).await), (0, Some(ResultLimit::Bytes)));
    }
}

#[tokio::test]
async fn a_write_is_complete_although_its_rows_are_cut() {
    let database = filled("a int, v text", "SELECT 0, ''");
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let mut owner = database.connect(Role::Owner);
    let cases = [
        ("repeat('x', 10)", 500, ResultLimit::Rows),
        ("repeat('x', 1000)", 259, ResultLimit::Bytes),
        ("repeat('x', CASE n WHEN 300 THEN 65537 END)", 299, ResultLimit::CellBytes),
        ("repeat('x', CASE n WHEN 300 THEN 1000000 END)", 299, ResultLimit::CellBytes),
        // The first row.
        ("repeat('x', 65537)", 0, ResultLimit::CellBytes),
    ];
    for (value, kept, limit) in cases {
        owner.must("TRUNCATE s.t");
        let sql = format!(
            "INSERT INTO s.t SELECT n, {value} FROM generate_series(1, 2000) n RETURNING a, v"
        );
        let rows = full(&database, &sql).await;
        assert_eq!(told(&rows), (kept, Some(limit)), "{value}");
        assert_eq!(rows.affected_rows, Some(2000), "{value}");
        assert_eq!(owner.value("SELECT count(*) FROM s.t"), "2000", "{value}");
        // The same of a verified write.
        let write = TableWrite {
            sql: "DELETE FROM s.t RETURNING a, v".to_owned(),
            table: table("s", "t"),
            columns: Vec::new(),
        };
        let rows = driver.write_table(&write, Gate::open(), &task()).await.expect("gone");
        assert_eq!((told(&rows), rows.affected_rows), ((kept, Some(limit)), Some(2000)), "{value}");
        assert_eq!(owner.value("SELECT count(*) FROM s.t"), "0", "{value}");
    }
}

/// So many columns with long names.
fn names(count: usize, letter: &str) -> String {
    let name = letter.repeat(57);
    let columns: Vec<_> = (0..count).map(|n| format!("a AS \"{n:06}{name}\"")).collect();
    columns.join(", ")
}

#[tokio::test]
async fn as_many_columns_as_the_server_returns() {
    let database = filled("a int", "VALUES (1)");
    let sql = format!("SELECT {} FROM s.t", names(1664, "x"));
    assert_eq!(told(&read(&database, &sql).await.expect("rows")), (1, None));
    let rows = full(&database, &sql).await;
    assert_eq!((told(&rows), rows.columns.len()), ((1, None), 1664));
    // Names that are too long in JSON.
    let sql = format!("SELECT {} FROM s.t", names(1664, "\u{1}"));
    let error = read(&database, &sql).await.expect_err("more than 256 KiB");
    assert_eq!(error.reason(), Reason::RowTooLarge);
}

#[tokio::test]
async fn a_write_takes_effect_although_its_columns_do_not_fit() {
    let database = filled("a int", "VALUES (1)");
    let driver = driver(&database, Role::Owner, ReadLock::Full);
    let sql = format!("INSERT INTO s.t VALUES (2) RETURNING {}", names(1664, "\u{1}"));
    let rows = full(&database, &sql).await;
    assert_eq!(told(&rows), (0, Some(ResultLimit::Bytes)));
    assert_eq!((rows.affected_rows, rows.columns), (Some(1), vec![]));
    let write = TableWrite { sql, table: table("s", "t"), columns: Vec::new() };
    let rows = driver.write_table(&write, Gate::open(), &task()).await.expect("written");
    assert_eq!((told(&rows), rows.affected_rows), ((0, Some(ResultLimit::Bytes)), Some(1)));
    assert_eq!(database.connect(Role::Owner).value("SELECT count(*) FROM s.t"), "3");
}

#[tokio::test]
async fn null_and_empty_differ_and_names_may_repeat() {
    let database = filled("a text, b bytea", "VALUES ('', ''), (NULL, NULL), ('NULL', 'NULL')");
    let sql =
        "SELECT \"a\", \"a\", \"b\", \"b\" AS \"a\" FROM \"s\".\"t\" AS \"t\" ORDER BY \"t\".\"a\"";
    let binary = |bytes: &[u8]| Cell::Binary(bytes.to_vec());
    for rows in [read(&database, sql).await.expect("rows"), full(&database, sql).await] {
        assert_eq!(rows.columns, ["a", "a", "b", "a"]);
        let expected = [
            [text(""), text(""), binary(b""), binary(b"")],
            [text("NULL"), text("NULL"), binary(b"NULL"), binary(b"NULL")],
            [Cell::Null, Cell::Null, Cell::Null, Cell::Null],
        ];
        assert_eq!(rows.rows, expected);
    }
    // The server knows no empty name, and rows without any column.
    assert_eq!(full(&database, "SELECT 1, upper('a')").await.columns, ["?column?", "upper"]);
    let rows = full(&database, "SELECT FROM s.t").await;
    assert_eq!((told(&rows), rows.rows), ((3, None), vec![vec![]; 3]));
    let rows = full(&database, "DELETE FROM s.t").await;
    assert_eq!((rows.affected_rows, told(&rows)), (Some(3), (0, None)));
}
