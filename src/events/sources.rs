//! Databases that the person added.

use crate::ids::SourceId;
use crate::value::{Engine, ReadLock};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Facts about sources.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceEvent {
    /// The person added a database. It is shared with nobody.
    Added {
        /// Fresh identifier; it is also what agents see, and says nothing about the database.
        source: SourceId,
        /// The person's name for it; agents never see it.
        name: Arc<str>,
        /// The name that agents see. None takes a generic one, such as `SQLite source 1`.
        alias: Option<Arc<str>>,
        /// Where it is.
        location: SourceLocation,
        /// Whether it never accepts writes, whatever is shared or granted.
        is_read_only: bool,
    },
    /// The person gave it other names. Nothing that was granted changes.
    Renamed {
        /// Which one.
        source: SourceId,
        /// The person's name for it.
        name: Arc<str>,
        /// The name that agents see.
        alias: Arc<str>,
    },
    /// The person changed what it is: a new configuration, to which nothing carries over.
    Changed {
        /// Which one.
        source: SourceId,
        /// What.
        change: SourceChange,
    },
    /// The person removed it. Everything granted on it ends.
    Removed {
        /// Which one.
        source: SourceId,
    },
}

/// A change that makes another configuration of a source (contract, "Idempotency and freshness").
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceChange {
    /// Where it is.
    Connection {
        /// The new place.
        location: SourceLocation,
    },
    /// Its password; the password itself is no event data.
    Password,
    /// The database or schema in which names are looked up.
    Context {
        /// The new one; none for the engine's own.
        context: Option<Arc<str>>,
    },
    /// Whether it can be used at all.
    Availability {
        /// Whether it can from now on.
        is_available: bool,
    },
    /// Whether it never accepts writes.
    ReadOnly {
        /// Whether it never does from now on.
        is_read_only: bool,
    },
    /// How tables are held during a read.
    ReadLock {
        /// How from now on.
        lock: ReadLock,
    },
}

impl SourceChange {
    /// What was changed, for the activity list.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Connection { .. } => "its connection changed",
            Self::Password => "its password changed",
            Self::Context { .. } => "its database or schema changed",
            Self::Availability { is_available: true } => "it can be used again",
            Self::Availability { is_available: false } => "it cannot be used for now",
            Self::ReadOnly { is_read_only: true } => "it is read-only now",
            Self::ReadOnly { is_read_only: false } => "it is not read-only any more",
            Self::ReadLock { lock: ReadLock::Full } => "tables are held by the full read lock",
            Self::ReadLock { lock: ReadLock::Weak } => "tables are held by the weaker read lock",
        }
    }
}

/// Where a database is. Agents never see this. A password is never in here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceLocation {
    /// A local SQLite file.
    Sqlite {
        /// Absolute path, as the person gave it.
        path: Arc<str>,
    },
    /// A database on a PostgreSQL server.
    Postgres(ServerPlace),
    /// A database on a MySQL server.
    Mysql(ServerPlace),
    /// A database on a MariaDB server.
    Mariadb(ServerPlace),
}

/// A database on a server, whatever its engine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ServerPlace {
    /// A name or address; one that begins with `/` is the folder of a socket (PostgreSQL) or the socket itself.
    pub host: Arc<str>,
    /// The port.
    pub port: u16,
    /// The database on that server.
    pub database: Arc<str>,
    /// The account.
    pub user: Arc<str>,
}

/// Bytes of a host: what a name in the DNS may have. A folder of a socket is shorter.
const HOST_BYTES_MAX: usize = 255;
/// Bytes of the name of a database or of an account: PostgreSQL cuts longer ones off.
const NAME_BYTES_MAX: usize = 63;
/// The same of MySQL and MariaDB: 64 letters of up to three bytes.
const MYSQL_NAME_BYTES_MAX: usize = 192;
/// Bytes of a path: what Linux takes.
const PATH_BYTES_MAX: usize = 4096;

impl SourceLocation {
    /// Which engine answers there.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite { .. } => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
            Self::Mysql(_) => Engine::Mysql,
            Self::Mariadb(_) => Engine::Mariadb,
        }
    }

    /// The server, if it is on one.
    #[must_use]
    pub const fn server(&self) -> Option<&ServerPlace> {
        match self {
            Self::Sqlite { .. } => None,
            Self::Postgres(place) | Self::Mysql(place) | Self::Mariadb(place) => Some(place),
        }
    }

    /// For the person: where it is, in one line.
    #[must_use]
    pub fn describe(&self) -> Cow<'_, str> {
        match self {
            Self::Sqlite { path } => Cow::Borrowed(path),
            Self::Postgres(place) | Self::Mysql(place) | Self::Mariadb(place) => {
                let ServerPlace { host, port, database, user } = place;
                // An address with colons is written as in a URL.
                let is_v6 = host.contains(':') && !host.starts_with('/');
                let (open, close) = if is_v6 { ("[", "]") } else { ("", "") };
                Cow::Owned(format!("{user}@{open}{host}{close}:{port}/{database}"))
            }
        }
    }

    /// What is wrong with it, if it cannot be a place of a database: the part, and what that must be.
    #[must_use]
    pub fn problem(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Sqlite { path } => {
                // Whether it is absolute depends on the system; who reads it checks that too.
                let is_path = (1..=PATH_BYTES_MAX).contains(&path.len()) && !path.contains('\0');
                (!is_path).then_some(("path", "must be an absolute path of at most 4096 bytes"))
            }
            Self::Postgres(place) | Self::Mysql(place) | Self::Mariadb(place) => {
                let ServerPlace { host, port, database, user } = place;
                let is_host = is_plain(host, HOST_BYTES_MAX)
                    && (host.starts_with('/') || is_name_or_address(host));
                if !is_host {
                    let form = "must be a name, an address or the path of a socket, without user and port and \
                                of at most 255 bytes";
                    return Some(("host", form));
                }
                if *port == 0 {
                    return Some(("port", "must be from 1 to 65535"));
                }
                let (bytes_max, name) = match self.engine() {
                    Engine::Postgres | Engine::Sqlite => {
                        (NAME_BYTES_MAX, "must be one line of 1 to 63 bytes")
                    }
                    Engine::Mysql | Engine::Mariadb => {
                        (MYSQL_NAME_BYTES_MAX, "must be one line of 1 to 192 bytes")
                    }
                };
                let names = [("database", database), ("user", user)];
                let wrong = names.into_iter().find(|(_, text)| !is_plain(text, bytes_max));
                wrong.map(|(part, _)| (part, name))
            }
        }
    }
}

/// One colon is before a port; an address of version 6 has two or more.
fn is_name_or_address(host: &str) -> bool {
    !host.contains(['/', '@', ' ', '[', ']']) && host.matches(':').count() != 1
}

fn is_plain(text: &str, bytes_max: usize) -> bool {
    (1..=bytes_max).contains(&text.len()) && !text.chars().any(char::is_control)
}
