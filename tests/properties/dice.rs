//! The dice: rows of numbers, the choices that they make among what is there, and moods that lead to the limits.
//!
//! Every choice takes the next number of a row that `proptest` made, so a history is a list of rows and
//! stays one when some are left out. What happens by them is in `chance.rs`.

use dbeast::events::Audience;
use dbeast::ids::{ClientId, FileId, RequestId, SessionId, SourceId};
use dbeast::reducer::State;
use dbeast::reducer::state::{Session, Status};
use dbeast::secret::TokenHash;
use dbeast::time::Millis;
use dbeast::value::TableName;
use std::sync::Arc;

/// Numbers for one event.
pub(crate) type Row = [u16; 28];

/// What a stretch of a history is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Everything at once.
    Usual,
    /// Many agents ask and nobody decides.
    Crowd,
    /// One agent asks, over and over.
    Keys,
    /// The person allows for sessions.
    Grants,
    /// The person adds databases.
    Sources,
    /// The person opens documents.
    Documents,
    /// The person shares table after table.
    Tables,
}

/// The moods of a history with their numbers of events, over and over. Some limits take long.
const DAY: &[(Mood, usize)] = &[
    (Mood::Usual, 400),
    (Mood::Crowd, 250),
    (Mood::Usual, 300),
    (Mood::Sources, 250),
    (Mood::Documents, 300),
    (Mood::Tables, 200),
    (Mood::Usual, 200),
    (Mood::Grants, 800),
    (Mood::Usual, 100),
    (Mood::Keys, 1_000),
    (Mood::Usual, 300),
];

impl Mood {
    /// The mood at this place of a history.
    pub(crate) fn at(index: usize) -> Self {
        let day: usize = DAY.iter().map(|(_, length)| length).sum();
        let mut left = index % day;
        for (mood, length) in DAY {
            if left < *length {
                return *mood;
            }
            left -= length;
        }
        Self::Usual
    }

    /// Whether it takes agents at work.
    pub(super) const fn is_busy(self) -> bool {
        matches!(self, Self::Crowd | Self::Keys | Self::Grants)
    }

    /// How many sessions take part.
    pub(super) const fn sessions(self) -> usize {
        match self {
            Self::Keys | Self::Grants => 1,
            Self::Usual | Self::Crowd | Self::Sources | Self::Documents | Self::Tables => 16,
        }
    }
}

/// The numbers of a row, taken one by one.
pub(crate) struct Dice<'a> {
    pub(crate) row: &'a Row,
    pub(crate) taken: usize,
    pub(crate) state: &'a State,
    pub(crate) mood: Mood,
    /// The number of the event: fresh identifiers are made of it.
    pub(crate) fresh: u64,
}

impl Dice<'_> {
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        let number = self.row.get(self.taken).copied().unwrap_or_default();
        self.taken += 1;
        usize::from(number) % sides.max(1)
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }

    pub(super) fn pick<T>(&mut self, from: impl Iterator<Item = T>) -> Option<T> {
        let mut all: Vec<T> = from.collect();
        let chosen = self.roll(all.len());
        if all.is_empty() { None } else { Some(all.swap_remove(chosen)) }
    }

    /// Mostly the same moment or a little later, sometimes exactly at the alarm or a millisecond around
    /// it, rarely far later, once in a while earlier.
    pub(crate) fn later(&mut self, now: Millis) -> Millis {
        let alarm = self.state.alarm.unwrap_or(now);
        if self.mood != Mood::Usual {
            return Millis(now.0 + self.roll(150) as u64);
        }
        match self.roll(400) {
            0..320 => Millis(now.0 + self.roll(1_000) as u64),
            320..326 => Millis(alarm.0.max(now.0)),
            326..330 => Millis(alarm.0.saturating_sub(1).max(now.0)),
            330..334 => Millis(alarm.0.max(now.0) + 1),
            334..388 => now,
            388..392 => Millis(now.0 + self.roll(60_000) as u64),
            392 => Millis(now.0 + self.roll(60_000) as u64 * 180),
            _ => Millis(now.0.saturating_sub(self.roll(10_000) as u64)),
        }
    }

    pub(super) fn client(&mut self) -> ClientId {
        let some = ClientId::new(&format!("c{}", self.roll(20)));
        let state = self.state;
        if self.chance(90) {
            self.pick(state.clients.keys()).cloned().unwrap_or(some)
        } else {
            some
        }
    }

    pub(super) fn session(&mut self) -> SessionId {
        let some = SessionId::new(&format!("s{}", self.roll(2_000)));
        let state = self.state;
        if self.chance(90) {
            self.pick(state.sessions.keys()).cloned().unwrap_or(some)
        } else {
            some
        }
    }

    pub(super) fn source(&mut self) -> SourceId {
        let some = SourceId::new(&format!("src{}", self.roll(200)));
        let state = self.state;
        if !self.chance(92) {
            return some;
        }
        let few = if self.chance(80) { 4 } else { 200 };
        self.pick(state.sources.keys().take(few)).cloned().unwrap_or(some)
    }

    pub(super) fn file(&mut self) -> FileId {
        let some = FileId::new(&format!("f{}", self.roll(200)));
        let state = self.state;
        if self.chance(92) {
            self.pick(state.documents.keys()).cloned().unwrap_or(some)
        } else {
            some
        }
    }

    pub(super) fn request(&mut self) -> RequestId {
        let some = RequestId::new(&format!("r{}", self.roll(3_000)));
        let state = self.state;
        if !self.chance(92) {
            return some;
        }
        let waiting = |status| matches!(status, Status::Pending | Status::Running);
        let open = state.requests.iter().filter(|(_, request)| waiting(request.status));
        match self.roll(3) {
            0 => self.pick(state.requests.keys()).cloned().unwrap_or(some),
            _ => self.pick(open).map(|(id, _)| id.clone()).unwrap_or(some),
        }
    }

    pub(super) fn table(&mut self) -> TableName {
        let tables = if matches!(self.mood, Mood::Tables | Mood::Grants) { 90 } else { 3 };
        let name = format!("t{}", self.roll(tables));
        TableName { schema: "main".to_owned(), name }
    }

    pub(super) fn token(number: u64) -> TokenHash {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        TokenHash::new(digest)
    }

    /// A client and a session token that mostly belong together.
    pub(super) fn caller(&mut self) -> (ClientId, TokenHash) {
        let state = self.state;
        let sessions = state.sessions.values().take(self.mood.sessions());
        let live: Option<&Arc<Session>> = self.pick(sessions);
        let stray = Self::token(self.roll(2_000) as u64);
        match live {
            Some(session) if self.chance(96) => (session.client.clone(), session.token_hash),
            Some(session) if self.chance(50) => (self.client(), session.token_hash),
            Some(_) | None => (self.client(), stray),
        }
    }

    pub(super) fn audience(&mut self) -> Audience {
        if self.chance(35) { Audience::AllAgents } else { Audience::Client(self.client()) }
    }
}
