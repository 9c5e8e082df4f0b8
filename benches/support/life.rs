//! A life of the program in the making: its state, and the events that fill it.

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, DocumentEvent, DocumentKind, Envelope, Event, Level,
    Operation, RequestEvent, ResultBody, ResultPayload, Scope, ServerEvent, SessionEvent,
    SharingEvent, SourceEvent, SourceLocation, Submission, Target, TaskEvent, TaskOutcome,
    VerifiedRead, VerifiedWrite, WithheldText,
};
use dbeast::ids::{ClientId, FileId, RequestId, RequestKey, SessionId, SourceId, TaskId};
use dbeast::reducer::limits::{
    ACTIVITY_MAX, CLIENTS_MAX, KEYS_PER_SESSION_MAX, PENDING_PER_SESSION_MAX, REQUESTS_MAX,
    SESSIONS_MAX, SOURCES_MAX,
};
use dbeast::reducer::{State, Step, reduce, state::Status};
use dbeast::secret::TokenHash;
use dbeast::time::Millis;
use dbeast::value::{ObjectIdentity, TableName};
use std::sync::Arc;

/// Requests that the measured events themselves make, in the session of the first client.
pub(crate) const OWN_REQUESTS: usize = 16;
/// A read of about 300 bytes, as it is after rendering.
const SQL: &str = r#"SELECT "o"."id", "o"."placed_at", "c"."name", SUM("l"."price") AS "total"
FROM "main"."orders" AS "o" JOIN "main"."customers" AS "c" ON "c"."id" = "o"."customer_id"
JOIN "main"."lines" AS "l" ON "l"."order_id" = "o"."id"
WHERE "o"."placed_at" >= '2026-01-01' GROUP BY "o"."id" LIMIT 500"#;
const WRITE: &str = r#"UPDATE "main"."orders" SET "state" = 'sent' WHERE "id" = 4711"#;

/// How much a state holds.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) clients: usize,
    pub(crate) sources: usize,
    keys_per_session: usize,
    /// Sessions, after the first, that hold as many waiting requests as they may.
    waiting_sessions: usize,
    /// Of those, how many have a task as well.
    running_sessions: usize,
    /// Sessions at the end that keep two results each.
    completed_sessions: usize,
}

/// Every bound of the contract reached, but for the place that the measured events need.
pub(crate) const FULL: Size = Size {
    clients: CLIENTS_MAX,
    sources: SOURCES_MAX,
    keys_per_session: KEYS_PER_SESSION_MAX,
    waiting_sessions: 7,
    running_sessions: 3,
    completed_sessions: 8,
};

/// The same with room for the keys of a long walk, so that few agents must begin again.
pub(crate) const WALKED: Size = Size { keys_per_session: KEYS_PER_SESSION_MAX - 32, ..FULL };

/// One of everything.
pub(crate) const ONE: Size = Size {
    clients: 1,
    sources: 1,
    keys_per_session: 1,
    waiting_sessions: 0,
    running_sessions: 0,
    completed_sessions: 0,
};

/// A state in the making.
#[derive(Clone)]
pub(crate) struct Life {
    pub(crate) state: State,
    pub(crate) now: u64,
    pub(crate) requests_made: usize,
    sessions_begun: usize,
}

impl Life {
    /// A life that has come to this size.
    pub(crate) fn of(size: Size) -> Self {
        let mut life = Self {
            state: State::default(),
            now: 1_790_000_000_000,
            requests_made: 0,
            sessions_begun: 0,
        };
        life.send(ServerEvent::Started { port: 54_832 });
        for source in 0..size.sources {
            life.send(SourceEvent::Added {
                source: source_id(source),
                name: Arc::from(format!("Shop {source}")),
                alias: None,
                location: SourceLocation::Sqlite { path: Arc::from(format!("/data/{source}.db")) },
                is_read_only: false,
            });
        }
        life.send(opened());
        for client in 0..size.clients {
            life.arrive(client, size);
        }
        for client in 0..size.clients {
            life.work(client, size);
        }
        check(&life.state, size);
        life
    }

    /// A connection with its session, and what is shared with it.
    fn arrive(&mut self, client: usize, size: Size) {
        self.send(connected(client));
        for source in 0..size.sources {
            self.send(shared(source, client, Some(Level::Ask)));
        }
        let event = self.began(client);
        self.send(event);
    }

    /// Uses the session's keys: denied requests first, so that what is open or has a result stays.
    fn work(&mut self, client: usize, size: Size) {
        let is_waiting = (1..=size.waiting_sessions).contains(&client);
        let is_running = (1..=size.running_sessions).contains(&client);
        let is_completed = client >= size.clients - size.completed_sessions;
        let waiting = if is_waiting { PENDING_PER_SESSION_MAX } else { 0 };
        let kept = waiting + usize::from(is_running) + if is_completed { 2 } else { 0 };
        for _ in kept + spare_keys(size, client)..size.keys_per_session {
            let request = self.ask(client, size);
            self.send(RequestEvent::Denied { request, note: Some(Arc::from("not now")) });
        }
        if is_completed {
            for _ in 0..2 {
                let request = self.ask(client, size);
                self.send(RequestEvent::Allowed { request, scope: Scope::Once });
                let finished = self.finished(self.newest_task());
                self.send(finished);
            }
        }
        if is_running {
            let request = self.ask(client, size);
            self.send(RequestEvent::Allowed { request, scope: Scope::Once });
        }
        for _ in 0..waiting {
            self.ask(client, size);
        }
    }

    fn ask(&mut self, client: usize, size: Size) -> RequestId {
        let source = self.requests_made % size.sources;
        let request = request_id(self.requests_made);
        let event = self.submitted(client, source, read());
        self.send(event);
        request
    }

    /// The next request, with what it does.
    pub(crate) fn submitted(&mut self, client: usize, source: usize, what: Operation) -> Event {
        let source = source_id(source);
        let number = self.requests_made;
        self.requests_made += 1;
        let byte = u8::try_from(number % 256).unwrap();
        let generation = self.state.sources.get(&source).map(|source| source.generation).unwrap();
        let submission = Submission {
            request: request_id(number),
            client: client_id(client),
            token_hash: self.session_token(client),
            key: RequestKey::new(&format!("123e4567-e89b-42d3-a456-{number:012}")),
            digest: ArgumentsDigest([byte; 32]),
            target: Target::Source { source, generation },
            operation: what,
        };
        RequestEvent::Submitted(Box::new(submission)).into()
    }

    /// A new session of a client.
    pub(crate) fn began(&mut self, client: usize) -> Event {
        self.sessions_begun += 1;
        let number = self.sessions_begun;
        SessionEvent::Began {
            client: client_id(client),
            session: SessionId::new(&word("ses", number)),
            token_hash: token(1, number),
            label: Some(Arc::from("monthly report")),
        }
        .into()
    }

    pub(crate) fn session_id(&self, client: usize) -> Option<SessionId> {
        let client = client_id(client);
        let own = self.state.sessions.iter().find(|(_, session)| session.client == client);
        own.map(|(id, _)| id.clone())
    }

    /// The token of the client's live session, or one that opens nothing.
    pub(crate) fn session_token(&self, client: usize) -> TokenHash {
        let session = self.session_id(client).and_then(|id| self.state.sessions.get(&id));
        session.map_or_else(|| token(2, client), |session| session.token_hash)
    }

    pub(crate) fn newest_task(&self) -> TaskId {
        *self.state.tasks.keys().next_back().unwrap()
    }

    /// The end of a task, with a result.
    pub(crate) fn finished(&self, task: TaskId) -> Event {
        let body = ResultBody::new(ResultPayload::Withheld, [7; 32], 20_000);
        let request = &self.state.tasks.get(&task).unwrap().request;
        let tables = self.state.requests.get(request);
        let tables = tables.map_or(&[][..], |request| request.operation.tables());
        let identities = tables.iter().map(|table| (table.clone(), ObjectIdentity([9; 32])));
        let identities = identities.collect();
        TaskEvent::Finished { task, outcome: TaskOutcome::Completed { body, identities } }.into()
    }

    /// Lets a legal event happen a millisecond later.
    pub(crate) fn send(&mut self, event: impl Into<Event>) -> Envelope {
        let envelope = self.next(event);
        let step = self.fold(&envelope);
        assert!(step.answer.is_ok(), "{:?}: {:?}", step.answer, envelope.event);
        envelope
    }

    pub(crate) fn next(&mut self, event: impl Into<Event>) -> Envelope {
        self.now += 1;
        Envelope { seq: self.state.seq + 1, at: Millis(self.now), event: event.into() }
    }

    pub(crate) fn fold(&mut self, envelope: &Envelope) -> Step {
        let step = reduce(&self.state, envelope);
        self.state = step.state.clone();
        step
    }
}

/// That the figures are about what they say.
fn check(state: &State, size: Size) {
    let keys = size.clients * size.keys_per_session - spare_keys(size, 0);
    assert_eq!(state.clients.len(), size.clients);
    assert_eq!(state.sessions.len(), size.clients);
    assert_eq!(state.sources.len(), size.sources);
    assert_eq!(state.sharing.len(), size.sources * size.clients);
    assert_eq!(state.keys_used(), keys);
    assert_eq!(state.requests.len(), keys.min(REQUESTS_MAX));
    assert_eq!(state.tombstones(), keys.saturating_sub(REQUESTS_MAX));
    let is_full = size.clients == SESSIONS_MAX;
    assert!(!is_full || state.activity.len() == ACTIVITY_MAX);
    let count = |status| state.requests.values().filter(|one| one.status == status).count();
    assert_eq!(count(Status::Pending), size.waiting_sessions * PENDING_PER_SESSION_MAX);
    assert_eq!(count(Status::Running), size.running_sessions);
    assert_eq!(count(Status::Completed), size.completed_sessions * 2);
    assert_eq!(state.tasks.len(), size.running_sessions);
}

/// Keys that a session leaves free: the first one's, for the measured events.
const fn spare_keys(size: Size, client: usize) -> usize {
    if client == 0 && size.clients == CLIENTS_MAX { OWN_REQUESTS } else { 0 }
}

fn table(name: &str) -> TableName {
    TableName { schema: "main".to_owned(), name: name.to_owned() }
}

/// A query over three tables.
pub(crate) fn read() -> Operation {
    let tables = vec![table("customers"), table("lines"), table("orders")];
    let columns = tables.iter().map(|table| (table.clone(), "id".to_owned())).collect();
    let read = VerifiedRead { sql: Arc::from(SQL), tables, columns };
    Operation::QuerySql { read: Arc::new(read) }
}

/// A verified write of one table.
pub(crate) fn write() -> Operation {
    let write = VerifiedWrite {
        sql: Arc::from(WRITE),
        table: table("orders"),
        columns: vec!["total".to_owned()],
        touches_all_rows: false,
    };
    Operation::RequestSql { sql: Arc::from(WRITE), write: Some(Arc::new(write)) }
}

pub(crate) fn connected(client: usize) -> ClientEvent {
    ClientEvent::Created {
        client: client_id(client),
        label: Arc::from(format!("Agent {client}")),
        token_hash: token(0, client),
    }
}

pub(crate) fn shared(source: usize, client: usize, level: Option<Level>) -> SharingEvent {
    let audience = Audience::Client(client_id(client));
    SharingEvent::Set { source: source_id(source), audience, level }
}

fn opened() -> DocumentEvent {
    DocumentEvent::Opened {
        file: file_id(),
        name: Arc::from("report.sql"),
        alias: None,
        kind: DocumentKind::Sql,
        text: text(1),
    }
}

/// A text as a log holds it.
pub(crate) fn text(version: u8) -> WithheldText {
    WithheldText::new(Arc::from("SELECT 1;"), [version; 32])
}

pub(crate) fn file_id() -> FileId {
    FileId::new(&word("doc", 0))
}

pub(crate) fn client_id(number: usize) -> ClientId {
    ClientId::new(&word("con", number))
}

pub(crate) fn source_id(number: usize) -> SourceId {
    SourceId::new(&word("src", number))
}

pub(crate) fn request_id(number: usize) -> RequestId {
    RequestId::new(&word("req", number))
}

/// As long as the program's own, and scattered as they are: identifiers that only count up would
/// always meet the last leaf of a map.
fn word(kind: &str, number: usize) -> String {
    let number = u64::try_from(number).unwrap();
    let scattered = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    format!("{kind}_{scattered:016x}{number:016x}")
}

/// Only the bytes that a log holds, so that a parsed event is equal to the one before.
fn token(kind: u8, number: usize) -> TokenHash {
    let mut hash = [0_u8; 32];
    hash[0] = kind;
    hash[1..5].copy_from_slice(&u32::try_from(number).unwrap().to_be_bytes());
    TokenHash::new(hash)
}
