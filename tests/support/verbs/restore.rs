//! `dbeast restores`: what the program read at its start, one line each.

use super::super::Told;
use super::super::world::{World, location, token};
use super::{length, level, quoted, split, table_level, table_name};
use dbeast::events::{Audience, KeptShare, RestoredClient, RestoredSource, ServerEvent};
use dbeast::time::Millis;
use dbeast::transcript::words::START;
use dbeast::value::ReadLock;
use std::sync::Arc;

pub(super) fn act(world: &mut World, block: &[String]) -> Told<()> {
    let (mut clients, mut sources, mut sharing) = (Vec::new(), Vec::new(), Vec::new());
    for line in block {
        let (kind, words) = split(line, " ")?;
        match kind {
            "connection" => clients.push(client(world, words)?),
            "database" => sources.push(source(world, words)?),
            "sharing" => sharing.push(share(world, words)?),
            _ => return Err(format!("a `{kind}` cannot be restored")),
        }
    }
    world.send(ServerEvent::Restored { clients, sources, sharing }).map(drop)
}

/// `claude made 3h before`, `eve with the token of claude made 3h before`.
fn client(world: &mut World, words: &str) -> Told<RestoredClient> {
    let (words, made) = made(words)?;
    let (name, owner) = words.split_once(" with the token of ").unwrap_or((words, words));
    Ok(RestoredClient {
        client: world.client_id(name),
        label: Arc::from(name),
        token_hash: token("client", owner),
        created_at: made,
    })
}

/// `shop called "Sales" for agents as "Orders" at shop in "main" read-only made 3h before`, where
/// `called`, `in`, `read-only` and `with the weaker lock` need not be there.
fn source(world: &mut World, words: &str) -> Told<RestoredSource> {
    let (words, added_at) = made(words)?;
    let (words, read_lock) = match words.strip_suffix(" with the weaker lock") {
        Some(words) => (words, ReadLock::Weak),
        None => (words, ReadLock::Full),
    };
    let (words, is_read_only) = match words.strip_suffix(" read-only") {
        Some(words) => (words, true),
        None => (words, false),
    };
    let (words, context) = match words.split_once("\" in ").or_else(|| words.split_once(" in ")) {
        Some((words, context)) => (words, Some(Arc::from(quoted(context)?))),
        None => (words, None),
    };
    let (words, place) = words.rsplit_once(" at ").ok_or("a database is at a place")?;
    let (words, alias) = split(words, " for agents as ")?;
    let (name, label) = match words.split_once(" called ") {
        Some((name, label)) => (name, quoted(label)?),
        None => (words, words.to_owned()),
    };
    Ok(RestoredSource {
        source: world.source_id(name),
        name: Arc::from(label),
        alias: Arc::from(quoted(alias)?),
        location: location(place),
        context,
        is_read_only,
        read_lock,
        added_at,
    })
}

/// `shop with claude: read, main.orders read_write`.
fn share(world: &mut World, words: &str) -> Told<KeptShare> {
    let (source, rest) = split(words, " with ")?;
    let (whom, levels) = split(rest, ": ")?;
    let mut levels = levels.split(", ");
    let word = levels.next().unwrap_or_default();
    let level = level(word)?.ok_or("what is restored has a level")?;
    let mut tables = Vec::new();
    for table in levels {
        let (name, word) = split(table, " ")?;
        tables.push((table_name(name)?, table_level(word)?.ok_or("a table has a level")?));
    }
    let audience = match whom {
        "all agents" => Audience::AllAgents,
        name => Audience::Client(world.client_id(name)),
    };
    Ok(KeptShare { source: world.asked_source(source), audience, level, tables })
}

/// `… made 3h before`, counted from the beginning of the story.
fn made(words: &str) -> Told<(&str, Millis)> {
    let (words, when) = words.rsplit_once(" made ").ok_or("it was made at some time")?;
    if let Some(before) = when.strip_suffix(" before") {
        return Ok((words, Millis(START.0 - length(before)?.0)));
    }
    let after = when.strip_suffix(" after").ok_or("it was made before or after the beginning")?;
    Ok((words, START.plus(length(after)?)))
}
