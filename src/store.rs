//! The single owner of the state and the only mutable place: takes events from one queue, reduces,
//! checks the invariants, publishes the new state and hands the effects on.

use crate::events::{Envelope, Event};
use crate::reducer::{Answer, Effect, Refusal, State, invariants, reduce};
use crate::time::Millis;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot, watch};

/// Events that may wait to be taken in. Whoever sends more waits; nothing is dropped.
const QUEUE_MAX: usize = 256;
/// Effects that may wait to be started. Their runner never waits for the store before it takes the
/// next one, so a full queue only slows the store down.
const EFFECTS_MAX: usize = 256;

/// Where the store gets its time from.
pub type Clock = Arc<dyn Fn() -> Millis + Send + Sync>;

/// A handle on the store: send events, read the published state.
#[derive(Clone)]
pub struct Store {
    queue: mpsc::Sender<Delivery>,
    published: watch::Receiver<Arc<State>>,
    clock: Clock,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("seq", &self.published.borrow().seq).finish_non_exhaustive()
    }
}

struct Delivery {
    event: Event,
    answer: oneshot::Sender<Result<Answer, Refusal>>,
}

impl Store {
    /// Starts a store with an empty state. It runs until every handle is gone.
    #[must_use]
    pub fn start(clock: Clock) -> (Self, mpsc::Receiver<Effect>) {
        let (queue, deliveries) = mpsc::channel(QUEUE_MAX);
        let (effects, started) = mpsc::channel(EFFECTS_MAX);
        let (publish, published) = watch::channel(Arc::new(State::default()));
        tokio::spawn(own(deliveries, effects, publish, clock.clone()));
        (Self { queue, published, clock }, started)
    }

    /// Sends one event and waits for its answer. The new state is published before the answer.
    pub async fn send(&self, event: impl Into<Event>) -> Result<Answer, Refusal> {
        let (answer, answered) = oneshot::channel();
        let delivery = Delivery { event: event.into(), answer };
        self.queue.send(delivery).await.map_err(|_| Refusal::ServerStopped)?;
        answered.await.unwrap_or(Err(Refusal::ServerStopped))
    }

    /// The state as of the last event.
    #[must_use]
    pub fn state(&self) -> Arc<State> {
        self.published.borrow().clone()
    }

    /// Follows the published states; a slow follower sees the newest one, not each.
    #[must_use]
    pub fn follow(&self) -> watch::Receiver<Arc<State>> {
        self.published.clone()
    }

    /// The time now, by the store's own clock.
    #[must_use]
    pub fn now(&self) -> Millis {
        (self.clock)()
    }
}

async fn own(
    mut deliveries: mpsc::Receiver<Delivery>,
    effects: mpsc::Sender<Effect>,
    publish: watch::Sender<Arc<State>>,
    clock: Clock,
) {
    let mut state = publish.borrow().clone();
    while let Some(Delivery { event, answer }) = deliveries.recv().await {
        let envelope = Envelope { seq: state.seq.saturating_add(1), at: clock(), event };
        let step = reduce(&state, &envelope);
        report_broken(&state, &step.state);
        state = Arc::new(step.state);
        publish.send_replace(state.clone());
        // The asker may have gone; the event happened all the same.
        let _ = answer.send(step.answer);
        for effect in step.effects {
            if effects.send(effect).await.is_err() {
                tracing::warn!("an effect has nobody to run it");
            }
        }
    }
}

/// A broken invariant is a defect of ours. Tests stop at it; the program goes on and says so.
fn report_broken(before: &State, after: &State) {
    let broken = invariants::broken(before, after);
    if !broken.is_empty() {
        tracing::error!(?broken, seq = after.seq, "invariants do not hold");
    }
    debug_assert!(broken.is_empty(), "invariants do not hold: {broken:?}");
}
