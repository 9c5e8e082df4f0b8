//! The protections of a handle: switches, limits and settings, each set and read back.
//!
//! Sources: the SQLite manual, "Defense Against The Dark Arts", "Database Connection
//! Configuration Options", "Run-Time Limits", "PRAGMA Statements".

use super::authorizer::Authority;
use super::error::{During, explain};
use crate::drivers::DriverError;
use crate::reason::DatabaseReason;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;

/// A value must never be longer than this in bytes, read or computed.
pub(super) const VALUE_BYTES_MAX: i32 = 1024 * 1024;

/// A row must never be longer than this where it is written.
const WRITTEN_BYTES_MAX: i32 = 256 * 1024 * 1024;

/// What a handle is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Verified reads; the file is opened read-only.
    Read,
    /// One write of one table.
    Write,
    /// One statement of any kind.
    Full,
}

/// Switches and the position each must have.
const SWITCHES: &[(DbConfig, bool)] = &[
    // No write to the file's internals, whatever the text.
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
    // The schema is somebody else's text: it must not call functions with side effects.
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    // Only a write brings them into play, and then `release` does.
    (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false),
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

/// What a write of a table brings into play, besides its own text.
const RELEASED: &[(DbConfig, bool)] = &[
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, true),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, true),
    // SQLite's own default is off, for the sake of programs from before 2009. A key that is declared is meant.
    (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true),
];

/// What is different for Full SQL: the text is somebody's own, and means what it means in every other program.
const FULL_SWITCHES: &[(DbConfig, bool)] = &[
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, true),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, true),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true),
    (DbConfig::SQLITE_DBCONFIG_DQS_DML, true),
    (DbConfig::SQLITE_DBCONFIG_DQS_DDL, true),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_COMMENTS, true),
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

/// Limits that are wider where a row is written: it is written whole, also when another column of it changes.
const WRITING_LIMITS: &[(Limit, i32)] = &[
    (Limit::SQLITE_LIMIT_LENGTH, WRITTEN_BYTES_MAX),
    (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1_000),
];

/// VACUUM attaches a temporary file of its own; the authorizer lets nobody else.
const FULL_LIMITS: &[(Limit, i32)] = &[(Limit::SQLITE_LIMIT_ATTACHED, 1)];

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
/// to one handle (`hard_heap_limit` is shared by the process). A sorter holds as much as the cache
/// may, so both together stay far below the 16 MiB that a read may add to the broker.
const SETTINGS: &[(&str, i64)] =
    &[("cell_size_check", 1), ("mmap_size", 0), ("temp_store", 1), ("cache_size", -4096)];

/// Sets every protection and reads it back.
pub(super) fn configure(
    connection: &Connection,
    authority: &Authority,
    purpose: Purpose,
) -> Result<(), DriverError> {
    switch(connection, SWITCHES)?;
    limit(connection, LIMITS)?;
    if purpose != Purpose::Read {
        limit(connection, WRITING_LIMITS)?;
    }
    if purpose == Purpose::Full {
        switch(connection, FULL_SWITCHES)?;
        limit(connection, FULL_LIMITS)?;
    }
    authority.settings();
    for &(name, value) in SETTINGS {
        set(connection, name, value)?;
    }
    set(connection, "query_only", i64::from(purpose == Purpose::Read))
}

/// Lets triggers, the views that they read, and foreign keys do their work. Contract, "Standing access": they
/// still run when a table is written to.
pub(super) fn release(connection: &Connection) -> Result<(), DriverError> {
    switch(connection, RELEASED)
}

/// Lets closing move the log into the database again, as it does in every other program that has written.
pub(super) fn settle(connection: &Connection) -> Result<(), DriverError> {
    switch(connection, &[(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)])
}

/// Bounds each value of a statement of Full SQL that only reads, as for a verified read.
pub(super) fn bound_values(connection: &Connection) -> Result<(), DriverError> {
    limit(connection, &[(Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)])
}

fn switch(connection: &Connection, switches: &[(DbConfig, bool)]) -> Result<(), DriverError> {
    for &(switch, position) in switches {
        connection.set_db_config(switch, position).map_err(unguarded)?;
        if connection.db_config(switch).map_err(unguarded)? != position {
            return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
        }
    }
    Ok(())
}

/// Widens the limits of a statement again, so that a changed schema can be read.
pub(super) fn loosen(connection: &Connection) -> Result<(), DriverError> {
    for &(limit, _) in STATEMENT_LIMITS {
        // SQLite makes of it what it was compiled with, which is where these begin.
        connection.set_limit(limit, i32::MAX).map_err(unguarded)?;
    }
    limit(connection, LIMITS)
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
pub(super) fn unguarded(error: rusqlite::Error) -> DriverError {
    DriverError::failed(DatabaseReason::GuardUnavailable).because(error)
}

#[cfg(test)]
mod tests {
    use super::{
        FULL_LIMITS, FULL_SWITCHES, LIMITS, RELEASED, SETTINGS, STATEMENT_LIMITS, SWITCHES,
        WRITING_LIMITS, limit, set,
    };
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
        for &(switch, position) in SWITCHES.iter().chain(RELEASED).chain(FULL_SWITCHES) {
            assert_eq!(connection.set_db_config(switch, position), Ok(position), "{switch:?}");
        }
        for limits in [LIMITS, WRITING_LIMITS, FULL_LIMITS, STATEMENT_LIMITS] {
            limit(&connection, limits).expect("limits");
        }
        for &(name, value) in SETTINGS {
            set(&connection, name, value).expect(name);
        }
    }
}
