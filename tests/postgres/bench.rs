//! PostgreSQL for the suite that every driver passes.

use crate::contract::{Bench, Dialect, Raw, Stage};
use crate::servers::Client as _;
use crate::servers::postgres::{Database, PostgresClient, Role};
use dbeast::drivers::{Location, Server};
use dbeast::value::ReadLock;

/// A database under one of the two locks.
pub(crate) struct PostgresBench {
    pub(crate) lock: ReadLock,
}

impl Bench for PostgresBench {
    fn dialect(&self) -> Dialect {
        Dialect {
            schema: "public",
            text: "text",
            binary: "bytea",
            two_bytes: "'\\x00ff'",
            table_kind: "table",
            has_returning: true,
        }
    }

    fn stage(&self, statements: &[String]) -> Box<dyn Stage> {
        let database = Database::shared();
        let mut owner = database.connect(Role::Owner);
        for statement in statements {
            owner.must(statement);
        }
        Box::new(PostgresStage { database, lock: self.lock })
    }
}

struct PostgresStage {
    database: Database<'static>,
    lock: ReadLock,
}

impl Stage for PostgresStage {
    fn location(&self, is_read_only: bool) -> Location {
        let location = self.database.location(Role::Owner);
        Location::Postgres(Box::new(Server { read_lock: self.lock, is_read_only, ..location }))
    }

    fn raw(&self) -> Box<dyn Raw> {
        Box::new(PostgresRaw(self.database.connect(Role::Owner)))
    }

    fn is_working(&self) -> bool {
        let working = "SELECT count(*) FROM pg_catalog.pg_stat_activity \
            WHERE datname = current_database() AND pid <> pg_catalog.pg_backend_pid() \
            AND application_name = 'DBeast' AND state <> 'idle'";
        self.database.connect(Role::Superuser).value(working) != "0"
    }
}

struct PostgresRaw(PostgresClient);

impl Raw for PostgresRaw {
    fn run(&mut self, sql: &str) {
        self.0.must(sql);
    }

    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>> {
        self.0.must(sql).rows
    }
}
