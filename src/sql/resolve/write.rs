//! The names of a write: those of its one table.

use super::{Needs, Refused, Resolver, physical};
use crate::reason::SqlReason;
use crate::sql::expression::Expression;
use crate::sql::statement::Table;
use crate::sql::write::{Cell, TableWrite};
use crate::value::Engine;

/// Settles the names of a write, and says which columns its table must have.
pub(in crate::sql) fn resolve_write(
    mut write: TableWrite,
    dialect: Engine,
) -> Result<(TableWrite, Needs), Refused> {
    let mut resolver = Resolver::new(dialect);
    match resolver.write(&mut write) {
        Ok(()) => Ok((write, resolver.needs()?)),
        Err(reason) => Err((reason, resolver.refused)),
    }
}

impl Resolver {
    fn write(&mut self, write: &mut TableWrite) -> Result<(), SqlReason> {
        self.tables.insert(physical(write.table()));
        match write {
            TableWrite::Insert { table, columns, rows } => {
                for column in columns.iter() {
                    self.need(&physical(table), column);
                }
                let cells = rows.iter().flatten();
                let is_rowless = |cell: &Cell| match cell {
                    Cell::Default => true,
                    Cell::Value(value) => is_rowless(value),
                };
                if cells.into_iter().all(is_rowless) {
                    Ok(())
                } else {
                    Err(SqlReason::InsertColumns)
                }
            }
            TableWrite::Update { table, assignments, filter } => {
                for assignment in assignments {
                    self.need(&physical(table), &assignment.column);
                    if let Cell::Value(value) = &mut assignment.cell {
                        self.own_columns(value, table)?;
                    }
                }
                filter.as_mut().map_or(Ok(()), |filter| self.own_columns(filter, table))
            }
            TableWrite::Delete { table, filter } => {
                filter.as_mut().map_or(Ok(()), |filter| self.own_columns(filter, table))
            }
        }
    }

    /// Every column is one of the table.
    fn own_columns(&mut self, value: &mut Expression, table: &Table) -> Result<(), SqlReason> {
        if let Expression::Column(column) = value {
            if let Some(alias) = &mut column.alias {
                if !super::is_same(self.dialect, alias, &table.alias) {
                    return Err(self.blame(Some(alias), &column.name, SqlReason::UnknownAlias));
                }
                *alias = table.alias.clone();
            }
            self.need(&physical(table), &column.name);
            return Ok(());
        }
        value.children_mut().into_iter().try_for_each(|child| self.own_columns(child, table))
    }
}

/// Whether a value comes from no row: in VALUES there is none.
fn is_rowless(value: &Expression) -> bool {
    !matches!(value, Expression::Column(_)) && value.children().into_iter().all(is_rowless)
}
