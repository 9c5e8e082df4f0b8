//! `request_sql`: Full SQL is asked for by name, decided by the person, and never a second way to read.

use super::support::{Agent, KEY, OTHER_KEY, World, completed, get, query, request_id, shared};
use dbeast::events::{
    Audience, Level, RequestEvent, ResultPayload, Scope, SharingEvent, TableLevel, TaskEvent,
    TaskOutcome, WithheldText, WriteEstimate,
};
use dbeast::ids::SourceId;
use dbeast::reducer::state::{Authorisation, EntryKind};
use dbeast::reducer::{Effect, Work};
use dbeast::value::{Guard, ResultLimit, Rows, TableName};
use serde_json::{Value, json};

const UPDATE: &str = "update main.orders\n  set total = 0 -- all of it\n  where id = 7";

fn request(token: &str, source: &SourceId, key: &str, sql: &str) -> Value {
    let mut arguments = query(token, source, key);
    arguments["sql"] = json!(sql);
    arguments
}

fn written() -> TaskOutcome {
    let rows = Rows {
        affected_rows: Some(12_345),
        truncated_by: Some(ResultLimit::CellBytes),
        bytes: 4,
        guards: vec![Guard::SingleStatement, Guard::Deadline],
        ..Rows::default()
    };
    completed(ResultPayload::Rows { rows, elapsed_ms: 12 })
}

async fn table_level(world: &World, agent: &Agent, source: &SourceId, level: TableLevel) {
    let audience = Audience::Client(agent.client.clone());
    let table = TableName { schema: "main".into(), name: "orders".into() };
    let (source, level) = (source.clone(), Some(level));
    world.happens(SharingEvent::TableSet { source, audience, table, level }).await;
}

#[tokio::test]
async fn a_statement_waits_for_the_person_and_runs_exactly_as_it_was_written() {
    for level in [Level::Ask, Level::Read] {
        let (mut world, agent, source, token) = shared(level).await;
        let arguments = request(&token, &source, KEY, UPDATE);
        let asked = world.says(&agent, "request_sql", arguments.clone()).await;
        assert_eq!(asked["status"], "pending", "{asked}");
        assert_eq!(world.says(&agent, "request_sql", arguments).await, asked);
        let id = request_id(&asked);
        // What the database expects is for the person alone.
        let plan = WithheldText::new("SCAN orders".into(), [1; 32]);
        let estimate = WriteEstimate { rows: Some(7), plan };
        world.happens(RequestEvent::Estimated { request: id.clone(), estimate }).await;
        assert_eq!(get(&world, &agent, &token, &asked).await, asked);
        world.happens(RequestEvent::Allowed { request: id, scope: Scope::Once }).await;
        let (task, work) = world.work().await;
        assert_eq!(work, Work::FullSql { sql: UPDATE.into() });
        world.happens(TaskEvent::ReadyToSend { task }).await;
        let mut effects = Vec::new();
        while let Ok(effect) = world.effects.try_recv() {
            effects.push(effect);
        }
        assert!(effects.contains(&Effect::SendStatement { task }), "{effects:?}");
        world.finish(task, written()).await;
        let done = get(&world, &agent, &token, &asked).await;
        assert_eq!(done["status"], "completed");
        let result = json!({
            "columns": [], "rows": [], "truncated": true, "truncated_by": "cell_bytes", "bytes": 4,
            "affected_rows": 12_345, "elapsed_ms": 12,
            "value_encoding": done["result"]["value_encoding"],
            "guards": ["single_statement", "deadline"],
        });
        assert_eq!(done["result"], result);
    }
}

#[tokio::test]
async fn full_sql_for_the_session_covers_the_next_statement() {
    let (mut world, agent, source, token) = shared(Level::Ask).await;
    let asked = world.says(&agent, "request_sql", request(&token, &source, KEY, "select 1")).await;
    let id = request_id(&asked);
    world.happens(RequestEvent::Allowed { request: id.clone(), scope: Scope::FullSql }).await;
    let (task, _) = world.work().await;
    world.happens(TaskEvent::ReadyToSend { task }).await;
    world.finish(task, written()).await;
    let next = request(&token, &source, OTHER_KEY, "create table main.t(a)");
    let next = world.says(&agent, "request_sql", next).await;
    assert_eq!(next["status"], "running");
    let state = world.store.state();
    let authorisation = state.requests[&request_id(&next)].authorisation;
    assert_eq!(authorisation, Some(Authorisation::SessionGrant));
}

#[tokio::test]
async fn a_write_of_a_table_at_read_write_runs_in_the_words_of_dbeast() {
    let (mut world, agent, source, token) = shared(Level::Ask).await;
    table_level(&world, &agent, &source, TableLevel::ReadWrite).await;
    let asked = world.says(&agent, "request_sql", request(&token, &source, KEY, UPDATE)).await;
    assert_eq!(asked["status"], "running");
    let (_, work) = world.work().await;
    let Work::TableWrite { write } = work else { panic!("{work:?}") };
    assert_eq!(&*write.sql, "UPDATE \"main\".\"orders\"\nSET \"total\" = 0\nWHERE \"id\" = 7");
    assert_eq!(
        (write.columns.as_slice(), write.touches_all_rows),
        (&["id".into(), "total".into()][..], false)
    );
}

#[tokio::test]
async fn what_is_no_plain_write_of_that_table_asks_with_the_words_of_the_agent() {
    for sql in [
        "update main.lines set total = 0",
        "update orders set total = 0",
        "update main.orders set total = (select max(id) from main.orders)",
        "insert into main.orders(id) select 1",
        "delete from main.orders returning id",
        "delete from main.orders; delete from main.lines",
        "with x as (select 1) delete from main.orders",
        "select * from main.orders",
        "drop table main.orders",
    ] {
        let (world, agent, source, token) = shared(Level::Read).await;
        table_level(&world, &agent, &source, TableLevel::ReadWrite).await;
        let asked = world.says(&agent, "request_sql", request(&token, &source, KEY, sql)).await;
        assert_eq!(asked["status"], "pending", "{sql}");
        let state = world.store.state();
        let kept = &state.requests[&request_id(&asked)];
        assert_eq!(kept.sql().map(|sql| &**sql), Some(sql));
    }
}

#[tokio::test]
async fn a_table_at_read_never_lets_a_write_through() {
    let (world, agent, source, token) = shared(Level::Read).await;
    table_level(&world, &agent, &source, TableLevel::Read).await;
    let asked = world.says(&agent, "request_sql", request(&token, &source, KEY, UPDATE)).await;
    assert_eq!(asked["status"], "pending");
}

#[tokio::test]
async fn a_read_only_source_refuses_it_and_does_not_offer_it() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let source = world.added(true).await;
    world.share(&source, &agent, Some(Level::Read)).await;
    let token = world.begin(&agent).await;
    let catalog = world.says(&agent, "list_catalog", json!({ "session_token": token })).await;
    assert_eq!(
        catalog["sources"][0]["operations"],
        json!(["list_tables", "describe_table", "read_table", "query_sql"])
    );
    assert_eq!(catalog["sources"][0]["shared_access"], "read");
    let refused = world.says(&agent, "request_sql", request(&token, &source, KEY, UPDATE)).await;
    assert_eq!(refused["error"]["code"], "permission_denied", "{refused}");
    assert!(world.store.state().requests.is_empty());
}

#[tokio::test]
async fn a_text_that_query_sql_refuses_makes_no_request_at_all() {
    let (world, agent, source, token) = shared(Level::ReadWrite).await;
    let refused = world.says(&agent, "query_sql", request(&token, &source, KEY, UPDATE)).await;
    assert_eq!(refused["error"]["code"], "unsupported_safe_read");
    let state = world.store.state();
    assert!(state.requests.is_empty() && state.tasks.is_empty());
    let last = state.activity.entries().into_iter().next_back().unwrap().clone();
    assert_eq!(last.kind, EntryKind::StatementRefused);
}

#[tokio::test]
async fn the_same_text_for_both_tools_is_two_intents() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let arguments = request(&token, &source, KEY, "select id from main.orders");
    let read = world.says(&agent, "query_sql", arguments.clone()).await;
    assert_eq!(read["status"], "pending");
    let conflict = world.says(&agent, "request_sql", arguments).await;
    assert_eq!(conflict["error"]["code"], "request_conflict");
}

#[tokio::test]
async fn an_unknown_outcome_says_never_to_send_it_again() {
    let (mut world, agent, source, token) = shared(Level::ReadWrite).await;
    let asked = world.says(&agent, "request_sql", request(&token, &source, KEY, UPDATE)).await;
    let (task, _) = world.work().await;
    world.happens(TaskEvent::ReadyToSend { task }).await;
    world.finish(task, TaskOutcome::OutcomeUnknown { cause: None }).await;
    let told = get(&world, &agent, &token, &asked).await;
    assert_eq!(
        (&told["status"], &told["poll_after_ms"]),
        (&json!("outcome_unknown"), &Value::Null)
    );
    assert_eq!(told["error"]["code"], "outcome_unknown");
    assert!(told["error"]["hint"].as_str().unwrap().contains("Do not send it again"), "{told}");
}
