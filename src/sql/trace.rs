//! Where in a text its refusal comes from: kept beside the proof, never a part of it.
//!
//! The parser is told the number of each lexeme as its line, and gives it back with each part of its tree.

use super::expression::Column;
use super::lex::{Lexeme, Symbol};
use super::name::Name;
use super::opening::Opens;
use super::{convert, diagnose, resolve};
use crate::reason::SqlReason;
use sqlparser::tokenizer::{Location, Span};

/// A refusal, with the place in the text that it comes from as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: SqlReason,
    /// Where.
    pub place: Option<Place>,
}

/// A place in a text, as editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// What is known of the places of one text.
#[derive(Default)]
pub(super) struct Trace {
    /// The first byte of each lexeme; after a refused character, one more.
    pub(super) offsets: Vec<usize>,
    /// The number of the lexeme that is to blame.
    pub(super) blamed: Option<usize>,
}

impl Trace {
    /// Blames the last lexeme that was begun.
    pub(super) const fn blame_last(&mut self) {
        self.blamed = self.offsets.len().checked_sub(1);
    }

    /// Blames the lexeme where a part of the parser's tree begins, or the word nearest to it that says as much
    /// as the reason does.
    fn blame_part(&mut self, span: Option<Span>, lexemes: &[Lexeme], reason: SqlReason) {
        let from = span.and_then(lexeme_of);
        let is_telling = |number: &usize| {
            let mut kinds = [Opens::Read, Opens::Write].into_iter();
            kinds.any(|kind| diagnose::telling(lexemes, *number, kind) == Some(reason))
        };
        let telling = (1..lexemes.len()).filter(is_telling);
        let near = telling.min_by_key(|number| number.abs_diff(from.unwrap_or(0)));
        self.blamed = near.or(from);
    }

    /// Blames the first place where a name stands, with its alias before it or with none.
    fn blame_name(&mut self, column: &Column, lexemes: &[Lexeme]) {
        let is = |lexeme: Option<&Lexeme>, name: &Name| match lexeme {
            Some(Lexeme::Word(word) | Lexeme::Quoted(word)) => name.is(word),
            Some(Lexeme::Text(_) | Lexeme::Number(_) | Lexeme::Symbol(_)) | None => false,
        };
        let is_period = |number: Option<usize>| {
            number.and_then(|number| lexemes.get(number)) == Some(&Lexeme::Symbol(Symbol::Period))
        };
        let is_here = |number: &usize| match &column.alias {
            Some(alias) => {
                is(lexemes.get(*number), alias)
                    && is_period(Some(number + 1))
                    && is(lexemes.get(number + 2), &column.name)
            }
            None => is(lexemes.get(*number), &column.name) && !is_period(number.checked_sub(1)),
        };
        self.blamed = (0..lexemes.len()).find(is_here);
    }

    /// What the parser read; else a reason that says more than that it could not, and where it stopped.
    pub(super) fn parsed<T>(
        &mut self,
        parsed: Result<T, (SqlReason, Span)>,
        lexemes: &[Lexeme],
        kind: Opens,
    ) -> Result<T, SqlReason> {
        parsed.map_err(|(reason, stopped)| {
            let is_unclear = reason == SqlReason::Syntax;
            let told = if is_unclear { diagnose::reason(lexemes, kind) } else { reason };
            let is_told = told != reason;
            self.blame_part(if is_told { None } else { Some(stopped) }, lexemes, told);
            told
        })
    }

    /// What was converted; else the reason, and the part that was refused is to blame.
    pub(super) fn converted<T>(
        &mut self,
        converted: Result<T, convert::Refused>,
        lexemes: &[Lexeme],
    ) -> Result<T, SqlReason> {
        converted.map_err(|(reason, span)| {
            self.blame_part(span, lexemes, reason);
            reason
        })
    }

    /// What was settled; else the reason, and the name that was refused is to blame.
    pub(super) fn resolved<T>(
        &mut self,
        resolved: Result<T, resolve::Refused>,
        lexemes: &[Lexeme],
    ) -> Result<T, SqlReason> {
        resolved.map_err(|(reason, name)| {
            if let Some(name) = name {
                self.blame_name(&name, lexemes);
            }
            reason
        })
    }

    /// The place of what is to blame.
    pub(super) fn place(&self, text: &str) -> Option<Place> {
        let offset = *self.offsets.get(self.blamed?)?;
        let before = text.get(..offset)?;
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        Some(Place { line, column: before.get(line_start..)?.chars().count() + 1 })
    }
}

/// The span by which the parser knows a lexeme.
pub(super) fn span_of(number: usize) -> Span {
    let line = u64::try_from(number).unwrap_or(u64::MAX).saturating_add(1);
    let location = Location { line, column: 1 };
    Span { start: location, end: location }
}

/// The number of the lexeme where a span begins; none if the parser does not know it.
fn lexeme_of(span: Span) -> Option<usize> {
    usize::try_from(span.start.line.checked_sub(1)?).ok()
}
