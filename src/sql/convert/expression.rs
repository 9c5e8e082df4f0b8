//! Expressions, kind by kind. A kind that is not converted is refused with its own reason.

use super::chain::{self, Strength};
use super::{Converter, bounded};
use crate::reason::SqlReason;
use crate::sql::expression::{Arithmetic, Branch, Comparison, Expression, Literal};
use crate::sql::limits::BRANCHES_MAX;
use sqlparser::ast::{BinaryOperator, CaseWhen, Expr, UnaryOperator};

impl Converter {
    /// Any expression.
    pub(super) fn expression(&mut self, expression: &Expr) -> Result<Expression, SqlReason> {
        let converted = self.deeper(|converter| converter.kind(chain::plain(expression)));
        self.blame(expression, &converted);
        converted
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "every other kind is refused with its own reason"
    )]
    fn kind(&mut self, expression: &Expr) -> Result<Expression, SqlReason> {
        match expression {
            Expr::Value(value) => Self::literal(value).map(Expression::Literal),
            Expr::Identifier(ident) => self.bare_column(ident),
            Expr::CompoundIdentifier(parts) => self.column_of(parts),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right),
            Expr::Function(call) => self.call(call),
            Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::Subquery(query) => self.inner_values(query).map(Expression::Scalar),
            Expr::Exists { subquery, negated } => {
                let exists = Expression::Exists(self.inner(subquery)?);
                Ok(if *negated { Expression::Not(Box::new(exists)) } else { exists })
            }
            Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::IsTrue(_)
            | Expr::IsNotTrue(_)
            | Expr::IsFalse(_)
            | Expr::IsNotFalse(_)
            | Expr::In { .. }
            | Expr::Between { .. }
            | Expr::Like { .. } => self.predicate(expression),
            refused => Err(refusal(refused)),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expr) -> Result<Expression, SqlReason> {
        match operator {
            UnaryOperator::Not => Ok(Expression::Not(self.operand(operand, Strength::Logic)?)),
            // Engines read a minus and the digits after it together: -9223372036854775808 is
            // exact, -+9223372036854775808 is not.
            UnaryOperator::Minus if is_plus(operand) => Err(SqlReason::Operator),
            UnaryOperator::Minus => Ok(Expression::Negate(self.operand(operand, Strength::Sign)?)),
            UnaryOperator::Plus => {
                let number = self.expression(operand)?;
                let is_number = matches!(number, Expression::Literal(Literal::Number(_)));
                if is_number { Ok(number) } else { Err(SqlReason::Operator) }
            }
            UnaryOperator::AtDashAt
            | UnaryOperator::BangNot
            | UnaryOperator::BitwiseNot
            | UnaryOperator::DoubleAt
            | UnaryOperator::Hash
            | UnaryOperator::PGAbs
            | UnaryOperator::PGCubeRoot
            | UnaryOperator::PGPostfixFactorial
            | UnaryOperator::PGPrefixFactorial
            | UnaryOperator::PGSquareRoot
            | UnaryOperator::QuestionDash
            | UnaryOperator::QuestionPipe => Err(SqlReason::Operator),
        }
    }

    fn binary(
        &mut self,
        left: &Expr,
        operator: &BinaryOperator,
        right: &Expr,
    ) -> Result<Expression, SqlReason> {
        if let Some(chain) = chain::binary(operator) {
            return self.chain(chain, left, right);
        }
        if let Some(operator) = arithmetic(operator) {
            let left = self.operand(left, Strength::Arithmetic)?;
            return Ok(Expression::Arithmetic(
                operator,
                left,
                self.operand(right, Strength::Arithmetic)?,
            ));
        }
        let operator = comparison(operator).ok_or(SqlReason::Operator)?;
        let left = self.operand(left, Strength::Comparison)?;
        Ok(Expression::Compare(operator, left, self.operand(right, Strength::Comparison)?))
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[CaseWhen],
        otherwise: Option<&Expr>,
    ) -> Result<Expression, SqlReason> {
        bounded(conditions, BRANCHES_MAX)?;
        let operand = operand.map(|operand| self.expression(operand).map(Box::new)).transpose()?;
        let branches = conditions.iter().map(|CaseWhen { condition, result }| {
            Ok(Branch { condition: self.expression(condition)?, result: self.expression(result)? })
        });
        let branches = branches.collect::<Result<Vec<_>, SqlReason>>()?;
        let otherwise =
            otherwise.map(|otherwise| self.expression(otherwise).map(Box::new)).transpose()?;
        if branches.is_empty() {
            return Err(SqlReason::Syntax);
        }
        Ok(Expression::Case { operand, branches, otherwise })
    }
}

/// Whether an expression is `+ operand`, perhaps in parentheses.
fn is_plus(expression: &Expr) -> bool {
    matches!(chain::plain(expression), Expr::UnaryOp { op: UnaryOperator::Plus, expr: _ })
}

/// Our arithmetic operator for the parser's.
#[expect(clippy::wildcard_enum_match_arm, reason = "other operators are no arithmetic")]
const fn arithmetic(operator: &BinaryOperator) -> Option<Arithmetic> {
    match operator {
        BinaryOperator::Plus => Some(Arithmetic::Add),
        BinaryOperator::Minus => Some(Arithmetic::Subtract),
        BinaryOperator::Multiply => Some(Arithmetic::Multiply),
        BinaryOperator::Divide => Some(Arithmetic::Divide),
        BinaryOperator::Modulo => Some(Arithmetic::Remainder),
        _ => None,
    }
}

/// Our comparison operator for the parser's.
#[expect(clippy::wildcard_enum_match_arm, reason = "other operators are refused")]
const fn comparison(operator: &BinaryOperator) -> Option<Comparison> {
    match operator {
        BinaryOperator::Eq => Some(Comparison::Equal),
        BinaryOperator::NotEq => Some(Comparison::NotEqual),
        BinaryOperator::Lt => Some(Comparison::Less),
        BinaryOperator::LtEq => Some(Comparison::LessOrEqual),
        BinaryOperator::Gt => Some(Comparison::Greater),
        BinaryOperator::GtEq => Some(Comparison::GreaterOrEqual),
        _ => None,
    }
}

/// Why a kind of expression is refused. Every kind of the parser is named here or converted, so a
/// new one stops the build.
const fn refusal(expression: &Expr) -> SqlReason {
    match expression {
        Expr::Cast { .. }
        | Expr::Convert { .. }
        | Expr::TypedString(_)
        | Expr::Interval(_)
        | Expr::Extract { .. }
        | Expr::AtTimeZone { .. } => SqlReason::Cast,
        Expr::Prefixed { .. } => SqlReason::StringForm,
        Expr::Collate { .. } => SqlReason::Collation,
        Expr::ILike { .. }
        | Expr::SimilarTo { .. }
        | Expr::RLike { .. }
        | Expr::AnyOp { .. }
        | Expr::AllOp { .. }
        | Expr::IsDistinctFrom(_, _)
        | Expr::IsNotDistinctFrom(_, _)
        | Expr::IsUnknown(_)
        | Expr::IsNotUnknown(_)
        | Expr::IsJson { .. }
        | Expr::IsNormalized { .. }
        | Expr::MemberOf(_)
        | Expr::OuterJoin(_)
        | Expr::Prior(_) => SqlReason::Operator,
        Expr::Ceil { .. }
        | Expr::Floor { .. }
        | Expr::Position { .. }
        | Expr::Substring { .. }
        | Expr::Trim { .. }
        | Expr::Overlay { .. }
        | Expr::MatchAgainst { .. } => SqlReason::Function,
        Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_) => SqlReason::GroupingSets,
        Expr::Wildcard(_) | Expr::QualifiedWildcard(_, _) => SqlReason::Wildcard,
        Expr::CompoundFieldAccess { .. }
        | Expr::JsonAccess { .. }
        | Expr::Nested(_)
        | Expr::Tuple(_)
        | Expr::Struct { .. }
        | Expr::Named { .. }
        | Expr::Dictionary(_)
        | Expr::Map(_)
        | Expr::Array(_)
        | Expr::Lambda(_)
        // These are converted before anybody asks for a refusal.
        | Expr::Value(_)
        | Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::UnaryOp { .. }
        | Expr::BinaryOp { .. }
        | Expr::Function(_)
        | Expr::Case { .. }
        | Expr::Subquery(_)
        | Expr::Exists { .. }
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::In { .. }
        | Expr::Between { .. }
        | Expr::Like { .. } => SqlReason::Expression,
    }
}
