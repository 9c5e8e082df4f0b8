//! GROUP BY and ORDER BY.

use super::literal::whole_number;
use super::{Converter, bounded, require};
use crate::reason::SqlReason;
use crate::sql::expression::{Column, Expression};
use crate::sql::lex::mysql_family;
use crate::sql::limits::{KEYS_MAX, OUTPUTS_MAX};
use crate::sql::statement::{Body, Key, Ordering, Output};
use sqlparser::ast::{
    Expr, GroupByExpr, OrderBy, OrderByExpr, OrderByKind, OrderByOptions, OrderBySort,
};

impl Converter {
    /// The items of GROUP BY.
    pub(super) fn groups(
        &mut self,
        groups: &GroupByExpr,
        outputs: &[Output],
    ) -> Result<Vec<Key>, SqlReason> {
        match groups {
            GroupByExpr::All(_) => Err(SqlReason::GroupingSets),
            GroupByExpr::Expressions(expressions, modifiers) => {
                require(modifiers.is_empty(), SqlReason::GroupingSets)?;
                bounded(expressions, KEYS_MAX)?;
                expressions.iter().map(|expression| self.key(expression, outputs)).collect()
            }
        }
    }

    /// The items of ORDER BY.
    pub(super) fn order(
        &mut self,
        order: Option<&OrderBy>,
        body: &Body,
    ) -> Result<Vec<Ordering>, SqlReason> {
        let Some(OrderBy { kind, interpolate }) = order else {
            return Ok(Vec::new());
        };
        require(interpolate.is_none(), SqlReason::Clause)?;
        match kind {
            OrderByKind::All(_) => Err(SqlReason::Clause),
            OrderByKind::Expressions(expressions) => {
                bounded(expressions, KEYS_MAX)?;
                expressions.iter().map(|ordering| self.ordering(ordering, body)).collect()
            }
        }
    }

    fn ordering(&mut self, ordering: &OrderByExpr, body: &Body) -> Result<Ordering, SqlReason> {
        let OrderByExpr { expr, options: OrderByOptions { sort, nulls_first }, with_fill } =
            ordering;
        require(with_fill.is_none(), SqlReason::Clause)?;
        require(nulls_first.is_none() || !mysql_family(self.dialect), SqlReason::NullsOrder)?;
        let descending = match sort {
            None | Some(OrderBySort::Asc) => false,
            Some(OrderBySort::Desc) => true,
            Some(OrderBySort::Using(_)) => return Err(SqlReason::Operator),
        };
        let key = self.key(expr, &body.first.outputs)?;
        // The rows of several SELECTs have only their names in common.
        let is_common = match &key {
            Key::Position(_) | Key::Expression(Expression::Column(Column { alias: None, .. })) => {
                true
            }
            Key::Expression(_) => false,
        };
        require(is_common || body.rest.is_empty(), SqlReason::CombinedOrder)?;
        Ok(Ordering { key, descending, nulls_first: *nulls_first })
    }

    /// A position, or an expression that no engine can take for one.
    fn key(&mut self, expression: &Expr, outputs: &[Output]) -> Result<Key, SqlReason> {
        if let Some(digits) = whole_number(expression) {
            return position(digits, outputs).map(Key::Position);
        }
        let converted = self.expression(expression)?;
        if is_constant(&converted) {
            Err(SqlReason::ConstantKey)
        } else {
            Ok(Key::Expression(converted))
        }
    }
}

/// A literal, also with signs.
fn is_constant(expression: &Expression) -> bool {
    if let Expression::Negate(operand) = expression {
        return is_constant(operand);
    }
    matches!(expression, Expression::Literal(_))
}

/// The position of an output that exists, as far as wildcards let us count.
fn position(digits: &str, outputs: &[Output]) -> Result<u32, SqlReason> {
    let counted = outputs.iter().all(|output| matches!(output, Output::Expression(_, _)));
    let most = if counted { outputs.len() } else { OUTPUTS_MAX };
    let position: u32 = digits.parse().map_err(|_| SqlReason::ConstantKey)?;
    let exists = position >= 1 && usize::try_from(position).is_ok_and(|position| position <= most);
    if exists { Ok(position) } else { Err(SqlReason::ConstantKey) }
}
