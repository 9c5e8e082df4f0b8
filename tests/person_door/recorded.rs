//! The recording that the person saves, and the diagnostics.

use crate::support::desk;
use axum::http::Method;
use dbeast::recorder::{self, Replayed};
use serde_json::json;

#[tokio::test]
async fn the_recording_is_a_file_that_replays() {
    let desk = desk().await;
    let source = desk.source().await;
    let (client, token) = desk.client().await;
    let request = desk.request(&source, &client, "req_1").await;
    assert_eq!(desk.post(&format!("/api/requests/{request}/allow"), json!({})).await.status, 204);
    let answer = desk.get("/api/recording").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["content-type"], "application/x-ndjson");
    let name = "attachment; filename=\"dbeast-recording.jsonl\"";
    assert_eq!(answer.headers["content-disposition"], name);
    assert_eq!(answer.headers["cache-control"], "no-store");
    let events = desk.get("/api/diagnostics").await.json()["events"].clone();
    assert_eq!(recorder::check(answer.text.as_bytes()).unwrap(), events.as_u64().unwrap());
    let replayed = recorder::replay(answer.text.as_bytes(), |_| {}).unwrap();
    assert!(matches!(replayed, Replayed::Same { .. }), "{replayed:?}");
    assert!(answer.text.contains("shop.db") && !answer.text.contains(&token));
    assert!(!answer.text.contains(&dbeast::effects::ids::hash_token(&token).to_hex()));
}

#[tokio::test]
async fn nobody_else_gets_the_recording_or_the_diagnostics() {
    let desk = desk().await;
    for path in ["/api/recording", "/api/diagnostics"] {
        let call = || desk.call(Method::GET, path);
        desk.send(call().without("cookie")).await.is(401, "not_let_in");
        desk.send(call().instead("host", "evil.example")).await.is(403, "wrong_host");
        desk.send(call().with("origin", "http://evil.example")).await.is(403, "wrong_origin");
        desk.send(call().with("sec-fetch-site", "cross-site")).await.is(403, "wrong_origin");
        desk.post(path, json!({})).await.is(405, "wrong_method");
    }
}

#[tokio::test]
async fn the_diagnostics_tell_how_the_program_has_done() {
    let desk = desk().await;
    desk.pass(5_000);
    desk.source().await;
    let told = desk.get("/api/diagnostics").await.json();
    assert_eq!(told["since_ms"], 1_000);
    assert_eq!(told["events"], 2);
    let recording = &told["recording"];
    assert_eq!((&recording["from_event"], &recording["events"]), (&json!(1), &json!(2)));
    assert_eq!(recording["events_max"], recorder::EVENTS_MAX);
    assert_eq!(recording["bytes_max"], recorder::BYTES_MAX);
    assert!(recording["bytes"].as_u64().unwrap() > 100, "{recording}");
    let invariants = told["invariants"].as_array().unwrap();
    assert_eq!(invariants.len(), dbeast::reducer::invariants::CATALOGUE.len());
    for invariant in invariants {
        assert_eq!(invariant["broken"], 0);
        assert_eq!(invariant["first_broken_at_ms"], json!(null));
        assert!(invariant["sentence"].as_str().unwrap().ends_with('.'), "{invariant}");
    }
}
