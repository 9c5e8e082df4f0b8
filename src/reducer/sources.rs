//! Sources: absent → present → removed. Each configuration has its own generation, and nothing that
//! was granted carries over to another one (contract, "Idempotency and freshness").

use super::activity::{self, About};
use super::limits::SOURCES_MAX;
use super::state::{EntryKind, Source, remove_where};
use super::{Answer, Next, Refusal, grants, requests, server};
use crate::events::{Audience, SourceChange, SourceEvent, SourceLocation};
use crate::ids::SourceId;
use crate::value::{Engine, ReadLock};
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &SourceEvent) -> Result<Answer, Refusal> {
    match event {
        SourceEvent::Added { source, name, alias, location, is_read_only } => {
            add(next, source, name, alias.as_ref(), location, *is_read_only)
        }
        SourceEvent::Renamed { source, name, alias } => rename(next, source, name, alias),
        SourceEvent::Changed { source, change } => change_source(next, source, change),
        SourceEvent::Removed { source } => remove(next, source),
    }
}

fn add(
    next: &mut Next,
    id: &SourceId,
    name: &Arc<str>,
    alias: Option<&Arc<str>>,
    location: &SourceLocation,
    is_read_only: bool,
) -> Result<Answer, Refusal> {
    if next.state.sources.contains_key(id) {
        return Err(Refusal::IdentifierInUse);
    }
    if next.state.sources.len() >= SOURCES_MAX {
        return Err(Refusal::SourceLimit);
    }
    let alias = alias.cloned().unwrap_or_else(|| generic_alias(next, location));
    let counters = &mut next.state.counters;
    counters.source_generation = counters.source_generation.next();
    let source = Source {
        name: name.clone(),
        alias,
        location: location.clone(),
        context: None,
        generation: counters.source_generation,
        is_available: true,
        is_read_only,
        read_lock: ReadLock::default(),
        added_at: next.now,
    };
    next.state.sources.insert(id.clone(), Arc::new(source));
    activity::note(next, EntryKind::SourceAdded, About { source: Some(id), ..About::default() });
    server::save_sources(next);
    Ok(Answer::Done)
}

/// An alias that says nothing about the database but its engine, and that no other source has.
fn generic_alias(next: &mut Next, location: &SourceLocation) -> Arc<str> {
    loop {
        let counters = &mut next.state.counters;
        counters.source_alias = counters.source_alias.saturating_add(1);
        let number = counters.source_alias;
        let alias: Arc<str> = Arc::from(format!("{} source {number}", location.engine().title()));
        let is_taken = next.state.sources.values().any(|source| source.alias == alias);
        if !is_taken || number == u64::MAX {
            return alias;
        }
    }
}

/// Names are no configuration: what was granted goes on.
fn rename(
    next: &mut Next,
    id: &SourceId,
    name: &Arc<str>,
    alias: &Arc<str>,
) -> Result<Answer, Refusal> {
    let source = next.state.sources.get_mut(id).ok_or(Refusal::Unknown)?;
    if source.name == *name && source.alias == *alias {
        return Ok(Answer::Done);
    }
    let source = Arc::make_mut(source);
    source.name = name.clone();
    source.alias = alias.clone();
    activity::note(next, EntryKind::SourceRenamed, About { source: Some(id), ..About::default() });
    server::save_sources(next);
    Ok(Answer::Done)
}

/// Another configuration under the same identifier. Nothing carries over to it, also when it is the one that it
/// was before.
fn change_source(next: &mut Next, id: &SourceId, change: &SourceChange) -> Result<Answer, Refusal> {
    let before = next.state.sources.get(id).ok_or(Refusal::Unknown)?;
    let mut source = (**before).clone();
    match change {
        SourceChange::Connection { location } => source.location = location.clone(),
        SourceChange::Password => {}
        SourceChange::Context { context } => source.context.clone_from(context),
        SourceChange::Availability { is_available } => source.is_available = *is_available,
        SourceChange::ReadOnly { is_read_only } => source.is_read_only = *is_read_only,
        SourceChange::ReadLock { lock } => source.read_lock = *lock,
    }
    let is_plain = source.context.is_none() && source.read_lock == ReadLock::default();
    if matches!(source.location.engine(), Engine::Mysql | Engine::Mariadb) && !is_plain {
        // What the other engine could be set to does not move along; nothing else gets it.
        if !matches!(change, SourceChange::Connection { .. }) {
            return Err(Refusal::SettingDoesNotFit);
        }
        (source.context, source.read_lock) = (None, ReadLock::default());
    }
    if source == **before && *change != SourceChange::Password {
        return Ok(Answer::Done);
    }
    next.state.counters.source_generation = next.state.counters.source_generation.next();
    source.generation = next.state.counters.source_generation;
    grants::drop_on_source(next, id, &Audience::AllAgents);
    requests::revoke_where(next, |request| request.target.source() == Some(id));
    next.state.sources.insert(id.clone(), Arc::new(source));
    let detail = Some(Arc::from(change.word()));
    let about = About { source: Some(id), detail, ..About::default() };
    activity::note(next, EntryKind::SourceChanged, about);
    server::save_sources(next);
    Ok(Answer::Done)
}

fn remove(next: &mut Next, id: &SourceId) -> Result<Answer, Refusal> {
    if !next.state.sources.contains_key(id) {
        return Err(Refusal::Unknown);
    }
    grants::drop_on_source(next, id, &Audience::AllAgents);
    requests::revoke_where(next, |request| request.target.source() == Some(id));
    activity::note(next, EntryKind::SourceRemoved, About { source: Some(id), ..About::default() });
    remove_where(&mut next.state.sharing, |(source, _), _| source == id);
    next.state.sources.remove(id);
    server::save_sources(next);
    server::save_vault(next);
    Ok(Answer::Done)
}
