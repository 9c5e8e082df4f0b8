//! Grants: given → used up, replaced, or taken back. A one-time grant covers exactly one request and is used
//! up in the same step in which that request starts; the others cover what their scope says until
//! the session ends, the person takes them back, or what they are about changes (contract, "Resources
//! and permissions", "Approval and execution").

use super::access::only_table;
use super::activity::{self, About};
use super::limits::GRANTS_PER_SESSION_MAX;
use super::state::{Authorisation, EntryKind, Grant, GrantScope, Request, remove_where};
use super::{Answer, Next, Refusal, requests};
use crate::events::{Audience, GrantEvent, Operation, Scope, Target};
use crate::ids::{ClientId, FileId, GrantId, RequestId, SessionId, SourceId};
use crate::value::{ObjectIdentity, TableName};
use std::sync::Arc;

pub(super) fn reduce(next: &mut Next, event: &GrantEvent) -> Result<Answer, Refusal> {
    match event {
        GrantEvent::Revoked { grant } => revoke(next, *grant),
    }
}

/// Whether a decision about a request can have this scope.
pub(super) fn fits(request: &Request, scope: Scope) -> bool {
    let is_sql = matches!(request.operation, Operation::RequestSql { .. });
    match (&request.target, scope) {
        (_, Scope::Once) | (Target::Document { .. }, Scope::Document) => true,
        (Target::Source { .. }, Scope::Table) => only_table(&request.operation).is_some(),
        (Target::Source { .. }, Scope::Source) => !is_sql,
        (Target::Source { .. }, Scope::FullSql) => is_sql,
        (Target::Source { .. }, Scope::Document)
        | (Target::Document { .. }, Scope::Table | Scope::Source | Scope::FullSql) => false,
    }
}

/// What a decision about a request grants, if the scope fits the request at all.
pub(super) fn scope_of(id: &RequestId, request: &Request, scope: Scope) -> Option<GrantScope> {
    if !fits(request, scope) {
        return None;
    }
    match (&request.target, scope) {
        (_, Scope::Once) => Some(GrantScope::Once { request: id.clone() }),
        (Target::Source { source, generation }, Scope::Table) => {
            let (source, generation) = (source.clone(), *generation);
            let table = only_table(&request.operation)?.clone();
            Some(GrantScope::Table { source, generation, table, identity: None })
        }
        (Target::Source { source, generation }, Scope::Source) => {
            Some(GrantScope::Source { source: source.clone(), generation: *generation })
        }
        (Target::Source { source, generation }, Scope::FullSql) => {
            Some(GrantScope::FullSql { source: source.clone(), generation: *generation })
        }
        (Target::Document { file, version }, Scope::Document) => {
            Some(GrantScope::Document { file: file.clone(), version: *version })
        }
        (Target::Source { .. }, Scope::Document)
        | (Target::Document { .. }, Scope::Table | Scope::Source | Scope::FullSql) => None,
    }
}

/// Gives a grant. The same scope again replaces the grant before, so that one revocation takes the whole
/// scope. It knows which table was read under the one before: another one does not slip in between.
pub(super) fn give(
    next: &mut Next,
    session: &SessionId,
    mut scope: GrantScope,
) -> Result<(), Refusal> {
    let own = next.state.grants.iter().filter(|(_, grant)| grant.session == *session);
    let (same, others): (Vec<_>, Vec<_>) =
        own.partition(|(_, grant)| scope.is_same_scope(&grant.scope));
    let others = others.iter().filter(|(_, grant)| grant.scope.kind() != Scope::Once).count();
    if scope.kind() != Scope::Once && others >= GRANTS_PER_SESSION_MAX {
        return Err(Refusal::GrantLimit);
    }
    let replaced: Vec<GrantId> = same.iter().map(|(id, _)| **id).collect();
    if let GrantScope::Table { identity, .. } = &mut scope {
        *identity = same.iter().find_map(|(_, grant)| grant.scope.identity());
    }
    for id in &replaced {
        next.state.grants.remove(id);
    }
    next.state.counters.grant = next.state.counters.grant.next();
    let grant = Grant { session: session.clone(), scope, granted_at: next.now };
    next.state.grants.insert(next.state.counters.grant, Arc::new(grant));
    Ok(())
}

/// Uses up the one-time grant of a request. False if there is none (any more): then nothing may start.
pub(super) fn consume(next: &mut Next, request: &RequestId) -> bool {
    let before = next.state.grants.len();
    drop_once(next, request);
    next.state.grants.len() < before
}

/// Drops the unused one-time grant of a request that will not start.
pub(super) fn drop_once(next: &mut Next, request: &RequestId) {
    drop_where(next, |_, scope| match scope {
        GrantScope::Once { request: covered } => covered == request,
        GrantScope::Table { .. }
        | GrantScope::Source { .. }
        | GrantScope::FullSql { .. }
        | GrantScope::Document { .. } => false,
    });
}

/// Drops every grant of a session.
pub(super) fn drop_of_session(next: &mut Next, session: &SessionId) {
    drop_where(next, |owner, _| owner == session);
}

/// Drops the session grants on a source, for the connections of an audience.
pub(super) fn drop_on_source(next: &mut Next, source: &SourceId, audience: &Audience) {
    let sessions = sessions_of(next, audience);
    drop_where(next, |owner, scope| scope.source() == Some(source) && sessions.contains(owner));
}

/// Drops the session grants on a document, for the connections of an audience.
pub(super) fn drop_on_document(next: &mut Next, file: &FileId, audience: &Audience) {
    let sessions = sessions_of(next, audience);
    drop_where(next, |owner, scope| scope.file() == Some(file) && sessions.contains(owner));
}

fn sessions_of(next: &Next, audience: &Audience) -> Vec<SessionId> {
    let is_hit = |client: &ClientId| audience.holds(client);
    let sessions = next.state.sessions.iter().filter(|(_, session)| is_hit(&session.client));
    sessions.map(|(id, _)| id.clone()).collect()
}

fn drop_where(next: &mut Next, is_hit: impl Fn(&SessionId, &GrantScope) -> bool) {
    remove_where(&mut next.state.grants, |_, grant| is_hit(&grant.session, &grant.scope));
}

/// Takes a grant back: new work on it cannot start, and what stands on nothing else goes with it. A table that
/// was granted in several spellings goes as a whole: to most databases they are one table.
fn revoke(next: &mut Next, id: GrantId) -> Result<Answer, Refusal> {
    let grant = next.state.grants.get(&id).cloned().ok_or(Refusal::Unknown)?;
    note(next, EntryKind::GrantRevoked, &grant);
    next.state.grants.remove(&id);
    let spelt_otherwise: Vec<GrantId> = next
        .state
        .grants
        .iter()
        .filter(|(_, other)| other.session == grant.session)
        .filter(|(_, other)| grant.scope.is_same_table(&other.scope))
        .map(|(id, _)| *id)
        .collect();
    for id in &spelt_otherwise {
        if let Some(other) = next.state.grants.remove(id) {
            note(next, EntryKind::GrantRevoked, &other);
        }
    }
    if let GrantScope::Once { request } = &grant.scope {
        requests::close(next, request, super::state::Status::Revoked);
    }
    revoke_uncovered(next, &grant.session);
    Ok(Answer::Done)
}

/// Revokes what ran on a grant of this session and is not covered by anything any more.
fn revoke_uncovered(next: &mut Next, session: &SessionId) {
    let state = next.state.clone();
    requests::revoke_where(next, |request| {
        request.session == *session
            && request.authorisation == Some(Authorisation::SessionGrant)
            && !state.covers(request)
    });
}

/// Compares every table that was read with the grant for it, whatever the read itself stands on. The first
/// read fixes the identity. A table that is another one, or the granted one of which the driver did
/// not say which it is, ends its grant. False if nothing covers the request after that.
pub(super) fn recognise(
    next: &mut Next,
    request: &Request,
    identities: &[(TableName, ObjectIdentity)],
) -> bool {
    let Some(source) = request.target.source() else { return next.state.covers(request) };
    for (table, seen) in identities {
        let mut grants = next.state.grants.values();
        let grant = grants.find(|grant| is_for_table(grant, &request.session, source, table));
        match grant.map(|grant| grant.scope.identity()) {
            Some(Some(granted)) if granted != *seen => {
                end_table(next, &request.session, source, table);
            }
            Some(None) => pin(next, &request.session, source, table, *seen),
            Some(Some(_)) | None => {}
        }
    }
    if let Some(table) = only_table(&request.operation)
        && identities.iter().all(|(name, _)| name != table)
    {
        end_table(next, &request.session, source, table);
    }
    next.state.covers(request)
}

/// Ends the grant for a table, because the table is another one.
pub(super) fn end_table(
    next: &mut Next,
    session: &SessionId,
    source: &SourceId,
    table: &TableName,
) {
    let is_hit = |grant: &Grant| is_for_table(grant, session, source, table);
    let Some(ended) = next.state.grants.values().find(|grant| is_hit(grant)).cloned() else {
        return;
    };
    note(next, EntryKind::GrantEnded, &ended);
    remove_where(&mut next.state.grants, |_, grant| is_hit(grant));
    revoke_uncovered(next, session);
}

/// Ends the grant for the one table of a request that its driver found to be another one.
pub(super) fn end_of_request(next: &mut Next, request: &Request) {
    if let (Some(source), Some(table)) = (request.target.source(), only_table(&request.operation)) {
        end_table(next, &request.session, source, table);
    }
}

fn pin(
    next: &mut Next,
    session: &SessionId,
    source: &SourceId,
    table: &TableName,
    seen: ObjectIdentity,
) {
    let hit: Vec<GrantId> = next
        .state
        .grants
        .iter()
        .filter(|(_, grant)| is_for_table(grant, session, source, table))
        .map(|(id, _)| *id)
        .collect();
    for id in hit {
        if let Some(grant) = next.state.grants.get_mut(&id)
            && let GrantScope::Table { identity, .. } = &mut Arc::make_mut(grant).scope
        {
            *identity = Some(seen);
        }
    }
}

fn is_for_table(grant: &Grant, session: &SessionId, on: &SourceId, of: &TableName) -> bool {
    match &grant.scope {
        GrantScope::Table { source, table, .. } => {
            grant.session == *session && source == on && table == of
        }
        GrantScope::Once { .. }
        | GrantScope::Source { .. }
        | GrantScope::FullSql { .. }
        | GrantScope::Document { .. } => false,
    }
}

fn note(next: &mut Next, kind: EntryKind, grant: &Grant) {
    let client = next.state.sessions.get(&grant.session).map(|session| session.client.clone());
    let detail = match &grant.scope {
        GrantScope::Table { table, .. } => Some(Arc::from(table.to_string())),
        GrantScope::Once { .. }
        | GrantScope::Source { .. }
        | GrantScope::FullSql { .. }
        | GrantScope::Document { .. } => None,
    };
    let about = About {
        client: client.as_ref(),
        session: Some(&grant.session),
        source: grant.scope.source(),
        document: grant.scope.file(),
        scope: Some(grant.scope.kind()),
        detail,
        ..About::default()
    };
    activity::note(next, kind, about);
}
