//! `expect …`: the one or two points of a story. Everything else is left to the transcript.

use super::super::Told;
use super::super::world::World;
use dbeast::ids::RequestId;
use dbeast::reducer::Effect;
use dbeast::reducer::state::Entry;
use dbeast::transcript::{Occurrence, names, words};
use std::sync::Arc;

fn told(effect: &Effect) -> String {
    words::effect(effect, words::START)
}

pub(super) fn check(world: &World, wish: &str) -> Told<()> {
    if let Some(what) = wish.strip_prefix("refused: ") {
        return same(&refusal(world)?, what);
    }
    if let Some(what) = wish.strip_prefix("answer: ") {
        return same(&answer(world)?, what);
    }
    if let Some(what) = wish.strip_prefix("seen: ") {
        return same(world.seen.as_deref().ok_or("nobody looked at anything")?, what);
    }
    if let Some(what) = wish.strip_prefix("noted: ") {
        let entries = world.state.activity.entries();
        let last = entries.last().ok_or("nothing was noted")?;
        return same(&noted(last), what);
    }
    if let Some(what) = wish.strip_prefix("started: ") {
        return same(&started(world), what);
    }
    if let Some(what) = wish.strip_prefix("effect: ") {
        let all: Vec<String> = effects(world).map(told).collect();
        let is_there = all.iter().any(|effect| effect == what);
        return if is_there { Ok(()) } else { same(&all.join("; "), what) };
    }
    if wish == "no effect" {
        return same(&effects(world).map(told).collect::<Vec<_>>().join("; "), "");
    }
    if let Some(number) = wish.strip_prefix("slots taken: ") {
        return same(&world.state.tasks.len().to_string(), number);
    }
    if let Some(counted) = wish.strip_prefix("count of ") {
        return count(world, counted);
    }
    if let Some(tasks) = wish.strip_prefix("waiting ") {
        let all: Vec<String> = world.outstanding.keys().map(ToString::to_string).collect();
        return same(&all.join(", "), tasks);
    }
    let (id, status) = super::split(wish, " is ")?;
    same(&status_of(world, id), status)
}

/// `count of clients: 16`
fn count(world: &World, wish: &str) -> Told<()> {
    let (what, number) = super::split(wish, ": ")?;
    let state = &world.state;
    let counted = match what {
        "clients" => state.clients.len(),
        "sessions" => state.sessions.len(),
        "sources" => state.sources.len(),
        "grants" => state.grants.len(),
        "requests" => state.requests.len(),
        "keys" => state.keys_used(),
        "documents" => state.documents.len(),
        "tombstones" => state.tombstones(),
        "activity" => state.activity.len(),
        "notices" => state.notices.len(),
        _ => return Err(format!("`{what}` cannot be counted")),
    };
    same(&counted.to_string(), number)
}

/// Everything that the newest entry of the activity list holds, in one order; what is absent is left out.
fn noted(entry: &Entry) -> String {
    let quoted = |text: &Option<Arc<str>>| text.as_ref().map(|text| format!("\"{text}\""));
    let parts = [
        ("", Some(entry.kind.word().to_owned())),
        ("of ", quoted(&entry.client_label)),
        ("in ", entry.session.as_ref().map(ToString::to_string)),
        ("called ", quoted(&entry.session_label)),
        ("about ", entry.request.as_ref().map(ToString::to_string)),
        ("on ", quoted(&entry.resource_name)),
        ("as ", quoted(&entry.resource_alias)),
        ("by ", entry.tool.map(|tool| tool.word().to_owned())),
        ("now ", entry.status.map(|status| status.word().to_owned())),
        ("sql ", quoted(&entry.sql)),
        ("because ", entry.authorisation.map(|why| why.word().to_owned())),
        ("for ", entry.scope.map(|scope| scope.word().to_owned())),
        ("detail ", quoted(&entry.detail)),
        ("driver ", entry.cause.as_ref().map(|cause| format!("{} bytes", cause.bytes()))),
    ];
    let words = parts.into_iter().filter_map(|(word, part)| Some(format!("{word}{}", part?)));
    words.collect::<Vec<_>>().join(" ")
}

fn last(world: &World) -> Told<&Occurrence> {
    world.occurrences.last().ok_or_else(|| "nothing happened before".to_owned())
}

fn refusal(world: &World) -> Told<String> {
    match &last(world)?.step.answer {
        Err(why) => Ok(words::refusal(why)),
        Ok(_) => Err("it was not refused".to_owned()),
    }
}

fn answer(world: &World) -> Told<String> {
    match &last(world)?.step.answer {
        Ok(answer) => Ok(words::answer(answer)),
        Err(why) => Err(format!("it was refused: {}", words::refusal(why))),
    }
}

fn effects(world: &World) -> impl Iterator<Item = &Effect> {
    world.occurrences.iter().flat_map(|occurrence| &occurrence.step.effects)
}

fn started(world: &World) -> String {
    let started = effects(world).filter_map(|effect| match effect {
        Effect::RunTask { request, .. } | Effect::ReadDocument { request, .. } => {
            Some(request.to_string())
        }
        Effect::CancelTask { .. }
        | Effect::Estimate { .. }
        | Effect::SendStatement { .. }
        | Effect::SetAlarm { .. }
        | Effect::SaveVault { .. }
        | Effect::SaveSources { .. } => None,
    });
    let started: Vec<String> = started.collect();
    if started.is_empty() { "nothing".to_owned() } else { started.join(", ") }
}

fn status_of(world: &World, id: &str) -> String {
    let id = RequestId::new(id);
    let state = &world.state;
    let kept = state.requests.get(&id).map(|request| request.status);
    let buried = state.sessions.values().find_map(|session| session.tombstones.get(&id));
    let buried = buried.map(|tombstone| tombstone.status);
    match kept.or(buried) {
        Some(status) => names::status(&status).replace("status ", ""),
        None => "gone".to_owned(),
    }
}

fn same(is: &str, wish: &str) -> Told<()> {
    if is == wish { Ok(()) } else { Err(format!("expected `{wish}`, but it is `{is}`")) }
}
