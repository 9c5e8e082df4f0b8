//! Handles for reading that are kept open for a moment, because opening and protecting one costs much more than a read.
//!
//! A kept handle is the same as a fresh one: its switches, settings and authorizer hold for its life, its limits are set
//! again, and it is used by one piece of work at a time. It is taken again only while the file is the very same: device,
//! inode, size and time of change. Whoever writes to the file in any way so closes the handles of before; with a
//! write-ahead log, where the file itself stays as it is, the version of the schema tells about every change that a
//! proof depends on. After anything but success a handle is closed. Where the system has no such marks of a file, none is kept.

use super::cancel::Stop;
use super::connect::{self, Handle};
use super::protection;
use crate::drivers::DriverError;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// Handles that wait, at most: as many as one agent may have reads running, so that no read opens one in a quiet hour.
const IDLE_MAX: usize = 4;

/// How long a handle waits for another use. Other programs can neither leave write-ahead logging nor, on some systems,
/// delete the file while it is open.
const IDLE_TIME: Duration = Duration::from_secs(10);

/// Handles that wait for work.
#[derive(Default)]
pub(super) struct Pool {
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    handles: Vec<Kept>,
    /// Counts the looks for handles that were not used again.
    looks: u64,
    is_watched: bool,
}

struct Kept {
    handle: Handle,
    /// The look before which it was last used.
    look: u64,
}

impl Pool {
    /// Does work with a handle for reading, and keeps that for the next work if all went well.
    pub(super) fn with<T>(
        self: &Arc<Self>,
        path: &Path,
        stop: &Arc<Stop>,
        work: impl FnOnce(&mut Handle) -> Result<T, DriverError>,
    ) -> Result<T, DriverError> {
        let mut handle = self.take(path, stop)?;
        let value = work(&mut handle)?;
        if stop.check().is_ok() && handle.connection.is_autocommit() && handle.mark.is_known() {
            // Before anybody else can take it: a late interrupt would stop the work of somebody else.
            stop.detach();
            self.keep(handle);
        }
        Ok(value)
    }

    /// Closes what waits.
    pub(super) fn close(&self) {
        let handles = std::mem::take(&mut self.locked().handles);
        drop(handles);
    }

    fn take(&self, path: &Path, stop: &Arc<Stop>) -> Result<Handle, DriverError> {
        let (resolved, metadata) = connect::locate(path)?;
        let mark = connect::Mark::of(&resolved, &metadata);
        let (fresh, stale): (Vec<Kept>, Vec<Kept>) = {
            let mut waiting = self.locked();
            std::mem::take(&mut waiting.handles)
                .into_iter()
                .partition(|kept| kept.handle.mark == mark)
        };
        // Closed outside the lock.
        drop(stale);
        let mut fresh = fresh.into_iter();
        let taken = fresh.next();
        self.locked().handles.extend(fresh);
        let Some(Kept { mut handle, .. }) = taken else { return connect::open(path, stop) };
        connect::arm(&mut handle.connection, stop)?;
        protection::loosen(&handle.connection)?;
        Ok(handle)
    }

    fn keep(self: &Arc<Self>, handle: Handle) {
        let mut waiting = self.locked();
        if waiting.handles.len() < IDLE_MAX {
            let look = waiting.looks;
            waiting.handles.push(Kept { handle, look });
        }
        if !waiting.is_watched
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            waiting.is_watched = true;
            runtime.spawn(watch(Arc::downgrade(self)));
        }
    }

    /// Closes what was not used since the last look; false if nothing waits any more.
    fn look(&self) -> bool {
        let (unused, goes_on) = {
            let mut waiting = self.locked();
            let look = waiting.looks;
            waiting.looks += 1;
            let handles = std::mem::take(&mut waiting.handles);
            let (used, unused) = handles.into_iter().partition(|kept| kept.look >= look);
            waiting.handles = used;
            waiting.is_watched = !waiting.handles.is_empty();
            let unused: Vec<Kept> = unused;
            (unused, waiting.is_watched)
        };
        drop(unused);
        goes_on
    }

    fn locked(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks from time to time, as long as the pool is there and something waits in it.
async fn watch(pool: Weak<Pool>) {
    loop {
        tokio::time::sleep(IDLE_TIME).await;
        let Some(pool) = pool.upgrade() else { return };
        // Closing a handle touches the file.
        let goes_on = tokio::task::spawn_blocking(move || pool.look()).await;
        if !goes_on.unwrap_or_default() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IDLE_MAX, Pool};
    use crate::drivers::sqlite::cancel::Stop;
    use rusqlite::Connection;
    use std::sync::Arc;

    #[test]
    fn a_handle_that_is_not_used_between_two_looks_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("database.sqlite");
        Connection::open(&path)
            .and_then(|connection| connection.execute_batch("CREATE TABLE t(a)"))
            .expect("a database");
        let pool = Arc::new(Pool::default());
        let waiting = || pool.locked().handles.len();
        let stop = Arc::new(Stop::default());
        let work = || pool.with(&path, &stop, |_| Ok(())).expect("work");
        work();
        work();
        assert_eq!(waiting(), 1, "the same handle twice");
        assert!(pool.look(), "it was used since the look before");
        work();
        assert!(pool.look());
        assert_eq!(waiting(), 1);
        assert!(!pool.look(), "nothing waits any more");
        assert_eq!(waiting(), 0);
        let handles: Vec<_> =
            (0..=IDLE_MAX).map(|_| pool.take(&path, &stop).expect("a handle")).collect();
        for handle in handles {
            pool.keep(handle);
        }
        assert_eq!(waiting(), IDLE_MAX);
        pool.close();
        assert_eq!(waiting(), 0);
    }
}
