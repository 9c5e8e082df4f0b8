//! The recorder's file: what it never holds, what it forgets, and every way in which a file can be
//! no good.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::similar_names,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod support;

use dbeast::events::{
    ArgumentsDigest, Audience, ClientEvent, Envelope, Event, Level, Operation, RequestEvent,
    ResultBody, ResultPayload, Scope, ServerEvent, SessionEvent, SharingEvent, SourceEvent,
    Submission, Target, TaskEvent, TaskOutcome, VerifiedRead,
};
use dbeast::ids::{ClientId, RequestId, RequestKey, SessionId, SourceId};
use dbeast::recorder::{
    self, BYTES_MAX, Bounds, EVENTS_MAX, Problem, Recorder, Replayed, SEGMENTS,
};
use dbeast::reducer::{State, reduce};
use dbeast::time::Millis;
use std::sync::Arc;
use std::time::Duration;
use support::world::{Life, World, location, token};
use support::{checks, story, transcript};

fn played(stem: &str) -> World {
    transcript::play(&story::load(stem).unwrap()).unwrap().1
}

/// A recording with one of nearly everything.
fn recording() -> String {
    checks::file_of(&played("requests/a_read_query_from_hello_to_rows").lives[0])
}

/// What a file is refused with, as the person reads it. It must not replay either.
fn refused(file: impl AsRef<[u8]>) -> String {
    let problem: Problem = recorder::check(file.as_ref()).expect_err("no good");
    let mut shown = 0;
    let replayed = recorder::replay(file.as_ref(), |_| shown += 1);
    assert!(replayed.is_err(), "{replayed:?}");
    format!("{problem}\n{}", problem.hint())
}

fn without_line(file: &str, line: usize) -> String {
    let kept = file.lines().enumerate().filter(|(index, _)| index + 1 != line);
    kept.fold(String::new(), |text, (_, line)| text + line + "\n")
}

#[test]
fn a_file_as_it_was_saved_replays() {
    let file = recording();
    let events = recorder::check(file.as_bytes()).unwrap();
    let replayed = recorder::replay(file.as_bytes(), |_| {}).unwrap();
    assert!(matches!(replayed, Replayed::Same { events: same, .. } if same == events));
    assert!(events > 8, "{events}");
    assert!(file.starts_with("{\"dbeast_log\":3,\"program\":\""));
    // Nothing happened yet: that is a recording too.
    let fresh = Recorder::default().recording().text();
    assert_eq!(recorder::check(fresh.as_bytes()).unwrap(), 0);
}

#[test]
fn what_is_no_recording_is_told_apart() {
    let file = recording();
    let cases: [(&str, Vec<u8>, &str); 13] = [
        ("empty", Vec::new(), "the file is empty\nThe file was cut off"),
        ("prose", b"hello\n".to_vec(), "line 1: a recording begins with"),
        ("other JSON", b"{\"name\":\"x\"}\n".to_vec(), "line 1: a recording begins with"),
        ("no header", without_line(&file, 1).into(), "line 1: this is an event, but the first"),
        ("half a header", b"{\"dbeast_log\":3,\"prog".to_vec(), "line 1: the header cannot be"),
        (
            "another version",
            file.replacen("\"dbeast_log\":3", "\"dbeast_log\":9", 1).into(),
            "line 1: the recording has form 9, written by DBeast 0.1.0; this version reads form 3\nReplay it with",
        ),
        (
            "a later version with other fields",
            b"{\"dbeast_log\":4,\"program\":\"2.0.0\",\"colour\":1}\n".to_vec(),
            "line 1: the recording has form 4, written by DBeast 2.0.0",
        ),
        (
            "base that is none",
            file.replacen("\"base\":null", "\"base\":{\"seq\":1}", 1).into(),
            "line 1: the state at the beginning of the recording cannot be read",
        ),
        (
            "begins elsewhere",
            file.replacen("\"from_seq\":1", "\"from_seq\":7", 1).into(),
            "line 1: the header cannot be read: its events begin at 1",
        ),
        (
            "a zero byte",
            [&b"{\"dbeast_log\":3\0"[..], b"\n"].concat(),
            "line 1: the line holds a zero",
        ),
        ("no UTF-8", vec![0xFF, 0xFE, b'{', b'\n'], "line 1: the line is no UTF-8"),
        ("converted", file.replace('\n', "\r\n").into(), "line 1: the line ends with a carriage"),
        ("a zero byte later", file.replacen("claude", "cl\0ude", 1).into(), "holds a zero byte"),
    ];
    for (case, file, expected) in cases {
        let said = refused(&file);
        assert!(said.contains(expected), "{case}: {said}");
    }
}

#[test]
fn a_file_that_was_cut_off_is_told_with_its_line_wherever_it_was_cut() {
    let file = recording();
    let lines = file.lines().count();
    for at in (1..file.len() - 1).step_by(3) {
        if !file.is_char_boundary(at) {
            continue;
        }
        let cut = &file[..at];
        let said = refused(cut);
        let line = cut.lines().count();
        let ends_a_line = cut.ends_with('\n') || file[at..].starts_with('\n');
        // At the end of a line it is the next line that is missing.
        let expected = if ends_a_line { line + 1 } else { line };
        assert!(said.starts_with(&format!("line {expected}: ")), "cut at {at}: {said}");
        if expected > 1 {
            assert!(said.contains("cut off"), "cut at {at}: {said}");
        }
        assert!(expected <= lines);
    }
    let said = refused(without_line(&file, lines));
    assert!(
        said.contains(&format!("line {lines}: the last line {{\"end\":…}} was expected")),
        "{said}"
    );
}

#[test]
fn lines_that_do_not_belong_are_told() {
    let file = recording();
    let lines: Vec<&str> = file.lines().collect();
    let last = lines.len();
    let with = |line: usize, text: &str| {
        let mut lines = lines.clone();
        lines[line - 1] = text;
        lines.join("\n") + "\n"
    };
    let swapped = {
        let mut lines = lines.clone();
        lines.swap(3, 4);
        lines.join("\n") + "\n"
    };
    let twice = with(5, lines[3]);
    let unknown_event = with(4, &lines[3].replacen("\"event\":{\"", "\"event\":{\"weather_", 1));
    let unknown_field = with(4, &lines[3].replacen("\"at\"", "\"mood\":\"good\",\"at\"", 1));
    let inner = lines[3].replacen("\"created\":{", "\"created\":{\"colour\":7,", 1);
    let unknown_inner = with(4, &inner);
    let spaced = with(4, &lines[3].replacen("\":", "\": ", 1));
    let early = with(4, &earlier(lines[3]));
    let short_end = with(last, &lines[last - 1].replacen("\"events\":", "\"events\":1", 1));
    let other_link = with(last, &other_link(lines[last - 1]));
    let long = with(4, &format!("\"{}\"", "x".repeat(recorder::LINE_BYTES_MAX)));
    let cases = [
        (without_line(&file, 4), "line 4: event 3 was expected, but this is event 4: events are"),
        (swapped, "line 4: event 3 was expected, but this is event 4"),
        (twice, "line 5: event 4 was expected, but this is event 3: it is there twice"),
        (with(4, "{\"seq\":3,"), "line 4: an event was expected, but the line ends early"),
        (with(4, ""), "line 4: an event was expected, but the line ends early"),
        (with(4, "[]"), "line 4: an event was expected, but this is none"),
        (
            unknown_event,
            "line 4: an event was expected, but this is none that this version knows: unknown variant",
        ),
        (unknown_field, "line 4: the event has `mood`, which this version does not know"),
        (
            unknown_inner,
            "line 4: the event has `event.client.created.colour`, which this version does not know",
        ),
        (spaced, "line 4: the line is not written the way DBeast writes it"),
        (early, "time never runs backwards"),
        (long, "line 4: the line has more than 33554432 bytes"),
        (file.clone() + lines[3] + "\n", "the recording had ended, but something follows"),
        (file.clone() + "\n", "the recording had ended, but something follows"),
        (short_end, "events, but there are"),
        (other_link, "does not carry the link of the last event"),
    ];
    for (file, expected) in cases {
        let said = refused(&file);
        assert!(said.contains(expected), "expected {expected}: {said}");
    }
}

fn earlier(line: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
    let at = value["at"].as_u64().unwrap();
    let text = line.replacen(&format!("\"at\":{at}"), &format!("\"at\":{}", at - 1), 1);
    value["at"] = 0.into();
    text
}

fn other_link(line: &str) -> String {
    let (rest, link) = line.rsplit_once("\"link\":\"").unwrap();
    let other = if link.starts_with('0') { "1" } else { "0" };
    format!("{rest}\"link\":\"{other}{}", &link[1..])
}

#[test]
fn no_byte_of_an_event_can_change_unnoticed() {
    let file = recording();
    let header = file.find('\n').unwrap();
    let mut tried = 0;
    for at in (header + 1..file.len() - 1).step_by(7) {
        let mut changed = file.clone().into_bytes();
        changed[at] ^= 1;
        let replayed = recorder::replay(changed.as_slice(), |_| {});
        let is_noticed = !matches!(replayed, Ok(Replayed::Same { .. }));
        assert!(is_noticed, "byte {at}: {}", &file[at.saturating_sub(40)..=at]);
        tried += 1;
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn a_replay_tells_the_first_event_that_goes_another_way() {
    let file = recording();
    let link = file.lines().nth(6).and_then(|line| line.rsplit_once("\"link\":\"")).unwrap().1;
    let other = if link.starts_with('0') { "1" } else { "0" };
    let changed = file.replacen(link, &format!("{other}{}", &link[1..]), 1);
    let mut shown = 0;
    let replayed = recorder::replay(changed.as_bytes(), |_| shown += 1).unwrap();
    assert_eq!(replayed, Replayed::Differs { seq: 6, line: 7 });
    assert_eq!(shown, 6);
}

/// Records a life with these bounds.
fn recorded(life: &Life, bounds: Bounds) -> (Recorder, State) {
    let mut recorder = Recorder::new(bounds);
    let mut state = State::default();
    for envelope in &life.log {
        let step = reduce(&state, envelope);
        recorder.record(&state, envelope, &step);
        state = step.state;
    }
    (recorder, state)
}

/// With these bounds every event begins a segment, and the log begins with the state before the
/// last event or the last five.
#[test]
fn every_story_replays_from_a_state_in_its_middle() {
    let mut with_base = 0;
    for stem in story::stems(".story") {
        let world = played(&stem);
        let short = world.lives.iter().filter(|life| life.log.len() <= 100);
        for (life, events) in short.flat_map(|life| [1, 5].map(|of| (life, of))) {
            let bounds = Bounds { events, bytes: BYTES_MAX };
            let (recorder, _) = recorded(life, bounds);
            let file = recorder.recording().text();
            let mut last = None;
            let replayed =
                recorder::replay(file.as_bytes(), |shown| last = Some(shown.step.state.clone()));
            let replayed = replayed.unwrap_or_else(|problem| panic!("{stem}: {problem}"));
            assert!(matches!(replayed, Replayed::Same { .. }), "{stem}: {replayed:?}");
            assert_eq!(last.as_ref(), life.states.last(), "{stem}");
            assert_eq!(file, again(life, bounds), "{stem}");
            with_base += usize::from(!file.contains("\"base\":null"));
        }
    }
    assert!(with_base > 100, "{with_base}");
}

fn again(life: &Life, bounds: Bounds) -> String {
    recorded(life, bounds).0.recording().text()
}

#[test]
fn a_full_log_forgets_its_oldest_part_and_stays_within_its_bounds() {
    let world = played("requests/the_two_hundred_and_fifty_seventh_key_needs_a_new_session");
    let life = &world.lives[0];
    let events = u64::try_from(life.log.len()).unwrap();
    assert!(events > 500, "{events}");
    for bounds in
        [Bounds { events: 160, bytes: BYTES_MAX }, Bounds { events: EVENTS_MAX, bytes: 40_000 }]
    {
        let (recorder, state) = recorded(life, bounds);
        let fill = recorder.fill();
        assert!(fill.events <= bounds.events && fill.bytes <= bounds.bytes, "{fill:?}");
        // No more is forgotten than one part.
        let segments = u64::try_from(SEGMENTS).unwrap();
        let is_well_filled = fill.events > bounds.events - 2 * bounds.events / segments
            || fill.bytes > bounds.bytes - 2 * bounds.bytes / SEGMENTS;
        assert!(is_well_filled, "{fill:?}");
        assert_eq!(fill.from_seq + fill.events, events + 1);
        let file = recorder.recording().text();
        assert_eq!(recorder::check(file.as_bytes()).unwrap(), fill.events);
        let mut last = None;
        let replayed =
            recorder::replay(file.as_bytes(), |shown| last = Some(shown.step.state.clone()));
        assert!(matches!(replayed, Ok(Replayed::Same { .. })), "{replayed:?}");
        assert_eq!(last, Some(state));
    }
}

#[test]
fn no_recording_holds_what_must_not_leave() {
    let (mut results, mut withheld, mut tokens) = (0, 0, 0);
    for stem in story::stems(".story") {
        let world = played(&stem);
        let hashes: Vec<String> = world.tokens.values().map(|hash| hash.to_hex()).collect();
        for life in &world.lives {
            let files =
                [checks::file_of(life), again(life, Bounds { events: 5, bytes: BYTES_MAX })];
            for file in &files {
                assert!(!file.contains(checks::CELL_MARK), "{stem}: a cell");
                for hash in &hashes {
                    // Tokens of stories have eight bytes that matter; all that follows is zeros.
                    assert!(!file.contains(hash.as_str()), "{stem}: a hash");
                }
            }
            for text in &world.withheld {
                withheld += 1;
                assert!(!files.iter().any(|file| file.contains(text)), "{stem}: {text}");
            }
            results += life.log.iter().filter(|envelope| is_result(envelope)).count();
            tokens += hashes.len();
        }
    }
    assert!(results > 30 && withheld > 0 && tokens > 50, "{results} {withheld} {tokens}");
}

fn is_result(envelope: &Envelope) -> bool {
    matches!(
        &envelope.event,
        Event::Task(TaskEvent::Finished { outcome: TaskOutcome::Completed { .. }, .. })
    )
}

/// A connection that asks and is answered, again and again.
struct LongLife {
    made: u64,
}

impl LongLife {
    /// How many requests one session makes before the next one begins.
    const PER_SESSION: u64 = 200;

    fn next(&mut self, state: &State) -> Envelope {
        self.made += 1;
        let at = Millis(1_767_225_600_000 + self.made * 20);
        Envelope { seq: state.seq + 1, at, event: self.event(state) }
    }

    fn event(&self, state: &State) -> Event {
        let (client, source) = (ClientId::new("c1"), SourceId::new("src1"));
        let token_hash = token("client", "claude");
        match self.made {
            1 => return ServerEvent::Started { port: 54_832 }.into(),
            2 => return ClientEvent::Created { client, label: "claude".into(), token_hash }.into(),
            3 => {
                let (name, location) = ("shop".into(), location("shop"));
                let (alias, is_read_only) = (None, false);
                return SourceEvent::Added { source, name, alias, location, is_read_only }.into();
            }
            4 => {
                let (audience, level) = (Audience::AllAgents, Some(Level::Ask));
                return SharingEvent::Set { source, audience, level }.into();
            }
            _ => {}
        }
        let (round, step) = ((self.made - 5) / 3, (self.made - 5) % 3);
        let session = round / Self::PER_SESSION;
        let token_hash = token("session", &session.to_string());
        let request = RequestId::new(&format!("r{round}"));
        match step {
            0 if round % Self::PER_SESSION == 0 => {
                let session = SessionId::new(&format!("s{session}"));
                SessionEvent::Began { client, session, token_hash, label: None }.into()
            }
            0 => {
                let sql: Arc<str> =
                    format!("SELECT id, owner FROM main.orders WHERE id = {round}").into();
                let read = VerifiedRead { sql, tables: Vec::new(), columns: Vec::new() };
                let read = Arc::new(read);
                let submission = Submission {
                    request,
                    client,
                    token_hash,
                    key: RequestKey::new(&format!("k{round}")),
                    digest: ArgumentsDigest([7; 32]),
                    target: Target::Source { source, generation: state.counters.source_generation },
                    operation: Operation::QuerySql { read },
                };
                RequestEvent::Submitted(Box::new(submission)).into()
            }
            1 => RequestEvent::Allowed { request, scope: Scope::Once }.into(),
            _ => {
                let task = state.tasks.keys().next().copied().unwrap_or_default();
                let body = ResultBody::new(
                    ResultPayload::Withheld,
                    [u8::try_from(round % 251).unwrap(); 32],
                    round,
                );
                let outcome = TaskOutcome::Completed { body, identities: Vec::new() };
                TaskEvent::Finished { task, outcome }.into()
            }
        }
    }
}

/// Writes recordings of 10,000 and 100,000 events to the folder of the tests, for measuring
/// `dbeast replay`: `cargo test --test recorder -- --ignored`.
#[test]
#[ignore = "writes large files for measurements"]
fn large_recordings_for_measuring() {
    for number in [10_000_u64, 100_000] {
        let mut recorder = Recorder::default();
        let mut state = State::default();
        let mut life = LongLife { made: 0 };
        let mut took = Duration::ZERO;
        for _ in 0..number {
            let envelope = life.next(&state);
            let step = reduce(&state, &envelope);
            #[expect(clippy::disallowed_methods, reason = "it measures")]
            let started = std::time::Instant::now();
            recorder.record(&state, &envelope, &step);
            took += started.elapsed();
            state = step.state;
        }
        assert_eq!(recorder.fill().events, number);
        let path = format!("{}/{number}.jsonl", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, recorder.recording().text()).unwrap();
        println!("{path}: {:?} per event", took / u32::try_from(number).unwrap());
    }
}
