//! About counts and sizes.

use super::State;
use crate::events::Scope;
use crate::ids::SessionId;
use crate::reducer::limits::{
    ACTIVITY_MAX, ACTIVITY_OF_AGENTS_MAX, DOCUMENTS_MAX, GRANTS_PER_SESSION_MAX,
    KEYS_PER_SESSION_MAX, SHARED_TABLES_IN_ALL_MAX, SHARED_TABLES_MAX, SNAPSHOT_BYTES_MAX,
    SNAPSHOTS_BYTES_MAX, SOURCES_MAX,
};

pub(super) fn activity(_: &State, state: &State) -> bool {
    state.activity.len() <= ACTIVITY_MAX && state.activity.at_will.len() <= ACTIVITY_OF_AGENTS_MAX
}

pub(super) fn counts(_: &State, state: &State) -> bool {
    let sizes = || state.documents.values().map(|document| document.text.bytes());
    let tables = || state.sharing.values().map(|share| share.tables.len());
    // One-time ones are of waiting requests, which have a limit of their own (G-1, R-5).
    let grants = |owner: &SessionId| {
        let own = state.grants.values().filter(|grant| grant.session == *owner);
        own.filter(|grant| grant.scope.kind() != Scope::Once).count()
    };
    state.sources.len() <= SOURCES_MAX
        && state.documents.len() <= DOCUMENTS_MAX
        && sizes().all(|bytes| bytes <= SNAPSHOT_BYTES_MAX)
        && sizes().sum::<u64>() <= SNAPSHOTS_BYTES_MAX
        && tables().all(|number| number <= SHARED_TABLES_MAX)
        && tables().sum::<usize>() <= SHARED_TABLES_IN_ALL_MAX
        && state.sessions.iter().all(|(id, session)| {
            session.keys.len() <= KEYS_PER_SESSION_MAX && grants(id) <= GRANTS_PER_SESSION_MAX
        })
}
