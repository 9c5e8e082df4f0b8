//! About connections, sessions and what is shared with them.

use super::State;
use crate::events::Audience;
use crate::reducer::limits::{CLIENTS_MAX, SESSIONS_MAX};
use std::collections::BTreeSet;

pub(super) fn tokens_are_of_one_client(_: &State, state: &State) -> bool {
    let clients: Vec<_> = state.clients.values().collect();
    clients.len() <= CLIENTS_MAX
        && clients.iter().enumerate().all(|(index, client)| {
            clients.iter().skip(index + 1).all(|other| other.token_hash != client.token_hash)
        })
}

pub(super) fn each_client_has_one(_: &State, state: &State) -> bool {
    let owners: BTreeSet<_> = state.sessions.values().map(|session| &session.client).collect();
    state.sessions.len() == owners.len()
        && owners.into_iter().all(|owner| state.clients.contains_key(owner))
        && state.sessions.len() <= SESSIONS_MAX
}

pub(super) fn none_outlives_its_time(_: &State, state: &State) -> bool {
    state.sessions.is_empty()
        || state.server.port.is_some()
            && state.sessions.values().all(|session| session.ends_at() > state.now)
}

pub(super) fn a_new_one_is_empty(before: &State, after: &State) -> bool {
    after.sessions.iter().all(|(id, session)| {
        let old = before.sessions.get(id);
        let is_the_same = old.is_some_and(|old| {
            old.client == session.client
                && old.token_hash == session.token_hash
                && old.began_at == session.began_at
        });
        is_the_same
            || session.began_at == after.now
                && session.keys.is_empty()
                && session.tombstones.is_empty()
                && after.requests.values().all(|request| request.session != *id)
                && after.grants.values().all(|grant| grant.session != *id)
    })
}

pub(super) fn sharing_is_about_what_exists(_: &State, state: &State) -> bool {
    let is_known = |audience: &Audience| match audience {
        Audience::AllAgents => true,
        Audience::Client(client) => state.clients.contains_key(client),
    };
    state
        .sharing
        .keys()
        .all(|(source, audience)| state.sources.contains_key(source) && is_known(audience))
        && state
            .shared_documents
            .iter()
            .all(|(file, audience)| state.documents.contains_key(file) && is_known(audience))
}
