//! What databases expect of writes about which the person is asked. Beside the tasks: it holds no slot, nobody waits
//! for it, and what is too much is dropped.

use super::clock;
use super::query::{to_driver_write, withheld};
use crate::drivers::{Driver, Limits, Task};
use crate::events::{RequestEvent, VerifiedWrite, WriteEstimate};
use crate::ids::RequestId;
use crate::reducer::state::State;
use crate::store::Store;
use crate::time::Duration;
use crate::value::Estimate;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Estimates at once, so that agents that ask a lot load no database with questions of ours.
const AT_ONCE: usize = 2;
/// Estimates that wait for their turn. A person who has so many prompts does not miss the next one.
const WAITING_MAX: usize = 8;
/// How long one may take. It is of use only as long as the person has not decided.
const DEADLINE: Duration = Duration::seconds(3);
/// Bytes of a plan that are kept.
const PLAN_BYTES_MAX: usize = 8 * 1024;

/// One estimate that is asked for.
pub(super) struct Job {
    pub(super) request: RequestId,
    pub(super) driver: Arc<dyn Driver>,
    pub(super) write: Arc<VerifiedWrite>,
}

/// Those who ask.
pub(super) struct Estimates {
    inbox: mpsc::Sender<Job>,
    workers: JoinSet<()>,
    over: CancellationToken,
}

impl Estimates {
    pub(super) fn start(store: &Store) -> Self {
        let (inbox, jobs) = mpsc::channel(WAITING_MAX);
        let (jobs, over) = (Arc::new(Mutex::new(jobs)), CancellationToken::new());
        let mut workers = JoinSet::new();
        for _ in 0..AT_ONCE {
            workers.spawn(work(jobs.clone(), store.clone(), over.clone()));
        }
        Self { inbox, workers, over }
    }

    /// Asks in its turn, or not at all if too many wait.
    pub(super) fn ask(&self, job: Job) {
        if let Err(error) = self.inbox.try_send(job) {
            tracing::debug!(%error, "an estimate is left out");
        }
    }

    /// Stops all. Returns when each has really ended.
    pub(super) async fn end(mut self) {
        self.over.cancel();
        while self.workers.join_next().await.is_some() {}
    }
}

async fn work(jobs: Arc<Mutex<mpsc::Receiver<Job>>>, store: Store, over: CancellationToken) {
    loop {
        let next = async { jobs.lock().await.recv().await };
        let job = tokio::select! {
            biased;
            () = over.cancelled() => return,
            job = next => job,
        };
        let Some(Job { request, driver, write }) = job else { return };
        if !is_wanted(&store.state(), &request) {
            continue;
        }
        let deadline = clock::instant_after(DEADLINE);
        let task = Task::new(over.child_token(), deadline, Limits::contract());
        // In a task of its own: a driver with a defect must not end this one.
        let asking =
            tokio::spawn(async move { driver.estimate(&to_driver_write(&write), &task).await });
        match asking.await {
            Ok(Ok(Estimate { rows, plan })) => {
                let estimate = WriteEstimate { rows, plan: withheld(cut(&plan)) };
                if let Err(refusal) =
                    store.send(RequestEvent::Estimated { request, estimate }).await
                {
                    tracing::debug!(?refusal, "an estimate came too late");
                }
            }
            Ok(Err(error)) => tracing::debug!(?error, "there is no estimate"),
            Err(error) => tracing::error!(%error, "an estimate ended unexpectedly"),
        }
    }
}

fn is_wanted(state: &State, request: &RequestId) -> bool {
    let request = state.requests.get(request);
    request.is_some_and(|request| request.undecided_write().is_some())
}

/// The beginning of a plan, up to its bound.
fn cut(plan: &str) -> &str {
    let end = plan.floor_char_boundary(PLAN_BYTES_MAX);
    plan.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{PLAN_BYTES_MAX, cut};

    #[test]
    fn a_plan_is_cut_between_characters() {
        assert_eq!(cut("Seq Scan"), "Seq Scan");
        let most = "x".repeat(PLAN_BYTES_MAX);
        assert_eq!(cut(&most), most);
        let long = format!("{}é", "x".repeat(PLAN_BYTES_MAX - 1));
        assert_eq!(cut(&long).len(), PLAN_BYTES_MAX - 1);
    }
}
