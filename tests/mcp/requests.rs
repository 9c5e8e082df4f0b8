//! Requests from the agent's side: sessions, decisions, results, keys, and what stays invisible.

use super::support::{Agent, KEY, OTHER_KEY, World, get, query, request_id, rows, shared, text};
use dbeast::events::{
    Audience, Level, RequestEvent, Scope, SharingEvent, TableLevel, TaskOutcome, Tool,
};
use dbeast::ids::SourceId;
use dbeast::reducer::Work;
use dbeast::reducer::state::EntryKind;
use dbeast::value::{Cell, TableName};
use serde_json::{Value, json};

/// A call that waits for its result while the test plays the driver.
async fn answered(
    world: &mut World,
    agent: &Agent,
    tool: &str,
    arguments: Value,
    outcome: TaskOutcome,
) -> (Value, Work) {
    let (store, router) = (world.store.clone(), world.router.clone());
    let clock = world.clock.clone();
    let caller = World { store, router, clock, effects: tokio::sync::mpsc::channel(1).1 };
    let (agent, tool) = (agent.clone(), tool.to_owned());
    let call = tokio::spawn(async move { caller.says(&agent, &tool, arguments).await });
    let (task, work) = world.work().await;
    world.finish(task, outcome).await;
    (call.await.unwrap(), work)
}

#[tokio::test]
async fn a_session_begins_with_no_permission_and_all_limits() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let began = world.says(&agent, "begin_session", json!({ "label": "Monthly report" })).await;
    assert!(began["session_token"].as_str().unwrap().starts_with("dbeast_session_"));
    assert_eq!(began["permissions"], json!([]));
    assert_eq!(began["generation"], 1);
    let expires = json!({ "idle_ms": 1_200_000, "lifetime_ms": 7_200_000, "at_ms": 8_200_000 });
    assert_eq!(began["expires"], expires);
    for (limit, value) in [
        ("http_body_bytes", 262_144),
        ("sql_bytes", 65_536),
        ("operations_per_session", 1),
        ("pending_per_session", 4),
        ("decision_ms", 300_000),
        ("operation_ms", 30_000),
        ("rows", 500),
        ("result_bytes", 262_144),
        ("cell_bytes", 65_536),
        ("response_bytes", 1_048_576),
        ("request_keys_per_session", 256),
    ] {
        assert_eq!(began["limits"][limit], value, "{limit}");
    }
}

#[tokio::test]
async fn the_catalog_tells_nothing_of_the_database() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let hidden = world.source().await;
    let catalog = world.says(&agent, "list_catalog", json!({ "session_token": token })).await;
    let expected = json!({ "documents": [], "sources": [{
        "source_id": source.as_str(),
        "alias": "SQLite source 1",
        "engine": "sqlite",
        "operations": ["list_tables", "describe_table", "read_table", "query_sql", "request_sql"],
        "shared_access": "ask",
        "shared_tables": [],
    }]});
    assert_eq!(catalog, expected);
    assert!(!catalog.to_string().contains(hidden.as_str()));
    world.share(&source, &agent, Some(Level::Read)).await;
    let catalog = world.says(&agent, "list_catalog", json!({ "session_token": token })).await;
    assert_eq!(catalog["sources"][0]["shared_access"], "read");
}

#[tokio::test]
async fn the_catalog_tells_which_tables_have_a_level_of_their_own() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let other = world.agent("codex").await;
    world.share(&source, &other, Some(Level::Ask)).await;
    let own = Audience::Client(agent.client.clone());
    world
        .happens(SharingEvent::Set {
            source: source.clone(),
            audience: Audience::AllAgents,
            level: Some(Level::Ask),
        })
        .await;
    for (audience, name, level) in [
        (own.clone(), "orders", TableLevel::ReadWrite),
        (Audience::AllAgents, "orders", TableLevel::Read),
        (Audience::AllAgents, "lines", TableLevel::Read),
        (Audience::Client(other.client.clone()), "wages", TableLevel::Read),
    ] {
        let table = TableName { schema: "main".into(), name: name.into() };
        let level = Some(level);
        world
            .happens(SharingEvent::TableSet { source: source.clone(), audience, table, level })
            .await;
    }
    let arguments = json!({ "session_token": token });
    let catalog = world.says(&agent, "list_catalog", arguments.clone()).await;
    assert_eq!(catalog["sources"][0]["shared_access"], "ask");
    assert_eq!(
        catalog["sources"][0]["shared_tables"],
        json!([
            { "schema": "main", "name": "lines", "access": "read" },
            { "schema": "main", "name": "orders", "access": "read_write" },
        ])
    );
    world.share(&source, &agent, None).await;
    let catalog = world.says(&agent, "list_catalog", arguments).await;
    let orders = &catalog["sources"][0]["shared_tables"][1];
    assert_eq!(*orders, json!({ "schema": "main", "name": "orders", "access": "read" }));
}

#[tokio::test]
async fn a_request_that_needs_a_decision_is_pending_until_the_person_decides() {
    let (mut world, agent, source, token) = shared(Level::Ask).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let id = request_id(&asked);
    let pending = json!({
        "request_id": id.as_str(), "status": "pending", "result": null, "poll_after_ms": 1000 });
    assert_eq!(asked, pending);
    assert_eq!(get(&world, &agent, &token, &asked).await, pending);

    world.happens(RequestEvent::Allowed { request: id.clone(), scope: Scope::Once }).await;
    let running = get(&world, &agent, &token, &asked).await;
    assert_eq!((&running["status"], &running["poll_after_ms"]), (&json!("running"), &json!(200)));
    let (task, work) = world.work().await;
    assert!(matches!(work, Work::Read { .. }));
    world.finish(task, rows(&["id"], vec![vec![text("1")]], false)).await;
    let done = get(&world, &agent, &token, &asked).await;
    assert_eq!(done["status"], "completed");
    assert_eq!(done["result"]["rows"], json!([["1"]]));
    assert_eq!(done["poll_after_ms"], Value::Null);
}

#[tokio::test]
async fn a_covered_request_is_answered_in_one_call() {
    let (mut world, agent, source, token) = shared(Level::Read).await;
    let cells = vec![text("12345678901234567890"), Cell::Null, Cell::Binary(vec![0, 255])];
    let outcome = rows(&["id", "note", "data"], vec![cells], true);
    let (answer, _) =
        answered(&mut world, &agent, "query_sql", query(&token, &source, KEY), outcome).await;
    let expected = json!({
        "request_id": answer["request_id"],
        "status": "completed",
        "poll_after_ms": null,
        "result": {
            "columns": ["id", "note", "data"],
            "rows": [["12345678901234567890", null, { "binary_hex": "00ff" }]],
            "truncated": true,
            "truncated_by": "rows",
            "bytes": 40,
            "affected_rows": null,
            "elapsed_ms": 12,
            "value_encoding": "Non-null scalar values are exact text. Binary values use {\"binary_hex\":\"...\"}.",
            "guards": ["typed_statement", "read_only_transaction"],
        },
    });
    assert_eq!(answer, expected);
    assert_eq!(get(&world, &agent, &token, &answer).await, expected);
}

#[tokio::test]
async fn a_covered_request_that_takes_long_says_running() {
    let (mut world, agent, source, token) = shared(Level::Read).await;
    let answer = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    assert_eq!(answer["status"], "running");
    assert_eq!(answer["poll_after_ms"], 200);
    let (task, _) = world.work().await;
    world.finish(task, TaskOutcome::DeadlineExceeded).await;
    let late = get(&world, &agent, &token, &answer).await;
    assert_eq!(
        (&late["status"], &late["error"]["code"]),
        (&json!("expired"), &json!("limit_exceeded"))
    );
}

#[tokio::test]
async fn structured_tools_ask_for_exactly_their_work() {
    let (mut world, agent, source, token) = shared(Level::Read).await;
    let base = json!({ "session_token": token, "source_id": source.as_str() });
    let with = |key: &str, more: Value| {
        let mut all = base.clone();
        all["request_key"] = json!(key);
        for (name, value) in more.as_object().unwrap() {
            all[name] = value.clone();
        }
        all
    };
    let table = json!({ "schema": "main", "name": "orders" });
    let listed = dbeast::events::ResultPayload::Tables {
        tables: vec![dbeast::value::TableEntry {
            table: dbeast::value::TableName { schema: "main".into(), name: "orders".into() },
            kind: "table".into(),
        }],
        truncated: false,
    };
    let (answer, work) = answered(
        &mut world,
        &agent,
        "list_tables",
        with(KEY, json!({})),
        super::support::completed(listed),
    )
    .await;
    assert_eq!(work, Work::ListTables);
    let expected = json!({ "tables": [{ "schema": "main", "name": "orders", "kind": "table" }], "truncated": false });
    assert_eq!(answer["result"], expected);

    let described = dbeast::value::TableDescription {
        table: dbeast::value::TableName { schema: "main".into(), name: "orders".into() },
        columns: vec![dbeast::value::ColumnDescription {
            name: "id".into(),
            declared_type: "INTEGER".into(),
            nullable: false,
            primary_key_position: Some(1),
        }],
        guards: vec![dbeast::value::Guard::TableProof],
    };
    let outcome = super::support::completed(dbeast::events::ResultPayload::Table(described));
    let (answer, work) = answered(
        &mut world,
        &agent,
        "describe_table",
        with(OTHER_KEY, json!({ "table": table })),
        outcome,
    )
    .await;
    assert!(matches!(work, Work::DescribeTable { .. }));
    let expected = json!({
        "schema": "main", "name": "orders", "guards": ["table_proof"],
        "columns": [{ "name": "id", "declared_type": "INTEGER", "nullable": false,
            "primary_key_position": 1 }],
    });
    assert_eq!(answer["result"], expected);

    let third = "00000000-0000-4000-8000-000000000002";
    let read = with(third, json!({ "table": table, "columns": ["id"], "limit": 5 }));
    let outcome = rows(&["id"], vec![], false);
    let (answer, work) = answered(&mut world, &agent, "read_table", read, outcome).await;
    assert_eq!(answer["result"]["rows"], json!([]));
    let Work::Read { read } = work else { panic!("{work:?}") };
    assert!(read.sql.contains("orders") && read.sql.contains('5'), "{}", read.sql);
}

#[tokio::test]
async fn a_text_that_cannot_be_proven_is_refused_and_shown_to_the_person() {
    let (world, agent, source, token) = shared(Level::Read).await;
    let mut arguments = query(&token, &source, KEY);
    arguments["sql"] = json!("DELETE FROM main.orders");
    let answer = world.says(&agent, "query_sql", arguments).await;
    let error = &answer["error"];
    assert_eq!(error["code"], "unsupported_safe_read");
    assert!(
        error["reason"].is_string() && error["message"].is_string() && error["hint"].is_string()
    );
    let state = world.store.state();
    let entries = state.activity.entries();
    let shown = entries.last().unwrap();
    assert_eq!(shown.kind, EntryKind::StatementRefused);
    assert_eq!(shown.sql.as_deref(), Some("DELETE FROM main.orders"));
    assert!(state.requests.is_empty());
    assert!(state.sessions.len() == 1 && state.sessions.values().all(|one| one.keys.is_empty()));
}

#[tokio::test]
async fn a_key_makes_one_request_whatever_its_case_and_conflicts_with_another_intent() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let first = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let again = world.says(&agent, "query_sql", query(&token, &source, &KEY.to_uppercase())).await;
    assert_eq!(first, again);
    assert_eq!(world.store.state().requests.len(), 1);

    let mut other = query(&token, &source, KEY);
    other["sql"] = json!("SELECT id FROM main.customers");
    let conflict = world.says(&agent, "query_sql", other).await;
    assert_eq!(conflict["error"]["code"], "request_conflict");
    let tables =
        json!({ "session_token": token, "source_id": source.as_str(), "request_key": KEY });
    let conflict = world.says(&agent, "list_tables", tables).await;
    assert_eq!(conflict["error"]["code"], "request_conflict");

    let read = json!({
        "session_token": token, "source_id": source.as_str(), "request_key": OTHER_KEY,
        "table": { "schema": "main", "name": "orders" }, "columns": ["id"] });
    let mut spelled_out = read.clone();
    spelled_out["limit"] = json!(100);
    spelled_out["offset"] = json!(0);
    let short = world.says(&agent, "read_table", read).await;
    let long = world.says(&agent, "read_table", spelled_out).await;
    assert_eq!(short, long, "defaults are part of the arguments");
}

#[tokio::test]
async fn unknown_unshared_and_foreign_things_are_the_same_nothing() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let other = world.agent("codex").await;
    let other_token = world.begin(&other).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;

    let unshared = world.source().await;
    let unknown = SourceId::new("src_unknown");
    let mut seen = Vec::new();
    for (who, token, source) in
        [(&agent, &token, &unshared), (&agent, &token, &unknown), (&other, &other_token, &source)]
    {
        seen.push(world.exchange(who, "query_sql", query(token, source, OTHER_KEY)).await);
    }
    let foreign = json!({ "session_token": other_token, "request_id": asked["request_id"] });
    let nowhere = json!({ "session_token": other_token, "request_id": "req_unknown" });
    for tool in ["get_request", "cancel_request"] {
        seen.push(world.exchange(&other, tool, foreign.clone()).await);
        seen.push(world.exchange(&other, tool, nowhere.clone()).await);
    }
    for answer in &seen {
        assert_eq!(answer, &seen[0]);
    }
    assert_eq!(seen[0]["result"]["structuredContent"]["error"]["code"], "resource_unavailable");
    assert_eq!(get(&world, &agent, &token, &asked).await["status"], "pending");
}

#[tokio::test]
async fn a_session_token_works_only_for_its_own_connection() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let other = world.agent("codex").await;
    world.share(&source, &other, Some(Level::Read)).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let stolen = json!({ "session_token": token, "request_id": asked["request_id"] });
    let session = json!({ "session_token": token });
    for (tool, arguments) in [
        ("list_catalog", session.clone()),
        ("get_request", stolen.clone()),
        ("cancel_request", stolen),
        ("query_sql", query(&token, &source, OTHER_KEY)),
        ("end_session", session),
    ] {
        let answer = world.says(&other, tool, arguments).await;
        assert_eq!(answer["error"]["code"], "session_expired", "{tool}");
    }
    assert_eq!(get(&world, &agent, &token, &asked).await["status"], "pending");
}

#[tokio::test]
async fn the_end_of_a_session_ends_everything_of_it() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    let ended = world.says(&agent, "end_session", json!({ "session_token": token })).await;
    assert_eq!(ended, json!({ "ended": true }));
    assert_eq!(get(&world, &agent, &token, &asked).await["error"]["code"], "session_expired");

    let first = world.begin(&agent).await;
    let second = world.begin(&agent).await;
    let old = world.says(&agent, "list_catalog", json!({ "session_token": first })).await;
    assert_eq!(old["error"]["code"], "session_expired");
    let new = world.says(&agent, "list_catalog", json!({ "session_token": second })).await;
    assert!(new["error"].is_null());
}

#[tokio::test]
async fn a_name_that_a_person_could_not_see_never_reaches_them() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let base = json!({
        "session_token": token, "source_id": source.as_str(), "request_key": KEY,
        "table": { "schema": "main", "name": "orders\u{202e}x" } });
    let mut read = base.clone();
    read["columns"] = json!(["id"]);
    for (tool, arguments) in [("describe_table", base), ("read_table", read)] {
        let answer = world.says(&agent, tool, arguments).await;
        assert_eq!(answer["error"]["code"], "unsupported_safe_read", "{tool}: {answer}");
        assert!(answer["error"]["reason"].is_string(), "{tool}: {answer}");
    }
    let state = world.store.state();
    assert!(state.requests.is_empty());
    // It never becomes a request, but the person sees each attempt with its tool.
    let attempts: Vec<_> = state
        .activity
        .entries()
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::StatementRefused)
        .map(|entry| entry.tool)
        .collect();
    assert_eq!(attempts, [Some(Tool::DescribeTable), Some(Tool::ReadTable)]);
}

#[tokio::test]
async fn the_same_key_finds_its_request_also_after_the_source_was_taken_away() {
    let (world, agent, source, token) = shared(Level::Ask).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    world.share(&source, &agent, None).await;
    let again = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    assert_eq!(again["request_id"], asked["request_id"]);
    assert_eq!(again["status"], "revoked");
    let mut other = query(&token, &source, KEY);
    other["sql"] = json!("select id from main.orders limit 7");
    let conflict = world.says(&agent, "query_sql", other).await;
    assert_eq!(conflict["error"]["code"], "request_conflict");
}
