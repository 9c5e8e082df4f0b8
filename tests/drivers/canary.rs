//! A canary in every place of a file that can hold code: no read that is answered ever wakes it.
//!
//! SQLite keeps no functions in a file. What can act are triggers; what can call are views, virtual tables, generated
//! columns, checks, defaults, indexes and collations. Each of them calls something here that would be noticed: a
//! trigger that writes into `canary`, or a function that only another program has.

use crate::common::{Sandbox, reading, table, task};
use dbeast::reason::DatabaseReason as Reason;
use std::fs;

const NEST: &str = "
    CREATE TABLE canary(song);
    CREATE TABLE plain(id INTEGER PRIMARY KEY, a TEXT DEFAULT (soundex('default')), b TEXT CHECK (soundex('check') OR 1),
        c TEXT, CHECK (soundex('table check') OR 1));
    CREATE INDEX by_song ON plain(soundex(a));
    CREATE INDEX some_songs ON plain(b) WHERE soundex('partial');
    CREATE UNIQUE INDEX ordinary ON plain(c);
    CREATE TRIGGER one BEFORE INSERT ON plain BEGIN INSERT INTO canary VALUES ('before insert'); END;
    CREATE TRIGGER two AFTER UPDATE ON plain BEGIN INSERT INTO canary VALUES ('after update'); END;
    CREATE TRIGGER three AFTER DELETE ON plain BEGIN INSERT INTO canary VALUES ('after delete'); END;
    CREATE VIEW seen AS SELECT id, soundex('view') AS a FROM plain;
    CREATE VIEW nested AS SELECT * FROM seen;
    CREATE TRIGGER four INSTEAD OF INSERT ON seen BEGIN INSERT INTO canary VALUES ('instead of'); END;
    CREATE TABLE made(a, b AS (soundex('generated')), c AS (soundex('stored')) STORED);
    CREATE VIRTUAL TABLE texts USING fts5(a, content='seen', content_rowid='id');
    CREATE TABLE child(plain INTEGER REFERENCES plain ON DELETE CASCADE, d TEXT COLLATE NOCASE);
    CREATE INDEX collated ON child(d COLLATE RTRIM);
    CREATE TRIGGER five AFTER DELETE ON child BEGIN INSERT INTO canary VALUES ('cascade'); END;
    INSERT INTO plain(id, a, b, c) VALUES (1, 'x', 'y', 'z'), (2, 'x2', 'y2', 'z2');
    INSERT INTO child VALUES (1, 'D');
    DELETE FROM canary;
";

/// A database that another program made, with a function and a collation of its own wherever one can stand.
fn nest(is_analysed: bool) -> Sandbox {
    let sandbox = Sandbox::new(NEST);
    let writer = sandbox.writer();
    if is_analysed {
        // Statistics make the planner look at every index.
        writer.execute_batch("ANALYZE").expect("statistics");
    }
    writer
        .execute_batch(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_master SET sql = replace(replace(sql, 'soundex(', 'sing('), 'RTRIM', 'song');",
        )
        .expect("the words of another program");
    let count =
        "SELECT count(*) FROM sqlite_master WHERE sql LIKE '%sing(%' OR sql LIKE '%COLLATE song%'";
    let count = writer.query_row(count, [], |row| row.get::<_, i64>(0));
    assert_eq!(count, Ok(6), "two tables, three indexes and a view call it");
    sandbox
}

/// Tables, statement. Each is over plain tables, and is answered or refused; nothing else.
const READS: &[(&[&str], &str)] = &[
    (&["plain"], "SELECT id, a, b, c FROM main.plain"),
    (&["plain"], "SELECT count(*) FROM main.plain"),
    (&["plain"], "SELECT count(a), max(b), min(c) FROM main.plain"),
    (&["plain"], "SELECT id FROM main.plain WHERE a = 'x'"),
    (&["plain"], "SELECT id FROM main.plain WHERE b = 'y'"),
    (&["plain"], "SELECT id FROM main.plain WHERE c > 'a' ORDER BY c DESC"),
    (&["plain"], "SELECT a FROM main.plain WHERE id IN (1, 2) OR c = 'z'"),
    (&["plain"], "SELECT a, count(*) FROM main.plain GROUP BY a HAVING count(*) > 0"),
    (&["plain"], "SELECT DISTINCT b FROM main.plain ORDER BY 1"),
    (&["plain"], "SELECT a FROM main.plain UNION SELECT c FROM main.plain"),
    (&["plain"], "SELECT p.id FROM main.plain AS p JOIN main.plain AS q ON p.a = q.a"),
    (&["plain", "child"], "SELECT p.a FROM main.plain AS p JOIN main.child AS c ON c.plain = p.id"),
    (&["plain", "child"], "SELECT p.a FROM main.plain AS p LEFT JOIN main.child AS c ON c.d = p.a"),
    (&["child"], "SELECT d FROM main.child"),
    (&["child"], "SELECT d FROM main.child WHERE d = 'd'"),
    (&["child"], "SELECT d FROM main.child ORDER BY d"),
    (&["canary"], "SELECT count(*) FROM main.canary"),
];

#[tokio::test]
async fn no_read_wakes_the_canary() {
    for is_analysed in [false, true] {
        let sandbox = nest(is_analysed);
        let before = fs::read(sandbox.path()).expect("the file");
        let mut answered = 0;
        for (tables, sql) in READS {
            let read = sandbox.driver().read(&reading(tables, sql), None, &task()).await;
            match read {
                Ok(_) => answered += 1,
                Err(error) => assert!(error.is_refused(), "{sql}: {error:?} {}", error.cause()),
            }
            assert_eq!(fs::read(sandbox.path()).expect("the file"), before, "{sql}");
        }
        assert_eq!(answered, READS.len(), "each of these is an ordinary read");
        for (name, expected) in [
            ("seen", Reason::TableIsView),
            ("nested", Reason::TableIsView),
            ("made", Reason::TableHasGeneratedColumn),
            ("texts", Reason::TableIsVirtual),
            ("texts_data", Reason::TableIsShadow),
        ] {
            let described = sandbox.driver().describe_table(&table(name), None, &task()).await;
            assert_eq!(described.expect_err(name).reason(), expected);
            let reason = sandbox.refusal(&[name], &format!("SELECT * FROM main.{name}")).await;
            assert_eq!(reason, expected);
        }
        sandbox.driver().list_tables(&task()).await.expect("a list");
        assert_eq!(fs::read(sandbox.path()).expect("the file"), before);
        assert_eq!(sandbox.texts(&["canary"], "SELECT count(*) FROM main.canary").await, [["0"]]);
        let files = fs::read_dir(sandbox.folder()).expect("the folder").count();
        assert_eq!(files, 1, "nothing is left beside the file");
    }
}

#[tokio::test]
async fn the_canary_can_sing() {
    let sandbox = Sandbox::new(NEST);
    let writer = sandbox.writer();
    writer
        .execute_batch(
            "PRAGMA foreign_keys = ON; INSERT INTO plain(c) VALUES ('new'); UPDATE plain SET c = c || '!';
             DELETE FROM plain; INSERT INTO seen VALUES (1, 2);",
        )
        .expect("another program may");
    drop(writer);
    let songs =
        sandbox.texts(&["canary"], "SELECT DISTINCT song FROM main.canary ORDER BY song").await;
    let expected = ["after delete", "after update", "before insert", "cascade", "instead of"];
    assert_eq!(songs.concat(), expected);
}
