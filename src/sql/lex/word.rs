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
    Ok(Lexeme::Word(word))
}

/// Refuses a word that is an operator in the dialect; after a period it can only be a name. The
/// parser reads some differently from the engine, and for others it copies everything before
/// them each time.
pub(super) fn check(word: &str, dialect: Engine) -> Result<(), SqlReason> {
    let refused: &[&str] = match dialect {
        Engine::Sqlite => &["isnull", "notnull", "glob", "regexp", "match"],
        Engine::Postgres => &["isnull", "notnull"],
        Engine::Mysql | Engine::Mariadb => &["isnull", "notnull", "div"],
    };
    let is_refused = refused.iter().any(|operator| word.eq_ignore_ascii_case(operator));
    if is_refused { Err(SqlReason::Operator) } else { Ok(()) }
}
