//! What makes a table the same table later, and reads that are for that very table.

use crate::common::{Sandbox, reading, table, task};
use dbeast::drivers::Pinned;
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::{Cell, ObjectIdentity};

const READ: &str = "SELECT id FROM main.orders ORDER BY id";

/// The identity of `orders`, by a read and by a description, which must agree.
async fn identity(sandbox: &Sandbox) -> ObjectIdentity {
    let read = reading(&["orders"], READ);
    let read = sandbox.driver().read(&read, None, &task()).await.expect("rows");
    let described = sandbox.driver().describe_table(&table("orders"), None, &task()).await;
    let described = described.expect("a description");
    assert_eq!(read.identities, described.identities);
    let [(name, identity)] = &read.identities[..] else { panic!("{:?}", read.identities) };
    assert_eq!(*name, table("orders"));
    *identity
}

/// Whether a read and a description of the pinned table are answered. They must agree.
async fn is_answered(sandbox: &Sandbox, pinned: &Pinned) -> bool {
    let read = reading(&["orders"], READ);
    let read = sandbox.driver().read(&read, Some(pinned), &task()).await;
    let described = sandbox.driver().describe_table(&table("orders"), Some(pinned), &task()).await;
    assert_eq!(read.is_ok(), described.is_ok());
    let errors = [read.err(), described.err()];
    for error in errors.iter().flatten() {
        assert!(error.is_identity_changed() && !error.is_refused(), "{error:?}");
        assert_eq!(error.reason(), Reason::SchemaChanged);
    }
    errors.iter().all(Option::is_none)
}

#[tokio::test]
async fn a_table_keeps_its_identity_while_its_rows_change() {
    let shop = Sandbox::shop();
    let first = identity(&shop).await;
    let pinned = (table("orders"), first);
    shop.writer()
        .execute_batch("INSERT INTO orders VALUES (4, 'Eve', 1); DELETE FROM orders WHERE id = 1;")
        .expect("written");
    assert_eq!(identity(&shop).await, first);
    let read = reading(&["orders"], READ);
    let read = shop.driver().read(&read, Some(&pinned), &task()).await.expect("rows");
    let ids: Vec<_> = read.value.rows.into_iter().flatten().collect();
    assert_eq!(ids, ["2", "3", "4"].map(|id| Cell::Text(id.to_owned())));
    assert_eq!(read.identities, [pinned]);
}

#[tokio::test]
async fn any_change_of_the_schema_makes_another_table_of_it() {
    let changes = [
        "ALTER TABLE orders ADD COLUMN note TEXT",
        "DROP TABLE orders;
         CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total REAL);
         INSERT INTO orders VALUES (9, 'Mal', 1)",
        "CREATE TABLE elsewhere(a)",
        "ALTER TABLE secrets RENAME TO orders_of_old",
        "CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM orders; END",
        "DROP TABLE orders; ALTER TABLE secrets RENAME TO orders",
        "VACUUM",
    ];
    for change in changes {
        let shop = Sandbox::shop();
        let first = identity(&shop).await;
        let pinned = (table("orders"), first);
        assert!(is_answered(&shop, &pinned).await, "before {change}");
        shop.writer().execute_batch(change).expect("changed");
        assert_ne!(identity(&shop).await, first, "{change}");
        assert!(!is_answered(&shop, &pinned).await, "{change}");
        let again = (table("orders"), identity(&shop).await);
        assert!(is_answered(&shop, &again).await, "pinned anew after {change}");
    }
}

#[tokio::test]
async fn a_table_that_is_gone_or_no_table_any_more_is_another_one() {
    for change in [
        "DROP TABLE orders",
        "DROP TABLE orders; CREATE VIEW orders AS SELECT 1 AS id",
        "DROP TABLE orders; CREATE VIRTUAL TABLE orders USING fts5(id)",
        "ALTER TABLE orders ADD COLUMN twice AS (id + id)",
    ] {
        let shop = Sandbox::shop();
        let pinned = (table("orders"), identity(&shop).await);
        shop.writer().execute_batch(change).expect("changed");
        assert!(!is_answered(&shop, &pinned).await, "{change}");
    }
}

#[tokio::test]
async fn a_pinned_table_is_compared_before_the_statement_is_looked_at() {
    let shop = Sandbox::shop();
    let pinned = (table("orders"), identity(&shop).await);
    shop.writer().execute_batch("ALTER TABLE orders DROP COLUMN total").expect("changed");
    let read = reading(&["orders"], "SELECT total FROM main.orders");
    let error = shop.driver().read(&read, Some(&pinned), &task()).await.expect_err("changed");
    assert!(error.is_identity_changed(), "{error:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_in_the_place_of_another_holds_other_tables() {
    let shop = Sandbox::shop();
    let pinned = (table("orders"), identity(&shop).await);
    let copy = shop.folder().join("copy.sqlite");
    std::fs::copy(shop.path(), &copy).expect("copied");
    std::fs::rename(&copy, shop.path()).expect("moved");
    assert_ne!(identity(&shop).await, pinned.1);
    assert!(!is_answered(&shop, &pinned).await);
}

#[tokio::test]
async fn each_table_is_told_by_the_name_under_which_it_was_asked_for() {
    let shop = Sandbox::shop();
    let read = reading(
        &["lines", "ORDERS", "orders", "lines"],
        "SELECT o.id FROM main.ORDERS AS o JOIN main.lines AS l ON l.order_id = o.id",
    );
    let read = shop.driver().read(&read, None, &task()).await.expect("rows");
    let names: Vec<_> = read.identities.iter().map(|(name, _)| name.name.as_str()).collect();
    assert_eq!(names, ["lines", "ORDERS", "orders"]);
    let [(_, lines), (_, upper), (_, lower)] = &read.identities[..] else { panic!("three") };
    assert!(upper == lower && upper != lines && *lower == identity(&shop).await);
    // A pin counts under any spelling that SQLite takes for the same table.
    shop.writer().execute_batch("CREATE TABLE elsewhere(a)").expect("changed");
    assert!(!is_answered(&shop, &(table("Orders"), *lower)).await);
}

#[tokio::test]
async fn a_pin_on_a_table_that_is_not_read_lets_nothing_run() {
    let shop = Sandbox::shop();
    let pinned = (table("orders"), identity(&shop).await);
    let read = reading(&["lines"], "SELECT product FROM main.lines");
    let error = shop.driver().read(&read, Some(&pinned), &task()).await.expect_err("not compared");
    assert_eq!(error.reason(), Reason::TableNotVerified);
    let described = shop.driver().describe_table(&table("lines"), Some(&pinned), &task()).await;
    assert_eq!(described.expect_err("not compared").reason(), Reason::TableNotVerified);
}
