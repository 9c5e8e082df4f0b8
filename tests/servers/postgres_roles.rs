//! The accounts of a private PostgreSQL, and databases of which each test has its own.

use super::Client as _;
use super::postgres::{Postgres, PostgresClient};
use dbeast::drivers::Server;
use dbeast::secret::Secret;
use dbeast::value::ReadLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// An account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Owns the database, and what a test makes as this role.
    Owner,
    /// May read and change every table, and so lock it.
    Writer,
    /// May read tables and insert into them, which is not enough to lock them.
    Nolock,
    /// May only read tables.
    Reader,
    /// May do everything.
    Superuser,
}

impl Role {
    /// Those that each server makes.
    const MADE: [Self; 4] = [Self::Owner, Self::Writer, Self::Nolock, Self::Reader];

    /// Its name on the server: none is a word that stands in a message.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Owner => "t_owner",
            Self::Writer => "t_writer",
            Self::Nolock => "t_nolock",
            Self::Reader => "t_reader",
            Self::Superuser => "postgres",
        }
    }
}

/// What the databases of tests are copied from: what others may do with new tables is settled in it.
const TEMPLATE: &str = "t_template";

/// What others may do with schemas and tables that are made later.
fn usual_rights() -> String {
    let owners = [Role::Owner, Role::Superuser].map(Role::name);
    let rights = [
        "USAGE ON SCHEMAS TO t_owner, t_writer, t_nolock, t_reader",
        "SELECT ON TABLES TO t_owner, t_writer, t_nolock, t_reader",
        "INSERT ON TABLES TO t_writer, t_nolock",
        "UPDATE, DELETE ON TABLES TO t_owner, t_writer",
    ];
    let grant =
        |owner, rights| format!("ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT {rights};");
    owners.iter().flat_map(|owner| rights.iter().map(move |rights| grant(owner, rights))).collect()
}

impl Postgres {
    pub(super) fn make_roles(&self) {
        let mut client = self.connect("postgres");
        for role in Role::MADE {
            let (name, password) = (role.name(), self.password(role));
            client.must(&format!("CREATE ROLE {name} LOGIN PASSWORD '{password}'"));
        }
        let password = self.password(Role::Superuser);
        client.must(&format!("ALTER ROLE postgres PASSWORD '{password}'"));
        client.must(&format!("CREATE DATABASE {TEMPLATE} TEMPLATE template0"));
        self.connect(TEMPLATE).must(&usual_rights());
        client.must(&format!("ALTER DATABASE {TEMPLATE} IS_TEMPLATE true"));
    }

    /// The password of an account, made anew for each server.
    pub(crate) fn password(&self, role: Role) -> String {
        format!("{}-{}", self.password, role.name())
    }

    /// How the driver reaches a database of this server, over TCP and with the full lock.
    pub(crate) fn location(&self, database: &str, role: Role) -> Server {
        Server {
            host: "127.0.0.1".to_owned(),
            port: self.port(),
            database: database.to_owned(),
            user: role.name().to_owned(),
            password: Some(Secret::new(self.password(role))),
            schema: None,
            read_lock: ReadLock::Full,
            is_read_only: false,
        }
    }
}

/// A fresh database, removed with whoever is still connected when this is dropped.
#[derive(Debug)]
pub(crate) struct Database<'a> {
    server: &'a Postgres,
    name: String,
}

impl Database<'static> {
    /// One on the server that all tests of the program share.
    pub(crate) fn shared() -> Self {
        Self::new(Postgres::shared())
    }
}

impl<'a> Database<'a> {
    /// One on this server.
    pub(crate) fn new(server: &'a Postgres) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("t_database_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        server
            .connect("postgres")
            .must(&format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE} OWNER t_owner"));
        Self { server, name }
    }

    /// One in another encoding, without the usual rights.
    pub(crate) fn encoded(server: &'a Postgres, encoding: &str) -> Self {
        let database = Self::new(server);
        let name = &database.name;
        let mut client = server.connect("postgres");
        client.must(&format!("DROP DATABASE {name}"));
        client.must(&format!(
            "CREATE DATABASE {name} TEMPLATE template0 OWNER t_owner \
             ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'"
        ));
        database
    }

    /// Removes everything that its owner has made in it: ten times quicker than another database, for
    /// tests in which nobody else has made anything.
    pub(crate) fn reset(&self) {
        let mut client = self.server.connect(&self.name);
        client.must("SET lock_timeout = '20s'");
        client.must("SET client_min_messages = error");
        client.must(&format!("DROP OWNED BY t_owner CASCADE; {}", usual_rights()));
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its server.
    pub(crate) fn server(&self) -> &'a Postgres {
        self.server
    }

    /// A connection of ours as this role, with `search_path` as the server has it.
    pub(crate) fn connect(&self, role: Role) -> PostgresClient {
        let mut client = self.server.connect(&self.name);
        if role != Role::Superuser {
            client.must(&format!("SET SESSION AUTHORIZATION {}", role.name()));
        }
        client.must("RESET search_path");
        client
    }

    /// How the driver reaches it.
    pub(crate) fn location(&self, role: Role) -> Server {
        self.server.location(&self.name, role)
    }
}

impl Drop for Database<'_> {
    fn drop(&mut self) {
        // A server that is dead, or a standby, takes its folder along.
        if let Ok(mut client) = self.server.try_connect("postgres") {
            let _ = client.ask(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
        }
    }
}
