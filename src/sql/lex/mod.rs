//! From text to lexemes: the only place that reads characters of a statement.
//!
//! The parser receives these lexemes and never the text, so no form that is not named here
//! (prefix strings, placeholders, variables, executable comments, operators of other systems)
//! can reach it. What never lives here: what a sequence of lexemes means.

mod character;
mod comment;
mod count;
mod cursor;
mod number;
mod quoted;
mod symbol;
mod word;

pub(super) use character::{bad_in_name, bad_in_text};
pub(super) use symbol::Symbol;

use super::limits::SQL_BYTES_MAX;
use crate::reason::SqlReason;
use crate::value::Engine;
use count::Count;
use cursor::Cursor;

/// The smallest meaningful part of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    /// An unquoted keyword or name, as written.
    Word(String),
    /// A quoted name, without its quotes and with doubled quotes made single.
    Quoted(String),
    /// A string literal: the text it means.
    Text(String),
    /// An unsigned number, as written.
    Number(String),
    /// Punctuation or an operator.
    Symbol(Symbol),
}

/// Reads the lexemes of `text`; comments and spaces are gone afterwards. Where each begins goes to
/// `offsets`; if one is refused, it is the last there.
pub(super) fn read(
    text: &str,
    dialect: Engine,
    offsets: &mut Vec<usize>,
) -> Result<Vec<Lexeme>, SqlReason> {
    if text.len() > SQL_BYTES_MAX {
        return Err(SqlReason::TooLong);
    }
    if text.contains('\0') {
        return Err(SqlReason::NulCharacter);
    }
    let mut cursor = Cursor::new(text);
    let mut count = Count::default();
    let mut lexemes = Vec::new();
    while let Some(first) = cursor.peek() {
        if matches!(first, ' ' | '\t' | '\n' | '\r') {
            cursor.advance();
            continue;
        }
        offsets.push(cursor.offset(text));
        if comment::skip(&mut cursor, dialect)? {
            offsets.pop();
            continue;
        }
        let lexeme = next(&mut cursor, first, dialect)?;
        match (lexemes.last(), &lexeme) {
            (Some(Lexeme::Text(_)), Lexeme::Text(_)) => return Err(SqlReason::AdjacentStrings),
            (Some(Lexeme::Symbol(Symbol::Period)), Lexeme::Word(_)) => {}
            (_, Lexeme::Word(word)) => word::check(word, dialect)?,
            (_, _) => {}
        }
        count.add(&lexeme)?;
        lexemes.push(lexeme);
    }
    Ok(lexemes)
}

/// Reads one lexeme that starts with `first`.
fn next(cursor: &mut Cursor<'_>, first: char, dialect: Engine) -> Result<Lexeme, SqlReason> {
    match first {
        '\'' => quoted::text(cursor, '\'', dialect),
        '"' if mysql_family(dialect) => quoted::text(cursor, '"', dialect),
        '"' => quoted::name(cursor, '"'),
        '`' if dialect != Engine::Postgres => quoted::name(cursor, '`'),
        '0'..='9' => number::read(cursor),
        '.' if cursor.peek_second().is_some_and(|second| second.is_ascii_digit()) => {
            Err(SqlReason::NumberForm)
        }
        _ if character::starts_word(first) => word::read(cursor, dialect),
        _ => symbol::read(cursor, first, dialect),
    }
}

/// Whether the dialect is one of the two that descend from MySQL.
pub(super) const fn mysql_family(dialect: Engine) -> bool {
    match dialect {
        Engine::Mysql | Engine::Mariadb => true,
        Engine::Sqlite | Engine::Postgres => false,
    }
}
