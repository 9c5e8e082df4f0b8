//! What the page shows of a day on which everything happens, word by word: `docs/interface.md` describes
//! this JSON, and the page is built on it.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, DocumentEvent, DocumentKind, Envelope, Event, Excerpt,
    GrantEvent, Level, Notice, Operation, RequestEvent, ResultBody, ResultPayload, Scope,
    ServerEvent, SessionEvent, SharingEvent, SourceEvent, SourceLocation, Submission, TableLevel,
    Target, TaskEvent, TaskOutcome, VerifiedRead, VerifiedWrite, WithheldText, WriteEstimate,
};
use dbeast::ids::{
    ClientId, DocumentVersion, FileId, GrantId, RequestId, RequestKey, SessionId, SourceGeneration,
    SourceId, TaskId,
};
use dbeast::reason::{DatabaseReason, Reason};
use dbeast::reducer::{State, diff, reduce, view};
use dbeast::secret::TokenHash;
use dbeast::time::Millis;
use dbeast::value::{ObjectIdentity, TableName};
use serde_json::Value;
use std::sync::Arc;

const START: u64 = 1_767_225_600_000;

/// A day in the making: a second passes before each event.
struct Day {
    state: State,
    requests: usize,
    /// The states before.
    passed: Vec<State>,
    /// What the first connection is called, and what its agent says of itself.
    label: &'static str,
    words: &'static str,
}

impl Day {
    fn happens(&mut self, event: impl Into<Event>) {
        let seq = self.state.seq + 1;
        let envelope = Envelope { seq, at: Millis(START + seq * 1_000), event: event.into() };
        let step = reduce(&self.state, &envelope);
        assert!(step.answer.is_ok(), "{:?}: {:?}", step.answer, envelope.event);
        self.passed.push(std::mem::replace(&mut self.state, step.state));
    }

    fn asks(&mut self, client: &str, target: Target, operation: Operation) {
        self.requests += 1;
        let submission = Submission {
            request: RequestId::new(&format!("r{}", self.requests)),
            client: ClientId::new(client),
            token_hash: hash(client, 2),
            key: RequestKey::new(&format!("k{}", self.requests)),
            digest: ArgumentsDigest([7; 32]),
            target,
            operation,
        };
        self.happens(RequestEvent::Submitted(Box::new(submission)));
    }

    fn allows(&mut self, scope: Scope) {
        let request = RequestId::new(&format!("r{}", self.requests));
        self.happens(RequestEvent::Allowed { request, scope });
    }

    /// The database of the last question says what it expects of it.
    fn is_estimated(&mut self) {
        let request = RequestId::new(&format!("r{}", self.requests));
        let estimate = WriteEstimate { rows: Some(12), plan: text("SCAN orders") };
        self.happens(RequestEvent::Estimated { request, estimate });
    }

    fn ends(&mut self, outcome: TaskOutcome) {
        let task: TaskId = *self.state.tasks.keys().next_back().unwrap();
        self.happens(TaskEvent::Finished { task, outcome });
    }
}

fn hash(client: &str, kind: u8) -> TokenHash {
    let mut bytes = [kind; 32];
    bytes[0] = client.as_bytes()[1];
    TokenHash::new(bytes)
}

fn text(words: &str) -> WithheldText {
    WithheldText::new(words.into(), [u8::try_from(words.len()).unwrap(); 32])
}

fn table(name: &str) -> TableName {
    TableName { schema: "main".to_owned(), name: name.to_owned() }
}

fn source(id: &str, generation: u64) -> Target {
    Target::Source { source: SourceId::new(id), generation: SourceGeneration(generation) }
}

fn read(tables: &[&str]) -> Operation {
    let tables: Vec<TableName> = tables.iter().map(|name| table(name)).collect();
    let sql = format!("SELECT {}", tables.len()).into();
    Operation::QuerySql { read: Arc::new(VerifiedRead { sql, tables, columns: Vec::new() }) }
}

fn write(touches_all_rows: bool) -> Operation {
    let write = VerifiedWrite {
        sql: "UPDATE \"main\".\"orders\" SET \"n\" = 1".into(),
        table: table("orders"),
        columns: vec!["n".to_owned()],
        touches_all_rows,
    };
    let sql = "update main.orders set n = 1".into();
    Operation::RequestSql { sql, write: Some(Arc::new(write)) }
}

fn completed(tables: &[&str]) -> TaskOutcome {
    let identities = tables.iter().map(|name| (table(name), ObjectIdentity([5; 32])));
    let body = ResultBody::new(ResultPayload::Withheld, [3; 32], 9);
    TaskOutcome::Completed { body, identities: identities.collect() }
}

fn audience(client: &str) -> Audience {
    Audience::Client(ClientId::new(client))
}

/// Two connections, one with a name that a path must escape; two databases and two documents.
fn morning(day: &mut Day) {
    day.happens(ServerEvent::Started { port: 54_832 });
    for (client, label) in [("c1", day.label), ("c/~2", "Reporter")] {
        let client = ClientId::new(client);
        let token_hash = hash(client.as_str(), 1);
        day.happens(ClientEvent::Created { client, label: label.into(), token_hash });
    }
    for (id, name, is_read_only) in [("s1", "Shop", false), ("s2", "Archive", true)] {
        day.happens(SourceEvent::Added {
            source: SourceId::new(id),
            name: name.into(),
            alias: None,
            location: SourceLocation::Sqlite { path: format!("/data/{id}.db").into() },
            is_read_only,
        });
    }
    for (id, kind) in [("f1", DocumentKind::Sql), ("f2", DocumentKind::Text)] {
        day.happens(DocumentEvent::Opened {
            file: FileId::new(id),
            name: format!("{id}.txt").into(),
            alias: (id == "f2").then(|| "Notes".into()),
            kind,
            text: text("select 1"),
        });
    }
    for (client, label) in [("c1", Some(day.words)), ("c/~2", None)] {
        day.happens(SessionEvent::Began {
            client: ClientId::new(client),
            session: SessionId::new(&format!("session of {client}")),
            token_hash: hash(client, 2),
            label: label.map(Into::into),
        });
    }
}

fn sharing(day: &mut Day) {
    let level = |source, audience, level| SharingEvent::Set {
        source: SourceId::new(source),
        audience,
        level: Some(level),
    };
    day.happens(level("s1", Audience::AllAgents, Level::Ask));
    day.happens(level("s1", audience("c/~2"), Level::ReadWrite));
    day.happens(level("s2", audience("c1"), Level::Read));
    for (name, level) in [("orders", TableLevel::ReadWrite), ("lines", TableLevel::Read)] {
        day.happens(SharingEvent::TableSet {
            source: SourceId::new("s1"),
            audience: audience("c/~2"),
            table: table(name),
            level: Some(level),
        });
    }
    for (file, audience) in [
        ("f1", Audience::AllAgents),
        ("f1", audience("c1")),
        ("f2", audience("c1")),
        ("f2", audience("c/~2")),
    ] {
        let file = FileId::new(file);
        day.happens(DocumentEvent::Shared { file, audience, is_shared: true });
    }
    let (file, audience) = (FileId::new("f2"), audience("c/~2"));
    day.happens(DocumentEvent::Shared { file, audience, is_shared: false });
}

/// What one agent asks, and what comes of it.
fn work(day: &mut Day) {
    day.asks("c1", source("s1", 1), read(&["orders"]));
    day.allows(Scope::Table);
    day.ends(completed(&["orders"]));
    day.asks("c1", source("s1", 1), read(&["lines"]));
    day.allows(Scope::Table);
    let cause = Some(text("no such column: of a driver"));
    let reason = Reason::Database(DatabaseReason::ExecutionFailed);
    day.ends(TaskOutcome::Failed { reason, cause });
    day.asks("c1", source("s1", 1), Operation::ListTables);
    day.allows(Scope::Source);
    day.ends(completed(&[]));
    day.asks("c1", source("s1", 1), write(true));
    day.is_estimated();
    day.allows(Scope::FullSql);
    let task = TaskId(day.state.counters.task.0);
    day.happens(TaskEvent::ReadyToSend { task });
    day.ends(TaskOutcome::OutcomeUnknown { cause: Some(text("connection lost")) });
    let excerpt = Excerpt { from: 7, text: text("ct 1"), snapshot_bytes: 8 };
    let document = Target::Document { file: FileId::new("f1"), version: DocumentVersion(1) };
    day.asks("c1", document.clone(), Operation::ReadOpenFile { excerpt: excerpt.clone() });
    day.allows(Scope::Document);
    day.ends(completed(&[]));
    day.happens(GrantEvent::Revoked { grant: GrantId(1) });
    day.happens(GrantEvent::Revoked { grant: GrantId(5) });
    day.asks("c1", document, Operation::ReadOpenFile { excerpt });
}

/// What is open at the end.
fn evening(day: &mut Day) {
    day.asks("c/~2", source("s1", 1), write(false));
    day.asks("c/~2", source("s1", 1), read(&["orders", "lines"]));
    day.asks("c1", source("s2", 2), Operation::DescribeTable { table: table("t") });
    let client = ClientId::new("c1");
    let (request, token_hash) = (RequestId::new("r9"), hash("c1", 2));
    day.happens(RequestEvent::Cancelled { client, token_hash, request });
    day.asks("c1", source("s1", 1), Operation::RequestSql { sql: "vacuum".into(), write: None });
    // A name for the person alone, then one for agents alone.
    for (name, alias) in [("Warehouse", "SQLite source 2"), ("Warehouse", "Old things")] {
        let (source, name, alias) = (SourceId::new("s2"), name.into(), alias.into());
        day.happens(SourceEvent::Renamed { source, name, alias });
    }
    day.happens(RequestEvent::Denied {
        request: RequestId::new("r10"),
        note: Some("not today".into()),
    });
    day.happens(ServerEvent::NoticeRaised { notice: Notice::VaultInMemory });
    // What the person hears of a write that ended after its request did.
    let (client, request) = (ClientId::new("c/~2"), RequestId::new("r7"));
    let task = day.state.requests[&request].task.unwrap();
    day.happens(TaskEvent::ReadyToSend { task });
    let token_hash = hash("c/~2", 2);
    day.happens(RequestEvent::Cancelled { client, token_hash, request });
    let cause = Some(text("the disk is full"));
    let reason = Reason::Database(DatabaseReason::ExecutionFailed);
    day.happens(TaskEvent::Finished { task, outcome: TaskOutcome::Failed { reason, cause } });
}

fn whole_day(label: &'static str, words: &'static str) -> Day {
    let mut day = Day { state: State::default(), requests: 0, passed: Vec::new(), label, words };
    morning(&mut day);
    sharing(&mut day);
    work(&mut day);
    evening(&mut day);
    day
}

fn day() -> State {
    whole_day("Analyst", "monthly report").state
}

#[test]
fn the_page_shows_all_of_it() {
    let shown = serde_json::to_string_pretty(&view::project(&day())).unwrap();
    insta::assert_snapshot!("day", shown);
}

#[test]
fn the_prompt_of_a_write_shows_what_its_database_expects() {
    let (label, words) = ("Analyst", "monthly report");
    let mut day = Day { state: State::default(), requests: 0, passed: Vec::new(), label, words };
    morning(&mut day);
    sharing(&mut day);
    day.asks("c1", source("s1", 1), write(true));
    assert_eq!(shown(&day.state)["requests"]["r1"]["estimate"], Value::Null);
    day.is_estimated();
    let request = &shown(&day.state)["requests"]["r1"];
    let expected = serde_json::json!({ "rows": 12, "plan": "SCAN orders" });
    assert_eq!((&request["estimate"], &request["needs_decision"]), (&expected, &true.into()));
    day.allows(Scope::Once);
    assert_eq!(shown(&day.state)["requests"]["r1"]["estimate"], Value::Null);
}

/// From nothing to all of it, and back, and nothing between two that are equal.
#[test]
fn a_patch_brings_all_of_it() {
    let (empty, full) = (State::default(), day());
    for (before, after) in [(&empty, &full), (&full, &empty)] {
        let mut page: Value = shown(before);
        let found = diff::between(before, after);
        assert!(!found.is_empty());
        let patch: json_patch::Patch =
            serde_json::from_value(serde_json::to_value(found).unwrap()).unwrap();
        json_patch::patch(&mut page, &patch).unwrap();
        assert_eq!(page, shown(after));
    }
    assert!(diff::between(&full, &full.clone()).is_empty());
}

/// A page that was asleep, that is ahead, or that shows another day altogether: whatever it shows, the patch
/// makes it right.
#[test]
fn a_patch_leads_from_any_state_to_any_other() {
    let mut states: Vec<State> = Vec::new();
    for (label, words) in
        [("Analyst", "monthly report"), ("Somebody", "monthly report"), ("Analyst", "cleaning up")]
    {
        let day = whole_day(label, words);
        states.extend(day.passed.into_iter().step_by(6));
        states.push(day.state);
    }
    let cut: Vec<State> = states.iter().map(with_half_of_its_activity).collect();
    states.extend(cut.into_iter().rev().step_by(4));
    let pages: Vec<Value> = states.iter().map(shown).collect();
    for (before, page) in states.iter().zip(&pages) {
        for (after, right) in states.iter().zip(&pages) {
            let patch = serde_json::to_value(diff::between(before, after)).unwrap();
            assert_says_nothing_twice(&patch, page);
            let patch: json_patch::Patch = serde_json::from_value(patch).unwrap();
            let mut page = page.clone();
            json_patch::patch(&mut page, &patch).unwrap();
            assert_eq!(page, *right);
        }
    }
}

/// Each operation changes something: what a page shows already is not sent again.
fn assert_says_nothing_twice(patch: &Value, page: &Value) {
    for operation in patch.as_array().unwrap() {
        let shown = page.pointer(operation["path"].as_str().unwrap());
        assert_eq!(operation["op"] == "add", shown.is_none(), "{operation}");
        assert_ne!(shown, operation.get("value"), "{operation}");
    }
}

/// Every second entry of the activity list is gone, as no event leaves it.
fn with_half_of_its_activity(state: &State) -> State {
    let mut state = state.clone();
    state.activity.of_record =
        state.activity.of_record.iter().skip(1).step_by(2).cloned().collect();
    state
}

fn shown(state: &State) -> Value {
    serde_json::to_value(view::project(state)).unwrap()
}
