//! What changed between two states, in words: one line per thing, before -> after.

use super::words;
use crate::reducer::State;
use crate::reducer::state::{Request, Session, Task};
use crate::time::Millis;
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
    let fresh = after.activity.iter().filter(|entry| entry.entry > before.counters.entry);
    for entry in fresh {
        let about = entry.request.as_ref().map(ToString::to_string);
        let about = about.or_else(|| entry.session.as_ref().map(ToString::to_string));
        let detail = entry.detail.as_ref().map(|detail| format!("({detail})"));
        let words: Vec<String> = about.into_iter().chain(detail).collect();
        lines.push(
            format!("{:<18} {} {}", "+activity", entry.event, words.join(" "))
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
        state.keys.len(),
        state.tombstones.len(),
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
        picture
            .insert(format!("sources.{id}"), format!("\"{}\" {}", source.alias, source.generation));
    }
    for ((source, audience), level) in &state.sharing {
        let whom = words::audience(audience).replace(' ', "_");
        picture.insert(format!("sharing.{source}.{whom}"), level.word().to_owned());
    }
    for (id, grant) in &state.grants {
        picture.insert(format!("grants.{id}"), format!("for {}", grant.request));
    }
    for (id, entry) in &state.requests {
        picture.insert(format!("requests.{id}"), request(entry));
    }
    for ((session, key), reservation) in &state.keys {
        picture.insert(format!("keys.{session}.{key}"), reservation.request.to_string());
    }
    for (id, tombstone) in &state.tombstones {
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

fn session(session: &Session, start: Millis) -> String {
    format!("until {}", words::offset(session.ends_at(), start))
}

fn request(request: &Request) -> String {
    let mut words = words::status_and_problem(request.status, request.problem.as_ref());
    if let Some(why) = request.authorisation {
        words.extend([" [", why.word(), "]"]);
    }
    if let Some(body) = &request.result {
        words.push_str(", ");
        words.push_str(&words::result(body));
    }
    words
}

fn task(task: &Task) -> String {
    let state = if task.is_cancelling { "told to stop" } else { "works" };
    format!("{state} for {}", task.request)
}
