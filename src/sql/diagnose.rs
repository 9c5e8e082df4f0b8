//! A better reason for a text that the parser could not read.
//!
//! Only reached after a refusal: nothing here can accept a statement.

use super::lex::Lexeme;
use crate::reason::SqlReason;

/// The most telling reason for an unreadable text.
pub(super) fn reason(lexemes: &[Lexeme]) -> SqlReason {
    let mut words = lexemes.iter().filter_map(|lexeme| match lexeme {
        Lexeme::Word(word) => Some(word.to_ascii_lowercase()),
        Lexeme::Quoted(_) | Lexeme::Text(_) | Lexeme::Number(_) | Lexeme::Symbol(_) => None,
    });
    // The first word is the SELECT of the statement itself.
    words.next();
    words.find_map(|word| telling(&word)).unwrap_or(SqlReason::Syntax)
}

/// What one word says about a refused text.
fn telling(word: &str) -> Option<SqlReason> {
    match word {
        "into" | "outfile" | "dumpfile" => Some(SqlReason::Into),
        "lock" | "share" | "update" => Some(SqlReason::RowLock),
        "union" | "except" | "intersect" | "minus" => Some(SqlReason::SetOperation),
        "with" => Some(SqlReason::CommonTable),
        "select" | "exists" => Some(SqlReason::Subquery),
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
