//! Private database servers for tests, clients that send a text exactly as it is, and what stands in
//! between: a network that fails when a test says so.
//!
//! Each server lives in a temporary folder and ends with the test program however that ends (`process`).
//! Each answers on a Unix socket in it and on a free port of 127.0.0.1.
//!
//! | a test wants | it writes |
//! | --- | --- |
//! | a PostgreSQL database of its own | `Database::shared()`: fresh, owned by `t_owner`, dropped at the end |
//! | one in another encoding | `Database::encoded(Postgres::shared(), "LATIN1")` |
//! | objects in it | `database.connect(Role::Owner).must("CREATE TABLE …")`; `Role::Superuser` for extensions |
//! | the driver on it | `open(&Location::Postgres(Box::new(database.location(Role::Reader))))` |
//! | an account that cannot lock | `Role::Reader` (SELECT), `Role::Nolock` (SELECT, INSERT); `Role::Writer` can |
//! | a server to disturb | `Postgres::start(Options::default())`, then `Database::new(&server)` |
//! | a crash and a restart | `server.kill("QUIT")` or `"KILL"`, `server.restart()`: same port, same data |
//! | a crash of one connection | `client.must("SELECT pg_terminate_backend(…)")` |
//! | a standby | `server.start_standby()`, and `server.await_replayed()` after each change |
//! | TLS demanded, few connections | `Options { demands_tls: true, .. }`, `Options { connections_max: 6, .. }` |
//! | a database of MySQL or MariaDB | `Database::shared(Kind::Mysql)` of `servers::mysql`, `database.location(Role::Reader)` |
//! | to wait for what others do | `client.until("EXISTS (SELECT FROM pg_locks WHERE NOT granted)")` |
//! | a statement that waits | `client.begin("ALTER TABLE …")`, and `client.answer()` later |
//! | a network that fails | `Proxy::start(server.port())`, `proxy.arm(Rule { … })`, `proxy.wait_for_rule()` |
//! | another program at the port | `Fake::start(Manner::Silent)` and the other manners |
//!
//! The servers named `shared` are started at first use and shared by all tests of the program.
//!
//! The clients speak just enough of each protocol for this. `psql`, `mariadb` and `mysql` would not do:
//! they read, split and shorten the text by rules of their own, and show NULL as a word.

#![allow(dead_code, reason = "each test program uses a part")]

pub(crate) mod fake;
pub(crate) mod mysql;
mod mysql_client;
mod mysql_roles;
pub(crate) mod postgres;
mod postgres_client;
mod postgres_roles;
mod process;
pub(crate) mod proxy;

use std::io::Read as _;

/// A word that nobody else has.
fn random_word() -> String {
    let mut bytes = [0; 16];
    let mut source = std::fs::File::open("/dev/urandom").expect("the system's randomness");
    source.read_exact(&mut bytes).expect("the system's randomness");
    u128::from_be_bytes(bytes).to_string()
}

/// One value as the server writes it; nothing for NULL.
pub(crate) type Cell = Option<String>;

/// What a statement returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Names of the columns.
    pub(crate) names: Vec<String>,
    /// The rows, in the server's order.
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// What a server said instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// SQLSTATE or the engine's own number.
    pub(crate) code: String,
    /// In the server's words.
    pub(crate) message: String,
}

/// A connection to one engine.
pub(crate) trait Client {
    /// Runs one text, exactly as it is, and waits for its end.
    fn ask(&mut self, text: &str) -> Result<Answer, Failure>;

    /// Runs what must succeed.
    fn must(&mut self, text: &str) -> Answer {
        self.ask(text).unwrap_or_else(|failure| panic!("{text}: {failure:?}"))
    }
}
