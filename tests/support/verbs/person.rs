//! `dana …`: the person.

use super::super::Told;
use super::super::world::{World, location, on_server, token};
use super::{audience, document, level, quoted, split, table_level, table_name};
use dbeast::events::{
    ClientEvent, DocumentEvent, DocumentKind, Event, GrantEvent, RequestEvent, Scope, ServerEvent,
    SessionEvent, SharingEvent, SourceChange, SourceEvent,
};
use dbeast::ids::{FileId, GrantId, RequestId, SessionId};
use dbeast::value::ReadLock;
use std::sync::Arc;

pub(super) fn act(world: &mut World, deed: &str) -> Told<()> {
    let (verb, object) = deed.split_once(' ').ok_or("dana does something to something")?;
    let event: Event = match (verb, object) {
        ("starts", "the server") => ServerEvent::Started { port: 54_832 }.into(),
        ("starts", object) => {
            let port =
                object.strip_prefix("the server on port ").ok_or("dana starts the server")?;
            let port = port.parse().map_err(|_| format!("`{port}` is no port"))?;
            ServerEvent::Started { port }.into()
        }
        ("stops", "the server") => ServerEvent::Stopped.into(),
        ("stops", "all") => ServerEvent::AllStopped.into(),
        ("connects", object) => connect(world, object),
        ("revokes", name) => ClientEvent::Revoked { client: world.client_id(name) }.into(),
        ("adds", object) => match object.split_once(' ') {
            Some((number, "databases")) => return add_many(world, number),
            _ => add(world, object)?,
        },
        ("removes", name) => SourceEvent::Removed { source: world.asked_source(name) }.into(),
        ("renames", object) => rename(world, object)?,
        ("changes", object) => change(world, object)?,
        ("shares", object) => match object.split_once(" tables of ") {
            Some((number, rest)) => return share_many(world, number, rest),
            None => share(world, object)?,
        },
        ("opens", object) => match object.split_once(" documents: ") {
            Some((number, size)) => return open_many(world, number, size),
            None => open(world, object)?,
        },
        ("edits", object) => {
            let (name, words) = split(object, ": ")?;
            DocumentEvent::Changed { file: file(world, name), text: document::text(world, words)? }
                .into()
        }
        ("reverts", object) => {
            let (name, words) = split(object, ": ")?;
            DocumentEvent::Reverted { file: file(world, name), text: document::text(world, words)? }
                .into()
        }
        ("closes", name) => DocumentEvent::Closed { file: file(world, name) }.into(),
        ("allows", object) => allow(object)?,
        ("takes", object) => {
            let number =
                object.strip_prefix("back g").ok_or("dana takes back a grant, such as g1")?;
            let number = number.parse().map_err(|_| format!("`g{number}` is no grant"))?;
            GrantEvent::Revoked { grant: GrantId(number) }.into()
        }
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

/// `shop`, `shop on PostgreSQL` (or MySQL, MariaDB), `shop read-only` or `shop for agents as "Orders"`.
fn add(world: &mut World, object: &str) -> Told<Event> {
    let (object, is_read_only) = match object.strip_suffix(" read-only") {
        Some(object) => (object, true),
        None => (object, false),
    };
    let (name, alias) = match object.split_once(" for agents as ") {
        Some((name, alias)) => (name, Some(Arc::from(quoted(alias)?))),
        None => (object, None),
    };
    let location = location(name);
    let (name, _) = on_server(name);
    let source = world.source_id(name);
    let name = Arc::from(name);
    Ok(SourceEvent::Added { source, name, alias, location, is_read_only }.into())
}

/// `shop: "Sales" for agents as "Orders"`.
fn rename(world: &World, object: &str) -> Told<Event> {
    let (name, rest) = split(object, ": ")?;
    let (new, alias) = split(rest, " for agents as ")?;
    let source = world.asked_source(name);
    let (name, alias) = (Arc::from(quoted(new)?), Arc::from(quoted(alias)?));
    Ok(SourceEvent::Renamed { source, name, alias }.into())
}

/// `shop: password`, `shop: connection elsewhere`, …
fn change(world: &World, object: &str) -> Told<Event> {
    let (name, what) = split(object, ": ")?;
    let change = match what.split_once(' ') {
        Some(("connection", place)) => SourceChange::Connection { location: location(place) },
        Some(("context", "none")) => SourceChange::Context { context: None },
        Some(("context", words)) if words.starts_with('"') => {
            SourceChange::Context { context: Some(Arc::from(quoted(words)?)) }
        }
        Some(("context", context)) => SourceChange::Context { context: Some(Arc::from(context)) },
        _ => match what {
            "password" => SourceChange::Password,
            "available" => SourceChange::Availability { is_available: true },
            "unavailable" => SourceChange::Availability { is_available: false },
            "read-only" => SourceChange::ReadOnly { is_read_only: true },
            "writable" => SourceChange::ReadOnly { is_read_only: false },
            "full read lock" => SourceChange::ReadLock { lock: ReadLock::Full },
            "weak read lock" => SourceChange::ReadLock { lock: ReadLock::Weak },
            _ => return Err(format!("dana cannot change the {what} of a database")),
        },
    };
    Ok(SourceEvent::Changed { source: world.asked_source(name), change }.into())
}

/// `shop with claude: read`, `main.orders of shop with claude: read` or `notes with claude: ask`.
fn share(world: &World, object: &str) -> Told<Event> {
    let (what, rest) = split(object, " with ")?;
    let (whom, word) = split(rest, ": ")?;
    let audience = audience(world, whom)?;
    if let Some((table, source)) = what.split_once(" of ") {
        let (source, table) = (world.asked_source(source), table_name(table)?);
        let level = table_level(word)?;
        return Ok(SharingEvent::TableSet { source, audience, table, level }.into());
    }
    if world.files.contains_key(what) {
        let is_shared = match word {
            "ask" => true,
            "none" => false,
            _ => return Err("a document is shared with `ask` or `none`".to_owned()),
        };
        return Ok(DocumentEvent::Shared { file: file(world, what), audience, is_shared }.into());
    }
    Ok(SharingEvent::Set { source: world.asked_source(what), audience, level: level(word)? }.into())
}

/// `64 tables of shop with claude: read`, or `with each agent`.
fn share_many(world: &mut World, number: &str, rest: &str) -> Told<()> {
    if let Some((source, level)) = rest.split_once(" with each agent: ") {
        for name in world.agents.keys().cloned().collect::<Vec<_>>() {
            share_many(world, number, &format!("{source} with {name}: {level}"))?;
        }
        return Ok(());
    }
    let number: u32 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    for index in 1..=number {
        let event = share(world, &format!("main.table{index} of {rest}"))?;
        world.send(event)?.map_err(|why| why.message().to_owned())?;
    }
    Ok(())
}

/// `notes: "text"`, `notes: 4 MiB` or `notes for agents as "Plan": "text"`.
fn open(world: &mut World, object: &str) -> Told<Event> {
    let (name, words) = split(object, ": ")?;
    let (name, alias) = match name.split_once(" for agents as ") {
        Some((name, alias)) => (name, Some(Arc::from(quoted(alias)?))),
        None => (name, None),
    };
    let is_sql = std::path::Path::new(name).extension().is_some_and(|ending| ending == "sql");
    let kind = if is_sql { DocumentKind::Sql } else { DocumentKind::Text };
    let (file, text) = (world.file_id(name), document::text(world, words)?);
    Ok(DocumentEvent::Opened { file, name: Arc::from(name), alias, kind, text }.into())
}

fn open_many(world: &mut World, number: &str, size: &str) -> Told<()> {
    let number: u32 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    for index in 1..=number {
        let event = open(world, &format!("document{index}: {size}"))?;
        world.send(event)?.map_err(|why| why.message().to_owned())?;
    }
    Ok(())
}

fn file(world: &World, name: &str) -> FileId {
    world.files.get(name).cloned().unwrap_or_else(|| FileId::new(name))
}

/// `r1`, or `r1 for the session: table`.
fn allow(object: &str) -> Told<Event> {
    let (id, scope) = match object.split_once(" for the session: ") {
        Some((id, word)) => {
            let scope = Scope::ALL.into_iter().find(|scope| scope.word() == word);
            (id, scope.ok_or_else(|| format!("`{word}` is no scope"))?)
        }
        None => (object, Scope::Once),
    };
    Ok(RequestEvent::Allowed { request: RequestId::new(id), scope }.into())
}

fn add_many(world: &mut World, number: &str) -> Told<()> {
    let number: u32 = number.parse().map_err(|_| format!("`{number}` is no number"))?;
    for index in 1..=number {
        let event = add(world, &format!("database{index}"))?;
        world.send(event)?.map_err(|why| why.message().to_owned())?;
    }
    Ok(())
}
