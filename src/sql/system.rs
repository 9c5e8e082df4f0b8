//! Names that belong to the engine itself: schemas, tables, columns, and words that call
//! functions without parentheses.

use super::lex::mysql_family;
use super::name::Name;
use crate::reason::SqlReason;
use crate::value::Engine;

/// Refuses tables of the engine. The schema is already `main` on SQLite.
pub(super) fn check_table(schema: &Name, table: &Name, dialect: Engine) -> Result<(), SqlReason> {
    let schema = schema.folded();
    let table = table.folded();
    let refused = match dialect {
        Engine::Postgres => schema.starts_with("pg_") || schema == "information_schema",
        Engine::Mysql | Engine::Mariadb => {
            let system = ["mysql", "information_schema", "performance_schema", "sys", "ndbinfo"];
            system.contains(&schema.as_str()) || is_sequence_engine_table(&table)
        }
        Engine::Sqlite => {
            let virtual_tables =
                ["json_each", "json_tree", "jsonb_each", "jsonb_tree", "dbstat", "generate_series"];
            table.starts_with("sqlite_")
                || table.starts_with("pragma_")
                || virtual_tables.contains(&table.as_str())
        }
    };
    if refused { Err(SqlReason::SystemTable) } else { Ok(()) }
}

/// MariaDB's `seq_1_to_9` and `seq_1_to_9_step_2`: rows without a table.
fn is_sequence_engine_table(table: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let Some((first, rest)) = table.strip_prefix("seq_").and_then(|rest| rest.split_once("_to_"))
    else {
        return false;
    };
    let (last, step) = rest.split_once("_step_").unwrap_or((rest, "1"));
    is_number(first) && is_number(last) && is_number(step)
}

/// Refuses columns that every table has without declaring them.
pub(super) fn check_column(column: &Name, dialect: Engine) -> Result<(), SqlReason> {
    let words: &[&str] = match dialect {
        Engine::Postgres => &["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid"],
        Engine::Mysql | Engine::Mariadb => &["_rowid"],
        Engine::Sqlite => &["rowid", "oid", "_rowid_"],
    };
    if words.iter().any(|word| column.is(word)) { Err(SqlReason::SystemColumn) } else { Ok(()) }
}

/// Words that no engine takes for a name without quotes. The parser does, and so would read
/// half a condition as a column or an alias.
const NO_NAMES: [&str; 27] = [
    "all",
    "and",
    "as",
    "case",
    "default",
    "distinct",
    "else",
    "except",
    "from",
    "group",
    "having",
    "in",
    "intersect",
    "into",
    "is",
    "join",
    "limit",
    "not",
    "on",
    "or",
    "order",
    "select",
    "then",
    "union",
    "using",
    "when",
    "where",
];

/// Refuses an unquoted bare word or alias that can be no name.
pub(super) fn check_unreserved(word: &str) -> Result<(), SqlReason> {
    if NO_NAMES.iter().any(|known| word.eq_ignore_ascii_case(known)) {
        Err(SqlReason::Syntax)
    } else {
        Ok(())
    }
}

/// Refuses an unquoted bare word that calls a function in this dialect, or that is no column
/// there. Our text would read a column of that name instead.
pub(super) fn check_bare_word(word: &str, dialect: Engine) -> Result<(), SqlReason> {
    let words: &[&str] = match dialect {
        Engine::Postgres => &[
            "current_catalog",
            "current_date",
            "current_role",
            "current_schema",
            "current_time",
            "current_timestamp",
            "current_user",
            "localtime",
            "localtimestamp",
            "session_user",
            "system_user",
            "user",
        ],
        Engine::Mysql | Engine::Mariadb => &[
            "current_date",
            "current_role",
            "current_time",
            "current_timestamp",
            "current_user",
            "localtime",
            "localtimestamp",
            "rownum",
            "sysdate",
            "utc_date",
            "utc_time",
            "utc_timestamp",
        ],
        Engine::Sqlite => &["current_date", "current_time", "current_timestamp"],
    };
    if mysql_family(dialect) && word.eq_ignore_ascii_case("sql_cache") {
        Err(SqlReason::Hint)
    } else if words.iter().any(|known| word.eq_ignore_ascii_case(known)) {
        Err(SqlReason::ValueFunction)
    } else {
        Ok(())
    }
}
