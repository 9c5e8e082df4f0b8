//! Numbers: `digits[.digits][e[+-]digits]`, kept exactly as text.

use super::cursor::Cursor;
use super::{Lexeme, character};
use crate::reason::SqlReason;
use crate::sql::limits::{EXPONENT_MAX, NUMBER_DIGITS_MAX};

/// Reads a number that starts with a digit.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Lexeme, SqlReason> {
    let mut number = digits(cursor);
    if cursor.peek() == Some('.') {
        cursor.advance();
        let fraction = digits(cursor);
        if fraction.is_empty() {
            return Err(SqlReason::NumberForm);
        }
        number.push('.');
        number.push_str(&fraction);
    }
    if number.len() > NUMBER_DIGITS_MAX {
        return Err(SqlReason::LiteralTooLong);
    }
    if matches!(cursor.peek(), Some('e' | 'E')) {
        cursor.advance();
        number.push_str(&exponent(cursor)?);
    }
    let joined = cursor.peek().is_some_and(|next| next == '.' || character::continues_word(next));
    if joined { Err(SqlReason::NumberForm) } else { Ok(Lexeme::Number(number)) }
}

/// Reads what follows the letter `e`, in one spelling.
fn exponent(cursor: &mut Cursor<'_>) -> Result<String, SqlReason> {
    let mut written = String::from("e");
    if let Some(sign @ ('+' | '-')) = cursor.peek() {
        cursor.advance();
        if sign == '-' {
            written.push('-');
        }
    }
    let digits = digits(cursor);
    if digits.is_empty() {
        return Err(SqlReason::NumberForm);
    }
    match digits.parse::<u32>() {
        Ok(value) if value <= EXPONENT_MAX => {
            written.push_str(&value.to_string());
            Ok(written)
        }
        Ok(_) | Err(_) => Err(SqlReason::LiteralTooLong),
    }
}

/// Reads ASCII digits.
fn digits(cursor: &mut Cursor<'_>) -> String {
    cursor.take_while(|character| character.is_ascii_digit())
}
