//! Lists and descriptions.

use crate::common::{Sandbox, driver, table, task, task_with};
use dbeast::drivers::{Limits, Location, probe};
use dbeast::value::{Engine, Guard};
use std::fmt::Write as _;

#[tokio::test]
async fn candidates_are_listed_with_their_kinds() {
    let sandbox = Sandbox::new(
        "CREATE TABLE b(a INTEGER PRIMARY KEY AUTOINCREMENT); CREATE VIEW a AS SELECT 1;
         CREATE VIRTUAL TABLE f USING fts5(x);",
    );
    let list = sandbox.driver().list_tables(&task()).await.expect("a list");
    assert!(!list.truncated);
    let entries: Vec<(&str, &str)> =
        list.tables.iter().map(|entry| (entry.table.name.as_str(), entry.kind.as_str())).collect();
    assert_eq!(entries[..3], [("a", "view"), ("b", "table"), ("f", "virtual_table")]);
    assert!(
        entries[3..].iter().all(|(name, kind)| name.starts_with("f_") && *kind == "shadow_table")
    );
    assert!(list.tables.iter().all(|entry| entry.table.schema == "main"));
}

#[tokio::test]
async fn a_thousand_candidates_are_whole_and_one_more_is_truncated() {
    for (count, truncated) in [(1000, false), (1001, true)] {
        let mut sql = String::from("BEGIN;");
        for number in 0..count {
            write!(sql, "CREATE TABLE t{number:04}(a);").expect("written");
        }
        sql.push_str("COMMIT;");
        let sandbox = Sandbox::new(&sql);
        let list = sandbox.driver().list_tables(&task()).await.expect("a list");
        assert_eq!((list.tables.len(), list.truncated), (1000, truncated));
    }
}

#[tokio::test]
async fn a_list_keeps_to_the_byte_limit() {
    let sandbox = Sandbox::new("CREATE TABLE one(a); CREATE TABLE two(a);");
    let list = sandbox
        .driver()
        .list_tables(&task_with(Limits::contract().with_result_bytes(40)))
        .await
        .expect("a list");
    assert_eq!((list.tables.len(), list.truncated), (1, true));
}

#[tokio::test]
async fn columns_are_described_as_the_database_spells_them() {
    let sandbox = Sandbox::new(
        "CREATE TABLE Things(Id INTEGER PRIMARY KEY, Name VarChar(20) NOT NULL, anything, Price NUMERIC(8, 2));
         CREATE TABLE pairs(b TEXT, a TEXT, c, PRIMARY KEY(a, b));
         CREATE TABLE keyed(a TEXT PRIMARY KEY) WITHOUT ROWID;
         CREATE TABLE odd(a INTEGER PRIMARY KEY DESC);",
    );
    let shape = async |name: &str| {
        let description =
            sandbox.driver().describe_table(&table(name), None, &task()).await.expect(name).value;
        let columns: Vec<(String, String, bool, Option<u32>)> = description
            .columns
            .into_iter()
            .map(|column| {
                (column.name, column.declared_type, column.nullable, column.primary_key_position)
            })
            .collect();
        (description.table.name, columns)
    };
    let column =
        |name: &str, kind: &str, nullable, key| (name.to_owned(), kind.to_owned(), nullable, key);
    assert_eq!(
        shape("THINGS").await,
        (
            "Things".to_owned(),
            vec![
                column("Id", "INTEGER", false, Some(1)),
                column("Name", "VarChar(20)", false, None),
                column("anything", "", true, None),
                column("Price", "NUMERIC(8, 2)", true, None),
            ]
        )
    );
    // SQLite lets NULL into the primary key of an ordinary table.
    assert_eq!(
        shape("pairs").await.1,
        [
            column("b", "TEXT", true, Some(2)),
            column("a", "TEXT", true, Some(1)),
            column("c", "", true, None)
        ]
    );
    assert_eq!(shape("keyed").await.1, [column("a", "TEXT", false, Some(1))]);
    assert_eq!(shape("odd").await.1, [column("a", "INTEGER", true, Some(1))]);
}

#[tokio::test]
async fn a_description_reports_its_guards() {
    let description = Sandbox::shop()
        .driver()
        .describe_table(&table("orders"), None, &task())
        .await
        .expect("a table")
        .value;
    assert_eq!(
        description.guards,
        [
            Guard::ReadOnlyHandle,
            Guard::Deadline,
            Guard::ReadOnlyTransaction,
            Guard::TableProof,
            Guard::ResultLimits,
            Guard::IdentityPinned,
        ]
    );
}

#[tokio::test]
async fn a_source_is_probed() {
    let shop = Sandbox::shop();
    let location = Location::Sqlite { path: shop.path().to_owned(), is_read_only: true };
    assert_eq!(location.engine(), Engine::Sqlite);
    let found = probe(&location, &task()).await.expect("a database");
    assert_eq!(found.tables, 4);
    assert_eq!(found.file_bytes, Some(std::fs::metadata(shop.path()).expect("a file").len()));
    assert_eq!(found.engine_version, rusqlite::version());
}

#[tokio::test]
async fn neither_the_driver_nor_the_location_prints_its_path() {
    let shop = Sandbox::shop();
    let location = Location::Sqlite { path: shop.path().to_owned(), is_read_only: true };
    let printed = format!("{location:?} {:?}", driver(shop.path()));
    assert!(!printed.contains("database.sqlite"), "{printed}");
}
