//! What every call is checked for, and what every answer carries.

use crate::support::{Desk, HOST, ORIGIN, desk};
use axum::http::Method;
use serde_json::json;

async fn count(desk: &Desk) -> usize {
    desk.view().await["clients"].as_object().unwrap().len()
}

#[tokio::test]
async fn the_host_must_be_exactly_ours() {
    let desk = desk().await;
    for host in [
        "localhost:4711",
        "127.0.0.1",
        "127.0.0.1:4712",
        "127.0.0.1:04711",
        "127.0.0.1.:4711",
        "127.1:4711",
        "[::1]:4711",
        "evil.example",
        "127.0.0.1:4711.evil.example",
        "",
    ] {
        for path in ["/api/snapshot", "/", "/open/x", "/nothing"] {
            let answer = desk.send(desk.call(Method::GET, path).instead("host", host)).await;
            assert_eq!(answer.status, 403, "{host} {path}");
        }
    }
    let get = || desk.call(Method::GET, "/api/snapshot");
    desk.send(get().without("host")).await.is(403, "wrong_host");
    desk.send(get().with("host", HOST)).await.is(403, "wrong_host");
    let absolute = desk.call(Method::GET, "http://evil.example/api/snapshot");
    assert_eq!(desk.send(absolute).await.status, 403);
    let absolute = desk.call(Method::GET, &format!("{ORIGIN}/api/snapshot"));
    assert_eq!(desk.send(absolute).await.status, 200);
}

#[tokio::test]
async fn calls_of_other_pages_are_refused_and_do_nothing() {
    let desk = desk().await;
    let body = json!({"label": "x"});
    let post = || desk.call(Method::POST, "/api/clients").json(&body);
    let elsewhere = [
        "http://localhost:4711",
        "https://127.0.0.1:4711",
        "http://127.0.0.1:3000",
        "http://127.0.0.1:4711.evil.example",
        "http://127.0.0.1:4711/",
        "null",
        "",
    ];
    for origin in elsewhere {
        desk.send(post().instead("origin", origin)).await.is(403, "wrong_origin");
        desk.send(post().with("origin", origin)).await.is(403, "wrong_origin");
        let get = desk.call(Method::GET, "/api/snapshot").with("origin", origin);
        desk.send(get).await.is(403, "wrong_origin");
    }
    desk.send(post().without("origin")).await.is(403, "wrong_origin");
    for site in ["cross-site", "same-site", "", "Same-Origin"] {
        desk.send(post().with("sec-fetch-site", site)).await.is(403, "wrong_origin");
        let get = desk.call(Method::GET, "/api/stream").with("sec-fetch-site", site);
        desk.send(get).await.is(403, "wrong_origin");
    }
    let delete = desk.call(Method::DELETE, "/api/clients/x").without("origin");
    desk.send(delete).await.is(403, "wrong_origin");
    assert_eq!(count(&desk).await, 0);
    assert_eq!(desk.send(post().with("sec-fetch-site", "same-origin")).await.status, 201);
}

#[tokio::test]
async fn bodies_are_json_of_the_right_form_and_length() {
    let desk = desk().await;
    let post = || desk.call(Method::POST, "/api/clients");
    let good = r#"{"label":"x"}"#;
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]
    {
        desk.send(post().raw(kind, good)).await.is(415, "not_json");
    }
    desk.send(post().raw("application/json", good).without("content-type"))
        .await
        .is(415, "not_json");
    let twice = post().raw("application/json", good).with("content-type", "application/json");
    desk.send(twice).await.is(415, "not_json");
    for bad in [
        "",
        "{",
        "null",
        "[]",
        "{}",
        r#"{"label":1}"#,
        r#"{"label":null}"#,
        r#"{"label":"x","extra":1}"#,
        r#"{"label":"x","label":"y"}"#,
        r#"{"label":"x"} {}"#,
        r#"{"Label":"x"}"#,
    ] {
        desk.send(post().raw("application/json", bad)).await.is(400, "bad_input");
    }
    desk.send(post().raw("application/json", vec![0xFF])).await.is(400, "bad_input");
    let padded = |length: usize| format!("{good}{}", " ".repeat(length - good.len()));
    desk.send(post().raw("application/json", padded(64 * 1024 + 1))).await.is(413, "too_long");
    let declared = post().raw("application/json", good).with("content-length", "99999999");
    desk.send(declared).await.is(413, "too_long");
    assert_eq!(count(&desk).await, 0);
    let answer = desk.send(post().raw("application/json", padded(64 * 1024))).await;
    assert_eq!(answer.status, 201);
    let answer = desk.send(post().raw("Application/JSON; charset=utf-8", good)).await;
    assert_eq!(answer.status, 201);
}

#[tokio::test]
async fn unknown_paths_and_methods_have_our_form() {
    let desk = desk().await;
    for path in ["/api", "/api/", "/api/nothing", "/nothing", "/assets/../x", "/index.php", "//"] {
        desk.get(path).await.is(404, "unknown_path");
    }
    desk.get("/api/stop-all").await.is(405, "wrong_method");
    desk.post("/api/snapshot", json!({})).await.is(405, "wrong_method");
    desk.post("/", json!({})).await.is(405, "wrong_method");
    desk.delete("/api/sharing").await.is(405, "wrong_method");
}

#[tokio::test]
async fn every_answer_carries_the_protection() {
    let desk = desk().await;
    let link = desk.link();
    let answers = [
        desk.get("/").await,
        desk.get("/api/snapshot").await,
        desk.get("/nothing").await,
        desk.get(&link).await,
        desk.get(&link).await,
        desk.post("/api/clients", json!({"label": "x"})).await,
        desk.post("/api/clients", json!({})).await,
        desk.delete("/api/clients/x").await,
        desk.send(desk.call(Method::GET, "/").instead("host", "evil.example")).await,
        desk.send(desk.call(Method::GET, "/api/snapshot").without("cookie")).await,
        desk.send(desk.call(Method::PUT, "/api/snapshot")).await,
    ];
    for answer in answers {
        let header = |name: &str| answer.headers[name].to_str().unwrap();
        let policy = header("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"));
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(header("cache-control"), "no-store");
        assert!(answer.headers.get("access-control-allow-origin").is_none());
    }
}
