//! Deadlines, cancellation, and callers that go away.

use super::{Bench, Shop, bounded, task, wait_until};
use dbeast::reason::DatabaseReason as Reason;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Would run for years. A mere number of rows MySQL would get by multiplying.
pub(crate) const ENDLESS: &str = "SELECT sum(a.x - b.x + c.x - d.x + e.x) AS n FROM {s}.numbers AS a, {s}.numbers AS b, {s}.numbers AS c, {s}.numbers AS d, {s}.numbers AS e";

pub(crate) async fn work_that_is_over_before_it_begins_does_nothing(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let cancel = CancellationToken::new();
    cancel.cancel();
    let read = shop.reading(&["numbers"], ENDLESS);
    let cancelled = bounded(&cancel, Duration::from_mins(1));
    let error = shop.driver.read(&read, None, &cancelled).await.expect_err("cancelled");
    assert!(error.is_cancelled(), "{error:?}");
    let late = bounded(&CancellationToken::new(), Duration::ZERO);
    let error = shop.driver.read(&read, None, &late).await.expect_err("too late");
    assert!(error.is_deadline_exceeded(), "{error:?}");
    shop.must_be_untouched("over before it began").await;
}

pub(crate) async fn cancelling_stops_a_running_read(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let cancel = CancellationToken::new();
    let bounds = bounded(&cancel, Duration::from_mins(5));
    let (driver, read) = (Arc::clone(&shop.driver), shop.reading(&["numbers"], ENDLESS));
    let work = tokio::spawn(async move { driver.read(&read, None, &bounds).await });
    wait_until(|| shop.stage.is_working()).await;
    cancel.cancel();
    let error = work.await.expect("no panic").expect_err("cancelled");
    assert!(error.is_cancelled() && !error.is_deadline_exceeded(), "{error:?}");
    assert_eq!(error.reason(), Reason::Cancelled);
    shop.must_be_untouched("cancelled in the middle").await;
}

pub(crate) async fn the_deadline_stops_a_running_read(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let read = shop.reading(&["numbers"], ENDLESS);
    // Warm, so that the time is spent in the statement and not on connecting.
    shop.must_be_untouched("before").await;
    let bounds = bounded(&CancellationToken::new(), Duration::from_millis(400));
    let error = shop.driver.read(&read, None, &bounds).await.expect_err("endless");
    assert!(error.is_deadline_exceeded() && !error.is_cancelled(), "{error:?}");
    assert_eq!(error.reason(), Reason::DeadlineExceeded);
    shop.must_be_untouched("at the deadline").await;
}

pub(crate) async fn a_read_that_nobody_waits_for_stops(bench: &dyn Bench) {
    let shop = Shop::new(bench);
    let (driver, read) = (Arc::clone(&shop.driver), shop.reading(&["numbers"], ENDLESS));
    let work = tokio::spawn(async move { driver.read(&read, None, &task()).await });
    wait_until(|| shop.stage.is_working()).await;
    work.abort();
    assert!(work.await.is_err_and(|error| error.is_cancelled()));
    wait_until(|| !shop.stage.is_working()).await;
    shop.must_be_untouched("dropped").await;
}
