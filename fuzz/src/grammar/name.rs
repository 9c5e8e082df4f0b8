//! Names, plain and hostile, and what a dialect makes of their spelling.

use super::Maker;
use dbeast::value::{Engine, TableName};

/// Names that need no quotes anywhere.
const PLAIN: [&str; 8] = ["id", "name", "total", "n", "Price", "status", "created_at", "x_1"];

/// Names that need quotes. None is a name of a system.
const HOSTILE: [&str; 14] = [
    "a b",
    "select",
    "from",
    "x;--",
    "it's",
    "say \"hi\"",
    "tick`s",
    "/* x",
    "pg_sleep(1)",
    "a.b",
    "$$",
    "null",
    "\u{e9}t\u{e9}",
    "100%",
];

impl Maker<'_> {
    /// A name that a statement can give or use: as it is written, and as it is.
    pub(super) fn any_name(&mut self) -> (String, String) {
        match self.choices.below(4) {
            0 | 1 => {
                let name = self.choices.of(&PLAIN);
                (name.to_owned(), self.folded(name))
            }
            2 => {
                let name = self.choices.of(&PLAIN);
                (self.quoted(name), name.to_owned())
            }
            _ => {
                let name = self.choices.of(&HOSTILE);
                (self.quoted(name), name.to_owned())
            }
        }
    }

    /// An unquoted name as it is.
    fn folded(&self, name: &str) -> String {
        match self.dialect {
            Engine::Postgres => name.to_ascii_lowercase(),
            Engine::Sqlite | Engine::Mysql | Engine::Mariadb => name.to_owned(),
        }
    }

    /// A name in quotes.
    pub(super) fn quoted(&mut self, name: &str) -> String {
        let quote = match self.dialect {
            Engine::Postgres => '"',
            Engine::Sqlite if self.choices.below(2) == 0 => '"',
            Engine::Sqlite | Engine::Mysql | Engine::Mariadb => '`',
        };
        let doubled: String = [quote, quote].iter().collect();
        format!("{quote}{}{quote}", name.replace(quote, &doubled))
    }

    /// A name of its own for an alias: as it is written here, which is how it will be referred to.
    pub(super) fn fresh_alias(&mut self, letter: char) -> String {
        let name = self.fresh(letter);
        match self.choices.below(3) {
            0 => name,
            1 => self.quoted(&name),
            _ => {
                let hostile = self.choices.of(&HOSTILE);
                self.quoted(&format!("{hostile} {name}"))
            }
        }
    }

    /// A physical table: its schema and its name as they are written, and as they are.
    pub(super) fn table_name(&mut self) -> (String, String, TableName) {
        let schema = match self.dialect {
            Engine::Sqlite => "main",
            Engine::Postgres | Engine::Mysql | Engine::Mariadb => {
                self.choices.of(&["public", "shop", "pub\"lic"])
            }
        };
        let must_quote = schema.contains('"');
        let written = if must_quote || self.choices.one_in(4) {
            self.quoted(schema)
        } else {
            schema.to_owned()
        };
        let (name, is) = self.any_name();
        (written, name, TableName { schema: schema.to_owned(), name: is })
    }
}
