//! What the person sees: a snapshot, and a stream that begins with one and goes on with patches.

use super::Inside;
use super::failure::Failure;
use super::gate::Holder;
use crate::reducer::State;
use crate::reducer::{diff, view};
use crate::store::Store;
use axum::extract::State as Door;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream::unfold;
use serde_json::{Value, json};
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
pub(super) async fn snapshot(Door(inside): Door<Inside>) -> Json<Value> {
    let state = inside.door.store.state();
    Json(message(&inside.door.store, &state, &seen(&state)))
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

/// One open stream. It holds exactly what its page holds, so that no patch can miss its place.
struct Follower {
    store: Store,
    states: watch::Receiver<Arc<State>>,
    revoked: CancellationToken,
    /// The revision and the view that the page has.
    sent: Option<(u64, Value)>,
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
        let Some((from, before)) = self.sent.take() else {
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
            let after = seen(&state);
            let patch = diff::between(&before, &after);
            if !patch.0.is_empty() {
                let message = json!({
                    "from_revision": from,
                    "revision": state.seq,
                    "now_ms": self.store.now().0,
                    "patch": patch,
                });
                self.sent = Some((state.seq, after));
                return Event::default().event("patch").json_data(message).ok();
            }
        }
    }

    fn begin(&mut self) -> Option<Event> {
        let state = self.states.borrow_and_update().clone();
        let view = seen(&state);
        let message = message(&self.store, &state, &view);
        self.sent = Some((state.seq, view));
        self.rest = Box::pin(sleep(INTERVAL));
        Event::default().event("snapshot").json_data(message).ok()
    }
}

fn message(store: &Store, state: &State, view: &Value) -> Value {
    json!({ "revision": state.seq, "now_ms": store.now().0, "view": view })
}

fn seen(state: &State) -> Value {
    diff::to_value(&view::project(state))
}
