//! Statements that the proof refuses, sent past it: which of them have an effect when only the read-only transaction, or only
//! the driver, stands in the way.

use super::common::{driver, reading, table, task_of};
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, Mysql, MysqlClient, Options, Role};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Fewest statements.
const STATEMENTS_MIN: usize = 500;

/// An account with every privilege in the database, and no password.
const ACCOUNT: &str = "sweeper";

#[derive(Deserialize)]
struct Refused {
    id: String,
    sql: String,
}

/// The refused statements of one engine.
fn corpus(kind: Kind) -> Vec<Refused> {
    let folder = if kind == Kind::Mysql { "mysql" } else { "mariadb" };
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql").join(folder);
    let mut statements = Vec::new();
    for file in ["refuse.jsonl", "write_refuse.jsonl"] {
        let text = std::fs::read_to_string(base.join(file)).expect("a file of the corpus");
        statements.extend(text.lines().map(|line| serde_json::from_str(line).expect("a line")));
    }
    assert!(statements.len() >= STATEMENTS_MIN, "{}", statements.len());
    statements
}

/// The database that the corpus is written for, on a server of its own.
fn stage(kind: Kind) -> Database {
    let server: &'static Mysql = Box::leak(Box::new(Mysql::start(kind, Options::default())));
    let database = Database::new(server, "shop");
    let mut root = database.root();
    let fixture = include_str!("../sql/fixture/mysql.sql");
    let lines = fixture.lines().filter(|line| !line.starts_with("--"));
    let text: Vec<&str> = lines.collect();
    for statement in text.join("\n").split(";\n") {
        let statement = statement.trim().trim_end_matches(';');
        if !statement.is_empty() && !statement.starts_with("CREATE DATABASE shop") {
            root.must(statement);
        }
    }
    root.must(&format!("CREATE USER {ACCOUNT}@localhost"));
    root.must(&format!("GRANT ALL PRIVILEGES ON shop.* TO {ACCOUNT}@localhost"));
    root.must(&format!("GRANT PROCESS ON *.* TO {ACCOUNT}@localhost"));
    database
}

fn text(cell: Option<&String>) -> &str {
    cell.expect("no NULL here")
}

/// Everything that a statement could have changed: rows, definitions, accounts, global settings.
fn digest(root: &mut MysqlClient) -> Vec<Vec<Option<String>>> {
    let tables = root.must(
        "SELECT TABLE_SCHEMA, TABLE_NAME, CREATE_TIME FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' \
         AND TABLE_SCHEMA NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') ORDER BY 1, 2",
    );
    let names: Vec<String> = tables
        .rows
        .iter()
        .map(|row| format!("`{}`.`{}`", text(row[0].as_ref()), text(row[1].as_ref())))
        .collect();
    let mut all = tables.rows;
    all.extend(root.must(&format!("CHECKSUM TABLE {}", names.join(", "))).rows);
    for sql in [
        "SELECT ROUTINE_SCHEMA, ROUTINE_NAME, LAST_ALTERED FROM information_schema.ROUTINES ORDER BY 1, 2",
        "SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA <> 'sys' ORDER BY 1, 2",
        "SELECT TRIGGER_SCHEMA, TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA <> 'sys' ORDER BY 1, 2",
        "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA ORDER BY 1",
        "SELECT user, host FROM mysql.user ORDER BY 1, 2",
        "SHOW GLOBAL VARIABLES WHERE Variable_name NOT IN ('gtid_binlog_pos', 'timestamp', 'rand_seed1', 'rand_seed2')",
    ] {
        all.extend(root.must(sql).rows);
    }
    all
}

/// Ends what takes longer than a second, as the driver would.
fn watch(server: &'static Mysql, users: &[String], is_over: &AtomicBool) {
    let mut root = server.connect();
    while !is_over.load(Ordering::SeqCst) {
        for row in root.must("SHOW PROCESSLIST").rows {
            let is_slow =
                row[5].as_deref().and_then(|time| time.parse::<u64>().ok()).unwrap_or(0) > 1;
            let is_ours = users.iter().any(|user| row[1].as_deref() == Some(user));
            if is_slow && is_ours && row[4].as_deref() == Some("Query") {
                // It may have ended in between.
                drop(root.ask(&format!("KILL QUERY {}", text(row[0].as_ref()))));
            }
        }
        std::thread::yield_now();
    }
}

/// The session as the driver pins it, as far as it protects.
fn settings(kind: Kind) -> &'static str {
    match kind {
        Kind::Mysql => {
            "SET SESSION transaction_read_only = 1, max_execution_time = 1000, sql_select_limit = 501, lock_wait_timeout = 1"
        }
        Kind::Mariadb => {
            "SET SESSION tx_read_only = 1, max_statement_time = 1, sql_select_limit = 501, lock_wait_timeout = 1"
        }
    }
}

pub(crate) async fn a_read_only_transaction_bears_most_of_the_load(kind: Kind) {
    let database = stage(kind);
    let server = database.server();
    let is_over = Arc::new(AtomicBool::new(false));
    let users = vec![ACCOUNT.to_owned(), database.user(Role::Owner)];
    let watching = {
        let is_over = Arc::clone(&is_over);
        std::thread::spawn(move || watch(server, &users, &is_over))
    };
    let mut root = server.connect();
    let driver = driver(&database, Role::Owner);
    let table = table(&database, "customers");
    // The digest sees what it should see.
    let untouched = digest(&mut root);
    root.must("CREATE TABLE shop.control (a int)");
    let with_a_table = digest(&mut root);
    root.must("INSERT INTO shop.control VALUES (1)");
    let mut before = digest(&mut root);
    assert!(untouched != with_a_table && with_a_table != before);
    let mut effects: BTreeMap<String, String> = BTreeMap::new();
    let (mut raw, mut run, mut through_the_driver) = (0, 0, 0);
    for Refused { id, sql } in corpus(kind) {
        // Past the proof, with everything that the driver itself does.
        let read = reading(&sql, &table);
        let task = task_of(&CancellationToken::new(), Duration::from_secs(10));
        through_the_driver += usize::from(driver.read(&read, None, &task).await.is_ok());
        // Past the driver, too: the read-only transaction alone.
        let mut client = server.connect_as(ACCOUNT);
        client.must("USE shop");
        client.must(settings(kind));
        client.must("START TRANSACTION READ ONLY");
        if sql.contains('\0') {
            continue;
        }
        raw += 1;
        run += usize::from(client.ask(&sql).is_ok());
        drop(client.ask("ROLLBACK"));
        drop(client);
        let after = digest(&mut root);
        if after != before {
            // Whose it was: once more through the driver alone.
            let task = task_of(&CancellationToken::new(), Duration::from_secs(10));
            drop(driver.read(&read, None, &task).await);
            assert_eq!(after, digest(&mut root), "{id} has an effect through the driver: {sql}");
            effects.insert(id, sql);
            before = after;
        }
    }
    is_over.store(true, Ordering::SeqCst);
    watching.join().expect("watched");
    println!(
        "say: {kind:?}: of {raw} refused statements sent raw under the read-only transaction {run} ran, {} with an \
         effect; of those sent through the driver {through_the_driver} ran, none with an effect",
        effects.len()
    );
    assert!(effects.is_empty(), "the transaction lets these through: {effects:?}");
}

/// What a read-only transaction does not bear, and what does.
pub(crate) async fn what_the_transaction_lets_through_others_hold(kind: Kind) {
    let settings: &'static [&'static str] = &["secure-file-priv="];
    let options = Options { settings };
    let server: &'static Mysql = Box::leak(Box::new(Mysql::start(kind, options)));
    let database = Database::new(server, "shop");
    let mut root = database.root();
    root.must("CREATE TABLE t (a int)");
    root.must("INSERT INTO t VALUES (1)");
    root.must("CREATE TABLE sung (x int)");
    root.must("CREATE FUNCTION sing() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO sung VALUES (1); RETURN 1; END");
    let user = database.user(Role::Owner);
    root.must(&format!("GRANT FILE ON *.* TO '{user}'@'%'"));
    root.must(&format!("CREATE USER {ACCOUNT}@localhost"));
    root.must(&format!("GRANT ALL ON shop.* TO {ACCOUNT}@localhost"));
    root.must(&format!("GRANT FILE ON *.* TO {ACCOUNT}@localhost"));
    let driver = driver(&database, Role::Owner);
    let table = table(&database, "t");
    let folder = Path::new(&server.socket()).parent().expect("a folder").to_owned();
    let file = |name: &str| format!("'{}'", folder.join(name).display());
    // The statement, whether the transaction lets it through, and whether the driver does.
    for (sql, transaction, through) in [
        (format!("SELECT t.a INTO OUTFILE {} FROM shop.t AS t", file("raw")), true, false),
        (format!("SELECT t.a FROM shop.t AS t INTO DUMPFILE {}", file("dump")), true, false),
        ("SELECT t.a INTO @x FROM shop.t AS t".to_owned(), true, false),
        ("DO GET_LOCK('a', 0)".to_owned(), true, false),
        ("SET @x = 1".to_owned(), true, false),
        ("SELECT shop.sing() AS x".to_owned(), false, false),
        ("DELETE FROM shop.t".to_owned(), false, false),
        ("TRUNCATE TABLE shop.t".to_owned(), false, false),
        ("DROP TABLE shop.t".to_owned(), false, false),
        // MySQL says in a row that it did not.
        ("ANALYZE TABLE shop.t".to_owned(), true, false),
        // Only the proof keeps these out: they read, as far as the server and the driver can tell.
        ("SELECT GET_LOCK('b', 0) AS x".to_owned(), true, true),
        ("SELECT SLEEP(0.01) AS x".to_owned(), true, true),
        (format!("SELECT LENGTH(LOAD_FILE({})) AS x", file("raw")), true, true),
    ] {
        let mut client = server.connect_as(ACCOUNT);
        client.must(self::settings(kind));
        client.must("START TRANSACTION READ ONLY");
        let is_through = client.ask(&sql);
        assert_eq!(is_through.is_ok(), transaction, "{kind:?} {sql}: {is_through:?}");
        let task = task_of(&CancellationToken::new(), Duration::from_secs(10));
        let sql = sql.replace("raw'", "driver'").replace("dump'", "driver-dump'");
        let read = driver.read(&reading(&sql, &table), None, &task).await;
        assert_eq!(
            read.is_ok(),
            through,
            "{kind:?} {sql}: {:?}",
            read.map_err(|error| error.cause())
        );
        let layer = match (transaction, through) {
            (false, _) => "the read-only transaction",
            (true, false) => "the driver",
            (true, true) => "the proof of the text alone",
        };
        println!("say: {kind:?}: {layer} keeps out: {sql}");
    }
    assert!(folder.join("raw").exists() && folder.join("dump").exists());
    assert!(!folder.join("driver").exists() && !folder.join("driver-dump").exists());
    assert_eq!(root.must("SELECT * FROM sung").rows.len(), 0);
    assert_eq!(root.must("SELECT * FROM t").rows.len(), 1);
}
