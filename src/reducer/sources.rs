//! Sources: absent → present → removed. Each configuration has its own generation, and nothing that
//! was granted carries over to another one (contract, "Idempotency and freshness").

use super::activity::{self, About};
use super::limits::SOURCES_MAX;
use super::state::{Source, remove_where};
use super::{Answer, Next, Refusal, requests, server};
use crate::events::{SourceEvent, SourceLocation};
use crate::ids::SourceId;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &SourceEvent) -> Result<Answer, Refusal> {
    match event {
        SourceEvent::Added { source, name, alias, location } => {
            add(next, source, name, alias.as_ref(), location)
        }
        SourceEvent::Removed { source } => remove(next, source),
    }
}

fn add(
    next: &mut Next,
    id: &SourceId,
    name: &Arc<str>,
    alias: Option<&Arc<str>>,
    location: &SourceLocation,
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
        generation: counters.source_generation,
        added_at: next.now,
    };
    next.state.sources.insert(id.clone(), source);
    activity::note(next, "source_added", About { source: Some(id), ..About::default() });
    server::save_sources(next);
    Ok(Answer::Done)
}

/// An alias that says nothing about the database but its engine, and that no other source has.
fn generic_alias(next: &mut Next, location: &SourceLocation) -> Arc<str> {
    loop {
        let counters = &mut next.state.counters;
        counters.alias = counters.alias.saturating_add(1);
        let number = counters.alias;
        let alias: Arc<str> = Arc::from(format!("{} source {number}", location.engine().title()));
        let is_taken = next.state.sources.values().any(|source| source.alias == alias);
        if !is_taken || number == u64::MAX {
            return alias;
        }
    }
}

fn remove(next: &mut Next, id: &SourceId) -> Result<Answer, Refusal> {
    if !next.state.sources.contains_key(id) {
        return Err(Refusal::Unknown);
    }
    requests::revoke_where(next, |request| request.source == *id);
    activity::note(next, "source_removed", About { source: Some(id), ..About::default() });
    remove_where(&mut next.state.sharing, |(source, _), _| source == id);
    next.state.sources.remove(id);
    server::save_sources(next);
    server::save_vault(next);
    Ok(Answer::Done)
}
