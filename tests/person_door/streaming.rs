//! The stream: a snapshot, then patches that lead to exactly the view of the snapshot call.

use crate::support::{Desk, ORIGIN, desk};
use axum::body::Body;
use axum::http::Method;
use dbeast::effects::clock::Stopwatch;
use dbeast::effects::ids;
use dbeast::events::{ServerEvent, SourceEvent, SourceLocation};
use dbeast::http::person::{Door, serve};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// A page that holds a view and applies what comes.
struct Page {
    body: Body,
    revision: u64,
    view: Value,
}

impl Page {
    async fn open(desk: &Desk) -> Self {
        let response = desk.open(desk.call(Method::GET, "/api/stream")).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let mut page = Self { body: response.into_body(), revision: 0, view: Value::Null };
        let (event, message) = page.next().await.unwrap();
        assert_eq!(event, "snapshot");
        page.revision = message["revision"].as_u64().unwrap();
        page.view = message["view"].clone();
        assert!(message["now_ms"].is_u64());
        page
    }

    /// The next message; none at the end of the stream.
    async fn next(&mut self) -> Option<(String, Value)> {
        let frame = self.body.frame().await?.unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        let mut lines = text.lines();
        let event = lines.next().unwrap().strip_prefix("event: ").unwrap().to_owned();
        let data = lines.next().unwrap().strip_prefix("data: ").unwrap();
        assert_eq!(lines.collect::<Vec<_>>(), [""]);
        Some((event, serde_json::from_str(data).unwrap()))
    }

    async fn patch(&mut self) {
        let (event, message) = self.next().await.unwrap();
        assert_eq!((event.as_str(), &message["from_revision"]), ("patch", &json!(self.revision)));
        let patch: json_patch::Patch = serde_json::from_value(message["patch"].clone()).unwrap();
        assert!(!patch.0.is_empty());
        json_patch::patch(&mut self.view, &patch).unwrap();
        self.revision = message["revision"].as_u64().unwrap();
        assert!(message["now_ms"].is_u64());
    }

    #[track_caller]
    fn agrees_with(&self, snapshot: &Value) {
        assert_eq!(self.revision, snapshot["revision"].as_u64().unwrap());
        assert_eq!(self.view, snapshot["view"]);
    }
}

async fn add_source(desk: &Desk, name: &str) {
    let location = SourceLocation::Sqlite { path: "/x".into() };
    let source = ids::source().unwrap();
    let name = name.into();
    let event = SourceEvent::Added { source, name, alias: None, location, is_read_only: false };
    desk.store.send(event).await.unwrap();
}

#[tokio::test]
async fn a_snapshot_and_then_patches_that_lead_to_the_same_view() {
    let desk = desk().await;
    let mut page = Page::open(&desk).await;
    page.agrees_with(&desk.get("/api/snapshot").await.json());
    let source = desk.source().await;
    page.patch().await;
    page.agrees_with(&desk.get("/api/snapshot").await.json());
    let (client, _) = desk.client().await;
    page.patch().await;
    desk.request(&source, &client, "req_a").await;
    page.patch().await;
    assert_eq!(page.view["requests"]["req_a"]["status"], "pending");
    desk.post("/api/requests/req_a/allow", json!({})).await;
    page.patch().await;
    assert_eq!(page.view["requests"]["req_a"]["status"], "running");
    desk.delete(&format!("/api/clients/{client}")).await;
    page.patch().await;
    page.agrees_with(&desk.get("/api/snapshot").await.json());
}

#[tokio::test]
async fn many_changes_come_in_one_patch() {
    let desk = desk().await;
    let mut page = Page::open(&desk).await;
    for round in 0..100 {
        add_source(&desk, &format!("~/{round} \n\u{2028} \"x\"")).await;
    }
    page.patch().await;
    page.agrees_with(&desk.get("/api/snapshot").await.json());
}

#[tokio::test]
async fn patches_keep_their_distance_while_changes_go_on() {
    let desk = desk().await;
    let mut page = Page::open(&desk).await;
    let watch = Stopwatch::start();
    for round in 1..=4 {
        add_source(&desk, "x").await;
        page.patch().await;
        assert!(watch.elapsed_ms() >= round * 50, "{} ms", watch.elapsed_ms());
    }
}

#[tokio::test]
async fn events_that_show_nothing_make_no_gap() {
    let desk = desk().await;
    let mut page = Page::open(&desk).await;
    let hidden = || desk.store.send(ServerEvent::TimePassed);
    hidden().await.unwrap();
    {
        // The stream takes the hidden change in and stays silent.
        let silent = page.next();
        let others = async {
            for _ in 0..3 {
                hidden().await.unwrap();
                tokio::task::yield_now().await;
            }
        };
        tokio::pin!(silent);
        tokio::select! { biased; _ = &mut silent => panic!("spoke"), () = others => {} }
    }
}

#[tokio::test]
async fn a_hidden_change_before_a_visible_one_keeps_the_chain() {
    let desk = desk().await;
    let mut page = Page::open(&desk).await;
    for _ in 0..3 {
        desk.store.send(ServerEvent::TimePassed).await.unwrap();
        add_source(&desk, "x").await;
        desk.store.send(ServerEvent::TimePassed).await.unwrap();
        page.patch().await;
    }
    page.agrees_with(&desk.get("/api/snapshot").await.json());
}

#[tokio::test]
async fn streams_are_bounded_and_a_closed_one_makes_room() {
    let desk = desk().await;
    let mut pages = Vec::new();
    for _ in 0..8 {
        pages.push(Page::open(&desk).await);
    }
    desk.get("/api/stream").await.is(429, "too_many_streams");
    pages.pop();
    Page::open(&desk).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_cookie() {
    let desk = desk().await;
    let mut page = Page::open(&desk).await;
    for _ in 0..8 {
        desk.enter().await;
    }
    assert!(page.next().await.is_none(), "eight newer browsers shut this one out");
    let mut desk = desk;
    desk.cookie = desk.enter().await;
    let mut page = Page::open(&desk).await;
    add_source(&desk, "x").await;
    desk.keys.close();
    assert!(page.next().await.is_none(), "nothing is told after the end");
    desk.get("/api/stream").await.is(401, "not_let_in");
}

#[tokio::test]
async fn shutting_down_does_not_wait_for_streams() {
    let desk = desk().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let shutdown = CancellationToken::new();
    let door = Door { port, ..desk.door.clone() };
    let serving = tokio::spawn(serve(listener, door, shutdown.clone()));

    let mut browser = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let host = ORIGIN.replace("http://", "").replace("4711", &port.to_string());
    let call =
        format!("GET /api/stream HTTP/1.1\r\nHost: {host}\r\nCookie: {}\r\n\r\n", desk.cookie);
    browser.write_all(call.as_bytes()).await.unwrap();
    let mut heard = String::new();
    while !heard.contains("event: snapshot") {
        let mut bytes = [0; 4096];
        let count = browser.read(&mut bytes).await.unwrap();
        assert_ne!(count, 0, "{heard}");
        heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    assert!(heard.starts_with("HTTP/1.1 200"));
    shutdown.cancel();
    serving.await.unwrap().unwrap();
}
