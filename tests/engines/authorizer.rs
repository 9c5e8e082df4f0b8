//! What SQLite itself says that an accepted statement touches: it asks before each table, column and
//! function that it compiles, and its compiled program opens tables by their place in the file.

use super::corpus::{self, Look, Statement};
use super::target;
use crate::servers::Client;
use dbeast::value::{Engine, TableName};
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Functions that a statement may call, by SQLite's names; `like` is what the operator calls.
const FUNCTIONS: [&str; 14] = [
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

/// What SQLite asked while it compiled a statement.
#[derive(Debug, Default)]
struct Asked {
    tables: BTreeSet<String>,
    columns: BTreeSet<(String, String)>,
    changes: BTreeSet<String>,
    wrong: Vec<String>,
}

impl Asked {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an action that SQLite adds later is a finding like every other that is not listed"
    )]
    fn note(&mut self, context: &AuthContext<'_>) {
        let in_main = context.database_name == Some("main");
        match context.action {
            AuthAction::Select => {}
            // A relation of which no column is used: of a query of the statement it has no database.
            AuthAction::Read { table_name: _, column_name: "" } if !in_main => {}
            AuthAction::Read { table_name, column_name } if in_main => {
                let table = table_name.to_ascii_lowercase();
                self.columns.insert((table.clone(), column_name.to_ascii_lowercase()));
                self.tables.insert(table);
            }
            AuthAction::Function { function_name }
                if FUNCTIONS.contains(&function_name.to_ascii_lowercase().as_str()) => {}
            AuthAction::Insert { table_name }
            | AuthAction::Update { table_name, .. }
            | AuthAction::Delete { table_name }
                if in_main =>
            {
                self.changes.insert(table_name.to_ascii_lowercase());
            }
            _ => self.wrong.push(format!("{context:?}")),
        }
    }
}

/// A database that notes what is asked.
struct Watched {
    connection: Connection,
    asked: Arc<Mutex<Asked>>,
    /// Which table's rows stand where in the file.
    places: BTreeMap<String, String>,
}

/// SQLite asks for, and its program opens, only the verified tables; the two together name all of them.
pub(crate) fn check() {
    let mut watched = Watched::new();
    let expected = corpus::expected(Engine::Sqlite);
    let mut statements = corpus::statements(Engine::Sqlite);
    statements
        .retain(|statement| expected.get(&statement.id).is_some_and(|entry| entry.error.is_none()));
    let wrong: Vec<String> =
        statements.iter().filter_map(|statement| watched.finding(statement)).collect();
    println!("sqlite: {} statements compiled under an authorizer", statements.len());
    assert!(!statements.is_empty(), "nothing was compiled");
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), wrong.join("\n"));
}

/// A look at one statement after the other.
pub(crate) fn look() -> Look {
    let mut watched = Watched::new();
    Box::new(move |statement| watched.finding(statement).into_iter().collect())
}

/// The look at SQLite notices what was not verified.
pub(crate) fn check_itself() {
    let mut watched = Watched::new();
    let mut finds = |tables: &[&str], text: &str| {
        watched.finding(&Statement::claimed(Engine::Sqlite, tables, text)).is_some()
    };
    assert!(!finds(&["t"], "SELECT a FROM main.t"));
    assert!(finds(&["t"], "SELECT a FROM main.t WHERE a IN (SELECT id FROM main.u)"));
    assert!(finds(&["t", "u"], "SELECT a FROM main.t"));
    assert!(finds(&["t"], "SELECT t.a FROM main.t JOIN main.u USING (id)"));
    assert!(finds(&["t"], "SELECT hex(a) FROM main.t"));
    assert!(finds(&["t"], "DELETE FROM main.t"));
    assert!(finds(&["t"], "SELECT tbl_name FROM main.sqlite_schema, main.t"));
    assert!(finds(&[], "WITH RECURSIVE c(n) AS (SELECT 1 UNION SELECT n FROM c) SELECT n FROM c"));
}

impl Watched {
    fn new() -> Self {
        let mut connection = target::sqlite();
        let places = root_pages(&connection);
        let asked = Arc::new(Mutex::new(Asked::default()));
        let noting = Arc::clone(&asked);
        let note = move |context: AuthContext<'_>| {
            noting.lock().unwrap_or_else(PoisonError::into_inner).note(&context);
            Authorization::Allow
        };
        connection.authorizer(Some(note)).expect("an authorizer");
        Self { connection, asked, places }
    }

    fn finding(&mut self, statement: &Statement) -> Option<String> {
        self.take();
        let prepared = self.connection.prepare(&statement.normalised).map(drop);
        let asked = self.take();
        let opened = opened(&mut self.connection, statement, &self.places);
        let is_right = prepared.is_ok() && asked.is_verified(statement, &opened);
        let what = || format!("{}: {prepared:?} {asked:?} {opened:?}", statement.id);
        (!is_right).then(what)
    }

    fn take(&self) -> Asked {
        std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Asked {
    fn is_verified(&self, statement: &Statement, opened: &BTreeSet<String>) -> bool {
        let lower = |table: &TableName| table.name.to_ascii_lowercase();
        let verified: BTreeSet<String> = statement.tables.iter().map(lower).collect();
        let changed: BTreeSet<String> = statement.written.iter().map(lower).collect();
        let touched: BTreeSet<String> = self.tables.union(opened).cloned().collect();
        let knows = |(table, column): &(TableName, String)| {
            self.columns.contains(&(lower(table), column.to_ascii_lowercase()))
        };
        // Columns of USING are not asked for.
        let may_leave_out = statement.has_common();
        let uses_using = statement.normalised.contains(" USING (");
        let is_asked_for_all = statement.written.is_none() && !may_leave_out && !uses_using;
        self.wrong.is_empty()
            && touched.is_subset(&verified)
            && (touched == verified || may_leave_out)
            && self.changes == changed
            && (!is_asked_for_all
                || (self.tables == verified && statement.columns.iter().all(knows)))
    }
}

fn root_pages(connection: &Connection) -> BTreeMap<String, String> {
    let mut statement = connection
        .prepare("SELECT rootpage, lower(tbl_name) FROM main.sqlite_schema WHERE rootpage > 0")
        .expect("the catalog");
    let pairs = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?.to_string(), row.get(1)?)));
    pairs.expect("rows").collect::<Result<_, _>>().expect("rows")
}

/// The tables that the compiled program opens.
fn opened(
    connection: &mut Connection,
    statement: &Statement,
    places: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let program = connection.must(&format!("EXPLAIN {}", statement.normalised)).rows;
    let mut tables = BTreeSet::new();
    for operation in program {
        // Its number, name and five operands: the page and the database are the second and third.
        let operand = |at: usize| operation[at].clone().unwrap_or_default();
        match operand(1).as_str() {
            "OpenRead" | "OpenWrite" | "ReopenIdx" => {}
            // Removes all rows of a table at once.
            "Clear" => {
                tables.extend(places.get(&operand(2)).cloned());
                continue;
            }
            _ => continue,
        }
        let table = if operand(4) == "0" { places.get(&operand(3)).cloned() } else { None };
        tables.insert(table.unwrap_or_else(|| format!("{operation:?}")));
    }
    tables
}
