//! Punctuation and operators. Operators are read as the longest run of operator characters, as
//! PostgreSQL does, so that none hides inside another.

use super::Lexeme;
use super::cursor::Cursor;
use crate::reason::SqlReason;
use crate::value::Engine;

/// Punctuation and operators that a statement can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sql) enum Symbol {
    /// `,`
    Comma,
    /// `.`
    Period,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Semicolon,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `=`
    Equal,
    /// `<>` and `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `||`
    Concatenate,
}

/// Operators by their spelling.
const OPERATORS: [(&str, Symbol); 13] = [
    ("+", Symbol::Plus),
    ("-", Symbol::Minus),
    ("*", Symbol::Star),
    ("/", Symbol::Slash),
    ("%", Symbol::Percent),
    ("=", Symbol::Equal),
    ("<>", Symbol::NotEqual),
    ("!=", Symbol::NotEqual),
    ("<", Symbol::Less),
    ("<=", Symbol::LessOrEqual),
    (">", Symbol::Greater),
    (">=", Symbol::GreaterOrEqual),
    ("||", Symbol::Concatenate),
];

/// Longest run of operator characters that is looked at: signs may follow an operator, and each
/// look starts again after the first of them.
const RUN_MAX: usize = 16;

/// Reads one symbol that starts with `first`.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    first: char,
    dialect: Engine,
) -> Result<Lexeme, SqlReason> {
    let punctuation = match first {
        ',' => Some(Symbol::Comma),
        '.' => Some(Symbol::Period),
        '(' => Some(Symbol::Open),
        ')' => Some(Symbol::Close),
        ';' => Some(Symbol::Semicolon),
        _ => None,
    };
    if let Some(symbol) = punctuation {
        cursor.advance();
        return Ok(Lexeme::Symbol(symbol));
    }
    match first {
        ':' if cursor.peek_second() == Some(':') => Err(SqlReason::Cast),
        '?' | ':' => Err(SqlReason::Placeholder),
        '$' if cursor.peek_second().is_some_and(|second| second.is_ascii_digit()) => {
            Err(SqlReason::Placeholder)
        }
        '$' => Err(SqlReason::StringForm),
        '@' => Err(SqlReason::Variable),
        '[' | ']' => Err(SqlReason::Bracket),
        '{' | '}' => Err(SqlReason::Brace),
        _ if is_operator(first) => operator(cursor, dialect),
        _ => Err(SqlReason::UnusualCharacter),
    }
}

/// Reads one operator and leaves signs that follow it.
fn operator(cursor: &mut Cursor<'_>, dialect: Engine) -> Result<Lexeme, SqlReason> {
    let run = peek_run(cursor, dialect);
    if run.len() >= RUN_MAX {
        return Err(SqlReason::Operator);
    }
    let without_signs = run.trim_end_matches(['+', '-']);
    let sign_is_part =
        dialect == Engine::Postgres && run.contains(['~', '!', '%', '^', '&', '|', '`']);
    let written = if without_signs.is_empty() {
        run.get(..1).unwrap_or_default()
    } else if sign_is_part {
        run.as_str()
    } else {
        without_signs
    };
    if written == "==" && dialect == Engine::Sqlite {
        cursor.advance();
        cursor.advance();
        return Ok(Lexeme::Symbol(Symbol::Equal));
    }
    let found = OPERATORS.iter().find(|(spelling, _)| *spelling == written);
    let refusal = if run.contains('?') { SqlReason::Placeholder } else { SqlReason::Operator };
    let (spelling, symbol) = found.ok_or(refusal)?;
    for _ in spelling.chars() {
        cursor.advance();
    }
    Ok(Lexeme::Symbol(*symbol))
}

/// The run of operator characters from here, up to a comment.
fn peek_run(cursor: &Cursor<'_>, dialect: Engine) -> String {
    let postgres_only =
        |character| dialect == Engine::Postgres && matches!(character, '#' | '@' | '?' | '`');
    let mut ahead = cursor.clone();
    let mut run = String::new();
    while let Some(character) =
        ahead.peek().filter(|next| is_operator(*next) || postgres_only(*next))
    {
        if run.len() >= RUN_MAX || ahead.starts_with("--") || ahead.starts_with("/*") {
            break;
        }
        run.push(character);
        ahead.advance();
    }
    run
}

/// Characters that operators are made of.
const fn is_operator(character: char) -> bool {
    matches!(character, '+' | '-' | '*' | '/' | '<' | '>' | '=' | '~' | '!' | '%' | '^' | '&' | '|')
}
