//! What is known of the columns that a query gives to what stands around it.

use super::is_same;
use super::scope::Scope;
use crate::reason::SqlReason;
use crate::sql::expression::{Column, Expression};
use crate::sql::name::Name;
use crate::sql::statement::{Output, Select};
use crate::value::{Engine, TableName};
use std::collections::BTreeSet;

/// The columns of a query. Each is kept once, since wildcards of wildcards would multiply them without end.
#[derive(Clone, Debug, Default)]
pub(super) struct Outputs {
    /// Those that have a name of their own. What only an engine would name (`count`) is none: there a name
    /// can be a function instead.
    names: BTreeSet<Name>,
    /// Tables all of whose columns are among them.
    tables: BTreeSet<TableName>,
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
    pub(super) fn of_table(table: TableName) -> Self {
        Self { names: BTreeSet::new(), tables: BTreeSet::from([table]) }
    }

    /// Those of a SELECT.
    pub(super) fn of(select: &Select, scope: &Scope<'_>) -> Self {
        let mut all = Self::default();
        for output in &select.outputs {
            match output {
                Output::AllColumns => {
                    for outputs in scope.relations() {
                        all.extend(outputs);
                    }
                }
                Output::ColumnsOf(alias) => {
                    if let Some(own) = scope.own(alias) {
                        all.extend(&own.outputs);
                    }
                }
                Output::Expression(_, Some(name))
                | Output::Expression(Expression::Column(Column { alias: _, name }), None) => {
                    all.names.insert(name.clone());
                }
                Output::Expression(_, None) => {}
            }
        }
        all
    }

    /// Those of a query of WITH that gives each column a name.
    pub(super) fn renamed(columns: &[Name], counted: Option<usize>) -> Result<Self, SqlReason> {
        if counted == Some(columns.len()) {
            Ok(Self { names: columns.iter().cloned().collect(), tables: BTreeSet::new() })
        } else {
            Err(SqlReason::AliasColumns)
        }
    }

    /// What a column stands on.
    pub(super) fn find(&self, column: &Name, dialect: Engine) -> Found<'_> {
        if self.names.iter().any(|name| is_same(dialect, name, column)) {
            return Found::Named;
        }
        let mut tables = self.tables.iter();
        match (tables.next(), tables.next()) {
            (None, _) => Found::Nowhere,
            (Some(only), None) => Found::In(only),
            (Some(_), Some(_)) => Found::InSome,
        }
    }

    fn extend(&mut self, other: &Self) {
        self.names.extend(other.names.iter().cloned());
        self.tables.extend(other.tables.iter().cloned());
    }
}
