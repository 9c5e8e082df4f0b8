//! From the parser's tree to the typed statement.
//!
//! Every struct of the parser is taken apart field by field, without `..`, so that a new field
//! of a new parser stops the build instead of being ignored. What never lives here: writing.

mod body;
mod chain;
mod common;
mod expression;
mod function;
mod key;
mod literal;
mod name;
mod place;
mod predicate;
mod projection;
mod query;
mod select;
mod source;
mod write;

pub(super) use query::query;
pub(super) use write::write;

use super::limits::{EXPRESSION_DEPTH_MAX, EXPRESSION_NODES_MAX};
use crate::reason::SqlReason;
use crate::value::Engine;
use sqlparser::tokenizer::Span;

/// Converts the parts of one statement and counts them.
struct Converter {
    dialect: Engine,
    /// Whether the statement writes: then it has no query inside.
    is_write: bool,
    nodes: usize,
    depth: usize,
    queries: usize,
    pattern_bytes: usize,
    /// The innermost part that was refused.
    refused: Option<Span>,
}

impl Converter {
    const fn new(dialect: Engine) -> Self {
        Self {
            dialect,
            is_write: false,
            nodes: 0,
            depth: 0,
            queries: 0,
            pattern_bytes: 0,
            refused: None,
        }
    }

    /// Runs `convert` for one more expression, one level deeper.
    fn deeper<T>(
        &mut self,
        convert: impl FnOnce(&mut Self) -> Result<T, SqlReason>,
    ) -> Result<T, SqlReason> {
        self.nodes += 1;
        self.depth += 1;
        if self.nodes > EXPRESSION_NODES_MAX {
            return Err(SqlReason::TooManyParts);
        }
        if self.depth > EXPRESSION_DEPTH_MAX {
            return Err(SqlReason::TooDeep);
        }
        let converted = convert(self);
        self.depth -= 1;
        converted
    }
}

/// Why a tree has no typed statement, and where the refused part begins.
pub(super) type Refused = (SqlReason, Option<Span>);

/// Refuses with `reason` unless `absent` holds.
fn require(absent: bool, reason: SqlReason) -> Result<(), SqlReason> {
    if absent { Ok(()) } else { Err(reason) }
}

/// Refuses lists longer than `most`.
fn bounded<T>(items: &[T], most: usize) -> Result<(), SqlReason> {
    require(items.len() <= most, SqlReason::TooManyParts)
}
