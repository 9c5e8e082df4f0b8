//! Edges of the rules that no story can tell: what a vault may hold at most, the exact moment of a
//! reading, generic names that are taken, and the words and figures of the contract.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::similar_names,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise, and a fold hands its state over"
)]

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, DocumentEvent, DocumentKind, Envelope, Event,
    KeptShare, Level, Notice, Operation, RequestEvent, RestoredClient, RestoredSource, ResultBody,
    ResultPayload, ServerEvent, SessionEvent, SharingEvent, SourceEvent, SourceLocation,
    Submission, TableLevel, Target, TaskEvent, TaskOutcome, WithheldText,
};
use dbeast::ids::{
    ClientId, FileId, RequestId, RequestKey, SessionId, SourceGeneration, SourceId, TaskId,
};
use dbeast::reducer::state::{Problem, Status};
use dbeast::reducer::{Answer, ErrorCode, Refusal, State, limits, read, reduce};
use dbeast::secret::TokenHash;
use dbeast::time::{Duration, Millis};
use dbeast::value::TableName;
use std::collections::BTreeSet;

const START: Millis = Millis(1_767_225_600_000);

fn step(state: &State, at: Millis, event: impl Into<Event>) -> (State, Result<Answer, Refusal>) {
    let step = reduce(state, &Envelope { seq: state.seq + 1, at, event: event.into() });
    (step.state, step.answer)
}

fn fold(state: State, event: impl Into<Event>) -> State {
    let (state, answer) = step(&state, START, event);
    answer.expect("a legal move");
    state
}

fn hash(number: usize) -> TokenHash {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    TokenHash::new(bytes)
}

fn location() -> SourceLocation {
    SourceLocation::Sqlite { path: "shop.db".into() }
}

fn client(number: usize) -> RestoredClient {
    RestoredClient {
        client: ClientId::new(&format!("c{number}")),
        label: "an agent".into(),
        token_hash: hash(number),
        created_at: START,
    }
}

fn source(number: usize) -> RestoredSource {
    RestoredSource {
        source: SourceId::new(&format!("src{number}")),
        name: "shop".into(),
        alias: "Shop".into(),
        location: location(),
        context: None,
        is_read_only: false,
        read_lock: dbeast::value::ReadLock::Full,
        added_at: START,
    }
}

fn share(number: usize, tables: usize) -> KeptShare {
    let table = |index| TableName { schema: "main".to_owned(), name: format!("t{index}") };
    KeptShare {
        source: SourceId::new(&format!("src{number}")),
        audience: Audience::AllAgents,
        level: Level::Ask,
        tables: (0..tables).map(|index| (table(index), TableLevel::Read)).collect(),
    }
}

/// What restoring so much answers.
fn restored(clients: usize, sources: usize, tables: &[usize]) -> Result<Answer, Refusal> {
    let event = ServerEvent::Restored {
        clients: (0..clients).map(client).collect(),
        sources: (0..sources).map(source).collect(),
        sharing: tables.iter().enumerate().map(|(at, tables)| share(at, *tables)).collect(),
    };
    step(&State::default(), START, event).1
}

#[test]
fn a_vault_is_taken_at_its_limits_and_not_one_past_them() {
    assert_eq!(restored(16, 128, &[64; 16]), Ok(Answer::Done));
    assert_eq!(restored(17, 1, &[]), Err(Refusal::ClientLimit));
    assert_eq!(restored(18, 1, &[]), Err(Refusal::ClientLimit));
    assert_eq!(restored(1, 129, &[]), Err(Refusal::SourceLimit));
    assert_eq!(restored(1, 130, &[]), Err(Refusal::SourceLimit));
    assert_eq!(restored(1, 1, &[65]), Err(Refusal::SharedTableLimit));
    assert_eq!(restored(1, 1, &[66]), Err(Refusal::SharedTableLimit));
    let mut one_more = vec![64; 16];
    one_more.push(1);
    assert_eq!(restored(1, 128, &one_more), Err(Refusal::SharedTableLimit));
}

#[test]
fn a_vault_that_holds_something_twice_is_not_taken() {
    let answer = |clients: Vec<RestoredClient>, sources: Vec<RestoredSource>| {
        let event = ServerEvent::Restored { clients, sources, sharing: Vec::new() };
        step(&State::default(), START, event).1
    };
    let twin = RestoredClient { token_hash: hash(9), ..client(1) };
    let same_token = RestoredClient { token_hash: hash(1), ..client(2) };
    assert_eq!(answer(vec![client(1), client(2), client(3)], vec![]), Ok(Answer::Done));
    assert_eq!(answer(vec![client(1), twin], vec![]), Err(Refusal::IdentifierInUse));
    assert_eq!(
        answer(vec![client(1), client(3), same_token], vec![]),
        Err(Refusal::IdentifierInUse)
    );
    assert_eq!(answer(vec![], vec![source(1), source(1)]), Err(Refusal::IdentifierInUse));
}

#[test]
fn nothing_is_restored_after_anything_happened() {
    let saved = || ServerEvent::Restored { clients: vec![], sources: vec![], sharing: vec![] };
    let first = fold(State::default(), saved());
    assert_eq!(step(&first, START, saved()).1, Ok(Answer::Done), "still nothing happened");
    let connected = ClientEvent::Created {
        client: ClientId::new("c1"),
        label: "an agent".into(),
        token_hash: hash(1),
    };
    let removed = SourceEvent::Removed { source: SourceId::new("src1") };
    let gone = fold(fold(State::default(), added("src1", None)), removed);
    for state in [
        fold(State::default(), connected),
        fold(State::default(), added("src1", None)),
        gone,
        fold(State::default(), ServerEvent::Started { port: 1 }),
    ] {
        assert_eq!(step(&state, START, saved()).1, Err(Refusal::NotAtStart));
    }
}

fn added(id: &str, alias: Option<&str>) -> SourceEvent {
    SourceEvent::Added {
        source: SourceId::new(id),
        name: "shop".into(),
        alias: alias.map(Into::into),
        location: location(),
        is_read_only: false,
    }
}

#[test]
fn a_generic_name_that_is_taken_is_not_given_again() {
    let state = fold(State::default(), added("src1", Some("SQLite source 1")));
    let state = fold(state, added("src2", Some("SQLite source 3")));
    let state = fold(fold(state, added("src3", None)), added("src4", None));
    let aliases: Vec<&str> = state.sources.values().map(|source| &*source.alias).collect();
    assert_eq!(
        aliases,
        ["SQLite source 1", "SQLite source 3", "SQLite source 2", "SQLite source 4"]
    );
}

#[test]
fn a_generic_name_of_a_document_that_is_taken_is_not_given_again() {
    let opened = |id: &str, alias: Option<&str>| DocumentEvent::Opened {
        file: FileId::new(id),
        name: "notes".into(),
        alias: alias.map(Into::into),
        kind: DocumentKind::Text,
        text: WithheldText::new("text".into(), [1; 32]),
    };
    let state = fold(State::default(), opened("f1", Some("Open document 1")));
    let state = fold(state, opened("f2", Some("Open document 3")));
    let state = fold(fold(state, opened("f3", None)), opened("f4", None));
    let aliases: Vec<&str> = state.documents.values().map(|document| &*document.alias).collect();
    assert_eq!(
        aliases,
        ["Open document 1", "Open document 3", "Open document 2", "Open document 4"]
    );
}

/// An agent with standing access whose list of tables is finished.
fn finished() -> (State, ClientId, TokenHash) {
    let (client, token_hash) = (ClientId::new("c1"), hash(2));
    let source = SourceId::new("src1");
    let events: Vec<Event> = vec![
        ServerEvent::Started { port: 1 }.into(),
        ClientEvent::Created { client: client.clone(), label: "a".into(), token_hash: hash(1) }
            .into(),
        added("src1", None).into(),
        SharingEvent::Set {
            source: source.clone(),
            audience: Audience::AllAgents,
            level: Some(Level::Read),
        }
        .into(),
        SessionEvent::Began {
            client: client.clone(),
            session: SessionId::new("s1"),
            token_hash,
            label: None,
        }
        .into(),
        RequestEvent::Submitted(Box::new(Submission {
            request: RequestId::new("r1"),
            client: client.clone(),
            token_hash,
            key: RequestKey::new("k1"),
            digest: ArgumentsDigest([1; 32]),
            target: Target::Source { source, generation: SourceGeneration(1) },
            operation: Operation::ListTables,
        }))
        .into(),
        TaskEvent::Finished {
            task: TaskId(1),
            outcome: TaskOutcome::Completed {
                body: ResultBody::new(ResultPayload::Withheld, [3; 32], 9),
                identities: Vec::new(),
            },
        }
        .into(),
    ];
    (events.into_iter().fold(State::default(), fold), client, token_hash)
}

#[test]
fn a_result_is_read_to_the_last_millisecond_of_its_time() {
    let (state, client, token_hash) = finished();
    let read = |now| {
        read::request(&state, &client, &token_hash, &RequestId::new("r1"), now)
            .map(|reading| (reading.status, reading.result.is_some()))
    };
    let end = START.plus(Duration::minutes(5));
    assert_eq!(read(Millis(end.0 - 1)), Ok((Status::Completed, true)));
    assert_eq!(read(end), Ok((Status::ResultExpired, false)));
}

/// No event leads there: what a result stands on ends together with it. Whoever hands one over looks all the
/// same.
#[test]
fn a_result_that_nothing_covers_any_more_is_not_handed_over() {
    let (mut state, client, token_hash) = finished();
    state.sharing.clear();
    let read = |state: &State| {
        let id = RequestId::new("r1");
        let reading = read::request(state, &client, &token_hash, &id, START).unwrap();
        (reading.status, reading.result.is_some(), reading.problem.cloned())
    };
    assert_eq!(read(&state), (Status::Revoked, false, Some(Problem::Revoked)));
    let mut written = (*state.requests[&RequestId::new("r1")]).clone();
    written.operation = Operation::RequestSql { sql: "vacuum".into(), write: None };
    state.requests.insert(RequestId::new("r1"), written.into());
    let gone = (Status::CompletedResultRevoked, false, Some(Problem::ResultRevoked));
    assert_eq!(read(&state), gone);
}

#[test]
fn an_agent_is_told_when_to_ask_again() {
    let (state, client, token_hash) = finished();
    let asked = |state: &State, request: &str| {
        read::request(state, &client, &token_hash, &RequestId::new(request), START)
            .map(|reading| (reading.status, reading.poll_after_ms))
            .unwrap()
    };
    let submit = |state: &State, number: usize| {
        let submission = Submission {
            request: RequestId::new(&format!("r{number}")),
            client: client.clone(),
            token_hash,
            key: RequestKey::new(&format!("k{number}")),
            digest: ArgumentsDigest([1; 32]),
            target: Target::Source {
                source: SourceId::new("src1"),
                generation: SourceGeneration(1),
            },
            operation: Operation::ListTables,
        };
        step(state, START, RequestEvent::Submitted(Box::new(submission))).0
    };
    assert_eq!(asked(&state, "r1"), (Status::Completed, None));
    // Standing access lets it run at once; the next one waits for its slot.
    let state = submit(&submit(&state, 2), 3);
    assert_eq!(asked(&state, "r2"), (Status::Running, Some(200)));
    assert_eq!(asked(&state, "r3"), (Status::Pending, Some(200)));
    let narrowed = SharingEvent::Set {
        source: SourceId::new("src1"),
        audience: Audience::AllAgents,
        level: Some(Level::Ask),
    };
    let state = submit(&fold(state, narrowed), 4);
    assert_eq!(asked(&state, "r2"), (Status::Revoked, None));
    assert_eq!(asked(&state, "r4"), (Status::Pending, Some(1_000)));
}

/// Agents with standing access, each with so many results, in the order of their requests.
fn with_results(agents: &[(&str, usize)]) -> State {
    let sharing = SharingEvent::Set {
        source: SourceId::new("src1"),
        audience: Audience::AllAgents,
        level: Some(Level::Read),
    };
    let state = fold(State::default(), ServerEvent::Started { port: 1 });
    let mut state = fold(fold(state, added("src1", None)), sharing);
    for (number, (agent, results)) in agents.iter().enumerate() {
        let client = ClientId::new(agent);
        let created = ClientEvent::Created {
            client: client.clone(),
            label: (*agent).into(),
            token_hash: hash(100 + number),
        };
        let began = SessionEvent::Began {
            client,
            session: SessionId::new(&format!("session of {agent}")),
            token_hash: token_of(agent),
            label: None,
        };
        state = fold(fold(state, created), began);
        for result in 1..=*results {
            state = lists_tables(state, agent, result);
        }
    }
    state
}

fn token_of(agent: &str) -> TokenHash {
    hash(usize::from(agent.as_bytes()[0]))
}

/// An agent asks for the tables, and gets them.
fn lists_tables(state: State, agent: &str, number: usize) -> State {
    let submission = Submission {
        request: RequestId::new(&format!("{agent}{number}")),
        client: ClientId::new(agent),
        token_hash: token_of(agent),
        key: RequestKey::new(&format!("key {number}")),
        digest: ArgumentsDigest([1; 32]),
        target: Target::Source { source: SourceId::new("src1"), generation: SourceGeneration(1) },
        operation: Operation::ListTables,
    };
    let state = fold(state, RequestEvent::Submitted(Box::new(submission)));
    let task = *state.tasks.keys().next_back().unwrap();
    let body = ResultBody::new(ResultPayload::Withheld, [3; 32], 9);
    let outcome = TaskOutcome::Completed { body, identities: Vec::new() };
    fold(state, TaskEvent::Finished { task, outcome })
}

#[test]
fn the_greediest_session_gives_way_first() {
    let has = |state: &State, id: &str| state.requests.contains_key(&RequestId::new(id));
    // The one with the most gives way to one with nothing, although another one's are older.
    let state = with_results(&[("a", 20), ("b", 23), ("c", 21), ("d", 0)]);
    let state = lists_tables(state, "d", 1);
    assert!(has(&state, "a1") && !has(&state, "b1") && has(&state, "b2") && has(&state, "c1"));
    // Of two with the most, the oldest result; none of the two is the one that asks.
    let state = lists_tables(lists_tables(state, "d", 2), "d", 3);
    assert!(has(&state, "a1") && !has(&state, "b2") && !has(&state, "b3"));
    assert!(has(&state, "b4") && has(&state, "c1"));
    // Among those with the most, the one that asks gives way itself.
    let state = with_results(&[("a", 32), ("b", 32)]);
    let state = lists_tables(state, "b", 33);
    assert!(has(&state, "a1") && !has(&state, "b1") && has(&state, "b2"));
    assert_eq!(state.requests.len(), limits::REQUESTS_MAX);
}

/// Only what may have changed something can leave that open.
#[test]
fn a_read_whose_end_nobody_saw_has_failed() {
    let state = with_results(&[("a", 0)]);
    let submission = Submission {
        request: RequestId::new("a1"),
        client: ClientId::new("a"),
        token_hash: token_of("a"),
        key: RequestKey::new("key"),
        digest: ArgumentsDigest([1; 32]),
        target: Target::Source { source: SourceId::new("src1"), generation: SourceGeneration(1) },
        operation: Operation::ListTables,
    };
    let state = fold(state, RequestEvent::Submitted(Box::new(submission)));
    let outcome = TaskOutcome::OutcomeUnknown { cause: None };
    let state = fold(state, TaskEvent::Finished { task: TaskId(1), outcome });
    assert_eq!(state.requests[&RequestId::new("a1")].status, Status::Failed);
}

/// Timers of a busy machine come late. Whatever comes first lets the time pass.
#[test]
fn what_is_overdue_happens_before_a_late_event() {
    let (state, client, token_hash) = finished();
    let stopped = ServerEvent::NoticeRaised { notice: Notice::VaultInMemory };
    let late = START.plus(Duration::minutes(5)).plus(Duration::seconds(1));
    let (state, _) = step(&state, late, stopped);
    assert!(!state.requests.contains_key(&RequestId::new("r1")), "its result is kept 5 minutes");
    let reading = read::request(&state, &client, &token_hash, &RequestId::new("r1"), late);
    assert_eq!(reading.map(|reading| reading.status), Ok(Status::ResultExpired));
}

#[test]
fn a_key_finds_its_own_intent_and_no_other() {
    let (state, client, token_hash) = finished();
    let reserved = |key, digest| {
        let (key, digest) = (RequestKey::new(key), ArgumentsDigest([digest; 32]));
        read::reserved(&state, &client, &token_hash, &key, &digest, START)
            .map(|found| found.map(ToString::to_string))
    };
    assert_eq!(reserved("k1", 1), Ok(Some("r1".to_owned())));
    assert_eq!(reserved("k1", 2), Err(Refusal::RequestConflict));
    assert_eq!(reserved("k2", 1), Ok(None));
}

/// Identifiers are random, so nobody meets this by chance. It must not give one agent a way to the work of another.
#[test]
fn an_identifier_that_two_sessions_use_leads_each_to_its_own() {
    let (state, first, token) = finished();
    let (second, other_token) = (ClientId::new("c2"), hash(4));
    let began = SessionEvent::Began {
        client: second.clone(),
        session: SessionId::new("s2"),
        token_hash: other_token,
        label: None,
    };
    let created = ClientEvent::Created {
        client: second.clone(),
        label: "another".into(),
        token_hash: hash(3),
    };
    let state = fold(fold(state, created), began);
    let again = |client: &ClientId, token_hash, key| Submission {
        request: RequestId::new("r1"),
        client: client.clone(),
        token_hash,
        key: RequestKey::new(key),
        digest: ArgumentsDigest([1; 32]),
        target: Target::Source { source: SourceId::new("src1"), generation: SourceGeneration(1) },
        operation: Operation::ListTables,
    };
    let submit = |state: &State, submission, at| {
        step(state, at, RequestEvent::Submitted(Box::new(submission)))
    };
    let later = START.plus(Duration::minutes(6));
    // Stored, it is in use for everybody.
    let in_use = Err(Refusal::IdentifierInUse);
    assert_eq!(submit(&state, again(&second, other_token, "k1"), START).1, in_use);
    assert_eq!(submit(&state, again(&first, token, "k2"), START).1, in_use);
    // Over, it is so for the session that had it.
    assert_eq!(submit(&state, again(&first, token, "k2"), later).1, in_use);
    let (state, answer) = submit(&state, again(&second, other_token, "k1"), later);
    assert!(matches!(answer, Ok(Answer::Request { is_new: true, .. })), "{answer:?}");
    let read = |client: &ClientId, token_hash| {
        let reading =
            read::request(&state, client, &token_hash, &RequestId::new("r1"), later).unwrap();
        reading.status
    };
    assert_eq!(read(&first, token), Status::ResultExpired);
    assert_eq!(read(&second, other_token), Status::Running);
    let cancelled =
        RequestEvent::Cancelled { client: first, token_hash: token, request: RequestId::new("r1") };
    let (state, answer) = step(&state, later, cancelled);
    assert!(answer.is_ok(), "{answer:?}");
    assert_eq!(state.requests[&RequestId::new("r1")].status, Status::Running);
}

#[test]
fn the_activity_list_is_empty_until_something_happens() {
    let state = State::default();
    assert!(state.activity.is_empty() && state.activity.of_record.is_empty());
    let state = fold(state, ServerEvent::Started { port: 1 });
    assert!(!state.activity.is_empty() && !state.activity.of_record.is_empty());
}

#[test]
fn lists_of_one_length_are_not_one_list() {
    let started = |port| fold(State::default(), ServerEvent::Started { port });
    let raised = ServerEvent::NoticeRaised { notice: Notice::VaultInMemory };
    let added = fold(fold(State::default(), raised), added("src1", None));
    assert_eq!(started(1).activity, started(2).activity);
    assert_eq!(started(1).activity.len(), added.activity.len());
    assert_ne!(started(1).activity, added.activity);
}

#[test]
fn what_the_vault_keeps_is_connections_and_sharing() {
    let (clients, sharing) = dbeast::reducer::kept(&with_results(&[("a", 1)]));
    let clients: Vec<&str> = clients.iter().map(|saved| saved.client.as_str()).collect();
    assert_eq!(clients, ["a"]);
    let sharing: Vec<_> =
        sharing.iter().map(|saved| (saved.source.as_str(), saved.level)).collect();
    assert_eq!(sharing, [("src1", Level::Read)]);
}

#[test]
fn the_codes_are_the_contracts_words() {
    let codes = [
        (ErrorCode::InvalidInput, "invalid_input"),
        (ErrorCode::SessionExpired, "session_expired"),
        (ErrorCode::PermissionDenied, "permission_denied"),
        (ErrorCode::ResourceUnavailable, "resource_unavailable"),
        (ErrorCode::UnsupportedSafeRead, "unsupported_safe_read"),
        (ErrorCode::RequestConflict, "request_conflict"),
        (ErrorCode::LimitExceeded, "limit_exceeded"),
        (ErrorCode::Cancelled, "cancelled"),
        (ErrorCode::OutcomeUnknown, "outcome_unknown"),
        (ErrorCode::ExecutionFailed, "execution_failed"),
    ];
    for (code, word) in codes {
        assert_eq!(code.word(), word);
    }
}

#[test]
fn each_refusal_says_something_of_its_own_and_what_to_do() {
    let all = [
        Refusal::ServerStopped,
        Refusal::SessionExpired,
        Refusal::ResourceUnavailable,
        Refusal::RequestConflict,
        Refusal::SessionPendingLimit,
        Refusal::PendingLimit,
        Refusal::KeyLimit,
        Refusal::ClientLimit,
        Refusal::SourceLimit,
        Refusal::DocumentLimit,
        Refusal::SnapshotTooLarge,
        Refusal::SnapshotsTooLarge,
        Refusal::SharedTableLimit,
        Refusal::GrantLimit,
        Refusal::SourceReadOnly,
        Refusal::VersionChanged,
        Refusal::ScopeDoesNotFit,
        Refusal::SettingDoesNotFit,
        Refusal::NotPending,
        Refusal::AlreadyAllowed,
        Refusal::Unknown,
        Refusal::IdentifierInUse,
        Refusal::LateAnswer,
        Refusal::NotAtStart,
    ];
    let messages: BTreeSet<&str> = all.iter().map(|refusal| refusal.message()).collect();
    assert_eq!(messages.len(), all.len(), "two refusals say the same");
    for refusal in all {
        let (message, hint) = (refusal.message(), refusal.hint());
        assert!(message.ends_with('.') && message.contains(' '), "{refusal:?}: {message}");
        assert!(hint.ends_with('.') && hint.contains(' '), "{refusal:?}: {hint}");
    }
}

#[test]
fn the_figures_are_the_contracts() {
    assert_eq!((limits::CLIENTS_MAX, limits::SESSIONS_MAX), (16, 16));
    assert_eq!((limits::SESSION_IDLE.0, limits::SESSION_LIFETIME.0), (1_200_000, 7_200_000));
    assert_eq!((limits::DECISION.0, limits::RETENTION.0), (300_000, 300_000));
    assert_eq!((limits::OPERATION.0, limits::CONNECTION_SETUP.0), (30_000, 15_000));
    assert_eq!((limits::PENDING_PER_SESSION_MAX, limits::PENDING_MAX), (4, 32));
    assert_eq!((limits::TASKS_PER_SESSION_MAX, limits::TASKS_MAX), (1, 4));
    assert_eq!((limits::REQUESTS_MAX, limits::KEYS_PER_SESSION_MAX), (64, 256));
    assert_eq!((limits::SOURCES_MAX, limits::DOCUMENTS_MAX), (128, 128));
    assert_eq!(limits::SNAPSHOT_BYTES_MAX, 4_194_304);
    assert_eq!(limits::SNAPSHOTS_BYTES_MAX, 16_777_216);
    assert_eq!((limits::ROWS_MAX, limits::ACTIVITY_MAX), (500, 100));
    assert_eq!((limits::RESULT_BYTES_MAX, limits::CELL_BYTES_MAX), (262_144, 65_536));
    assert_eq!(limits::RESPONSE_BYTES_MAX, 1_048_576);
}
