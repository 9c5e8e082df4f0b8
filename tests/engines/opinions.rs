//! What the engines themselves say that an accepted statement touches.

use super::corpus::{self, Statement};
use super::target;
use crate::servers::Client;
use dbeast::value::{Engine, TableName};
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

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

/// Nodes of PostgreSQL's plans that read something else than tables, or do more than read.
const FOREIGN_NODES: [&str; 12] = [
    "Custom Scan",
    "Foreign Scan",
    "Function Scan",
    "LockRows",
    "ModifyTable",
    "Named Tuplestore Scan",
    "ProjectSet",
    "Recursive Union",
    "Sample Scan",
    "Table Function Scan",
    "WindowAgg",
    "WorkTable Scan",
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

/// SQLite asks for, and its program opens, only the verified tables; the two together name all of them.
/// (It does not ask for columns of USING, so that a table may be used without a question.)
pub(crate) fn check_sqlite() {
    let mut connection = target::sqlite();
    let asked = Arc::new(Mutex::new(Asked::default()));
    let noting = Arc::clone(&asked);
    let note = move |context: AuthContext<'_>| {
        noting.lock().expect("no panic before").note(&context);
        Authorization::Allow
    };
    connection.authorizer(Some(note)).expect("an authorizer");
    let mut wrong = Vec::new();
    let statements = corpus::statements(Engine::Sqlite);
    let expected = corpus::expected(Engine::Sqlite);
    let places = root_pages(&connection);
    let mut count = 0;
    for statement in &statements {
        if expected.get(&statement.id).is_none_or(|entry| entry.error.is_some()) {
            continue;
        }
        count += 1;
        *asked.lock().expect("no panic before") = Asked::default();
        let prepared = connection.prepare(&statement.normalised).map(drop);
        let asked = std::mem::take(&mut *asked.lock().expect("no panic before"));
        let opened = opened(&mut connection, statement, &places);
        if prepared.is_err() || !asked.is_verified(statement, &opened) {
            wrong.push(format!("{}: {prepared:?} {asked:?} {opened:?}", statement.id));
        }
    }
    println!("sqlite: {count} statements compiled under an authorizer");
    assert!(count > 0, "nothing was compiled");
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), wrong.join("\n"));
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
        let is_asked_for_all = statement.written.is_none() && !uses_using(statement);
        self.wrong.is_empty()
            && touched == verified
            && self.changes == changed
            && (!is_asked_for_all
                || (self.tables == verified && statement.columns.iter().all(knows)))
    }
}

fn uses_using(statement: &Statement) -> bool {
    statement.normalised.contains(" USING (")
}

/// Which table's rows stand where in the file.
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

/// PostgreSQL plans and locks only the verified tables.
pub(crate) fn check_postgres() {
    let expected = corpus::expected(Engine::Postgres);
    let mut wrong = Vec::new();
    let mut count = 0;
    for database in target::databases(Engine::Postgres) {
        let mut client = target::postgres(database);
        let mut looking = target::postgres(database);
        for statement in corpus::statements(Engine::Postgres) {
            let entry = expected.get(&statement.id);
            let on = entry.and_then(|entry| entry.on.as_deref()).unwrap_or("numbers");
            if on != *database || entry.is_none_or(|entry| entry.error.is_some()) {
                continue;
            }
            count += 1;
            client.must("BEGIN");
            client.must(&statement.normalised);
            let locks = format!(
                "SELECT n.nspname, c.relname FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
                 JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE l.pid = {} AND c.relkind <> 'i' ORDER BY 1, 2",
                client.process
            );
            let locked = names(looking.must(&locks).rows);
            client.must("ROLLBACK");
            if locked != statement.tables {
                wrong.push(format!("{}: locks {locked:?}", statement.id));
            }
            let explain = format!("EXPLAIN (VERBOSE, FORMAT JSON) {}", statement.normalised);
            let plan = client.must(&explain).rows;
            let plan = plan[0][0].as_deref().expect("a plan");
            let plan = serde_json::from_str(plan).expect("JSON");
            wrong.extend(judge_plan(&statement, &plan));
        }
    }
    println!("postgres: {count} statements planned and run under a look at locks");
    assert!(count > 0, "nothing was planned");
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), wrong.join("\n"));
}

fn judge_plan(statement: &Statement, plan: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    objects(plan, &mut |object| {
        let word = |key: &str| object.get(key).and_then(Value::as_str);
        if let Some(name) = word("Relation Name") {
            let schema = word("Schema").unwrap_or_default();
            let table = TableName { schema: schema.into(), name: name.into() };
            if !statement.tables.contains(&table) {
                wrong.push(format!("{}: plans {table:?}", statement.id));
            }
        }
        let node = word("Node Type").unwrap_or_default();
        let is_write = node == "ModifyTable" && statement.written.is_some();
        if word("Function Name").is_some() || (FOREIGN_NODES.contains(&node) && !is_write) {
            wrong.push(format!("{}: plans {node}", statement.id));
        }
    });
    wrong
}

/// MySQL and MariaDB plan and lock only the verified tables.
pub(crate) fn check_mysql(dialect: Engine) {
    let expected = corpus::expected(dialect);
    let mut client = target::mysql(dialect);
    let mut looking = target::mysql(dialect);
    let mut wrong = Vec::new();
    let mut count = 0;
    for statement in corpus::statements(dialect) {
        if expected.get(&statement.id).is_none_or(|entry| entry.error.is_some()) {
            continue;
        }
        count += 1;
        client.must("BEGIN");
        client.must(&statement.normalised);
        let locks = format!(
            "SELECT l.object_schema, l.object_name FROM performance_schema.metadata_locks l \
             JOIN performance_schema.threads t ON t.thread_id = l.owner_thread_id \
             WHERE t.processlist_id = {} AND l.object_name IS NOT NULL",
            client.connection
        );
        let locked = names(looking.must(&locks).rows);
        client.must("ROLLBACK");
        if locked != statement.tables {
            wrong.push(format!("{}: locks {locked:?}", statement.id));
        }
        let explain = format!("EXPLAIN FORMAT=JSON {}", statement.normalised);
        let plan = client.must(&explain).rows;
        let plan = serde_json::from_str(plan[0][0].as_deref().expect("a plan")).expect("JSON");
        wrong.extend(judge_tables(&statement, &plan, dialect));
    }
    println!("{}: {count} statements planned and run under a look at locks", dialect.word());
    assert!(count > 0, "nothing was planned");
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), wrong.join("\n"));
}

/// MySQL names tables with their schema. MariaDB names them by their alias, which the text that runs
/// always writes out.
fn judge_tables(statement: &Statement, plan: &Value, dialect: Engine) -> Vec<String> {
    let mut wrong = Vec::new();
    objects(plan, &mut |object| {
        let word = |key: &str| object.get(key).and_then(Value::as_str);
        let Some(name) = word("table_name") else { return };
        // `<derived2>`, `<union1,2>`, `<subquery3>`: queries of the statement.
        if name.starts_with('<') {
            return;
        }
        let is_known = match (dialect, word("schema_name")) {
            (Engine::Mysql, Some(schema)) => {
                let table = TableName { schema: schema.into(), name: name.into() };
                statement.tables.contains(&table)
            }
            (Engine::Mysql, None) => false,
            _ => {
                let alias = name.replace('`', "``");
                statement.normalised.contains(&format!(" AS `{alias}`"))
                    || statement.written.as_ref().is_some_and(|table| table.name == name)
            }
        };
        if !is_known {
            wrong.push(format!("{}: plans {object:?}", statement.id));
        }
    });
    wrong
}

fn names(rows: Vec<Vec<Option<String>>>) -> BTreeSet<TableName> {
    let mut names = BTreeSet::new();
    for row in rows {
        let [schema, name] = <[Option<String>; 2]>::try_from(row).expect("two columns");
        names.insert(TableName { schema: schema.unwrap_or_default(), name: name.expect("a name") });
    }
    names
}

/// Every object in it, however deep.
fn objects(value: &Value, visit: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|value| objects(value, visit));
        }
        Value::Array(values) => values.iter().for_each(|value| objects(value, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
