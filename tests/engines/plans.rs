//! What the servers themselves say that an accepted statement touches: the tables of its plan, and those
//! that it holds locks on while its transaction lasts. The locks are looked at from a second connection.

use super::corpus::{self, Look, Statement};
use super::target;
use crate::servers::mysql::MysqlClient;
use crate::servers::postgres::PostgresClient;
use crate::servers::{Answer, Cell, Client};
use dbeast::value::{Engine, TableName};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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

/// A server and a look at it.
trait Watched {
    /// What the plan and the locks of a statement show beside what was verified, or do not show of it.
    fn findings(&mut self, statement: &Statement) -> Vec<String>;
}

/// Only the verified tables are planned, and exactly those are locked.
pub(crate) fn check(dialect: Engine) {
    let expected = corpus::expected(dialect);
    let mut watched: BTreeMap<&str, Box<dyn Watched>> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for statement in corpus::statements(dialect) {
        let entry = expected.get(&statement.id).filter(|entry| entry.error.is_none());
        let Some(entry) = entry else { continue };
        let on = entry.database();
        count += 1;
        wrong.extend(watched.entry(on).or_insert_with(|| watch(dialect, on)).findings(&statement));
    }
    println!("{}: {count} statements planned and run under a look at locks", dialect.word());
    assert!(count > 0, "nothing was planned");
    assert!(wrong.is_empty(), "{} findings\n{}", wrong.len(), wrong.join("\n"));
}

/// The look at a server notices what was not verified.
pub(crate) fn check_itself(dialect: Engine) {
    let mut watched = watch(dialect, "numbers");
    let [t, u] = match dialect {
        Engine::Postgres => ["public.t", "public.u"],
        // As in texts that run, aliases are written out.
        Engine::Sqlite | Engine::Mysql | Engine::Mariadb => ["shop.t AS `t`", "shop.u AS `u`"],
    };
    let mut finds = |tables: &[&str], text: &str| {
        let text = text.replace("S.t", t).replace("S.u", u);
        !watched.findings(&Statement::claimed(dialect, tables, &text)).is_empty()
    };
    assert!(!finds(&["t"], "SELECT a FROM S.t"));
    assert!(finds(&["t"], "SELECT a FROM S.t WHERE a IN (SELECT id FROM S.u)"));
    assert!(finds(&["t", "u"], "SELECT a FROM S.t"));
    // The plan leaves it out.
    assert!(finds(&["t"], "SELECT a FROM S.t WHERE 1 = 0 AND EXISTS (SELECT 1 FROM S.u)"));
    assert!(finds(&[], "SELECT table_name FROM information_schema.tables"));
    match dialect {
        Engine::Postgres => {
            assert!(finds(&[], "SELECT * FROM generate_series(1, 2)"));
            assert!(finds(&["t"], "SELECT a FROM public.t FOR UPDATE"));
        }
        Engine::Sqlite | Engine::Mysql | Engine::Mariadb => {}
    }
}

/// A look at one statement after the other.
pub(crate) fn look(dialect: Engine) -> Look {
    let mut watched = watch(dialect, "numbers");
    Box::new(move |statement| watched.findings(statement))
}

fn watch(dialect: Engine, database: &str) -> Box<dyn Watched> {
    match dialect {
        Engine::Postgres => {
            let connect = || target::postgres(database);
            Box::new(WatchedPostgres { client: connect(), looking: connect() })
        }
        Engine::Mysql | Engine::Mariadb => {
            let connect = || target::mysql(dialect);
            Box::new(WatchedMysql { client: connect(), looking: connect(), dialect })
        }
        Engine::Sqlite => panic!("its authorizer says more"),
    }
}

struct WatchedPostgres {
    client: PostgresClient,
    looking: PostgresClient,
}

impl Watched for WatchedPostgres {
    fn findings(&mut self, statement: &Statement) -> Vec<String> {
        self.client.must("BEGIN");
        self.client.must(&statement.normalised);
        let locks = format!(
            "SELECT n.nspname, c.relname FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
             JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE l.pid = {} AND c.relkind <> 'i'",
            self.client.process
        );
        let locked = names(self.looking.must(&locks).rows);
        self.client.must("ROLLBACK");
        let mut wrong = judge_locks(statement, &locked);
        let plan = plan(&mut self.client, "EXPLAIN (VERBOSE, FORMAT JSON)", statement);
        wrong.extend(judge_nodes(statement, &plan));
        wrong
    }
}

struct WatchedMysql {
    client: MysqlClient,
    looking: MysqlClient,
    dialect: Engine,
}

impl Watched for WatchedMysql {
    fn findings(&mut self, statement: &Statement) -> Vec<String> {
        self.client.must("BEGIN");
        self.client.must(&statement.normalised);
        let locks = format!(
            "SELECT l.object_schema, l.object_name FROM performance_schema.metadata_locks l \
             JOIN performance_schema.threads t ON t.thread_id = l.owner_thread_id \
             WHERE t.processlist_id = {} AND l.object_name IS NOT NULL",
            self.client.connection
        );
        let locked = names(self.looking.must(&locks).rows);
        self.client.must("ROLLBACK");
        let leaves_out = self.dialect == Engine::Mysql && statement.has_common();
        let mut wrong = judge_locks(statement, &locked);
        if leaves_out && locked.is_subset(&statement.tables) {
            wrong.clear();
        }
        if self.dialect == Engine::Mysql {
            let plan = plan(&mut self.client, "EXPLAIN FORMAT=JSON", statement);
            wrong.extend(judge_tables(statement, &plan));
        } else {
            let plan = self.client.must(&format!("EXPLAIN {}", statement.normalised));
            wrong.extend(judge_aliases(statement, &plan));
        }
        wrong
    }
}

fn plan(client: &mut dyn Client, explain: &str, statement: &Statement) -> Value {
    let answer = client.must(&format!("{explain} {}", statement.normalised));
    let plan = answer.rows.first().and_then(|row| row.first()).cloned().flatten();
    serde_json::from_str(&plan.expect("a plan")).expect("JSON")
}

fn judge_locks(statement: &Statement, locked: &BTreeSet<TableName>) -> Vec<String> {
    if *locked == statement.tables {
        return Vec::new();
    }
    vec![format!("{}: locks {locked:?}", statement.id)]
}

/// PostgreSQL names tables with their schema, and what it does with them.
fn judge_nodes(statement: &Statement, plan: &Value) -> Vec<String> {
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

/// MySQL names tables with their schema, and queries of the statement by their alias.
fn judge_tables(statement: &Statement, plan: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    objects(plan, &mut |object| {
        let word = |key: &str| object.get(key).and_then(Value::as_str);
        let Some(name) = word("table_name") else { return };
        let is_known = match word("schema_name") {
            Some(schema) => {
                let table = TableName { schema: schema.into(), name: name.into() };
                statement.tables.contains(&table)
            }
            None => is_own(statement, name),
        };
        if !is_known {
            wrong.push(format!("{}: plans {object:?}", statement.id));
        }
    });
    wrong
}

/// MariaDB names tables by their alias. (Its JSON is not always JSON: it does not escape quotes.)
fn judge_aliases(statement: &Statement, plan: &Answer) -> Vec<String> {
    let at = plan.names.iter().position(|name| name == "table").expect("a column for tables");
    let planned = plan.rows.iter().filter_map(|row| row[at].as_deref());
    let unknown = planned.filter(|name| !is_own(statement, name));
    unknown.map(|name| format!("{}: plans {name}", statement.id)).collect()
}

/// Whether it is an alias, which the text that runs always writes out, or `<derived2>`, `<union1,2>`,
/// `<subquery3>`: a query of the statement.
fn is_own(statement: &Statement, name: &str) -> bool {
    let alias = name.replace('`', "``");
    name.starts_with('<')
        || statement.normalised.contains(&format!(" AS `{alias}`"))
        || statement.written.as_ref().is_some_and(|table| table.name == name)
}

fn names(rows: Vec<Vec<Cell>>) -> BTreeSet<TableName> {
    let mut names = BTreeSet::new();
    for row in rows {
        let [schema, name] = <[Cell; 2]>::try_from(row).expect("two columns");
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
