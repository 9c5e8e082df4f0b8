//! Deadlines: what time alone will change, and the one alarm for the earliest of them.
//!
//! Whatever has a deadline enters and leaves the state through here, so that most steps know the
//! earliest deadline without a look at every one (invariant T-4 compares it with all of them).

use super::limits::RETENTION;
use super::state::{Request, Session, State, Task};
use super::{Effect, MayStart, Next};
use crate::ids::{RequestId, SessionId, TaskId};
use crate::time::Millis;
use std::sync::Arc;

/// The earliest deadline, as far as a step knows it.
#[derive(Clone, Copy)]
pub(super) struct Deadlines {
    /// No deadline is earlier.
    earliest: Option<Millis>,
    /// Whether the one that was the earliest is gone, so that only a search finds the next one.
    is_lost: bool,
}

impl Deadlines {
    /// Those of a state between two events: its alarm is set for the earliest.
    pub(super) const fn of(state: &State) -> Self {
        Self { earliest: state.alarm, is_lost: false }
    }

    fn moved(&mut self, from: Option<Millis>, to: Option<Millis>) {
        if from == to {
            return;
        }
        self.is_lost |= from.is_some() && from <= self.earliest;
        self.earliest = match (self.earliest, to) {
            (Some(earliest), Some(to)) => Some(earliest.min(to)),
            (earliest, to) => earliest.or(to),
        };
    }
}

impl Next {
    /// Whether time alone changes nothing at this event.
    pub(super) fn nothing_is_due(&self) -> bool {
        self.state.alarm.is_none_or(|at| at > self.now)
    }

    /// Keeps exactly one alarm outside: for the earliest thing that time alone will change.
    pub(super) fn set_alarm(&mut self) {
        let Deadlines { earliest, is_lost } = self.deadlines;
        let earliest = if is_lost { earliest_of(&self.state) } else { earliest };
        if self.state.alarm != earliest {
            self.state.alarm = earliest;
            self.effects.push(Effect::SetAlarm { at: earliest });
        }
    }

    pub(super) fn insert_request(&mut self, id: RequestId, request: Request) {
        let to = request.deadline();
        let old = self.state.requests.insert(id, Arc::new(request));
        self.deadlines.moved(old.and_then(|request| request.deadline()), to);
    }

    pub(super) fn change_request(&mut self, id: &RequestId, change: impl FnOnce(&mut Request)) {
        if let Some(request) = self.state.requests.get_mut(id) {
            let from = request.deadline();
            change(Arc::make_mut(request));
            self.deadlines.moved(from, request.deadline());
        }
    }

    pub(super) fn remove_request(&mut self, id: &RequestId) -> Option<Arc<Request>> {
        let request = self.state.requests.remove(id)?;
        self.deadlines.moved(request.deadline(), None);
        Some(request)
    }

    pub(super) fn insert_session(&mut self, id: SessionId, session: Session) {
        let to = Some(session.ends_at());
        let old = self.state.sessions.insert(id, Arc::new(session));
        self.deadlines.moved(old.map(|session| session.ends_at()), to);
    }

    pub(super) fn change_session(&mut self, id: &SessionId, change: impl FnOnce(&mut Session)) {
        if let Some(session) = self.state.sessions.get_mut(id) {
            let from = session.ends_at();
            change(Arc::make_mut(session));
            self.deadlines.moved(Some(from), Some(session.ends_at()));
        }
    }

    pub(super) fn remove_session(&mut self, id: &SessionId) {
        if let Some(session) = self.state.sessions.remove(id) {
            self.deadlines.moved(Some(session.ends_at()), None);
        }
    }

    pub(super) fn insert_task(&mut self, id: TaskId, task: Task) {
        let to = task.deadline();
        let old = self.state.tasks.insert(id, task);
        self.deadlines.moved(old.and_then(|task| task.deadline()), to);
    }

    pub(super) fn change_task(&mut self, id: TaskId, change: impl FnOnce(&mut Task)) {
        if let Some(task) = self.state.tasks.get_mut(&id) {
            let from = task.deadline();
            change(task);
            self.deadlines.moved(from, task.deadline());
        }
    }

    pub(super) fn remove_task(&mut self, id: TaskId) -> Option<Task> {
        let task = self.state.tasks.remove(&id)?;
        self.deadlines.moved(task.deadline(), None);
        // A slot is free.
        self.may_start = MayStart::Any;
        Some(task)
    }
}

/// The earliest deadline of everything that has one.
pub(super) fn earliest_of(state: &State) -> Option<Millis> {
    let sessions = state.sessions.values().map(|session| session.ends_at());
    let tasks = state.tasks.values().filter_map(Task::deadline);
    let requests = state.requests.values().filter_map(|request| request.deadline());
    sessions.chain(tasks).chain(requests).min()
}

impl Request {
    /// When time alone changes it: it expires undecided, or it was kept long enough.
    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        match self.finished_at {
            Some(at) => Some(at.plus(RETENTION)),
            None => self.is_waiting().then_some(self.expires_at),
        }
    }
}

impl Task {
    /// When it is told to stop; none once it was.
    #[must_use]
    pub const fn deadline(&self) -> Option<Millis> {
        if self.is_cancelling { None } else { Some(self.deadline_at) }
    }
}
