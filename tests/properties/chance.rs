//! Events by chance: sense and nonsense over few identifiers, so that they meet.

use super::dice::{Dice, Mood};
use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, DocumentEvent, DocumentKind, Event, Excerpt,
    GrantEvent, KeptShare, Level, Notice, Operation, RefusedText, RequestEvent, RestoredClient,
    RestoredSource, ResultBody, ResultPayload, Scope, ServerEvent, ServerPlace, SessionEvent,
    SharingEvent, SourceChange, SourceEvent, SourceLocation, Submission, TableLevel, Target,
    TaskEvent, TaskOutcome, TextTool, VerifiedRead, VerifiedWrite, WithheldText, WriteEstimate,
};
use dbeast::ids::{
    ClientId, DocumentVersion, FileId, GrantId, RequestId, RequestKey, SessionId, SourceGeneration,
    SourceId, TaskId,
};
use dbeast::reason::{DatabaseReason, Reason, SqlReason};
use dbeast::reducer::state::Status;
use dbeast::time::Millis;
use dbeast::value::{ObjectIdentity, ReadLock, TableName};
use std::sync::Arc;

impl Dice<'_> {
    pub(crate) fn event(&mut self) -> Event {
        if self.mood.is_busy() && self.state.server.port.is_none() {
            return ServerEvent::Started { port: 1 }.into();
        }
        if self.mood.is_busy() && self.state.sessions.is_empty() {
            return if self.chance(50) { self.client_event(false) } else { self.begin() };
        }
        match self.mood {
            Mood::Usual => self.usual(),
            Mood::Crowd => match self.roll(12) {
                0 | 1 => self.client_event(false),
                2 | 3 => self.begin(),
                4 => self.sharing_event(),
                _ => self.submitted(),
            },
            Mood::Keys => match self.roll(24) {
                0 => self.sharing_event(),
                1 => self.allowed(),
                2..6 => RequestEvent::Denied { request: self.request(), note: None }.into(),
                6..9 => self.task_event(),
                9..12 => self.cancelled(),
                _ => self.submitted(),
            },
            Mood::Grants => match self.roll(24) {
                0 => self.asks_each_time(),
                1..9 => self.submitted(),
                9..16 => self.allowed(),
                _ => self.task_event(),
            },
            Mood::Sources => self.source_event(98),
            Mood::Documents => self.document_event(75),
            Mood::Tables => self.table_set(),
        }
    }

    fn usual(&mut self) -> Event {
        let is_quiet = self.state.sessions.len() < 3;
        if is_quiet && self.state.server.port.is_some() && self.chance(25) {
            return self.begin();
        }
        match self.roll(100) {
            0..3 => self.client_event(true),
            3..8 => self.session_event(),
            8..11 => self.source_event(50),
            11..15 => self.document_event(40),
            15..20 => self.sharing_event(),
            20..22 => {
                let state = self.state;
                let some = GrantId(self.roll(200) as u64);
                let grant = self.pick(state.grants.keys()).copied().unwrap_or(some);
                GrantEvent::Revoked { grant }.into()
            }
            22..48 => self.submitted(),
            48..62 => self.allowed(),
            62..66 => {
                let note = self.chance(50).then(|| Arc::from("not now"));
                RequestEvent::Denied { request: self.request(), note }.into()
            }
            66..70 => self.cancelled(),
            70..74 => self.estimated(),
            74..94 => self.task_event(),
            _ => self.server_event(),
        }
    }

    /// What a database expects, of any request.
    fn estimated(&mut self) -> Event {
        let rows = self.chance(70).then_some(7);
        let plan = self.text();
        let request = self.request();
        RequestEvent::Estimated { request, estimate: WriteEstimate { rows, plan } }.into()
    }

    fn client_event(&mut self, may_revoke: bool) -> Event {
        let client = ClientId::new(&format!("c{}", self.roll(20)));
        if may_revoke && self.chance(12) {
            return ClientEvent::Revoked { client }.into();
        }
        let number = if self.chance(95) { 1_000_000 + self.fresh } else { 1 };
        let label = Arc::from("an agent");
        ClientEvent::Created { client, label, token_hash: Self::token(number) }.into()
    }

    fn begin(&mut self) -> Event {
        let session = SessionId::new(&format!("s{}", self.fresh));
        let state = self.state;
        let idle = state
            .clients
            .keys()
            .filter(|client| state.sessions.values().all(|session| session.client != **client));
        let idle = if self.chance(80) { self.pick(idle).cloned() } else { None };
        let client = idle.unwrap_or_else(|| self.client());
        let known = self.pick(state.sessions.values()).map(|session| session.token_hash);
        let known = known.filter(|_| self.chance(5));
        let token_hash = known.unwrap_or_else(|| Self::token(self.fresh));
        let session = if self.chance(5) { self.session() } else { session };
        SessionEvent::Began { client, session, token_hash, label: None }.into()
    }

    fn session_event(&mut self) -> Event {
        match self.roll(20) {
            0..14 => self.begin(),
            14..17 => {
                let (client, session) = (self.client(), self.session());
                SessionEvent::Used { client, session }.into()
            }
            17..19 => {
                let (client, token_hash) = self.caller();
                SessionEvent::Ended { client, token_hash }.into()
            }
            _ => SessionEvent::Revoked { session: self.session() }.into(),
        }
    }

    fn source_event(&mut self, adds: usize) -> Event {
        let place = || SourceLocation::Sqlite { path: Arc::from("a.db") };
        // Engines that can be set up differently from one another.
        let server = |engine: fn(ServerPlace) -> SourceLocation| {
            engine(ServerPlace {
                host: Arc::from("db.example"),
                port: 5432,
                database: Arc::from("shop"),
                user: Arc::from("agents"),
            })
        };
        if self.chance(adds) {
            let source = SourceId::new(&format!("src{}", self.roll(200)));
            let is_read_only = self.chance(10);
            let location = if self.chance(30) { server(SourceLocation::Mariadb) } else { place() };
            let name = Arc::from("a database");
            return SourceEvent::Added { source, name, alias: None, location, is_read_only }.into();
        }
        let source = self.source();
        let is = self.chance(50);
        let change = match self.roll(14) {
            0 => return SourceEvent::Removed { source }.into(),
            1 | 2 => {
                let (name, alias) = (Arc::from("other"), Arc::from("Other"));
                return SourceEvent::Renamed { source, name, alias }.into();
            }
            3 => {
                let engine = if is { SourceLocation::Postgres } else { SourceLocation::Mariadb };
                SourceChange::Connection { location: server(engine) }
            }
            4 => SourceChange::Password,
            5 => SourceChange::Context { context: is.then(|| Arc::from("sales")) },
            12.. => {
                SourceChange::ReadLock { lock: if is { ReadLock::Full } else { ReadLock::Weak } }
            }
            6..9 => SourceChange::Availability { is_available: is || self.chance(50) },
            _ => SourceChange::ReadOnly { is_read_only: is && self.chance(50) },
        };
        SourceEvent::Changed { source, change }.into()
    }

    /// A text of this size, as a log has it: without the text.
    fn text(&mut self) -> WithheldText {
        let bytes = match self.roll(30) {
            0 => 5 * 1_024 * 1_024,
            1..4 => 3 * 1_024 * 1_024,
            _ => 1 + self.roll(4_000),
        };
        let digest = vec![self.roll(250); 32];
        let recorded = serde_json::json!({ "digest": digest, "bytes": bytes });
        serde_json::from_value(recorded).expect("the form of a withheld text")
    }

    fn document_event(&mut self, opens: usize) -> Event {
        if self.chance(opens) {
            let file = FileId::new(&format!("f{}", self.roll(200)));
            let (name, kind) = (Arc::from("a document"), DocumentKind::Text);
            let text = self.text();
            return DocumentEvent::Opened { file, name, alias: None, kind, text }.into();
        }
        let file = self.file();
        match self.roll(16) {
            0..2 => DocumentEvent::Changed { file, text: self.text() },
            2 => DocumentEvent::Reverted { file, text: self.text() },
            3 => DocumentEvent::Closed { file },
            _ => {
                let (audience, is_shared) = (self.audience(), self.chance(85));
                DocumentEvent::Shared { file, audience, is_shared }
            }
        }
        .into()
    }

    fn sharing_event(&mut self) -> Event {
        if self.chance(30) {
            return self.table_set();
        }
        let level = match self.roll(16) {
            0 => None,
            1..9 => Some(Level::Ask),
            9..13 => Some(Level::Read),
            _ => Some(Level::ReadWrite),
        };
        let (source, audience) = self.shared();
        SharingEvent::Set { source, audience, level }.into()
    }

    /// Half of the time an entry on which something stands.
    fn shared(&mut self) -> (SourceId, Audience) {
        let state = self.state;
        let standing = state.requests.values().filter(|request| {
            matches!(request.status, Status::Pending | Status::Running | Status::Completed)
        });
        let standing =
            standing.filter_map(|request| Some((request.target.source()?, &request.client)));
        match self.pick(standing) {
            Some((source, client)) if self.chance(50) => {
                let own = Audience::Client(client.clone());
                let is_own = state.sharing.contains_key(&(source.clone(), own.clone()));
                (source.clone(), if is_own { own } else { Audience::AllAgents })
            }
            Some(_) | None => (self.source(), self.audience()),
        }
    }

    /// Sets an entry that allows more to asking each time, so that there is something to decide.
    fn asks_each_time(&mut self) -> Event {
        let state = self.state;
        let more = state.sharing.iter().filter(|(_, share)| share.level != Level::Ask);
        let more = self.pick(more).map(|(key, _)| key.clone());
        match more.or_else(|| self.pick(state.sharing.keys()).cloned()) {
            Some((source, audience)) => {
                SharingEvent::Set { source, audience, level: Some(Level::Ask) }.into()
            }
            None => self.sharing_event(),
        }
    }

    fn table_set(&mut self) -> Event {
        let state = self.state;
        let entries = if self.mood == Mood::Tables { 1 } else { 500 };
        let (source, audience) = match self.pick(state.sharing.keys().take(entries)) {
            Some(key) if self.chance(95) => key.clone(),
            Some(_) | None => (self.source(), self.audience()),
        };
        let level = match self.roll(20) {
            0 | 1 => None,
            2..10 => Some(TableLevel::Read),
            _ => Some(TableLevel::ReadWrite),
        };
        SharingEvent::TableSet { source, audience, table: self.table(), level }.into()
    }

    fn allowed(&mut self) -> Event {
        let scopes = match self.mood {
            Mood::Grants => [Scope::Table, Scope::Table, Scope::Table, Scope::Table, Scope::Once],
            _ => [Scope::Once, Scope::Once, Scope::Table, Scope::Source, Scope::FullSql],
        };
        let some = scopes[self.roll(scopes.len())];
        let state = self.state;
        let undecided = state.requests.iter().filter(|(_, request)| {
            request.status == Status::Pending && request.authorisation.is_none()
        });
        let request = match self.pick(undecided) {
            Some((id, _)) if self.chance(90) => id.clone(),
            Some(_) | None => self.request(),
        };
        let is_file = state.requests.get(&request).is_some_and(|it| it.target.file().is_some());
        let wanted = if self.mood == Mood::Grants { 95 } else { 40 };
        let scope = if is_file && self.chance(wanted) { Scope::Document } else { some };
        RequestEvent::Allowed { request, scope }.into()
    }

    fn cancelled(&mut self) -> Event {
        let (client, token_hash) = self.caller();
        let state = self.state;
        let own = state
            .requests
            .iter()
            .filter(|(_, request)| request.client == client && !request.status.is_final());
        let own = self.pick(own).map(|(id, _)| id.clone());
        let request = own.filter(|_| self.chance(85)).unwrap_or_else(|| self.request());
        RequestEvent::Cancelled { client, token_hash, request }.into()
    }

    /// A document that the client sees, mostly as it is.
    fn document_for(&mut self, client: &ClientId) -> Option<Target> {
        let state = self.state;
        let shown = state.documents.keys().filter(|file| state.document_of(client, file).is_some());
        let file = self.pick(shown)?.clone();
        let known = state.documents.get(&file).map(|document| document.version);
        let version = known.filter(|_| self.chance(95)).unwrap_or(DocumentVersion(1));
        Some(Target::Document { file, version })
    }

    /// A source that the client mostly sees, mostly as it is.
    fn source_for(&mut self, client: &ClientId) -> Target {
        let state = self.state;
        let visible =
            state.sources.keys().filter(|source| state.level_of(client, source).is_some());
        let visible = self.pick(visible).cloned().filter(|_| self.chance(95));
        let source = visible.unwrap_or_else(|| self.source());
        let known = state.sources.get(&source).map(|source| source.generation);
        let generation = known.filter(|_| self.chance(96)).unwrap_or(SourceGeneration(1));
        Target::Source { source, generation }
    }

    fn submitted(&mut self) -> Event {
        let (client, token_hash) = self.caller();
        let state = self.state;
        let files = if self.mood == Mood::Grants { 10 } else { 20 };
        let is_file = self.chance(files);
        let target = if is_file { self.document_for(&client) } else { None };
        let target = target.unwrap_or_else(|| self.source_for(&client));
        let own = state.sessions.values().find(|session| session.token_hash == token_hash);
        let used = own.and_then(|session| self.pick(session.keys.keys()).cloned());
        let again = if self.mood == Mood::Keys { 3 } else { 8 };
        let fresh = RequestKey::new(&format!("k{}", self.fresh));
        let key = used.filter(|_| self.chance(again)).unwrap_or(fresh);
        let is_taken = self.chance(3);
        let request = if is_taken { self.request() } else { self.new_request() };
        let digest = ArgumentsDigest([u8::from(self.chance(80)); 32]);
        let operation = self.operation(&target);
        let made = Submission { request, client, token_hash, key, digest, target, operation };
        RequestEvent::Submitted(Box::new(made)).into()
    }

    fn new_request(&self) -> RequestId {
        RequestId::new(&format!("r{}", self.fresh))
    }

    fn operation(&mut self, target: &Target) -> Operation {
        let is_file = target.file().is_some();
        if is_file != self.chance(3) {
            let text = self.text();
            return Operation::ReadOpenFile {
                excerpt: Excerpt { from: 0, snapshot_bytes: text.bytes(), text },
            };
        }
        let table = self.table();
        let sql: Arc<str> = Arc::from("SELECT id FROM main.t1");
        let mut tables = vec![table.clone()];
        if self.chance(20) {
            tables.push(self.table());
        }
        let is_one = self.mood == Mood::Grants && self.chance(90);
        tables.truncate(if is_one { 1 } else { 2 });
        let read = Arc::new(VerifiedRead { sql: sql.clone(), tables, columns: Vec::new() });
        if is_one {
            return Operation::QuerySql { read };
        }
        match self.roll(20) {
            0 => Operation::ListTables,
            1 => Operation::DescribeTable { table },
            2 => Operation::ReadTable { read },
            3 => Operation::Refused {
                text: RefusedText { tool: TextTool::QuerySql, sql, reason: SqlReason::EmptyText },
            },
            4..8 => Operation::RequestSql { sql, write: None },
            8..13 => {
                let write = VerifiedWrite {
                    sql: Arc::from("DELETE FROM main.t1"),
                    table,
                    columns: vec!["id".to_owned()],
                    touches_all_rows: true,
                };
                Operation::RequestSql { sql, write: Some(Arc::new(write)) }
            }
            _ => Operation::QuerySql { read },
        }
    }

    fn task_event(&mut self) -> Event {
        let state = self.state;
        let some = TaskId(self.roll(2_000) as u64);
        let task = self.pick(state.tasks.keys()).copied().filter(|_| self.chance(95));
        let task = task.unwrap_or(some);
        let may_write = state.tasks.get(&task).is_some_and(|task| task.may_write && !task.is_sent);
        if self.chance(if may_write { 70 } else { 3 }) {
            return TaskEvent::ReadyToSend { task }.into();
        }
        let mostly = if self.mood == Mood::Grants { 11 } else { 20 };
        let outcome = match self.roll(mostly) {
            0..11 => TaskOutcome::Completed {
                body: ResultBody::new(ResultPayload::Withheld, [1; 32], 9),
                identities: self.identities(task),
            },
            11..13 => TaskOutcome::Failed {
                reason: Reason::Database(DatabaseReason::ExecutionFailed),
                cause: None,
            },
            13..15 => TaskOutcome::Cancelled,
            15 | 16 => TaskOutcome::DeadlineExceeded,
            17 => TaskOutcome::IdentityChanged,
            _ => TaskOutcome::OutcomeUnknown { cause: None },
        };
        TaskEvent::Finished { task, outcome }.into()
    }

    fn identities(&mut self, task: TaskId) -> Vec<(TableName, ObjectIdentity)> {
        let request = self.state.tasks.get(&task).map(|task| &task.request);
        let request = request.and_then(|request| self.state.requests.get(request));
        let tables = request.map(|request| request.operation.tables()).unwrap_or_default();
        let object = u8::from(self.chance(8));
        let seen = tables.iter().map(|table| (table.clone(), ObjectIdentity([object; 32])));
        if self.chance(90) { seen.collect() } else { Vec::new() }
    }

    fn server_event(&mut self) -> Event {
        let notices = [
            Notice::VaultInMemory,
            Notice::VaultUnavailable,
            Notice::VaultOfOtherOwner,
            Notice::VaultNotSaved,
            Notice::ConfigurationNotSaved,
            Notice::PasswordsUnavailable,
            Notice::PasswordsNotSaved,
        ];
        let notice = notices[self.roll(notices.len())];
        match self.roll(40) {
            0 => self.restored(),
            1 => ServerEvent::Started { port: 1 }.into(),
            2 => ServerEvent::Stopped.into(),
            3 => ServerEvent::AllStopped.into(),
            4..9 => ServerEvent::NoticeRaised { notice }.into(),
            9..13 => ServerEvent::NoticeCleared { notice }.into(),
            _ if self.state.server.port.is_none() => ServerEvent::Started { port: 1 }.into(),
            _ => ServerEvent::TimePassed.into(),
        }
    }

    /// What a vault and a configuration may hold, also what they never should.
    pub(crate) fn restored(&mut self) -> Event {
        let mut clients = Vec::new();
        for number in 0..self.roll(4) {
            clients.push(RestoredClient {
                client: ClientId::new(&format!("c{}", self.roll(20))),
                label: Arc::from("an agent"),
                token_hash: Self::token(2_000_000 + number as u64),
                created_at: Millis(1),
            });
        }
        let mut sources = Vec::new();
        for _ in 0..self.roll(4) {
            sources.push(RestoredSource {
                source: SourceId::new(&format!("src{}", self.roll(4))),
                name: Arc::from("a database"),
                alias: Arc::from("SQLite source 1"),
                location: SourceLocation::Sqlite { path: Arc::from("a.db") },
                context: None,
                is_read_only: self.chance(20),
                read_lock: ReadLock::Weak,
                added_at: Millis(1),
            });
        }
        let entry = KeptShare {
            source: SourceId::new("src1"),
            audience: self.audience(),
            level: Level::Read,
            tables: vec![(self.table(), TableLevel::Read)],
        };
        ServerEvent::Restored { clients, sources, sharing: vec![entry] }.into()
    }
}
