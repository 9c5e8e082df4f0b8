//! MySQL and MariaDB for the suite that every driver passes.

use crate::contract::{Bench, Dialect, Raw, Stage};
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, MysqlClient, Role};
use dbeast::drivers::{Location, Server};

/// A database of one of the two, which is made anew for each stage.
pub(crate) struct MysqlBench {
    database: Database,
    /// The name of the database, for as long as the program runs.
    schema: &'static str,
}

impl MysqlBench {
    pub(crate) fn new(kind: Kind) -> Self {
        let database = Database::shared(kind);
        let schema = database.name().to_owned().leak();
        Self { database, schema }
    }
}

impl Bench for MysqlBench {
    fn dialect(&self) -> Dialect {
        Dialect {
            schema: self.schema,
            text: "longtext",
            binary: "longblob",
            two_bytes: "x'00ff'",
            table_kind: "table",
            has_returning: false,
        }
    }

    fn stage(&self, statements: &[String]) -> Box<dyn Stage> {
        self.database.make();
        let mut root = self.database.root();
        for statement in statements {
            root.must(statement);
        }
        Box::new(MysqlStage { database: self.database.clone() })
    }
}

struct MysqlStage {
    database: Database,
}

impl Stage for MysqlStage {
    fn location(&self, is_read_only: bool) -> Location {
        let server = self.database.server_as(Role::Owner);
        self.database.locate(Server { is_read_only, ..server })
    }

    fn raw(&self) -> Box<dyn Raw> {
        Box::new(MysqlRaw(self.database.root()))
    }

    fn is_working(&self) -> bool {
        self.database.is_working(Role::Owner)
    }
}

struct MysqlRaw(MysqlClient);

impl Raw for MysqlRaw {
    fn run(&mut self, sql: &str) {
        self.0.must(sql);
    }

    fn rows(&mut self, sql: &str) -> Vec<Vec<Option<String>>> {
        self.0.must(sql).rows
    }
}
