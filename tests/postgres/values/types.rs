//! Every built-in type arrives as the text that the server writes for it.

use super::super::common::{driver, driver_at, reading, table, task};
use super::kinds::{ARRAYS, KINDS, NULL_ONLY, OTHERS};
use super::{full, full_of, text};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, PostgresClient, Role};
use dbeast::drivers::Driver;
use dbeast::value::{Cell, ReadLock};
use std::collections::BTreeSet;

/// What the driver pins for verified reads and the server's texts depend on.
const PINNED: &[&str] = &[
    "SET search_path = pg_catalog",
    "SET bytea_output = hex",
    "SET DateStyle = 'ISO, MDY'",
    "SET IntervalStyle = postgres",
    "SET TimeZone = 'UTC'",
    "SET extra_float_digits = 1",
    "SET quote_all_identifiers = off",
];

/// Settings that change what the server writes, for connections that nobody pins.
const OTHER_SETTINGS: &[&str] = &[
    "DateStyle = 'German, DMY'",
    "IntervalStyle = iso_8601",
    "TimeZone = 'Asia/Kathmandu'",
    "extra_float_digits = -2",
    "bytea_output = escape",
    "quote_all_identifiers = on",
    "client_encoding = LATIN1",
];

fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// A table for each type, `id` and `v`, and for each type that has arrays another one.
struct Tables {
    database: Database<'static>,
    /// Table, type, and the texts that must arrive, in the order of `id`.
    made: Vec<(String, String, Vec<Option<String>>)>,
}

impl Tables {
    fn new() -> Self {
        let database = Database::shared();
        let mut owner = database.connect(Role::Owner);
        owner.must("CREATE SCHEMA s; CREATE TABLE s.\"T 1\" ()");
        let mut tables = Self { database, made: Vec::new() };
        for (kind, values) in KINDS {
            let texts: Vec<_> = values.iter().map(|(value, _)| quoted(value)).collect();
            let expected = values.iter().map(|(_, text)| Some((*text).to_owned())).chain([None]);
            tables.make(&mut owner, kind, &texts, expected.collect());
        }
        for kind in NULL_ONLY {
            tables.make(&mut owner, kind, &[], vec![None]);
        }
        for (kind, value, expected) in ARRAYS {
            let expected = vec![Some((*expected).to_owned()), None];
            tables.make(&mut owner, kind, &[quoted(value)], expected);
        }
        tables
    }

    fn make(
        &mut self,
        owner: &mut PostgresClient,
        kind: &str,
        values: &[String],
        expected: Vec<Option<String>>,
    ) {
        let name = format!("t{}", self.made.len());
        let null = "NULL".to_owned();
        let filled = values.iter().chain([&null]).enumerate();
        let filled: Vec<_> = filled
            .map(|(id, value)| format!("INSERT INTO s.{name} VALUES ({id}, {value})"))
            .collect();
        let made = format!("CREATE TABLE s.{name} (id int, v {kind})");
        owner.must(&format!("{made}; {}", filled.join("; ")));
        self.made.push((name, kind.to_owned(), expected));
    }
}

/// The cell for a text of the server.
fn cell(kind: &str, value: Option<&str>) -> Cell {
    let Some(value) = value else { return Cell::Null };
    if kind != "bytea" {
        return text(value);
    }
    let digits = value.strip_prefix("\\x").expect("hexadecimal digits");
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    Cell::Binary((0..digits.len()).step_by(2).map(byte).collect())
}

async fn verified(driver: &dyn Driver, name: &str) -> Vec<Cell> {
    let sql = format!("SELECT \"v\" FROM \"s\".\"{name}\" ORDER BY \"id\"");
    let read = driver.read(&reading(&sql, &table("s", name)), None, &task()).await;
    let read = read.unwrap_or_else(|error| panic!("{name}: {error:?} {}", error.cause()));
    assert_eq!(read.value.truncated_by, None);
    read.value.rows.into_iter().flatten().collect()
}

/// What the server writes for another program.
fn raw(client: &mut PostgresClient, kind: &str, name: &str) -> Vec<Cell> {
    let answer = client.must(&format!("SELECT v FROM s.{name} ORDER BY id"));
    answer.rows.iter().map(|row| cell(kind, row[0].as_deref())).collect()
}

#[tokio::test]
async fn every_built_in_type_arrives_as_the_server_writes_it() {
    let tables = Tables::new();
    let mut client = tables.database.connect(Role::Reader);
    for setting in PINNED {
        client.must(setting);
    }
    let driver = driver(&tables.database, Role::Reader, ReadLock::Weak);
    for (name, kind, expected) in &tables.made {
        let cells = verified(&*driver, name).await;
        assert_eq!(cells, raw(&mut client, kind, name), "{kind}");
        let expected: Vec<_> = expected.iter().map(|text| cell(kind, text.as_deref())).collect();
        assert_eq!(cells, expected, "{kind}");
    }
    println!("{} tables of {} types", tables.made.len(), KINDS.len() + NULL_ONLY.len());
}

#[tokio::test]
async fn settings_of_the_database_change_no_verified_value() {
    let tables = Tables::new();
    let mut superuser = tables.database.connect(Role::Superuser);
    for setting in OTHER_SETTINGS {
        superuser.must(&format!("ALTER DATABASE {} SET {setting}", tables.database.name()));
    }
    let driver = driver(&tables.database, Role::Reader, ReadLock::Weak);
    for (name, kind, expected) in &tables.made {
        let expected: Vec<_> = expected.iter().map(|text| cell(kind, text.as_deref())).collect();
        assert_eq!(verified(&*driver, name).await, expected, "{kind}");
    }
}

#[tokio::test]
async fn full_sql_gets_the_texts_of_the_account_s_own_settings() {
    let tables = Tables::new();
    let name = tables.database.name();
    let mut superuser = tables.database.connect(Role::Superuser);
    for setting in OTHER_SETTINGS {
        superuser.must(&format!("ALTER DATABASE {name} SET {setting}"));
    }
    let mut client = tables.database.connect(Role::Reader);
    // Only these two are the driver's: otherwise binary could be taken for text.
    client.must("SET bytea_output = hex");
    client.must("SET client_encoding = UTF8");
    let driver = driver_at(tables.database.location(Role::Reader));
    for (name, kind, _) in &tables.made {
        let sql = format!("SELECT v FROM s.{name} ORDER BY id");
        let cells: Vec<_> = full_of(&*driver, &sql).await.rows.into_iter().flatten().collect();
        assert_eq!(cells, raw(&mut client, kind, name), "{kind}");
    }
    let sql = "SELECT date '2026-12-31', interval '1 day', timestamptz '2026-12-01 00:00+00', 0.1::float8 + 0.2::float8";
    let rows = full_of(&*driver, sql).await.rows;
    let told = ["31.12.2026", "P1D", "01.12.2026 05:45:00 +0545", "0.3"].map(text);
    assert_eq!(rows, [told]);
}

#[tokio::test]
async fn types_that_only_full_sql_returns_are_the_server_s_text_too() {
    let database = Database::shared();
    let mut owner = database.connect(Role::Owner);
    owner.must(
        "CREATE SCHEMA s; CREATE TYPE s.mood AS ENUM ('so so'); CREATE DOMAIN s.small AS int;
         CREATE TYPE s.pair AS (a int, b text); CREATE TYPE s.outer_pair AS (a int, p s.pair)",
    );
    for (expression, expected) in OTHERS {
        let sql = format!("SELECT {expression}");
        assert_eq!(full(&database, &sql).await.rows, [[text(expected)]], "{expression}");
        assert_eq!(owner.value(&sql), *expected, "{expression}");
    }
}

#[test]
fn the_list_names_every_base_type_of_the_server() {
    let database = Database::shared();
    let answer = database.connect(Role::Superuser).must(
        "SELECT t.typname FROM pg_catalog.pg_type AS t WHERE t.typtype = 'b' AND t.oid < 16384 \
         AND NOT EXISTS (SELECT FROM pg_catalog.pg_type AS e WHERE e.typarray = t.oid)",
    );
    let there: BTreeSet<&str> =
        answer.rows.iter().map(|row| row[0].as_deref().expect("a name")).collect();
    let named = KINDS.iter().map(|(kind, _)| kind.trim_matches('"'));
    let named: BTreeSet<&str> = named.chain(NULL_ONLY.iter().copied()).collect();
    assert_eq!(there, named);
}

#[tokio::test]
async fn a_char_of_one_byte_that_is_no_letter_is_the_server_s_octal_text() {
    let database = Database::shared();
    database.connect(Role::Owner).must(
        "CREATE SCHEMA s; CREATE TABLE s.t (id int, v \"char\");
         INSERT INTO s.t VALUES (1, (-1)::\"char\"), (2, (-128)::\"char\"), (3, 127::\"char\"), (4, 0::\"char\")",
    );
    let sql = "SELECT \"v\" FROM \"s\".\"t\" ORDER BY \"id\"";
    let rows = super::read(&database, sql).await.expect("rows");
    let cells: Vec<_> = rows.rows.into_iter().flatten().collect();
    assert_eq!(cells, ["\\377", "\\200", "\u{7f}", ""].map(text));
}
