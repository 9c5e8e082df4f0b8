//! Databases of a private MySQL or MariaDB, and the accounts that a person could give an agent.

use super::Client as _;
use super::mysql::{Kind, Mysql, MysqlClient};
use dbeast::drivers::{Location, Server};
use dbeast::secret::Secret;
use dbeast::value::ReadLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Accounts of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Everything in the database, and PROCESS.
    Owner,
    /// SELECT in the database, and PROCESS: what a person should give an agent.
    Reader,
    /// SELECT in the database alone.
    NoProcess,
    /// PROCESS alone.
    Stranger,
}

const ROLES: [(Role, &str, &str); 4] = [
    (Role::Owner, "owner", "ALL PRIVILEGES"),
    (Role::Reader, "reader", "SELECT"),
    (Role::NoProcess, "noproc", "SELECT"),
    (Role::Stranger, "strange", ""),
];

/// A database with its accounts, which nobody else uses.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    server: &'static Mysql,
    name: String,
}

impl Database {
    /// A fresh one on the server that all tests of the program share.
    pub(crate) fn shared(kind: Kind) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        Self::new(Mysql::shared(kind), &format!("tdb{number}"))
    }

    /// A fresh one of this name. Letters and digits only: the name is part of those of its accounts.
    pub(crate) fn new(server: &'static Mysql, name: &str) -> Self {
        let database = Self { server, name: name.to_owned() };
        database.make();
        database
    }

    /// Makes it anew, without any table.
    pub(crate) fn make(&self) {
        let mut root = self.server.connect();
        let name = &self.name;
        root.must(&format!("DROP DATABASE IF EXISTS `{name}`"));
        root.must(&format!("CREATE DATABASE `{name}` CHARACTER SET utf8mb4"));
        for (role, word, privileges) in ROLES {
            let account = format!("'{name}{word}'@'%'");
            let identified = match self.server.kind() {
                Kind::Mysql => "IDENTIFIED WITH caching_sha2_password BY",
                Kind::Mariadb => "IDENTIFIED BY",
            };
            let password = self.password(role);
            root.must(&format!("CREATE USER IF NOT EXISTS {account} {identified} '{password}'"));
            if !privileges.is_empty() {
                root.must(&format!("GRANT {privileges} ON `{name}`.* TO {account}"));
            }
            if role != Role::NoProcess {
                root.must(&format!("GRANT PROCESS ON *.* TO {account}"));
            }
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The server.
    pub(crate) fn server(&self) -> &'static Mysql {
        self.server
    }

    /// The administrator's connection, with the database chosen.
    pub(crate) fn root(&self) -> MysqlClient {
        let mut root = self.server.connect();
        root.must(&format!("USE `{}`", self.name));
        root
    }

    /// The name of an account.
    pub(crate) fn user(&self, role: Role) -> String {
        let word = ROLES.iter().find(|(known, ..)| *known == role).map(|(_, word, _)| *word);
        format!("{}{}", self.name, word.expect("each role has a word"))
    }

    fn password(&self, role: Role) -> String {
        format!("secret of {} {role:?}", self.name)
    }

    /// Where the driver finds it, as this account.
    pub(crate) fn server_as(&self, role: Role) -> Server {
        Server {
            host: "127.0.0.1".to_owned(),
            port: self.server.port(),
            database: self.name.clone(),
            user: self.user(role),
            password: Some(Secret::new(self.password(role))),
            schema: None,
            read_lock: ReadLock::default(),
            is_read_only: false,
        }
    }

    /// The same as a location.
    pub(crate) fn location(&self, role: Role) -> Location {
        self.locate(self.server_as(role))
    }

    /// A server as a location of this engine.
    pub(crate) fn locate(&self, server: Server) -> Location {
        match self.server.kind() {
            Kind::Mysql => Location::Mysql(Box::new(server)),
            Kind::Mariadb => Location::Mariadb(Box::new(server)),
        }
    }

    /// Whether an account runs something that goes on. The servers answer a moment before they note that a statement
    /// has ended, so one look alone can see what is over.
    pub(crate) fn is_working(&self, role: Role) -> bool {
        const LOOKS: u32 = 30;
        (0..LOOKS).all(|_| !self.statements_of(role).is_empty())
    }

    /// What an account runs at this moment: the kind of command and the text.
    pub(crate) fn statements_of(&self, role: Role) -> Vec<(String, String)> {
        let list = match self.server.kind() {
            Kind::Mysql => "performance_schema.processlist",
            Kind::Mariadb => "information_schema.PROCESSLIST",
        };
        let user = self.user(role);
        let sql = format!("SELECT COMMAND, STATE, INFO FROM {list} WHERE USER = '{user}'");
        let rows = self.server.connect().must(&sql).rows;
        let text = |cell: &Option<String>| cell.clone().unwrap_or_default();
        rows.iter()
            .filter(|row| matches!(text(&row[0]).as_str(), "Query" | "Execute" | "Prepare"))
            .map(|row| (text(&row[1]), text(&row[2])))
            .collect()
    }
}
