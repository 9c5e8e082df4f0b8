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

pub(crate) async fn an_expired_password_is_a_refused_login(kind: Kind) {
    let database = Database::shared(kind);
    let user = database.user(Role::Reader);
    database.root().must(&format!("ALTER USER '{user}'@'%' PASSWORD EXPIRE"));
    let error = refused(&database.location(Role::Reader), "expired").await;
    assert_eq!(error.reason(), Reason::LoginRefused, "{}", error.cause());
}

/// A handshake that never comes ends after the 15 seconds of the contract, not at the deadline of the work.
pub(crate) async fn a_silent_server_is_left_after_fifteen_seconds(kind: Kind) {
    let database = Database::shared(kind);
    // The last two wait for the client to speak first, as this client waits for them.
    let (silent, http) = (Fake::start(Manner::Silent), Fake::start(Manner::Http));
    let postgres = Postgres::shared();
    let check = async |what: &str, port: u16| {
        let server = Server { port, ..database.server_as(Role::Reader) };
        let before = now();
        let error = refused(&database.locate(server), what).await;
        assert_eq!(error.reason(), Reason::ServerUnreachable, "{what}: {}", error.cause());
        let (took, bound) = (before.elapsed(), Duration::from_secs(15));
        assert!((bound..bound * 2).contains(&took), "{what}: {took:?}");
    };
    tokio::join!(
        check("silent", silent.port()),
        check("http", http.port()),
        check("postgres", postgres.port()),
    );
}

/// Whoever listens at the port: he gets no file, whatever he asks for.
pub(crate) async fn a_server_that_wants_a_file_gets_none(kind: Kind) {
    let database = Database::shared(kind);
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let version = if kind == Kind::Mysql { "9.7.0" } else { "5.5.5-11.4.2-MariaDB" };
    let lurking = std::thread::spawn(move || lurk(&listener, version));
    let server = Server { port, ..database.server_as(Role::Reader) };
    let error = probe(&database.locate(server), &task()).await.map(drop).expect_err("no server");
    assert_eq!(error.reason(), Reason::ServerLost, "{}", error.cause());
    let heard = lurking.join().expect("lurked");
    let text = String::from_utf8_lossy(&heard);
    assert!(text.len() < 8 && !text.contains("root"), "it got {text:?}");
}

/// Lets the client log in, answers its first command by a wish for a file, and says what it gets then.
fn lurk(listener: &std::net::TcpListener, version: &str) -> Vec<u8> {
    use std::io::{Read as _, Write as _};
    let (mut stream, _) = listener.accept().expect("a client");
    let send = |stream: &mut std::net::TcpStream, number: u8, body: &[u8]| {
        let length = u8::try_from(body.len()).expect("a short packet");
        stream.write_all(&[&[length, 0, 0, number], body].concat()).expect("a client that listens");
    };
    let mut greeting = vec![10];
    greeting.extend(version.as_bytes());
    greeting.extend([0, 1, 0, 0, 0]);
    greeting.extend(b"12345678\0");
    // All capabilities, UTF-8, autocommit, 21 bytes of challenge.
    greeting.extend([0xff, 0xf7, 45, 2, 0, 0xff, 0x00, 21]);
    greeting.extend([0; 10]);
    greeting.extend(b"123456789012\0mysql_native_password\0");
    send(&mut stream, 0, &greeting);
    let mut heard = [0; 4096];
    assert!(stream.read(&mut heard).expect("an answer") > 0);
    send(&mut stream, 2, &[0, 0, 0, 2, 0, 0, 0]);
    assert!(stream.read(&mut heard).expect("a command") > 0);
    send(&mut stream, 1, b"\xfb/etc/passwd");
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    rest
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
    let driver = open(&database.locate(elsewhere));
    let error = driver.list_tables(&task()).await.expect_err("case");
    assert_eq!(error.reason(), Reason::DatabaseUnknown);
    let error = driver.run_full("SELECT 1", Gate::open(), &task()).await.expect_err("case");
    assert_eq!(error.reason(), Reason::DatabaseUnknown, "Full SQL has no other names");
}
