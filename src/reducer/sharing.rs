//! Standing access. Narrowing in any way ends what stood on it, even when another entry would still
//! allow it; widening ends nothing (contract, "Resources and permissions").

use super::activity::{self, About};
use super::{Answer, Next, Refusal, requests, server};
use crate::events::{Audience, Level, SharingEvent};
use crate::ids::SourceId;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &SharingEvent) -> Result<Answer, Refusal> {
    match event {
        SharingEvent::Set { source, audience, level } => set(next, source, audience, *level),
    }
}

fn set(
    next: &mut Next,
    source: &SourceId,
    audience: &Audience,
    level: Option<Level>,
) -> Result<Answer, Refusal> {
    let client_is_known = match audience {
        Audience::AllAgents => true,
        Audience::Client(client) => next.state.clients.contains_key(client),
    };
    if !next.state.sources.contains_key(source) || !client_is_known {
        return Err(Refusal::Unknown);
    }
    let key = (source.clone(), audience.clone());
    let before = match level {
        Some(level) => next.state.sharing.insert(key, level),
        None => next.state.sharing.remove(&key),
    };
    if before == level {
        return Ok(Answer::Done);
    }
    note(next, source, audience, level);
    if level < before {
        requests::revoke_where(next, |request| {
            request.source == *source
                && match audience {
                    Audience::AllAgents => true,
                    Audience::Client(client) => request.client == *client,
                }
        });
    }
    server::save_vault(next);
    Ok(Answer::Done)
}

fn note(next: &mut Next, source: &SourceId, audience: &Audience, level: Option<Level>) {
    let client = match audience {
        Audience::AllAgents => None,
        Audience::Client(client) => Some(client),
    };
    let word = match (client, level) {
        (None, None) => "not shared with all agents any more",
        (None, Some(Level::Ask)) => "all agents: ask each time",
        (None, Some(Level::Read)) => "all agents: read without asking",
        (Some(_), None) => "not shared any more",
        (Some(_), Some(Level::Ask)) => "ask each time",
        (Some(_), Some(Level::Read)) => "read without asking",
    };
    let about =
        About { client, source: Some(source), detail: Some(Arc::from(word)), ..About::default() };
    activity::note(next, "sharing_set", about);
}
