//! IS, LIKE, BETWEEN and IN.

use super::chain::Strength;
use super::{Converter, bounded, require};
use crate::reason::SqlReason;
use crate::sql::expression::{Expression, Literal, State};
use crate::sql::lex::mysql_family;
use crate::sql::limits::{IN_ITEMS_MAX, PATTERN_BYTES_MAX, PATTERNS_BYTES_MAX};
use crate::value::Engine;
use sqlparser::ast::{Expr, InTarget, SetExpr, Value, ValueWithSpan};

impl Converter {
    /// A predicate in words.
    #[expect(clippy::wildcard_enum_match_arm, reason = "anything else is refused")]
    pub(super) fn predicate(&mut self, predicate: &Expr) -> Result<Expression, SqlReason> {
        match predicate {
            Expr::IsNull(operand) => self.is(operand, State::Null, false),
            Expr::IsNotNull(operand) => self.is(operand, State::Null, true),
            Expr::IsTrue(operand) => self.is(operand, State::True, false),
            Expr::IsNotTrue(operand) => self.is(operand, State::True, true),
            Expr::IsFalse(operand) => self.is(operand, State::False, false),
            Expr::IsNotFalse(operand) => self.is(operand, State::False, true),
            Expr::In { expr, target, negated, global } => {
                require(!global, SqlReason::Expression)?;
                self.in_list(expr, target, *negated)
            }
            Expr::Between { expr, negated, low, high } => Ok(Expression::Between {
                operand: self.operand(expr, Strength::Comparison)?,
                low: self.operand(low, Strength::Comparison)?,
                high: self.operand(high, Strength::Comparison)?,
                negated: *negated,
            }),
            Expr::Like { negated, any, expr, pattern, escape_char } => {
                require(!any, SqlReason::Operator)?;
                Ok(Expression::Like {
                    operand: self.operand(expr, Strength::Comparison)?,
                    pattern: self.pattern(pattern)?,
                    escape: escape_char.as_deref().map(|text| self.escape(text)).transpose()?,
                    negated: *negated,
                })
            }
            _ => Err(SqlReason::Expression),
        }
    }

    fn is(&mut self, operand: &Expr, state: State, negated: bool) -> Result<Expression, SqlReason> {
        Ok(Expression::Is { operand: self.operand(operand, Strength::Comparison)?, state, negated })
    }

    fn in_list(
        &mut self,
        operand: &Expr,
        target: &InTarget,
        negated: bool,
    ) -> Result<Expression, SqlReason> {
        let items = match target {
            InTarget::List(items) => items,
            InTarget::Subquery(query) => {
                // In more parentheses it is a list of one value on SQLite, and so its first row alone.
                let is_value = matches!(*query.body, SetExpr::Query(_));
                require(!is_value || self.dialect != Engine::Sqlite, SqlReason::AmbiguousGrouping)?;
                let operand = self.operand(operand, Strength::Comparison)?;
                let query = self.inner_values(query)?;
                return Ok(Expression::InQuery { operand, query, negated });
            }
            InTarget::Table { name: _, args: _ } => return Err(SqlReason::Subquery),
            InTarget::Unnest(_) => return Err(SqlReason::TableFunction),
        };
        require(!items.is_empty(), SqlReason::Expression)?;
        bounded(items, IN_ITEMS_MAX)?;
        Ok(Expression::In {
            operand: self.operand(operand, Strength::Comparison)?,
            items: items.iter().map(|item| self.expression(item)).collect::<Result<_, _>>()?,
            negated,
        })
    }

    fn pattern(&mut self, pattern: &Expr) -> Result<Box<Expression>, SqlReason> {
        let pattern = self.operand(pattern, Strength::Comparison)?;
        let bytes = if let Expression::Literal(Literal::Text(text)) = &*pattern {
            text.len()
        } else {
            PATTERN_BYTES_MAX
        };
        require(bytes <= PATTERN_BYTES_MAX, SqlReason::LiteralTooLong)?;
        self.pattern_bytes = self.pattern_bytes.saturating_add(bytes);
        require(self.pattern_bytes <= PATTERNS_BYTES_MAX, SqlReason::TooManyParts)?;
        Ok(pattern)
    }

    /// An escape character that no setting or engine reads in another way. MySQL and MariaDB
    /// read a backslash by a setting.
    fn escape(&self, expression: &Expr) -> Result<char, SqlReason> {
        let Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(text), span: _ }) =
            expression
        else {
            return Err(SqlReason::EscapeCharacter);
        };
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some('\\'), None) if mysql_family(self.dialect) => Err(SqlReason::EscapeCharacter),
            (Some(only), None) if only.is_ascii_graphic() && !matches!(only, '\'' | '%' | '_') => {
                Ok(only)
            }
            _ => Err(SqlReason::EscapeCharacter),
        }
    }
}
