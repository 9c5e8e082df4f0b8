//! The state at the beginning of a segment: the only form in which a state is ever written or read.
//!
//! It is stripped of all payloads when it is taken, so that no data lives on in the recorder after
//! what permitted it has ended. What is stripped still compares equal.

use crate::events::{Audience, Excerpt, Notice, Operation, ResultBody, WriteEstimate};
use crate::ids::{ClientId, FileId, GrantId, RequestId, SessionId, SourceId, TaskId};
use crate::reducer::state::{self as part, Activity, Document, Entries, Entry, Request};
use crate::reducer::{State, invariants};
use crate::time::Millis;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A state without payloads.
#[derive(Clone, Debug)]
pub(super) struct Base(State);

impl Base {
    /// Takes the state as it is.
    pub(super) fn of(state: &State) -> Self {
        Self(without_payloads(state))
    }

    /// The state from which the events go on.
    pub(super) const fn state(&self) -> &State {
        &self.0
    }
}

/// The state without results, texts of documents and words of drivers, for whoever keeps it longer than
/// what permitted them may last. It shares everything else with the state and compares equal to it.
#[must_use]
pub fn without_payloads(state: &State) -> State {
    let mut state = state.clone();
    for (id, request) in &state.requests.clone() {
        if has_payload(request) {
            state.requests.insert(id.clone(), Arc::new(without_payload(request)));
        }
    }
    for (id, document) in &state.documents.clone() {
        let document = Document { text: document.text.without_text(), ..(**document).clone() };
        state.documents.insert(id.clone(), Arc::new(document));
    }
    let Activity { of_record, at_will } = &mut state.activity;
    strip_causes(of_record);
    strip_causes(at_will);
    state
}

fn has_payload(request: &Request) -> bool {
    request.result.is_some()
        || request.estimate.is_some()
        || matches!(request.operation, Operation::ReadOpenFile { .. })
}

fn without_payload(request: &Request) -> Request {
    let operation = match &request.operation {
        Operation::ReadOpenFile { excerpt } => {
            let text = excerpt.text.without_text();
            Operation::ReadOpenFile { excerpt: Excerpt { text, ..excerpt.clone() } }
        }
        Operation::ListTables
        | Operation::DescribeTable { .. }
        | Operation::ReadTable { .. }
        | Operation::QuerySql { .. }
        | Operation::RequestSql { .. }
        | Operation::Refused { .. } => request.operation.clone(),
    };
    let result = request.result.as_ref().map(ResultBody::withheld);
    let estimate = request
        .estimate
        .as_ref()
        .map(|estimate| WriteEstimate { rows: estimate.rows, plan: estimate.plan.without_text() });
    Request { operation, result, estimate, ..request.clone() }
}

fn strip_causes(entries: &mut Entries) {
    if entries.iter().any(|entry| entry.cause.is_some()) {
        let stripped = entries.iter().map(|entry| match &entry.cause {
            None => entry.clone(),
            Some(cause) => {
                let cause = Some(cause.without_text());
                Arc::new(Entry { cause, ..(**entry).clone() })
            }
        });
        *entries = stripped.collect();
    }
}

/// The written form.
#[derive(Serialize, Deserialize)]
struct Form {
    seq: u64,
    now: Millis,
    server: part::Server,
    clients: Vec<(ClientId, Arc<part::Client>)>,
    sessions: Vec<(SessionId, Arc<part::Session>)>,
    sources: Vec<(SourceId, Arc<part::Source>)>,
    sharing: Vec<((SourceId, Audience), Arc<part::Share>)>,
    documents: Vec<(FileId, Arc<Document>)>,
    shared_documents: Vec<(FileId, Audience)>,
    grants: Vec<(GrantId, Arc<part::Grant>)>,
    requests: Vec<(RequestId, Arc<Request>)>,
    tasks: Vec<(TaskId, part::Task)>,
    of_record: Vec<Arc<Entry>>,
    at_will: Vec<Arc<Entry>>,
    notices: Vec<Notice>,
    alarm: Option<Millis>,
    counters: part::Counters,
}

impl From<State> for Form {
    fn from(state: State) -> Self {
        let State {
            seq,
            now,
            server,
            clients,
            sessions,
            sources,
            sharing,
            documents,
            shared_documents,
            grants,
            requests,
            tasks,
            activity,
            notices,
            alarm,
            counters,
        } = state;
        Self {
            seq,
            now,
            server,
            clients: clients.into_iter().collect(),
            sessions: sessions.into_iter().collect(),
            sources: sources.into_iter().collect(),
            sharing: sharing.into_iter().collect(),
            documents: documents.into_iter().collect(),
            shared_documents: shared_documents.into_iter().collect(),
            grants: grants.into_iter().collect(),
            requests: requests.into_iter().collect(),
            tasks: tasks.into_iter().collect(),
            of_record: activity.of_record.iter().cloned().collect(),
            at_will: activity.at_will.iter().cloned().collect(),
            notices: notices.into_iter().collect(),
            alarm,
            counters,
        }
    }
}

impl From<Form> for State {
    fn from(form: Form) -> Self {
        Self {
            seq: form.seq,
            now: form.now,
            server: form.server,
            clients: form.clients.into_iter().collect(),
            sessions: form.sessions.into_iter().collect(),
            sources: form.sources.into_iter().collect(),
            sharing: form.sharing.into_iter().collect(),
            documents: form.documents.into_iter().collect(),
            shared_documents: form.shared_documents.into_iter().collect(),
            grants: form.grants.into_iter().collect(),
            requests: form.requests.into_iter().collect(),
            tasks: form.tasks.into_iter().collect(),
            activity: Activity {
                of_record: form.of_record.into_iter().collect(),
                at_will: form.at_will.into_iter().collect(),
            },
            notices: form.notices.into_iter().collect(),
            alarm: form.alarm,
            counters: form.counters,
        }
    }
}

impl Serialize for Base {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Form::from(self.0.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Base {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = State::from(Form::deserialize(deserializer)?);
        let broken = invariants::broken(&state, &state);
        if broken.is_empty() {
            Ok(Self(state))
        } else {
            let ids = broken.join(", ");
            Err(serde::de::Error::custom(format!("it is no state of DBeast: {ids} does not hold")))
        }
    }
}
