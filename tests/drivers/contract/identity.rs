//! What makes a table the same one later.

use super::{Bench, Shop, task};
use dbeast::drivers::Pinned;
use dbeast::reason::DatabaseReason as Reason;

const READ: &str = "SELECT id FROM {s}.orders ORDER BY id";

async fn pin(shop: &Shop) -> Pinned {
    let table = shop.table("orders");
    let proven = shop.driver.describe_table(&table, None, &task()).await.expect("a description");
    proven.identities.into_iter().next().expect("one table")
}

/// Whether a read and a description of the pinned table are answered. They must agree.
async fn is_answered(shop: &Shop, pinned: &Pinned) -> bool {
    let read = shop.reading(&["orders"], READ);
    let read = shop.driver.read(&read, Some(pinned), &task()).await;
    let described = shop.driver.describe_table(&shop.table("orders"), Some(pinned), &task()).await;
    assert_eq!(read.is_ok(), described.is_ok());
    let errors = [read.err(), described.err()];
    for error in errors.iter().flatten() {
        assert!(error.is_identity_changed(), "{error:?} {}", error.cause());
        assert_eq!(error.reason(), Reason::SchemaChanged);
    }
    errors.iter().all(Option::is_none)
}

pub(crate) async fn a_table_is_the_same_while_its_rows_change(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let pinned = pin(&shop).await;
    let mut raw = shop.stage.raw();
    raw.run(&shop.spell("INSERT INTO {s}.orders VALUES (4, 'Eve', 1)"));
    raw.run(&shop.spell("DELETE FROM {s}.orders WHERE id = 1"));
    assert!(is_answered(&shop, &pinned).await);
    assert_eq!(pin(&shop).await, pinned);
}

pub(crate) async fn a_table_made_again_under_its_name_is_another_one(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let pinned = pin(&shop).await;
    let mut raw = shop.stage.raw();
    raw.run(&shop.spell("DROP TABLE {s}.orders"));
    raw.run(&shop.spell(
        "CREATE TABLE {s}.orders(id INTEGER PRIMARY KEY, customer {text} NOT NULL, total INTEGER)",
    ));
    raw.run(&shop.spell("INSERT INTO {s}.orders VALUES (9, 'Mal', 1)"));
    assert!(!is_answered(&shop, &pinned).await);
    let again = pin(&shop).await;
    assert_ne!(again.1, pinned.1);
    assert!(is_answered(&shop, &again).await);
    raw.run(&shop.spell("ALTER TABLE {s}.orders ADD COLUMN note {text}"));
    assert!(!is_answered(&shop, &again).await, "a further column");
}

pub(crate) async fn a_gone_table_is_another_one(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let pinned = pin(&shop).await;
    shop.stage.raw().run(&shop.spell("DROP TABLE {s}.orders"));
    assert!(!is_answered(&shop, &pinned).await);
}

pub(crate) async fn a_pin_on_another_table_reads_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let pinned = pin(&shop).await;
    let read = shop.reading(&["lines"], "SELECT product FROM {s}.lines");
    let error = shop.driver.read(&read, Some(&pinned), &task()).await.expect_err("not compared");
    assert_eq!(error.reason(), Reason::TableNotVerified);
    let lines = shop.table("lines");
    let described = shop.driver.describe_table(&lines, Some(&pinned), &task()).await;
    assert_eq!(described.expect_err("not compared").reason(), Reason::TableNotVerified);
}
