//! What is never run, not even as Full SQL: whatever reaches other files, settings or extensions.
//!
//! Contract, "Standing access": SQLite blocks opening other files through ATTACH, DETACH, PRAGMA, extension
//! loading, creating and dropping virtual tables, and VACUUM INTO, even in Full SQL. All of that is judged by the
//! questions of SQLite itself, so no spelling of the text matters, and triggers and views are judged when
//! they are used.
//!
//! SQLite compiles statements of its own while one runs, and asks about them in the same way. VACUUM attaches a
//! temporary file without a name and begins a transaction, a full-text index asks for `data_version`, and ALTER
//! TABLE checks the rows with `quick_check`. They are told from the text that was asked for by their time: that
//! text is compiled before anything runs.

use crate::reason::DatabaseReason;
use rusqlite::hooks::AuthAction;

/// Functions that reach beyond the database. Most do not exist in the bundled library; none may ever be called.
const FUNCTIONS: &[&str] = &[
    "edit",
    "eval",
    "fts3_tokenizer",
    "load_extension",
    "lsdir",
    "lsmode",
    "readfile",
    "sqlite_attach",
    "sqlite_detach",
    "writefile",
];

/// Virtual tables that reach below the tables of the database.
const INNER_TABLES: &[&str] = &["fsdir", "sqlite_dbpage", "sqlite_dbdata", "sqlite_dbptr"];

/// What a statement was seen to do while it was compiled.
#[derive(Debug, Default)]
pub(super) struct Work {
    changes_rows: bool,
    changes_schema: bool,
    alters_table: bool,
}

impl Work {
    /// Notes what SQLite asks about.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other action changes the schema")]
    pub(super) fn note(&mut self, action: AuthAction<'_>) {
        match action {
            AuthAction::Insert { table_name }
            | AuthAction::Update { table_name, .. }
            | AuthAction::Delete { table_name } => {
                self.changes_rows |= !super::catalog::is_system_name(table_name);
            }
            AuthAction::AlterTable { .. } => {
                self.alters_table = true;
                self.changes_schema = true;
            }
            AuthAction::Select
            | AuthAction::Read { .. }
            | AuthAction::Function { .. }
            | AuthAction::Recursive
            | AuthAction::Transaction { .. }
            | AuthAction::Savepoint { .. } => {}
            _ => self.changes_schema = true,
        }
    }

    /// Whether it inserts, updates or deletes rows, and is no change of the schema that does so on the way.
    pub(super) const fn changes_rows_only(&self) -> bool {
        self.changes_rows && !self.changes_schema
    }
}

/// Whether an older full-text index asks for the page size, which it guesses when that is denied. It asks while
/// the text is compiled, so the answer is the same as for anybody.
pub(super) fn is_answered_by_a_guess(action: AuthAction<'_>) -> bool {
    matches!(action, AuthAction::Pragma { pragma_name, pragma_value: None }
        if pragma_name.eq_ignore_ascii_case("page_size"))
}

/// The text that was asked for.
pub(super) fn judge_compiling(work: &Work, action: AuthAction<'_>) -> Result<(), DatabaseReason> {
    if let AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } = action {
        return Err(DatabaseReason::TransactionControl);
    }
    judge(work, action)
}

/// What SQLite compiles while that text runs.
#[expect(clippy::wildcard_enum_match_arm, reason = "the rest is judged like the text itself")]
pub(super) fn judge_running(work: &Work, action: AuthAction<'_>) -> Result<(), DatabaseReason> {
    let is_its_own = match action {
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => true,
        // VACUUM, but not VACUUM INTO: a file without a name is temporary.
        AuthAction::Attach { filename } => filename.is_empty(),
        AuthAction::Pragma { pragma_name, pragma_value: None } => pragma_name == "data_version",
        AuthAction::Pragma { pragma_name, pragma_value: Some(_) } => {
            work.alters_table && pragma_name == "quick_check"
        }
        _ => false,
    };
    if is_its_own { Ok(()) } else { judge(work, action) }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "an action that SQLite adds later is denied like every other that is not listed"
)]
fn judge(work: &Work, action: AuthAction<'_>) -> Result<(), DatabaseReason> {
    let is_listed = |list: &[&str], name: &str| list.iter().any(|it| it.eq_ignore_ascii_case(name));
    let is_allowed = match action {
        AuthAction::Function { function_name } => !is_listed(FUNCTIONS, function_name),
        AuthAction::Read { table_name, .. } => {
            let name = table_name.to_ascii_lowercase();
            let is_pragma = name.starts_with("pragma_");
            let is_own_check = work.alters_table && name == "pragma_quick_check";
            (!is_pragma || is_own_check) && !is_listed(INNER_TABLES, &name)
        }
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name } => !is_listed(INNER_TABLES, table_name),
        AuthAction::AlterTable { .. }
        | AuthAction::Analyze { .. }
        | AuthAction::CreateIndex { .. }
        | AuthAction::CreateTable { .. }
        | AuthAction::CreateTempIndex { .. }
        | AuthAction::CreateTempTable { .. }
        | AuthAction::CreateTempTrigger { .. }
        | AuthAction::CreateTempView { .. }
        | AuthAction::CreateTrigger { .. }
        | AuthAction::CreateView { .. }
        | AuthAction::DropIndex { .. }
        | AuthAction::DropTable { .. }
        | AuthAction::DropTempIndex { .. }
        | AuthAction::DropTempTable { .. }
        | AuthAction::DropTempTrigger { .. }
        | AuthAction::DropTempView { .. }
        | AuthAction::DropTrigger { .. }
        | AuthAction::DropView { .. }
        | AuthAction::Recursive
        | AuthAction::Reindex { .. }
        | AuthAction::Select
        // Judged before, by their time.
        | AuthAction::Transaction { .. }
        | AuthAction::Savepoint { .. } => true,
        _ => false,
    };
    if is_allowed { Ok(()) } else { Err(DatabaseReason::StatementBlocked) }
}
