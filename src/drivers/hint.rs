//! What the person can do about a reason, where something can be done outside the request itself.

use crate::reason::DatabaseReason as Reason;

/// For reasons that are the statement's own.
const NOTHING: &str = "Nothing has to be done here; the agent can send another request.";

/// Each reason with its hint.
const HINTS: &[(Reason, &str)] = &[
    (
        Reason::SourceMissing,
        "Check that the file still exists at this path and that its disk is connected.",
    ),
    (Reason::SourceIsFolder, "Choose the database file inside this folder."),
    (Reason::SourceNotAFile, "Choose a regular file; pipes, devices and sockets are never opened."),
    (
        Reason::SourceNotPermitted,
        "Check that the user who runs DBeast may read the file and enter its folders.",
    ),
    (Reason::SourcePathUnusable, "Use a path without NUL characters."),
    (
        Reason::SourceNotADatabase,
        "Check that this is an SQLite 3 database. DBeast cannot read encrypted databases.",
    ),
    (
        Reason::SourceDamaged,
        "Make a copy, run PRAGMA integrity_check on it with the sqlite3 program, and restore a backup if it reports errors.",
    ),
    (
        Reason::SourceLocked,
        "Close the program that writes to this database, or wait until its transaction has ended.",
    ),
    (
        Reason::SourceNeedsRecovery,
        "Open the database once with a program that may write to it, for example sqlite3, so that SQLite can finish its recovery.",
    ),
    (
        Reason::SourceLogUnavailable,
        "Let the user who runs DBeast write to the folder of the database, open the database in another program while DBeast reads it, or leave write-ahead logging with PRAGMA journal_mode=DELETE.",
    ),
    (Reason::SourceUnreadable, "Check the disk and the network share that hold the file."),
    (
        Reason::GuardUnavailable,
        "Please report this: DBeast stopped because one of its own protections did not work as built.",
    ),
    (
        Reason::DriverFailed,
        "Please report this: DBeast stopped because one of its own protections did not work as built.",
    ),
    (
        Reason::ServerUnreachable,
        "Check host, port and network, and that the server runs and listens there.",
    ),
    (
        Reason::ServerNotRecognised,
        "Check host and port, and the kind of database: another kind of program answers there.",
    ),
    (
        Reason::ServerTooOld,
        "Upgrade the server: DBeast needs PostgreSQL 12, MySQL 8.4, MariaDB 10.11 or newer.",
    ),
    (
        Reason::LoginRefused,
        "Check user and password, and that the server's rules (pg_hba.conf; the host of the account on MySQL and MariaDB) let this account in from here.",
    ),
    (
        Reason::ServerNeedsTls,
        "This version of DBeast connects without TLS: use a local socket or a tunnel that ends at the server.",
    ),
    (
        Reason::ServerFull,
        "Close idle connections, or raise the server's or the account's connection limit.",
    ),
    (Reason::ServerNotReady, "Wait until the server has started, or start it."),
    (Reason::DatabaseUnknown, "Check the name of the database; letter case counts."),
    (Reason::ServerLost, "Check the server's log: it stopped, restarted or cut the connection."),
    (
        Reason::ServerIsStandby,
        "Choose the weaker read lock for this source. It is proven twice, before and after each read.",
    ),
    (
        Reason::TableLockNotPermitted,
        "Choose the weaker read lock for this source. It is proven twice, before and after each read.",
    ),
    (
        Reason::TableNotPermitted,
        "GRANT the privilege to the account of this source if agents should have it.",
    ),
    (
        Reason::StatementNotPermitted,
        "GRANT the privilege to the account of this source if agents should have it.",
    ),
    (
        Reason::ProcessNotPermitted,
        "GRANT PROCESS ON *.* to the account of this source: it shows the identities of tables.",
    ),
    (
        Reason::TableLocked,
        "See pg_stat_activity (PostgreSQL) or SHOW PROCESSLIST (MySQL, MariaDB) for who holds the table locked.",
    ),
    (Reason::MaterializedViewEmpty, "Run REFRESH MATERIALIZED VIEW."),
    (
        Reason::BuiltInsChanged,
        "Look for objects of yours in the schema pg_catalog and for implicit casts between built-in types.",
    ),
    (
        Reason::OutcomeUnknown,
        "Look into the database whether the statement took effect before anybody sends it again.",
    ),
    (Reason::OutOfSpace, "Free memory or space in the folder for temporary files."),
    (Reason::DeadlineExceeded, "The statement was too slow; an index may help."),
    (Reason::CatalogTooLarge, "DBeast reads no database with so many tables."),
];

/// The hint for a reason.
pub(super) fn of(reason: Reason) -> &'static str {
    HINTS.iter().find(|(known, _)| *known == reason).map_or(NOTHING, |(_, hint)| hint)
}
