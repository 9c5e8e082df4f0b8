//! Takes effects from the store and runs each one without waiting for it.

use super::connections::{Connections, Open};
use super::estimate::{Estimates, Job};
use super::keep::Keep;
use super::passwords::Passwords;
use super::{alarm, query};
use crate::drivers::{self, Gate, Pinned};
use crate::events::{TaskEvent, TaskOutcome};
use crate::ids::TaskId;
use crate::reducer::{Effect, Place, Work};
use crate::store::Store;
use crate::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// What the runner works with.
#[derive(Clone)]
pub struct Outside {
    /// Opens the driver of a source.
    pub open: Open,
    /// The passwords of sources.
    pub passwords: Passwords,
    /// Where changes are kept. Without it nothing outlives the program.
    pub keep: Option<Arc<Keep>>,
}

impl Default for Outside {
    fn default() -> Self {
        Self { open: Arc::new(drivers::open), passwords: Passwords::default(), keep: None }
    }
}

/// Runs effects until `shutdown`. What was asked for before that is still done: when this returns,
/// what is kept knows of every change, all work has really ended, and all drivers are closed.
pub async fn run(
    mut effects: mpsc::Receiver<Effect>,
    store: Store,
    outside: Outside,
    shutdown: CancellationToken,
) {
    let (set_alarm, alarm_set) = watch::channel(None);
    tokio::spawn(alarm::run(store.clone(), alarm_set));
    let Outside { open, passwords, keep } = outside;
    let connections = Connections::new(open, passwords);
    let estimates = Estimates::start(&store);
    let (tasks, working) = (BTreeMap::new(), JoinSet::new());
    let mut runner = Runner { store, keep, connections, estimates, tasks, working };
    loop {
        tokio::select! {
            effect = effects.recv() => match effect {
                Some(Effect::SetAlarm { at }) => {
                    set_alarm.send_replace(at);
                }
                Some(effect) => runner.start(effect),
                None => break,
            },
            () = shutdown.cancelled() => break,
            Some(ended) = runner.working.join_next() => match ended {
                Ok(task) => {
                    runner.tasks.remove(&task);
                }
                Err(error) => tracing::error!(%error, "a task of the runner ended unexpectedly"),
            },
        }
    }
    while let Ok(effect) = effects.try_recv() {
        runner.start(effect);
    }
    for running in runner.tasks.values() {
        running.cancel.cancel();
    }
    while runner.working.join_next().await.is_some() {}
    runner.estimates.end().await;
    runner.connections.close_all().await;
}

struct Runner {
    store: Store,
    keep: Option<Arc<Keep>>,
    connections: Connections,
    estimates: Estimates,
    /// The work that has not ended.
    tasks: BTreeMap<TaskId, Running>,
    working: JoinSet<TaskId>,
}

/// What can still be said to work that goes on.
struct Running {
    cancel: CancellationToken,
    /// Opens the gate of work that may write. Dropped when it is cancelled: then the gate stays closed for good.
    go_ahead: Option<oneshot::Sender<()>>,
}

impl Runner {
    fn start(&mut self, effect: Effect) {
        match effect {
            Effect::RunTask { task, place, work, pinned, deadline, .. } => {
                self.run(task, &place, work, pinned, deadline);
            }
            Effect::ReadDocument { task, excerpt, .. } => {
                let store = self.store.clone();
                self.working.spawn(async move {
                    finish(&store, task, query::read_document(&excerpt)).await;
                    task
                });
            }
            Effect::Estimate { request, place, write } => {
                let driver = self.connections.driver(&place);
                self.estimates.ask(Job { request, driver, write });
            }
            Effect::SendStatement { task } => {
                let go_ahead =
                    self.tasks.get_mut(&task).and_then(|running| running.go_ahead.take());
                if go_ahead.is_none_or(|go_ahead| go_ahead.send(()).is_err()) {
                    tracing::debug!(%task, "no work waits to send a statement any more");
                }
            }
            Effect::CancelTask { task } => {
                if let Some(running) = self.tasks.get_mut(&task) {
                    running.go_ahead = None;
                    running.cancel.cancel();
                }
            }
            Effect::SaveVault { clients, sharing } => {
                if let Some(keep) = &self.keep {
                    keep.save_vault(&clients, &sharing);
                }
            }
            Effect::SaveSources { sources } => {
                self.connections.keep_only(&sources);
                if let Some(keep) = &self.keep {
                    keep.save_sources(&sources);
                }
            }
            // Set by the loop itself, which owns the alarm.
            Effect::SetAlarm { .. } => {}
        }
    }

    fn run(
        &mut self,
        task: TaskId,
        place: &Place,
        work: Work,
        pinned: Option<Pinned>,
        deadline: Duration,
    ) {
        let driver = self.connections.driver(place);
        let cancel = CancellationToken::new();
        let (go_ahead, opened) = oneshot::channel();
        let running = Running { cancel: cancel.clone(), go_ahead: Some(go_ahead) };
        self.tasks.insert(task, running);
        let gate = gate(self.store.clone(), task, cancel.clone(), opened);
        let store = self.store.clone();
        self.working.spawn(async move {
            let outcome = query::run(driver, work, pinned, gate, deadline, cancel).await;
            finish(&store, task, outcome).await;
            task
        });
    }
}

/// The gate of one task: it asks the reducer, which answers with `Effect::SendStatement` or tells the task to stop.
fn gate(
    store: Store,
    task: TaskId,
    cancel: CancellationToken,
    opened: oneshot::Receiver<()>,
) -> Gate {
    let ask = move || {
        tokio::spawn(async move {
            if let Err(refusal) = store.send(TaskEvent::ReadyToSend { task }).await {
                // It is told to stop already or not known any more: nobody will ever open the gate.
                tracing::debug!(?refusal, "a statement is not sent");
                cancel.cancel();
            }
        });
    };
    Gate::new(ask, opened)
}

async fn finish(store: &Store, task: TaskId, outcome: TaskOutcome) {
    if let Err(refusal) = store.send(TaskEvent::Finished { task, outcome }).await {
        tracing::debug!(?refusal, "nobody waits for the end of a task");
    }
}
