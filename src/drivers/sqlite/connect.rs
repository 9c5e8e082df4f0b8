//! Opening a handle: one that can only read, or one that may write, with every protection switched on.

use super::authorizer::Authority;
use super::cancel::Stop;
use super::catalog::Catalog;
use super::error::{During, explain};
use super::identity::FileIdentity;
use super::proof::Proof;
use super::protection::{Purpose, configure, unguarded};
use crate::drivers::DriverError;
use crate::reason::DatabaseReason;
use crate::value::Guard;
use rusqlite::{Connection, OpenFlags};
use std::cell::RefCell;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Virtual machine operations between two looks at the brake: well under a millisecond.
const OPERATIONS_BETWEEN_LOOKS: i32 = 1000;

/// Pause between two attempts to get a lock. The brake ends the pause at once.
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Bytes of the smallest page. SQLite takes a file that is shorter for an empty database, and would write over it.
const PAGE_BYTES_MIN: u64 = 512;

/// An open handle with its authority and the guards that engaged so far.
pub(super) struct Handle {
    pub(super) connection: Connection,
    pub(super) authority: Arc<Authority>,
    pub(super) guards: Vec<Guard>,
    /// Which file it is.
    pub(super) file: FileIdentity,
    /// In which state the file was before it was opened.
    pub(super) mark: Mark,
    /// What was proven with this handle, for one version of the schema.
    pub(super) known: Known,
}

/// What was proven before with the same handle. It holds as long as the version of the schema does.
#[derive(Default)]
pub(super) struct Known {
    pub(super) catalog: Option<Arc<Catalog>>,
    pub(super) proofs: RefCell<Vec<Arc<Proof>>>,
}

/// Where a file is, which one it is, and when it was last changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    path: PathBuf,
    file: FileIdentity,
    bytes: u64,
    changed: Option<(i64, i64)>,
}

impl Mark {
    #[cfg(unix)]
    pub(super) fn of(path: &Path, metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            path: path.to_owned(),
            file: FileIdentity::of(metadata),
            bytes: metadata.len(),
            changed: Some((metadata.mtime(), metadata.mtime_nsec())),
        }
    }

    #[cfg(not(unix))]
    pub(super) fn of(path: &Path, metadata: &Metadata) -> Self {
        let file = FileIdentity::of(metadata);
        Self { path: path.to_owned(), file, bytes: metadata.len(), changed: None }
    }

    /// Whether it tells one state of the file from another.
    pub(super) const fn is_known(&self) -> bool {
        self.changed.is_some()
    }
}

/// Opens the file read-only.
pub(super) fn open(path: &Path, stop: &Arc<Stop>) -> Result<Handle, DriverError> {
    open_for(path, stop, Purpose::Read)
}

/// Opens the file for this purpose. Callers make sure that a source that is never written to asks for reads only.
pub(super) fn open_for(
    path: &Path,
    stop: &Arc<Stop>,
    purpose: Purpose,
) -> Result<Handle, DriverError> {
    let (path, metadata) = locate(path)?;
    // - READ_ONLY: never created, never written. READ_WRITE: never created either.
    // - NO_MUTEX: the handle stays in one thread.
    // - NOFOLLOW: `locate` has resolved the links that the person meant; a link that appears
    //   afterwards is somebody else's.
    // - No URI flag. That alone is not enough: the bundled library is compiled with
    //   SQLITE_USE_URI, which reads `file:` names as URIs without the flag. An absolute path
    //   cannot begin with `file:`, nor be `:memory:`.
    let is_for_reading = purpose == Purpose::Read;
    let access = if is_for_reading {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    } else {
        OpenFlags::SQLITE_OPEN_READ_WRITE
    };
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection =
        Connection::open_with_flags(&path, flags).map_err(|error| explain(error, During::Open))?;
    let mut guards = Vec::new();

    arm(&mut connection, stop)?;

    let authority = Arc::new(Authority::default());
    let asked = Arc::clone(&authority);
    connection
        .authorizer(Some(move |context: rusqlite::hooks::AuthContext<'_>| asked.decide(context)))
        .map_err(unguarded)?;

    configure(&connection, &authority, purpose)?;
    match (connection.is_readonly("main").map_err(unguarded)?, is_for_reading) {
        (true, true) => guards.push(Guard::ReadOnlyHandle),
        (false, true) => return Err(DriverError::failed(DatabaseReason::GuardUnavailable)),
        // SQLite opens a file that cannot be written to for reading instead.
        (true, false) => return Err(DriverError::unavailable(DatabaseReason::SourceNotPermitted)),
        (false, false) => {}
    }
    guards.push(Guard::Deadline);
    let mark = Mark::of(&path, &metadata);
    let (file, known) = (FileIdentity::of(&metadata), Known::default());
    Ok(Handle { connection, authority, guards, file, mark, known })
}

/// Resolves the path and makes sure that opening it cannot hang.
///
/// Only the metadata is read. Opening the file in any other way than through SQLite and closing it
/// again would drop the locks that other handles of this process hold on it (SQLite manual, "How
/// To Corrupt An SQLite Database File", section 2.2).
pub(super) fn locate(path: &Path) -> Result<(PathBuf, Metadata), DriverError> {
    let path = path.canonicalize().map_err(unreachable_path)?;
    let metadata = path.metadata().map_err(unreachable_path)?;
    if metadata.is_dir() {
        return Err(DriverError::unavailable(DatabaseReason::SourceIsFolder));
    }
    if !metadata.is_file() {
        return Err(DriverError::unavailable(DatabaseReason::SourceNotAFile));
    }
    if (1..PAGE_BYTES_MIN).contains(&metadata.len()) {
        return Err(DriverError::unavailable(DatabaseReason::SourceNotADatabase));
    }
    Ok((path, metadata))
}

fn unreachable_path(error: io::Error) -> DriverError {
    use io::ErrorKind as Kind;
    let is = |kinds: &[Kind]| kinds.contains(&error.kind());
    let reason = if is(&[Kind::NotFound, Kind::NotADirectory]) {
        DatabaseReason::SourceMissing
    } else if is(&[Kind::PermissionDenied]) {
        DatabaseReason::SourceNotPermitted
    } else if is(&[Kind::InvalidInput, Kind::InvalidFilename]) {
        DatabaseReason::SourcePathUnusable
    } else {
        DatabaseReason::SourceUnreadable
    };
    DriverError::unavailable(reason).because(error)
}

/// Arms the deadline and cancellation inside the engine.
pub(super) fn arm(connection: &mut Connection, stop: &Arc<Stop>) -> Result<(), DriverError> {
    stop.attach(connection.get_interrupt_handle());
    let looking = Arc::clone(stop);
    connection
        .progress_handler(OPERATIONS_BETWEEN_LOOKS, Some(move || looking.is_pulled()))
        .map_err(unguarded)?;
    let waiting = Arc::clone(stop);
    connection.busy_handler(Some(move |_| waiting.wait_for_lock(LOCK_PAUSE))).map_err(unguarded)?;
    stop.check()
}
