//! Standing access. Narrowing in any way ends what stood on it, even when another entry would still
//! allow it; widening ends nothing (contract, "Resources and permissions").

use super::activity::{self, About};
use super::limits::{SHARED_TABLES_IN_ALL_MAX, SHARED_TABLES_MAX};
use super::state::{EntryKind, Share};
use super::{Answer, Next, Refusal, grants, requests, server};
use crate::events::{Audience, Level, SharingEvent, TableLevel};
use crate::ids::SourceId;
use crate::value::TableName;
use imbl::OrdMap;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &SharingEvent) -> Result<Answer, Refusal> {
    match event {
        SharingEvent::Set { source, audience, level } => set(next, source, audience, *level),
        SharingEvent::TableSet { source, audience, table, level } => {
            set_table(next, source, audience, table, *level)
        }
    }
}

fn set(
    next: &mut Next,
    source: &SourceId,
    audience: &Audience,
    level: Option<Level>,
) -> Result<Answer, Refusal> {
    check(next, source, audience, level == Some(Level::ReadWrite))?;
    let key = (source.clone(), audience.clone());
    let entry = next.state.sharing.get(&key);
    let before = entry.map(|share| share.level);
    if before == level {
        return Ok(Answer::Done);
    }
    match level {
        Some(level) => {
            let tables = entry.map_or_else(OrdMap::new, |share| share.tables.clone());
            next.state.sharing.insert(key, Arc::new(Share { level, tables }));
        }
        None => {
            next.state.sharing.remove(&key);
        }
    }
    note(next, source, audience, word(audience, level));
    if level < before {
        narrow(next, source, audience);
    }
    server::save_vault(next);
    Ok(Answer::Done)
}

fn set_table(
    next: &mut Next,
    source: &SourceId,
    audience: &Audience,
    table: &TableName,
    level: Option<TableLevel>,
) -> Result<Answer, Refusal> {
    check(next, source, audience, level == Some(TableLevel::ReadWrite))?;
    let key = (source.clone(), audience.clone());
    let mut share = next.state.sharing.get(&key).cloned().ok_or(Refusal::Unknown)?;
    let before = share.tables.get(table).copied();
    if before == level {
        return Ok(Answer::Done);
    }
    let in_all: usize = next.state.sharing.values().map(|share| share.tables.len()).sum();
    let is_full = share.tables.len() >= SHARED_TABLES_MAX || in_all >= SHARED_TABLES_IN_ALL_MAX;
    if before.is_none() && is_full {
        return Err(Refusal::SharedTableLimit);
    }
    let tables = &mut Arc::make_mut(&mut share).tables;
    match level {
        Some(level) => tables.insert(table.clone(), level),
        None => tables.remove(table),
    };
    next.state.sharing.insert(key, share);
    let level_word = level.map_or("not shared any more", |level| match level {
        TableLevel::Read => "read without asking",
        TableLevel::ReadWrite => "read and write without asking",
    });
    let whom = if *audience == Audience::AllAgents { "all agents: " } else { "" };
    note(next, source, audience, Arc::from(format!("{whom}{table}: {level_word}")));
    if level < before {
        narrow(next, source, audience);
    }
    server::save_vault(next);
    Ok(Answer::Done)
}

/// Whether there is such a source and audience, and the source takes what is wanted.
fn check(
    next: &Next,
    source: &SourceId,
    audience: &Audience,
    wants_write: bool,
) -> Result<(), Refusal> {
    let client_is_known = match audience {
        Audience::AllAgents => true,
        Audience::Client(client) => next.state.clients.contains_key(client),
    };
    let known = next.state.sources.get(source).filter(|_| client_is_known);
    let known = known.ok_or(Refusal::Unknown)?;
    if wants_write && known.is_read_only { Err(Refusal::SourceReadOnly) } else { Ok(()) }
}

/// Ends what the connections of an audience have on a source: grants, work and results.
fn narrow(next: &mut Next, source: &SourceId, audience: &Audience) {
    grants::drop_on_source(next, source, audience);
    requests::revoke_where(next, |request| {
        request.target.source() == Some(source) && audience.holds(&request.client)
    });
}

fn word(audience: &Audience, level: Option<Level>) -> Arc<str> {
    Arc::from(match (audience, level) {
        (Audience::AllAgents, None) => "not shared with all agents any more",
        (Audience::AllAgents, Some(Level::Ask)) => "all agents: ask each time",
        (Audience::AllAgents, Some(Level::Read)) => "all agents: read without asking",
        (Audience::AllAgents, Some(Level::ReadWrite)) => {
            "all agents: read and write without asking"
        }
        (Audience::Client(_), None) => "not shared any more",
        (Audience::Client(_), Some(Level::Ask)) => "ask each time",
        (Audience::Client(_), Some(Level::Read)) => "read without asking",
        (Audience::Client(_), Some(Level::ReadWrite)) => "read and write without asking",
    })
}

fn note(next: &mut Next, source: &SourceId, audience: &Audience, detail: Arc<str>) {
    let client = match audience {
        Audience::AllAgents => None,
        Audience::Client(client) => Some(client),
    };
    let about = About { client, source: Some(source), detail: Some(detail), ..About::default() };
    activity::note(next, EntryKind::SharingSet, about);
}
