//! Unquoted words, and the strings that a word is the prefix of.

use super::character::continues_word;
use super::cursor::Cursor;
use super::{Lexeme, mysql_family, quoted};
use crate::reason::SqlReason;
use crate::value::Engine;

/// Words that make another kind of string of the string that touches them.
const STRING_PREFIXES: [&str; 8] = ["b", "e", "n", "q", "nq", "r", "u", "x"];

/// Reads a word, or PostgreSQL's `E'…'`.
pub(super) fn read(cursor: &mut Cursor<'_>, dialect: Engine) -> Result<Lexeme, SqlReason> {
    let word = cursor.take_while(continues_word);
    let quote_follows = matches!(cursor.peek(), Some('\'' | '"'));
    if dialect == Engine::Postgres && word.eq_ignore_ascii_case("e") && cursor.peek() == Some('\'')
    {
        return quoted::escaped_text(cursor);
    }
    let is_prefix = STRING_PREFIXES.iter().any(|prefix| word.eq_ignore_ascii_case(prefix));
    let introducer = mysql_family(dialect) && word.starts_with('_');
    if quote_follows && (is_prefix || introducer) {
        return Err(SqlReason::StringForm);
    }
    if word.eq_ignore_ascii_case("u") && (cursor.starts_with("&'") || cursor.starts_with("&\"")) {
        return Err(SqlReason::StringForm);
    }
    if refused_operators(dialect).iter().any(|operator| word.eq_ignore_ascii_case(operator)) {
        return Err(SqlReason::Operator);
    }
    Ok(Lexeme::Word(word))
}

/// Words that are operators in the dialect and are refused before parsing: the parser reads some
/// differently from the engine, and for others it copies everything before them each time.
const fn refused_operators(dialect: Engine) -> &'static [&'static str] {
    match dialect {
        Engine::Sqlite => &["isnull", "notnull", "glob", "regexp", "match"],
        Engine::Postgres => &["isnull", "notnull"],
        Engine::Mysql | Engine::Mariadb => &["isnull", "notnull", "div"],
    }
}
