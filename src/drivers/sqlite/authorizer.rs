//! The authorizer: SQLite asks before each table, column, function and other operation that it
//! compiles into a statement, and anything unlisted is denied.
//!
//! Source: the SQLite manual, "Compile-Time Authorization Callbacks" and "Authorizer Action
//! Codes". The authorizer is installed before the first statement and stays until the handle is
//! closed, because SQLite may compile a statement again while it runs.

use super::blocks;
use super::catalog::is_system_name;
use crate::reason::DatabaseReason;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Built-in functions that a verified read may call (contract, "Tools"), by SQLite's names.
/// `like` is what the operator LIKE calls.
const FUNCTIONS: &[&str] = &[
    "abs",
    "avg",
    "coalesce",
    "count",
    "length",
    "like",
    "lower",
    "max",
    "min",
    "nullif",
    "octet_length",
    "round",
    "sum",
    "upper",
];

/// Whether a verified read may call this function.
pub(super) fn is_listed_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|listed| name.eq_ignore_ascii_case(listed))
}

/// What the handle is being used for.
#[derive(Debug, Default)]
enum Phase {
    /// Nothing may be compiled.
    #[default]
    Closed,
    /// Our own settings.
    Settings,
    /// Our own BEGIN, COMMIT and ROLLBACK.
    Transaction,
    /// Our own fixed statements over the catalog.
    Proof,
    /// Our own statement over all columns of this table, which is compiled and never run.
    Defaults(String),
    /// Our own statements that would write every column of this table, which are compiled and never run.
    Definition(String),
    /// The statement that was asked for.
    Read(Readable),
    /// A write of one table that was asked for, on its own: without triggers and foreign keys.
    Write(Writable),
    /// Anything but what is never run: the text of Full SQL, or what a write brings into play.
    Compiling,
    /// The same statement while it runs.
    Running,
}

/// What a write of one table may touch by itself.
#[derive(Debug)]
pub(super) struct Writable {
    /// Its name in lower case.
    pub(super) table: String,
    /// The columns that it may read.
    pub(super) readable: Readable,
}

/// Tables and their columns that a statement may read, and the functions in their defaults.
#[derive(Debug, Default)]
pub(super) struct Readable {
    columns: BTreeMap<String, BTreeSet<String>>,
    defaults: BTreeSet<String>,
}

impl Readable {
    /// Adds a proven table. SQLite compares names without regard to ASCII case.
    pub(super) fn insert<'a>(&mut self, table: &str, columns: impl Iterator<Item = &'a str>) {
        self.columns
            .entry(table.to_ascii_lowercase())
            .or_default()
            .extend(columns.map(str::to_ascii_lowercase));
    }

    /// Adds functions that SQLite asks about because a default calls them.
    ///
    /// SQLite asks about each function in the DEFAULT of a column whenever that column is read, and
    /// never calls it then. Denying it would refuse every table with a default such as
    /// `datetime('now')`. Here such a question cannot be told apart from a call in the statement;
    /// the check of the compiled program can, and refuses the call.
    pub(super) fn insert_defaults(&mut self, functions: &BTreeSet<String>) {
        self.defaults.extend(functions.iter().cloned());
    }

    fn is_callable(&self, function: &str) -> bool {
        is_listed_function(function) || self.defaults.contains(&function.to_ascii_lowercase())
    }

    fn check(
        &self,
        table: &str,
        column: &str,
        database: Option<&str>,
    ) -> Result<(), DatabaseReason> {
        match (database, column) {
            // SQLite reports a relation of which no column is used (`count(*)`) with an empty
            // column, and without a database when it is a CTE, a subquery or an unqualified name.
            // The three look alike here; the check of the compiled program tells them apart.
            (None, "") => Ok(()),
            (Some("main"), _) => match self.columns.get(&table.to_ascii_lowercase()) {
                None => Err(DatabaseReason::TableNotVerified),
                Some(_) if column.is_empty() => Ok(()),
                Some(columns) if columns.contains(&column.to_ascii_lowercase()) => Ok(()),
                Some(_) => Err(DatabaseReason::ColumnNotVerified),
            },
            _ => Err(DatabaseReason::TableNotVerified),
        }
    }
}

/// The authority behind one handle: the phase it is in, and the first denial in it.
#[derive(Debug, Default)]
pub(super) struct Authority {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    phase: Phase,
    denial: Option<DatabaseReason>,
    functions: BTreeSet<String>,
    /// Whether a question was denied that can be asked in good faith.
    is_guess: bool,
    /// What the statement does to the database.
    work: blocks::Work,
}

impl Authority {
    /// Allows our own settings only.
    pub(super) fn settings(&self) {
        self.enter(Phase::Settings);
    }

    /// Allows our own BEGIN, COMMIT and ROLLBACK only.
    pub(super) fn transaction(&self) {
        self.enter(Phase::Transaction);
    }

    /// Allows our own statements over the catalog only.
    pub(super) fn proof(&self) {
        self.enter(Phase::Proof);
    }

    /// Allows compiling our own statement over this table, and notes the functions in its defaults.
    pub(super) fn defaults(&self, table: &str) {
        self.enter(Phase::Defaults(table.to_owned()));
    }

    /// Allows compiling our own statements that write this table, and notes the functions in its definition.
    pub(super) fn definition(&self, table: &str) {
        self.enter(Phase::Definition(table.to_owned()));
    }

    /// Allows writing this table only.
    pub(super) fn write(&self, writable: Writable) {
        self.enter(Phase::Write(writable));
    }

    /// Allows compiling anything but what is never run.
    pub(super) fn compile(&self) {
        self.enter(Phase::Compiling);
    }

    /// Allows running what was compiled.
    pub(super) fn run(&self) {
        let mut state = self.locked();
        state.phase = Phase::Running;
        state.denial = None;
    }

    /// Whether what was compiled changes rows, and nothing else.
    pub(super) fn changes_rows(&self) -> bool {
        self.locked().work.changes_rows_only()
    }

    /// The functions noted since then, in lower case.
    pub(super) fn noted(&self) -> BTreeSet<String> {
        self.locked().functions.clone()
    }

    /// Allows reading these tables only.
    pub(super) fn read(&self, readable: Readable) {
        self.enter(Phase::Read(readable));
    }

    /// The first thing that was denied in this phase, if an error that came of it is a denial at all.
    pub(super) fn denial(&self, is_denial: bool) -> Option<DatabaseReason> {
        let state = self.locked();
        let guess = (is_denial && state.is_guess).then_some(DatabaseReason::StatementBlocked);
        state.denial.or(guess)
    }

    /// The answer to SQLite's question.
    pub(super) fn decide(&self, context: AuthContext<'_>) -> Authorization {
        let mut state = self.locked();
        if let (Phase::Defaults(_) | Phase::Definition(_), AuthAction::Function { function_name }) =
            (&state.phase, context.action)
        {
            state.functions.insert(function_name.to_ascii_lowercase());
            return Authorization::Allow;
        }
        if matches!(state.phase, Phase::Compiling | Phase::Running) {
            if blocks::is_answered_by_a_guess(context.action) {
                state.is_guess = true;
                return Authorization::Deny;
            }
            state.work.note(context.action);
        }
        match judge(&state, context) {
            Ok(()) => Authorization::Allow,
            Err(reason) => {
                state.denial.get_or_insert(reason);
                Authorization::Deny
            }
        }
    }

    fn enter(&self, phase: Phase) {
        *self.locked() = State { phase, ..State::default() };
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "an action that SQLite adds later is denied like every other that is not listed"
)]
fn judge(state: &State, context: AuthContext<'_>) -> Result<(), DatabaseReason> {
    let allowed = match &state.phase {
        Phase::Closed => false,
        Phase::Settings => matches!(context.action, AuthAction::Pragma { .. }),
        Phase::Transaction => matches!(context.action, AuthAction::Transaction { .. }),
        Phase::Proof => is_catalog_read(context),
        Phase::Defaults(table) => match context.action {
            AuthAction::Select => true,
            AuthAction::Read { table_name, .. } => {
                context.database_name == Some("main") && table_name.eq_ignore_ascii_case(table)
            }
            _ => false,
        },
        Phase::Definition(table) => is_of_definition(table, context),
        Phase::Read(readable) => return judge_read(readable, context),
        Phase::Write(writable) => return judge_write(writable, context),
        Phase::Compiling => return blocks::judge_compiling(&state.work, context.action),
        Phase::Running => return blocks::judge_running(&state.work, context.action),
    };
    if allowed { Ok(()) } else { Err(DatabaseReason::OperationNotVerified) }
}

/// What the proof's own statements need, and nothing else.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "an action that SQLite adds later is denied like every other that is not listed"
)]
fn is_catalog_read(context: AuthContext<'_>) -> bool {
    match context.action {
        AuthAction::Select => true,
        AuthAction::Read { table_name, .. } => {
            context.database_name == Some("main") && table_name == "sqlite_master"
        }
        AuthAction::Pragma { pragma_name, pragma_value } => {
            context.database_name == Some("main")
                && match pragma_name {
                    "schema_version" => pragma_value.is_none(),
                    "table_xinfo" | "index_list" => pragma_value.is_some(),
                    _ => false,
                }
        }
        _ => false,
    }
}

/// The statement that was asked for.
///
/// The accessor (the innermost view, trigger, or CTE) is not judged: SQLite names a CTE there as
/// it names a view, views are switched off on this handle, and triggers never run for a read.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "an action that SQLite adds later is denied like every other that is not listed"
)]
fn judge_read(readable: &Readable, context: AuthContext<'_>) -> Result<(), DatabaseReason> {
    match context.action {
        AuthAction::Select => Ok(()),
        AuthAction::Read { table_name, column_name } => {
            readable.check(table_name, column_name, context.database_name)
        }
        AuthAction::Function { function_name } => {
            if readable.is_callable(function_name) {
                Ok(())
            } else {
                Err(DatabaseReason::FunctionNotVerified)
            }
        }
        AuthAction::Insert { .. }
        | AuthAction::Update { .. }
        | AuthAction::Delete { .. }
        | AuthAction::Transaction { .. }
        | AuthAction::Savepoint { .. } => Err(DatabaseReason::StatementNotRead),
        _ => Err(DatabaseReason::OperationNotVerified),
    }
}

/// What compiling a write of every column needs.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "an action that SQLite adds later is denied like every other that is not listed"
)]
fn is_of_definition(table: &str, context: AuthContext<'_>) -> bool {
    match context.action {
        AuthAction::Read { table_name, .. }
        | AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name } => {
            context.database_name == Some("main") && table_name.eq_ignore_ascii_case(table)
        }
        _ => false,
    }
}

/// A write of one table, without what it brings into play.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "an action that SQLite adds later is denied like every other that is not listed"
)]
fn judge_write(writable: &Writable, context: AuthContext<'_>) -> Result<(), DatabaseReason> {
    match context.action {
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name } => {
            let is_own = context.database_name == Some("main")
                && table_name.eq_ignore_ascii_case(&writable.table);
            if is_own { Ok(()) } else { Err(DatabaseReason::TableNotVerified) }
        }
        // The page of `sqlite_sequence` may be opened, so nothing may name it.
        AuthAction::Read { table_name, .. } if is_system_name(table_name) => {
            Err(DatabaseReason::TableNotVerified)
        }
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => {
            Err(DatabaseReason::OperationNotVerified)
        }
        _ => judge_read(&writable.readable, context),
    }
}
