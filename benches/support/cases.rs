//! The events that are measured one by one, each with the state that it meets.

use super::life::{
    self, Life, Size, client_id, connected, file_id, request_id, shared, source_id, text,
};
use dbeast::events::{
    ClientEvent, DocumentEvent, Envelope, Event, GrantEvent, Level, RequestEvent, Scope,
    ServerEvent, SessionEvent, SourceEvent, TaskEvent,
};
use dbeast::reducer::State;
use std::sync::Arc;

/// One event to be measured, with the state that it meets.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) before: State,
    pub(crate) envelope: Envelope,
    /// The line of a log that holds the envelope.
    pub(crate) line: String,
}

/// Each kind of event that a day of work consists of: legal, on the state that the one before left.
pub(crate) fn cases(size: Size) -> Vec<Case> {
    let mut stage = Stage { life: Life::of(size), cases: Vec::new() };
    stage.agent_asks_and_person_decides();
    stage.agent_writes();
    stage.person_changes_access();
    stage.person_changes_what_there_is();
    stage.cases
}

struct Stage {
    life: Life,
    cases: Vec<Case>,
}

impl Stage {
    fn agent_asks_and_person_decides(&mut self) {
        let first = self.life.requests_made;
        let event = self.life.submitted(0, 0, life::read());
        self.case("submitted", event);
        self.case("allowed once", allowed(first, Scope::Once));
        self.case("session used", self.used());
        self.case("task finished", self.life.finished(self.life.newest_task()));
        self.case("time passed", ServerEvent::TimePassed.into());
        let event = self.life.submitted(0, 0, life::read());
        self.life.send(event);
        let cancelled = RequestEvent::Cancelled {
            client: client_id(0),
            token_hash: self.life.session_token(0),
            request: request_id(first + 1),
        };
        self.case("cancelled", cancelled.into());
        let event = self.life.submitted(0, 0, life::read());
        self.life.send(event);
        let request = request_id(first + 2);
        self.case("denied", RequestEvent::Denied { request, note: None }.into());
        let event = self.life.submitted(0, 0, life::read());
        self.life.send(event);
        self.case("allowed for session", allowed(first + 3, Scope::Source));
        self.life.send(self.life.finished(self.life.newest_task()));
        let event = self.life.submitted(0, 0, life::read());
        self.case("submitted, granted", event);
        self.life.send(self.life.finished(self.life.newest_task()));
    }

    fn agent_writes(&mut self) {
        let first = self.life.requests_made;
        let event = self.life.submitted(0, 0, life::write());
        self.case("write submitted", event);
        self.life.send(allowed(first, Scope::Once));
        let task = self.life.newest_task();
        self.case("ready to send", TaskEvent::ReadyToSend { task }.into());
        self.case("write finished", self.life.finished(task));
    }

    fn person_changes_access(&mut self) {
        let grant = *self.life.state.grants.keys().next_back().unwrap();
        self.case("grant revoked", GrantEvent::Revoked { grant }.into());
        self.case("sharing widened", shared(0, 0, Some(Level::Read)).into());
        self.case("sharing narrowed", shared(0, 0, Some(Level::Ask)).into());
    }

    fn person_changes_what_there_is(&mut self) {
        let name: Arc<str> = Arc::from("Another shop");
        let renamed =
            SourceEvent::Renamed { source: source_id(0), name: name.clone(), alias: name };
        self.case("source renamed", renamed.into());
        let changed = DocumentEvent::Changed { file: file_id(), text: text(2) };
        self.case("document changed", changed.into());
        let ended =
            SessionEvent::Ended { client: client_id(0), token_hash: self.life.session_token(0) };
        self.case("session ended", ended.into());
        let event = self.life.began(0);
        self.case("session began", event);
        self.case("client revoked", ClientEvent::Revoked { client: client_id(0) }.into());
        self.case("client created", connected(0).into());
    }

    fn used(&self) -> Event {
        let session = self.life.session_id(0).unwrap();
        SessionEvent::Used { client: client_id(0), session }.into()
    }

    /// An event that is legal, kept with the state before it.
    fn case(&mut self, name: &'static str, event: Event) {
        let before = self.life.state.clone();
        let envelope = self.life.send(event);
        let line = serde_json::to_string(&envelope).unwrap();
        let read: Envelope = serde_json::from_str(&line).unwrap();
        assert_eq!(read, envelope, "what is parsed is what is reduced");
        self.cases.push(Case { name, before, envelope, line });
    }
}

fn allowed(number: usize, scope: Scope) -> Event {
    RequestEvent::Allowed { request: request_id(number), scope }.into()
}
