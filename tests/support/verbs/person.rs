//! `dana …`: the person.

use super::super::Told;
use super::super::world::{World, location, token};
use super::{audience, level, quoted, split};
use dbeast::events::{
    ClientEvent, Event, RequestEvent, ServerEvent, SessionEvent, SharingEvent, SourceEvent,
};
use dbeast::ids::{RequestId, SessionId};
use std::sync::Arc;

pub(super) fn act(world: &mut World, deed: &str) -> Told<()> {
    let (verb, object) = deed.split_once(' ').ok_or("dana does something to something")?;
    let event: Event = match (verb, object) {
        ("starts", "the server") => ServerEvent::Started { port: 54_832 }.into(),
        ("stops", "the server") => ServerEvent::Stopped.into(),
        ("stops", "all") => ServerEvent::AllStopped.into(),
        ("connects", object) => connect(world, object),
        ("revokes", name) => ClientEvent::Revoked { client: world.client_id(name) }.into(),
        ("adds", object) => match object.split_once(' ') {
            Some((number, "databases")) => return add_many(world, number),
            _ => add(world, object)?,
        },
        ("removes", name) => SourceEvent::Removed { source: world.asked_source(name) }.into(),
        ("shares", object) => {
            let (source, rest) = split(object, " with ")?;
            let (whom, word) = split(rest, ": ")?;
            let (audience, level) = (audience(world, whom)?, level(word)?);
            SharingEvent::Set { source: world.asked_source(source), audience, level }.into()
        }
        ("allows", id) => RequestEvent::AllowedOnce { request: RequestId::new(id) }.into(),
        ("denies", object) => {
            let (id, note) = match object.split_once(": ") {
                Some((id, note)) => (id, Some(Arc::from(quoted(note)?))),
                None => (object, None),
            };
            RequestEvent::Denied { request: RequestId::new(id), note }.into()
        }
        ("ends", id) => SessionEvent::Revoked { session: SessionId::new(id) }.into(),
        _ => return Err(format!("dana cannot `{verb}`")),
    };
    world.send(event).map(drop)
}

/// `claude` or `mallory with the token of claude`.
fn connect(world: &mut World, object: &str) -> Event {
    let (name, owner) = object.split_once(" with the token of ").unwrap_or((object, object));
    let client = world.client_id(name);
    let token_hash = token("client", owner);
    ClientEvent::Created { client, label: Arc::from(name), token_hash }.into()
}

/// `shop` or `shop for agents as "Orders"`.
fn add(world: &mut World, object: &str) -> Told<Event> {
    let (name, alias) = match object.split_once(" for agents as ") {
        Some((name, alias)) => (name, Some(Arc::from(quoted(alias)?))),
        None => (object, None),
    };
    let source = world.source_id(name);
    Ok(SourceEvent::Added { source, name: Arc::from(name), alias, location: location(name) }.into())
}

fn add_many(world: &mut World, number: &str) -> Told<()> {
    let number: u32 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    for index in 1..=number {
        let event = add(world, &format!("database{index}"))?;
        world.send(event)?.map_err(|why| why.message().to_owned())?;
    }
    Ok(())
}
