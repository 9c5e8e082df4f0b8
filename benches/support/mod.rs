//! States of a given size, made by real events only, and the events that are measured on them.

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, Envelope, Event, Level, Operation, RequestEvent,
    ResultBody, ResultPayload, ServerEvent, SessionEvent, SharingEvent, SourceEvent,
    SourceLocation, Submission, TaskEvent, TaskOutcome, VerifiedRead,
};
use dbeast::ids::{ClientId, RequestId, RequestKey, SessionId, SourceId, TaskId};
use dbeast::reducer::limits::{
    ACTIVITY_MAX, CLIENTS_MAX, KEYS_PER_SESSION_MAX, PENDING_PER_SESSION_MAX, REQUESTS_MAX,
    SESSIONS_MAX, SOURCES_MAX,
};
use dbeast::reducer::{State, state::Status};
use dbeast::reducer::{Step, reduce};
use dbeast::secret::TokenHash;
use dbeast::time::Millis;
use dbeast::value::TableName;
use std::sync::Arc;

/// Requests that the measured events themselves make, in the session of the first client.
const OWN_REQUESTS: usize = 2;
/// A read of about 300 bytes, as it is after rendering.
const SQL: &str = r#"SELECT "o"."id", "o"."placed_at", "c"."name", SUM("l"."price") AS "total"
FROM "main"."orders" AS "o" JOIN "main"."customers" AS "c" ON "c"."id" = "o"."customer_id"
JOIN "main"."lines" AS "l" ON "l"."order_id" = "o"."id"
WHERE "o"."placed_at" >= '2026-01-01' GROUP BY "o"."id" LIMIT 500"#;

/// How much a state holds.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) word: &'static str,
    clients: usize,
    sources: usize,
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
    word: "full",
    clients: CLIENTS_MAX,
    sources: SOURCES_MAX,
    keys_per_session: KEYS_PER_SESSION_MAX,
    waiting_sessions: 7,
    running_sessions: 3,
    completed_sessions: 8,
};

/// One of everything.
pub(crate) const ONE: Size = Size {
    word: "one",
    clients: 1,
    sources: 1,
    keys_per_session: 1,
    waiting_sessions: 0,
    running_sessions: 0,
    completed_sessions: 0,
};

/// One event to be measured, with the state that it meets.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) before: State,
    pub(crate) envelope: Envelope,
    /// The line of a log that holds the envelope.
    pub(crate) line: String,
}

/// The life of one request, the way another one is taken back, and what comes between: each event
/// legal, and each on the state that the one before left.
pub(crate) fn mix(size: Size) -> Vec<Case> {
    let mut life = life(size);
    check(&life.state, size);
    let first = life.requests_made;
    let submitted = |life: &mut Life| {
        let submission = life.submission(0, &source_id(0));
        Event::from(RequestEvent::Submitted(Box::new(submission)))
    };
    let mut cases = Vec::new();
    let event = submitted(&mut life);
    cases.push(life.case("submitted", event));
    let allowed = RequestEvent::AllowedOnce { request: request_id(first) };
    cases.push(life.case("allowed", allowed.into()));
    let used = SessionEvent::Used { client: client_id(0), session: session_id(0) };
    cases.push(life.case("session used", used.into()));
    let finished = life.finished();
    cases.push(life.case("task finished", finished));
    let event = submitted(&mut life);
    life.send(event);
    let request = request_id(first + 1);
    let cancelled =
        RequestEvent::Cancelled { client: client_id(0), token_hash: session_token(0), request };
    cases.push(life.case("cancelled", cancelled.into()));
    cases.push(life.case("time passed", ServerEvent::TimePassed.into()));
    cases
}

/// That the figures are about what they say.
fn check(state: &State, size: Size) {
    let keys = size.clients * size.keys_per_session - spare_keys(size, 0);
    assert_eq!(state.clients.len(), size.clients);
    assert_eq!(state.sessions.len(), size.clients);
    assert_eq!(state.sources.len(), size.sources);
    assert_eq!(state.keys.len(), keys);
    assert_eq!(state.requests.len(), keys.min(REQUESTS_MAX));
    assert_eq!(state.tombstones.len(), keys.saturating_sub(REQUESTS_MAX));
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

fn life(size: Size) -> Life {
    let mut life =
        Life { state: State::default(), seq: 0, now: 1_790_000_000_000, requests_made: 0 };
    life.send(ServerEvent::Started { port: 54_832 });
    for source in 0..size.sources {
        life.send(SourceEvent::Added {
            source: source_id(source),
            name: Arc::from(format!("Shop {source}")),
            alias: None,
            location: SourceLocation::Sqlite { path: Arc::from(format!("/data/{source}.db")) },
        });
    }
    for client in 0..size.clients {
        life.arrive(client, size);
    }
    for client in 0..size.clients {
        life.work(client, size);
    }
    life
}

/// A state in the making.
struct Life {
    state: State,
    seq: u64,
    now: u64,
    requests_made: usize,
}

impl Life {
    /// A connection with its session, and what is shared with it.
    fn arrive(&mut self, client: usize, size: Size) {
        self.send(ClientEvent::Created {
            client: client_id(client),
            label: Arc::from(format!("Agent {client}")),
            token_hash: token(0, client),
        });
        for source in 0..size.sources {
            self.send(SharingEvent::Set {
                source: source_id(source),
                audience: Audience::Client(client_id(client)),
                level: Some(Level::Ask),
            });
        }
        self.send(SessionEvent::Began {
            client: client_id(client),
            session: session_id(client),
            token_hash: session_token(client),
            label: Some(Arc::from("monthly report")),
        });
    }

    /// Uses the session's keys: denied requests first, so that what is open or has a result stays.
    fn work(&mut self, client: usize, size: Size) {
        let is_waiting = (1..=size.waiting_sessions).contains(&client);
        let is_running = (1..=size.running_sessions).contains(&client);
        let is_completed = client >= size.clients - size.completed_sessions;
        let waiting = if is_waiting { PENDING_PER_SESSION_MAX } else { 0 };
        let kept = waiting + usize::from(is_running) + if is_completed { 2 } else { 0 };
        for _ in kept + spare_keys(size, client)..size.keys_per_session {
            let request = self.submit(client, size);
            self.send(RequestEvent::Denied { request, note: Some(Arc::from("not now")) });
        }
        if is_completed {
            for _ in 0..2 {
                let request = self.submit(client, size);
                self.send(RequestEvent::AllowedOnce { request });
                let finished = self.finished();
                self.send(finished);
            }
        }
        if is_running {
            let request = self.submit(client, size);
            self.send(RequestEvent::AllowedOnce { request });
        }
        for _ in 0..waiting {
            self.submit(client, size);
        }
    }

    fn submit(&mut self, client: usize, size: Size) -> RequestId {
        let source = source_id(self.requests_made % size.sources);
        let submission = self.submission(client, &source);
        let request = submission.request.clone();
        self.send(RequestEvent::Submitted(Box::new(submission)));
        request
    }

    fn submission(&mut self, client: usize, source: &SourceId) -> Submission {
        let number = self.requests_made;
        self.requests_made += 1;
        let byte = u8::try_from(number % 256).unwrap();
        let table = |name: &str| TableName { schema: "main".to_owned(), name: name.to_owned() };
        let tables = vec![table("customers"), table("lines"), table("orders")];
        let columns = tables.iter().map(|table| (table.clone(), "id".to_owned())).collect();
        Submission {
            request: request_id(number),
            client: client_id(client),
            token_hash: session_token(client),
            key: RequestKey::new(&format!("123e4567-e89b-42d3-a456-{number:012}")),
            digest: ArgumentsDigest([byte; 32]),
            source: source.clone(),
            source_generation: self.state.sources.get(source).map(|source| source.generation),
            operation: Operation::QuerySql {
                read: VerifiedRead { sql: Arc::from(SQL), tables, columns },
            },
        }
    }

    /// The end of the newest task.
    fn finished(&self) -> Event {
        let task: TaskId = *self.state.tasks.keys().next_back().unwrap();
        let body = ResultBody::new(ResultPayload::Withheld, [7; 32], 20_000);
        TaskEvent::Finished { task, outcome: TaskOutcome::Completed(body) }.into()
    }

    /// An event that is legal, kept with the state before it.
    fn case(&mut self, name: &'static str, event: Event) -> Case {
        let before = self.state.clone();
        let envelope = self.send(event);
        let line = serde_json::to_string(&envelope).unwrap();
        let read: Envelope = serde_json::from_str(&line).unwrap();
        assert_eq!(read, envelope, "what is parsed is what is reduced");
        Case { name, before, envelope, line }
    }

    fn send(&mut self, event: impl Into<Event>) -> Envelope {
        self.seq += 1;
        self.now += 1;
        let envelope = Envelope { seq: self.seq, at: Millis(self.now), event: event.into() };
        let Step { state, answer, .. } = reduce(&self.state, &envelope);
        assert!(answer.is_ok(), "{answer:?}: {:?}", envelope.event);
        self.state = state;
        envelope
    }
}

fn client_id(number: usize) -> ClientId {
    ClientId::new(&word("con", number))
}

fn session_id(number: usize) -> SessionId {
    SessionId::new(&word("ses", number))
}

fn source_id(number: usize) -> SourceId {
    SourceId::new(&word("src", number))
}

fn request_id(number: usize) -> RequestId {
    RequestId::new(&word("req", number))
}

/// As long as the program's own, and scattered as they are: identifiers that only count up would
/// always meet the last leaf of a map.
fn word(kind: &str, number: usize) -> String {
    let number = u64::try_from(number).unwrap();
    let scattered = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    format!("{kind}_{scattered:016x}{number:016x}")
}

fn session_token(client: usize) -> TokenHash {
    token(1, client)
}

/// Only the bytes that a log holds, so that a parsed event is equal to the one before.
fn token(kind: u8, client: usize) -> TokenHash {
    let mut hash = [0_u8; 32];
    hash[0] = kind;
    hash[1] = u8::try_from(client).unwrap();
    TokenHash::new(hash)
}
