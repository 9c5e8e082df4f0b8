//! About grants.

use super::State;
use crate::ids::RequestId;
use crate::reducer::access::Asked;
use crate::reducer::state::{Authorisation, GrantScope, Request, Status};
use std::collections::BTreeSet;

pub(super) fn once_is_for_one_waiting_request(_: &State, state: &State) -> bool {
    let covered: Vec<&RequestId> = once(state).collect();
    let distinct: BTreeSet<&RequestId> = covered.iter().copied().collect();
    let allowed = state.requests.iter().filter(|(_, request)| {
        request.status == Status::Pending && request.authorisation == Some(Authorisation::Once)
    });
    distinct.len() == covered.len() && allowed.map(|(id, _)| id).eq(distinct)
}

pub(super) fn nothing_starts_without(before: &State, after: &State) -> bool {
    after.requests.iter().all(|(id, request)| {
        let was_running = before
            .requests
            .get(id)
            .is_some_and(|old| old.order == request.order && old.status == Status::Running);
        let starts = request.status == Status::Running && !was_running;
        !starts || is_authorised(before, after, id, request)
    })
}

fn is_authorised(before: &State, after: &State, id: &RequestId, request: &Request) -> bool {
    let has_grant = |state: &State| once(state).any(|covered| covered == id);
    match request.authorisation {
        Some(Authorisation::Once) => {
            let was_given_now = after.counters.grant > before.counters.grant;
            (has_grant(before) || was_given_now) && !has_grant(after)
        }
        Some(Authorisation::SessionGrant | Authorisation::SharedAccess) => {
            after.standing(Asked::from(request)).is_some()
        }
        None => false,
    }
}

pub(super) fn one_per_scope(_: &State, state: &State) -> bool {
    let grants: Vec<_> = state.grants.values().collect();
    grants.iter().enumerate().all(|(index, grant)| {
        grants
            .iter()
            .skip(index + 1)
            .all(|other| grant.session != other.session || !grant.scope.is_same_scope(&other.scope))
    })
}

pub(super) fn stand_on_what_is_there(_: &State, state: &State) -> bool {
    state.grants.values().all(|grant| {
        let Some(session) = state.sessions.get(&grant.session) else { return false };
        match &grant.scope {
            GrantScope::Once { request } => state.requests.contains_key(request),
            GrantScope::Table { source, generation, .. }
            | GrantScope::Source { source, generation }
            | GrantScope::FullSql { source, generation } => {
                let known = state.sources.get(source);
                known.is_some_and(|known| known.generation == *generation)
                    && state.level_of(&session.client, source).is_some()
            }
            GrantScope::Document { file, .. } => state.document_of(&session.client, file).is_some(),
        }
    })
}

pub(super) fn identity_stays(before: &State, after: &State) -> bool {
    before.grants.iter().all(|(id, old)| match (&old.scope, after.grants.get(id)) {
        (GrantScope::Table { identity: Some(_), .. }, Some(new)) => new.scope == old.scope,
        (_, _) => true,
    })
}

fn once(state: &State) -> impl Iterator<Item = &RequestId> {
    state.grants.values().filter_map(|grant| match &grant.scope {
        GrantScope::Once { request } => Some(request),
        GrantScope::Table { .. }
        | GrantScope::Source { .. }
        | GrantScope::FullSql { .. }
        | GrantScope::Document { .. } => None,
    })
}
