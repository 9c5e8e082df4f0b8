//! Constants.

use super::Converter;
use crate::reason::SqlReason;
use crate::sql::expression::Literal;
use crate::sql::limits::LIMIT_DIGITS_MAX;
use sqlparser::ast::{Expr, Value, ValueWithSpan};

impl Converter {
    /// A constant. SQLite's TRUE is the number 1, but only as the word: `x AND 0` is read as a
    /// position where `x AND FALSE` is not, and a column may be called `true`.
    pub(super) fn literal(value: &ValueWithSpan) -> Result<Literal, SqlReason> {
        let ValueWithSpan { value, span: _ } = value;
        match value {
            Value::Null => Ok(Literal::Null),
            Value::Boolean(truth) => Ok(Literal::Boolean(*truth)),
            Value::Number(number, false) => Ok(Literal::Number(number.clone())),
            Value::Number(_, true) => Err(SqlReason::NumberForm),
            Value::SingleQuotedString(text) => Ok(Literal::Text(text.clone())),
            Value::Placeholder(_) => Err(SqlReason::Placeholder),
            Value::DollarQuotedString(_)
            | Value::TripleSingleQuotedString(_)
            | Value::TripleDoubleQuotedString(_)
            | Value::EscapedStringLiteral(_)
            | Value::UnicodeStringLiteral(_)
            | Value::SingleQuotedByteStringLiteral(_)
            | Value::DoubleQuotedByteStringLiteral(_)
            | Value::TripleSingleQuotedByteStringLiteral(_)
            | Value::TripleDoubleQuotedByteStringLiteral(_)
            | Value::SingleQuotedRawStringLiteral(_)
            | Value::DoubleQuotedRawStringLiteral(_)
            | Value::TripleSingleQuotedRawStringLiteral(_)
            | Value::TripleDoubleQuotedRawStringLiteral(_)
            | Value::NationalStringLiteral(_)
            | Value::QuoteDelimitedStringLiteral(_)
            | Value::NationalQuoteDelimitedStringLiteral(_)
            | Value::HexStringLiteral(_)
            | Value::DoubleQuotedString(_) => Err(SqlReason::StringForm),
        }
    }

    /// The whole number of a LIMIT or OFFSET.
    pub(super) fn row_count(expression: &Expr) -> Result<u64, SqlReason> {
        match whole_number(expression) {
            Some(digits) if digits.len() <= LIMIT_DIGITS_MAX => {
                digits.parse().map_err(|_| SqlReason::LimitNumber)
            }
            Some(_) | None => Err(SqlReason::LimitNumber),
        }
    }
}

/// The digits of a literal without point, exponent or parentheses.
pub(super) fn whole_number(expression: &Expr) -> Option<&str> {
    let Expr::Value(ValueWithSpan { value: Value::Number(number, false), span: _ }) = expression
    else {
        return None;
    };
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(number.as_str())
}
