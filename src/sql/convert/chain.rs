//! AND, OR and || chains, and the check that operators group the same way everywhere.

use super::{Converter, require};
use crate::reason::SqlReason;
use crate::sql::expression::{Chain, Expression};
use crate::sql::lex::mysql_family;
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};

/// How strongly an expression holds together, as far as engines disagree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// Needs no parentheses anywhere.
    Whole,
    /// Signs.
    Sign,
    /// `+ - * / %`
    Arithmetic,
    /// `||`
    Concatenation,
    /// Comparisons, IS, LIKE, BETWEEN, IN.
    Comparison,
    /// NOT, AND, OR.
    Logic,
}

/// The strength of an expression as written.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "kinds not named are whole, or refused when they are converted"
)]
pub(super) const fn strength(expression: &Expr) -> Strength {
    match expression {
        Expr::UnaryOp { op: UnaryOperator::Not, expr: _ }
        | Expr::Exists { subquery: _, negated: true } => Strength::Logic,
        Expr::UnaryOp { op: _, expr: _ } => Strength::Sign,
        Expr::BinaryOp { left: _, op, right: _ } => match op {
            BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo => Strength::Arithmetic,
            BinaryOperator::StringConcat => Strength::Concatenation,
            BinaryOperator::And | BinaryOperator::Or => Strength::Logic,
            _ => Strength::Comparison,
        },
        Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::In { .. }
        | Expr::Between { .. }
        | Expr::Like { .. } => Strength::Comparison,
        _ => Strength::Whole,
    }
}

impl Converter {
    /// An operand that must be stronger than what it is an operand of.
    pub(super) fn operand(
        &mut self,
        operand: &Expr,
        of: Strength,
    ) -> Result<Box<Expression>, SqlReason> {
        let clear = match (of, strength(operand)) {
            (_, Strength::Whole) | (Strength::Logic, _) => true,
            (Strength::Whole | Strength::Sign, other) => other == Strength::Sign,
            (Strength::Arithmetic, other) => matches!(other, Strength::Arithmetic | Strength::Sign),
            (Strength::Concatenation, other) => {
                matches!(other, Strength::Concatenation | Strength::Sign)
            }
            (Strength::Comparison, other) => {
                !matches!(other, Strength::Comparison | Strength::Logic)
            }
        };
        require(clear, SqlReason::AmbiguousGrouping)?;
        self.expression(operand).map(Box::new)
    }

    /// All operands of one chain. AND and OR may be regrouped at will; `||` only from the left,
    /// because it also joins arrays.
    pub(super) fn chain(
        &mut self,
        chain: Chain,
        left: &Expr,
        right: &Expr,
    ) -> Result<Expression, SqlReason> {
        require(
            chain != Chain::Concatenate || !mysql_family(self.dialect),
            SqlReason::ConcatenationMeaning,
        )?;
        let of = match chain {
            Chain::And | Chain::Or => Strength::Logic,
            Chain::Concatenate => Strength::Concatenation,
        };
        let mut written = vec![right];
        let mut rest = left;
        while let Expr::BinaryOp { left, op, right } = plain(rest) {
            if binary(op) != Some(chain) {
                break;
            }
            written.push(right);
            rest = left;
        }
        written.push(rest);
        let mut operands = Vec::with_capacity(written.len());
        for operand in written.into_iter().rev() {
            let converted = *self.operand(operand, of)?;
            operands.extend(spliced(chain, converted));
        }
        Ok(Expression::Chain(chain, operands))
    }
}

/// The operands that a converted operand adds to a chain.
fn spliced(chain: Chain, operand: Expression) -> Vec<Expression> {
    match (chain, operand) {
        (Chain::And | Chain::Or, Expression::Chain(inner, operands)) if inner == chain => operands,
        (_, other) => vec![other],
    }
}

/// The chain that an operator makes.
#[expect(clippy::wildcard_enum_match_arm, reason = "other operators make none")]
pub(super) const fn binary(operator: &BinaryOperator) -> Option<Chain> {
    match operator {
        BinaryOperator::And => Some(Chain::And),
        BinaryOperator::Or => Some(Chain::Or),
        BinaryOperator::StringConcat => Some(Chain::Concatenate),
        _ => None,
    }
}

/// An expression without the parentheses around it.
pub(super) fn plain(mut expression: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expression {
        expression = inner;
    }
    expression
}
