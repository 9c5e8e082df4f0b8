//! Counts lexemes while they are read, so that no text can exhaust the parser.

use super::{Lexeme, Symbol};
use crate::reason::SqlReason;
use crate::sql::limits::{ALIASES_MAX, CHAIN_LEXEMES_MAX, LEXEMES_MAX, PARENTHESES_MAX};

/// What was read so far.
#[derive(Default)]
pub(super) struct Count {
    lexemes: usize,
    chain: usize,
    parentheses: usize,
    joins: usize,
}

impl Count {
    /// Adds one lexeme, or says which bound it breaks.
    pub(super) fn add(&mut self, lexeme: &Lexeme) -> Result<(), SqlReason> {
        self.lexemes += 1;
        match lexeme {
            Lexeme::Word(word) => {
                self.chain += 1;
                self.joins += usize::from(word.eq_ignore_ascii_case("join"));
            }
            Lexeme::Symbol(Symbol::Open) => self.parentheses += 1,
            Lexeme::Symbol(Symbol::Close) => self.parentheses = self.parentheses.saturating_sub(1),
            Lexeme::Symbol(Symbol::Comma | Symbol::Period | Symbol::Semicolon)
            | Lexeme::Quoted(_)
            | Lexeme::Text(_)
            | Lexeme::Number(_) => {}
            Lexeme::Symbol(_) => self.chain += 1,
        }
        if self.lexemes > LEXEMES_MAX || self.chain > CHAIN_LEXEMES_MAX {
            return Err(SqlReason::TooManyTokens);
        }
        if self.parentheses > PARENTHESES_MAX {
            return Err(SqlReason::TooDeep);
        }
        if self.joins >= ALIASES_MAX {
            return Err(SqlReason::TooManyAliases);
        }
        Ok(())
    }
}
