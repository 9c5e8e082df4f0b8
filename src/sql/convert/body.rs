//! What a query selects: one SELECT, or several that are combined.

use super::{Converter, require};
use crate::reason::SqlReason;
use crate::sql::limits::ARMS_MAX;
use crate::sql::statement::{Arm, Body, Select, SetOperator};
use crate::value::Engine;
use sqlparser::ast::{self, SetExpr, SetQuantifier};

impl Converter {
    /// The SELECTs of a query, from the left to the right.
    pub(super) fn body(&mut self, body: &SetExpr) -> Result<Body, SqlReason> {
        let mut written = Vec::new();
        let mut rest = plain(body);
        while let SetExpr::SetOperation { left, op, set_quantifier, right } = rest {
            require(written.len() < ARMS_MAX, SqlReason::TooManyParts)?;
            written.push((*op, *set_quantifier, right));
            rest = plain(left);
        }
        let first = self.arm(rest)?;
        let arms = written.into_iter().rev().map(|(operator, quantifier, right)| {
            let operator = set_operator(operator)?;
            let all = self.keeps_all(operator, quantifier)?;
            Ok(Arm { operator, all, select: self.arm(plain(right))? })
        });
        let rest: Vec<Arm> = arms.collect::<Result<_, SqlReason>>()?;
        let is_intersection = |arm: &Arm| arm.operator == SetOperator::Intersect;
        let is_mixed = rest.iter().any(is_intersection) && !rest.iter().all(is_intersection);
        require(!is_mixed, SqlReason::AmbiguousGrouping)?;
        Ok(Body { first, rest })
    }

    fn arm(&mut self, arm: &SetExpr) -> Result<Select, SqlReason> {
        let converted = self.one_select(arm);
        self.blame(arm, &converted);
        converted
    }

    fn one_select(&mut self, arm: &SetExpr) -> Result<Select, SqlReason> {
        match arm {
            SetExpr::Select(select) => self.select(select),
            // With clauses of its own, or grouped to the right.
            SetExpr::Query(_)
            | SetExpr::SetOperation { left: _, op: _, set_quantifier: _, right: _ } => {
                Err(SqlReason::SetOperation)
            }
            SetExpr::Values(_) | SetExpr::Table(_) => Err(SqlReason::ValuesStatement),
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                Err(SqlReason::WriteStatement)
            }
        }
    }

    fn keeps_all(
        &self,
        operator: SetOperator,
        quantifier: SetQuantifier,
    ) -> Result<bool, SqlReason> {
        match quantifier {
            // SQLite does not know the word here.
            SetQuantifier::Distinct if self.dialect == Engine::Sqlite => {
                Err(SqlReason::SetOperation)
            }
            SetQuantifier::None | SetQuantifier::Distinct => Ok(false),
            SetQuantifier::All
                if self.dialect == Engine::Sqlite && operator != SetOperator::Union =>
            {
                Err(SqlReason::SetOperation)
            }
            SetQuantifier::All => Ok(true),
            SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName => {
                Err(SqlReason::SetOperation)
            }
        }
    }
}

/// What stands in parentheses that say nothing.
fn plain(mut body: &SetExpr) -> &SetExpr {
    while let SetExpr::Query(query) = body {
        let Some(inner) = alone(query) else { return body };
        body = inner;
    }
    body
}

/// The body of a query that has no other clause.
pub(super) fn alone(query: &ast::Query) -> Option<&SetExpr> {
    let ast::Query {
        with: None,
        body,
        order_by: None,
        limit_clause: None,
        fetch: None,
        locks,
        for_clause: None,
        settings: None,
        format_clause: None,
        pipe_operators,
    } = query
    else {
        return None;
    };
    (locks.is_empty() && pipe_operators.is_empty()).then_some(body)
}

const fn set_operator(operator: ast::SetOperator) -> Result<SetOperator, SqlReason> {
    match operator {
        ast::SetOperator::Union => Ok(SetOperator::Union),
        ast::SetOperator::Except => Ok(SetOperator::Except),
        ast::SetOperator::Intersect => Ok(SetOperator::Intersect),
        ast::SetOperator::Minus => Err(SqlReason::SetOperation),
    }
}
