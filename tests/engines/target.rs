//! The four engines with the fixture loaded, each behind the same few questions.

use super::corpus::fixture;
use crate::servers::mysql::{Mysql, MysqlClient};
use crate::servers::postgres::{Postgres, PostgresClient};
use crate::servers::{Answer, Client, Failure};
use dbeast::value::{Engine, TableName};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use std::sync::OnceLock;

/// Databases of the fixture in PostgreSQL: the types of table `t` differ.
const POSTGRES: [&str; 3] = ["numbers", "texts", "truths"];

/// Where statements run.
pub(crate) fn databases(dialect: Engine) -> &'static [&'static str] {
    match dialect {
        Engine::Postgres => &POSTGRES,
        Engine::Sqlite | Engine::Mysql | Engine::Mariadb => &["numbers"],
    }
}

/// A new connection to a database of the fixture.
pub(crate) fn connect(dialect: Engine, database: &str) -> Box<dyn Client> {
    match dialect {
        Engine::Sqlite => Box::new(sqlite()),
        Engine::Postgres => Box::new(postgres(database)),
        Engine::Mysql | Engine::Mariadb => Box::new(mysql(dialect)),
    }
}

/// SQLite with the settings of the driver that change what a text means.
pub(crate) fn sqlite() -> Connection {
    let connection = Connection::open_in_memory().expect("a database in memory");
    connection.execute_batch(&fixture("sqlite.sql")).expect("the fixture");
    for switch in [DbConfig::SQLITE_DBCONFIG_DQS_DML, DbConfig::SQLITE_DBCONFIG_DQS_DDL] {
        connection.set_db_config(switch, false).expect("a switch");
    }
    connection
}

/// PostgreSQL.
pub(crate) fn postgres(database: &str) -> PostgresClient {
    static LOADED: OnceLock<()> = OnceLock::new();
    let server = Postgres::shared();
    LOADED.get_or_init(|| {
        for name in POSTGRES {
            server.connect("postgres").must(&format!("CREATE DATABASE {name}"));
            let mut loading = server.connect(name);
            loading.must(&fixture("postgres.sql"));
            if name != POSTGRES[0] {
                loading.must(&fixture(&format!("postgres_{name}.sql")));
            }
            loading.must("ANALYZE");
        }
    });
    server.connect(database)
}

/// MySQL or MariaDB.
pub(crate) fn mysql(dialect: Engine) -> MysqlClient {
    static MYSQL: OnceLock<()> = OnceLock::new();
    static MARIADB: OnceLock<()> = OnceLock::new();
    let is_mysql = dialect == Engine::Mysql;
    let (server, loaded) = if is_mysql {
        (Mysql::shared_mysql(), &MYSQL)
    } else {
        (Mysql::shared_mariadb(), &MARIADB)
    };
    loaded.get_or_init(|| {
        let mut loading = server.connect();
        // MariaDB watches locks only if it is told to, and only of connections that come later.
        loading.must(
            "UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'NO' \
             WHERE name = 'wait/lock/metadata/sql/mdl'",
        );
        for statement in fixture("mysql.sql").split_inclusive(";\n") {
            if !statement.trim().is_empty() {
                loading.must(statement.trim().trim_end_matches(';'));
            }
        }
    });
    server.connect()
}

impl Client for Connection {
    fn ask(&mut self, text: &str) -> Result<Answer, Failure> {
        let run = || {
            let mut statement = self.prepare(text)?;
            let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
            let mut found = statement.raw_query();
            let mut rows = Vec::new();
            while let Some(row) = found.next()? {
                let cells = (0..names.len()).map(|at| row.get_ref(at).map(show));
                rows.push(cells.collect::<Result<_, _>>()?);
            }
            Ok(Answer { names, rows })
        };
        run().map_err(|error: rusqlite::Error| Failure {
            code: error.sqlite_error_code().map_or_else(String::new, |code| format!("{code:?}")),
            message: error.to_string(),
        })
    }
}

/// SQLite's values have types of their own, which must not get lost.
fn show(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(format!("{number:?}")),
        ValueRef::Text(text) => Some(String::from_utf8(text.to_vec()).expect("UTF-8")),
        ValueRef::Blob(bytes) => Some(format!("{bytes:02x?}")),
    }
}

/// The whole of a table.
pub(crate) fn all_rows(table: &TableName, dialect: Engine) -> String {
    let quote = match dialect {
        Engine::Sqlite | Engine::Postgres => '"',
        Engine::Mysql | Engine::Mariadb => '`',
    };
    let quoted = |name: &str| {
        let inside = name.replace(quote, &format!("{quote}{quote}"));
        format!("{quote}{inside}{quote}")
    };
    format!("SELECT * FROM {}.{}", quoted(&table.schema), quoted(&table.name))
}
