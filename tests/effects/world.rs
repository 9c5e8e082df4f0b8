//! A running store with its runner, and one agent that asks.

use dbeast::effects::runner::{self, Outside};
use dbeast::effects::{clock, ids};
use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, Level, Operation, RequestEvent, ServerEvent,
    SessionEvent, SharingEvent, SourceEvent, SourceLocation, Submission, Target, VerifiedRead,
};
use dbeast::ids::{ClientId, RequestId, RequestKey, SessionId, SourceId};
use dbeast::reducer::State;
use dbeast::reducer::state::Request;
use dbeast::secret::TokenHash;
use dbeast::sql;
use dbeast::store::Store;
use std::sync::Arc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A running store with one client, one session and the demonstration's shop.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) client: ClientId,
    pub(crate) session: SessionId,
    pub(crate) source: SourceId,
    pub(crate) token: TokenHash,
    pub(crate) folder: tempfile::TempDir,
    /// Ends the runner.
    pub(crate) shutdown: CancellationToken,
    pub(crate) running: JoinHandle<()>,
}

impl World {
    pub(crate) async fn new(level: Level) -> Self {
        Self::with(level, Outside::default()).await
    }

    /// The same with another outside.
    pub(crate) async fn with(level: Level, outside: Outside) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.db");
        dbeast::demo::shop::create(&path).unwrap();
        let location = SourceLocation::Sqlite { path: Arc::from(path.to_str().unwrap()) };
        Self::at(level, outside, location, folder).await
    }

    /// The same with another place of its source.
    pub(crate) async fn at(
        level: Level,
        outside: Outside,
        location: SourceLocation,
        folder: tempfile::TempDir,
    ) -> Self {
        let (store, effects) = Store::start(clock::real());
        let never = CancellationToken::new();
        let running = tokio::spawn(runner::run(effects, store.clone(), outside, never.clone()));
        let world = Self {
            store,
            client: ClientId::new("c1"),
            session: SessionId::new("s1"),
            source: SourceId::new("src1"),
            token: ids::hash_token("session token"),
            folder,
            shutdown: never,
            running,
        };
        world.send(ServerEvent::Started { port: 1 }).await;
        world
            .send(ClientEvent::Created {
                client: world.client.clone(),
                label: Arc::from("claude"),
                token_hash: ids::hash_token("client token"),
            })
            .await;
        world
            .send(SourceEvent::Added {
                source: world.source.clone(),
                name: Arc::from("shop"),
                alias: None,
                location,
                is_read_only: false,
            })
            .await;
        world.share(Some(level)).await;
        world
            .send(SessionEvent::Began {
                client: world.client.clone(),
                session: world.session.clone(),
                token_hash: world.token,
                label: None,
            })
            .await;
        world
    }

    pub(crate) async fn send(&self, event: impl Into<dbeast::events::Event>) {
        self.store.send(event).await.unwrap();
    }

    pub(crate) async fn share(&self, level: Option<Level>) {
        let audience = Audience::Client(self.client.clone());
        self.send(SharingEvent::Set { source: self.source.clone(), audience, level }).await;
    }

    pub(crate) async fn ask(&self, id: &str, text: &str) -> RequestId {
        let engine = self.store.state().sources[&self.source].location.engine();
        let verified = sql::verify(text, engine).unwrap();
        let read = VerifiedRead {
            sql: Arc::from(verified.sql),
            tables: verified.tables,
            columns: verified.columns,
        };
        self.submit(id, Operation::QuerySql { read: read.into() }).await
    }

    pub(crate) async fn submit(&self, id: &str, operation: Operation) -> RequestId {
        self.send(RequestEvent::Submitted(Box::new(self.submission(id, operation)))).await;
        RequestId::new(id)
    }

    pub(crate) fn submission(&self, id: &str, operation: Operation) -> Submission {
        Submission {
            request: RequestId::new(id),
            client: self.client.clone(),
            token_hash: self.token,
            key: RequestKey::new(id),
            digest: ArgumentsDigest(ids::sha256(id.as_bytes())),
            target: Target::Source {
                source: self.source.clone(),
                generation: self.store.state().sources[&self.source].generation,
            },
            operation,
        }
    }

    /// Waits until the published state is as wanted.
    pub(crate) async fn until(&self, is_wanted: impl Fn(&State) -> bool) -> Arc<State> {
        let mut states = self.store.follow();
        states.wait_for(|state| is_wanted(state)).await.unwrap().clone()
    }

    pub(crate) async fn ended(&self, id: &RequestId) -> Request {
        let state = self.until(|state| state.requests[id].status.is_final()).await;
        (*state.requests[id]).clone()
    }
}
