//! Opening a handle that can only read, with every protection switched on and read back.
//!
//! Sources: the SQLite manual, "Defense Against The Dark Arts", "Database Connection
//! Configuration Options", "Run-Time Limits", "PRAGMA Statements".

use super::authorizer::Authority;
use super::cancel::Stop;
use super::error::{During, explain};
use super::identity::FileIdentity;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason;
use crate::value::Guard;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Virtual machine operations between two looks at the brake: well under a millisecond.
const OPERATIONS_BETWEEN_LOOKS: i32 = 1000;

/// Pause between two attempts to get a lock. The brake ends the pause at once.
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// A value must never be longer than this in bytes, read or computed.
pub(super) const VALUE_BYTES_MAX: i32 = 1024 * 1024;

/// Switches and the position each must have.
const SWITCHES: &[(DbConfig, bool)] = &[
    // No write to the file's internals, whatever the text.
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
    // The schema is somebody else's text: it must not call functions with side effects.
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
    // "x" is a column and never a string, so a wrong name is an error.
    (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
    (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
    (DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false),
    // Rendered statements hold no comments.
    (DbConfig::SQLITE_DBCONFIG_ENABLE_COMMENTS, false),
    // Closing must not move the log into the database.
    (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
];

/// Limits for the life of the handle. They hold for the schema of the file too, so they are wide
/// enough for every schema that SQLite accepts by default, apart from texts over 1 MiB.
const LIMITS: &[(Limit, i32)] = &[
    (Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, VALUE_BYTES_MAX),
    (Limit::SQLITE_LIMIT_VDBE_OP, 100_000),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Tighter limits for the statement that was asked for, once the schema has been loaded.
const STATEMENT_LIMITS: &[(Limit, i32)] = &[
    // 64 KiB of text may grow while it is quoted.
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 256 * 1024),
    // 16 tables of 64 columns.
    (Limit::SQLITE_LIMIT_COLUMN, 1024),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 500),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 100),
    // None is allowed; with room for one, the refusal can say that it was a parameter.
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 1),
];

/// Settings and the value each must have. Own text only.
///
/// `temp_store` is the file system on purpose: sorters and materialised subqueries then spill
/// beyond the cache, into files that SQLite removes as it opens them, so that a join of large
/// rows cannot take the memory of the whole broker. A store in memory has no bound that belongs
/// to one handle (`hard_heap_limit` is shared by the process).
const SETTINGS: &[(&str, i64)] = &[
    ("query_only", 1),
    ("cell_size_check", 1),
    ("mmap_size", 0),
    ("temp_store", 1),
    ("cache_size", -8192),
];

/// An open handle with its authority and the guards that engaged so far.
pub(super) struct Handle {
    pub(super) connection: Connection,
    pub(super) authority: Arc<Authority>,
    pub(super) guards: Vec<Guard>,
    /// Which file it is.
    pub(super) file: FileIdentity,
}

/// Opens the file read-only.
pub(super) fn open(path: &Path, stop: &Arc<Stop>) -> Result<Handle, DriverError> {
    let (path, metadata) = locate(path)?;
    // - READ_ONLY: never created, never written.
    // - NO_MUTEX: the handle stays in one thread.
    // - NOFOLLOW: `locate` has resolved the links that the person meant; a link that appears
    //   afterwards is somebody else's.
    // - No URI flag. That alone is not enough: the bundled library is compiled with
    //   SQLITE_USE_URI, which reads `file:` names as URIs without the flag. An absolute path
    //   cannot begin with `file:`, nor be `:memory:`.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection =
        Connection::open_with_flags(&path, flags).map_err(|error| explain(error, During::Open))?;
    let mut guards = Vec::new();

    stop.attach(connection.get_interrupt_handle());
    arm(&mut connection, stop)?;
    stop.check()?;

    let authority = Arc::new(Authority::default());
    let asked = Arc::clone(&authority);
    connection
        .authorizer(Some(move |context: rusqlite::hooks::AuthContext<'_>| asked.decide(context)))
        .map_err(unguarded)?;

    configure(&connection, &authority)?;
    if !connection.is_readonly("main").map_err(unguarded)? {
        return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
    }
    guards.push(Guard::ReadOnlyHandle);
    guards.push(Guard::Deadline);
    Ok(Handle { connection, authority, guards, file: FileIdentity::of(&metadata) })
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
fn arm(connection: &mut Connection, stop: &Arc<Stop>) -> Result<(), DriverError> {
    let looking = Arc::clone(stop);
    connection
        .progress_handler(OPERATIONS_BETWEEN_LOOKS, Some(move || looking.is_pulled()))
        .map_err(unguarded)?;
    let waiting = Arc::clone(stop);
    connection.busy_handler(Some(move |_| waiting.wait_for_lock(LOCK_PAUSE))).map_err(unguarded)
}

/// Sets every protection and reads it back.
fn configure(connection: &Connection, authority: &Authority) -> Result<(), DriverError> {
    for &(switch, position) in SWITCHES {
        connection.set_db_config(switch, position).map_err(unguarded)?;
        if connection.db_config(switch).map_err(unguarded)? != position {
            return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
        }
    }
    limit(connection, LIMITS)?;
    authority.settings();
    for &(name, value) in SETTINGS {
        set(connection, name, value)?;
    }
    Ok(())
}

/// Tightens the limits for the statement that was asked for.
pub(super) fn tighten(connection: &Connection) -> Result<(), DriverError> {
    limit(connection, STATEMENT_LIMITS)
}

fn limit(connection: &Connection, limits: &[(Limit, i32)]) -> Result<(), DriverError> {
    for &(limit, value) in limits {
        connection.set_limit(limit, value).map_err(unguarded)?;
        if connection.limit(limit).map_err(unguarded)? != value {
            return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
        }
    }
    Ok(())
}

fn set(connection: &Connection, name: &str, value: i64) -> Result<(), DriverError> {
    // These read the file's header, so they also find out whether the file is a database.
    connection.pragma_update(None, name, value).map_err(|error| explain(error, During::Proof))?;
    let actual = connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    match actual {
        Ok(actual) if actual == value => Ok(()),
        // A library built without memory mapping answers with no row at all.
        Err(rusqlite::Error::QueryReturnedNoRows) if name == "mmap_size" => Ok(()),
        Ok(_) => Err(DriverError::failed(DatabaseReason::GuardUnavailable)),
        Err(error) => Err(explain(error, During::Proof)),
    }
}

/// A protection that could not be switched on.
fn unguarded(error: rusqlite::Error) -> DriverError {
    DriverError::failed(DatabaseReason::GuardUnavailable).because(error)
}

#[cfg(test)]
mod tests {
    use super::{LIMITS, SETTINGS, STATEMENT_LIMITS, SWITCHES, limit, set};
    use crate::reason::DatabaseReason;
    use rusqlite::Connection;
    use rusqlite::limits::Limit;

    #[test]
    fn a_protection_that_does_not_hold_is_a_refusal() {
        let connection = Connection::open_in_memory().expect("a handle");
        // SQLite caps each limit at what it was compiled with.
        let error =
            limit(&connection, &[(Limit::SQLITE_LIMIT_ATTACHED, 1000)]).expect_err("capped");
        assert_eq!(error.reason(), DatabaseReason::GuardUnavailable);
        // A boolean setting never becomes 7.
        let error = set(&connection, "query_only", 7).expect_err("a boolean");
        assert_eq!(error.reason(), DatabaseReason::GuardUnavailable);
    }

    #[test]
    fn every_protection_holds_in_the_bundled_library() {
        let connection = Connection::open_in_memory().expect("a handle");
        for &(switch, position) in SWITCHES {
            assert_eq!(connection.set_db_config(switch, position), Ok(position), "{switch:?}");
        }
        limit(&connection, LIMITS).expect("limits");
        limit(&connection, STATEMENT_LIMITS).expect("limits of a statement");
        for &(name, value) in SETTINGS {
            set(&connection, name, value).expect(name);
        }
    }
}
