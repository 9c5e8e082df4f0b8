//! The form of `config.json` and what its values must be.

use super::error::ConfigError;
use crate::effects::ids::{self, NoRandomness};
use crate::events::{RestoredSource, ServerPlace, SourceLocation};
use crate::ids::{ID_BYTES_MAX, SourceId};
use crate::reducer::effect::SavedSource;
use crate::reducer::limits::{LABEL_CHARS_MAX, SOURCES_MAX};
use crate::time::Millis;
use crate::value::{Engine, ReadLock};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The version of the form below.
pub(super) const VERSION: u32 = 1;
/// The port of PostgreSQL if nobody says otherwise.
const POSTGRES_PORT: u16 = 5432;
/// The port of MySQL and MariaDB if the file does not say.
const MYSQL_PORT: u16 = 3306;

/// What `config.json` holds. No secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Of the form itself.
    version: u32,
    /// Names this folder, so that the keychain's item of another one is recognised.
    pub owner: String,
    /// Whether the keychain holds connections and sharing; only then is it asked at start.
    pub mcp_state_saved: bool,
    /// Whether the keychain holds passwords of sources; only then is it asked for them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub passwords_saved: bool,
    /// Port of the interface; a free one if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ui_port: Option<u16>,
    /// Port of the agents' door; 54832 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_port: Option<u16>,
    /// The databases.
    pub sources: Vec<ConfiguredSource>,
}

/// A database as the file keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfiguredSource {
    /// Identifier.
    pub id: SourceId,
    /// The person's name for it.
    pub name: Arc<str>,
    /// The name that agents see.
    pub alias: Arc<str>,
    /// Which engine.
    engine: Engine,
    /// Absolute path of the file, of SQLite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<Arc<str>>,
    /// The server, of PostgreSQL: a name, an address or the folder of a socket. Passwords are in the keychain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<Arc<str>>,
    /// Its port; 5432 (PostgreSQL) or 3306 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    /// The database on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    database: Option<Arc<str>>,
    /// The account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<Arc<str>>,
    /// The database or schema in which names are looked up; none for the engine's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Arc<str>>,
    /// Whether it never accepts writes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// How tables are held during a read; the contract's lock if not given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub read_lock: ReadLock,
    /// When it was added, in milliseconds since the epoch.
    pub added_at_ms: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_default(lock: &ReadLock) -> bool {
    *lock == ReadLock::default()
}

impl Config {
    /// The configuration of a new folder.
    pub fn fresh() -> Result<Self, NoRandomness> {
        Ok(Self {
            version: VERSION,
            owner: ids::owner()?,
            mcp_state_saved: false,
            passwords_saved: false,
            ui_port: None,
            mcp_port: None,
            sources: Vec::new(),
        })
    }

    /// The same with other databases.
    #[must_use]
    pub fn with_sources(mut self, sources: &[SavedSource]) -> Self {
        self.sources = sources.iter().map(ConfiguredSource::from).collect();
        self
    }

    /// The databases as the reducer takes them in.
    #[must_use]
    pub fn restored_sources(&self) -> Vec<RestoredSource> {
        self.sources.iter().filter_map(ConfiguredSource::restored).collect()
    }

    /// Whether every value can be used.
    pub(super) fn check(&self, file: &Path) -> Result<(), ConfigError> {
        let wrong = |key: String, problem: String| ConfigError::WrongValue {
            path: file.to_owned(),
            key,
            problem,
        };
        let at = |key: &str, problem: &str| Err(wrong(key.to_owned(), problem.to_owned()));
        if !is_word(&self.owner) {
            return at("owner", "must be a word of at most 64 letters, digits, - and _");
        }
        if self.ui_port == Some(0) || self.mcp_port == Some(0) {
            return at(
                "ui_port and mcp_port",
                "must be from 1 to 65535; leave them out for the default",
            );
        }
        if self.ui_port.is_some() && self.ui_port == self.mcp_port {
            return at("ui_port and mcp_port", "must differ: they are two doors");
        }
        if self.sources.len() > SOURCES_MAX {
            let problem = format!("has {} entries; {SOURCES_MAX} may be there", self.sources.len());
            return Err(wrong("sources".to_owned(), problem));
        }
        let mut seen = BTreeSet::new();
        for (position, source) in self.sources.iter().enumerate() {
            let (key, problem) = match source.problem() {
                Some((key, problem)) => (key, problem.to_owned()),
                None if !seen.insert(&source.id) => ("id", format!("{} is there twice", source.id)),
                None => continue,
            };
            return Err(wrong(format!("sources[{position}].{key}"), problem));
        }
        Ok(())
    }
}

impl ConfiguredSource {
    fn problem(&self) -> Option<(&'static str, &'static str)> {
        if !is_word(self.id.as_str()) {
            return Some(("id", "must be a word of at most 64 letters, digits, - and _"));
        }
        for (key, text) in [("name", &self.name), ("alias", &self.alias)] {
            if !is_label(text) {
                return Some((key, "must be one line of 1 to 80 characters"));
            }
        }
        if self.context.as_ref().is_some_and(|context| !is_label(context)) {
            return Some(("context", "must be one line of 1 to 80 characters"));
        }
        let location = match self.location() {
            Ok(location) => location,
            Err(problem) => return Some(problem),
        };
        let is_relative = self.path.as_ref().is_some_and(|path| !Path::new(&**path).is_absolute());
        let relative =
            is_relative.then_some(("path", "must be an absolute path of at most 4096 bytes"));
        location.problem().or(relative)
    }

    /// Where it is, if everything that its engine needs is there and nothing else.
    fn location(&self) -> Result<SourceLocation, (&'static str, &'static str)> {
        let Self { path, host, port, database, user, .. } = self;
        let stray =
            |is_there: bool, key, problem| if is_there { Err((key, problem)) } else { Ok(()) };
        match self.engine {
            Engine::Sqlite => {
                let problem = "belongs to a server, and SQLite has none";
                stray(host.is_some(), "host", problem)?;
                stray(port.is_some(), "port", problem)?;
                stray(database.is_some(), "database", problem)?;
                stray(user.is_some(), "user", problem)?;
                let path = path.clone().ok_or(("path", "is missing"))?;
                Ok(SourceLocation::Sqlite { path })
            }
            Engine::Postgres => self.server(POSTGRES_PORT).map(SourceLocation::Postgres),
            Engine::Mysql => self.server(MYSQL_PORT).map(SourceLocation::Mysql),
            Engine::Mariadb => self.server(MYSQL_PORT).map(SourceLocation::Mariadb),
        }
    }

    fn server(&self, port: u16) -> Result<ServerPlace, (&'static str, &'static str)> {
        if self.path.is_some() {
            return Err(("path", "belongs to a file, and a server has none"));
        }
        if self.engine != Engine::Postgres && self.context.is_some() {
            return Err(("context", "belongs to PostgreSQL; here the database is the schema"));
        }
        if self.engine != Engine::Postgres && self.read_lock != ReadLock::default() {
            return Err(("read_lock", "belongs to PostgreSQL; other engines have one lock"));
        }
        Ok(ServerPlace {
            host: self.host.clone().ok_or(("host", "is missing"))?,
            port: self.port.unwrap_or(port),
            database: self.database.clone().ok_or(("database", "is missing"))?,
            user: self.user.clone().ok_or(("user", "is missing"))?,
        })
    }

    /// As the reducer takes it in. What was checked always has a place.
    fn restored(&self) -> Option<RestoredSource> {
        Some(RestoredSource {
            source: self.id.clone(),
            name: self.name.clone(),
            alias: self.alias.clone(),
            location: self.location().ok()?,
            context: self.context.clone(),
            is_read_only: self.read_only,
            read_lock: self.read_lock,
            added_at: Millis(self.added_at_ms),
        })
    }
}

impl From<&SavedSource> for ConfiguredSource {
    fn from(saved: &SavedSource) -> Self {
        let without_place = Self {
            id: saved.source.clone(),
            name: saved.name.clone(),
            alias: saved.alias.clone(),
            engine: Engine::Sqlite,
            path: None,
            host: None,
            port: None,
            database: None,
            user: None,
            context: saved.context.clone(),
            read_only: saved.is_read_only,
            read_lock: saved.read_lock,
            added_at_ms: saved.added_at.0,
        };
        let on_server = |engine, place: &ServerPlace| Self {
            engine,
            host: Some(place.host.clone()),
            port: Some(place.port),
            database: Some(place.database.clone()),
            user: Some(place.user.clone()),
            ..without_place.clone()
        };
        match &saved.location {
            SourceLocation::Sqlite { path } => {
                Self { path: Some(path.clone()), ..without_place.clone() }
            }
            SourceLocation::Postgres(place) => on_server(Engine::Postgres, place),
            SourceLocation::Mysql(place) => on_server(Engine::Mysql, place),
            SourceLocation::Mariadb(place) => on_server(Engine::Mariadb, place),
        }
    }
}

/// Identifiers of ours and nothing longer or stranger.
fn is_word(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=ID_BYTES_MAX).contains(&text.len()) && text.chars().all(is_plain)
}

fn is_label(text: &str) -> bool {
    (1..=LABEL_CHARS_MAX).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}
