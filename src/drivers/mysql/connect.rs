//! From an address to a connection that is logged in, with every setting pinned and read back.
//!
//! Sources: the MySQL manual, "Connection Phase", "Caching SHA-2 Pluggable Authentication", "Server System Variables";
//! the MariaDB documentation, "Server System Variables".

use super::cancel::KillKey;
use super::catalog;
use super::connection::{CatalogRow, Connection, NEEDED, complaint};
use super::error::{another, refused_login};
use super::login::{self, Place};
use super::wire::{ERROR, Incoming, Wire};
use super::{Flavour, version};
use crate::drivers::stream::Stream;
use crate::drivers::{DriverError, Server};
use crate::reason::DatabaseReason;
use mysql_common::io::ParseBuf;
use mysql_common::packets::HandshakePacket;

/// What a connection is for. It decides what is pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Verified statements: the text has one meaning, values have one form.
    Verified,
    /// A statement in the agent's own words, under the account's own settings.
    Full,
}

/// The bound of every statement, in milliseconds: the operation deadline (contract, "Limits").
pub(super) const STATEMENT_TIME_MS: u64 = 30_000;

/// Rows that a SELECT returns at most: one more than may be handed out, to know whether there are more. It
/// does not count rows of subqueries (MySQL manual, `sql_select_limit`).
const SELECT_LIMIT: &str = "501";

/// Settings of every connection: the text that is sent and the values that come are UTF-8, and each statement
/// is its own transaction. Their names and values as both servers know them.
const EVERY: &[(&str, &str)] = &[
    ("character_set_client", "utf8mb4"),
    ("character_set_results", "utf8mb4"),
    ("autocommit", "1"),
    // A connection whose client is gone does not stay.
    ("wait_timeout", "120"),
    ("net_write_timeout", "60"),
];

/// Settings of connections for verified statements, besides.
///
/// `sql_mode` is the one of MySQL as it is installed. It lacks what would give text another meaning: `ANSI_QUOTES`,
/// `PIPES_AS_CONCAT`, `NO_BACKSLASH_ESCAPES`, `HIGH_NOT_PRECEDENCE`, `IGNORE_SPACE`, `REAL_AS_FLOAT`, `NO_UNSIGNED_SUBTRACTION`,
/// `PAD_CHAR_TO_FULL_LENGTH`, `TIME_TRUNCATE_FRACTIONAL`, and MariaDB's ORACLE, MSSQL, `EMPTY_STRING_IS_NULL`.
const VERIFIED: &[(&str, &str)] = &[
    ("time_zone", "+00:00"),
    ("sql_auto_is_null", "0"),
    ("sql_select_limit", SELECT_LIMIT),
    ("lock_wait_timeout", "3"),
    ("innodb_lock_wait_timeout", "3"),
    ("foreign_key_checks", "1"),
    ("unique_checks", "1"),
    ("div_precision_increment", "4"),
];

/// Settings of connections for a statement in the agent's own words, besides.
const FULL: &[(&str, &str)] = &[("lock_wait_timeout", "10"), ("innodb_lock_wait_timeout", "10")];

/// Settings that have other names or values on MySQL.
const VERIFIED_MYSQL: &[(&str, &str)] = &[
    (
        "sql_mode",
        "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    ),
    ("character_set_connection", "utf8mb4"),
    ("collation_connection", "utf8mb4_0900_ai_ci"),
    ("transaction_isolation", "READ-COMMITTED"),
    ("transaction_read_only", "1"),
];

/// Settings that have other names or values on MariaDB. Its `ONLY_FULL_GROUP_BY` refuses what MySQL accepts.
const VERIFIED_MARIADB: &[(&str, &str)] = &[
    (
        "sql_mode",
        "STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    ),
    ("character_set_connection", "utf8mb4"),
    ("collation_connection", "utf8mb4_general_ci"),
    ("tx_isolation", "READ-COMMITTED"),
    ("tx_read_only", "1"),
];

impl Purpose {
    fn settings(self, flavour: Flavour) -> Vec<(&'static str, &'static str)> {
        let own: &[&[(&str, &str)]] = match (self, flavour) {
            (Self::Verified, Flavour::Mysql) => &[EVERY, VERIFIED_MYSQL, VERIFIED],
            (Self::Verified, Flavour::Mariadb) => &[EVERY, VERIFIED_MARIADB, VERIFIED],
            (Self::Full, _) => &[EVERY, FULL],
        };
        own.iter().copied().flatten().copied().collect()
    }
}

/// Connects, logs in and pins. The caller bounds the time.
pub(super) async fn open(
    flavour: Flavour,
    server: &Server,
    purpose: Purpose,
) -> Result<Connection, DriverError> {
    let mut connection = log_in(flavour, server).await?;
    // Whatever the server runs for each new connection, such as making temporary tables, is forgotten.
    connection.reset().await?;
    pin(&mut connection, flavour, purpose).await?;
    check_database(&mut connection, server).await?;
    if purpose == Purpose::Full {
        connection.choose(&server.database).await.map_err(unknown_database)?;
    }
    Ok(connection)
}

/// Whether there is a database of this very name: the server compares without regard to case.
async fn check_database(connection: &mut Connection, server: &Server) -> Result<(), DriverError> {
    let rows = connection.rows(&catalog::database(&server.database)).await?;
    let is_there =
        |row: &CatalogRow| row.first().and_then(Option::as_deref) == Some(server.database.as_str());
    if rows.iter().any(is_there) {
        Ok(())
    } else {
        Err(DriverError::unavailable(DatabaseReason::DatabaseUnknown))
    }
}

fn unknown_database(error: DriverError) -> DriverError {
    if error.reason() == DatabaseReason::ServerLost {
        return error;
    }
    DriverError::unavailable(DatabaseReason::DatabaseUnknown).replacing(error)
}

/// Whether a packet can be a greeting of this protocol. The library would count with the length of its challenge as with a
/// number that has a sign.
pub(super) fn is_greeting(packet: &[u8]) -> bool {
    const PROTOCOL: u8 = 10;
    let after_version = packet.iter().skip(1).position(|byte| *byte == 0).map(|at| at + 2);
    let length = after_version.and_then(|at| packet.get(at + LENGTH_AT)).copied();
    packet.first() == Some(&PROTOCOL) && length.is_some_and(|length| length <= 127)
}

/// Where a greeting says how long its challenge is, counted from the end of the version.
const LENGTH_AT: usize = 20;

/// Connects and logs in. The caller bounds the time.
pub(super) async fn log_in(flavour: Flavour, server: &Server) -> Result<Connection, DriverError> {
    let stream = reach(server).await?;
    let place = Place { is_socket: server.host.starts_with('/'), is_local: stream.is_local() };
    let mut wire = Wire::new(stream);
    let greeting = packet(&mut wire).await?;
    if !is_greeting(&greeting) {
        return Err(unexpected());
    }
    let greeting: HandshakePacket<'_> = ParseBuf(&greeting).parse(()).map_err(|_| unexpected())?;
    let found = version::read(&greeting.server_version_str())?;
    if found != flavour {
        return Err(another(found));
    }
    if !greeting.capabilities().contains(NEEDED) {
        return Err(unexpected());
    }
    let number = greeting.connection_id();
    login::authenticate(&mut wire, &greeting, server, place).await?;
    Ok(Connection::new(wire, KillKey::new(flavour, server, number)))
}

async fn reach(server: &Server) -> Result<Stream, DriverError> {
    #[cfg(unix)]
    if server.host.starts_with('/') {
        return Stream::unix(&server.host).await;
    }
    Stream::tcp(&server.host, server.port).await
}

/// The next packet before the login is done, where anything odd means another kind of server.
pub(super) async fn packet(wire: &mut Wire) -> Result<Vec<u8>, DriverError> {
    match wire.next(None).await.map_err(unrecognised)? {
        Incoming::Packet(packet) if packet.first() == Some(&ERROR) => {
            Err(complaint(&packet).map_or_else(unexpected, refused_login))
        }
        Incoming::Packet(packet) => Ok(packet),
        Incoming::LongRow { .. } => Err(unexpected()),
    }
}

pub(super) fn unrecognised(error: std::io::Error) -> DriverError {
    use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    let is_gone = matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof);
    let reason = if is_gone {
        DatabaseReason::ServerUnreachable
    } else {
        DatabaseReason::ServerNotRecognised
    };
    DriverError::unavailable(reason).because(error)
}

pub(super) fn unexpected() -> DriverError {
    DriverError::unavailable(DatabaseReason::ServerNotRecognised)
}

/// Sets every setting and reads it back: a server that keeps another value would give text another meaning.
async fn pin(
    connection: &mut Connection,
    flavour: Flavour,
    purpose: Purpose,
) -> Result<(), DriverError> {
    let settings = purpose.settings(flavour);
    let set: Vec<String> = settings
        .iter()
        .map(|(name, value)| format!("SESSION {name} = {}", written(value)))
        .collect();
    connection.command(&format!("SET {}", set.join(", "))).await?;
    set_time(connection, flavour, STATEMENT_TIME_MS).await?;
    check(connection, flavour, purpose).await
}

/// Whether every setting still has its value.
pub(super) async fn check(
    connection: &mut Connection,
    flavour: Flavour,
    purpose: Purpose,
) -> Result<(), DriverError> {
    let settings = purpose.settings(flavour);
    let shown: Vec<String> = settings.iter().map(|(name, _)| format!("@@SESSION.{name}")).collect();
    let rows = connection.rows(&format!("SELECT {}", shown.join(", "))).await?;
    let row = rows.first().map(Vec::as_slice).unwrap_or_default();
    let is_pinned = row.len() == settings.len()
        && settings
            .iter()
            .zip(row)
            .all(|((name, wanted), actual)| is_same(name, wanted, actual.as_deref()));
    if is_pinned { Ok(()) } else { Err(DriverError::failed(DatabaseReason::GuardUnavailable)) }
}

/// A number as it is, anything else as text.
fn written(value: &str) -> String {
    if value.bytes().all(|byte| byte.is_ascii_digit()) {
        value.to_owned()
    } else {
        format!("'{value}'")
    }
}

/// Whether a setting has this value. The servers list modes in an order of their own.
fn is_same(name: &str, wanted: &str, actual: Option<&str>) -> bool {
    let Some(actual) = actual else { return false };
    if name != "sql_mode" {
        return actual == wanted;
    }
    let sorted = |modes: &str| {
        let mut modes: Vec<String> = modes.split(',').map(str::to_owned).collect();
        modes.sort_unstable();
        modes
    };
    sorted(wanted) == sorted(actual)
}

/// Lets the server itself end a statement after this time: each SELECT on MySQL, every statement on MariaDB (MySQL manual,
/// `max_execution_time`; MariaDB documentation, `max_statement_time`).
pub(super) async fn set_time(
    connection: &mut Connection,
    flavour: Flavour,
    time_ms: u64,
) -> Result<(), DriverError> {
    if connection.time_ms == time_ms {
        return Ok(());
    }
    let (set, ask, wanted) = match flavour {
        Flavour::Mysql => (
            format!("SET SESSION max_execution_time = {time_ms}"),
            "SELECT @@SESSION.max_execution_time",
            time_ms.to_string(),
        ),
        Flavour::Mariadb => {
            let seconds = format!("{}.{:03}", time_ms / 1000, time_ms % 1000);
            (
                format!("SET SESSION max_statement_time = {seconds}"),
                "SELECT @@SESSION.max_statement_time",
                format!("{seconds}000"),
            )
        }
    };
    connection.command(&set).await?;
    let rows = connection.rows(ask).await?;
    let actual = rows.first().and_then(|row| row.first()).and_then(Option::as_deref);
    if actual != Some(wanted.as_str()) {
        return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
    }
    connection.time_ms = time_ms;
    Ok(())
}
