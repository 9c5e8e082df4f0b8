//! Servers that cannot be used, each with its reason, and servers whose settings would give a text another meaning.

use super::common::{any_read, driver, now, reading, table, task, texts};
use crate::servers::Client as _;
use crate::servers::fake::{Fake, Manner};
use crate::servers::mysql::{Database, Kind, Mysql, Options, Role};
use crate::servers::postgres::Postgres;
use dbeast::drivers::{DriverError, Gate, Location, Server, TableWrite, open, probe};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::secret::Secret;
use dbeast::value::TableName;
use std::time::Duration;

async fn refused(location: &Location, what: &str) -> DriverError {
    let error = probe(location, &task()).await.map(drop).expect_err(what);
    assert!(error.is_unavailable(), "{what}: {error:?}");
    error
}

pub(crate) async fn each_has_its_reason(kind: Kind) {
    let database = Database::shared(kind);
    let right = || database.server_as(Role::Reader);
    let at = |port: u16| Server { port, ..right() };
    let fakes =
        [Manner::Refusing, Manner::Closing, Manner::Http, Manner::Greeting].map(Fake::start);
    let mut cases = vec![
        ("refusing", at(fakes[0].port()), Reason::ServerUnreachable),
        ("closing", at(fakes[1].port()), Reason::ServerUnreachable),
        ("greeting as another", at(fakes[3].port()), Reason::ServerNotRecognised),
        (
            "no such host",
            Server { host: "no-such-host.invalid".to_owned(), ..right() },
            Reason::ServerUnreachable,
        ),
        (
            "no such socket",
            Server { host: "/no/such/socket".to_owned(), ..right() },
            Reason::ServerUnreachable,
        ),
        (
            "no database",
            Server { database: "nowhere".to_owned(), ..right() },
            Reason::DatabaseUnknown,
        ),
        (
            "another case",
            Server { database: database.name().to_uppercase(), ..right() },
            Reason::DatabaseUnknown,
        ),
        (
            "a blank behind",
            Server { database: format!("{} ", database.name()), ..right() },
            Reason::DatabaseUnknown,
        ),
        ("quotes", Server { database: "a'`\"\\".to_owned(), ..right() }, Reason::DatabaseUnknown),
        ("no user", Server { user: "nobody".to_owned(), ..right() }, Reason::LoginRefused),
        ("no password", Server { password: None, ..right() }, Reason::LoginRefused),
        ("a zero in the user", Server { user: "a\0b".to_owned(), ..right() }, Reason::LoginRefused),
    ];
    for wrong in ["", "wrong", "secret", "a\0b", &"x".repeat(1000)] {
        let password = Some(Secret::new(wrong.to_owned()));
        cases.push(("a wrong password", Server { password, ..right() }, Reason::LoginRefused));
    }
    for (what, server, reason) in cases {
        let secret =
            server.password.as_ref().map_or(String::new(), |word| word.reveal().to_owned());
        let error = refused(&database.locate(server), what).await;
        assert_eq!(error.reason(), reason, "{what}: {}", error.cause());
        assert!(secret.len() < 5 || !error.cause().contains(&secret), "{what}: {}", error.cause());
    }
    // The other of the two.
    let other = match kind {
        Kind::Mysql => Location::Mariadb(Box::new(right())),
        Kind::Mariadb => Location::Mysql(Box::new(right())),
    };
    assert_eq!(refused(&other, "the other").await.reason(), Reason::ServerNotRecognised);
    // The socket itself.
    let socket = Server { host: database.server().socket(), ..right() };
    assert!(probe(&database.locate(socket), &task()).await.is_ok());
}

/// A handshake that never comes ends after the 15 seconds of the contract, not at the deadline of the work.
pub(crate) async fn a_silent_server_is_left_after_fifteen_seconds(kind: Kind) {
    let database = Database::shared(kind);
    for (what, port) in [
        ("silent", Fake::start(Manner::Silent)),
        // It waits for the client to speak first, as this client waits for it.
        ("http", Fake::start(Manner::Http)),
    ]
    .iter()
    .map(|(what, fake)| (*what, fake.port()))
    .chain([("postgres", Postgres::shared().port())])
    {
        let server = Server { port, ..database.server_as(Role::Reader) };
        let before = now();
        let error = refused(&database.locate(server), what).await;
        assert_eq!(error.reason(), Reason::ServerUnreachable, "{what}: {}", error.cause());
        let took = before.elapsed();
        assert!(
            (Duration::from_secs(14)..Duration::from_secs(25)).contains(&took),
            "{what}: {took:?}"
        );
    }
}

fn own(kind: Kind, settings: &'static [&'static str]) -> Database {
    let server: &'static Mysql = Box::leak(Box::new(Mysql::start(kind, Options { settings })));
    Database::new(server, "shop")
}

pub(crate) async fn a_full_server_says_so(kind: Kind) {
    let database = own(kind, &["max-connections=10"]);
    database.root().must("CREATE TABLE t (a int)");
    let connect = || database.server().connect_as("root");
    // One more is kept for the administrator.
    let mut others: Vec<_> = (0..10).map(|_| connect()).collect();
    let error = refused(&database.location(Role::Reader), "full").await;
    assert_eq!(error.reason(), Reason::ServerFull, "{}", error.cause());
    others.clear();
    let until_there_is_room = async {
        while probe(&database.location(Role::Reader), &task()).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), until_there_is_room).await.expect("room");
}

/// A server whose settings would change the meaning of texts: the session has its own.
pub(crate) async fn hostile_settings_change_nothing(kind: Kind) {
    let database = own(
        kind,
        &[
            "sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,IGNORE_SPACE,PAD_CHAR_TO_FULL_LENGTH,NO_UNSIGNED_SUBTRACTION",
            "init-connect=CREATE TEMPORARY TABLE shop.t (a int, evil int); SET @@sql_auto_is_null = 1; SET @@autocommit = 0",
            "character-set-server=latin1",
            "collation-server=latin1_swedish_ci",
            "default-time-zone=+09:00",
            "autocommit=0",
            "lock-wait-timeout=1000",
            "low-priority-updates=1",
        ],
    );
    let mut root = database.server().connect();
    root.must("SET autocommit = 1");
    root.must("CREATE TABLE shop.t (a int, word char(5) character set utf8mb4)");
    root.must("INSERT INTO shop.t VALUES (1, 'é')");
    // Else the server itself lets nobody in who may not run its statement.
    let reader = database.user(Role::Reader);
    root.must(&format!("GRANT CREATE TEMPORARY TABLES ON shop.* TO '{reader}'@'%'"));
    let table = table(&database, "t");
    for role in [Role::Reader, Role::Owner] {
        let driver = driver(&database, role);
        for (sql, wanted) in [
            // A text between double quotes, and a backslash in it.
            ("SELECT \"a\" AS x FROM shop.t AS t", "a"),
            ("SELECT 'a\\'b' AS x FROM shop.t AS t", "a'b"),
            ("SELECT 1 || 0 AS x FROM shop.t AS t", "1"),
            ("SELECT NOT 1 BETWEEN -5 AND 5 AS x FROM shop.t AS t", "0"),
            ("SELECT t.word AS x FROM shop.t AS t", "é"),
            ("SELECT COUNT(*) AS x FROM shop.t AS t WHERE t.a IS NULL", "0"),
        ] {
            let rows = texts(&*driver, sql, &table).await;
            let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error:?} {}", error.cause()));
            assert_eq!(rows, [[wanted]], "{sql}");
        }
        let described = driver.describe_table(&table, None, &task()).await.expect("the real one");
        let names: Vec<&str> =
            described.value.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["a", "word"], "not the temporary table");
    }
    // A write is committed although the server's own default would not.
    let write = TableWrite {
        sql: "INSERT INTO shop.t (a) VALUES (2)".to_owned(),
        table,
        columns: Vec::new(),
    };
    let driver = driver(&database, Role::Owner);
    driver.write_table(&write, Gate::open(), &task()).await.expect("written");
    driver
        .run_full("INSERT INTO shop.t (a) VALUES (3)", Gate::open(), &task())
        .await
        .expect("written");
    assert_eq!(root.must("SELECT a FROM shop.t").rows.len(), 3);
}

/// A server that takes no writes: reads go on, writes say why not.
pub(crate) async fn a_read_only_server_is_read(kind: Kind) {
    let database = own(kind, &[]);
    let mut root = database.root();
    root.must("CREATE TABLE t (a int)");
    root.must("INSERT INTO t VALUES (1)");
    root.must("SET GLOBAL read_only = 1");
    let table = table(&database, "t");
    let driver = driver(&database, Role::Owner);
    assert!(driver.read(&any_read(&table), None, &task()).await.is_ok());
    let write = TableWrite {
        sql: "DELETE FROM shop.t".to_owned(),
        table: table.clone(),
        columns: Vec::new(),
    };
    for error in [
        driver.write_table(&write, Gate::open(), &task()).await.expect_err("read-only"),
        driver.run_full("DELETE FROM shop.t", Gate::open(), &task()).await.expect_err("read-only"),
    ] {
        assert_eq!(error.reason(), Reason::StatementNotPermitted, "{}", error.cause());
        assert!(!error.is_outcome_unknown());
    }
    assert_eq!(root.must("SELECT a FROM t").rows.len(), 1);
    let again = reading("SELECT t.a FROM shop.t AS t", &table);
    assert!(driver.read(&again, None, &task()).await.is_ok());
}

/// Where names have no case, a table is still meant by the name that the catalog shows.
pub(crate) async fn names_without_case_are_those_of_the_catalog(kind: Kind) {
    let database = own(kind, &["lower-case-table-names=1"]);
    let mut root = database.root();
    root.must("CREATE TABLE Orders (Id int)");
    root.must("INSERT INTO ORDERS VALUES (1)");
    let driver = driver(&database, Role::Reader);
    let list = driver.list_tables(&task()).await.expect("a list");
    assert_eq!(list.tables[0].table, table(&database, "orders"));
    assert!(driver.read(&any_read(&table(&database, "orders")), None, &task()).await.is_ok());
    for (schema, name, reason) in [
        ("shop", "Orders", Reason::TableUnknown),
        ("shop", "ORDERS", Reason::TableUnknown),
        ("SHOP", "orders", Reason::TableElsewhere),
    ] {
        let table = TableName { schema: schema.to_owned(), name: name.to_owned() };
        let error = driver.read(&any_read(&table), None, &task()).await.expect_err(name);
        assert_eq!(error.reason(), reason, "{schema}.{name}");
    }
    // A column is a real one whatever its case.
    let mut read = any_read(&table(&database, "orders"));
    read.columns = vec![(table(&database, "orders"), "ID".to_owned())];
    assert!(driver.read(&read, None, &task()).await.is_ok());
    let elsewhere = Server { database: "Shop".to_owned(), ..database.server_as(Role::Reader) };
    let error = open(&database.locate(elsewhere)).list_tables(&task()).await.expect_err("case");
    assert_eq!(error.reason(), Reason::DatabaseUnknown);
}
