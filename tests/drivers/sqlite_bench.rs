//! SQLite for the suite that every driver passes.

use crate::common::Sandbox;
use crate::contract::{Bench, Dialect, Raw, Stage};
use dbeast::drivers::Location;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

/// Files with a rollback journal, or with a write-ahead log.
pub(crate) struct SqliteBench {
    pub(crate) has_log: bool,
}

impl Bench for SqliteBench {
    fn dialect(&self) -> Dialect {
        Dialect {
            schema: "main",
            text: "TEXT",
            binary: "BLOB",
            two_bytes: "x'00ff'",
            table_kind: "table",
            has_returning: true,
        }
    }

    fn stage(&self, statements: &[String]) -> Box<dyn Stage> {
        let sandbox = Sandbox::empty();
        let writer = sandbox.writer();
        let mode = if self.has_log { "wal" } else { "delete" };
        writer.pragma_update(None, "journal_mode", mode).expect("a journal");
        for statement in statements {
            writer.execute_batch(statement).expect(statement);
        }
        Box::new(SqliteStage { sandbox, has_log: self.has_log })
    }
}

struct SqliteStage {
    sandbox: Sandbox,
    has_log: bool,
}

impl Stage for SqliteStage {
    fn location(&self, is_read_only: bool) -> Location {
        Location::Sqlite { path: self.sandbox.path().to_owned(), is_read_only }
    }

    fn raw(&self) -> Box<dyn Raw> {
        Box::new(SqliteRaw(self.sandbox.writer()))
    }

    fn is_working(&self) -> bool {
        let probe = self.sandbox.writer();
        if self.has_log {
            // With something new in the log, whoever reads or writes keeps it from being emptied.
            let is_written = probe.execute_batch("PRAGMA user_version = 1").is_err();
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            let busy = probe.query_row(sql, [], |row| row.get::<_, i64>(0));
            return is_written || !busy.is_ok_and(|busy| busy == 0);
        }
        probe.execute_batch("BEGIN EXCLUSIVE; ROLLBACK").is_err()
    }
}

struct SqliteRaw(Connection);

impl Raw for SqliteRaw {
    fn run(&mut self, sql: &str) {
        self.0.execute_batch(sql).expect(sql);
    }

    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>> {
        let mut statement = self.0.prepare(sql).expect(sql);
        let count = statement.column_count();
        let cell = |row: &Row<'_>, index| {
            Ok(match row.get_ref(index)? {
                ValueRef::Null => None,
                ValueRef::Integer(number) => Some(number.to_string()),
                ValueRef::Real(number) => Some(format!("{number:?}")),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                    Some(String::from_utf8_lossy(bytes).into_owned())
                }
            })
        };
        let rows = statement.query_map([], |row| (0..count).map(|i| cell(row, i)).collect());
        rows.expect(sql).collect::<rusqlite::Result<_>>().expect(sql)
    }
}
