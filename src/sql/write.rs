//! One INSERT, UPDATE or DELETE of one table, as the contract lets a standing level of the table allow
//! it: no other relation, no query, no upsert, nothing returned.

use super::expression::Expression;
use super::name::Name;
use super::statement::Table;

/// A write of one table. The alias of its table is the table's own name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TableWrite {
    /// `INSERT INTO table (columns) VALUES rows`: at least one column, and as many cells in each row.
    Insert { table: Table, columns: Vec<Name>, rows: Vec<Vec<Cell>> },
    /// `UPDATE table SET assignments WHERE filter`: at least one assignment.
    Update { table: Table, assignments: Vec<Assignment>, filter: Option<Expression> },
    /// `DELETE FROM table WHERE filter`.
    Delete { table: Table, filter: Option<Expression> },
}

/// `column = cell`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The column that changes.
    pub(super) column: Name,
    /// What it becomes.
    pub(super) cell: Cell,
}

/// What a column becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// `DEFAULT`: what the table says.
    Default,
    /// A value.
    Value(Expression),
}

impl TableWrite {
    /// The table that changes.
    pub(super) const fn table(&self) -> &Table {
        match self {
            Self::Insert { table, columns: _, rows: _ }
            | Self::Update { table, assignments: _, filter: _ }
            | Self::Delete { table, filter: _ } => table,
        }
    }

    /// Whether nothing about a row decides whether it is touched.
    pub(super) fn touches_all_rows(&self) -> bool {
        match self {
            Self::Insert { table: _, columns: _, rows: _ } => false,
            Self::Update { table: _, assignments: _, filter }
            | Self::Delete { table: _, filter } => {
                filter.as_ref().is_none_or(|filter| !names_a_column(filter))
            }
        }
    }
}

fn names_a_column(expression: &Expression) -> bool {
    matches!(expression, Expression::Column(_))
        || expression.children().into_iter().any(names_a_column)
}
