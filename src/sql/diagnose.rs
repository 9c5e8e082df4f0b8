//! A better reason for a text that the parser could not read.
//!
//! Only reached after a refusal: nothing here can accept a statement.

use super::lex::Lexeme;
use super::opening::Opens;
use crate::reason::SqlReason;

/// The most telling reason for an unreadable text.
pub(super) fn reason(lexemes: &[Lexeme], kind: Opens) -> SqlReason {
    // The first word is the statement itself.
    let numbers = 1..lexemes.len();
    numbers.into_iter().find_map(|at| telling(lexemes, at, kind)).unwrap_or(SqlReason::Syntax)
}

/// What the word in one place says about a refused text.
pub(super) fn telling(lexemes: &[Lexeme], at: usize, kind: Opens) -> Option<SqlReason> {
    let word = word_at(lexemes, Some(at))?;
    let before = word_at(lexemes, at.checked_sub(1)).unwrap_or_default();
    match kind {
        Opens::Write if is_part_of_write(&word) => None,
        Opens::Write => in_write(&word).or_else(|| in_any(&word, &before)),
        Opens::Read => in_any(&word, &before),
    }
}

/// A word in small letters; none for anything that is no plain word.
fn word_at(lexemes: &[Lexeme], at: Option<usize>) -> Option<String> {
    match lexemes.get(at?)? {
        Lexeme::Word(word) => Some(word.to_ascii_lowercase()),
        Lexeme::Quoted(_) | Lexeme::Text(_) | Lexeme::Number(_) | Lexeme::Symbol(_) => None,
    }
}

/// Words that every write has.
fn is_part_of_write(word: &str) -> bool {
    matches!(word, "into" | "from" | "update" | "set" | "values")
}

/// What a word says in a write, where it says something else than in a read.
fn in_write(word: &str) -> Option<SqlReason> {
    match word {
        "select" | "with" | "exists" | "union" => Some(SqlReason::Subquery),
        "current" | "returning" | "conflict" | "duplicate" | "using" | "as" | "ignore"
        | "low_priority" | "high_priority" | "delayed" | "quick" | "partition" | "overriding"
        | "only" | "replace" | "limit" | "order" | "indexed" => Some(SqlReason::TableWriteClause),
        _ => None,
    }
}

/// What a word says wherever it stands, with the word before it.
fn in_any(word: &str, before: &str) -> Option<SqlReason> {
    match word {
        "recursive" => Some(SqlReason::RecursiveCommonTable),
        "insert" | "delete" | "merge" | "returning" => Some(SqlReason::WriteStatement),
        "into" if matches!(before, "insert" | "replace") => Some(SqlReason::WriteStatement),
        "update" if before != "for" && before != "key" => Some(SqlReason::WriteStatement),
        "table" | "values" => Some(SqlReason::ValuesStatement),
        "into" | "outfile" | "dumpfile" => Some(SqlReason::Into),
        "lock" | "share" | "update" => Some(SqlReason::RowLock),
        "minus" => Some(SqlReason::SetOperation),
        "over" | "window" | "qualify" => Some(SqlReason::Window),
        "filter" | "within" | "separator" => Some(SqlReason::FunctionClause),
        "cast" | "convert" | "interval" | "binary" => Some(SqlReason::Cast),
        "collate" => Some(SqlReason::Collation),
        "lateral" | "apply" => Some(SqlReason::Lateral),
        "tablesample" | "only" | "partition" | "indexed" | "use" | "force" | "ignore"
        | "system_time" => Some(SqlReason::TableModifier),
        "unnest" | "ordinality" | "json_table" | "xmltable" => Some(SqlReason::TableFunction),
        "materialized"
        | "straight_join"
        | "high_priority"
        | "sql_cache"
        | "sql_no_cache"
        | "sql_calc_found_rows" => Some(SqlReason::Hint),
        "fetch" | "top" | "examined" => Some(SqlReason::FetchClause),
        "procedure" => Some(SqlReason::Clause),
        "rollup" | "cube" | "grouping" => Some(SqlReason::GroupingSets),
        "div" | "mod" | "xor" | "rlike" | "regexp" | "glob" | "match" | "similar" | "sounds"
        | "member" | "any" | "some" | "symmetric" => Some(SqlReason::Operator),
        "natural" => Some(SqlReason::NaturalJoin),
        _ => None,
    }
}
