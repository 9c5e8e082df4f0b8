//! The program itself: what is restored, the agents' door, the passing of time, and what is kept.

use super::activity::{self, About};
use super::effect::{SavedClient, kept_shares, saved_clients};
use super::limits::{CLIENTS_MAX, SHARED_TABLES_IN_ALL_MAX, SHARED_TABLES_MAX, SOURCES_MAX};
use super::state::{Client, Counters, EntryKind, Share, Source, State};
use super::{Answer, Effect, Next, Refusal, requests, sessions, tasks};
use crate::events::{Audience, KeptShare, RestoredClient, RestoredSource, ServerEvent};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &ServerEvent) -> Result<Answer, Refusal> {
    match event {
        ServerEvent::Restored { clients, sources, sharing } => {
            restore(next, clients, sources, sharing)
        }
        ServerEvent::Started { port } => {
            sessions::end_all(next, sessions::End::ServerStopped);
            let server = &mut next.state.server;
            server.port = Some(*port);
            server.generation = server.generation.next();
            server.started_at = Some(next.now);
            activity::note(next, EntryKind::ServerStarted, About::default());
            Ok(Answer::Done)
        }
        ServerEvent::Stopped => {
            if next.state.server.port.is_none() {
                return Err(Refusal::ServerStopped);
            }
            sessions::end_all(next, sessions::End::ServerStopped);
            next.state.server.port = None;
            activity::note(next, EntryKind::ServerStopped, About::default());
            Ok(Answer::Done)
        }
        ServerEvent::AllStopped => {
            sessions::end_all(next, sessions::End::AllStopped);
            activity::note(next, EntryKind::AllStopped, About::default());
            Ok(Answer::Done)
        }
        ServerEvent::NoticeRaised { notice } => {
            next.state.notices.insert(*notice);
            Ok(Answer::Done)
        }
        ServerEvent::NoticeCleared { notice } => {
            next.state.notices.remove(notice);
            Ok(Answer::Done)
        }
        ServerEvent::TimePassed => {
            // The alarm rang, perhaps a little early, and is gone: what is still due needs a new one.
            next.state.alarm = None;
            Ok(Answer::Done)
        }
    }
}

fn restore(
    next: &mut Next,
    clients: &[RestoredClient],
    sources: &[RestoredSource],
    sharing: &[KeptShare],
) -> Result<Answer, Refusal> {
    let is_empty = next.state.clients.is_empty() && next.state.sources.is_empty();
    let is_fresh = is_empty && next.state.counters == Counters::default();
    if !is_fresh || next.state.server.generation.0 != 0 {
        return Err(Refusal::NotAtStart);
    }
    if holds_one_twice(clients, sources) {
        return Err(Refusal::IdentifierInUse);
    }
    if clients.len() > CLIENTS_MAX {
        return Err(Refusal::ClientLimit);
    }
    if sources.len() > SOURCES_MAX {
        return Err(Refusal::SourceLimit);
    }
    let tables: usize = sharing.iter().map(|share| share.tables.len()).sum();
    let is_large = |share: &KeptShare| share.tables.len() > SHARED_TABLES_MAX;
    if tables > SHARED_TABLES_IN_ALL_MAX || sharing.iter().any(is_large) {
        return Err(Refusal::SharedTableLimit);
    }
    for saved in clients {
        let client = Client {
            label: saved.label.clone(),
            token_hash: saved.token_hash,
            created_at: saved.created_at,
        };
        next.state.clients.insert(saved.client.clone(), Arc::new(client));
    }
    for saved in sources {
        let counters = &mut next.state.counters;
        counters.source_generation = counters.source_generation.next();
        let source = Source {
            name: saved.name.clone(),
            alias: saved.alias.clone(),
            location: saved.location.clone(),
            context: saved.context.clone(),
            generation: counters.source_generation,
            is_available: true,
            is_read_only: saved.is_read_only,
            read_lock: saved.read_lock,
            added_at: saved.added_at,
        };
        next.state.sources.insert(saved.source.clone(), Arc::new(source));
    }
    for saved in sharing {
        let is_known = match &saved.audience {
            Audience::AllAgents => true,
            Audience::Client(client) => next.state.clients.contains_key(client),
        };
        if is_known && next.state.sources.contains_key(&saved.source) {
            let tables = saved.tables.iter().cloned().collect();
            let share = Arc::new(Share { level: saved.level, tables });
            next.state.sharing.insert((saved.source.clone(), saved.audience.clone()), share);
        }
    }
    Ok(Answer::Done)
}

/// Whether two things have one identifier, or two connections one token.
fn holds_one_twice(clients: &[RestoredClient], sources: &[RestoredSource]) -> bool {
    let client_ids: BTreeSet<_> = clients.iter().map(|saved| &saved.client).collect();
    let source_ids: BTreeSet<_> = sources.iter().map(|saved| &saved.source).collect();
    let shares_token = clients.iter().enumerate().any(|(index, saved)| {
        clients.iter().skip(index + 1).any(|other| other.token_hash == saved.token_hash)
    });
    shares_token || client_ids.len() < clients.len() || source_ids.len() < sources.len()
}

/// Everything that is due at the time of this event happens before the event itself.
pub(super) fn let_time_pass(next: &mut Next) {
    tasks::stop_overdue(next);
    sessions::end_overdue(next);
    requests::let_time_pass(next);
}

/// Asks for the vault to be written: after every change of connections or sharing.
pub(super) fn save_vault(next: &mut Next) {
    let (clients, sharing) = (next.state.clients.clone(), next.state.sharing.clone());
    next.effects.push(Effect::SaveVault { clients, sharing });
}

/// What the vault should hold in this state: connections and sharing, nothing else.
#[must_use]
pub fn kept(state: &State) -> (Vec<SavedClient>, Vec<KeptShare>) {
    (saved_clients(&state.clients), kept_shares(&state.sharing))
}

/// Asks for the configuration file to be written: after every change of the sources.
pub(super) fn save_sources(next: &mut Next) {
    next.effects.push(Effect::SaveSources { sources: next.state.sources.clone() });
}
