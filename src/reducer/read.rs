//! What an agent may read, as pure functions over a published state: no queue, no lock. They check
//! session, source, permission and time at the moment of reading.

use super::limits::RETENTION;
use super::refusal::Refusal;
use super::state::{Document, Problem, Request, Source, State, Status};
use crate::events::{ArgumentsDigest, Level, ResultBody, TableLevel};
use crate::ids::{ClientId, FileId, RequestId, RequestKey, SourceId};
use crate::secret::TokenHash;
use crate::time::Millis;
use crate::value::TableName;
use std::collections::BTreeMap;

/// How soon to ask again while a person decides, in milliseconds.
pub const POLL_DECISION_MS: u64 = 1_000;
/// How soon to ask again while the database works, in milliseconds.
pub const POLL_WORK_MS: u64 = 200;

/// One source as an agent sees it: nothing of its name, place or account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogEntry<'a> {
    /// Opaque identifier.
    pub source: &'a SourceId,
    /// The source; only its alias and engine may leave.
    pub details: &'a Source,
    /// Standing access of this client.
    pub level: Level,
    /// Tables with a level of their own.
    pub tables: BTreeMap<TableName, TableLevel>,
}

/// One request as its own agent sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<'a> {
    /// Where it is in its life.
    pub status: Status,
    /// Its result, while it may be handed over.
    pub result: Option<&'a ResultBody>,
    /// Why it has none.
    pub problem: Option<&'a Problem>,
    /// When to ask again; none when nothing will change.
    pub poll_after_ms: Option<u64>,
}

/// The sources shared with a client, in the order of their identifiers.
#[must_use]
pub fn catalog<'a>(state: &'a State, client: &ClientId) -> Vec<CatalogEntry<'a>> {
    state
        .sources
        .iter()
        .filter_map(|(source, details)| {
            let level = state.level_of(client, source)?;
            let tables = state.shared_tables_of(client, source);
            Some(CatalogEntry { source, details, level, tables })
        })
        .collect()
}

/// The documents shared with a client, in the order of their identifiers. Only alias, kind and version
/// may leave.
#[must_use]
pub fn documents<'a>(state: &'a State, client: &ClientId) -> Vec<(&'a FileId, &'a Document)> {
    let shared =
        state.documents.iter().filter(|(file, _)| state.document_of(client, file).is_some());
    shared.map(|(file, document)| (file, &**document)).collect()
}

/// One shared source. Unknown and unshared ones are the same nothing.
#[must_use]
pub fn source<'a>(state: &'a State, client: &ClientId, id: &SourceId) -> Option<&'a Source> {
    state.level_of(client, id).and_then(|_| state.sources.get(id)).map(|source| &**source)
}

/// What a request key was used for in the caller's own session: nothing yet, or a request; another
/// intent under the same key is a conflict. The key decides before anything else, so that the same
/// intent finds its request also after its source was taken away (contract, "Idempotency").
pub fn reserved<'a>(
    state: &'a State,
    client: &ClientId,
    token_hash: &TokenHash,
    key: &RequestKey,
    digest: &ArgumentsDigest,
    now: Millis,
) -> Result<Option<&'a RequestId>, Refusal> {
    let (_, session) = state.session_of(client, token_hash, now)?;
    match session.keys.get(key) {
        Some(used) if used.digest == *digest => Ok(Some(&used.request)),
        Some(_) => Err(Refusal::RequestConflict),
        None => Ok(None),
    }
}

/// One request of the caller's own session. Unknown and foreign ones are the same refusal.
pub fn request<'a>(
    state: &'a State,
    client: &ClientId,
    token_hash: &TokenHash,
    id: &RequestId,
    now: Millis,
) -> Result<Reading<'a>, Refusal> {
    let (own, session) = state.session_of(client, token_hash, now)?;
    if let Some(request) = state.requests.get(id).filter(|request| request.session == *own) {
        return Ok(read_request(state, request, now));
    }
    let tombstone = session.tombstones.get(id).ok_or(Refusal::ResourceUnavailable)?;
    Ok(Reading {
        status: tombstone.status,
        result: None,
        problem: tombstone.problem.as_ref(),
        poll_after_ms: None,
    })
}

/// The stored status is right as of the last event; this is what holds now.
fn read_request<'a>(state: &State, request: &'a Request, now: Millis) -> Reading<'a> {
    let kept = request.finished_at.is_none_or(|at| at.plus(RETENTION) > now);
    let without_result =
        |status, problem| Reading { status, result: None, problem, poll_after_ms: None };
    match request.status {
        Status::Pending if request.expires_at <= now => {
            without_result(Status::Expired, Some(&Problem::DecisionExpired))
        }
        Status::Pending => Reading {
            poll_after_ms: Some(match request.authorisation {
                None => POLL_DECISION_MS,
                Some(_) => POLL_WORK_MS,
            }),
            ..without_result(Status::Pending, None)
        },
        Status::Running => {
            Reading { poll_after_ms: Some(POLL_WORK_MS), ..without_result(Status::Running, None) }
        }
        Status::Completed if !kept => without_result(Status::ResultExpired, None),
        Status::Completed if !state.covers(request) && request.operation.may_write() => {
            without_result(Status::CompletedResultRevoked, Some(&Problem::ResultRevoked))
        }
        Status::Completed if !state.covers(request) => {
            without_result(Status::Revoked, Some(&Problem::Revoked))
        }
        Status::Completed => {
            Reading { result: request.result.as_ref(), ..without_result(Status::Completed, None) }
        }
        status @ (Status::Failed
        | Status::Denied
        | Status::Cancelled
        | Status::Expired
        | Status::Revoked
        | Status::OutcomeUnknown
        | Status::CompletedResultRevoked
        | Status::ResultExpired) => without_result(status, request.problem.as_ref()),
    }
}
