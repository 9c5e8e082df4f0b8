//! Settles names: which alias each column belongs to, and which physical tables are read.
//!
//! What never lives here: the columns that tables really have; only the database knows them.

use super::expression::{Column, Expression};
use super::function::Function;
use super::limits::{ALIASES_MAX, TABLES_MAX};
use super::name::Name;
use super::statement::{JoinCondition, Key, Output, Select, Source, Table};
use crate::reason::SqlReason;
use crate::value::{Engine, TableName};
use std::collections::BTreeSet;

/// A statement whose names are settled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The statement, each alias spelled as in FROM.
    pub(super) select: Select,
    /// Its physical tables, sorted and unique.
    pub(super) tables: Vec<TableName>,
    /// Columns that must exist, sorted and unique.
    pub(super) columns: Vec<(TableName, String)>,
}

/// Settles the names of a statement.
pub(super) fn resolve(mut select: Select, dialect: Engine) -> Result<Resolved, SqlReason> {
    let mut scope = Scope::new(&select, dialect)?;
    scope.statement(&mut select)?;
    let tables: BTreeSet<TableName> = scope.tables.iter().map(physical).collect();
    if tables.len() > TABLES_MAX {
        return Err(SqlReason::TooManyTables);
    }
    Ok(Resolved {
        select,
        tables: tables.into_iter().collect(),
        columns: scope.columns.into_iter().collect(),
    })
}

/// A table's two names.
fn physical(table: &Table) -> TableName {
    TableName { schema: table.schema.as_str().to_owned(), name: table.name.as_str().to_owned() }
}

/// The names that a statement can use.
struct Scope {
    dialect: Engine,
    tables: Vec<Table>,
    /// Aliases of the tables, folded once.
    aliases: BTreeSet<String>,
    /// Names of the outputs, folded once.
    outputs: BTreeSet<String>,
    columns: BTreeSet<(TableName, String)>,
}

/// Whether a clause can name outputs of the SELECT list.
#[derive(Clone, Copy)]
enum Sees {
    Columns,
    Outputs,
}

/// The name that PostgreSQL gives to an output without alias, if it is no column's.
fn given_name(expression: &Expression) -> Option<&'static str> {
    match expression {
        Expression::CountRows => Some(Function::Count.word()),
        Expression::Call { function, distinct: _, arguments: _ } => Some(function.word()),
        Expression::Case { operand: _, branches: _, otherwise } => {
            Some(otherwise.as_deref().and_then(given_name).unwrap_or("case"))
        }
        Expression::Literal(_)
        | Expression::Column(_)
        | Expression::Negate(_)
        | Expression::Not(_)
        | Expression::Arithmetic(..)
        | Expression::Compare(..)
        | Expression::Chain(..)
        | Expression::Is { .. }
        | Expression::Like { .. }
        | Expression::Between { .. }
        | Expression::In { .. } => None,
    }
}

impl Scope {
    /// The names of FROM and of the SELECT list.
    fn new(select: &Select, dialect: Engine) -> Result<Self, SqlReason> {
        let tables: Vec<Table> = select.tables().cloned().collect();
        if tables.len() > ALIASES_MAX {
            return Err(SqlReason::TooManyAliases);
        }
        let aliases: BTreeSet<String> = tables.iter().map(|table| table.alias.folded()).collect();
        if aliases.len() < tables.len() {
            return Err(SqlReason::DuplicateAlias);
        }
        let outputs = select.outputs.iter().filter_map(|output| match output {
            Output::Expression(_, Some(alias)) => Some(alias.folded()),
            Output::Expression(expression, None) if dialect == Engine::Postgres => {
                given_name(expression).map(str::to_owned)
            }
            Output::Expression(_, None) | Output::AllColumns | Output::ColumnsOf(_) => None,
        });
        let outputs = outputs.collect();
        Ok(Self { dialect, tables, aliases, outputs, columns: BTreeSet::new() })
    }

    fn statement(&mut self, select: &mut Select) -> Result<(), SqlReason> {
        let Select {
            distinct: _,
            outputs,
            sources,
            filter,
            groups,
            group_filter,
            order,
            limit: _,
            offset: _,
        } = select;
        for output in outputs {
            self.output(output)?;
        }
        for source in sources {
            self.joins(source)?;
        }
        if let Some(filter) = filter {
            self.expression(filter, Sees::Columns)?;
        }
        for key in groups.iter_mut().chain(order.iter_mut().map(|ordering| &mut ordering.key)) {
            match key {
                Key::Position(_) => {}
                Key::Expression(expression) => self.expression(expression, Sees::Outputs)?,
            }
        }
        match group_filter {
            Some(filter) => self.expression(filter, Sees::Outputs),
            None => Ok(()),
        }
    }

    fn joins(&mut self, source: &mut Source) -> Result<(), SqlReason> {
        let Source { table, joins } = source;
        for (position, join) in joins.iter_mut().enumerate() {
            match join.kind.condition_mut() {
                Some(JoinCondition::On(condition)) => self.expression(condition, Sees::Columns)?,
                Some(JoinCondition::Using(columns)) => {
                    // The joined table must have them; so must the first one if it stands alone.
                    let owners = [Some(&join.table), (position == 0).then_some(&*table)];
                    for owner in owners.into_iter().flatten() {
                        let named = columns.iter().map(|name| name.as_str().to_owned());
                        self.columns.extend(named.map(|name| (physical(owner), name)));
                    }
                }
                None => {}
            }
        }
        Ok(())
    }

    fn output(&mut self, output: &mut Output) -> Result<(), SqlReason> {
        match output {
            Output::AllColumns if self.tables.is_empty() => Err(SqlReason::Wildcard),
            Output::AllColumns => Ok(()),
            Output::ColumnsOf(alias) => {
                *alias = self.table(alias)?.alias.clone();
                Ok(())
            }
            Output::Expression(expression, _) => self.expression(expression, Sees::Columns),
        }
    }

    fn expression(&mut self, expression: &mut Expression, sees: Sees) -> Result<(), SqlReason> {
        if let Expression::Column(column) = expression {
            return self.column(column, sees);
        }
        expression.children_mut().into_iter().try_for_each(|child| self.expression(child, sees))
    }

    fn column(&mut self, column: &mut Column, sees: Sees) -> Result<(), SqlReason> {
        let name = column.name.as_str().to_owned();
        if let Some(alias) = &column.alias {
            let table = self.table(alias)?;
            let (alias, physical) = (table.alias.clone(), physical(table));
            column.alias = Some(alias);
            self.columns.insert((physical, name));
            return Ok(());
        }
        let folded = column.name.folded();
        // PostgreSQL reads an alias as the whole row of its table, if no column has the name.
        let may_be_row = self.dialect == Engine::Postgres && self.aliases.contains(&folded);
        // SQLite lets every clause name outputs.
        let may_be_output = matches!(sees, Sees::Outputs) || self.dialect == Engine::Sqlite;
        let is_output = may_be_output && self.outputs.contains(&folded);
        match self.tables.as_slice() {
            [table] if may_be_row || !is_output => {
                self.columns.insert((physical(table), name));
                Ok(())
            }
            _ if may_be_row => Err(SqlReason::WholeRow),
            _ => Ok(()),
        }
    }

    /// The table of an alias. PostgreSQL compares names exactly after folding; elsewhere letter
    /// case does not matter here, because the alias is then spelled as in FROM.
    fn table(&self, alias: &Name) -> Result<&Table, SqlReason> {
        let found = self.tables.iter().find(|table| match self.dialect {
            Engine::Postgres => table.alias == *alias,
            Engine::Sqlite | Engine::Mysql | Engine::Mariadb => table.alias.is(alias.as_str()),
        });
        found.ok_or(SqlReason::UnknownAlias)
    }
}
