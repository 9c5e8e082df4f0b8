//! The runner of effects on a real SQLite file: what the reducer asks for really happens, and its end
//! really comes back.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod effects {
    pub(crate) mod world;

    mod connections;
    mod estimates;
    mod fake;
    mod writes;
}

use dbeast::events::{
    Level, Operation, RefusedText, RequestEvent, ResultPayload, Scope, SessionEvent, TextTool,
};
use dbeast::reason::SqlReason;
use dbeast::reducer::limits::ACTIVITY_OF_AGENTS_MAX;
use dbeast::reducer::state::{Authorisation, EntryKind, Problem, Status};
use dbeast::value::{Cell, Guard, TableName};
use effects::world::World;
use std::sync::Arc;

const ENDLESS: &str = "select count(*) from main.orders as a cross join main.orders as b \
cross join main.orders as c";

#[tokio::test]
async fn a_verified_read_brings_real_rows_back() {
    let world = World::new(Level::Read).await;
    let text = "select id, ledger_number from main.orders order by id limit 2";
    let ended = world.ended(&world.ask("r1", text).await).await;
    assert_eq!(ended.status, Status::Completed);
    let body = ended.result.unwrap();
    let ResultPayload::Rows { rows, .. } = body.payload() else { panic!("{body:?}") };
    assert_eq!(rows.rows[0], [Cell::Text("1".into()), Cell::Text("9223372036854775806".into())]);
    assert!(!rows.is_truncated());
    for guard in [
        Guard::TypedStatement,
        Guard::ReadOnlyHandle,
        Guard::Authorizer,
        Guard::TableProof,
        Guard::Deadline,
    ] {
        assert!(rows.guards.contains(&guard), "{guard:?} did not engage: {:?}", rows.guards);
    }
}

#[tokio::test]
async fn metadata_comes_back_too() {
    let world = World::new(Level::Read).await;
    let listed = world.ended(&world.submit("r1", Operation::ListTables).await).await;
    let body = listed.result.unwrap();
    let ResultPayload::Tables { tables, truncated } = body.payload() else { panic!("{body:?}") };
    let names: Vec<_> = tables.iter().map(|entry| entry.table.name.as_str()).collect();
    assert!(names.contains(&"orders") && names.contains(&"open_orders") && !truncated);
    let table = tables.iter().find(|entry| entry.table.name == "orders").unwrap().table.clone();
    let described =
        world.ended(&world.submit("r2", Operation::DescribeTable { table }).await).await;
    let body = described.result.unwrap();
    let ResultPayload::Table(description) = body.payload() else { panic!("{body:?}") };
    assert_eq!(description.columns[0].name, "id");
    assert_eq!(description.columns[0].primary_key_position, Some(1));
}

#[tokio::test]
async fn a_view_is_refused_by_the_database_with_a_static_reason() {
    let world = World::new(Level::Read).await;
    let ended = world.ended(&world.ask("r1", "select id from main.open_orders").await).await;
    assert_eq!(ended.status, Status::Failed);
    let Some(Problem::Failed(reason)) = ended.problem else { panic!("{:?}", ended.problem) };
    assert_eq!(reason.code(), "table_is_view");
}

#[tokio::test]
async fn cancelling_frees_the_slot_only_when_the_work_has_ended() {
    let world = World::new(Level::Read).await;
    let endless = world.ask("r1", ENDLESS).await;
    world.until(|state| state.requests[&endless].status == Status::Running).await;
    let next = world.ask("r2", "select id from main.orders limit 1").await;
    assert_eq!(world.store.state().requests[&next].status, Status::Pending);
    world
        .send(RequestEvent::Cancelled {
            client: world.client.clone(),
            token_hash: world.token,
            request: endless.clone(),
        })
        .await;
    assert_eq!(world.store.state().requests[&endless].status, Status::Cancelled);
    assert_eq!(world.ended(&next).await.status, Status::Completed);
    assert!(world.store.state().tasks.is_empty());
}

#[tokio::test]
async fn unsharing_stops_the_work_and_releases_nothing() {
    let world = World::new(Level::Read).await;
    let endless = world.ask("r1", ENDLESS).await;
    world.until(|state| state.requests[&endless].status == Status::Running).await;
    world.share(None).await;
    assert_eq!(world.store.state().requests[&endless].status, Status::Revoked);
    let state = world.until(|state| state.tasks.is_empty()).await;
    assert_eq!(state.requests[&endless].status, Status::Revoked);
    assert!(state.requests[&endless].result.is_none());
}

#[tokio::test]
async fn ending_the_session_stops_its_work() {
    let world = World::new(Level::Read).await;
    let endless = world.ask("r1", ENDLESS).await;
    world.until(|state| state.requests[&endless].status == Status::Running).await;
    let client = world.client.clone();
    world.send(SessionEvent::Ended { client, token_hash: world.token }).await;
    let state = world.until(|state| state.tasks.is_empty()).await;
    assert!(state.requests.is_empty() && state.sessions.is_empty());
}

#[tokio::test]
async fn an_agent_that_talks_a_lot_washes_nothing_out_of_the_activity_list() {
    let world = World::new(Level::Read).await;
    let read = world.ask("r0", "select id from main.orders limit 1").await;
    world.ended(&read).await;
    for number in 0..150 {
        let refused = RefusedText {
            tool: TextTool::QuerySql,
            sql: Arc::from("drop table orders"),
            reason: SqlReason::EmptyText,
        };
        let submission =
            world.submission(&format!("r{number}x"), Operation::Refused { text: refused });
        let refusal = world.store.send(RequestEvent::Submitted(Box::new(submission))).await;
        assert!(refusal.is_err());
    }
    let state = world.store.state();
    let entries = state.activity.entries();
    let of_kind = |kind| entries.iter().filter(|entry| entry.kind == kind).count();
    assert_eq!(of_kind(EntryKind::StatementRefused), ACTIVITY_OF_AGENTS_MAX);
    assert_eq!(of_kind(EntryKind::RequestCompleted), 1);
}

#[tokio::test]
async fn a_source_that_goes_away_fails_with_static_words_for_the_agent() {
    let world = World::new(Level::Ask).await;
    let id = world.ask("r1", "select id from main.orders limit 1").await;
    std::fs::remove_file(world.folder.path().join("shop.db")).unwrap();
    world.send(RequestEvent::Allowed { request: id.clone(), scope: Scope::Once }).await;
    let ended = world.ended(&id).await;
    let Some(Problem::Failed(reason)) = ended.problem else { panic!("{:?}", ended.problem) };
    assert_eq!(reason.code(), "source_missing");
}

/// What another program does to the database meanwhile.
fn change(world: &World, sql: &str) {
    let shop = rusqlite::Connection::open(world.folder.path().join("shop.db")).unwrap();
    shop.execute_batch("pragma foreign_keys = off").unwrap();
    shop.execute_batch(sql).unwrap();
}

#[tokio::test]
async fn a_grant_for_a_table_ends_when_the_table_is_another_one() {
    let text = "select id from main.orders order by id limit 1";
    for changed in [
        "alter table orders add column note text",
        "create table elsewhere(a)",
        "drop view open_orders; alter table orders rename to old; alter table customers rename to orders",
        "drop table orders",
    ] {
        let world = World::new(Level::Ask).await;
        let first = world.ask("r1", text).await;
        world.send(RequestEvent::Allowed { request: first.clone(), scope: Scope::Table }).await;
        assert_eq!(world.ended(&first).await.status, Status::Completed);

        let table = TableName { schema: "main".into(), name: "orders".into() };
        let described = world.submit("r2", Operation::DescribeTable { table }).await;
        let second = world.ask("r3", text).await;
        for id in [&described, &second] {
            let ended = world.ended(id).await;
            assert_eq!(ended.status, Status::Completed, "{:?}", ended.problem);
            assert_eq!(ended.authorisation, Some(Authorisation::SessionGrant));
        }
        // It is for the one table.
        let other = world.ask("r4", "select id from main.customers limit 1").await;
        assert_eq!(world.store.state().requests[&other].authorisation, None);
        assert_eq!(world.store.state().grants.len(), 1);

        change(&world, changed);
        let third = world.ask("r5", text).await;
        let ended = world.ended(&third).await;
        assert_eq!((ended.status, ended.result), (Status::Revoked, None), "{changed}");
        let state = world.store.state();
        assert!(state.grants.is_empty() && state.tasks.is_empty());
        let ends = state.activity.entries().into_iter().map(|entry| entry.kind);
        assert_eq!(ends.filter(|kind| *kind == EntryKind::GrantEnded).count(), 1);
        // What was read under the grant goes with it.
        assert_eq!(state.requests[&second].status, Status::Revoked);

        let fourth = world.ask("r6", text).await;
        let asked = world.store.state().requests[&fourth].clone();
        assert_eq!((asked.status, asked.authorisation), (Status::Pending, None));
    }
}

#[tokio::test]
async fn what_needs_no_grant_for_a_table_reads_the_table_as_it_is() {
    let world = World::new(Level::Ask).await;
    let text = "select id from main.orders order by id limit 1";
    let first = world.ask("r1", text).await;
    world.send(RequestEvent::Allowed { request: first.clone(), scope: Scope::Source }).await;
    assert_eq!(world.ended(&first).await.status, Status::Completed);
    change(&world, "alter table orders add column note text");
    let second = world.ask("r2", text).await;
    assert_eq!(world.ended(&second).await.status, Status::Completed);
    assert_eq!(world.store.state().grants.len(), 1);
}
