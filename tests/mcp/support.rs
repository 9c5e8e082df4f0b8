//! A world with a store, a door and a driver that the test plays.

use super::leaks::{self, holds_nothing_hidden};
use axum::Router;
use dbeast::effects::ids;
use dbeast::events::{
    Audience, ClientEvent, Event, Level, ResultBody, ResultPayload, ServerEvent, ServerPlace,
    SharingEvent, SourceEvent, SourceLocation, TaskEvent, TaskOutcome,
};
use dbeast::http::mcp::{Door, app, serve};
use dbeast::ids::{ClientId, RequestId, SourceId, TaskId};
use dbeast::reducer::{Answer, Effect, Refusal, Work};
use dbeast::store::Store;
use dbeast::time::Millis;
use dbeast::value::{Cell, Guard, ResultLimit, Rows};
use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The port of doors without a socket.
pub(crate) const PORT: u16 = 54_832;
pub(crate) const KEY: &str = "123e4567-e89b-42d3-a456-426614174000";
pub(crate) const OTHER_KEY: &str = "00000000-0000-4000-8000-000000000001";

pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) effects: Receiver<Effect>,
    pub(crate) clock: Arc<AtomicU64>,
    pub(crate) router: Router,
}

/// An agent connection: what the person copies, and what the reducer calls it.
#[derive(Clone)]
pub(crate) struct Agent {
    pub(crate) client: ClientId,
    pub(crate) token: String,
}

impl World {
    pub(crate) async fn start() -> Self {
        Self::on_port(PORT).await
    }

    async fn on_port(port: u16) -> Self {
        let clock = Arc::new(AtomicU64::new(1_000_000));
        let ticks = clock.clone();
        let now = move || Millis(ticks.load(Ordering::SeqCst));
        let (store, effects) = Store::start(Arc::new(now));
        let router = app(Door { store: store.clone(), port });
        let world = Self { store, effects, clock, router };
        world.happens(ServerEvent::Started { port }).await;
        world
    }

    /// A door behind a real listener. It closes when the guard is dropped.
    pub(crate) async fn listening() -> (Self, SocketAddr, DropGuard) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let world = Self::on_port(address.port()).await;
        let shutdown = CancellationToken::new();
        tokio::spawn(serve(listener, world.router.clone(), shutdown.clone()));
        (world, address, shutdown.drop_guard())
    }

    pub(crate) async fn happens(&self, event: impl Into<Event>) {
        self.sends(event).await.unwrap();
    }

    pub(crate) async fn sends(&self, event: impl Into<Event>) -> Result<Answer, Refusal> {
        self.store.send(event).await
    }

    pub(crate) fn later(&self, milliseconds: u64) {
        self.clock.fetch_add(milliseconds, Ordering::SeqCst);
    }

    pub(crate) async fn agent(&self, label: &str) -> Agent {
        let (client, token) = (ids::client().unwrap(), ids::client_token().unwrap());
        let token_hash = ids::hash_token(token.reveal());
        let label = label.into();
        self.happens(ClientEvent::Created { client: client.clone(), label, token_hash }).await;
        Agent { client, token: token.reveal().to_owned() }
    }

    pub(crate) async fn source(&self) -> SourceId {
        self.added(false).await
    }

    /// A source that may be one that never accepts writes.
    pub(crate) async fn added(&self, is_read_only: bool) -> SourceId {
        self.at(SourceLocation::Sqlite { path: leaks::PATH.into() }, is_read_only).await
    }

    /// A database on a server.
    pub(crate) async fn server(&self) -> SourceId {
        let location = SourceLocation::Postgres(ServerPlace {
            host: leaks::HOST.into(),
            port: leaks::SERVER_PORT,
            database: leaks::DATABASE.into(),
            user: leaks::USER.into(),
        });
        self.at(location, false).await
    }

    async fn at(&self, location: SourceLocation, is_read_only: bool) -> SourceId {
        let source = ids::source().unwrap();
        let added = SourceEvent::Added {
            source: source.clone(),
            name: leaks::NAME.into(),
            alias: None,
            location,
            is_read_only,
        };
        self.happens(added).await;
        source
    }

    pub(crate) async fn share(&self, source: &SourceId, agent: &Agent, level: Option<Level>) {
        let audience = Audience::Client(agent.client.clone());
        self.happens(SharingEvent::Set { source: source.clone(), audience, level }).await;
    }

    /// The next piece of work that the reducer asks for.
    pub(crate) async fn work(&mut self) -> (TaskId, Work) {
        loop {
            if let Effect::RunTask { task, work, .. } = self.effects.recv().await.unwrap() {
                return (task, work);
            }
        }
    }

    pub(crate) async fn finish(&self, task: TaskId, outcome: TaskOutcome) {
        self.happens(TaskEvent::Finished { task, outcome }).await;
    }

    /// One call of a tool: the whole JSON-RPC answer.
    pub(crate) async fn exchange(&self, agent: &Agent, tool: &str, arguments: Value) -> Value {
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        });
        let body = self.post(agent, &call).await;
        serde_json::from_slice(&body).unwrap()
    }

    /// One message to the door, as bytes of the answer.
    pub(crate) async fn post(&self, agent: &Agent, message: &Value) -> Vec<u8> {
        let request = request("POST", "/mcp")
            .header("Authorization", format!("Bearer {}", agent.token))
            .body(message.to_string())
            .unwrap();
        let response = send(&self.router, request).await;
        assert_eq!(response.status(), 200);
        response.into_body()
    }

    /// What a tool says: `structuredContent`, checked to be the text as well.
    pub(crate) async fn says(&self, agent: &Agent, tool: &str, arguments: Value) -> Value {
        let answer = self.exchange(agent, tool, arguments).await;
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        let structured = result["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
        assert_eq!(
            result["isError"] == json!(true),
            structured.get("status").is_none() && structured.get("error").is_some()
        );
        structured
    }

    pub(crate) async fn begin(&self, agent: &Agent) -> String {
        let began = self.says(agent, "begin_session", json!({})).await;
        began["session_token"].as_str().unwrap().to_owned()
    }
}

/// A request with everything right but the token.
pub(crate) fn request(method: &str, path: &str) -> http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("Host", format!("127.0.0.1:{PORT}"))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
}

/// Sends a request to a router without a socket. Whatever comes back holds nothing that agents must not see.
pub(crate) async fn send<B: Into<axum::body::Body>>(
    router: &Router,
    request: Request<B>,
) -> Response<Vec<u8>> {
    let request = request.map(Into::<axum::body::Body>::into);
    let response = TowerToHyperService::new(router.clone()).call(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes().to_vec();
    holds_nothing_hidden(format!("{:?}", parts.headers).as_bytes());
    holds_nothing_hidden(&body);
    Response::from_parts(parts, body)
}

/// Sends bytes to a real door and reads until it closes; the same holds for what comes.
pub(crate) async fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The door may answer and close before it has read everything.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    holds_nothing_hidden(&answer);
    String::from_utf8(answer).unwrap()
}

pub(crate) fn rows(columns: &[&str], rows: Vec<Vec<Cell>>, truncated: bool) -> TaskOutcome {
    let columns = columns.iter().map(ToString::to_string).collect();
    let guards = vec![Guard::TypedStatement, Guard::ReadOnlyTransaction];
    let truncated_by = truncated.then_some(ResultLimit::Rows);
    let rows = Rows { columns, rows, truncated_by, affected_rows: None, bytes: 40, guards };
    completed(ResultPayload::Rows { rows, elapsed_ms: 12 })
}

pub(crate) fn completed(payload: ResultPayload) -> TaskOutcome {
    TaskOutcome::Completed { body: ResultBody::new(payload, [7; 32], 1), identities: Vec::new() }
}

pub(crate) fn text(value: &str) -> Cell {
    Cell::Text(value.to_owned())
}

pub(crate) fn query(token: &str, source: &SourceId, key: &str) -> Value {
    json!({
        "session_token": token, "source_id": source.as_str(), "request_key": key,
        "sql": "SELECT id FROM main.orders",
    })
}

pub(crate) fn request_id(answer: &Value) -> RequestId {
    RequestId::new(answer["request_id"].as_str().unwrap_or_else(|| panic!("{answer}")))
}

/// A world with one agent in a session and one source that is shared with it.
pub(crate) async fn shared(level: Level) -> (World, Agent, SourceId, String) {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let source = world.source().await;
    world.share(&source, &agent, Some(level)).await;
    let token = world.begin(&agent).await;
    (world, agent, source, token)
}

pub(crate) async fn get(world: &World, agent: &Agent, token: &str, answer: &Value) -> Value {
    let arguments = json!({ "session_token": token, "request_id": answer["request_id"] });
    world.says(agent, "get_request", arguments).await
}
