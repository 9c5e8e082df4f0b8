//! What the person sees: a snapshot, and a stream that begins with one and goes on with patches.

use super::Inside;
use super::failure::Failure;
use super::gate::Holder;
use crate::recorder;
use crate::reducer::State;
use crate::reducer::diff::{self, ViewDiff};
use crate::reducer::view::{self, View};
use crate::store::Store;
use axum::extract::State as Door;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream::unfold;
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;

/// Streams at the same time: as many as browsers are let in.
pub(super) const STREAMS_MAX: usize = 8;
/// The least time between two messages. Changes in between come in one patch.
const INTERVAL: Duration = Duration::from_millis(50);
/// How often a silent stream says that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// `GET /api/snapshot`.
pub(super) async fn snapshot(Door(inside): Door<Inside>) -> Response {
    let state = inside.door.store.state();
    Json(Snapshot::of(&inside.door.store, &state)).into_response()
}

/// The whole view.
#[derive(Serialize)]
struct Snapshot<'a> {
    revision: u64,
    now_ms: u64,
    view: View<'a>,
}

impl<'a> Snapshot<'a> {
    fn of(store: &Store, state: &'a State) -> Self {
        Self { revision: state.seq, now_ms: store.now().0, view: view::project(state) }
    }
}

/// What changed since the revision that the page has.
#[derive(Serialize)]
struct Update<'a> {
    from_revision: u64,
    revision: u64,
    now_ms: u64,
    patch: ViewDiff<'a>,
}

/// `GET /api/stream`.
pub(super) async fn stream(
    Door(inside): Door<Inside>,
    Extension(holder): Extension<Holder>,
) -> Result<Response, Failure> {
    let place = inside.streams.clone().try_acquire_owned().map_err(|_| {
        Failure::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_streams",
            "DBeast is open in as many tabs as it may be.",
            "Close a tab that is not used any more.",
        )
    })?;
    let follower = Follower {
        states: inside.door.store.follow(),
        store: inside.door.store,
        revoked: holder.revoked,
        sent: None,
        rest: Box::pin(sleep(Duration::ZERO)),
        _place: place,
    };
    let events = unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// One open stream. It holds the state that its page shows, so that no patch can miss its place, and
/// compares it with the newest one when the page is ready: a slow page gets one patch, not many.
struct Follower {
    store: Store,
    states: watch::Receiver<Arc<State>>,
    revoked: CancellationToken,
    /// The revision that the page has, and a state whose view it has.
    sent: Option<(u64, Arc<State>)>,
    /// Ends when the next message may go.
    rest: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl Follower {
    /// The next message, or the end: the cookie lets nobody in any more, or the program stops.
    async fn next(&mut self) -> Option<Event> {
        if self.revoked.is_cancelled() {
            return None;
        }
        let Some((from, mut before)) = self.sent.take() else {
            return self.begin();
        };
        loop {
            tokio::select! {
                biased;
                () = self.revoked.cancelled() => return None,
                changed = self.states.changed() => changed.ok()?,
            }
            tokio::select! {
                biased;
                () = self.revoked.cancelled() => return None,
                () = self.rest.as_mut() => {}
            }
            self.rest = Box::pin(sleep(INTERVAL));
            let state = self.states.borrow_and_update().clone();
            let patch = diff::between(&before, &state);
            if !patch.is_empty() {
                let (revision, now_ms) = (state.seq, self.store.now().0);
                let message = Update { from_revision: from, revision, now_ms, patch };
                let event = Event::default().event("patch").json_data(message).ok();
                self.sent = Some((revision, kept(&state)));
                return event;
            }
            // It looks the same, and the older one need not be kept for it.
            before = state;
        }
    }

    fn begin(&mut self) -> Option<Event> {
        let state = self.states.borrow_and_update().clone();
        let message = Snapshot::of(&self.store, &state);
        let event = Event::default().event("snapshot").json_data(message).ok();
        self.sent = Some((state.seq, kept(&state)));
        self.rest = Box::pin(sleep(INTERVAL));
        event
    }
}

/// A page may read slowly for as long as it likes. What is held for it holds no data.
fn kept(state: &State) -> Arc<State> {
    Arc::new(recorder::without_payloads(state))
}
