//! Sessions: begun → ended. An ended session is removed with its requests, grants, keys and results;
//! its tasks keep their slots until they report their end (contract, "Identity and session").

use super::activity::{self, About};
use super::state::{EntryKind, Session, Status};
use super::{Answer, Next, Refusal, grants, requests};
use crate::events::SessionEvent;
use crate::ids::{ClientId, RequestId, SessionId};
use crate::secret::TokenHash;
use std::sync::Arc;

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The agent said so.
    ByAgent,
    /// The same client began another one.
    Replaced,
    /// Nobody used it.
    Idle,
    /// Its time was over.
    TooOld,
    /// The person ended it.
    ByPerson,
    /// The person pressed Stop all.
    AllStopped,
    /// Its connection was revoked.
    ClientRevoked,
    /// The agents' door closed.
    ServerStopped,
}

impl End {
    const fn word(self) -> &'static str {
        match self {
            Self::ByAgent => "ended by the agent",
            Self::Replaced => "replaced by a new session of the same connection",
            Self::Idle => "idle for too long",
            Self::TooOld => "reached its longest time",
            Self::ByPerson => "ended by the person",
            Self::AllStopped => "Stop all",
            Self::ClientRevoked => "its connection was revoked",
            Self::ServerStopped => "the server stopped",
        }
    }

    /// What its open requests become.
    const fn status(self) -> Status {
        match self {
            Self::ByAgent | Self::Replaced => Status::Cancelled,
            Self::Idle | Self::TooOld => Status::Expired,
            Self::ByPerson | Self::AllStopped | Self::ClientRevoked | Self::ServerStopped => {
                Status::Revoked
            }
        }
    }
}

pub(super) fn reduce(next: &mut Next, event: &SessionEvent) -> Result<Answer, Refusal> {
    match event {
        SessionEvent::Began { client, session, token_hash, label } => {
            begin(next, client, session, *token_hash, label.clone())
        }
        SessionEvent::Used { client, session } => touch(next, client, session),
        SessionEvent::Ended { client, token_hash } => {
            let (id, _) = next.state.session_of(client, token_hash, next.now)?;
            let id = id.clone();
            end(next, &id, End::ByAgent);
            Ok(Answer::Done)
        }
        SessionEvent::Revoked { session } => {
            if !next.state.sessions.contains_key(session) {
                return Err(Refusal::Unknown);
            }
            end(next, session, End::ByPerson);
            Ok(Answer::Done)
        }
    }
}

fn begin(
    next: &mut Next,
    client: &ClientId,
    session: &SessionId,
    token_hash: TokenHash,
    label: Option<Arc<str>>,
) -> Result<Answer, Refusal> {
    if next.state.server.port.is_none() {
        return Err(Refusal::ServerStopped);
    }
    if !next.state.clients.contains_key(client) {
        return Err(Refusal::SessionExpired);
    }
    let is_taken = next.state.sessions.contains_key(session)
        || next.state.sessions.values().any(|other| other.token_hash == token_hash);
    if is_taken {
        return Err(Refusal::IdentifierInUse);
    }
    end_of_client(next, client, End::Replaced);
    let fresh = Session {
        client: client.clone(),
        token_hash,
        label,
        began_at: next.now,
        last_used_at: next.now,
        keys: imbl::OrdMap::new(),
        tombstones: imbl::OrdMap::new(),
    };
    next.insert_session(session.clone(), fresh);
    let about = About { client: Some(client), session: Some(session), ..About::default() };
    activity::note(next, EntryKind::SessionBegan, about);
    Ok(Answer::Done)
}

/// Notes that a session was used.
pub(super) fn touch(
    next: &mut Next,
    client: &ClientId,
    session: &SessionId,
) -> Result<Answer, Refusal> {
    let now = next.now;
    let live = next.state.sessions.get(session).filter(|live| live.client == *client);
    if live.ok_or(Refusal::SessionExpired)?.last_used_at != now {
        next.change_session(session, |live| live.last_used_at = now);
    }
    Ok(Answer::Done)
}

/// Ends a session: its requests are closed, then everything of it but its tasks is dropped.
pub(super) fn end(next: &mut Next, id: &SessionId, why: End) {
    let Some(session) = next.state.sessions.get(id).cloned() else { return };
    let open: Vec<RequestId> = next
        .state
        .requests
        .iter()
        .filter(|(_, request)| request.session == *id)
        .map(|(request, _)| request.clone())
        .collect();
    for request in &open {
        requests::close(next, request, why.status());
        next.remove_request(request);
    }
    let about = About {
        client: Some(&session.client),
        session: Some(id),
        detail: Some(Arc::from(why.word())),
        ..About::default()
    };
    activity::note(next, EntryKind::SessionEnded, about);
    grants::drop_of_session(next, id);
    // Its keys and tombstones are in the session itself.
    next.remove_session(id);
}

/// Ends the session of a client, if it has one.
pub(super) fn end_of_client(next: &mut Next, client: &ClientId, why: End) {
    let live: Vec<SessionId> = next
        .state
        .sessions
        .iter()
        .filter(|(_, session)| session.client == *client)
        .map(|(id, _)| id.clone())
        .collect();
    for id in &live {
        end(next, id, why);
    }
}

/// Ends every session.
pub(super) fn end_all(next: &mut Next, why: End) {
    let live: Vec<SessionId> = next.state.sessions.keys().cloned().collect();
    for id in &live {
        end(next, id, why);
    }
}

/// Ends the sessions whose time is over.
pub(super) fn end_overdue(next: &mut Next) {
    let now = next.now;
    let overdue: Vec<(SessionId, End)> = next
        .state
        .sessions
        .iter()
        .filter(|(_, session)| session.ends_at() <= now)
        .map(|(id, session)| {
            let oldest = session.began_at.plus(super::limits::SESSION_LIFETIME);
            (id.clone(), if oldest <= now { End::TooOld } else { End::Idle })
        })
        .collect();
    for (id, why) in &overdue {
        end(next, id, *why);
    }
}
