//! How a text opens and closes: exactly one statement, and its first word says SELECT.

use super::lex::{Lexeme, Symbol};
use crate::reason::SqlReason;

/// The lexemes without the final semicolon, if they are one statement that can be a read.
pub(super) fn one_statement(mut lexemes: Vec<Lexeme>) -> Result<Vec<Lexeme>, SqlReason> {
    if lexemes.last() == Some(&Lexeme::Symbol(Symbol::Semicolon)) {
        lexemes.pop();
    }
    if lexemes.is_empty() {
        return Err(SqlReason::EmptyText);
    }
    if lexemes.contains(&Lexeme::Symbol(Symbol::Semicolon)) {
        return Err(SqlReason::SecondStatement);
    }
    let opened = lexemes.iter().find(|lexeme| **lexeme != Lexeme::Symbol(Symbol::Open));
    match opened {
        Some(Lexeme::Word(word)) if word.eq_ignore_ascii_case("select") => Ok(lexemes),
        Some(Lexeme::Word(word)) => Err(refusal(word)),
        Some(Lexeme::Quoted(_) | Lexeme::Text(_) | Lexeme::Number(_) | Lexeme::Symbol(_))
        | None => Err(SqlReason::NotASelect),
    }
}

/// Why a statement that starts with this word is no read.
fn refusal(word: &str) -> SqlReason {
    match word.to_ascii_lowercase().as_str() {
        "with" => SqlReason::CommonTable,
        "values" | "table" => SqlReason::ValuesStatement,
        "insert" | "update" | "delete" | "merge" | "replace" | "truncate" | "upsert" => {
            SqlReason::WriteStatement
        }
        "create" | "alter" | "drop" | "rename" | "comment" | "security" | "reassign" | "import"
        | "install" | "uninstall" => SqlReason::DefinitionStatement,
        "begin" | "start" | "commit" | "end" | "rollback" | "abort" | "savepoint" | "release"
        | "xa" | "lock" | "unlock" => SqlReason::TransactionStatement,
        "set" | "reset" | "discard" | "use" | "pragma" => SqlReason::SettingStatement,
        "grant" | "revoke" | "deny" => SqlReason::PrivilegeStatement,
        "call" | "do" | "execute" | "exec" | "prepare" | "deallocate" | "handler" | "declare"
        | "fetch" | "move" | "close" | "open" | "signal" | "resignal" | "get" | "delimiter" => {
            SqlReason::CodeStatement
        }
        "copy" | "load" | "unload" => SqlReason::FileStatement,
        "attach" | "detach" | "vacuum" | "analyze" | "analyse" | "reindex" | "refresh"
        | "cluster" | "checkpoint" | "optimize" | "repair" | "check" | "checksum" | "flush"
        | "kill" | "purge" | "change" | "stop" | "shutdown" | "restart" | "clone" | "cache"
        | "binlog" | "listen" | "notify" | "unlisten" | "backup" => SqlReason::MaintenanceStatement,
        "explain" | "describe" | "desc" | "help" => SqlReason::ExplainStatement,
        "show" => SqlReason::ShowStatement,
        _ => SqlReason::NotASelect,
    }
}
