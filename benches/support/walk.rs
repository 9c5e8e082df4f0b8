//! A long life: agents that ask, poll and begin again, a person who decides, databases that answer.

use super::life::{Life, Size, client_id, file_id, read, shared, source_id, text, write};
use dbeast::events::{
    DocumentEvent, Envelope, Event, GrantEvent, Level, RequestEvent, Scope, ServerEvent,
    SessionEvent, SourceEvent, TaskEvent,
};
use dbeast::ids::RequestId;
use std::sync::Arc;

/// Makes one event after the other, each from the state that the one before left.
#[derive(Clone)]
pub(crate) struct Walk {
    pub(crate) life: Life,
    size: Size,
    dice: u64,
}

impl Walk {
    /// A walk that goes on from a life of this size.
    pub(crate) fn from(life: Life, size: Size) -> Self {
        Self { life, size, dice: 0x9E37_79B9_7F4A_7C15 }
    }

    /// The next event, which is folded in. A few are refused, as they are in the program: two
    /// agents can be one too many.
    pub(crate) fn step(&mut self) -> Envelope {
        // About five events in a second, so that finished requests are buried by their time as well.
        self.life.now += self.roll(400);
        let alarm = self.life.state.alarm.map_or(u64::MAX, |at| at.0);
        let event =
            if self.life.now >= alarm { ServerEvent::TimePassed.into() } else { self.choose() };
        let envelope = self.life.next(event);
        self.life.fold(&envelope);
        envelope
    }

    fn roll(&mut self, sides: usize) -> u64 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % u64::try_from(sides).unwrap()
    }

    fn pick(&mut self, sides: usize) -> usize {
        usize::try_from(self.roll(sides)).unwrap()
    }

    /// In a hundred events: 25 questions, as many decisions and ends, polls, and little else.
    fn choose(&mut self) -> Event {
        let client = self.pick(self.size.clients);
        let Some(session) = self.life.session_id(client) else { return self.life.began(client) };
        let used = SessionEvent::Used { client: client_id(client), session };
        match self.roll(1000) {
            0..250 => self.ask(client),
            250..470 => self.decide().unwrap_or(used.into()),
            470..720 => self.answer().unwrap_or(used.into()),
            720..735 => self.cancel(client).unwrap_or(used.into()),
            735..740 => self.life.began(client),
            740..750 => self.share(client),
            750..753 => self.rename(),
            753..756 => DocumentEvent::Changed { file: file_id(), text: self.text() }.into(),
            756..760 => self.take_back().unwrap_or(used.into()),
            _ => used.into(),
        }
    }

    fn ask(&mut self, client: usize) -> Event {
        let session = self.life.session_id(client).unwrap();
        let session = self.life.state.sessions.get(&session).unwrap();
        if session.keys.len() == dbeast::reducer::limits::KEYS_PER_SESSION_MAX {
            return self.life.began(client);
        }
        let source = self.pick(self.size.sources);
        let what = if self.roll(10) == 0 { write() } else { read() };
        self.life.submitted(client, source, what)
    }

    fn decide(&mut self) -> Option<Event> {
        let waiting = self.life.state.requests.iter();
        let waiting = waiting.filter(|(_, one)| one.is_waiting() && one.authorisation.is_none());
        let waiting: Vec<RequestId> = waiting.map(|(id, _)| id.clone()).collect();
        let request = waiting.get(self.pick(waiting.len().max(1)))?.clone();
        Some(match self.roll(20) {
            0..4 => RequestEvent::Denied { request, note: None }.into(),
            4 => RequestEvent::Allowed { request, scope: Scope::Source }.into(),
            _ => RequestEvent::Allowed { request, scope: Scope::Once }.into(),
        })
    }

    fn answer(&mut self) -> Option<Event> {
        let at = self.pick(self.life.state.tasks.len().max(1));
        let (task, holder) = self.life.state.tasks.iter().nth(at)?;
        if holder.may_write && !holder.is_sent && !holder.is_cancelling {
            return Some(TaskEvent::ReadyToSend { task: *task }.into());
        }
        Some(self.life.finished(*task))
    }

    fn cancel(&mut self, client: usize) -> Option<Event> {
        let own = client_id(client);
        let requests = &self.life.state.requests;
        let (request, _) =
            requests.iter().find(|(_, one)| one.client == own && !one.status.is_final())?;
        let token_hash = self.life.session_token(client);
        Some(RequestEvent::Cancelled { client: own, token_hash, request: request.clone() }.into())
    }

    fn share(&mut self, client: usize) -> Event {
        let level = if self.roll(2) == 0 { Level::Ask } else { Level::Read };
        shared(self.pick(self.size.sources), client, Some(level)).into()
    }

    fn rename(&mut self) -> Event {
        let name: Arc<str> = Arc::from(format!("Shop {}", self.roll(1000)));
        let source = source_id(self.pick(self.size.sources));
        SourceEvent::Renamed { source, name: name.clone(), alias: name }.into()
    }

    fn text(&mut self) -> dbeast::events::WithheldText {
        text(u8::try_from(self.roll(200)).unwrap())
    }

    fn take_back(&mut self) -> Option<Event> {
        let grant = *self.life.state.grants.keys().next()?;
        Some(GrantEvent::Revoked { grant }.into())
    }
}
