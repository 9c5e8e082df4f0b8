//! Estimates for the person: bounded, beside the tasks, and dropped rather than waited for.

use super::fake::Ledger;
use super::world::World;
use super::writes::statement;
use dbeast::events::{Level, Operation, RequestEvent, Scope, ServerEvent};
use dbeast::ids::RequestId;
use dbeast::reducer::state::Status;

const TEXT: &str = "delete from main.orders where id < 8";

async fn ask(world: &World, id: &str) -> RequestId {
    world.submit(id, statement(TEXT)).await
}

#[tokio::test]
async fn an_estimate_comes_into_the_waiting_request_and_holds_no_slot() {
    let ledger = Ledger::new(1, 1);
    let world = World::with(Level::Ask, ledger.outside()).await;
    let request = ask(&world, "r1").await;
    ledger.until(|ledger| ledger.estimating() == 1).await;
    let state = world.store.state();
    assert_eq!(state.requests[&request].estimate, None, "the prompt is there without it");
    assert!(state.tasks.is_empty());
    ledger.may_estimate.add_permits(1);
    let state = world.until(|state| state.requests[&request].estimate.is_some()).await;
    let estimate = state.requests[&request].estimate.clone().unwrap();
    assert_eq!(estimate.rows, Some(7));
    assert_eq!(estimate.plan.text().map(|plan| &**plan), Some("SCAN orders"));
    assert_eq!(ledger.sent(), [""; 0], "nothing ran");
    world.send(RequestEvent::Allowed { request: request.clone(), scope: Scope::Once }).await;
    assert_eq!(world.ended(&request).await.status, Status::Completed);
    assert_eq!((ledger.sent().as_slice(), ledger.opened()), (&[TEXT.to_owned()][..], 1));
}

#[tokio::test]
async fn two_are_asked_at_once_and_what_is_decided_meanwhile_is_left_out() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::Ask, ledger.outside()).await;
    let mut requests = Vec::new();
    for id in ["r1", "r2", "r3", "r4"] {
        requests.push(ask(&world, id).await);
    }
    ledger.until(|ledger| ledger.estimating() == 2).await;
    let note = None;
    world.send(RequestEvent::Denied { request: requests[2].clone(), note }).await;
    ledger.may_estimate.add_permits(4);
    let last = requests[3].clone();
    world.until(|state| state.requests[&last].estimate.is_some()).await;
    assert_eq!(ledger.estimating(), 3, "the third was denied before its turn");
}

#[tokio::test]
async fn a_decision_does_not_wait_for_it_and_a_late_one_changes_nothing() {
    let ledger = Ledger::new(1, 1);
    let world = World::with(Level::Ask, ledger.outside()).await;
    let request = ask(&world, "r1").await;
    ledger.until(|ledger| ledger.estimating() == 1).await;
    world.send(RequestEvent::Allowed { request: request.clone(), scope: Scope::Once }).await;
    assert_eq!(world.ended(&request).await.status, Status::Completed);
    ledger.may_estimate.add_permits(1);
    ledger.until(|ledger| ledger.estimated() == 1).await;
    // Two events later its answer has come and gone.
    world.send(ServerEvent::TimePassed).await;
    let state = world.store.state();
    assert_eq!(state.requests[&request].estimate, None);
}

#[tokio::test]
async fn more_than_can_wait_are_dropped() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::Ask, ledger.outside()).await;
    // Each is taken back, so that the session may ask again; none of them is asked for at the database.
    let busy = [ask(&world, "a").await, ask(&world, "b").await];
    ledger.until(|ledger| ledger.estimating() == 2).await;
    for number in 0..40 {
        let request = ask(&world, &format!("r{number}")).await;
        let note = None;
        world.send(RequestEvent::Denied { request, note }).await;
    }
    let last = ask(&world, "last").await;
    // Effects are taken in their order: once this one is answered, all before it were taken.
    let listed = world.submit("list", Operation::ListTables).await;
    world.send(RequestEvent::Allowed { request: listed.clone(), scope: Scope::Once }).await;
    world.ended(&listed).await;
    ledger.may_estimate.add_permits(40);
    for request in &busy {
        world.until(|state| state.requests[request].estimate.is_some()).await;
    }
    world.send(ServerEvent::Stopped).await;
    world.shutdown.cancel();
    world.running.await.unwrap();
    assert_eq!(ledger.estimating(), 2, "the queue was full of what was denied");
    assert!(!world.store.state().requests.contains_key(&last));
    assert_eq!(ledger.open(), 0);
}

#[tokio::test]
async fn an_estimate_ends_after_three_seconds() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::Ask, ledger.outside()).await;
    let first = ask(&world, "r1").await;
    ledger.until(|ledger| ledger.estimated() == 1).await;
    assert_eq!(world.store.state().requests[&first].estimate, None);
    // Whoever asked is free for the next one.
    ledger.may_estimate.add_permits(1);
    let second = ask(&world, "r2").await;
    world.until(|state| state.requests[&second].estimate.is_some()).await;
}

#[tokio::test]
async fn the_end_of_the_program_stops_estimates_and_closes_their_driver() {
    let ledger = Ledger::new(0, 0);
    let world = World::with(Level::Ask, ledger.outside()).await;
    ask(&world, "r1").await;
    ledger.until(|ledger| ledger.estimating() == 1).await;
    world.send(ServerEvent::Stopped).await;
    world.shutdown.cancel();
    world.running.await.unwrap();
    assert_eq!((ledger.estimated(), ledger.open()), (1, 0));
}
