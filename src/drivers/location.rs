//! Where a database is, with everything that is needed to reach it. Never leaves DBeast.

use crate::secret::Secret;
use crate::value::{Engine, ReadLock};
use std::fmt;
use std::path::PathBuf;

/// Where a database is.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A local SQLite 3 file.
    Sqlite {
        /// Its path, taken literally: never a URI, never `:memory:`.
        path: PathBuf,
        /// Whether it is never opened for writing, whatever is asked.
        is_read_only: bool,
    },
    /// A PostgreSQL server.
    Postgres(Box<Server>),
    /// A MySQL server.
    Mysql(Box<Server>),
    /// A MariaDB server.
    Mariadb(Box<Server>),
}

impl Location {
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
}

impl fmt::Debug for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Contract, "Resources and permissions": paths do not travel with identifiers, so they
        // are not printed by accident either.
        formatter.debug_struct("Location").field("engine", &self.engine()).finish_non_exhaustive()
    }
}

/// A database on a server.
#[derive(Clone)]
pub struct Server {
    /// A name or address; a path that begins with `/` is the folder of a Unix socket of PostgreSQL, or the socket itself
    /// of the others.
    pub host: String,
    /// The port; it is part of the name of PostgreSQL's socket, too.
    pub port: u16,
    /// The database on that server.
    pub database: String,
    /// The account.
    pub user: String,
    /// Its password, if it has one.
    pub password: Option<Secret>,
    /// The schema in which a statement in the agent's own words looks up names; none for the account's own
    /// setting. Verified statements name every schema themselves.
    pub schema: Option<String>,
    /// How tables are held during a read.
    pub read_lock: ReadLock,
    /// Whether it is never written to, whatever is asked.
    pub is_read_only: bool,
}

impl PartialEq for Server {
    fn eq(&self, other: &Self) -> bool {
        let passwords = (&self.password, &other.password);
        let is_same_password = match passwords {
            (Some(one), Some(other)) => one.matches(other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        let parts = |server: &Self| {
            let Self { host, port, database, user, schema, read_lock, is_read_only, .. } = server;
            let names = [host, database, user].map(Clone::clone);
            (names, *port, schema.clone(), *read_lock, *is_read_only)
        };
        is_same_password && parts(self) == parts(other)
    }
}

impl Eq for Server {}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").finish_non_exhaustive()
    }
}
