//! One history by real events, in which there is one of everything, and the moments of it that the
//! cases damage. Every step is checked: what holds in it is what the cases break.
//!
//! | session | what is there in the end |
//! | --- | --- |
//! | `s1` of `c1` | `old`, a tombstone; `done`, `denied`, `allowed`, `waiting`; `read` runs |
//! | `s2` of `c2` | `written` completed, `recalled` before it was sent, `write` sent |
//! | `s3` of `c3` | `failed`, `listed` and `document`, `stopped`, whose task still holds a slot |
//! | `s4` of `c4` | `undecided` |

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, DocumentEvent, DocumentKind, Envelope, Event, Excerpt,
    Level, Notice, Operation, RequestEvent, ResultBody, ResultPayload, Scope, ServerEvent,
    SessionEvent, SharingEvent, SourceEvent, SourceLocation, Submission, TableLevel, Target,
    TaskEvent, TaskOutcome, VerifiedRead, WithheldText,
};
use dbeast::ids::{ClientId, FileId, RequestId, RequestKey, SessionId, SourceId, TaskId};
use dbeast::reason::{DatabaseReason, Reason};
use dbeast::reducer::{State, invariants, reduce};
use dbeast::secret::TokenHash;
use dbeast::time::Millis;
use dbeast::value::{ObjectIdentity, TableName};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// A step of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Moment {
    /// The first read of a table tells which table it is.
    Pins,
    /// A finished request becomes a tombstone.
    Buries,
    /// A session begins, while another one works.
    Begins,
    /// A request comes that waits for the person.
    Asks,
    /// The person allows `read` once, and it starts.
    StartsOnce,
    /// `done` starts as it comes: a grant covers it.
    StartsByGrant,
    /// `write` starts as it comes: its database is shared for writing.
    StartsShared,
    /// `write` is sent.
    Sends,
    /// There is one of everything, and the step changes nothing.
    Still,
    /// `allowed` starts when a slot becomes free.
    StartsLater,
    /// The agents' door closes.
    Closes,
}

/// Two states, one after the other.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Pair {
    pub(crate) before: State,
    pub(crate) after: State,
}

static MOMENTS: LazyLock<BTreeMap<Moment, Pair>> = LazyLock::new(|| {
    let mut history = History::default();
    history.opens();
    history.first_session();
    history.second_session();
    history.third_session();
    history.everything_at_once();
    history.moments
});

impl Pair {
    pub(crate) fn of(moment: Moment) -> Self {
        MOMENTS.get(&moment).expect("a moment of the history").clone()
    }

    /// Damages what was so before as well: then it is no change that is wrong.
    pub(crate) fn both(&mut self, damage: impl Fn(&mut State)) {
        damage(&mut self.before);
        damage(&mut self.after);
    }
}

#[derive(Default)]
struct History {
    state: State,
    seconds: u64,
    seq: u64,
    last: Pair,
    moments: BTreeMap<Moment, Pair>,
}

impl History {
    fn opens(&mut self) {
        self.at(1_000, ServerEvent::Started { port: 4100 });
        for number in 1..=4 {
            let (client, token_hash) = (client(number), token(number));
            let label = Arc::from("an agent");
            self.now(ClientEvent::Created { client, label, token_hash });
        }
        for (name, is_read_only) in [("orders", false), ("archive", true), ("private", false)] {
            let source = SourceId::new(name);
            let location = SourceLocation::Sqlite { path: Arc::from("a.db") };
            let name = Arc::from(name);
            self.now(SourceEvent::Added { source, name, alias: None, location, is_read_only });
        }
        self.shares("orders", Audience::AllAgents, Level::Ask);
        self.shares("orders", Audience::Client(client(2)), Level::ReadWrite);
        self.shares("archive", Audience::AllAgents, Level::Ask);
        self.now(SharingEvent::TableSet {
            source: SourceId::new("orders"),
            audience: Audience::Client(client(2)),
            table: table("prices"),
            level: Some(TableLevel::Read),
        });
        for name in ["notes", "draft"] {
            let (file, name, kind) = (FileId::new(name), Arc::from(name), DocumentKind::Text);
            self.now(DocumentEvent::Opened { file, name, alias: None, kind, text: text(100) });
        }
        for audience in [Audience::AllAgents, Audience::Client(client(3))] {
            let file = FileId::new("notes");
            self.now(DocumentEvent::Shared { file, audience, is_shared: true });
        }
    }

    fn first_session(&mut self) {
        self.begins(1);
        self.asks(1, "old", "orders", query("customers"));
        self.allows("old", Scope::Table);
        self.completes("old", &[("customers", 1)]);
        self.remember(Moment::Pins);
        let alarm = self.state.alarm.expect("the end of the result");
        self.at(alarm.0 / 1_000, ServerEvent::TimePassed);
        self.remember(Moment::Buries);
        self.asks(1, "done", "orders", query("customers"));
        self.remember(Moment::StartsByGrant);
        self.completes("done", &[("customers", 1)]);
        self.asks(1, "denied", "orders", query("items"));
        self.now(RequestEvent::Denied { request: RequestId::new("denied"), note: None });
        self.asks(1, "read", "orders", query("items"));
        self.allows("read", Scope::Once);
        self.remember(Moment::StartsOnce);
        self.asks(1, "allowed", "orders", query("items"));
        self.allows("allowed", Scope::Once);
    }

    fn second_session(&mut self) {
        self.begins(2);
        self.remember(Moment::Begins);
        self.asks(2, "written", "orders", write());
        self.sends("written");
        self.completes("written", &[]);
        self.asks(2, "recalled", "orders", write());
        let recalled = self.task_of("recalled");
        self.cancels(2, "recalled");
        self.now(TaskEvent::Finished { task: recalled, outcome: TaskOutcome::Cancelled });
        self.asks(2, "write", "orders", write());
        self.remember(Moment::StartsShared);
        self.sends("write");
        self.remember(Moment::Sends);
    }

    fn third_session(&mut self) {
        self.begins(3);
        self.asks(3, "failed", "orders", write());
        self.allows("failed", Scope::FullSql);
        self.sends("failed");
        let reason = Reason::Database(DatabaseReason::ExecutionFailed);
        let (task, outcome) = (self.task_of("failed"), TaskOutcome::Failed { reason, cause: None });
        self.now(TaskEvent::Finished { task, outcome });
        self.asks(3, "listed", "archive", Operation::ListTables);
        self.allows("listed", Scope::Source);
        self.completes("listed", &[]);
        let excerpt = Excerpt { from: 0, text: text(100), snapshot_bytes: 100 };
        self.asks(3, "document", "notes", Operation::ReadOpenFile { excerpt });
        self.allows("document", Scope::Document);
        self.completes("document", &[]);
        self.asks(3, "stopped", "orders", query("items"));
        self.cancels(3, "stopped");
    }

    fn everything_at_once(&mut self) {
        self.begins(4);
        self.asks(4, "undecided", "orders", query("items"));
        self.asks(1, "waiting", "orders", query("items"));
        self.remember(Moment::Asks);
        self.now(ServerEvent::NoticeRaised { notice: Notice::VaultInMemory });
        self.remember(Moment::Still);
        self.completes("read", &[]);
        self.remember(Moment::StartsLater);
        self.now(ServerEvent::Stopped);
        self.remember(Moment::Closes);
    }

    /// One event, a second after the one before.
    fn now(&mut self, event: impl Into<Event>) {
        self.at(self.seconds + 1, event);
    }

    fn at(&mut self, seconds: u64, event: impl Into<Event>) {
        (self.seconds, self.seq) = (seconds, self.seq + 1);
        let event = event.into();
        let envelope = Envelope { seq: self.seq, at: Millis(seconds * 1_000), event };
        let step = reduce(&self.state, &envelope);
        assert!(step.answer.is_ok(), "{:?}: {:?}", envelope.event, step.answer);
        let broken = invariants::broken(&self.state, &step.state);
        assert!(broken.is_empty(), "{:?} breaks {broken:?}", envelope.event);
        let before = std::mem::replace(&mut self.state, step.state);
        self.last = Pair { before, after: self.state.clone() };
    }

    /// Keeps the last step.
    fn remember(&mut self, moment: Moment) {
        let known = self.moments.insert(moment, self.last.clone());
        assert!(known.is_none(), "{moment:?} twice");
    }

    fn shares(&mut self, source: &str, audience: Audience, level: Level) {
        let source = SourceId::new(source);
        self.now(SharingEvent::Set { source, audience, level: Some(level) });
    }

    fn begins(&mut self, number: u8) {
        let (client, session) = (client(number), session_id(number));
        let token_hash = token(100 + number);
        self.now(SessionEvent::Began { client, session, token_hash, label: None });
    }

    fn asks(&mut self, number: u8, request: &str, on: &str, operation: Operation) {
        let file = FileId::new(on);
        let target = match self.state.documents.get(&file) {
            Some(document) => Target::Document { file, version: document.version },
            None => source_target(&self.state, on),
        };
        self.now(RequestEvent::Submitted(Box::new(Submission {
            request: RequestId::new(request),
            client: client(number),
            token_hash: token(100 + number),
            key: RequestKey::new(request),
            digest: ArgumentsDigest([0; 32]),
            target,
            operation,
        })));
    }

    fn allows(&mut self, request: &str, scope: Scope) {
        self.now(RequestEvent::Allowed { request: RequestId::new(request), scope });
    }

    fn cancels(&mut self, number: u8, request: &str) {
        let (client, token_hash) = (client(number), token(100 + number));
        let request = RequestId::new(request);
        self.now(RequestEvent::Cancelled { client, token_hash, request });
    }

    fn sends(&mut self, request: &str) {
        self.now(TaskEvent::ReadyToSend { task: self.task_of(request) });
    }

    fn completes(&mut self, request: &str, seen: &[(&str, u8)]) {
        let identities =
            seen.iter().map(|(name, of)| (table(name), ObjectIdentity([*of; 32]))).collect();
        let outcome = TaskOutcome::Completed { body: body(), identities };
        self.now(TaskEvent::Finished { task: self.task_of(request), outcome });
    }

    fn task_of(&self, request: &str) -> TaskId {
        let request = self.state.requests.get(&RequestId::new(request));
        request.and_then(|request| request.task).expect("a task that runs")
    }
}

pub(crate) fn client(number: u8) -> ClientId {
    ClientId::new(&format!("c{number}"))
}

pub(crate) fn session_id(number: u8) -> SessionId {
    SessionId::new(&format!("s{number}"))
}

pub(crate) fn token(number: u8) -> TokenHash {
    TokenHash::new([number; 32])
}

pub(crate) fn table(name: &str) -> TableName {
    TableName { schema: "main".to_owned(), name: name.to_owned() }
}

/// A text of this size, as a log has it: without the text.
pub(crate) fn text(bytes: u64) -> WithheldText {
    let recorded = serde_json::json!({ "digest": vec![7; 32], "bytes": bytes });
    serde_json::from_value(recorded).expect("the form of a withheld text")
}

pub(crate) fn body() -> ResultBody {
    ResultBody::new(ResultPayload::Withheld, [1; 32], 10)
}

pub(crate) fn query(name: &str) -> Operation {
    let (sql, tables) = (Arc::from("SELECT 1"), vec![table(name)]);
    Operation::QuerySql { read: Arc::new(VerifiedRead { sql, tables, columns: Vec::new() }) }
}

pub(crate) fn write() -> Operation {
    Operation::RequestSql { sql: Arc::from("DELETE FROM items"), write: None }
}

/// A database as it is configured now.
pub(crate) fn source_target(state: &State, name: &str) -> Target {
    let source = SourceId::new(name);
    let generation = state.sources.get(&source).expect("a database").generation;
    Target::Source { source, generation }
}
