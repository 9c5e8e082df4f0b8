//! Takes effects from the store and runs each one without waiting for it.

use super::keep::Keep;
use super::{alarm, query};
use crate::events::TaskEvent;
use crate::ids::TaskId;
use crate::reducer::Effect;
use crate::store::Store;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Runs effects until `shutdown`. What was asked for before that is still done: when this returns,
/// `keep` knows of every change, and all work has really ended. Without `keep` nothing outlives the
/// program.
pub async fn run(
    mut effects: mpsc::Receiver<Effect>,
    store: Store,
    keep: Option<Arc<Keep>>,
    shutdown: CancellationToken,
) {
    let (set_alarm, alarm_set) = watch::channel(None);
    tokio::spawn(alarm::run(store.clone(), alarm_set));
    let mut runner = Runner { store, keep, cancels: BTreeMap::new(), working: JoinSet::new() };
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
                    runner.cancels.remove(&task);
                }
                Err(error) => tracing::error!(%error, "a task of the runner ended unexpectedly"),
            },
        }
    }
    while let Ok(effect) = effects.try_recv() {
        runner.start(effect);
    }
    for cancel in runner.cancels.values() {
        cancel.cancel();
    }
    while runner.working.join_next().await.is_some() {}
}

struct Runner {
    store: Store,
    keep: Option<Arc<Keep>>,
    /// How to stop the work of each task that has not ended.
    cancels: BTreeMap<TaskId, CancellationToken>,
    working: JoinSet<TaskId>,
}

impl Runner {
    fn start(&mut self, effect: Effect) {
        match effect {
            Effect::RunTask { task, location, work, pinned, deadline, .. } => {
                let cancel = CancellationToken::new();
                self.cancels.insert(task, cancel.clone());
                let store = self.store.clone();
                self.working.spawn(async move {
                    let outcome = query::run(work, location, pinned, deadline, cancel).await;
                    if let Err(refusal) = store.send(TaskEvent::Finished { task, outcome }).await {
                        tracing::debug!(?refusal, "nobody waits for the end of a task");
                    }
                    task
                });
            }
            Effect::ReadDocument { task, excerpt, .. } => {
                let store = self.store.clone();
                self.working.spawn(async move {
                    let outcome = query::read_document(&excerpt);
                    if let Err(refusal) = store.send(TaskEvent::Finished { task, outcome }).await {
                        tracing::debug!(?refusal, "nobody waits for the end of a task");
                    }
                    task
                });
            }
            // Only work that asked for it waits for it, and no driver asks yet: each only reads.
            Effect::SendStatement { task } => {
                tracing::debug!(%task, "no work waits to send a statement");
            }
            Effect::CancelTask { task } => {
                if let Some(cancel) = self.cancels.get(&task) {
                    cancel.cancel();
                }
            }
            Effect::SaveVault { clients, sharing } => {
                if let Some(keep) = &self.keep {
                    keep.save_vault(&clients, &sharing);
                }
            }
            Effect::SaveSources { sources } => {
                if let Some(keep) = &self.keep {
                    keep.save_sources(&sources);
                }
            }
            // Set by the loop itself, which owns the alarm.
            Effect::SetAlarm { .. } => {}
        }
    }
}
