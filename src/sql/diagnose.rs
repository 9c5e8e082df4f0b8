//! A better reason for a text that the parser could not read.
//!
//! Only reached after a refusal: nothing here can accept a statement.

use super::lex::Lexeme;
use super::opening::Opens;
use crate::reason::SqlReason;

/// The most telling reason for an unreadable text.
pub(super) fn reason(lexemes: &[Lexeme], kind: Opens) -> SqlReason {
    let mut words = lexemes.iter().filter_map(|lexeme| match lexeme {
        Lexeme::Word(word) => Some(word.to_ascii_lowercase()),
        Lexeme::Quoted(_) | Lexeme::Text(_) | Lexeme::Number(_) | Lexeme::Symbol(_) => None,
    });
    // The first word is the statement itself.
    words.next();
    words.find_map(|word| telling(&word, kind)).unwrap_or(SqlReason::Syntax)
}

/// What one word says about a refused text.
pub(super) fn telling(word: &str, kind: Opens) -> Option<SqlReason> {
    match word {
        "select" | "with" | "exists" | "union" if kind == Opens::Write => Some(SqlReason::Subquery),
        "returning" | "conflict" | "duplicate" | "using" | "from" if kind == Opens::Write => {
            Some(SqlReason::TableWriteClause)
        }
        "update" | "set" if kind == Opens::Write => None,
        "recursive" => Some(SqlReason::RecursiveCommonTable),
        "insert" | "delete" | "merge" | "returning" => Some(SqlReason::WriteStatement),
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
        "straight_join"
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
