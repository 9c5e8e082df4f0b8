//! What changed between two states, in words: one line per thing, before -> after.

use super::words;
use crate::reducer::State;
use crate::reducer::state::{Request, Session, Source, Task};
use crate::time::Millis;
use crate::value::ReadLock;
use std::collections::BTreeMap;

/// A thing's place in the state, and how it reads there.
type Picture = BTreeMap<String, String>;

/// The changed things, in one order, with times as distances from a start.
#[must_use]
pub fn between(before: &State, after: &State, start: Millis) -> Vec<String> {
    let (old, new) = (picture(before, start), picture(after, start));
    let mut lines = Vec::new();
    let places: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for place in places {
        let (was, is) = (old.get(place), new.get(place));
        if was != is {
            let absent = "-".to_owned();
            let (was, is) = (was.unwrap_or(&absent), is.unwrap_or(&absent));
            lines.push(format!("{place:<18} {was} -> {is}"));
        }
    }
    let fresh =
        after.activity.entries().into_iter().filter(|entry| entry.entry > before.counters.entry);
    for entry in fresh {
        let about = entry.request.as_ref().map(ToString::to_string);
        let about = about.or_else(|| entry.session.as_ref().map(ToString::to_string));
        let detail = entry.detail.as_ref().map(|detail| format!("({detail})"));
        let words: Vec<String> = about.into_iter().chain(detail).collect();
        lines.push(
            format!("{:<18} {} {}", "+activity", entry.kind.word(), words.join(" "))
                .trim_end()
                .to_owned(),
        );
    }
    lines
}

/// Counts of everything, for the end of a transcript and for steps with many events.
#[must_use]
pub fn counts(state: &State) -> String {
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for request in state.requests.values() {
        *by_status.entry(request.status.word()).or_default() += 1;
    }
    let by_status: Vec<String> =
        by_status.iter().map(|(word, number)| format!("{number} {word}")).collect();
    let requests = if by_status.is_empty() {
        state.requests.len().to_string()
    } else {
        format!("{} ({})", state.requests.len(), by_status.join(", "))
    };
    format!(
        "clients {}, sessions {}, sources {}, sharing {}, grants {}, requests {requests}, keys {}, tombstones {}, tasks {}, activity {}",
        state.clients.len(),
        state.sessions.len(),
        state.sources.len(),
        state.sharing.len(),
        state.grants.len(),
        state.keys_used(),
        state.tombstones(),
        state.tasks.len(),
        state.activity.len(),
    )
}

fn picture(state: &State, start: Millis) -> Picture {
    let mut picture = Picture::new();
    if state.server.port.is_some() {
        picture.insert("server".to_owned(), format!("open {}", state.server.generation));
    }
    for id in state.clients.keys() {
        picture.insert(format!("clients.{id}"), "live".to_owned());
    }
    for (id, entry) in &state.sessions {
        picture.insert(format!("sessions.{id}"), session(entry, start));
    }
    for (id, source) in &state.sources {
        picture.insert(format!("sources.{id}"), source_words(source));
    }
    for ((source, audience), share) in &state.sharing {
        let whom = words::audience(audience).replace(' ', "_");
        let place = format!("sharing.{source}.{whom}");
        for (table, level) in &share.tables {
            picture.insert(format!("{place}.{table}"), level.word().to_owned());
        }
        picture.insert(place, share.level.word().to_owned());
    }
    for (file, document) in &state.documents {
        let words = format!("\"{}\" {}", document.alias, document.version);
        picture.insert(format!("documents.{file}"), words);
    }
    for (file, audience) in &state.shared_documents {
        let whom = words::audience(audience).replace(' ', "_");
        picture.insert(format!("sharing.{file}.{whom}"), "ask".to_owned());
    }
    for (id, grant) in &state.grants {
        picture.insert(
            format!("grants.{id}"),
            format!("{} {}", grant.session, words::scope(&grant.scope)),
        );
    }
    for (id, entry) in &state.requests {
        picture.insert(format!("requests.{id}"), request(entry));
    }
    for (session, entry) in &state.sessions {
        for (key, reservation) in &entry.keys {
            picture.insert(format!("keys.{session}.{key}"), reservation.request.to_string());
        }
    }
    for (id, tombstone) in state.sessions.values().flat_map(|session| &session.tombstones) {
        let words = words::status_and_problem(tombstone.status, tombstone.problem.as_ref());
        picture.insert(format!("tombstones.{id}"), words);
    }
    for (id, entry) in &state.tasks {
        picture.insert(format!("tasks.{id}"), task(entry));
    }
    for notice in &state.notices {
        picture.insert(format!("notices.{}", notice.code()), "up".to_owned());
    }
    picture
}

fn source_words(source: &Source) -> String {
    let mut words = format!("\"{}\" {}", source.alias, source.generation);
    if source.is_read_only {
        words.push_str(" read-only");
    }
    if source.read_lock == ReadLock::Weak {
        words.push_str(" weak lock");
    }
    if !source.is_available {
        words.push_str(" unavailable");
    }
    words
}

fn session(session: &Session, start: Millis) -> String {
    format!("until {}", words::offset(session.ends_at(), start))
}

fn request(request: &Request) -> String {
    let mut words = words::status_and_problem(request.status, request.problem.as_ref());
    if let Some(why) = request.authorisation {
        words.extend([" [", why.word(), "]"]);
    }
    if let Some(estimate) = &request.estimate {
        words.push_str(", estimated ");
        words.push_str(&super::words::estimate_words(estimate));
    }
    if let Some(body) = &request.result {
        words.push_str(", ");
        words.push_str(&words::result(body));
    }
    words
}

fn task(task: &Task) -> String {
    let state = match (task.is_cancelling, task.is_sent) {
        (true, false) => "told to stop",
        (true, true) => "told to stop, after it was sent",
        (false, true) => "sent, works",
        (false, false) => "works",
    };
    format!("{state} for {}", task.request)
}
