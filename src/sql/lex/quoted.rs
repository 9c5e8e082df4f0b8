//! Strings and quoted names: what stands between two quote characters.
//!
//! Only forms with one meaning under every server setting are read. A backslash has two
//! meanings in strings of MySQL and MariaDB (`NO_BACKSLASH_ESCAPES`), so it is refused there.

use super::cursor::Cursor;
use super::{Lexeme, bad_in_name, bad_in_text, mysql_family};
use crate::reason::SqlReason;
use crate::sql::limits::STRING_BYTES_MAX;
use crate::value::Engine;

/// Reads a string literal; the cursor stands on its first quote.
pub(super) fn text(
    cursor: &mut Cursor<'_>,
    quote: char,
    dialect: Engine,
) -> Result<Lexeme, SqlReason> {
    let refused = mysql_family(dialect).then_some('\\');
    checked(between(cursor, quote, refused)?)
}

/// Reads PostgreSQL's `E'…'` after its letter, as far as it is another spelling of a plain
/// string: `''` for a quote and `\\` for a backslash. Our own writer uses it for backslashes.
pub(super) fn escaped_text(cursor: &mut Cursor<'_>) -> Result<Lexeme, SqlReason> {
    cursor.advance();
    let mut content = String::new();
    while let Some(character) = cursor.advance() {
        match (character, cursor.peek()) {
            ('\\', Some('\\')) | ('\'', Some('\'')) => {
                cursor.advance();
                content.push(character);
            }
            ('\\', _) => return Err(SqlReason::StringForm),
            ('\'', _) => return checked(content),
            (other, _) => content.push(other),
        }
    }
    Err(SqlReason::Unterminated)
}

/// Reads a quoted name; the cursor stands on its first quote.
pub(super) fn name(cursor: &mut Cursor<'_>, quote: char) -> Result<Lexeme, SqlReason> {
    let content = between(cursor, quote, None)?;
    if content.is_empty() || content.chars().any(bad_in_name) {
        return Err(SqlReason::NameForm);
    }
    Ok(Lexeme::Quoted(content))
}

/// What stands between quotes, with doubled quotes made single, and without a refused backslash.
fn between(
    cursor: &mut Cursor<'_>,
    quote: char,
    refused: Option<char>,
) -> Result<String, SqlReason> {
    cursor.advance();
    let mut content = String::new();
    while let Some(character) = cursor.advance() {
        if refused == Some(character) {
            return Err(SqlReason::Backslash);
        }
        if character != quote {
            content.push(character);
        } else if cursor.peek() == Some(quote) {
            cursor.advance();
            content.push(quote);
        } else {
            return Ok(content);
        }
    }
    Err(SqlReason::Unterminated)
}

/// A string within its bounds.
fn checked(content: String) -> Result<Lexeme, SqlReason> {
    if content.len() > STRING_BYTES_MAX {
        return Err(SqlReason::LiteralTooLong);
    }
    if content.chars().any(bad_in_text) {
        return Err(SqlReason::ControlCharacter);
    }
    Ok(Lexeme::Text(content))
}
