//! A recording becomes a story, and the story leads to the same events.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::similar_names,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod support;

use dbeast::events::Envelope;
use dbeast::recorder::{self, Bounds, Recorder};
use dbeast::reducer::{State, reduce};
use dbeast::time::Millis;
use dbeast::transcript::Occurrence;
use dbeast::transcript::tell::Teller;
use serde_json::Value;
use std::collections::BTreeMap;
use support::{Told, checks, story, transcript};

/// What a story names itself. Everything else must be the same to the byte.
const NAMED: &[&str] = &[
    "client",
    "digest",
    "file",
    "key",
    "label",
    "name",
    "path",
    "request",
    "session",
    "source",
    "token_hash",
];
/// Longer lives take long to play and say nothing new.
const EVENTS_MAX: usize = 300;
/// Times count from the first event.
const TIMES: &[&str] = &["at", "created_at", "added_at"];

/// Tells a recording, as `dbeast replay --story` does, and gives its events too.
fn told(file: &str) -> Told<(String, Vec<Envelope>)> {
    let (mut teller, mut last, mut events) = (Teller::new(), State::default(), Vec::new());
    let mut failed = None;
    recorder::replay(file.as_bytes(), |occurrence| {
        if failed.is_none() {
            failed = teller.take(occurrence).err();
        }
        last = occurrence.step.state.clone();
        events.push(occurrence.envelope.clone());
    })
    .map_err(|problem| problem.to_string())?;
    if let Some(why) = failed {
        return Err(why.to_string());
    }
    let story = teller.finish("A recording", &last).map_err(|why| why.to_string())?;
    Ok((story, events))
}

/// Plays a told story and compares its events with those of the recording.
fn retold(text: &str, events: &[Envelope]) -> Told<()> {
    let story = story::parse(text)?;
    let (_, world) = transcript::play(&story)?;
    transcript::check(&world)?;
    let file = checks::file_of(&world.lives[0]);
    let (again, played) = told(&file)?;
    if again != text {
        return Err("told once more, it is another story".to_owned());
    }
    let mut names = Names::default();
    let starts = (events[0].at, played[0].at);
    if events.len() != played.len() {
        return Err(format!("{} events became {}", events.len(), played.len()));
    }
    for (recorded, played) in events.iter().zip(&played) {
        let values = [recorded, played].map(|envelope| serde_json::to_value(envelope).unwrap());
        names.same(&values[0], &values[1], starts).map_err(|path| {
            format!("event {} differs at {path}:\n{}\n{}", recorded.seq, values[0], values[1])
        })?;
    }
    Ok(())
}

/// Which name of the recording stands for which of the story, kind by kind, in both directions.
#[derive(Default)]
struct Names(BTreeMap<(String, bool, String), String>);

impl Names {
    fn same(&mut self, one: &Value, other: &Value, starts: (Millis, Millis)) -> Result<(), String> {
        match (one, other) {
            (Value::Object(one), Value::Object(other)) => {
                if one.keys().ne(other.keys()) {
                    return Err("its fields".to_owned());
                }
                let is_table = one.contains_key("schema");
                for (key, value) in one {
                    let same = &other[key];
                    let is_same = if TIMES.contains(&key.as_str()) {
                        let from = |at: &Value, start: Millis| {
                            i128::from(at.as_u64().unwrap()) - i128::from(start.0)
                        };
                        from(value, starts.0) == from(same, starts.1)
                    } else if NAMED.contains(&key.as_str()) && !is_table && is_plain(value) {
                        self.is_renaming(key, &value.to_string(), &same.to_string())
                    } else {
                        self.same(value, same, starts).map_err(|path| format!("{key}.{path}"))?;
                        true
                    };
                    if !is_same {
                        return Err(key.clone());
                    }
                }
                Ok(())
            }
            (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
                one.iter().zip(other).try_for_each(|(one, other)| self.same(one, other, starts))
            }
            _ => (one == other).then_some(()).ok_or_else(|| "its value".to_owned()),
        }
    }

    fn is_renaming(&mut self, kind: &str, one: &str, other: &str) -> bool {
        let mut stands = |is_back, from: &str, to: &str| {
            let place = (kind.to_owned(), is_back, from.to_owned());
            self.0.entry(place).or_insert_with(|| to.to_owned()) == to
        };
        stands(false, one, other) && stands(true, other, one)
    }
}

/// A text, or the bytes of a digest.
fn is_plain(value: &Value) -> bool {
    value.is_string() || value.as_array().is_some_and(|list| list.len() == 32)
}

#[test]
fn every_story_can_be_told_from_its_recording() {
    let (mut told_well, mut untold) = (0, 0);
    for stem in story::stems(".story") {
        let (_, world) = transcript::play(&story::load(&stem).unwrap()).unwrap();
        for (number, life) in world.lives.iter().enumerate() {
            if life.log.len() > EVENTS_MAX {
                continue;
            }
            match told(&checks::file_of(life)) {
                Ok((text, events)) => {
                    retold(&text, &events).unwrap_or_else(|why| panic!("{stem}: {why}\n{text}"));
                    told_well += 1;
                }
                // After a restart somebody may name what was there before it only, which cannot be
                // told alone.
                Err(why) => {
                    let is_expected =
                        why.ends_with(" was never created") || why.ends_with(" was never opened");
                    assert!(number > 0 && is_expected, "{stem}: {why}");
                    untold += 1;
                }
            }
        }
    }
    assert!(told_well > 80 && untold < told_well / 20, "{told_well} told, {untold} not");
}

/// Every kind of event that the stories may not have, with all that is hard to write in a line.
const HARD: &str = r#"# Everything hard
Words that look like something else, and texts that cannot stand as they are.

dana starts the server on port 4711
dana connects claude
dana connects eve with the token of claude
dana connects all-agents
dana adds shop for agents as "Orders: \"all\" of them, for t9 with love" read-only
dana adds depot
dana renames depot: "The depot\u003a main, for all" for agents as "a for agents as b"
dana changes depot: connection elsewhere
dana changes depot: connection depot
dana changes depot: context "none"
dana changes depot: context public
dana changes depot: context none
dana changes depot: unavailable
dana changes depot: available
dana changes depot: password
dana changes depot: read-only
dana changes depot: writable
dana shares depot with claude: read_write
dana shares main.orders of shop with all agents: read
claude begins a session, with the label "it\u0027s, with key \u0022k1\u0022\n\u0007: a \\ label, each answered"
clock 1s
claude queries depot
    SELECT 'a' FROM main.orders JOIN nowhere
    
      WHERE x = 'two  spaces'
claude queries depot, with key k1
    SELECT 2
claude queries depot
    \text "\\text is a text \r\n\twith \"everything\" \u0000 \u2028 "
    \no tables
claude queries depot
    SELECT * FROM "main"."or ders" x
    \table ["main","or ders"]
    \column ["main","or ders","na\"me"]
claude describes a table of depot
    \table ["ma in","o.r"]
claude cancels r1, with the token of nobody
claude reads a table of depot
    SELECT id FROM main.orders WHERE id = 1
    \table ["main","orders"]
claude reads a table of depot, refused by the text: second_statement
    \text ""
claude requests depot, as a write of main.orders, of all rows
    delete from main.orders
    \write "DELETE FROM main.orders WHERE TRUE"
claude queries depot, with its text verified under sg1, with the token of nobody, with key k9
    SELECT 3
dana denies r1: "no: \"never\", saying for t1 of g1 with tears"
dana allows r2 for the session: full_sql
depot answers 12 bytes: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff, main.orders is object 7 for t1
clock 3m
dana opens notes.sql for agents as "Plan\u003a A": "one two three four five"
dana shares notes.sql with claude: ask
claude reads bytes 4 to 11 of notes.sql
claude reads bytes 4 to 11 of notes.sql, as it was in v7
dana edits notes.sql: "six seven eight nine"
dana reverts notes.sql: "one two three four five"
dana takes back g1
dana ends s1
dana closes notes.sql
clock 4m without the alarm
alarm rings early
dana stops all
dana ends s9
dana removes nothing
dana revokes eve
expect waiting t2
"#;

#[test]
fn what_is_hard_to_write_is_written_so_that_it_comes_back() {
    // It is longer than a story that somebody writes may be.
    let long = HARD.replacen("\n\n", "\nrecorded: 1 events\n\n", 1);
    let mut story = story::parse(&long).unwrap();
    story.recorded = None;
    let (_, world) = transcript::play(&story).unwrap();
    let (text, events) = told(&checks::file_of(&world.lives[0])).unwrap();
    assert!(events.len() > 45);
    retold(&text, &events).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert!(text.contains(" with the token of claude\n") && text.contains("\\text \""), "{text}");
}

#[test]
fn a_recording_whose_beginning_is_gone_is_no_story() {
    let (_, world) =
        transcript::play(&story::load("requests/a_read_query_from_hello_to_rows").unwrap())
            .unwrap();
    let mut recorder = Recorder::new(Bounds { events: 4, bytes: recorder::BYTES_MAX });
    let mut state = State::default();
    for envelope in &world.lives[0].log {
        let step = reduce(&state, envelope);
        recorder.record(&state, envelope, &step);
        state = step.state;
    }
    let why = told(&recorder.recording().text()).unwrap_err();
    assert!(why.contains("does not begin with the start of the program"), "{why}");
}

#[test]
fn what_the_language_cannot_say_is_an_error_that_names_it() {
    let (_, world) =
        transcript::play(&story::load("requests/a_read_query_from_hello_to_rows").unwrap())
            .unwrap();
    let log = &world.lives[0].log;
    let mut teller = Teller::new();
    // The connection is never heard of.
    let mut state = State::default();
    let mut why = None;
    for envelope in log.iter().filter(|envelope| !is_client(envelope)) {
        let step = reduce(&state, envelope);
        let next = step.state.clone();
        let before = std::mem::replace(&mut state, next);
        let occurrence = Occurrence { before, envelope: envelope.clone(), step };
        why = why.or(teller.take(&occurrence).err());
    }
    let why = why.unwrap().to_string();
    assert!(why.contains("the connection c1 was never created"), "{why}");
}

fn is_client(envelope: &Envelope) -> bool {
    matches!(envelope.event, dbeast::events::Event::Client(_))
}
