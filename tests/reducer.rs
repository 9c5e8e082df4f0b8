//! A long random walk over the reducer, and the page that lists its invariants.
//!
//! The walk sends events that make no sense as readily as ones that do, over few identifiers, so
//! that they meet; time stands still, creeps or jumps. Seeds are fixed: a failure is always the same.
//! What never lives here: single rules. Those are stories (`tests/scenarios`).
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::similar_names,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod support;

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, Envelope, Event, Level, Notice, Operation, RefusedText,
    RequestEvent, RestoredClient, RestoredSource, ResultBody, ResultPayload, ServerEvent,
    SessionEvent, SharingEvent, SourceEvent, SourceLocation, Submission, TaskEvent, TaskOutcome,
    TextTool, VerifiedRead,
};
use dbeast::ids::{ClientId, RequestId, RequestKey, SessionId, SourceGeneration, SourceId, TaskId};
use dbeast::reason::{DatabaseReason, Reason, SqlReason};
use dbeast::reducer::{Effect, State, invariants, reduce};
use dbeast::secret::TokenHash;
use dbeast::time::Millis;
use dbeast::transcript::{names, words};
use dbeast::value::TableName;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use support::{checks, story, transcript};

/// Walks and steps per walk: about two seconds in a debug build.
const SEEDS: std::ops::Range<u64> = 1..13;
const STEPS: usize = 2_000;

#[test]
fn a_random_walk_breaks_nothing_and_reaches_every_status() {
    let mut reached = BTreeSet::new();
    for seed in SEEDS {
        walk(seed, &mut reached);
    }
    let expected = names::STATUSES
        .iter()
        .chain(names::PROBLEMS)
        .chain(names::EFFECTS)
        .chain(names::EVENTS)
        .map(|name| (*name).to_owned())
        .chain(names::REFUSALS.iter().map(|name| format!("refusal {name}")));
    // Bounds that are too far for a walk of this length have stories, except for the last one:
    // a connection has one session, so there are never more sessions than connections.
    let too_far = ["refusal client limit", "refusal source limit", "refusal key limit"];
    let too_far = [&too_far[..], &["refusal pending limit"]].concat();
    let missing: Vec<String> = expected
        .filter(|name| !reached.contains(name))
        .filter(|name| !too_far.contains(&name.as_str()) && name != "refusal session limit")
        .collect();
    assert!(missing.is_empty(), "no walk reached {missing:?}");
}

/// Walks and checks every step; then folds the log again and compares.
fn walk(seed: u64, reached: &mut BTreeSet<String>) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut state = State::default();
    let mut working = BTreeSet::new();
    let mut now = words::START;
    let mut log = Vec::new();
    for seq in 1..=STEPS as u64 {
        now = dice.later(now, &state);
        let event = dice.event(&state);
        let envelope = Envelope { seq, at: now, event };
        let step = reduce(&state, &envelope);
        let told = || format!("seed {seed}, event {seq}: {}", words::event(&envelope.event));
        let broken = invariants::broken(&state, &step.state);
        assert!(broken.is_empty(), "{} breaks {broken:?}", told());
        if let Err(refusal) = &step.answer {
            let changed =
                checks::refused_changes_nothing(&state, &envelope, &step.state, &step.effects);
            assert_eq!(changed, Ok(()), "{}: {}", told(), names::refusal(refusal));
            reached.insert(format!("refusal {}", names::refusal(refusal)));
        }
        for effect in &step.effects {
            if let Effect::RunTask { task, .. } = effect {
                assert!(working.insert(*task), "{}: {task} runs twice", told());
            }
            if let Effect::CancelTask { task } = effect {
                assert!(working.contains(task), "{}: {task} does not run", told());
            }
            reached.insert(names::effect(effect).to_owned());
        }
        // Time passes first: work that ends at its deadline may be told to stop in the same step.
        if let Event::Task(TaskEvent::Finished { task, .. }) = &envelope.event {
            working.remove(task);
        }
        assert!(working.iter().eq(step.state.tasks.keys()), "{}: slots are not the work", told());
        reached.insert(names::event(&envelope.event).to_owned());
        note(&step.state, reached);
        log.push(envelope);
        state = step.state;
    }
    let again = log.iter().fold(State::default(), |state, envelope| reduce(&state, envelope).state);
    assert!(again == state, "seed {seed}: a replay of the log differs");
}

fn note(state: &State, reached: &mut BTreeSet<String>) {
    for request in state.requests.values() {
        reached.insert(names::status(&request.status).to_owned());
        reached.extend(request.problem.as_ref().map(|problem| names::problem(problem).to_owned()));
    }
    let buried = state.tombstones.values().map(|tombstone| &tombstone.status);
    reached.extend(buried.map(|status| names::status(status).to_owned()));
}

/// A xorshift generator and the choices that it makes.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let sides = u64::try_from(from.len()).ok().filter(|sides| *sides > 0)?;
        from.get(usize::try_from(self.roll(sides)).ok()?).cloned()
    }

    /// Mostly the same moment or a little later, sometimes exactly at the alarm or a millisecond
    /// around it, rarely far later, once in a while earlier.
    fn later(&mut self, now: Millis, state: &State) -> Millis {
        let alarm = state.alarm.unwrap_or(now);
        match self.roll(100) {
            0..70 => Millis(now.0 + self.roll(2_000)),
            70..75 => Millis(alarm.0.max(now.0)),
            75..78 => Millis(alarm.0.saturating_sub(1).max(now.0)),
            78..80 => Millis(alarm.0.max(now.0) + 1),
            80..95 => now,
            95..98 => Millis(now.0 + self.roll(120_000)),
            98 => Millis(now.0 + self.roll(3 * 3_600_000)),
            _ => Millis(now.0.saturating_sub(self.roll(10_000))),
        }
    }

    fn client(&mut self) -> ClientId {
        ClientId::new(&format!("c{}", self.roll(5)))
    }

    fn session(&mut self, state: &State) -> SessionId {
        let live: Vec<SessionId> = state.sessions.keys().cloned().collect();
        let some = SessionId::new(&format!("s{}", self.roll(8)));
        if self.chance(60) { self.pick(&live).unwrap_or(some) } else { some }
    }

    fn source(&mut self) -> SourceId {
        SourceId::new(&format!("src{}", self.roll(3)))
    }

    fn request(&mut self, state: &State) -> RequestId {
        let known: Vec<RequestId> = state.requests.keys().cloned().collect();
        let some = RequestId::new(&format!("r{}", self.roll(200)));
        if self.chance(80) { self.pick(&known).unwrap_or(some) } else { some }
    }

    /// A client and a token that mostly belong together.
    fn caller(&mut self, state: &State) -> (ClientId, TokenHash) {
        let live: Vec<_> = state.sessions.values().cloned().collect();
        let stray = TokenHash::new([u8::try_from(self.roll(8)).unwrap_or(0); 32]);
        match self.pick(&live) {
            Some(session) if self.chance(95) => (session.client, session.token_hash),
            Some(session) if self.chance(50) => (self.client(), session.token_hash),
            Some(_) | None => (self.client(), stray),
        }
    }

    fn token(&mut self) -> TokenHash {
        TokenHash::new([u8::try_from(self.roll(8)).unwrap_or(0); 32])
    }

    fn level(&mut self) -> Option<Level> {
        self.pick(&[None, Some(Level::Ask), Some(Level::Ask), Some(Level::Read)]).flatten()
    }

    fn event(&mut self, state: &State) -> Event {
        match self.roll(100) {
            0..4 => self.client_event(),
            4..12 => self.session_event(state),
            12..15 => self.source_event(),
            15..22 => self.sharing_event(),
            22..70 => self.request_event(state),
            70..94 => self.task_event(state),
            _ => self.server_event(),
        }
    }

    fn client_event(&mut self) -> Event {
        let client = self.client();
        if self.chance(80) {
            let token_hash = self.token();
            ClientEvent::Created { client, label: Arc::from("an agent"), token_hash }.into()
        } else {
            ClientEvent::Revoked { client }.into()
        }
    }

    fn session_event(&mut self, state: &State) -> Event {
        let session = self.session(state);
        match self.roll(10) {
            0..6 => {
                let (client, token_hash) = (self.client(), self.token());
                SessionEvent::Began { client, session, token_hash, label: None }.into()
            }
            6..8 => SessionEvent::Used { client: self.client(), session }.into(),
            8 => {
                let (client, token_hash) = self.caller(state);
                SessionEvent::Ended { client, token_hash }.into()
            }
            _ => SessionEvent::Revoked { session }.into(),
        }
    }

    fn source_event(&mut self) -> Event {
        let source = self.source();
        if self.chance(75) {
            let name = Arc::from("a database");
            SourceEvent::Added { source, name, alias: None, location: place() }.into()
        } else {
            SourceEvent::Removed { source }.into()
        }
    }

    fn sharing_event(&mut self) -> Event {
        let client = self.client();
        let audience = if self.chance(30) { Audience::AllAgents } else { Audience::Client(client) };
        SharingEvent::Set { source: self.source(), audience, level: self.level() }.into()
    }

    fn request_event(&mut self, state: &State) -> Event {
        match self.roll(10) {
            0..5 => RequestEvent::Submitted(Box::new(self.submission(state))).into(),
            5..8 => RequestEvent::AllowedOnce { request: self.request(state) }.into(),
            8 => RequestEvent::Denied { request: self.request(state), note: None }.into(),
            _ => {
                let (client, token_hash) = self.caller(state);
                let request = self.request(state);
                RequestEvent::Cancelled { client, token_hash, request }.into()
            }
        }
    }

    fn submission(&mut self, state: &State) -> Submission {
        let (client, token_hash) = self.caller(state);
        let source = self.source();
        let known = state.sources.get(&source).map(|source| source.generation);
        let stale = Some(SourceGeneration(self.roll(4)));
        Submission {
            request: RequestId::new(&format!("r{}", self.roll(200))),
            client,
            token_hash,
            key: RequestKey::new(&format!("k{}", self.roll(60))),
            digest: ArgumentsDigest([u8::try_from(self.roll(2)).unwrap_or(0); 32]),
            source,
            source_generation: if self.chance(95) { known } else { stale },
            operation: self.operation(),
        }
    }

    fn operation(&mut self) -> Operation {
        let table = TableName { schema: "main".to_owned(), name: "orders".to_owned() };
        let sql: Arc<str> = Arc::from("SELECT id FROM main.orders");
        let read =
            VerifiedRead { sql: sql.clone(), tables: vec![table.clone()], columns: Vec::new() };
        match self.roll(10) {
            0 => Operation::ListTables,
            1 => Operation::DescribeTable { table },
            2 => Operation::ReadTable { read },
            3 => Operation::Refused {
                text: RefusedText { tool: TextTool::QuerySql, sql, reason: SqlReason::EmptyText },
            },
            _ => Operation::QuerySql { read },
        }
    }

    fn task_event(&mut self, state: &State) -> Event {
        let working: Vec<TaskId> = state.tasks.keys().copied().collect();
        let some = TaskId(self.roll(300));
        let task = if self.chance(90) { self.pick(&working).unwrap_or(some) } else { some };
        let outcome = match self.roll(10) {
            0..6 => TaskOutcome::Completed(ResultBody::new(ResultPayload::Withheld, [1; 32], 9)),
            6 => TaskOutcome::Failed {
                reason: Reason::Database(DatabaseReason::ExecutionFailed),
                cause: None,
            },
            7..9 => TaskOutcome::Cancelled,
            _ => TaskOutcome::DeadlineExceeded,
        };
        TaskEvent::Finished { task, outcome }.into()
    }

    fn server_event(&mut self) -> Event {
        match self.roll(20) {
            0 => self.restored(),
            1..4 => ServerEvent::Started { port: 1 }.into(),
            4 => ServerEvent::Stopped.into(),
            5 => ServerEvent::AllStopped.into(),
            6 => ServerEvent::NoticeRaised { notice: Notice::VaultNotSaved }.into(),
            7 => ServerEvent::NoticeCleared { notice: Notice::VaultNotSaved }.into(),
            _ => ServerEvent::TimePassed.into(),
        }
    }

    fn restored(&mut self) -> Event {
        let client = |dice: &mut Self| RestoredClient {
            client: dice.client(),
            label: Arc::from("an agent"),
            token_hash: dice.token(),
            created_at: Millis(1),
        };
        let source = |dice: &mut Self| RestoredSource {
            source: dice.source(),
            name: Arc::from("a database"),
            alias: Arc::from("SQLite source 1"),
            location: place(),
            added_at: Millis(1),
        };
        let entry = |dice: &mut Self| (dice.source(), Audience::Client(dice.client()), Level::Read);
        ServerEvent::Restored {
            clients: vec![client(self), client(self)],
            sources: vec![source(self), source(self)],
            sharing: vec![entry(self), entry(self)],
        }
        .into()
    }
}

fn place() -> SourceLocation {
    SourceLocation::Sqlite { path: Arc::from("a.db") }
}

/// What `play` says of a story with these lines.
fn told(lines: &str) -> String {
    let text = format!("# A story\nBecause.\n\n{lines}");
    let told = story::parse(&text).and_then(|story| transcript::play(&story));
    told.err().unwrap_or_default()
}

#[test]
fn the_runner_refuses_a_story_that_does_not_hold() {
    let query = "claude queries shop\n    SELECT id FROM main.orders\n";
    let scene = format!("given claude works on shop: read\n{query}");
    for (lines, wrong) in [
        (scene.clone(), "t1 did not end"),
        (format!("{scene}shop answers 1 row\nexpect r1 is revoked\n"), "it is `completed`"),
        (format!("{scene}expect refused: session expired\n"), "it was not refused"),
        (format!("{scene}expect started: nothing\n"), "it is `r1`"),
        (format!("{scene}expect waiting t2\n"), "it is `t1`"),
        (format!("{scene}shop answers 1 row\nshop answers 1 row\n"), "has nothing to do"),
        ("given claude works on shop: write\n".to_owned(), "no level"),
        ("mallory begins a session\n".to_owned(), "nobody is called `mallory`"),
        ("dana dances the tango\n".to_owned(), "dana cannot `dances`"),
        ("clock 5m\n".repeat(26), "26 lines"),
    ] {
        let told = told(&lines);
        assert!(told.contains(wrong), "of {lines} it says: {told}");
    }
    assert_eq!(told(&format!("{scene}expect waiting t1\n")), "");
    assert!(story::parse("A story").is_err());
    assert!(story::parse("# A story\nBecause.\nproves: Z-9\n\nclock 1s\n").is_err());
}

/// `INVARIANTS.md` is written from the catalogue and the stories. `UPDATE_DOCS=1` writes it.
#[test]
fn the_page_of_invariants_is_the_catalogue() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/INVARIANTS.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == page, "INVARIANTS.md is stale: run this test with UPDATE_DOCS=1");
}

fn page() -> String {
    let mut page = "# What always holds

Written from `src/reducer/invariants.rs` and the stories by `tests/reducer.rs`; do not edit. The program checks
these after every event, and so do every story and every random walk.
"
    .to_owned();
    let stories: Vec<_> = story::stems(".story")
        .into_iter()
        .map(|stem| (story::load(&stem).unwrap(), stem))
        .collect();
    for entry in invariants::CATALOGUE {
        let _ = write!(page, "\n## {}\n\n{}\n\n", entry.id, entry.sentence);
        for (story, stem) in &stories {
            if story.proves.iter().any(|id| id == entry.id) {
                let _ = writeln!(page, "- [{}](tests/scenarios/{stem}.story)", story.title);
            }
        }
    }
    page
}
