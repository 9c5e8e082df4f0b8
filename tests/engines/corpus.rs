//! The accepted statements, and what each must return on its engine: `tests/sql/<dialect>/rows.jsonl`.

use crate::servers::Cell;
use dbeast::sql::{Verified, verify, verify_table_write};
use dbeast::value::{Engine, TableName};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What one statement must do on its engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// The statement.
    pub(crate) id: String,
    /// The database of the fixture on which it runs, if not the first: it wants other types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) on: Option<String>,
    /// Why the engine itself takes neither text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// Why the engine takes only the normalised text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) original: Option<String>,
    /// What a read returns; sorted, unless the statement says an order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<Vec<Vec<Cell>>>,
    /// What a write takes out of its table, sorted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) gone: Option<Vec<Vec<Cell>>>,
    /// What a write puts into it, sorted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) new: Option<Vec<Vec<Cell>>>,
}

/// An accepted statement.
pub(crate) struct Statement {
    /// Its name.
    pub(crate) id: String,
    /// As it was sent.
    pub(crate) original: String,
    /// As it runs.
    pub(crate) normalised: String,
    /// The tables that the proof names.
    pub(crate) tables: BTreeSet<TableName>,
    /// The columns that the proof names.
    pub(crate) columns: Vec<(TableName, String)>,
    /// The table that changes.
    pub(crate) written: Option<TableName>,
}

/// A look at one statement after the other: what it shows beside what was verified.
pub(crate) type Look = Box<dyn FnMut(&Statement) -> Vec<String>>;

impl Statement {
    /// A read that the proof accepts.
    pub(crate) fn verified(text: &str, verified: Verified) -> Self {
        Self {
            id: text.into(),
            original: text.into(),
            normalised: verified.sql,
            tables: verified.tables.into_iter().collect(),
            columns: verified.columns,
            written: None,
        }
    }

    /// Whether it has WITH: SQLite and MySQL never look at a query there that nobody uses.
    pub(crate) fn has_common(&self) -> bool {
        self.normalised.lines().any(|line| line.trim_start().starts_with("WITH "))
    }

    /// A statement of which somebody only claims that it reads these tables.
    pub(crate) fn claimed(dialect: Engine, tables: &[&str], text: &str) -> Self {
        let schema = match dialect {
            Engine::Sqlite => "main",
            Engine::Postgres => "public",
            Engine::Mysql | Engine::Mariadb => "shop",
        };
        let name = |name: &&str| TableName { schema: schema.into(), name: (*name).into() };
        Self {
            id: text.into(),
            original: text.into(),
            normalised: text.into(),
            tables: tables.iter().map(name).collect(),
            columns: Vec::new(),
            written: None,
        }
    }
}

#[derive(Deserialize)]
struct Line {
    id: String,
    sql: String,
}

/// The accepted reads, then the accepted writes.
pub(crate) fn statements(dialect: Engine) -> Vec<Statement> {
    let mut statements = Vec::new();
    for Line { id, sql } in read(&folder(dialect).join("accept.jsonl")) {
        let verified = verify(&sql, dialect).unwrap_or_else(|reason| panic!("{id}: {reason:?}"));
        statements.push(Statement { id, ..Statement::verified(&sql, verified) });
    }
    for Line { id, sql } in read(&folder(dialect).join("write_accept.jsonl")) {
        let verified =
            verify_table_write(&sql, dialect).unwrap_or_else(|reason| panic!("{id}: {reason:?}"));
        statements.push(Statement {
            id,
            original: sql,
            normalised: verified.sql,
            tables: BTreeSet::from([verified.table.clone()]),
            columns: verified.columns,
            written: Some(verified.table),
        });
    }
    statements
}

/// What the statements must do, by name.
pub(crate) fn expected(dialect: Engine) -> BTreeMap<String, Expected> {
    let path = folder(dialect).join("rows.jsonl");
    if !path.exists() {
        return BTreeMap::new();
    }
    let entries: Vec<Expected> = read(&path);
    entries.into_iter().map(|entry| (entry.id.clone(), entry)).collect()
}

/// Writes what they do.
pub(crate) fn keep(dialect: Engine, entries: &[Expected]) {
    let mut text = String::new();
    for entry in entries {
        let line = serde_json::to_string(entry).expect("plain data");
        text.push_str(&ascii(&line));
        text.push('\n');
    }
    std::fs::write(folder(dialect).join("rows.jsonl"), text).expect("a file to write");
}

/// The fixture, or a change of it.
pub(crate) fn fixture(name: &str) -> String {
    let path = tests().join("fixture").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// As in the rest of the corpus: nothing in a line is invisible.
fn ascii(line: &str) -> String {
    let mut text = String::new();
    for character in line.chars() {
        if character.is_ascii() {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
    text
}

fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Vec<T> {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql")
}

fn folder(dialect: Engine) -> PathBuf {
    tests().join(dialect.word())
}
