//! Comments: the ones that every server skips are skipped, all others are refused.

use super::cursor::Cursor;
use super::mysql_family;
use crate::reason::SqlReason;
use crate::value::Engine;

/// Passes one comment, if one starts here.
pub(super) fn skip(cursor: &mut Cursor<'_>, dialect: Engine) -> Result<bool, SqlReason> {
    if cursor.starts_with("--") {
        skip_line(cursor, dialect)?;
        return Ok(true);
    }
    if cursor.starts_with("/*") {
        skip_block(cursor)?;
        return Ok(true);
    }
    if cursor.starts_with("#") {
        return Err(SqlReason::HashComment);
    }
    Ok(false)
}

/// Passes `-- …` with its newline.
fn skip_line(cursor: &mut Cursor<'_>, dialect: Engine) -> Result<(), SqlReason> {
    cursor.advance();
    cursor.advance();
    let spaced = cursor.peek().is_none_or(|next| matches!(next, ' ' | '\t' | '\n' | '\r'));
    if mysql_family(dialect) && !spaced {
        return Err(SqlReason::DashComment);
    }
    while let Some(character) = cursor.advance() {
        match character {
            '\n' => return Ok(()),
            '\r' if cursor.peek() != Some('\n') => return Err(SqlReason::CommentCarriageReturn),
            _ => {}
        }
    }
    Ok(())
}

/// Passes `/* … */`.
fn skip_block(cursor: &mut Cursor<'_>) -> Result<(), SqlReason> {
    cursor.advance();
    cursor.advance();
    if cursor.starts_with("!") || cursor.starts_with("M!") || cursor.starts_with("m!") {
        return Err(SqlReason::ExecutableComment);
    }
    if cursor.starts_with("+") {
        return Err(SqlReason::Hint);
    }
    while cursor.peek().is_some() {
        if cursor.starts_with("/*") {
            return Err(SqlReason::NestedComment);
        }
        if cursor.starts_with("*/") {
            cursor.advance();
            cursor.advance();
            return Ok(());
        }
        cursor.advance();
    }
    Err(SqlReason::Unterminated)
}
