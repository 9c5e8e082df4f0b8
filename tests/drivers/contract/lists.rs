//! Lists, descriptions and the look at a new source.

use super::{Bench, Shop, task};
use dbeast::drivers::probe;
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::TableName;

pub(crate) async fn tables_are_listed_with_their_kinds(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let list = shop.driver.list_tables(&task()).await.expect("a list");
    assert!(!list.truncated);
    let names: Vec<&str> = list.tables.iter().map(|entry| entry.table.name.as_str()).collect();
    assert_eq!(names, ["lines", "numbers", "orders", "words"]);
    for entry in &list.tables {
        assert_eq!(entry.table.schema, shop.dialect.schema);
        assert_eq!(entry.kind, shop.dialect.table_kind);
    }
}

pub(crate) async fn a_table_is_described_under_proof(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let table = shop.table("orders");
    let proven = shop.driver.describe_table(&table, None, &task()).await.expect("a description");
    let columns: Vec<_> = proven
        .value
        .columns
        .iter()
        .map(|column| (column.name.as_str(), column.nullable, column.primary_key_position))
        .collect();
    assert_eq!(columns, [("id", false, Some(1)), ("customer", false, None), ("total", true, None)]);
    assert!(proven.value.columns.iter().all(|column| !column.declared_type.is_empty()));
    assert!(!proven.value.guards.is_empty());
    let [(name, identity)] = &proven.identities[..] else { panic!("{:?}", proven.identities) };
    assert_eq!(*name, table);
    // A read of the same table finds the same one.
    let read = shop.reading(&["orders"], "SELECT id FROM {s}.orders");
    let read = shop.driver.read(&read, None, &task()).await.expect("rows");
    assert_eq!(read.identities, [(table, *identity)]);
    assert!(!read.value.guards.is_empty());
}

pub(crate) async fn unknown_tables_are_refused(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for name in ["nothing", "", "orders; DROP TABLE orders", "ord\0ers", "or\"ders", "or'ders"] {
        let table = shop.table(name);
        let error = shop.driver.describe_table(&table, None, &task()).await.expect_err(name);
        assert_eq!(error.reason(), Reason::TableUnknown, "{name:?}: {}", error.cause());
        assert!(error.is_refused(), "{name:?}");
        let error = shop.read(&[name], "SELECT 1").await.expect_err(name);
        assert_eq!(error.reason(), Reason::TableUnknown, "{name:?}: {}", error.cause());
    }
    let elsewhere = TableName { schema: "no_such_schema".to_owned(), name: "orders".to_owned() };
    let error = shop.driver.describe_table(&elsewhere, None, &task()).await.expect_err("elsewhere");
    assert!(error.is_refused(), "{error:?}");
    shop.must_be_untouched("unknown tables").await;
}

pub(crate) async fn closing_leaves_the_driver_usable(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for _ in 0..3 {
        shop.must_be_untouched("before and after closing").await;
        shop.driver.close().await;
    }
}

pub(crate) async fn a_server_or_file_is_probed(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let found = probe(&shop.stage.location(true), &task()).await.expect("a database");
    assert_eq!(found.tables, 4);
    assert!(!found.engine_version.is_empty());
}
