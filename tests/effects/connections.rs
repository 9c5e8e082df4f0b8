//! Drivers between two pieces of work: one for each configuration of a source, and none for longer.

use super::fake::Ledger;
use super::world::World;
use dbeast::events::{Level, Operation, ServerEvent, SourceChange, SourceEvent};
use dbeast::reducer::state::Status;
use std::sync::Arc;

async fn list(world: &World, id: &str) {
    let request = world.submit(id, Operation::ListTables).await;
    assert_eq!(world.ended(&request).await.status, Status::Completed);
}

async fn change(world: &World, change: SourceChange) {
    world.send(SourceEvent::Changed { source: world.source.clone(), change }).await;
}

#[tokio::test]
async fn a_driver_is_kept_from_one_request_to_the_next() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::Read, ledger.outside()).await;
    for id in ["r1", "r2", "r3"] {
        list(&world, id).await;
    }
    let (source, name) = (world.source.clone(), Arc::from("other"));
    world.send(SourceEvent::Renamed { source, name, alias: Arc::from("Other") }).await;
    list(&world, "r4").await;
    assert_eq!((ledger.opened(), ledger.closed()), (1, 0));
}

#[tokio::test]
async fn each_change_of_a_source_closes_its_driver_at_once() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::Read, ledger.outside()).await;
    let context = |name: &str| SourceChange::Context { context: Some(Arc::from(name)) };
    let changes = [
        SourceChange::Password,
        context("sales"),
        SourceChange::ReadOnly { is_read_only: true },
        SourceChange::Password,
    ];
    for (number, what) in changes.into_iter().enumerate() {
        list(&world, &format!("r{number}")).await;
        assert_eq!(ledger.opened(), number + 1);
        change(&world, what).await;
        ledger.until(|ledger| ledger.closed() == number + 1).await;
    }
    list(&world, "last").await;
    world.send(SourceEvent::Removed { source: world.source.clone() }).await;
    ledger.until(|ledger| ledger.closed() == 5).await;
    assert_eq!(ledger.opened(), 5);
}

#[tokio::test]
async fn many_changes_leave_nothing_open() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::Read, ledger.outside()).await;
    for number in 0..200 {
        list(&world, &format!("r{number}")).await;
        change(&world, SourceChange::Password).await;
    }
    world.send(ServerEvent::Stopped).await;
    world.shutdown.cancel();
    world.running.await.unwrap();
    assert_eq!((ledger.opened(), ledger.closed()), (200, 200));
}
