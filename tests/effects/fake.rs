//! A database that only counts: what was sent to it, how often its driver was opened and closed.

use async_trait::async_trait;
use dbeast::drivers::{
    Driver, DriverError, Gate, Location, Pinned, Proven, Read, TableList, TableWrite, Task,
};
use dbeast::effects::runner::Outside;
use dbeast::value::{Estimate, Guard, ResultLimit, Rows, TableDescription, TableName};
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, Semaphore};

/// What happened at the database.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// Statements that left, in their order.
    pub(crate) sent: Mutex<Vec<String>>,
    /// Where each driver was opened.
    pub(crate) opened: Mutex<Vec<Location>>,
    /// How many were closed.
    pub(crate) closed: Mutex<usize>,
    /// A permit lets one statement get ready.
    pub(crate) may_get_ready: Semaphore,
    /// A permit lets one statement end.
    pub(crate) may_end: Semaphore,
    /// A permit lets one estimate end.
    pub(crate) may_estimate: Semaphore,
    /// Statements whose estimates began, in their order.
    pub(crate) estimating: Mutex<Vec<String>>,
    /// How many estimates ended.
    pub(crate) estimated: Mutex<usize>,
    /// Told after each change.
    pub(crate) changed: Notify,
}

impl Ledger {
    /// A database whose statements get ready and end at once, or only when a permit is added.
    pub(crate) fn new(ready: usize, ends: usize) -> Arc<Self> {
        Arc::new(Self {
            sent: Mutex::default(),
            opened: Mutex::default(),
            closed: Mutex::default(),
            may_get_ready: Semaphore::new(ready),
            may_end: Semaphore::new(ends),
            may_estimate: Semaphore::new(0),
            estimating: Mutex::default(),
            estimated: Mutex::default(),
            changed: Notify::new(),
        })
    }

    /// The drivers that are open.
    pub(crate) fn open(&self) -> usize {
        self.opened() - self.closed()
    }

    /// An outside whose sources are all this database.
    pub(crate) fn outside(self: &Arc<Self>) -> Outside {
        let ledger = self.clone();
        let open = Arc::new(move |location: &Location| {
            ledger.opened.lock().unwrap().push(location.clone());
            Arc::new(Fake { ledger: ledger.clone() }) as Arc<dyn Driver>
        });
        Outside { open, ..Outside::default() }
    }

    pub(crate) fn sent(&self) -> Vec<String> {
        self.sent.lock().unwrap().clone()
    }

    pub(crate) fn opened(&self) -> usize {
        self.opened.lock().unwrap().len()
    }

    pub(crate) fn estimating(&self) -> usize {
        self.estimating.lock().unwrap().len()
    }

    pub(crate) fn estimated(&self) -> usize {
        *self.estimated.lock().unwrap()
    }

    pub(crate) fn closed(&self) -> usize {
        *self.closed.lock().unwrap()
    }

    /// Waits until it is as wanted.
    pub(crate) async fn until(&self, is_wanted: impl Fn(&Self) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if is_wanted(self) {
                return;
            }
            changed.await;
        }
    }
}

#[derive(Debug)]
struct Fake {
    ledger: Arc<Ledger>,
}

impl Fake {
    async fn send(&self, sql: &str, gate: Gate, task: &Task) -> Result<Rows, DriverError> {
        let ready = self.ledger.may_get_ready.acquire().await.unwrap();
        ready.forget();
        gate.pass(task).await?;
        self.ledger.sent.lock().unwrap().push(sql.to_owned());
        self.ledger.changed.notify_waiters();
        assert!(!sql.contains("panic"), "a driver with a defect");
        let end = self.ledger.may_end.acquire().await.unwrap();
        end.forget();
        Ok(Rows {
            affected_rows: Some(3),
            truncated_by: Some(ResultLimit::CellBytes),
            bytes: 4,
            guards: vec![Guard::SingleStatement],
            ..Rows::default()
        })
    }
}

#[async_trait]
impl Driver for Fake {
    async fn list_tables(&self, _: &Task) -> Result<TableList, DriverError> {
        Ok(TableList::default())
    }

    async fn describe_table(
        &self,
        table: &TableName,
        _: Option<&Pinned>,
        _: &Task,
    ) -> Result<Proven<TableDescription>, DriverError> {
        let value =
            TableDescription { table: table.clone(), columns: Vec::new(), guards: Vec::new() };
        Ok(Proven { value, identities: Vec::new() })
    }

    async fn read(
        &self,
        _: &Read,
        _: Option<&Pinned>,
        _: &Task,
    ) -> Result<Proven<Rows>, DriverError> {
        Ok(Proven { value: Rows::default(), identities: Vec::new() })
    }

    async fn write_table(
        &self,
        write: &TableWrite,
        gate: Gate,
        task: &Task,
    ) -> Result<Rows, DriverError> {
        let sent = format!("{} [{}]", write.sql, write.columns.join(", "));
        self.send(&sent, gate, task).await
    }

    async fn run_full(&self, sql: &str, gate: Gate, task: &Task) -> Result<Rows, DriverError> {
        self.send(sql, gate, task).await
    }

    async fn estimate(&self, write: &TableWrite, task: &Task) -> Result<Estimate, DriverError> {
        self.ledger.estimating.lock().unwrap().push(write.sql.clone());
        self.ledger.changed.notify_waiters();
        // A gate whose answer never comes ends as every driver does: by cancelling or by the deadline.
        let (_kept, never) = tokio::sync::oneshot::channel();
        let stopped = Gate::new(|| {}, never);
        let outcome = tokio::select! {
            permit = self.ledger.may_estimate.acquire() => {
                permit.unwrap().forget();
                assert!(!write.sql.contains("panic"), "a driver with a defect");
                Ok(Estimate { rows: Some(7), plan: "SCAN orders".to_owned() })
            }
            stopped = stopped.pass(task) => Err(stopped.unwrap_err()),
        };
        *self.ledger.estimated.lock().unwrap() += 1;
        self.ledger.changed.notify_waiters();
        outcome
    }

    async fn close(&self) {
        *self.ledger.closed.lock().unwrap() += 1;
        self.ledger.changed.notify_waiters();
    }
}
