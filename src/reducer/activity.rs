//! The activity list: what happened, for the person. Bounded, in memory, without results or tokens
//! (contract, "Results and errors": the UI log).

use super::Next;
use super::limits::{ACTIVITY_MAX, ACTIVITY_OF_AGENTS_MAX};
use super::state::{Authorisation, Entry, Status};
use crate::events::Operation;
use crate::ids::{ClientId, RequestId, SessionId, SourceId};
use std::sync::Arc;

/// What an entry is about. Everything else is looked up when the entry is made, so that it still
/// reads well after the thing itself is gone.
#[derive(Default)]
pub(super) struct About<'a> {
    pub client: Option<&'a ClientId>,
    pub session: Option<&'a SessionId>,
    pub source: Option<&'a SourceId>,
    pub request: Option<&'a RequestId>,
    pub operation: Option<&'a Operation>,
    pub status: Option<Status>,
    pub authorisation: Option<Authorisation>,
    pub detail: Option<Arc<str>>,
}

/// Adds an entry and drops the oldest above the limit.
pub(super) fn note(next: &mut Next, event: &'static str, about: About<'_>) {
    let state = &mut next.state;
    state.counters.entry = state.counters.entry.saturating_add(1);
    let session = about.session.and_then(|id| state.sessions.get(id));
    let source = about.source.and_then(|id| state.sources.get(id));
    let entry = Entry {
        entry: state.counters.entry,
        at: next.now,
        event,
        client_label: about
            .client
            .and_then(|id| state.clients.get(id))
            .map(|client| client.label.clone()),
        session: about.session.cloned(),
        session_label: session.and_then(|session| session.label.clone()),
        request: about.request.cloned(),
        source_name: source.map(|source| source.name.clone()),
        source_alias: source.map(|source| source.alias.clone()),
        operation: about.operation.map(Operation::word),
        status: about.status,
        sql: about.operation.and_then(Operation::sql).cloned(),
        authorisation: about.authorisation,
        detail: about.detail,
    };
    state.activity.push_back(entry);
    let at_will = state.activity.iter().filter(|entry| is_at_will(entry)).count();
    if at_will > ACTIVITY_OF_AGENTS_MAX
        && let Some(oldest) = state.activity.iter().position(is_at_will)
    {
        state.activity.remove(oldest);
    }
    while state.activity.len() > ACTIVITY_MAX {
        state.activity.pop_front();
    }
}

/// Whether an agent can make entries of this kind without a key, a slot or the person.
fn is_at_will(entry: &Entry) -> bool {
    let never_ran = entry.authorisation.is_none();
    match entry.event {
        "session_began" | "session_ended" | "statement_refused" => true,
        "request_submitted" | "request_cancelled" | "request_expired" => never_ran,
        _ => false,
    }
}

/// Adds an entry about a request as it is now.
pub(super) fn note_request(
    next: &mut Next,
    event: &'static str,
    id: &RequestId,
    detail: Option<Arc<str>>,
) {
    let Some(request) = next.state.requests.get(id).cloned() else { return };
    let about = About {
        client: Some(&request.client),
        session: Some(&request.session),
        source: Some(&request.source),
        request: Some(id),
        operation: Some(&request.operation),
        status: Some(request.status),
        authorisation: request.authorisation,
        detail,
    };
    note(next, event, about);
}
