//! Where a database is, as the person's form says it: a SQLite file, or a database on a server.

use super::failure::Failure;
use crate::events::{ServerPlace, SourceLocation};
use crate::secret::Secret;
use crate::value::Engine;
use std::path::Path;
use std::sync::Arc;

/// The port of PostgreSQL if the form does not say.
const POSTGRES_PORT: u16 = 5432;
/// The port of MySQL and MariaDB if the form does not say.
const MYSQL_PORT: u16 = 3306;
/// Bytes of a password. Ours: far above what anybody uses.
const PASSWORD_BYTES_MAX: usize = 1024;

/// The parts of the form that say where; which of them belong together, `engine` says.
pub(super) struct Form {
    pub(super) engine: Engine,
    pub(super) path: Option<String>,
    pub(super) host: Option<String>,
    /// Wider than a port, so that one that is none gets our own words.
    pub(super) port: Option<i64>,
    pub(super) database: Option<String>,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
}

impl Form {
    /// The place and the password, if everything that the engine needs is there and nothing else.
    pub(super) fn read(self) -> Result<(SourceLocation, Option<Secret>), Failure> {
        match self.engine {
            Engine::Sqlite => Ok((self.file()?, None)),
            Engine::Postgres => self.server(POSTGRES_PORT, SourceLocation::Postgres),
            Engine::Mysql => self.server(MYSQL_PORT, SourceLocation::Mysql),
            Engine::Mariadb => self.server(MYSQL_PORT, SourceLocation::Mariadb),
        }
    }

    fn file(self) -> Result<SourceLocation, Failure> {
        let Self { path, host, port, database, user, password, .. } = self;
        let is_of_a_server = host.is_some()
            || port.is_some()
            || database.is_some()
            || user.is_some()
            || password.is_some();
        if is_of_a_server {
            return Err(Failure::bad_input(
                "`host`, `port`, `database`, `user` and `password` belong to a server, and SQLite has none.",
                "Send them with `engine` \"postgres\", \"mysql\" or \"mariadb\", or send `path` alone.",
            ));
        }
        let path = absolute(&needed("path", path)?)?;
        checked(SourceLocation::Sqlite { path })
    }

    fn server(
        self,
        port_if_not_said: u16,
        on: fn(ServerPlace) -> SourceLocation,
    ) -> Result<(SourceLocation, Option<Secret>), Failure> {
        let Self { path, host, port, database, user, password, .. } = self;
        let password = password.map(read_password).transpose()?.flatten();
        if path.is_some() {
            return Err(Failure::bad_input(
                "`path` belongs to a file, and a server has none.",
                "Send `host`, `database` and `user`.",
            ));
        }
        let trimmed = |text: String| Arc::<str>::from(text.trim());
        // None of them may be what is no port, so that it is named below.
        let port = port.map_or(port_if_not_said, |port| u16::try_from(port).unwrap_or(0));
        let location = on(ServerPlace {
            host: trimmed(needed("host", host)?),
            port,
            database: needed("database", database)?.into(),
            user: needed("user", user)?.into(),
        });
        Ok((checked(location)?, password))
    }
}

/// A password as it was typed; an empty one is none.
pub(super) fn read_password(text: String) -> Result<Option<Secret>, Failure> {
    let password = Secret::new(text);
    let length = password.reveal().len();
    if length > PASSWORD_BYTES_MAX || password.reveal().contains('\0') {
        return Err(Failure::bad_input(
            format!("`password` must have at most {PASSWORD_BYTES_MAX} bytes, without zero bytes."),
            "Check what was pasted.",
        ));
    }
    Ok((length > 0).then_some(password))
}

fn needed(part: &str, text: Option<String>) -> Result<String, Failure> {
    let text = text.filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| {
        Failure::bad_input(
            format!("`{part}` is missing or empty."),
            match part {
                "path" => {
                    "Write the whole path of the database file, such as /home/you/data/shop.db."
                }
                "host" => {
                    "Write the server's name or address, or the path of its socket, such as /run/postgresql or /run/mysqld/mysqld.sock."
                }
                "database" => "Write the name of the database on the server.",
                _ => "Write the account with which DBeast logs in.",
            },
        )
    })
}

fn checked(location: SourceLocation) -> Result<SourceLocation, Failure> {
    match location.problem() {
        None => Ok(location),
        Some((part, problem)) => Err(Failure::bad_input(
            format!("`{part}` {problem}."),
            "Check what was typed, also for spaces and invisible characters.",
        )),
    }
}

/// The path as the person gave it; it is taken literally, never shortened or expanded.
fn absolute(path: &str) -> Result<Arc<str>, Failure> {
    if !Path::new(path).is_absolute() {
        return Err(Failure::bad_input(
            "`path` must be absolute.",
            "Write the whole path, from the root of the file system; ~ and variables are not expanded.",
        ));
    }
    Ok(Arc::from(path))
}
