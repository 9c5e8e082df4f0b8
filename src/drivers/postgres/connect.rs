//! From an address to a connection that is logged in, with every setting pinned and read back.
//!
//! Sources: the PostgreSQL manual, "Message Flow", "Client Connection Defaults", "Client Authentication".

use super::cancel::CancelKey;
use super::catalog;
use super::connection::Connection;
use super::error::{ServerMessage, broken, refused_login};
use super::wire::{Incoming, Wire};
use crate::drivers::stream::Stream;
use crate::drivers::{DriverError, Server};
use crate::reason::DatabaseReason;
use crate::secret::Secret;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{ChannelBinding, SCRAM_SHA_256, ScramSha256};
use postgres_protocol::message::backend::{AuthenticationSaslBody, Message};
use postgres_protocol::message::frontend;
use zeroize::Zeroizing;

/// What a connection is for. It decides what is pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Verified statements: names mean built-in functions, values have one text form.
    Verified,
    /// A statement in the agent's own words, under the account's own settings.
    Full,
}

/// The bound of every statement, in milliseconds: the operation deadline (contract, "Limits"), as the setting below.
pub(super) const STATEMENT_TIMEOUT_MS: u64 = 30_000;

/// Settings of every connection. A statement is stopped by the server itself, also if this program is gone.
/// Milliseconds where there is no unit.
const EVERY: &[(&str, &str)] = &[
    ("client_encoding", "UTF8"),
    ("statement_timeout", "30s"),
    ("idle_in_transaction_session_timeout", "1min"),
    ("bytea_output", "hex"),
];

/// Settings of connections for verified statements, besides.
const VERIFIED: &[(&str, &str)] = &[
    ("search_path", "pg_catalog"),
    ("default_transaction_read_only", "on"),
    ("standard_conforming_strings", "on"),
    // A table whose policies would decide what is seen is an error instead.
    ("row_security", "off"),
    // A vacuum that runs by itself gives way after a second.
    ("lock_timeout", "3s"),
    ("DateStyle", "ISO, MDY"),
    ("IntervalStyle", "postgres"),
    ("TimeZone", "UTC"),
    ("extra_float_digits", "1"),
    // `= NULL` is never true, whatever the account or the database says.
    ("transform_null_equals", "off"),
    ("array_nulls", "on"),
    ("xmlbinary", "base64"),
    // Names of tables as values are quoted where they must be.
    ("quote_all_identifiers", "off"),
    // The proof's statements are planned once for each connection.
    ("plan_cache_mode", "force_generic_plan"),
    ("jit", "off"),
];

/// Settings of connections for a statement in the agent's own words, besides.
const FULL: &[(&str, &str)] = &[("lock_timeout", "10s")];

/// The encoding of a database that holds bytes and does not ask what they mean. It would refuse those that are no UTF-8
/// to a client that reads UTF-8, so there its bytes are read as they are.
const NO_ENCODING: &str = "SQL_ASCII";

/// The oldest server: `plan_cache_mode`, and view rules whose form is known.
const VERSION_MIN: u32 = 12;

impl Purpose {
    fn settings<'a>(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let own = match self {
            Self::Verified => VERIFIED,
            Self::Full => FULL,
        };
        EVERY.iter().chain(own).copied()
    }
}

/// Connects. The caller bounds the time.
pub(super) async fn reach(server: &Server) -> Result<Stream, DriverError> {
    #[cfg(unix)]
    if server.host.starts_with('/') {
        // PostgreSQL manual, "Connections and Authentication", `unix_socket_directories`.
        return Stream::unix(&format!("{}/.s.PGSQL.{}", server.host, server.port)).await;
    }
    Stream::tcp(&server.host, server.port).await
}

/// Connects, logs in and pins. The caller bounds the time.
pub(super) async fn open(server: &Server, purpose: Purpose) -> Result<Connection, DriverError> {
    let stream = reach(server).await?;
    let is_local = stream.is_local();
    let mut wire = Wire::new(stream);
    // Only a statement in the agent's own words has names that the schema completes.
    let quoted = server.schema.as_deref().filter(|_| purpose == Purpose::Full).map(quoted);
    let own = [
        ("user", server.user.as_str()),
        ("database", &server.database),
        ("application_name", "DBeast"),
    ];
    let schema = quoted.as_deref().map(|schema| ("search_path", schema));
    let parameters = own.into_iter().chain(purpose.settings()).chain(schema);
    wire.put(|bytes| frontend::startup_message(parameters, bytes)).map_err(unusable)?;
    wire.send().await.map_err(unrecognised)?;
    log_in(&mut wire, server, is_local).await?;
    let (mut connection, has_encoding) = begin(wire, server).await?;
    if connection.version() < VERSION_MIN {
        return Err(DriverError::unavailable(DatabaseReason::ServerTooOld));
    }
    pin(&mut connection, purpose, has_encoding).await?;
    Ok(connection)
}

/// A name as a quoted identifier (PostgreSQL manual, "Identifiers and Key Words").
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A name or password with a character that the protocol cannot carry.
fn unusable(error: std::io::Error) -> DriverError {
    DriverError::unavailable(DatabaseReason::LoginRefused).because(error)
}

fn unrecognised(error: std::io::Error) -> DriverError {
    DriverError::unavailable(DatabaseReason::ServerNotRecognised).because(error)
}

/// The next message before the login is done, where anything odd means another kind of server.
async fn next(wire: &mut Wire) -> Result<Message, DriverError> {
    loop {
        match wire.next(0).await.map_err(unrecognised)? {
            Incoming::Message(Message::ErrorResponse(body)) => {
                return Err(refused_login(ServerMessage::of(&body)));
            }
            Incoming::Message(Message::NoticeResponse(_)) => {}
            Incoming::Message(message) => return Ok(message),
            Incoming::Row(_) | Incoming::LongRow { .. } => return Err(unexpected()),
        }
    }
}

fn unexpected() -> DriverError {
    DriverError::unavailable(DatabaseReason::ServerNotRecognised)
}

async fn log_in(wire: &mut Wire, server: &Server, is_local: bool) -> Result<(), DriverError> {
    loop {
        let password = || server.password.as_ref().ok_or_else(|| login("it asks for a password"));
        let message = next(wire).await?;
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "a way to log in that is not listed is refused, also one that is added later"
        )]
        match message {
            Message::AuthenticationOk => return Ok(()),
            Message::AuthenticationCleartextPassword if is_local => {
                answer(wire, password()?.reveal().as_bytes()).await?;
            }
            Message::AuthenticationMd5Password(body) => {
                let password = password()?.reveal().as_bytes();
                let hash = Zeroizing::new(md5_hash(server.user.as_bytes(), password, body.salt()));
                answer(wire, hash.as_bytes()).await?;
            }
            Message::AuthenticationSasl(body) => scram(wire, password()?, &body).await?,
            Message::AuthenticationCleartextPassword => {
                return Err(login("it wants the password in clear over the network"));
            }
            Message::AuthenticationGss
            | Message::AuthenticationSspi
            | Message::AuthenticationKerberosV5
            | Message::AuthenticationScmCredential => {
                return Err(login("it wants a way to log in that DBeast does not know"));
            }
            _ => return Err(unexpected()),
        }
    }
}

fn login(cause: &'static str) -> DriverError {
    DriverError::unavailable(DatabaseReason::LoginRefused).because(cause)
}

async fn answer(wire: &mut Wire, password: &[u8]) -> Result<(), DriverError> {
    wire.put(|bytes| frontend::password_message(password, bytes)).map_err(unusable)?;
    wire.send().await.map_err(unrecognised)
}

/// SCRAM-SHA-256 (RFC 7677): the server proves that it knows the password, too.
async fn scram(
    wire: &mut Wire,
    password: &Secret,
    body: &AuthenticationSaslBody,
) -> Result<(), DriverError> {
    let offered = body.mechanisms().any(|name| Ok(name == SCRAM_SHA_256)).map_err(unrecognised)?;
    if !offered {
        return Err(login("it wants a way to log in that DBeast does not know"));
    }
    let failed = |error: std::io::Error| {
        DriverError::unavailable(DatabaseReason::LoginRefused).because(error)
    };
    let binding = ChannelBinding::unsupported();
    let mut scram = ScramSha256::new(password.reveal().as_bytes(), binding);
    wire.put(|bytes| frontend::sasl_initial_response(SCRAM_SHA_256, scram.message(), bytes))
        .map_err(broken)?;
    wire.send().await.map_err(unrecognised)?;
    let Message::AuthenticationSaslContinue(body) = next(wire).await? else {
        return Err(unexpected());
    };
    scram.update(body.data()).map_err(failed)?;
    wire.put(|bytes| frontend::sasl_response(scram.message(), bytes)).map_err(broken)?;
    wire.send().await.map_err(unrecognised)?;
    let Message::AuthenticationSaslFinal(body) = next(wire).await? else {
        return Err(unexpected());
    };
    scram.finish(body.data()).map_err(failed)
}

/// From the login to the first `ReadyForQuery`. Whether the texts of the database are known to be texts comes along.
async fn begin(mut wire: Wire, server: &Server) -> Result<(Connection, bool), DriverError> {
    let mut key = None;
    let mut version = 0;
    let mut has_encoding = true;
    loop {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "nothing else may come here, whatever is added to the protocol"
        )]
        match next(&mut wire).await? {
            Message::BackendKeyData(body) => {
                key = Some(CancelKey::new(server, body.process_id(), body.secret_key()));
            }
            Message::ParameterStatus(body) => {
                let value = body.value().map_err(unrecognised)?;
                match body.name().map_err(unrecognised)? {
                    "server_version" => {
                        let digits = value.split(|c: char| !c.is_ascii_digit()).next();
                        version = digits.and_then(|digits| digits.parse().ok()).unwrap_or(0);
                    }
                    "server_encoding" => has_encoding = value != NO_ENCODING,
                    _ => {}
                }
            }
            Message::ReadyForQuery(_) => break,
            _ => return Err(unexpected()),
        }
    }
    let key = key.ok_or_else(unexpected)?;
    Ok((Connection::new(wire, key, version), has_encoding))
}

/// Reads every pinned setting back, and gets the proof's statements ready.
async fn pin(
    connection: &mut Connection,
    purpose: Purpose,
    has_encoding: bool,
) -> Result<(), DriverError> {
    let names: Vec<&str> = purpose.settings().map(|(name, _)| name).collect();
    let shown: Vec<String> =
        names.iter().map(|name| format!("pg_catalog.current_setting('{name}')")).collect();
    // The server ends a statement whose client is gone; it can since version 14.
    let watch = if connection.version() >= 14 {
        "pg_catalog.set_config('client_connection_check_interval', '1s', false)"
    } else {
        "''"
    };
    let encoding = if has_encoding {
        "''".to_owned()
    } else {
        format!("pg_catalog.set_config('client_encoding', '{NO_ENCODING}', false)")
    };
    // What an administrator can set for an account and nobody can pin: with another value, a write would run without
    // the triggers and keys that it is said to run with.
    let role = "pg_catalog.current_setting('session_replication_role')";
    let settings = format!("SELECT {watch}, {encoding}, {role}, {}", shown.join(", "));
    let statements = match purpose {
        Purpose::Verified => catalog::statements(connection.version()),
        Purpose::Full => Vec::new(),
    };
    let rows = connection.prepare(&settings, &statements).await?;
    let row = rows.first().map(Vec::as_slice).unwrap_or_default();
    let is_origin = row.get(2).and_then(Option::as_deref) == Some("origin");
    let actual = row.iter().skip(3).map(|value| value.as_deref().unwrap_or_default());
    let wanted = |(name, wanted)| match name {
        "client_encoding" if !has_encoding => NO_ENCODING,
        _ => wanted,
    };
    let is_pinned = row.len() == names.len() + 3 && purpose.settings().map(wanted).eq(actual);
    if !is_pinned || !is_origin && purpose == Purpose::Verified {
        return Err(DriverError::failed(DatabaseReason::GuardUnavailable));
    }
    if purpose == Purpose::Verified {
        connection.learn_indirect().await?;
    }
    Ok(())
}
