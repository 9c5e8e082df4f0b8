//! The lists of `tests/sql_positions.rs`: what is refused, what is allowed, and where it can stand.

pub(crate) mod allowed;
pub(crate) mod positions;
pub(crate) mod queries;
pub(crate) mod relations;
pub(crate) mod values;

use dbeast::value::Engine;

/// The engines that something is tried on.
pub(crate) type Engines = &'static [Engine];

pub(crate) const ALL: Engines = &[Engine::Sqlite, Engine::Postgres, Engine::Mysql, Engine::Mariadb];
pub(crate) const SQLITE: Engines = &[Engine::Sqlite];
pub(crate) const POSTGRES: Engines = &[Engine::Postgres];
pub(crate) const MYSQL_FAMILY: Engines = &[Engine::Mysql, Engine::Mariadb];
pub(crate) const NOT_MYSQL_FAMILY: Engines = &[Engine::Sqlite, Engine::Postgres];
pub(crate) const NOT_POSTGRES: Engines = &[Engine::Sqlite, Engine::Mysql, Engine::Mariadb];
pub(crate) const NOT_SQLITE: Engines = &[Engine::Postgres, Engine::Mysql, Engine::Mariadb];

/// A place in a statement: `{}` is where something is put.
pub(crate) struct Position {
    pub(crate) name: &'static str,
    pub(crate) frame: &'static str,
    pub(crate) takes: Takes,
    pub(crate) engines: Engines,
}

/// What a place can hold. Where it cannot hold something at all, that is a reason of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Every value.
    Value,
    /// Every value, but there is no FROM: only the database finds out that a column is of nothing.
    Rowless,
    /// A value that is no constant.
    Key,
    /// The name of an output.
    OutputName,
    /// Digits.
    RowCount,
    /// A value for a new row.
    NewValue,
    /// A value of the row that changes.
    OwnValue,
}

impl Takes {
    /// Something that the place holds, which shows that the frame itself is right.
    pub(crate) const fn harmless(self) -> &'static str {
        match self {
            Self::Value | Self::Key | Self::OwnValue => "a",
            Self::OutputName => "id",
            Self::Rowless | Self::RowCount | Self::NewValue => "1",
        }
    }

    /// Reasons for which the place itself refuses, whatever is in it.
    pub(crate) const fn own_reasons(self) -> &'static [&'static str] {
        match self {
            Self::Value | Self::Rowless | Self::Key => &[],
            Self::OutputName => &["combined_order"],
            Self::RowCount => &["limit_number"],
            Self::NewValue => &["subquery", "insert_columns"],
            Self::OwnValue => &["subquery", "table_write_clause"],
        }
    }
}

/// Something that is refused wherever it stands.
pub(crate) struct Refused {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    /// Its reason. A second one, after `|`, is what the parser makes of it in some places.
    pub(crate) reason: &'static str,
    pub(crate) engines: Engines,
}

impl Refused {
    /// The reasons that may be given for it.
    pub(crate) fn reasons(&self) -> Vec<&'static str> {
        self.reason.split('|').collect()
    }
}

pub(crate) const fn position(
    name: &'static str,
    frame: &'static str,
    takes: Takes,
    engines: Engines,
) -> Position {
    Position { name, frame, takes, engines }
}

pub(crate) const fn refused(
    name: &'static str,
    text: &'static str,
    reason: &'static str,
    engines: Engines,
) -> Refused {
    Refused { name, text, reason, engines }
}

/// A text for one engine: `S.` is its schema, `~` its quote of names, `SYSTEM` a table of the engine and
/// `HIDDEN` a column that every table has.
pub(crate) fn spelled(text: &str, engine: Engine) -> String {
    let (schema, quote, system, hidden) = match engine {
        Engine::Sqlite => ("main.", "\"", "main.sqlite_master", "rowid"),
        Engine::Postgres => ("public.", "\"", "pg_catalog.pg_authid", "ctid"),
        Engine::Mysql | Engine::Mariadb => ("shop.", "`", "mysql.user", "_rowid"),
    };
    text.replace("S.", schema)
        .replace('~', quote)
        .replace("SYSTEM", system)
        .replace("HIDDEN", hidden)
}
