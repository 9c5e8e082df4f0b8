//! How a text opens and closes: exactly one statement, and its first word says of which kind.

use super::lex::{Lexeme, Symbol};
use crate::reason::SqlReason;

/// What a text must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    /// A query.
    Read,
    /// A write of one table.
    Write,
}

/// The lexemes without the final semicolon, if they are one statement that can be of the kind.
pub(super) fn one_statement(
    mut lexemes: Vec<Lexeme>,
    kind: Opens,
) -> Result<Vec<Lexeme>, SqlReason> {
    if lexemes.last() == Some(&Lexeme::Symbol(Symbol::Semicolon)) {
        lexemes.pop();
    }
    if lexemes.is_empty() {
        return Err(SqlReason::EmptyText);
    }
    if lexemes.contains(&Lexeme::Symbol(Symbol::Semicolon)) {
        return Err(SqlReason::SecondStatement);
    }
    let opened = match kind {
        Opens::Read => lexemes.iter().find(|lexeme| **lexeme != Lexeme::Symbol(Symbol::Open)),
        Opens::Write => lexemes.first(),
    };
    let Some(Lexeme::Word(word)) = opened else {
        return Err(match kind {
            Opens::Read => SqlReason::NotASelect,
            Opens::Write => SqlReason::NotATableWrite,
        });
    };
    let openings: &[&str] = match kind {
        Opens::Read => &["select", "with"],
        Opens::Write => &["insert", "update", "delete"],
    };
    if openings.iter().any(|opening| word.eq_ignore_ascii_case(opening)) {
        Ok(lexemes)
    } else {
        Err(refusal(word, kind))
    }
}

/// Why a statement that starts with this word is not of the kind.
fn refusal(word: &str, kind: Opens) -> SqlReason {
    let word = word.to_ascii_lowercase();
    match (word.as_str(), kind) {
        ("select" | "with" | "values" | "table" | "merge" | "replace" | "upsert", Opens::Write) => {
            SqlReason::NotATableWrite
        }
        (other, _) => of_other_kind(other).unwrap_or(match kind {
            Opens::Read => SqlReason::NotASelect,
            Opens::Write => SqlReason::NotATableWrite,
        }),
    }
}

/// Why a statement that starts with this word in small letters is neither.
fn of_other_kind(word: &str) -> Option<SqlReason> {
    Some(match word {
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
        _ => return None,
    })
}
