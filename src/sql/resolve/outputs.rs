//! What is known of the columns that a query gives to what stands around it.

use super::scope::Scope;
use crate::reason::SqlReason;
use crate::sql::expression::{Column, Expression};
use crate::sql::name::Name;
use crate::sql::statement::{Output, Select};
use crate::value::{Engine, TableName};
use std::collections::BTreeSet;

/// The columns of a query. Each name is kept once, however often a wildcard repeats it: wildcards of wildcards
/// would multiply them without end.
#[derive(Clone, Debug, Default)]
pub(super) struct Outputs {
    /// Those that have a name of their own. What only an engine would name (`count`) is none: there a name
    /// can be a function instead.
    names: BTreeSet<String>,
    /// A table all of whose columns are among them.
    table: Option<TableName>,
    /// Whether there is another such table, or the same once more.
    is_several: bool,
}

/// What a column of a query stands on.
pub(super) enum Found<'a> {
    /// The query gives it by name.
    Named,
    /// The only table all of whose columns the query gives, if it has it.
    In(&'a TableName),
    /// One of several tables, if one has it.
    InSome,
    /// Nothing gives it.
    Nowhere,
}

impl Outputs {
    /// All columns of one table.
    pub(super) const fn of_table(table: TableName) -> Self {
        Self { names: BTreeSet::new(), table: Some(table), is_several: false }
    }

    /// Those of a SELECT whose own names are settled.
    pub(super) fn of(select: &Select, scope: &Scope<'_>, dialect: Engine) -> Self {
        let mut all = Self::default();
        for output in &select.outputs {
            match output {
                Output::Expression(_, Some(name))
                | Output::Expression(Expression::Column(Column { alias: _, name }), None) => {
                    all.names.insert(key(dialect, name));
                }
                Output::Expression(_, None) | Output::AllColumns | Output::ColumnsOf(_) => {}
            }
        }
        for bound in scope.relations() {
            let is_whole = |output: &&Output| match output {
                Output::AllColumns => true,
                Output::ColumnsOf(alias) => *alias == bound.alias,
                Output::Expression(_, _) => false,
            };
            // A third time adds nothing to a second one.
            for _ in select.outputs.iter().filter(is_whole).take(2) {
                all.extend(&bound.outputs);
            }
        }
        all
    }

    /// Those of a query of WITH that gives each column a name.
    pub(super) fn renamed(
        columns: &[Name],
        counted: Option<usize>,
        dialect: Engine,
    ) -> Result<Self, SqlReason> {
        if counted == Some(columns.len()) {
            let names = columns.iter().map(|name| key(dialect, name)).collect();
            Ok(Self { names, table: None, is_several: false })
        } else {
            Err(SqlReason::AliasColumns)
        }
    }

    /// What a column stands on.
    pub(super) fn find(&self, column: &Name, dialect: Engine) -> Found<'_> {
        if self.names.contains(&key(dialect, column)) {
            return Found::Named;
        }
        match &self.table {
            None => Found::Nowhere,
            Some(_) if self.is_several => Found::InSome,
            Some(only) => Found::In(only),
        }
    }

    fn extend(&mut self, other: &Self) {
        self.names.extend(other.names.iter().cloned());
        self.is_several |= other.is_several || (self.table.is_some() && other.table.is_some());
        if self.table.is_none() {
            self.table.clone_from(&other.table);
        }
    }
}

/// What two names have in common if they are one.
fn key(dialect: Engine, name: &Name) -> String {
    match dialect {
        Engine::Postgres => name.as_str().to_owned(),
        Engine::Sqlite | Engine::Mysql | Engine::Mariadb => name.as_str().to_ascii_lowercase(),
    }
}
