//! What a database expects of a write before it runs.

use super::{Bench, Shop, task};
use dbeast::reason::DatabaseReason as Reason;

pub(crate) async fn an_estimate_runs_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    for sql in [
        "DELETE FROM {s}.orders",
        "DELETE FROM {s}.orders WHERE id = 1",
        "UPDATE {s}.orders SET total = 0 WHERE customer = 'Ada'",
        "INSERT INTO {s}.orders (id, customer) VALUES (1, 'a second one')",
        "INSERT INTO {s}.orders (id, customer) VALUES (9, NULL)",
    ] {
        let estimate = shop.driver.estimate(&shop.write("orders", sql), &task()).await;
        let estimate = estimate.unwrap_or_else(|error| panic!("{sql}: {}", error.cause()));
        assert!(estimate.plan.len() <= 8 * 1024, "{sql}");
        shop.must_be_untouched(sql).await;
    }
    let sql = "DELETE FROM {s}.orders WHERE total > 5";
    let estimate = shop.driver.estimate(&shop.write("orders", sql), &task()).await;
    assert!(estimate.expect("a plan").plan.contains("orders"));
}

pub(crate) async fn an_estimate_needs_the_proof(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let write = shop.write("nothing", "DELETE FROM {s}.nothing");
    let error = shop.driver.estimate(&write, &task()).await.expect_err("no such table");
    assert_eq!(error.reason(), Reason::TableUnknown);
    for sql in [
        "DELETE FROM {s}.orders; DELETE FROM {s}.lines",
        "DELETE FROM {s}.orders; DROP TABLE {s}.orders",
        "ANALYZE DELETE FROM {s}.orders",
        "not sql at all",
    ] {
        let error = shop.driver.estimate(&shop.write("orders", sql), &task()).await;
        let error = error.err().unwrap_or_else(|| panic!("{sql} has a plan"));
        assert!(error.is_refused(), "{sql}: {error:?} {}", error.cause());
        shop.must_be_untouched(sql).await;
    }
}
