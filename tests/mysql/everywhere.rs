//! The same value in every engine: the table in `docs/values.md` is what is read.

use super::bench::MysqlBench;
use crate::contract::Bench;
use crate::servers::mysql::Kind;
use dbeast::drivers::{Read, open};
use dbeast::value::{Cell, TableName};

const PAGE: &str = include_str!("../../docs/values.md");
const HEAD: &str = "| value | SQLite | PostgreSQL | MySQL, MariaDB |";

/// A row of the table, and how each engine stores that value: type and literal. None where it has no such type.
type Stored = Option<(&'static str, &'static str)>;
const ROWS: &[(&str, Stored, Stored, Stored)] = &[
    ("one half", Some(("REAL", "0.5")), Some(("float8", "0.5")), Some(("double", "0.5"))),
    ("the number 1 as a float", Some(("REAL", "1")), Some(("float8", "1")), Some(("double", "1"))),
    ("10¹⁵ as a float", Some(("REAL", "1e15")), Some(("float8", "1e15")), Some(("double", "1e15"))),
    (
        "1.5 in a column with two decimals",
        None,
        Some(("numeric(10,2)", "1.5")),
        Some(("decimal(10,2)", "1.5")),
    ),
    ("true", Some(("BOOLEAN", "true")), Some(("boolean", "true")), Some(("boolean", "true"))),
    (
        "28 February 2026 as a date",
        None,
        Some(("date", "'2026-02-28'")),
        Some(("date", "'2026-02-28'")),
    ),
    (
        "a moment with a zone",
        None,
        Some(("timestamptz", "'2026-02-28 08:00:00+05'")),
        Some(("timestamp", "from_unixtime(1772247600)")),
    ),
    (
        "two bytes 00 ff",
        Some(("BLOB", "x'00ff'")),
        Some(("bytea", "'\\x00ff'")),
        Some(("varbinary(2)", "x'00ff'")),
    ),
    ("bits 101", None, Some(("bit(3)", "B'101'")), Some(("bit(3)", "b'101'"))),
];

/// What the page says a value is written as in a column; none if it says so in words.
fn said(row: &[&str], column: usize) -> Option<String> {
    let mut text = row[column];
    if text == "the same" {
        text = row[column - 1];
        if text == "the same" {
            text = row[column - 2];
        }
    }
    let inside = text.strip_prefix('`')?.split('`').next()?;
    Some(inside.to_owned())
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Binary(bytes) => {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{{\"binary_hex\": \"{}\"}}", digits.concat())
        }
    }
}

async fn read(bench: &dyn Bench, column: &str, literal: &str) -> String {
    let schema = bench.dialect().schema;
    let stage = bench.stage(&[
        format!("CREATE TABLE {schema}.same (v {column})"),
        format!("INSERT INTO {schema}.same VALUES ({literal})"),
    ]);
    let table = TableName { schema: schema.to_owned(), name: "same".to_owned() };
    let sql = format!("SELECT t.v FROM {schema}.same AS t");
    let read = Read { sql, tables: vec![table], columns: Vec::new(), rows_max: 500 };
    let driver = open(&stage.location(true));
    let proven = driver.read(&read, None, &super::common::task()).await;
    let rows = proven.unwrap_or_else(|error| panic!("{column}: {error:?} {}", error.cause()));
    shown(&rows.value.rows[0][0])
}

pub(crate) async fn the_page_says_what_each_engine_writes(kind: Kind) {
    let table = PAGE.split_once(HEAD).expect("the table of the page").1;
    let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let lines: Vec<Vec<&str>> =
        lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect();
    let named: Vec<&str> = lines.iter().map(|row| row[0]).collect();
    let known: Vec<&str> = ROWS.iter().map(|row| row.0).collect();
    assert_eq!(named, known, "each row of the page is checked");
    let postgres = crate::postgres_bench::PostgresBench { lock: dbeast::value::ReadLock::Full };
    let benches: [&dyn Bench; 3] =
        [&crate::sqlite_bench::SqliteBench { has_log: false }, &postgres, &MysqlBench::new(kind)];
    let mut checked = 0;
    for (line, (name, sqlite, postgres, mysql)) in lines.iter().zip(ROWS) {
        for (column, (bench, stored)) in benches.iter().zip([sqlite, postgres, mysql]).enumerate() {
            let said = said(line, column + 1);
            assert_eq!(said.is_some(), stored.is_some(), "{name}, column {column}");
            if let (Some(said), Some((of_type, literal))) = (said, stored) {
                assert_eq!(read(*bench, of_type, literal).await, said, "{name}, column {column}");
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}
