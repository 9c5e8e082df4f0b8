//! From lexemes to the parser's tree. The parser never sees the text itself.

use super::lex::{Lexeme, Symbol, mysql_family};
use super::limits::{PARSER_RECURSION_MAX, PARSER_STACK_BYTES};
use super::trace;
use crate::reason::SqlReason;
use crate::value::Engine;
use sqlparser::ast::{Query, Statement};
use sqlparser::dialect::{Dialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

/// A tree, or why there is none and where the parser stopped.
type Read<T> = Result<T, (SqlReason, Span)>;

/// The tree of exactly one query.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method is for one lifetime")]
pub(super) fn query(lexemes: &[Lexeme], dialect: Engine) -> Read<Box<Query>> {
    whole(lexemes, dialect, |parser| parser.parse_query())
}

/// The tree of exactly one statement.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method is for one lifetime")]
pub(super) fn statement(lexemes: &[Lexeme], dialect: Engine) -> Read<Statement> {
    whole(lexemes, dialect, |parser| parser.parse_statement())
}

/// What is read from all of the lexemes.
fn whole<T>(
    lexemes: &[Lexeme],
    dialect: Engine,
    read: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>,
) -> Read<T> {
    let grammar: &dyn Dialect = match dialect {
        Engine::Sqlite => &SQLiteDialect {},
        Engine::Postgres => &PostgreSqlDialect {},
        Engine::Mysql | Engine::Mariadb => &MySqlDialect {},
    };
    // It holds for the process; nothing else of ours has it.
    recursive::set_minimum_stack_size(PARSER_STACK_BYTES);
    let tokens = lexemes.iter().enumerate().map(|(number, lexeme)| TokenWithSpan {
        token: token(lexeme, dialect),
        span: trace::span_of(number),
    });
    let mut parser = Parser::new(grammar)
        .with_recursion_limit(PARSER_RECURSION_MAX)
        .with_tokens_with_locations(tokens.collect());
    let tree = read(&mut parser);
    let stopped = parser.peek_token_ref();
    match tree {
        Ok(tree) if stopped.token == Token::EOF => Ok(tree),
        Ok(_) => Err((SqlReason::Syntax, stopped.span)),
        Err(error) => Err((refusal(&error), stopped.span)),
    }
}

/// Our static word for the parser's error.
const fn refusal(error: &ParserError) -> SqlReason {
    match error {
        ParserError::RecursionLimitExceeded => SqlReason::TooDeep,
        ParserError::TokenizerError(_) | ParserError::ParserError(_) => SqlReason::Syntax,
    }
}

/// The parser's token for a lexeme.
fn token(lexeme: &Lexeme, dialect: Engine) -> Token {
    match lexeme {
        Lexeme::Word(word) => Token::make_word(word, None),
        Lexeme::Quoted(name) => {
            Token::make_word(name, Some(if mysql_family(dialect) { '`' } else { '"' }))
        }
        Lexeme::Text(text) => Token::SingleQuotedString(text.clone()),
        Lexeme::Number(number) => Token::Number(number.clone(), false),
        Lexeme::Symbol(symbol) => punctuation(*symbol),
    }
}

const fn punctuation(symbol: Symbol) -> Token {
    match symbol {
        Symbol::Comma => Token::Comma,
        Symbol::Period => Token::Period,
        Symbol::Open => Token::LParen,
        Symbol::Close => Token::RParen,
        Symbol::Semicolon => Token::SemiColon,
        Symbol::Plus => Token::Plus,
        Symbol::Minus => Token::Minus,
        Symbol::Star => Token::Mul,
        Symbol::Slash => Token::Div,
        Symbol::Percent => Token::Mod,
        Symbol::Equal => Token::Eq,
        Symbol::NotEqual => Token::Neq,
        Symbol::Less => Token::Lt,
        Symbol::LessOrEqual => Token::LtEq,
        Symbol::Greater => Token::Gt,
        Symbol::GreaterOrEqual => Token::GtEq,
        Symbol::Concatenate => Token::StringConcat,
    }
}
