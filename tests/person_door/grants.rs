//! What a yes can reach beyond one request, how it is taken back, and levels of single tables.

use crate::support::{Desk, desk};
use dbeast::events::{Operation, SourceChange, SourceEvent};
use dbeast::http::person::{Door, app};
use dbeast::ids::SourceId;
use dbeast::reducer::state::{Authorisation, Status};
use dbeast::value::TableName;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A desk with a source, a connection, and a waiting question about one table.
async fn asked() -> (Desk, String, String) {
    let desk = desk().await;
    let (source, (client, _)) = (desk.source().await, desk.client().await);
    describe(&desk, &source, &client, "req_a").await;
    (desk, source, client)
}

async fn describe(desk: &Desk, source: &str, client: &str, id: &str) {
    let table = TableName { schema: "main".into(), name: "orders".into() };
    desk.ask(source, client, id, Operation::DescribeTable { table }).await;
}

async fn grants(desk: &Desk) -> Vec<Value> {
    desk.view().await["grants"].as_object().unwrap().values().cloned().collect()
}

fn authorised(desk: &Desk, id: &str) -> Option<Authorisation> {
    desk.store.state().requests[&dbeast::ids::RequestId::new(id)].authorisation
}

fn status(desk: &Desk, id: &str) -> Status {
    desk.store.state().requests[&dbeast::ids::RequestId::new(id)].status
}

#[tokio::test]
async fn a_yes_reaches_as_far_as_its_scope_says() {
    for (scope, expected) in [("table", json!(["main", "orders"])), ("source", json!(null))] {
        let (desk, source, client) = asked().await;
        let request = desk.view().await["requests"]["req_a"].clone();
        assert_eq!(request["scopes"], json!(["once", "table", "source"]));
        let answer = desk.post("/api/requests/req_a/allow", json!({"scope": scope})).await;
        assert_eq!(answer.status, 204, "{}", answer.text);
        assert_eq!(authorised(&desk, "req_a"), Some(Authorisation::SessionGrant));
        let [grant] = &grants(&desk).await[..] else { panic!("{:?}", grants(&desk).await) };
        assert_eq!(grant["scope"], scope);
        assert_eq!(grant["table"], expected);
        assert_eq!(grant["source_id"], source.as_str());
        assert_eq!(grant["client_id"], client.as_str());
        describe(&desk, &source, &client, "req_b").await;
        assert_eq!(desk.view().await["requests"]["req_b"]["needs_decision"], false);
        desk.request(&source, &client, "req_c").await;
        let list_needs_one = desk.view().await["requests"]["req_c"]["needs_decision"].clone();
        assert_eq!(list_needs_one, scope == "table");
    }
}

#[tokio::test]
async fn a_yes_without_a_scope_is_for_this_request_alone() {
    for body in [json!({}), json!({"scope": "once"})] {
        let (desk, source, client) = asked().await;
        assert_eq!(desk.post("/api/requests/req_a/allow", body).await.status, 204);
        assert_eq!(authorised(&desk, "req_a"), Some(Authorisation::Once));
        assert_eq!(grants(&desk).await, [] as [Value; 0], "it is used up");
        describe(&desk, &source, &client, "req_b").await;
        assert_eq!(desk.view().await["requests"]["req_b"]["needs_decision"], true);
    }
}

#[tokio::test]
async fn a_scope_that_is_none_or_does_not_fit_decides_nothing() {
    let (desk, source, client) = asked().await;
    let allow = |id: &str, body: Value| {
        let path = format!("/api/requests/{id}/allow");
        let desk = &desk;
        async move { desk.post(&path, body).await }
    };
    for scope in [
        json!("everything"),
        json!("Table"),
        json!(""),
        json!(null),
        json!(["table"]),
        json!({"table": "orders"}),
    ] {
        let answer = allow("req_a", json!({"scope": scope})).await;
        answer.is(400, "bad_input");
    }
    let said = allow("req_a", json!({"scope": "everything"})).await.text;
    assert!(said.contains("everything") && said.contains("full_sql"), "{said}");
    allow("req_a", json!({"scope": "table", "table": "orders"})).await.is(400, "bad_input");
    for scope in ["full_sql", "document"] {
        allow("req_a", json!({"scope": scope})).await.is(422, "scope_does_not_fit");
    }
    desk.request(&source, &client, "req_list").await;
    allow("req_list", json!({"scope": "table"})).await.is(422, "scope_does_not_fit");
    allow("req_unknown", json!({"scope": "table"})).await.is(404, "not_found");
    for id in ["req_a", "req_list"] {
        assert_eq!((status(&desk, id), authorised(&desk, id)), (Status::Pending, None));
    }
    assert_eq!(grants(&desk).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_grant_is_taken_back_with_what_runs_on_it() {
    let (desk, source, client) = asked().await;
    let scope = json!({"scope": "table"});
    assert_eq!(desk.post("/api/requests/req_a/allow", scope).await.status, 204);
    assert_eq!(status(&desk, "req_a"), Status::Running);
    let id = grants(&desk).await[0]["grant_id"].clone();
    for wrong in [
        "0".to_owned(),
        format!("{id}0"),
        format!("0{id}"),
        format!("+{id}"),
        format!("g{id}"),
        format!("%20{id}"),
        "-1".to_owned(),
        "99999999999999999999".to_owned(),
        "x".repeat(65),
    ] {
        desk.delete(&format!("/api/grants/{wrong}")).await.is(404, "not_found");
    }
    assert_eq!(status(&desk, "req_a"), Status::Running);
    assert_eq!(desk.delete(&format!("/api/grants/{id}")).await.status, 204);
    assert_eq!(status(&desk, "req_a"), Status::Revoked);
    assert_eq!(grants(&desk).await, [] as [Value; 0]);
    desk.delete(&format!("/api/grants/{id}")).await.is(404, "not_found");
    describe(&desk, &source, &client, "req_b").await;
    assert_eq!(desk.view().await["requests"]["req_b"]["needs_decision"], true);
    desk.post(&format!("/api/grants/{id}"), json!({})).await.is(405, "wrong_method");
}

/// Sets the level of a table for one connection.
async fn set(desk: &Desk, source: &str, client: &str, table: Value, level: &str) -> (u16, String) {
    let audience = json!({"client_id": client});
    let body = json!({"source_id": source, "audience": audience, "table": table, "level": level});
    let answer = desk.put("/api/sharing/table", body).await;
    let code = if answer.status == 204 { String::new() } else { answer.code() };
    (answer.status.as_u16(), code)
}

#[tokio::test]
async fn a_table_has_a_level_of_its_own() {
    let (desk, source, client) = asked().await;
    let orders = json!({"schema": "main", "name": "orders"});
    let done = (204, String::new());
    assert_eq!(set(&desk, &source, &client, orders.clone(), "read").await, done);
    let shared = desk.view().await["sources"][&source]["shared_tables"].clone();
    let expected = json!([{"schema": "main", "name": "orders", "access": "read"}]);
    assert_eq!(shared, json!({client.as_str(): expected}));
    describe(&desk, &source, &client, "req_b").await;
    assert_eq!(authorised(&desk, "req_b"), Some(Authorisation::SharedAccess));
    // Widening decides nothing about what waits; narrowing ends it.
    assert_eq!(status(&desk, "req_a"), Status::Pending);
    assert_eq!(set(&desk, &source, &client, orders, "none").await, done);
    assert_eq!(desk.view().await["sources"][&source]["shared_tables"], json!({}));
    for id in ["req_a", "req_b"] {
        assert_eq!(status(&desk, id), Status::Revoked);
    }
}

#[tokio::test]
async fn the_level_of_a_table_has_a_form() {
    let (desk, source, client) = asked().await;
    let orders = || json!({"schema": "main", "name": "orders"});
    let bad = (400, "bad_input".to_owned());
    for table in [
        json!("main.orders"),
        json!({"name": "orders"}),
        json!({"schema": "", "name": "orders"}),
        json!({"schema": "main", "name": ""}),
        json!({"schema": "main", "name": "or\u{0}ders"}),
        json!({"schema": "main", "name": "x".repeat(257)}),
        json!({"schema": "main", "name": "orders", "catalog": "x"}),
        json!(null),
    ] {
        assert_eq!(set(&desk, &source, &client, table.clone(), "read").await, bad, "{table}");
    }
    for level in ["ask", "write", "Read", "full_sql", ""] {
        assert_eq!(set(&desk, &source, &client, orders(), level).await, bad, "{level}");
    }
    let missing = (404, "not_found".to_owned());
    assert_eq!(set(&desk, "src_unknown", &client, orders(), "read").await, missing);
    assert_eq!(set(&desk, &source, "con_unknown", orders(), "read").await, missing);
    assert_eq!(set(&desk, &source, &"x".repeat(65), orders(), "read").await, missing);
    // Not shared with all agents, so no table of it is.
    let body = json!({
        "source_id": source, "audience": "all_agents", "table": orders(), "level": "read",
    });
    desk.put("/api/sharing/table", body).await.is(404, "not_found");
    assert_eq!(desk.view().await["sources"][&source]["shared_tables"], json!({}));
    assert_eq!(status(&desk, "req_a"), Status::Pending);
}

/// One statement in the agent's own words, of which the door of the agents found out that it is a write of a table.
fn update() -> Operation {
    let write = dbeast::events::VerifiedWrite {
        sql: "UPDATE \"main\".\"orders\"\nSET \"total\" = 0".into(),
        table: TableName { schema: "main".into(), name: "orders".into() },
        columns: vec!["total".into()],
        touches_all_rows: true,
    };
    let sql = "update main.orders set total = 0".into();
    Operation::RequestSql { sql, write: Some(Arc::new(write)) }
}

#[tokio::test]
async fn a_statement_can_be_allowed_once_or_for_the_session_and_nothing_between() {
    let (desk, source, client) = asked().await;
    desk.ask(&source, &client, "req_sql", update()).await;
    let request = desk.view().await["requests"]["req_sql"].clone();
    assert_eq!(request["scopes"], json!(["once", "full_sql"]));
    assert_eq!(request["sql"], "update main.orders set total = 0");
    assert_eq!((&request["may_write"], &request["touches_all_rows"]), (&json!(true), &json!(true)));
    for scope in ["table", "source", "document"] {
        let answer = desk.post("/api/requests/req_sql/allow", json!({"scope": scope})).await;
        answer.is(422, "scope_does_not_fit");
    }
    let answer = desk.post("/api/requests/req_sql/allow", json!({"scope": "full_sql"})).await;
    assert_eq!(answer.status, 204);
    assert_eq!(grants(&desk).await[0]["scope"], "full_sql");
    desk.ask(&source, &client, "req_next", update()).await;
    assert_eq!(authorised(&desk, "req_next"), Some(Authorisation::SessionGrant));
}

#[tokio::test]
async fn a_table_at_read_write_is_written_in_the_words_of_dbeast() {
    let (desk, source, client) = asked().await;
    let orders = json!({"schema": "main", "name": "orders"});
    let done = (204, String::new());
    assert_eq!(set(&desk, &source, &client, orders, "read_write").await, done);
    desk.ask(&source, &client, "req_sql", update()).await;
    let request = desk.view().await["requests"]["req_sql"].clone();
    assert_eq!(request["authorised_by"], "shared_access");
    assert_eq!(request["sql"], "UPDATE \"main\".\"orders\"\nSET \"total\" = 0");
}

#[tokio::test]
async fn a_read_only_source_is_never_shared_for_writing() {
    let (desk, source, client) = asked().await;
    let change = SourceChange::ReadOnly { is_read_only: true };
    let id = SourceId::new(&source);
    desk.store.send(SourceEvent::Changed { source: id, change }).await.unwrap();
    let audience = json!({"client_id": client});
    let body = json!({"source_id": source, "audience": audience, "level": "read_write"});
    desk.put("/api/sharing", body).await.is(409, "conflict");
    let orders = json!({"schema": "main", "name": "orders"});
    let refused = (409, "conflict".to_owned());
    assert_eq!(set(&desk, &source, &client, orders, "read_write").await, refused);
}

#[tokio::test]
async fn taking_a_table_out_is_answered_when_it_is_kept() {
    let (mut desk, source, client) = asked().await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (store, noted) = (desk.store.clone(), seen.clone());
    let id = SourceId::new(&source);
    let kept = move || {
        let (state, noted) = (store.state(), noted.clone());
        let shares = state.sharing.iter().filter(|((shared, _), _)| *shared == id);
        let tables: usize = shares.map(|(_, share)| share.tables.len()).sum();
        Box::pin(async move { noted.lock().unwrap().push(tables) })
            as std::pin::Pin<Box<dyn Future<Output = ()> + Send>>
    };
    desk.app = app(Door { kept: Arc::new(kept), ..desk.door.clone() });
    let orders = json!({"schema": "main", "name": "orders"});
    assert_eq!(set(&desk, &source, &client, orders.clone(), "read").await.0, 204);
    assert_eq!(set(&desk, &source, &client, orders, "none").await.0, 204);
    // Each time the new state was there already, and the answer came after the wait.
    assert_eq!(*seen.lock().unwrap(), [1, 0]);
}

#[tokio::test]
async fn the_new_calls_stand_behind_the_same_gate() {
    let (desk, source, client) = asked().await;
    let scope = json!({"scope": "source"});
    assert_eq!(desk.post("/api/requests/req_a/allow", scope.clone()).await.status, 204);
    let grant = format!("/api/grants/{}", grants(&desk).await[0]["grant_id"]);
    describe(&desk, &source, &client, "req_b").await;
    let table = json!({"schema": "main", "name": "orders"});
    let body = json!({
        "source_id": source, "audience": {"client_id": client}, "table": table, "level": "read",
    });
    let calls = || {
        [
            desk.call(axum::http::Method::DELETE, &grant),
            desk.call(axum::http::Method::PUT, "/api/sharing/table").json(&body),
            desk.call(axum::http::Method::POST, "/api/requests/req_b/allow").json(&scope),
        ]
    };
    for call in calls() {
        desk.send(call.without("cookie")).await.is(401, "not_let_in");
    }
    for call in calls() {
        desk.send(call.without("origin")).await.is(403, "wrong_origin");
    }
    for call in calls() {
        desk.send(call.instead("host", "evil.example")).await.is(403, "wrong_host");
    }
    for call in calls().into_iter().skip(1) {
        desk.send(call.instead("content-type", "text/plain")).await.is(415, "not_json");
    }
    assert_eq!(grants(&desk).await.len(), 1);
    assert_eq!(desk.view().await["sources"][&source]["shared_tables"], json!({}));
}
