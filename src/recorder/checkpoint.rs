//! The state at the beginning of a segment: the only form in which a state is ever written or read.
//!
//! It is stripped of all payloads when it is taken, so that no data lives on in the recorder after
//! what permitted it has ended. What is stripped still compares equal.

use crate::events::Notice;
use crate::ids::{ClientId, GrantId, RequestId, RequestKey, SessionId, SourceId, TaskId};
use crate::reducer::{State, invariants, state as part};
use crate::time::Millis;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A state without payloads.
#[derive(Clone, Debug)]
pub(super) struct Base(State);

impl Base {
    /// Takes the state as it is. Shares everything with it but the requests that had a payload.
    pub(super) fn of(state: &State) -> Self {
        let mut state = state.clone();
        let with_result = |(id, request): (&RequestId, &part::Request)| {
            request.result.as_ref().map(|_| id.clone())
        };
        let stripped: Vec<RequestId> = state.requests.iter().filter_map(with_result).collect();
        for id in stripped {
            if let Some(request) = state.requests.get_mut(&id) {
                request.result = request.result.as_ref().map(crate::events::ResultBody::withheld);
            }
        }
        Self(state)
    }

    /// The state from which the events go on.
    pub(super) const fn state(&self) -> &State {
        &self.0
    }
}

/// The written form.
#[derive(Serialize, Deserialize)]
struct Form {
    seq: u64,
    now: Millis,
    server: part::Server,
    clients: Vec<(ClientId, part::Client)>,
    sessions: Vec<(SessionId, part::Session)>,
    sources: Vec<(SourceId, part::Source)>,
    sharing: Vec<((SourceId, crate::events::Audience), crate::events::Level)>,
    grants: Vec<(GrantId, part::Grant)>,
    requests: Vec<(RequestId, part::Request)>,
    keys: Vec<((SessionId, RequestKey), part::Reservation)>,
    tombstones: Vec<(RequestId, part::Tombstone)>,
    tasks: Vec<(TaskId, part::Task)>,
    activity: Vec<EntryForm>,
    notices: Vec<Notice>,
    alarm: Option<Millis>,
    counters: part::Counters,
}

/// An entry of the activity list. Its static words are looked up again when it is read.
#[derive(Serialize, Deserialize)]
struct EntryForm {
    entry: u64,
    at: Millis,
    event: String,
    client_label: Option<Arc<str>>,
    session: Option<SessionId>,
    session_label: Option<Arc<str>>,
    request: Option<RequestId>,
    source_name: Option<Arc<str>>,
    source_alias: Option<Arc<str>>,
    operation: Option<String>,
    status: Option<part::Status>,
    sql: Option<Arc<str>>,
    authorisation: Option<part::Authorisation>,
    detail: Option<Arc<str>>,
}

/// The static words of the activity list. A test plays all stories to see that none is missing.
const WORDS: &[&str] = &[
    "all_stopped",
    "client_created",
    "client_revoked",
    "request_allowed",
    "request_cancelled",
    "request_completed",
    "request_denied",
    "request_expired",
    "request_failed",
    "request_revoked",
    "request_started",
    "request_submitted",
    "server_started",
    "server_stopped",
    "session_began",
    "session_ended",
    "sharing_set",
    "source_added",
    "source_removed",
    "statement_refused",
    "list_tables",
    "describe_table",
    "read_table",
    "query_sql",
];

fn word(text: &str) -> Result<&'static str, String> {
    let known = WORDS.iter().find(|word| **word == text);
    known.copied().ok_or_else(|| format!("`{text}` is no word of the activity list"))
}

impl From<&part::Entry> for EntryForm {
    fn from(entry: &part::Entry) -> Self {
        let part::Entry {
            entry,
            at,
            event,
            client_label,
            session,
            session_label,
            request,
            source_name,
            source_alias,
            operation,
            status,
            sql,
            authorisation,
            detail,
        } = entry.clone();
        Self {
            entry,
            at,
            event: event.to_owned(),
            client_label,
            session,
            session_label,
            request,
            source_name,
            source_alias,
            operation: operation.map(str::to_owned),
            status,
            sql,
            authorisation,
            detail,
        }
    }
}

impl EntryForm {
    fn read(self) -> Result<part::Entry, String> {
        Ok(part::Entry {
            entry: self.entry,
            at: self.at,
            event: word(&self.event)?,
            client_label: self.client_label,
            session: self.session,
            session_label: self.session_label,
            request: self.request,
            source_name: self.source_name,
            source_alias: self.source_alias,
            operation: self.operation.as_deref().map(word).transpose()?,
            status: self.status,
            sql: self.sql,
            authorisation: self.authorisation,
            detail: self.detail,
        })
    }
}

impl Serialize for Base {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let State {
            seq,
            now,
            server,
            clients,
            sessions,
            sources,
            sharing,
            grants,
            requests,
            keys,
            tombstones,
            tasks,
            activity,
            notices,
            alarm,
            counters,
        } = self.0.clone();
        let form = Form {
            seq,
            now,
            server,
            clients: clients.into_iter().collect(),
            sessions: sessions.into_iter().collect(),
            sources: sources.into_iter().collect(),
            sharing: sharing.into_iter().collect(),
            grants: grants.into_iter().collect(),
            requests: requests.into_iter().collect(),
            keys: keys.into_iter().collect(),
            tombstones: tombstones.into_iter().collect(),
            tasks: tasks.into_iter().collect(),
            activity: activity.iter().map(EntryForm::from).collect(),
            notices: notices.into_iter().collect(),
            alarm,
            counters,
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Base {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        let activity: Result<_, String> = form.activity.into_iter().map(EntryForm::read).collect();
        let state = State {
            seq: form.seq,
            now: form.now,
            server: form.server,
            clients: form.clients.into_iter().collect(),
            sessions: form.sessions.into_iter().collect(),
            sources: form.sources.into_iter().collect(),
            sharing: form.sharing.into_iter().collect(),
            grants: form.grants.into_iter().collect(),
            requests: form.requests.into_iter().collect(),
            keys: form.keys.into_iter().collect(),
            tombstones: form.tombstones.into_iter().collect(),
            tasks: form.tasks.into_iter().collect(),
            activity: activity.map_err(serde::de::Error::custom)?,
            notices: form.notices.into_iter().collect(),
            alarm: form.alarm,
            counters: form.counters,
        };
        let broken = invariants::broken(&state, &state);
        if broken.is_empty() {
            Ok(Self(state))
        } else {
            let ids = broken.join(", ");
            Err(serde::de::Error::custom(format!("it is no state of DBeast: {ids} does not hold")))
        }
    }
}
