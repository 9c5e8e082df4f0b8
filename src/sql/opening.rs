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

/// The lexemes without the final semicolon, if they are one statement that can be of the kind; else why not,
/// and which lexeme is to blame.
pub(super) fn one_statement(
    lexemes: &[Lexeme],
    kind: Opens,
) -> Result<&[Lexeme], (SqlReason, usize)> {
    let semicolon = Lexeme::Symbol(Symbol::Semicolon);
    let lexemes = match lexemes.split_last() {
        Some((last, rest)) if *last == semicolon => rest,
        _ => lexemes,
    };
    if lexemes.is_empty() {
        return Err((SqlReason::EmptyText, 0));
    }
    if let Some(end) = lexemes.iter().position(|lexeme| *lexeme == semicolon) {
        return Err((SqlReason::SecondStatement, end + 1));
    }
    let is_open = |lexeme: &Lexeme| *lexeme == Lexeme::Symbol(Symbol::Open);
    let opened = match kind {
        Opens::Read => lexemes.iter().take_while(|lexeme| is_open(lexeme)).count(),
        Opens::Write => 0,
    };
    let Some(Lexeme::Word(word)) = lexemes.get(opened) else {
        let reason = match kind {
            Opens::Read => SqlReason::NotASelect,
            Opens::Write => SqlReason::NotATableWrite,
        };
        return Err((reason, opened));
    };
    let openings: &[&str] = match kind {
        Opens::Read => &["select", "with"],
        Opens::Write => &["insert", "update", "delete"],
    };
    if openings.iter().any(|opening| word.eq_ignore_ascii_case(opening)) {
        Ok(lexemes)
    } else {
        Err((refusal(word, kind), opened))
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
