//! A door with a store behind it, and a browser that stands before it.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use dbeast::effects::ids;
use dbeast::effects::passwords::Passwords;
use dbeast::events::{
    ArgumentsDigest, Event, Operation, RequestEvent, ServerEvent, SessionEvent, SourceLocation,
    Submission, Target,
};
use dbeast::http::person::{Candidate, Door, Keys, OwnFiles, ProbeError, app};
use dbeast::ids::{ClientId, RequestId, RequestKey, SessionId, SourceId};
use dbeast::secret::TokenHash;
use dbeast::store::Store;
use dbeast::time::Millis;
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

pub(crate) const PORT: u16 = 4711;
pub(crate) const MCP_PORT: u16 = 4712;
pub(crate) const ORIGIN: &str = "http://127.0.0.1:4711";
pub(crate) const HOST: &str = "127.0.0.1:4711";
/// A database that the probe cannot open.
pub(crate) const BROKEN: &str = "broken.db";
/// The password that every server takes.
pub(crate) const PASSWORD: &str = "correct horse";

/// The door, and one browser that is let in.
pub(crate) struct Desk {
    pub(crate) store: Store,
    pub(crate) keys: Keys,
    pub(crate) door: Door,
    pub(crate) app: Router,
    pub(crate) cookie: String,
    pub(crate) temp: TempDir,
    now: Arc<AtomicU64>,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The code of an error of our own form.
    #[track_caller]
    pub(crate) fn code(&self) -> String {
        let error = &self.json()["error"];
        for field in ["code", "message", "hint"] {
            assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {error}");
        }
        error["code"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.code(), code);
    }
}

/// A door as it is after the start: open to agents, one browser let in.
pub(crate) async fn desk() -> Desk {
    let now = Arc::new(AtomicU64::new(1_000));
    let ticks = now.clone();
    let clock: dbeast::store::Clock = Arc::new(move || Millis(ticks.load(Ordering::SeqCst)));
    let (store, mut effects) = Store::start(clock.clone());
    tokio::spawn(async move { while effects.recv().await.is_some() {} });
    store.send(ServerEvent::Started { port: MCP_PORT }).await.unwrap();
    let temp = TempDir::new().unwrap();
    let own = temp.path().join("own");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("config.json"), "{}").unwrap();
    let keys = Keys::new(clock);
    let door = Door {
        store: store.clone(),
        keys: keys.clone(),
        port: PORT,
        probe: Arc::new(|candidate| Box::pin(async move { probe(&candidate) })),
        passwords: Passwords::default(),
        own_files: OwnFiles::new([own]),
        kept: Arc::new(|| Box::pin(async {})),
    };
    let app = app(door.clone());
    let mut desk = Desk { store, keys, door, app, cookie: String::new(), temp, now };
    desk.cookie = desk.enter().await;
    desk
}

fn probe(candidate: &Candidate) -> Result<(), ProbeError> {
    let (message, hint) = match &candidate.location {
        SourceLocation::Sqlite { path } if path.ends_with(BROKEN) => {
            ("This is no SQLite database.", "Choose another file.")
        }
        SourceLocation::Postgres(_)
            if candidate.password.as_ref().is_none_or(|word| word.reveal() != PASSWORD) =>
        {
            ("The server did not accept the account.", "Check user and password.")
        }
        SourceLocation::Sqlite { .. }
        | SourceLocation::Postgres(_)
        | SourceLocation::Mysql(_)
        | SourceLocation::Mariadb(_) => return Ok(()),
    };
    Err(ProbeError { message: message.to_owned(), hint: hint.to_owned() })
}

impl Desk {
    /// The path of a fresh link.
    pub(crate) fn link(&self) -> String {
        let link = self.keys.link(PORT).unwrap();
        link.reveal().strip_prefix(ORIGIN).unwrap().to_owned()
    }

    /// Opens a fresh link and gives the cookie.
    pub(crate) async fn enter(&self) -> String {
        let answer = self.send(self.call(Method::GET, &self.link())).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        let cookie = answer.headers["set-cookie"].to_str().unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    pub(crate) fn pass(&self, millis: u64) {
        self.now.fetch_add(millis, Ordering::SeqCst);
    }

    /// A call as the page makes it.
    pub(crate) fn call(&self, method: Method, path: &str) -> Call {
        let mut call = Call { method, path: path.to_owned(), headers: Vec::new(), body: None };
        call = call.with("host", HOST).with("cookie", &self.cookie);
        if call.method == Method::GET { call } else { call.with("origin", ORIGIN) }
    }

    pub(crate) async fn send(&self, call: Call) -> Answer {
        let response = self.open(call).await;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Answer { status: parts.status, headers: parts.headers, text }
    }

    /// The response with its body still to come.
    pub(crate) async fn open(&self, call: Call) -> axum::response::Response {
        TowerToHyperService::new(self.app.clone()).call(call.into_request()).await.unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.call(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.call(Method::POST, path).json(&body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(self.call(Method::PUT, path).json(&body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(self.call(Method::PATCH, path).json(&body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(self.call(Method::DELETE, path)).await
    }

    pub(crate) async fn view(&self) -> Value {
        self.get("/api/snapshot").await.json()["view"].clone()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        let path = self.temp.path().join(name);
        std::fs::write(&path, "").unwrap();
        path
    }

    /// Adds a source and gives its identifier.
    pub(crate) async fn source(&self) -> String {
        let path = self.file("shop.db");
        let body = serde_json::json!({"name": "Shop", "path": path});
        let answer = self.post("/api/sources", body).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["source_id"].as_str().unwrap().to_owned()
    }

    /// Creates a connection and gives its identifier and token.
    pub(crate) async fn client(&self) -> (String, String) {
        let answer = self.post("/api/clients", serde_json::json!({"label": "Claude"})).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        let text = |field: &str| answer.json()[field].as_str().unwrap().to_owned();
        (text("client_id"), text("token"))
    }

    /// Shares the source, begins a session and asks for its tables; waits for the decision.
    pub(crate) async fn request(&self, source: &str, client: &str, id: &str) -> RequestId {
        self.ask(source, client, id, Operation::ListTables).await
    }

    /// The same for any operation.
    pub(crate) async fn ask(
        &self,
        source: &str,
        client: &str,
        id: &str,
        operation: Operation,
    ) -> RequestId {
        let sharing = serde_json::json!({
            "source_id": source, "audience": {"client_id": client}, "level": "ask",
        });
        assert_eq!(self.put("/api/sharing", sharing).await.status, 204);
        let (client, request) = (ClientId::new(client), RequestId::new(id));
        let token_hash: TokenHash = ids::hash_token("session");
        let state = self.store.state();
        if state.session_of(&client, &token_hash, self.store.now()).is_err() {
            let session = SessionId::new("ses_1");
            let label = None;
            let event = SessionEvent::Began { client: client.clone(), session, token_hash, label };
            self.store.send(event).await.unwrap();
        }
        let source = SourceId::new(source);
        let submission = Submission {
            request: request.clone(),
            client,
            token_hash,
            key: RequestKey::new(id),
            digest: ArgumentsDigest([0; 32]),
            target: Target::Source { generation: state.sources[&source].generation, source },
            operation,
        };
        let event = Event::Request(RequestEvent::Submitted(Box::new(submission)));
        self.store.send(event).await.unwrap();
        request
    }
}

/// A call in the making.
pub(crate) struct Call {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Call {
    /// Adds a header beside those of the same name.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self
    }

    /// Replaces a header.
    pub(crate) fn instead(self, name: &str, value: &str) -> Self {
        self.without(name).with(name, value)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.raw("application/json", body.to_string())
    }

    pub(crate) fn raw(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.instead("content-type", content_type)
    }

    fn into_request(self) -> Request<Body> {
        let mut request = Request::builder().method(self.method).uri(self.path);
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        request.body(self.body.map_or_else(Body::empty, Body::from)).unwrap()
    }
}
