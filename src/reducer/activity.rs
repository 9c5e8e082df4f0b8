//! The activity list: what happened, for the person. Bounded, in memory, without results or tokens
//! (contract, "Results and errors": the UI log).

use super::Next;
use super::limits::{ACTIVITY_MAX, ACTIVITY_OF_AGENTS_MAX};
use super::state::{Authorisation, Entry, EntryKind, Request, Status};
use crate::events::{Operation, Scope, WithheldText};
use crate::ids::{ClientId, FileId, RequestId, SessionId, SourceId};
use std::sync::Arc;

/// What an entry is about. Everything else is looked up when the entry is made, so that it still
/// reads well after the thing itself is gone.
#[derive(Default)]
pub(super) struct About<'a> {
    pub client: Option<&'a ClientId>,
    pub session: Option<&'a SessionId>,
    pub source: Option<&'a SourceId>,
    pub document: Option<&'a FileId>,
    pub request: Option<&'a RequestId>,
    pub operation: Option<&'a Operation>,
    pub sql: Option<&'a Arc<str>>,
    pub status: Option<Status>,
    pub authorisation: Option<Authorisation>,
    pub scope: Option<Scope>,
    pub detail: Option<Arc<str>>,
    pub cause: Option<WithheldText>,
}

/// Adds an entry and drops the oldest above the limit.
pub(super) fn note(next: &mut Next, kind: EntryKind, about: About<'_>) {
    let state = &mut next.state;
    state.counters.entry = state.counters.entry.saturating_add(1);
    let session = about.session.and_then(|id| state.sessions.get(id));
    let source = about.source.and_then(|id| state.sources.get(id));
    let document = about.document.and_then(|id| state.documents.get(id));
    let names = source
        .map(|source| (source.name.clone(), source.alias.clone()))
        .or_else(|| document.map(|document| (document.name.clone(), document.alias.clone())));
    let (resource_name, resource_alias) = names.unzip();
    let entry = Arc::new(Entry {
        entry: state.counters.entry,
        at: next.now,
        kind,
        client_label: about
            .client
            .and_then(|id| state.clients.get(id))
            .map(|client| client.label.clone()),
        session: about.session.cloned(),
        session_label: session.and_then(|session| session.label.clone()),
        request: about.request.cloned(),
        resource_name,
        resource_alias,
        tool: about.operation.map(Operation::tool),
        status: about.status,
        sql: about.sql.cloned(),
        authorisation: about.authorisation,
        scope: about.scope,
        detail: about.detail,
        cause: about.cause,
    });
    keep(next, entry);
}

fn keep(next: &mut Next, entry: Arc<Entry>) {
    let activity = &mut next.state.activity;
    if is_at_will(&entry) {
        activity.at_will.push(entry);
        if activity.at_will.len() > ACTIVITY_OF_AGENTS_MAX {
            activity.at_will.drop_oldest();
        }
    } else {
        activity.of_record.push(entry);
    }
    if activity.len() > ACTIVITY_MAX {
        let oldest = |entry: Option<&Arc<Entry>>| entry.map_or(u64::MAX, |entry| entry.entry);
        if oldest(activity.at_will.oldest()) < oldest(activity.of_record.oldest()) {
            activity.at_will.drop_oldest();
        } else {
            activity.of_record.drop_oldest();
        }
    }
}

/// Whether an agent can make entries of this kind without a key, a slot or the person.
fn is_at_will(entry: &Entry) -> bool {
    let never_ran = entry.authorisation.is_none();
    match entry.kind {
        EntryKind::SessionBegan | EntryKind::SessionEnded | EntryKind::StatementRefused => true,
        EntryKind::RequestSubmitted | EntryKind::RequestCancelled | EntryKind::RequestExpired => {
            never_ran
        }
        EntryKind::ClientCreated
        | EntryKind::ClientRevoked
        | EntryKind::SourceAdded
        | EntryKind::SourceRenamed
        | EntryKind::SourceChanged
        | EntryKind::SourceRemoved
        | EntryKind::DocumentShared
        | EntryKind::DocumentReverted
        | EntryKind::DocumentClosed
        | EntryKind::SharingSet
        | EntryKind::GrantRevoked
        | EntryKind::GrantEnded
        | EntryKind::RequestAllowed
        | EntryKind::RequestStarted
        | EntryKind::RequestCompleted
        | EntryKind::RequestFailed
        | EntryKind::RequestDenied
        | EntryKind::RequestRevoked
        | EntryKind::RequestOutcomeUnknown
        | EntryKind::StatementEnded
        | EntryKind::ServerStarted
        | EntryKind::ServerStopped
        | EntryKind::AllStopped => false,
    }
}

/// Adds an entry about a request as it is now.
pub(super) fn note_request(next: &mut Next, kind: EntryKind, id: &RequestId) {
    note_request_with(next, kind, id, |_| {});
}

/// Adds an entry about a request as it is now, with more to it.
pub(super) fn note_request_with(
    next: &mut Next,
    kind: EntryKind,
    id: &RequestId,
    with: impl FnOnce(&mut About<'_>),
) {
    let Some(request) = next.state.requests.get(id).cloned() else { return };
    let mut about = About { request: Some(id), ..About::from(&*request) };
    with(&mut about);
    note(next, kind, about);
}

impl<'a> From<&'a Request> for About<'a> {
    fn from(request: &'a Request) -> Self {
        Self {
            client: Some(&request.client),
            session: Some(&request.session),
            source: request.target.source(),
            document: request.target.file(),
            operation: Some(&request.operation),
            sql: request.sql(),
            status: Some(request.status),
            authorisation: request.authorisation,
            ..Self::default()
        }
    }
}
