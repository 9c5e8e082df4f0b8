//! One INSERT, UPDATE or DELETE of one table, as the contract lets a standing level of the table allow
//! it: no other relation, no query, no upsert, nothing returned.

use super::expression::{Chain, Expression};
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

    /// Whether nothing about a row decides whether it is touched, as far as the form of WHERE shows that.
    pub(super) fn touches_all_rows(&self) -> bool {
        match self {
            Self::Insert { table: _, columns: _, rows: _ } => false,
            Self::Update { table: _, assignments: _, filter }
            | Self::Delete { table: _, filter } => {
                filter.as_ref().is_none_or(|filter| !decides(filter, false))
            }
        }
    }
}

/// Whether a row's columns decide about it: under OR every operand must name one, or `OR 1 = 1` would pass for a
/// choice. What equals itself is none.
fn decides(filter: &Expression, is_negated: bool) -> bool {
    match filter {
        Expression::Not(inner) => decides(inner, !is_negated),
        Expression::Chain(chain @ (Chain::And | Chain::Or), operands) => {
            let mut each = operands.iter().map(|operand| decides(operand, is_negated));
            let needs_all = (*chain == Chain::Or) != is_negated;
            if needs_all { each.all(|one| one) } else { each.any(|one| one) }
        }
        Expression::Compare(_, left, right) if left == right => false,
        Expression::Literal(_)
        | Expression::Column(_)
        | Expression::Negate(_)
        | Expression::Arithmetic(..)
        | Expression::Compare(..)
        | Expression::Chain(Chain::Concatenate, _)
        | Expression::Is { .. }
        | Expression::Like { .. }
        | Expression::Between { .. }
        | Expression::In { .. }
        | Expression::InQuery { .. }
        | Expression::Exists(_)
        | Expression::Scalar(_)
        | Expression::Case { .. }
        | Expression::CountRows
        | Expression::Call { .. } => names_a_column(filter),
    }
}

fn names_a_column(expression: &Expression) -> bool {
    matches!(expression, Expression::Column(_))
        || expression.children().into_iter().any(names_a_column)
}
