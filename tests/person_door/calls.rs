//! What each call does and what it refuses.

use crate::support::{BROKEN, desk};
use dbeast::effects::ids;
use dbeast::reducer::state::Status;
use serde_json::{Value, json};

#[tokio::test]
async fn a_source_is_opened_first_then_added_and_removed() {
    let desk = desk().await;
    let path = desk.file("a.db");
    let answer = desk.post("/api/sources", json!({"name": "  Shop ", "path": path})).await;
    assert_eq!(answer.status, 201);
    let id = answer.json()["source_id"].as_str().unwrap().to_owned();
    assert_eq!(answer.json(), json!({"source_id": id}));
    let source = desk.view().await["sources"][&id].clone();
    assert_eq!((&source["name"], &source["alias"]), (&json!("Shop"), &json!("SQLite source 1")));
    assert_eq!(source["location"], json!(path));
    assert_eq!(source["shared"], json!({}));

    let named = json!({"name": "Shop", "alias": "Orders", "path": desk.file("b.db")});
    let named = desk.post("/api/sources", named).await.json()["source_id"].clone();
    let view = desk.view().await;
    assert_eq!(view["sources"][named.as_str().unwrap()]["alias"], "Orders");

    assert_eq!(desk.delete(&format!("/api/sources/{id}")).await.status, 204);
    desk.delete(&format!("/api/sources/{id}")).await.is(404, "not_found");
    assert!(desk.view().await["sources"].get(&id).is_none());
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_is_a_source_once_under_whatever_path() {
    let desk = desk().await;
    let path = desk.file("a.db");
    std::fs::write(&path, "").unwrap();
    let first = json!({"name": "Shop", "path": path});
    assert_eq!(desk.post("/api/sources", first.clone()).await.status, 201);
    let linked = desk.temp.path().join("linked.db");
    std::os::unix::fs::symlink(&path, &linked).unwrap();
    for path in [path.clone(), linked, desk.temp.path().join("own/../a.db")] {
        let again = desk.post("/api/sources", json!({"name": "Again", "path": path})).await;
        again.is(409, "source_exists");
        let message = again.json()["error"]["message"].clone();
        assert!(message.as_str().unwrap().contains("Shop"), "{message}");
    }
    assert_eq!(desk.view().await["sources"].as_object().unwrap().len(), 1);
}

#[tokio::test]
async fn a_source_that_cannot_be_opened_is_not_added() {
    let desk = desk().await;
    let answer = desk.post("/api/sources", json!({"name": "x", "path": desk.file(BROKEN)})).await;
    answer.is(422, "source_unavailable");
    let error = answer.json()["error"].clone();
    assert_eq!(error["message"], "This is no SQLite database.");
    assert_eq!(error["hint"], "Choose another file.");
    assert_eq!(desk.view().await["sources"], json!({}));
}

#[tokio::test]
async fn names_aliases_and_paths_have_a_form() {
    let desk = desk().await;
    let path = desk.file("a.db").to_str().unwrap().to_owned();
    let long = "é".repeat(81);
    for (name, alias, path) in [
        ("", "a", path.as_str()),
        (" \t", "a", &path),
        (&long, "a", &path),
        ("a\nb", "a", &path),
        ("a", "", &path),
        ("a", &long, &path),
        ("a", "\u{7}", &path),
        ("a", "a", ""),
        ("a", "a", "a.db"),
        ("a", "a", "./a.db"),
        ("a", "a", "~/a.db"),
        ("a", "a", "file:/a.db"),
        ("a", "a", ":memory:"),
        ("a", "a", "/a\0.db"),
        ("a", "a", &format!("/{}", "x".repeat(4_096))),
    ] {
        let body = json!({"name": name, "alias": alias, "path": path});
        desk.post("/api/sources", body).await.is(400, "bad_input");
    }
    for body in [
        json!({"name": "a"}),
        json!({"name": "a", "path": path, "engine": "oracle"}),
        json!({"name": "a", "path": path, "tls": true}),
    ] {
        desk.post("/api/sources", body).await.is(400, "bad_input");
    }
    assert_eq!(desk.view().await["sources"], json!({}));
    let longest = "é".repeat(80);
    let body = json!({"name": longest, "alias": null, "path": path});
    assert_eq!(desk.post("/api/sources", body).await.status, 201);
}

#[tokio::test]
async fn a_token_is_shown_once_and_never_again() {
    let desk = desk().await;
    let answer = desk.post("/api/clients", json!({"label": " Claude "})).await;
    assert_eq!(answer.status, 201);
    let made = answer.json();
    let (id, token) = (made["client_id"].as_str().unwrap(), made["token"].as_str().unwrap());
    assert_eq!(made["mcp_url"], "http://127.0.0.1:4712/mcp");
    let hash = ids::hash_token(token);
    assert!(desk.store.state().client_of(&hash).is_some_and(|client| client.as_str() == id));
    for configuration in made["configurations"].as_array().unwrap() {
        assert!(configuration["text"].as_str().unwrap().contains(token));
        assert!(matches!(configuration["kind"].as_str(), Some("command" | "file")));
    }
    let snapshot = desk.get("/api/snapshot").await.text;
    assert!(snapshot.contains("Claude") && !snapshot.contains(token));
    assert!(!snapshot.contains(&hash.to_hex()) && !snapshot.contains(&hash.to_hex()[..16]));
    assert_eq!(desk.client().await.1.len(), token.len());

    assert_eq!(desk.delete(&format!("/api/clients/{id}")).await.status, 204);
    assert!(desk.store.state().client_of(&hash).is_none(), "the token is dead");
    desk.delete(&format!("/api/clients/{id}")).await.is(404, "not_found");
}

#[tokio::test]
async fn connections_have_a_form_and_a_limit() {
    let desk = desk().await;
    for label in ["", "  ", "a\nb", "\u{1b}[0m", &"x".repeat(81)] {
        desk.post("/api/clients", json!({"label": label})).await.is(400, "bad_input");
    }
    for _ in 0..16 {
        desk.client().await;
    }
    desk.post("/api/clients", json!({"label": "x"})).await.is(409, "limit_reached");
}

#[tokio::test]
async fn without_the_agents_door_no_connection_is_made() {
    let desk = desk().await;
    desk.store.send(dbeast::events::ServerEvent::Stopped).await.unwrap();
    desk.post("/api/clients", json!({"label": "x"})).await.is(409, "server_stopped");
    assert_eq!(desk.view().await["clients"], json!({}));
}

#[tokio::test]
async fn sharing_is_set_for_one_connection_or_for_all() {
    let desk = desk().await;
    let (source, (client, _)) = (desk.source().await, desk.client().await);
    let share = |audience: Value, level: &str| {
        desk.put("/api/sharing", json!({"source_id": source, "audience": audience, "level": level}))
    };
    assert_eq!(share(json!("all_agents"), "ask").await.status, 204);
    assert_eq!(share(json!({"client_id": client}), "read").await.status, 204);
    let view = desk.view().await;
    let shared = &view["sources"][&source]["shared"];
    assert_eq!(*shared, json!({"all_agents": "ask", client.as_str(): "read"}));
    assert_eq!(share(json!("all_agents"), "none").await.status, 204);
    let view = desk.view().await;
    assert_eq!(view["sources"][&source]["shared"], json!({client.as_str(): "read"}));
    assert_eq!(share(json!({"client_id": client}), "read_write").await.status, 204);
    let view = desk.view().await;
    assert_eq!(view["sources"][&source]["shared"], json!({client.as_str(): "read_write"}));

    share(json!({"client_id": "con_unknown"}), "ask").await.is(404, "not_found");
    share(json!({"client_id": "x".repeat(65)}), "ask").await.is(404, "not_found");
    for (audience, level) in [
        (json!("all_agents"), "write"),
        (json!("all_agents"), "full_sql"),
        (json!("All_Agents"), "ask"),
        (json!(client), "ask"),
        (json!({"client_id": client, "all_agents": null}), "ask"),
        (json!({"client_id": [client]}), "ask"),
        (json!({}), "ask"),
        (json!(null), "ask"),
    ] {
        share(audience, level).await.is(400, "bad_input");
    }
    let body = json!({"source_id": "src_unknown", "audience": "all_agents", "level": "read"});
    desk.put("/api/sharing", body).await.is(404, "not_found");
}

#[tokio::test]
async fn a_request_is_decided_once() {
    let desk = desk().await;
    let (source, (client, _)) = (desk.source().await, desk.client().await);
    let allowed = desk.request(&source, &client, "req_a").await;
    assert_eq!(desk.view().await["requests"]["req_a"]["needs_decision"], true);
    assert_eq!(desk.post("/api/requests/req_a/allow", json!({})).await.status, 204);
    assert_eq!(desk.store.state().requests[&allowed].status, Status::Running);
    desk.post("/api/requests/req_a/allow", json!({})).await.is(409, "state_changed");
    desk.post("/api/requests/req_a/deny", json!({})).await.is(409, "state_changed");

    let denied = desk.request(&source, &client, "req_b").await;
    let note = json!({"note": "é".repeat(301)});
    desk.post("/api/requests/req_b/deny", note).await.is(400, "bad_input");
    desk.post("/api/requests/req_b/deny", json!({"note": "a\u{0}"})).await.is(400, "bad_input");
    desk.post("/api/requests/req_b/allow", json!({"once": true})).await.is(400, "bad_input");
    assert_eq!(desk.store.state().requests[&denied].status, Status::Pending);
    let answer = desk.post("/api/requests/req_b/deny", json!({"note": " not\nnow "})).await;
    assert_eq!(answer.status, 204);
    let state = desk.store.state();
    assert_eq!(state.requests[&denied].status, Status::Denied);
    assert!(format!("{:?}", state.requests[&denied].problem).contains("not\\nnow"));

    let ids = ["req_unknown", "x/y", "..", "%2e%2e", "%FF", &"x".repeat(65)];
    for id in ids {
        let answer = desk.post(&format!("/api/requests/{id}/allow"), json!({})).await;
        assert_eq!(answer.status, 404, "{id}");
        assert!(!answer.code().is_empty());
    }
}

#[tokio::test]
async fn sessions_end_one_by_one_or_all_at_once() {
    let desk = desk().await;
    let (source, (client, _)) = (desk.source().await, desk.client().await);
    let request = desk.request(&source, &client, "req_a").await;
    assert_eq!(desk.delete("/api/sessions/ses_1").await.status, 204);
    desk.delete("/api/sessions/ses_1").await.is(404, "not_found");
    assert!(desk.store.state().sessions.is_empty());
    assert!(!desk.store.state().requests.contains_key(&request));

    desk.request(&source, &client, "req_b").await;
    assert_eq!(desk.store.state().sessions.len(), 1);
    assert_eq!(desk.post("/api/stop-all", json!({})).await.status, 204);
    assert!(desk.store.state().sessions.is_empty());
    assert!(desk.view().await["clients"].get(&client).is_some(), "connections stay");
}
