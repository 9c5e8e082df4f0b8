//! What is never run, not even as Full SQL: every spelling, against the real library.

use crate::common::{Sandbox, task};
use dbeast::drivers::{Driver, DriverError, Gate, Location, open};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::Rows;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn writable(sandbox: &Sandbox) -> Arc<dyn Driver> {
    open(&Location::Sqlite { path: sandbox.path().to_owned(), is_read_only: false })
}

/// The answer, and how often the driver asked at its gate.
async fn full(sandbox: &Sandbox, sql: &str) -> (Result<Rows, DriverError>, u32) {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&asked);
    let (sender, go_ahead) = tokio::sync::oneshot::channel();
    sender.send(()).expect("the receiver is here");
    let ask = move || {
        counted.fetch_add(1, Ordering::SeqCst);
    };
    let gate = Gate::new(ask, go_ahead);
    let answer = writable(sandbox).run_full(sql, gate, &task()).await;
    (answer, asked.load(Ordering::SeqCst))
}

/// A database with everything through which a blocked thing could be reached later.
const TRAPS: &str = "
    CREATE TABLE plain(a, b);
    INSERT INTO plain VALUES (1, 2);
    CREATE TABLE log(a);
    CREATE VIEW settings AS SELECT * FROM pragma_database_list;
    CREATE VIEW nested AS SELECT * FROM settings;
    CREATE VIEW loader AS SELECT load_extension('nothing') AS a;
    CREATE TABLE sprung(a);
    CREATE TRIGGER loading AFTER INSERT ON sprung WHEN NEW.a = 1 BEGIN
        SELECT load_extension('nothing'); END;
    CREATE TABLE peeped(a);
    CREATE TRIGGER peeping AFTER INSERT ON peeped BEGIN
        INSERT INTO log SELECT file FROM pragma_database_list; END;
    CREATE TABLE tokenised(a);
    CREATE TRIGGER tokenising BEFORE UPDATE ON tokenised BEGIN
        SELECT fts3_tokenizer('simple'); END;
    INSERT INTO tokenised VALUES (1);
    CREATE TABLE viewed(a);
    CREATE TRIGGER viewing AFTER DELETE ON viewed BEGIN INSERT INTO log SELECT a FROM loader; END;
    INSERT INTO viewed VALUES (1);
    CREATE TABLE parent(id INTEGER PRIMARY KEY);
    CREATE TABLE child(parent INTEGER REFERENCES parent ON DELETE CASCADE);
    CREATE TRIGGER orphan AFTER DELETE ON child BEGIN SELECT load_extension('nothing'); END;
    INSERT INTO parent VALUES (1);
    INSERT INTO child VALUES (1);
    CREATE VIRTUAL TABLE texts USING fts5(body);
    CREATE VIRTUAL TABLE old_texts USING fts4(body);
    CREATE VIRTUAL TABLE areas USING rtree(id, low, high);
";

/// Blocked before anybody is asked. `{f}` is a path at which nothing may appear.
const BLOCKED: &[&str] = &[
    "ATTACH '{f}' AS other",
    "attach database '{f}' as other",
    "ATTACH '{f}'||'' AS other",
    "ATTACH (SELECT '{f}') AS other",
    "ATTACH '' AS other",
    "ATTACH ':memory:' AS other",
    "ATTACH 'file:{f}?mode=rwc' AS other",
    "ATTACH x'2f' AS other",
    "ATTACH \"{f}\" AS other",
    "ATTACH NULL AS other",
    "/* a comment */ ATTACH -- another\n '{f}' AS other",
    ";;; ATTACH '{f}' AS other;",
    "EXPLAIN ATTACH '{f}' AS other",
    "EXPLAIN QUERY PLAN ATTACH '{f}' AS other",
    "DETACH main",
    "DETACH DATABASE temp",
    "detach\tother",
    "PRAGMA user_version",
    "PRAGMA user_version = 5",
    "pragma user_version(5)",
    "PRAGMA main.user_version = 5",
    "PrAgMa/**/user_version",
    "PRAGMA writable_schema = ON",
    "PRAGMA writable_schema = RESET",
    "PRAGMA journal_mode = WAL",
    "PRAGMA journal_mode = OFF",
    "PRAGMA temp_store_directory = '{f}'",
    "PRAGMA data_store_directory = '{f}'",
    "PRAGMA schema_version = 1",
    "PRAGMA application_id = 1",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA trusted_schema = ON",
    "PRAGMA query_only = ON",
    "PRAGMA key = 'x'",
    "PRAGMA data_version",
    "PRAGMA page_size",
    "PRAGMA page_size = 512",
    "PRAGMA quick_check",
    "PRAGMA integrity_check(plain)",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "PRAGMA incremental_vacuum",
    "PRAGMA optimize",
    "PRAGMA nothing_like_it",
    "EXPLAIN PRAGMA user_version",
    "SELECT * FROM pragma_database_list",
    "SELECT count(*) FROM pragma_database_list",
    "SELECT 1 FROM PRAGMA_database_list AS p",
    "SELECT * FROM main.pragma_table_info('plain')",
    "SELECT * FROM \"pragma_table_info\"('plain')",
    "SELECT * FROM pragma_data_version",
    "SELECT * FROM pragma_quick_check('plain')",
    "SELECT 1 WHERE 1 IN pragma_user_version",
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM pragma_page_size)",
    "WITH p AS (SELECT file FROM pragma_database_list) SELECT file FROM p",
    "INSERT INTO log SELECT file FROM pragma_database_list",
    "UPDATE plain SET a = (SELECT file FROM pragma_database_list)",
    "UPDATE plain SET a = p.file FROM pragma_database_list AS p",
    "CREATE TABLE copy AS SELECT * FROM pragma_database_list",
    "CREATE TEMP TABLE copy AS SELECT * FROM pragma_table_list",
    "SELECT load_extension('nothing')",
    "SELECT LOAD_EXTENSION('nothing', 'entry')",
    "SELECT \"load_extension\"('nothing')",
    "SELECT 1 WHERE load_extension('nothing') IS NULL",
    "VALUES (load_extension('nothing'))",
    "WITH x AS (SELECT load_extension('nothing') AS a) SELECT a FROM x",
    "INSERT INTO log VALUES (load_extension('nothing'))",
    "UPDATE plain SET a = load_extension('nothing')",
    "DELETE FROM plain WHERE load_extension('nothing')",
    "DELETE FROM plain RETURNING load_extension('nothing')",
    "EXPLAIN SELECT load_extension('nothing')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT fts3_tokenizer('mine', x'0000000000000000')",
    "INSERT INTO sprung VALUES (1)",
    "INSERT INTO sprung VALUES (2)",
    "UPDATE tokenised SET a = 2",
    "DELETE FROM child",
    "DELETE FROM parent",
    "CREATE VIRTUAL TABLE more USING fts5(a)",
    "create virtual table if not exists more using FTS4(a)",
    "CREATE VIRTUAL TABLE temp.more USING rtree(id, low, high)",
    "CREATE VIRTUAL TABLE main.more USING dbstat",
    "CREATE VIRTUAL TABLE more USING nothing_like_it",
    "CREATE VIRTUAL TABLE more USING csv(filename='{f}')",
    "DROP TABLE texts",
    "DROP TABLE IF EXISTS main.old_texts",
    "DROP TABLE areas",
    "VACUUM INTO '{f}'",
    "VACUUM main INTO '{f}'",
    "vacuum/**/into '{f}'",
    "VACUUM INTO '{f}'||'x'",
    "VACUUM INTO (SELECT '{f}')",
    "VACUUM INTO 'file:{f}?mode=rwc'",
    "VACUUM INTO ':memory:'",
    "VACUUM INTO ''",
    "; VACUUM INTO '{f}'",
    "/* a comment; */ ;; VACUUM INTO '{f}';",
    "-- a comment\nVACUUM INTO '{f}'",
];

/// Not known to the bundled library or not accepted by it: it does not trust what the schema holds either.
const UNKNOWN: &[&str] = &[
    "SELECT * FROM settings",
    "SELECT count(*) FROM nested",
    "SELECT a FROM loader",
    "INSERT INTO peeped VALUES (1)",
    "DELETE FROM viewed",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('{f}', 'x')",
    "SELECT edit('x')",
    "SELECT eval('ATTACH ''{f}'' AS other')",
    "SELECT * FROM sqlite_dbpage",
    "UPDATE sqlite_dbpage SET data = x'00' WHERE pgno = 1",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE plain(a)' WHERE name = 'plain'",
    "DELETE FROM sqlite_schema",
    "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 2, 'CREATE TABLE x(a)')",
    "INSERT INTO texts_data VALUES (1, 2)",
    "DROP TABLE texts_data",
    "DELETE FROM areas_node",
    "SELECT sqlite_rename_table(1, 2, 3, 4, 5, 6, 7)",
    "VACUUM other",
    "CREATE TRIGGER t AFTER INSERT ON plain BEGIN ATTACH '{f}' AS x; END",
    "CREATE TRIGGER t AFTER INSERT ON plain BEGIN PRAGMA user_version = 5; END",
    "CREATE TRIGGER t AFTER INSERT ON plain BEGIN VACUUM INTO '{f}'; END",
    "WITH x AS (PRAGMA user_version) SELECT * FROM x",
    "SELECT (ATTACH '{f}' AS x)",
];

/// Transactions would end with the handle, and nothing could go on with them.
const TRANSACTIONS: &[&str] = &[
    "BEGIN",
    "BEGIN IMMEDIATE",
    "begin exclusive transaction",
    "COMMIT",
    "END",
    "ROLLBACK",
    "ROLLBACK TO s",
    "SAVEPOINT s",
    "RELEASE s",
    "/**/ BEGIN;",
];

#[tokio::test]
async fn what_is_blocked_is_blocked_in_every_spelling() {
    let sandbox = Sandbox::new(TRAPS);
    let outside = sandbox.folder().join("outside");
    let before = std::fs::read(sandbox.path()).expect("the file");
    let mut surprises = Vec::new();
    let lists = [
        (BLOCKED, &[Reason::StatementBlocked][..]),
        (UNKNOWN, &[Reason::StatementNotAccepted, Reason::StatementBlocked][..]),
        (TRANSACTIONS, &[Reason::TransactionControl][..]),
    ];
    for (list, expected) in lists {
        for sql in list {
            let sql = sql.replace("{f}", &outside.display().to_string());
            let (answer, asked) = full(&sandbox, &sql).await;
            match answer {
                Ok(rows) => surprises.push(format!("{sql:?} was run: {rows:?}")),
                Err(error) if !expected.contains(&error.reason()) || !error.is_refused() => {
                    surprises.push(format!("{sql:?}: {error:?} ({})", error.cause()));
                }
                Err(_) if asked > 0 => surprises.push(format!("{sql:?} asked at the gate")),
                Err(_) => {}
            }
            assert!(!outside.exists(), "{sql:?} made a file");
            assert_eq!(std::fs::read(sandbox.path()).expect("the file"), before, "{sql:?}");
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    let files: Vec<_> = std::fs::read_dir(sandbox.folder()).expect("the folder").collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

/// Statements that look like blocked ones to a search for words, or that make SQLite itself do what is blocked.
const ALLOWED: &[&str] = &[
    "VACUUM",
    "VACUUM main",
    "vacuum /* INTO 'file' */",
    "ANALYZE",
    "REINDEX",
    "DROP VIEW nested",
    "DROP VIEW settings",
    "DROP VIEW loader",
    "DROP TRIGGER peeping",
    "DROP TRIGGER viewing",
    "SELECT 'ATTACH', \"PRAGMA\" FROM (SELECT 1 AS \"PRAGMA\")",
    "SELECT 1 -- VACUUM INTO",
    "CREATE TABLE attach_pragma(vacuum_into)",
    "ALTER TABLE plain ADD COLUMN c INTEGER NOT NULL DEFAULT 5 CHECK (c > 1)",
    "ALTER TABLE plain RENAME COLUMN b TO d",
    "ALTER TABLE plain RENAME TO plainer",
    "ALTER TABLE plainer DROP COLUMN d",
    "INSERT INTO texts VALUES ('a word')",
    "SELECT body FROM texts WHERE texts MATCH 'word'",
    "UPDATE texts SET body = 'another word'",
    "INSERT INTO texts(texts) VALUES ('optimize')",
    "INSERT INTO old_texts VALUES ('a word')",
    "SELECT body FROM old_texts WHERE body MATCH 'word'",
    "INSERT INTO areas VALUES (1, 2, 3)",
    "SELECT id FROM areas WHERE low > 1",
    "ALTER TABLE texts RENAME TO renamed",
    "SELECT value FROM json_each('[1]')",
    "CREATE TEMP TABLE short(a)",
    "CREATE VIEW later AS SELECT * FROM pragma_database_list",
    "DROP VIEW later",
    "EXPLAIN QUERY PLAN SELECT a FROM plainer",
    "EXPLAIN DELETE FROM plainer",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3) SELECT x FROM n",
    "SELECT row_number() OVER (ORDER BY a), datetime('now'), random() FROM plainer",
    "SELECT name FROM sqlite_schema",
    "SELECT name FROM dbstat LIMIT 1",
    "SELECT \"no such column\"",
];

#[tokio::test]
async fn what_only_looks_blocked_runs() {
    for mode in ["delete", "wal"] {
        let sandbox = Sandbox::new(TRAPS);
        sandbox.writer().pragma_update(None, "journal_mode", mode).expect("a journal");
        for sql in ALLOWED {
            let (answer, asked) = full(&sandbox, sql).await;
            if let Err(error) = answer {
                panic!("{mode} {sql}: {error:?} ({})", error.cause());
            }
            assert_eq!(asked, 1, "{sql}");
        }
        let check = |sql| sandbox.writer().query_row(sql, [], |row| row.get::<_, String>(0));
        assert_eq!(check("PRAGMA integrity_check").as_deref(), Ok("ok"));
        // Temporary tables have ended with their handle.
        assert!(full(&sandbox, "SELECT a FROM short").await.0.is_err());
    }
}

#[tokio::test]
async fn what_a_trap_holds_is_judged_when_it_springs() {
    let sandbox = Sandbox::new("CREATE TABLE t(a); CREATE TABLE log(a);");
    // Neither reaches anything while it is only written down.
    for sql in [
        "CREATE TRIGGER one AFTER INSERT ON t WHEN NEW.a = 1 BEGIN SELECT load_extension('x'); END",
        "CREATE VIEW two AS SELECT file FROM pragma_database_list",
    ] {
        assert!(full(&sandbox, sql).await.0.is_ok(), "{sql}");
    }
    let error = full(&sandbox, "INSERT INTO t VALUES (1)").await.0.expect_err("it springs");
    assert_eq!(error.reason(), Reason::StatementBlocked);
    assert!(full(&sandbox, "SELECT * FROM two").await.0.expect_err("unsafe").is_refused());
    assert!(full(&sandbox, "DROP TRIGGER one").await.0.is_ok());
    assert!(full(&sandbox, "INSERT INTO t VALUES (1)").await.0.is_ok());
}
