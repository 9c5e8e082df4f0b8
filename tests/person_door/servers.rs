//! Databases on servers: their form, their password, and what of them leaves.

use crate::support::{Desk, PASSWORD, desk};
use dbeast::events::{Operation, ServerPlace, SourceLocation};
use dbeast::ids::{RequestId, SourceId};
use dbeast::reducer::state::Status;
use serde_json::{Value, json};

fn form() -> Value {
    json!({
        "name": "Sales", "engine": "postgres", "host": " db.example ", "port": 5433,
        "database": "shop \"2026\"", "user": "reader é", "password": PASSWORD,
    })
}

fn with(part: &str, value: Value) -> Value {
    let mut form = form();
    form[part] = value;
    form
}

fn without(part: &str) -> Value {
    let mut form = form();
    form.as_object_mut().unwrap().remove(part);
    form
}

async fn added(desk: &Desk) -> String {
    let answer = desk.post("/api/sources", form()).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()["source_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_server_is_asked_first_then_added_without_its_password() {
    let desk = desk().await;
    let id = added(&desk).await;
    let source = desk.view().await["sources"][&id].clone();
    assert_eq!(source["engine"], "postgres");
    assert_eq!(source["alias"], "PostgreSQL source 1");
    assert_eq!(source["location"], "reader é@db.example:5433/shop \"2026\"");
    assert_eq!((&source["read_lock"], &source["is_read_only"]), (&json!("full"), &json!(false)));
    let location = desk.store.state().sources[&SourceId::new(&id)].location.clone();
    let expected = SourceLocation::Postgres(ServerPlace {
        host: "db.example".into(),
        port: 5433,
        database: "shop \"2026\"".into(),
        user: "reader é".into(),
    });
    assert_eq!(location, expected);
    let password = desk.door.passwords.of(&SourceId::new(&id)).unwrap();
    assert_eq!(password.reveal(), PASSWORD);
    for path in ["/api/snapshot", "/api/recording", "/api/diagnostics"] {
        let said = desk.get(path).await.text;
        assert!(!said.contains(PASSWORD), "{path}: {said}");
    }
}

#[tokio::test]
async fn mysql_and_mariadb_are_engines_of_their_own() {
    let desk = desk().await;
    for (engine, title) in [("mysql", "MySQL"), ("mariadb", "MariaDB")] {
        let mut form = without("port");
        form["engine"] = json!(engine);
        let answer = desk.post("/api/sources", form.clone()).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let id = answer.json()["source_id"].as_str().unwrap().to_owned();
        let source = desk.view().await["sources"][&id].clone();
        assert_eq!(source["engine"], engine);
        assert!(source["alias"].as_str().unwrap().starts_with(title), "{source}");
        assert_eq!(source["location"], "reader é@db.example:3306/shop \"2026\"");
        // The same once more is the same database; the other engine on it is not.
        desk.post("/api/sources", form.clone()).await.is(409, "source_exists");
        form["path"] = json!("/data/shop.db");
        desk.post("/api/sources", form).await.is(400, "bad_input");
        // There is one lock only, and nothing is changed by asking for another.
        let path = format!("/api/sources/{id}");
        for lock in ["weak", "full"] {
            let refused = desk.patch(&path, json!({"read_lock": lock, "read_only": true})).await;
            refused.is(400, "bad_input");
        }
        assert_eq!(desk.view().await["sources"][&id]["is_read_only"], false);
    }
}

#[tokio::test]
async fn the_standard_port_and_a_socket_need_not_much() {
    let desk = desk().await;
    let mut form = without("port");
    form["host"] = json!("/run/postgresql");
    form["read_only"] = json!(true);
    let answer = desk.post("/api/sources", form).await;
    let id = answer.json()["source_id"].as_str().unwrap().to_owned();
    let source = desk.view().await["sources"][&id].clone();
    assert_eq!(source["location"], "reader é@/run/postgresql:5432/shop \"2026\"");
    assert_eq!(source["is_read_only"], true);
    let v6 = with("host", json!("::1"));
    let answer = desk.post("/api/sources", v6).await.json();
    let source = desk.view().await["sources"][answer["source_id"].as_str().unwrap()].clone();
    assert_eq!(source["location"], "reader é@[::1]:5433/shop \"2026\"");
}

#[tokio::test]
async fn a_server_that_refuses_is_not_added_and_its_words_are_shown() {
    let desk = desk().await;
    for form in [with("password", json!("wrong")), without("password"), with("password", json!(""))]
    {
        let answer = desk.post("/api/sources", form).await;
        answer.is(422, "source_unavailable");
        let error = answer.json()["error"].clone();
        assert_eq!(error["message"], "The server did not accept the account.");
        assert_eq!(error["hint"], "Check user and password.");
        assert!(!answer.text.contains("wrong"), "{}", answer.text);
    }
    assert_eq!(desk.view().await["sources"], json!({}));
}

#[tokio::test]
async fn the_parts_of_a_server_have_a_form() {
    let desk = desk().await;
    let long = "é".repeat(32);
    for (form, named) in [
        (without("host"), "host"),
        (without("database"), "database"),
        (without("user"), "user"),
        (with("host", json!("  ")), "host"),
        (with("host", json!("db\nexample")), "host"),
        (with("host", json!("db\u{0}")), "host"),
        (with("host", json!("user@db")), "host"),
        (with("host", json!("db/shop")), "host"),
        (with("host", json!("db:5433")), "port"),
        (with("host", json!("127.0.0.1:5433")), "port"),
        (with("host", json!("[::1]:5433")), "port"),
        (with("host", json!("postgres://reader@db:5433/shop")), "user and port"),
        (with("host", json!("../run/postgresql")), "host"),
        (with("host", json!("db example")), "host"),
        (with("host", json!(5433)), "string"),
        (with("host", json!("d".repeat(256))), "host"),
        (with("port", json!(0)), "port"),
        (with("port", json!(-1)), "port"),
        (with("port", json!(65_536)), "port"),
        (with("port", json!("5432")), "string"),
        (with("port", json!(5432.5)), "floating"),
        (with("port", json!(9_223_372_036_854_775_807_i64)), "port"),
        (with("database", json!(long)), "database"),
        (with("database", json!("a\tb")), "database"),
        (with("database", json!("")), "database"),
        (with("database", json!(" \n")), "database"),
        (with("database", json!("a\u{0}b")), "database"),
        (with("user", json!(long)), "user"),
        (with("user", json!("a\u{7f}")), "user"),
        (with("user", json!("\t")), "user"),
        (with("user", json!("root\r\nother")), "user"),
        (with("password", json!("x".repeat(1025))), "password"),
        (with("password", json!("a\u{0}")), "password"),
        (with("path", json!("/data/shop.db")), "path"),
        (with("engine", json!("sqlite")), "SQLite"),
        (with("engine", json!("oracle")), "oracle"),
        (with("tls", json!(true)), "tls"),
        (json!({"name": "a", "path": "/a.db", "host": "db"}), "host"),
    ] {
        let answer = desk.post("/api/sources", form.clone()).await;
        answer.is(400, "bad_input");
        let message = answer.json()["error"]["message"].clone();
        assert!(message.as_str().unwrap().contains(named), "{form}: {message}");
    }
    assert_eq!(desk.view().await["sources"], json!({}));
}

#[tokio::test]
async fn a_server_may_have_any_name_that_it_takes_itself() {
    let desk = desk().await;
    for (part, text) in [
        ("database", "d".repeat(63)),
        ("user", "u".repeat(63)),
        ("database", "x'; DROP DATABASE shop; --".into()),
        ("database", "a=b host=elsewhere ?sslmode=disable".into()),
        ("database", "%2e%2e/.. \\".into()),
        ("user", "さくら@\"shop\".example:5432/x".into()),
        ("host", "/tmp/a folder@[x]:1".into()),
        ("host", "fe80::1%eth0".into()),
    ] {
        let answer = desk.post("/api/sources", with(part, json!(text))).await;
        assert_eq!(answer.status, 201, "{part}: {}", answer.text);
        let id = answer.json()["source_id"].as_str().unwrap().to_owned();
        let shown = desk.view().await["sources"][&id]["location"].clone();
        assert!(shown.as_str().unwrap().contains(&text), "{text}: {shown}");
    }
}

#[tokio::test]
async fn a_database_with_one_account_is_a_source_once() {
    let desk = desk().await;
    added(&desk).await;
    for form in [form(), with("host", json!("DB.example")), with("name", json!("Again"))] {
        let again = desk.post("/api/sources", form).await;
        again.is(409, "source_exists");
        assert!(again.json()["error"]["message"].as_str().unwrap().contains("Sales"));
    }
    for form in [with("port", json!(5434)), with("database", json!("x")), with("user", json!("x"))]
    {
        assert_eq!(desk.post("/api/sources", form).await.status, 201);
    }
}

#[tokio::test]
async fn another_password_is_tried_first_and_ends_what_was_granted() {
    let desk = desk().await;
    let (id, (client, _)) = (added(&desk).await, desk.client().await);
    let path = format!("/api/sources/{id}");
    desk.ask(&id, &client, "req_a", Operation::ListTables).await;
    let status = || desk.store.state().requests[&RequestId::new("req_a")].status;
    let wrong = desk.patch(&path, json!({"password": "wrong"})).await;
    wrong.is(422, "source_unavailable");
    assert_eq!(status(), Status::Pending, "nothing was changed");
    let kept = desk.door.passwords.of(&SourceId::new(&id)).unwrap();
    assert_eq!(kept.reveal(), PASSWORD);
    for unusable in ["x".repeat(1025), "a\u{0}".to_owned()] {
        desk.patch(&path, json!({"password": unusable})).await.is(400, "bad_input");
        assert_eq!(status(), Status::Pending, "nothing was changed");
    }
    assert_eq!(desk.patch(&path, json!({"password": PASSWORD})).await.status, 204);
    assert_eq!(status(), Status::Revoked, "a password is always a new one");
    let file = desk.source().await;
    desk.patch(&format!("/api/sources/{file}"), json!({"password": "x"}))
        .await
        .is(400, "bad_input");
    desk.patch("/api/sources/src_unknown", json!({"password": "x"})).await.is(404, "not_found");
}

#[tokio::test]
async fn read_lock_and_read_only_are_changed_by_the_person_alone() {
    let desk = desk().await;
    let (id, (client, _)) = (added(&desk).await, desk.client().await);
    let path = format!("/api/sources/{id}");
    for (change, lock, is_read_only) in [
        (json!({"read_lock": "weak"}), "weak", false),
        (json!({"read_only": true}), "weak", true),
        (json!({"read_lock": "full", "read_only": false}), "full", false),
    ] {
        desk.ask(&id, &client, "req_a", Operation::ListTables).await;
        assert_eq!(desk.patch(&path, change.clone()).await.status, 204, "{change}");
        let source = desk.view().await["sources"][&id].clone();
        assert_eq!(source["read_lock"], lock, "{change}");
        assert_eq!(source["is_read_only"], is_read_only, "{change}");
        let status = desk.store.state().requests[&RequestId::new("req_a")].status;
        assert_eq!(status, Status::Revoked, "{change}");
        desk.post("/api/stop-all", json!({})).await;
    }
    for body in [
        json!({}),
        json!({"read_lock": "none"}),
        json!({"read_lock": "Weak"}),
        json!({"read_only": 1}),
        json!({"name": "x"}),
    ] {
        desk.patch(&path, body).await.is(400, "bad_input");
    }
    let unknown = desk.patch("/api/sources/src_unknown", json!({"read_lock": "weak"})).await;
    unknown.is(404, "not_found");
    let call = desk.call(axum::http::Method::PATCH, &path).json(&json!({"read_lock": "weak"}));
    desk.send(call.without("origin")).await.is(403, "wrong_origin");
    assert_eq!(desk.view().await["sources"][&id]["read_lock"], "full");
}

#[tokio::test]
async fn a_removed_source_leaves_no_password() {
    let desk = desk().await;
    let id = added(&desk).await;
    assert_eq!(desk.delete(&format!("/api/sources/{id}")).await.status, 204);
    assert!(desk.door.passwords.of(&SourceId::new(&id)).is_none());
}
