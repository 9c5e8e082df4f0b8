//! The proof, case by case: each kind of object is covered or refused for its own reason, and so is each kind of file.
//!
//! Every case has a database of its own. The description and a read must agree, and neither changes the file.

use crate::common::{Sandbox, driver, reading, table, task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::TableName;
use std::fs;

/// What is made, the name that is asked for, and why it is refused, if it is.
type Case = (&'static str, &'static str, Option<Reason>);

/// Plain tables, whatever is around them.
const COVERED: &[Case] = &[
    ("CREATE TABLE t(a)", "t", None),
    ("CREATE TABLE t(a)", "T", None),
    ("CREATE TABLE T(a)", "t", None),
    ("CREATE TABLE main.t(a ANY)", "t", None),
    ("CREATE TABLE t(a INTEGER PRIMARY KEY)", "t", None),
    ("CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, b)", "t", None),
    ("CREATE TABLE t(a, b, PRIMARY KEY (b, a)) WITHOUT ROWID", "t", None),
    ("CREATE TABLE t(a INT, b TEXT, c REAL, d BLOB, e ANY) STRICT", "t", None),
    ("CREATE TABLE t(a TEXT PRIMARY KEY) STRICT, WITHOUT ROWID", "t", None),
    ("CREATE TABLE t(a VARCHAR(20), b DECIMAL(8, 2), c \"any thing at all\")", "t", None),
    ("CREATE TABLE t(a TEXT COLLATE NOCASE, b COLLATE rtrim, c COLLATE binary)", "t", None),
    ("CREATE TABLE t(a UNIQUE, b NOT NULL, UNIQUE (a, b) ON CONFLICT REPLACE)", "t", None),
    ("CREATE TABLE p(a PRIMARY KEY); CREATE TABLE t(a REFERENCES p ON DELETE CASCADE)", "t", None),
    ("CREATE TABLE t(a REFERENCES nowhere(at_all))", "t", None),
    ("CREATE TABLE t(a CHECK (abs(a) > 0 AND a LIKE '%'))", "t", None),
    ("CREATE TABLE t(a DEFAULT CURRENT_TIMESTAMP, b DEFAULT (random()), c DEFAULT 'x')", "t", None),
    ("CREATE TABLE t(a, b); CREATE INDEX i ON t(b DESC, a COLLATE NOCASE)", "t", None),
    ("CREATE TABLE t(a, b); CREATE INDEX i ON t(lower(a), length(b))", "t", None),
    ("CREATE TABLE t(a, b); CREATE UNIQUE INDEX i ON t(a) WHERE b IS NOT NULL", "t", None),
    ("CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END", "t", None),
    ("CREATE TABLE t(a); CREATE TRIGGER r BEFORE UPDATE OF a ON t BEGIN SELECT 1; END", "t", None),
    ("CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t", "t", None),
    ("CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts5(b)", "t", None),
    ("CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts5(b, content='t')", "t", None),
    ("CREATE TABLE t(a); INSERT INTO t VALUES (1); ANALYZE", "t", None),
    ("CREATE TABLE t(a /* why */, -- and how\n b)", "t", None),
    ("CREATE TABLE o(a); ALTER TABLE o RENAME TO t", "t", None),
    ("CREATE TABLE t(b, a); ALTER TABLE t DROP COLUMN b", "t", None),
    ("CREATE TABLE t(a); ALTER TABLE t ADD COLUMN b DEFAULT 5", "t", None),
    ("CREATE TABLE t AS SELECT 1 AS a, 'x' AS b", "t", None),
    ("PRAGMA page_size = 512; CREATE TABLE t(a)", "t", None),
    ("PRAGMA page_size = 65536; CREATE TABLE t(a)", "t", None),
    ("PRAGMA auto_vacuum = FULL; CREATE TABLE t(a)", "t", None),
    ("PRAGMA encoding = 'UTF-16be'; CREATE TABLE t(a)", "t", None),
    ("PRAGMA application_id = 252006675; PRAGMA user_version = 7; CREATE TABLE t(a)", "t", None),
    ("PRAGMA journal_mode = wal; CREATE TABLE t(a)", "t", None),
    ("PRAGMA journal_mode = persist; CREATE TABLE t(a); INSERT INTO t VALUES (1)", "t", None),
    ("CREATE TABLE \"a b\"(a)", "a b", None),
    ("CREATE TABLE \"a.b\"(a)", "a.b", None),
    ("CREATE TABLE \"main.t\"(a)", "main.t", None),
    ("CREATE TABLE \"say \"\"hi\"\"\"(a)", "say \"hi\"", None),
    ("CREATE TABLE \"it's\"(a)", "it's", None),
    ("CREATE TABLE [a`b](a)", "a`b", None),
    ("CREATE TABLE `a]b`(a)", "a]b", None),
    ("CREATE TABLE \"; DROP TABLE t; --\"(a)", "; DROP TABLE t; --", None),
    ("CREATE TABLE \"a\nb\tc\"(a)", "a\nb\tc", None),
    ("CREATE TABLE \" \"(a)", " ", None),
    ("CREATE TABLE \"\"(a)", "", None),
    ("CREATE TABLE \"select\"(a)", "select", None),
    ("CREATE TABLE \"таблица\"(a)", "таблица", None),
    ("CREATE TABLE \"表é😀\"(a)", "表é😀", None),
    ("CREATE TABLE \"e\u{301}\"(a)", "e\u{301}", None),
    ("CREATE TABLE t(\"a \"\"b.c\", \"\", \" \", \"select\", \"é😀\")", "t", None),
    ("CREATE TABLE sqlite(a)", "sqlite", None),
    ("CREATE TABLE sqlitex_stat1(a)", "sqlitex_stat1", None),
    ("CREATE TABLE pragma_table_info(a)", "pragma_table_info", None),
    ("CREATE TABLE json_each(a)", "json_each", None),
    ("CREATE TABLE dbstat(a)", "dbstat", None),
    ("CREATE TABLE f_data(a); CREATE VIEW f AS SELECT 1", "f_data", None),
];

/// Everything else.
const REFUSED: &[Case] = &[
    ("CREATE VIEW v AS SELECT 1 AS a", "v", Some(Reason::TableIsView)),
    ("CREATE VIEW v AS SELECT 1 AS a", "V", Some(Reason::TableIsView)),
    ("CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t", "v", Some(Reason::TableIsView)),
    ("CREATE VIEW u AS SELECT 1; CREATE VIEW v AS SELECT * FROM u", "v", Some(Reason::TableIsView)),
    ("CREATE VIEW v AS SELECT * FROM no_such_table", "v", Some(Reason::TableIsView)),
    ("CREATE VIEW v AS SELECT load_extension('x')", "v", Some(Reason::TableIsView)),
    ("CREATE VIEW v AS SELECT * FROM pragma_database_list", "v", Some(Reason::TableIsView)),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "f", Some(Reason::TableIsVirtual)),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "F", Some(Reason::TableIsVirtual)),
    ("CREATE VIRTUAL TABLE f USING fts4(a)", "f", Some(Reason::TableIsVirtual)),
    ("CREATE VIRTUAL TABLE f USING fts3(a)", "f", Some(Reason::TableIsVirtual)),
    ("CREATE VIRTUAL TABLE f USING fts5(a, content='')", "f", Some(Reason::TableIsVirtual)),
    ("CREATE VIRTUAL TABLE f USING rtree(a, b, c)", "f", Some(Reason::TableIsVirtual)),
    ("CREATE VIRTUAL TABLE f USING dbstat", "f", Some(Reason::TableIsVirtual)),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "f_data", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "f_idx", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "f_content", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "f_docsize", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", "F_Config", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING fts4(a)", "f_segments", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING fts4(a)", "f_segdir", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING fts4(a)", "f_stat", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING rtree(a, b, c)", "f_node", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING rtree(a, b, c)", "f_rowid", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE f USING rtree(a, b, c)", "f_parent", Some(Reason::TableIsShadow)),
    ("CREATE VIRTUAL TABLE \"a_b\" USING fts5(a)", "a_b_data", Some(Reason::TableIsShadow)),
    // Nobody can ask a module that is not there, so a name that looks like storage counts as storage.
    (
        "CREATE VIRTUAL TABLE f USING fts5(a); CREATE TABLE f_own(a)",
        "f_own",
        Some(Reason::TableIsShadow),
    ),
    ("CREATE TABLE t(a, b AS (a + 1))", "t", Some(Reason::TableHasGeneratedColumn)),
    ("CREATE TABLE t(a, b AS (a + 1) STORED)", "t", Some(Reason::TableHasGeneratedColumn)),
    (
        "CREATE TABLE t(a, b INT GENERATED ALWAYS AS (1) VIRTUAL)",
        "t",
        Some(Reason::TableHasGeneratedColumn),
    ),
    (
        "CREATE TABLE t(a); ALTER TABLE t ADD COLUMN b AS (a)",
        "t",
        Some(Reason::TableHasGeneratedColumn),
    ),
    (
        "CREATE TABLE t(a PRIMARY KEY, b AS (a)) WITHOUT ROWID",
        "t",
        Some(Reason::TableHasGeneratedColumn),
    ),
    ("CREATE TABLE t(a)", "sqlite_master", Some(Reason::TableIsSystem)),
    ("CREATE TABLE t(a)", "SQLite_Schema", Some(Reason::TableIsSystem)),
    ("CREATE TABLE t(a)", "sqlite_temp_master", Some(Reason::TableIsSystem)),
    ("CREATE TABLE t(a)", "sqlite_temp_schema", Some(Reason::TableIsSystem)),
    (
        "CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT)",
        "sqlite_sequence",
        Some(Reason::TableIsSystem),
    ),
    ("CREATE TABLE t(a); ANALYZE", "sqlite_stat1", Some(Reason::TableIsSystem)),
    ("CREATE TABLE t(a); ANALYZE", "sqlite_stat4", Some(Reason::TableIsSystem)),
    ("CREATE TABLE t(a)", "sqlite_dbpage", Some(Reason::TableIsSystem)),
    ("CREATE TABLE t(a UNIQUE)", "sqlite_autoindex_t_1", Some(Reason::TableIsSystem)),
    ("CREATE TABLE t(a)", "missing", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "t ", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", " t", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "main.t", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "\"t\"", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "[t]", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "t\0", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "\0", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "t; DROP TABLE t", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "t\" UNION SELECT 1 --", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "%", Some(Reason::TableUnknown)),
    ("CREATE TABLE \"É\"(a)", "é", Some(Reason::TableUnknown)),
    ("CREATE TABLE \"e\u{301}\"(a)", "é", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "ｔ", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a); CREATE INDEX i ON t(a)", "i", Some(Reason::TableUnknown)),
    (
        "CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END",
        "r",
        Some(Reason::TableUnknown),
    ),
    ("CREATE TABLE t(a)", "a", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "json_each", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "pragma_table_list", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "dbstat", Some(Reason::TableUnknown)),
    ("CREATE TABLE t(a)", "fts3tokenize", Some(Reason::TableUnknown)),
    ("", "t", Some(Reason::TableUnknown)),
];

/// What only another program can have left in the schema: what is made, what is written over its definition, name, reason.
type Crafted = (&'static str, &'static str, &'static str, Option<Reason>);

const CRAFTED: &[Crafted] = &[
    (
        "CREATE TABLE t(a)",
        "CREATE TABLE t(a COLLATE german)",
        "t",
        Some(Reason::TableHasCustomCollation),
    ),
    (
        "CREATE TABLE t(a)",
        "CREATE TABLE t(a COLLATE \"NOCASE \")",
        "t",
        Some(Reason::TableHasCustomCollation),
    ),
    (
        "CREATE TABLE t(a, b)",
        "CREATE TABLE t(a, b COLLATE binar)",
        "t",
        Some(Reason::TableHasCustomCollation),
    ),
    ("CREATE TABLE t(a)", "CREATE TABLE t(a CHECK (custom(a)))", "t", None),
    ("CREATE TABLE t(a)", "CREATE TABLE t(a DEFAULT (custom(1)))", "t", None),
    (
        "CREATE TABLE t(a)",
        "CREATE TABLE t(a, b AS (custom(a)))",
        "t",
        Some(Reason::TableHasGeneratedColumn),
    ),
    ("CREATE TABLE t(a)", "CREATE TABLE t(a, a2 HIDDEN)", "t", None),
];

async fn must_be(sandbox: &Sandbox, schema: &str, name: &str, expected: Option<Reason>, why: &str) {
    let before = fs::read(sandbox.path()).expect("the file");
    let asked = TableName { schema: schema.to_owned(), name: name.to_owned() };
    let described = sandbox.driver().describe_table(&asked, None, &task()).await;
    let cause = described.as_ref().err().map(dbeast::drivers::DriverError::cause);
    let reason = described.err().map(|error| error.reason());
    assert_eq!(reason, expected, "describe {name:?} after {why:?} ({cause:?})");
    let mut read = reading(&[], "SELECT 1");
    read.tables = vec![asked];
    let read = sandbox.driver().read(&read, None, &task()).await;
    let reason = read.as_ref().err().map(dbeast::drivers::DriverError::reason);
    assert_eq!(reason, expected, "read {name:?} after {why:?}");
    assert!(read.err().is_none_or(|error| error.is_refused()), "{name:?} after {why:?}");
    assert_eq!(fs::read(sandbox.path()).expect("the file"), before, "{name:?} after {why:?}");
}

#[tokio::test]
async fn each_kind_of_object_is_covered_or_refused_for_its_reason() {
    for (ddl, name, expected) in COVERED.iter().chain(REFUSED) {
        must_be(&Sandbox::new(ddl), "main", name, *expected, ddl).await;
    }
    for schema in ["temp", "", "other", "main ", "\"main\"", "maın", "main.t", "sqlite_master"] {
        let sandbox = Sandbox::new("CREATE TABLE t(a)");
        must_be(&sandbox, schema, "t", Some(Reason::SchemaUnknown), schema).await;
    }
    assert!(COVERED.len() + REFUSED.len() >= 120, "{} + {}", COVERED.len(), REFUSED.len());
}

#[tokio::test]
async fn what_is_covered_is_read_by_its_quoted_name() {
    for (ddl, name, _) in COVERED {
        let sandbox = Sandbox::new(ddl);
        let sql = format!("SELECT count(*) FROM main.\"{}\"", name.replace('"', "\"\""));
        assert_eq!(sandbox.texts(&[name], &sql).await.len(), 1, "{ddl}");
    }
}

#[tokio::test]
async fn what_another_program_left_in_the_schema_is_judged() {
    for (ddl, definition, name, expected) in CRAFTED {
        let sandbox = Sandbox::new(ddl);
        let writer = sandbox.writer();
        let overwritten = writer.execute_batch("PRAGMA writable_schema = ON").and_then(|()| {
            writer.execute("UPDATE sqlite_master SET sql = ?1 WHERE name = ?2", [definition, name])
        });
        assert_eq!(overwritten, Ok(1), "{definition}");
        drop(writer);
        must_be(&sandbox, "main", name, *expected, definition).await;
    }
}

#[tokio::test]
async fn names_that_are_no_text_are_refused_and_never_listed() {
    let craft = |sql: &str| {
        let sandbox = Sandbox::new("CREATE TABLE t(a); CREATE TABLE other(a);");
        let writer = sandbox.writer();
        writer.execute_batch("PRAGMA writable_schema = ON").expect("on");
        writer.execute(sql, []).expect(sql);
        sandbox
    };
    let column = craft(
        "UPDATE sqlite_master SET sql = CAST('CREATE TABLE t(' || x'ff61' || ')' AS TEXT) WHERE name = 't'",
    );
    must_be(&column, "main", "t", Some(Reason::TableNameUnusable), "a column").await;
    must_be(&column, "main", "other", None, "a column elsewhere").await;
    let module = craft(
        "UPDATE sqlite_master SET rootpage = 0, sql = 'CREATE VIRTUAL TABLE t USING nobody(a)' WHERE name = 't'",
    );
    must_be(&module, "main", "t", Some(Reason::TableIsVirtual), "an unknown module").await;
    must_be(&module, "main", "other", None, "an unknown module elsewhere").await;
}

/// The beginning of a file, and why it is no source. Each is filled up with zeros to three pages.
const FILES: &[(&str, &[u8], Reason)] = &[
    ("a ZIP archive", b"PK\x03\x04\x14\0\0\0\x08\0", Reason::SourceNotADatabase),
    ("a PNG image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Reason::SourceNotADatabase),
    ("a PDF document", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", Reason::SourceNotADatabase),
    ("a compressed file", b"\x1f\x8b\x08\0\0\0\0\0", Reason::SourceNotADatabase),
    ("a program", b"\x7fELF\x02\x01\x01\0", Reason::SourceNotADatabase),
    ("a script", b"#!/bin/sh\nrm -rf nothing\n", Reason::SourceNotADatabase),
    ("a dump", b"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", Reason::SourceNotADatabase),
    (
        "an older SQLite",
        b"** This file contains an SQLite 2.1 database **\0",
        Reason::SourceNotADatabase,
    ),
    ("a log of changes", b"\x37\x7f\x06\x82\0\x2d\xe2\x18", Reason::SourceNotADatabase),
    ("a journal", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", Reason::SourceNotADatabase),
    ("another case", b"sqlite format 3\0", Reason::SourceNotADatabase),
    ("a longer version", b"SQLite format 30", Reason::SourceNotADatabase),
    ("only the magic", b"SQLite format 3\0", Reason::SourceNotADatabase),
    ("zeros", b"\0\0\0\0", Reason::SourceNotADatabase),
];

#[tokio::test]
async fn each_kind_of_file_that_is_no_database_is_told() {
    for (what, begin, expected) in FILES {
        let sandbox = Sandbox::empty();
        let mut bytes = begin.to_vec();
        bytes.resize(3 * 4096, 0);
        fs::write(sandbox.path(), &bytes).expect("written");
        let error = sandbox.driver().list_tables(&task()).await.expect_err(what);
        assert_eq!(error.reason(), *expected, "{what}: {}", error.cause());
        assert!(error.is_unavailable() && !error.hint().is_empty(), "{what}");
        assert_eq!(fs::read(sandbox.path()).expect("the file"), bytes, "{what}");
    }
}

/// Bytes of a database that are changed: offset, bytes, reason; none where it does not matter.
const CHANGED: &[(&str, usize, &[u8], Option<Reason>)] = &[
    ("a page size of zero", 16, &[0, 0], Some(Reason::SourceNotADatabase)),
    ("a page size that is no power of two", 16, &[0x10, 0x01], Some(Reason::SourceNotADatabase)),
    ("a version that nobody reads", 19, &[9], Some(Reason::SourceNotADatabase)),
    ("fractions that nobody uses", 21, &[65], Some(Reason::SourceNotADatabase)),
    ("a first page of another kind", 100, &[0xff], Some(Reason::SourceDamaged)),
    ("an application of its own", 68, &[1, 2, 3, 4], None),
    ("a version of the user's", 60, &[9, 9, 9, 9], None),
];

#[tokio::test]
async fn damage_in_the_header_is_told() {
    for (what, offset, change, expected) in CHANGED {
        let shop = Sandbox::shop();
        let mut bytes = fs::read(shop.path()).expect("the file");
        bytes.splice(*offset..*offset + change.len(), change.iter().copied());
        fs::write(shop.path(), &bytes).expect("written");
        let list = shop.driver().list_tables(&task()).await;
        let cause = list.as_ref().err().map(dbeast::drivers::DriverError::cause);
        assert_eq!(list.err().map(|error| error.reason()), *expected, "{what} {cause:?}");
        assert_eq!(fs::read(shop.path()).expect("the file"), bytes, "{what}");
    }
}

#[tokio::test]
async fn an_encrypted_database_is_none() {
    // Like any good cipher's output; a xorshift is enough to look like it.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    })
    .take(4096)
    .flatten()
    .collect();
    let sandbox = Sandbox::empty();
    fs::write(sandbox.path(), &bytes).expect("written");
    let error = sandbox.driver().list_tables(&task()).await.expect_err("encrypted");
    assert_eq!(error.reason(), Reason::SourceNotADatabase);
    assert!(error.hint().contains("encrypted"));
}

#[tokio::test]
async fn a_database_cut_off_anywhere_is_never_half_read() {
    let shop = Sandbox::shop();
    let whole = fs::read(shop.path()).expect("the file");
    for length in [1, 15, 16, 99, 100, 511, 512, 2048, 4095, 4096, 4097, 8192, whole.len() - 4096] {
        let cut = shop.folder().join("cut");
        fs::write(&cut, whole.get(..length).expect("shorter")).expect("written");
        let read = reading(&["orders"], "SELECT id, customer, total FROM main.orders");
        let result = driver(&cut).read(&read, None, &task()).await;
        let error = match result {
            // The cut may lie behind the table.
            Ok(rows) => {
                assert_eq!(rows.value.rows.len(), 3, "{length}");
                continue;
            }
            Err(error) => error,
        };
        let told = [Reason::SourceDamaged, Reason::SourceNotADatabase];
        assert!(told.contains(&error.reason()), "{length}: {error:?} {}", error.cause());
        assert!(error.is_unavailable());
    }
    assert!(whole.len() > 8192);
}

#[tokio::test]
async fn a_table_dropped_and_made_again_between_prompt_and_run_is_another_one() {
    let changes = [
        "DROP TABLE t; CREATE TABLE t(a)",
        "DROP TABLE t; CREATE VIEW t AS SELECT 1 AS a",
        "DROP TABLE t; CREATE VIRTUAL TABLE t USING fts5(a)",
        "DROP TABLE t",
        "ALTER TABLE t RENAME TO u; CREATE TABLE t(a)",
        "ALTER TABLE t ADD COLUMN b",
        "CREATE INDEX i ON t(a)",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END",
    ];
    for mode in ["delete", "wal"] {
        for change in changes {
            let sandbox = Sandbox::new("CREATE TABLE t(a); INSERT INTO t VALUES (1);");
            sandbox.writer().pragma_update(None, "journal_mode", mode).expect("a journal");
            let driver = sandbox.driver();
            let described =
                driver.describe_table(&table("t"), None, &task()).await.expect("a table");
            let pinned = described.identities.into_iter().next().expect("one");
            sandbox.writer().execute_batch(change).expect(change);
            let read = reading(&["t"], "SELECT a FROM main.t");
            let error = driver.read(&read, Some(&pinned), &task()).await.expect_err(change);
            assert!(error.is_identity_changed(), "{mode} {change}: {error:?}");
        }
    }
}
