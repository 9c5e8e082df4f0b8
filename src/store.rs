//! The single owner of the state and the only mutable place: takes events from one queue, reduces,
//! checks the invariants, publishes the new state and hands the effects on.

use crate::events::{Envelope, Event};
use crate::recorder::{Fill, Recorder, Recording};
use crate::reducer::invariants::CATALOGUE;
use crate::reducer::{Answer, Effect, Refusal, State, invariants, reduce};
use crate::time::Millis;
use std::collections::BTreeMap;
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
    queue: mpsc::Sender<Message>,
    published: watch::Receiver<Arc<State>>,
    clock: Clock,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("seq", &self.published.borrow().seq).finish_non_exhaustive()
    }
}

/// What the owner of the state is asked.
enum Message {
    /// Take an event in.
    Event { event: Event, answer: oneshot::Sender<Result<Answer, Refusal>> },
    /// Hand the recording out.
    Recording(oneshot::Sender<Recording>),
    /// Say how it goes.
    Diagnostics(oneshot::Sender<Diagnostics>),
}

/// How the store has done since it started.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    /// When it started.
    pub since: Millis,
    /// Events taken in since then.
    pub events: u64,
    /// How much of them is recorded.
    pub recording: Fill,
    /// Every invariant, in the order of the catalogue.
    pub invariants: Vec<Watched>,
}

/// How often an invariant did not hold.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// Its id.
    pub id: &'static str,
    /// What holds, in one sentence.
    pub sentence: &'static str,
    /// After how many events it did not hold.
    pub broken: u64,
    /// When that was first.
    pub first_broken_at: Option<Millis>,
}

impl Store {
    /// Starts a store with an empty state. It runs until every handle is gone.
    #[must_use]
    pub fn start(clock: Clock) -> (Self, mpsc::Receiver<Effect>) {
        let (queue, deliveries) = mpsc::channel(QUEUE_MAX);
        let (effects, started) = mpsc::channel(EFFECTS_MAX);
        let (publish, published) = watch::channel(Arc::new(State::default()));
        let owner = Owner {
            state: Arc::new(State::default()),
            publish,
            effects,
            since: clock(),
            clock: clock.clone(),
            recorder: Recorder::default(),
            broken: BTreeMap::new(),
        };
        tokio::spawn(owner.own(deliveries));
        (Self { queue, published, clock }, started)
    }

    /// Sends one event and waits for its answer. The new state is published before the answer.
    pub async fn send(&self, event: impl Into<Event>) -> Result<Answer, Refusal> {
        let (answer, answered) = oneshot::channel();
        let message = Message::Event { event: event.into(), answer };
        self.queue.send(message).await.map_err(|_| Refusal::ServerStopped)?;
        answered.await.unwrap_or(Err(Refusal::ServerStopped))
    }

    /// The recording as of now; none when the store has ended.
    pub async fn recording(&self) -> Option<Recording> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Message::Recording(answer)).await.ok()?;
        answered.await.ok()
    }

    /// How the store has done; none when it has ended.
    pub async fn diagnostics(&self) -> Option<Diagnostics> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Message::Diagnostics(answer)).await.ok()?;
        answered.await.ok()
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

/// The one who changes the state.
struct Owner {
    state: Arc<State>,
    publish: watch::Sender<Arc<State>>,
    effects: mpsc::Sender<Effect>,
    clock: Clock,
    since: Millis,
    recorder: Recorder,
    /// How often each invariant did not hold, and when first; those that always held are absent.
    broken: BTreeMap<&'static str, (u64, Millis)>,
}

impl Owner {
    async fn own(mut self, mut messages: mpsc::Receiver<Message>) {
        // Whoever asked may have gone; the rest happens all the same.
        while let Some(message) = messages.recv().await {
            match message {
                Message::Event { event, answer } => self.take_in(event, answer).await,
                Message::Recording(answer) => drop(answer.send(self.recorder.recording())),
                Message::Diagnostics(answer) => drop(answer.send(self.diagnostics())),
            }
        }
    }

    async fn take_in(&mut self, event: Event, answer: oneshot::Sender<Result<Answer, Refusal>>) {
        let seq = self.state.seq.saturating_add(1);
        let envelope = Envelope { seq, at: (self.clock)().max(self.state.now), event };
        let step = reduce(&self.state, &envelope);
        self.watch(&step.state);
        let before = std::mem::replace(&mut self.state, Arc::new(step.state.clone()));
        self.publish.send_replace(self.state.clone());
        let _ = answer.send(step.answer.clone());
        self.recorder.record(&before, &envelope, &step);
        for effect in step.effects {
            if self.effects.send(effect).await.is_err() {
                tracing::warn!("an effect has nobody to run it");
            }
        }
    }

    /// A broken invariant is a defect of ours. Tests stop at it; the program goes on, counts it and
    /// says so.
    fn watch(&mut self, after: &State) {
        let broken = invariants::broken(&self.state, after);
        if !broken.is_empty() {
            tracing::error!(?broken, seq = after.seq, "invariants do not hold");
        }
        for id in &broken {
            let (times, _) = self.broken.entry(id).or_insert((0, after.now));
            *times = times.saturating_add(1);
        }
        debug_assert!(broken.is_empty(), "invariants do not hold: {broken:?}");
    }

    fn diagnostics(&self) -> Diagnostics {
        let watched = CATALOGUE.iter().map(|entry| {
            let broken = self.broken.get(entry.id);
            Watched {
                id: entry.id,
                sentence: entry.sentence,
                broken: broken.map_or(0, |(times, _)| *times),
                first_broken_at: broken.map(|(_, at)| *at),
            }
        });
        Diagnostics {
            since: self.since,
            events: self.state.seq,
            recording: self.recorder.fill(),
            invariants: watched.collect(),
        }
    }
}
