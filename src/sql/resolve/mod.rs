//! Settles names: which alias each column belongs to, which query of WITH a name means, and which physical
//! tables are read.
//!
//! What never lives here: the columns that tables really have; only the database knows them. What a
//! name needs of a table is kept for the driver, which asks.

mod outputs;
mod query;
mod scope;
mod write;

pub(super) use write::resolve_write;

use super::expression::Column;
use super::limits::{ALIASES_MAX, TABLES_MAX};
use super::name::Name;
use super::statement::{Query, Table};
use crate::reason::SqlReason;
use crate::value::{Engine, TableName};
use outputs::Outputs;
use std::collections::BTreeSet;

/// A query whose names are settled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The query, each alias spelled as in FROM and each name of WITH as there.
    pub(super) query: Query,
    /// What it needs.
    pub(super) needs: Needs,
}

/// What a statement needs of the database.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// Its physical tables, sorted and unique.
    pub(super) tables: Vec<TableName>,
    /// Columns that must exist, sorted and unique.
    pub(super) columns: Vec<(TableName, String)>,
}

/// Why the names of a statement cannot be settled, and which name it is about.
pub(super) type Refused = (SqlReason, Option<Column>);

/// Settles the names of a query.
pub(super) fn resolve(mut query: Query, dialect: Engine) -> Result<Resolved, Refused> {
    let mut resolver = Resolver::new(dialect);
    match resolver.query(&mut query, None) {
        Ok(_) => Ok(Resolved { query, needs: resolver.needs()? }),
        Err(reason) => Err((reason, resolver.refused)),
    }
}

/// What is known of a statement so far.
struct Resolver {
    dialect: Engine,
    tables: BTreeSet<TableName>,
    columns: BTreeSet<(TableName, String)>,
    /// Aliases and names of WITH so far: how many.
    aliases: usize,
    /// All aliases so far, folded. What a bare name could mean as a row is among them.
    rows: BTreeSet<String>,
    /// The queries of WITH that can be used here, the nearest last.
    commons: Vec<Common>,
    /// The name that was refused.
    refused: Option<Column>,
    /// How many of them, the farthest, the engine does not find here.
    hidden: usize,
    /// The names of WITH whose queries these names stand in, folded.
    defined: Vec<String>,
}

/// A query of WITH that can be used.
struct Common {
    name: Name,
    outputs: Outputs,
}

impl Resolver {
    const fn new(dialect: Engine) -> Self {
        Self {
            dialect,
            tables: BTreeSet::new(),
            columns: BTreeSet::new(),
            aliases: 0,
            rows: BTreeSet::new(),
            commons: Vec::new(),
            refused: None,
            hidden: 0,
            defined: Vec::new(),
        }
    }

    fn needs(self) -> Result<Needs, Refused> {
        if self.tables.len() > TABLES_MAX {
            return Err((SqlReason::TooManyTables, None));
        }
        Ok(Needs {
            tables: self.tables.into_iter().collect(),
            columns: self.columns.into_iter().collect(),
        })
    }

    /// Counts one more alias or name of WITH.
    const fn count_alias(&mut self) -> Result<(), SqlReason> {
        self.aliases += 1;
        if self.aliases > ALIASES_MAX { Err(SqlReason::TooManyAliases) } else { Ok(()) }
    }

    /// Remembers the name that was refused.
    fn blame(&mut self, alias: Option<&Name>, name: &Name, reason: SqlReason) -> SqlReason {
        if self.refused.is_none() {
            self.refused = Some(Column { alias: alias.cloned(), name: name.clone() });
        }
        reason
    }

    /// Notes that a table must have a column.
    fn need(&mut self, table: &TableName, column: &Name) {
        self.columns.insert((table.clone(), column.as_str().to_owned()));
    }
}

/// Whether two names are one. PostgreSQL compares them exactly after folding; elsewhere letter case
/// does not matter here, because one is then spelled as the other.
fn is_same(dialect: Engine, one: &Name, other: &Name) -> bool {
    match dialect {
        Engine::Postgres => one == other,
        Engine::Sqlite | Engine::Mysql | Engine::Mariadb => one.is(other.as_str()),
    }
}

/// A table's two names.
fn physical(table: &Table) -> TableName {
    TableName { schema: table.schema.as_str().to_owned(), name: table.name.as_str().to_owned() }
}
