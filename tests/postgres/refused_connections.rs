//! Everything that can be wrong before a connection is there: each with its reason, and nothing said about the place.

use super::common::{any_read, assert_says_nothing, driver_at, now, table, task, task_of};
use crate::servers::Client as _;
use crate::servers::fake::{Fake, Manner};
use crate::servers::postgres::{Database, Options, Postgres, Role};
use dbeast::drivers::{Gate, Location, Server, Task, probe};
use dbeast::reason::DatabaseReason::{self as Reason};
use dbeast::secret::Secret;
use std::time::Duration;
use tokio::sync::oneshot;

/// Whatever is asked has the same reason, sends nothing, and says nothing of the place.
async fn check(what: &str, server: &Server, reasons: &[Reason], task: &Task) {
    let driver = driver_at(server.clone());
    let never = Gate::new(|| panic!("nobody is there to send it to"), oneshot::channel().1);
    let target = table("s", "t");
    let errors = [
        driver.list_tables(task).await.map(drop).expect_err(what),
        driver.describe_table(&target, None, task).await.map(drop).expect_err(what),
        driver.read(&any_read(&target), None, task).await.map(drop).expect_err(what),
        driver.run_full("SELECT 1", never, task).await.map(drop).expect_err(what),
        probe(&Location::Postgres(Box::new(server.clone())), task).await.map(drop).expect_err(what),
    ];
    for error in errors {
        let (code, cause) = (error.reason().code(), error.cause());
        assert!(reasons.contains(&error.reason()), "{what}: {code} ({cause})");
        assert_says_nothing(&error, server);
        assert!(!error.is_outcome_unknown() && !error.hint().is_empty(), "{what}");
        assert!(
            !cause.is_empty() || error.is_deadline_exceeded(),
            "{what}: the person sees no cause"
        );
    }
}

#[tokio::test]
async fn the_account_or_the_database_is_wrong() {
    let database = Database::shared();
    let mut superuser = database.connect(Role::Superuser);
    let (name, own) = (database.name().to_owned(), database.location(Role::Reader));
    let postgres = database.server();
    for (role, more) in [
        ("no_login", "NOLOGIN"),
        ("expired", "LOGIN VALID UNTIL '2001-01-01'"),
        ("full", "LOGIN CONNECTION LIMIT 0"),
    ] {
        let password = postgres.password(Role::Reader);
        superuser.must(&format!("CREATE ROLE {name}_{role} {more} PASSWORD '{password}'"));
    }
    let secret = |text: &str| Some(Secret::new(text.to_owned()));
    let user = |role: &str| Server { user: format!("{name}_{role}"), ..own.clone() };
    for (what, server, reason) in [
        (
            "another password",
            Server { password: secret("another"), ..own.clone() },
            Reason::LoginRefused,
        ),
        ("an empty password", Server { password: secret(""), ..own.clone() }, Reason::LoginRefused),
        ("no password", Server { password: None, ..own.clone() }, Reason::LoginRefused),
        ("an unknown account", user("nobody"), Reason::LoginRefused),
        ("an account that may not log in", user("no_login"), Reason::LoginRefused),
        ("an account that has expired", user("expired"), Reason::LoginRefused),
        ("an account without connections", user("full"), Reason::ServerFull),
        (
            "an unknown database",
            Server { database: format!("{name}_x"), ..own.clone() },
            Reason::DatabaseUnknown,
        ),
        (
            "a database in other letters",
            Server { database: name.to_uppercase(), ..own.clone() },
            Reason::DatabaseUnknown,
        ),
    ] {
        check(what, &server, &[reason], &task()).await;
    }
    superuser.must(&format!("REVOKE CONNECT ON DATABASE {name} FROM public"));
    check("a database that is not for everybody", &own, &[Reason::LoginRefused], &task()).await;
    for role in ["no_login", "expired", "full"] {
        superuser.must(&format!("DROP ROLE {name}_{role}"));
    }
}

#[tokio::test]
async fn names_that_no_server_can_have() {
    let own = Database::shared().location(Role::Reader);
    let (long, broken) = ("x".repeat(100_000), "a\0b".to_owned());
    for (what, server) in [
        ("a NUL in the account", Server { user: broken.clone(), ..own.clone() }),
        ("a NUL in the database", Server { database: broken.clone(), ..own.clone() }),
        ("a NUL in the host", Server { host: broken, ..own.clone() }),
        ("a very long account", Server { user: long.clone(), ..own.clone() }),
        ("a very long database", Server { database: long.clone(), ..own.clone() }),
        ("a very long host", Server { host: long.clone(), ..own.clone() }),
        ("a very long path", Server { host: format!("/{long}"), ..own.clone() }),
    ] {
        let reasons = [
            Reason::ServerUnreachable,
            Reason::LoginRefused,
            Reason::DatabaseUnknown,
            Reason::ServerNotRecognised,
        ];
        check(what, &server, &reasons, &task_of(Duration::from_secs(20))).await;
    }
}

#[tokio::test]
async fn nobody_is_there() {
    let own = Database::shared().location(Role::Reader);
    let fake = Fake::start(Manner::Refusing);
    for (what, server) in [
        ("a port that refuses", Server { port: fake.port(), ..own.clone() }),
        (
            "a name that does not exist",
            Server { host: "no-such-host.invalid".to_owned(), ..own.clone() },
        ),
        (
            "a folder that does not exist",
            Server { host: "/no/such/folder".to_owned(), ..own.clone() },
        ),
        ("port 0", Server { port: 0, ..own.clone() }),
    ] {
        check(what, &server, &[Reason::ServerUnreachable], &task()).await;
    }
}

#[tokio::test]
async fn something_else_answers() {
    let own = Database::shared().location(Role::Reader);
    for (manner, reasons) in [
        (Manner::Http, &[Reason::ServerNotRecognised][..]),
        (Manner::Greeting, &[Reason::ServerNotRecognised]),
        (Manner::Closing, &[Reason::ServerUnreachable, Reason::ServerNotRecognised]),
    ] {
        let fake = Fake::start(manner);
        let server = Server { port: fake.port(), ..own.clone() };
        check(&format!("{manner:?}"), &server, reasons, &task()).await;
        fake.wait_for_connection();
    }
}

#[tokio::test]
async fn it_hangs_until_the_deadline_of_the_work() {
    let own = Database::shared().location(Role::Reader);
    for manner in [Manner::Silent, Manner::Slow] {
        let fake = Fake::start(manner);
        let server = Server { port: fake.port(), ..own.clone() };
        let driver = driver_at(server);
        let began = now();
        let error = driver.list_tables(&task_of(Duration::from_secs(1))).await.map(drop);
        let error = error.expect_err("it hangs");
        assert_eq!(error.reason(), Reason::DeadlineExceeded, "{manner:?}");
        let took = began.elapsed();
        println!("measured: {manner:?} server, deadline of 1 s: {took:?}");
        assert!(took < Duration::from_secs(5), "{manner:?}: {took:?}");
    }
}

/// The contract's own bound, for both at once.
#[tokio::test]
async fn it_hangs_for_as_long_as_a_connection_may_take() {
    let own = Database::shared().location(Role::Reader);
    let fakes = [Manner::Silent, Manner::Slow].map(Fake::start);
    let began = now();
    let asking = fakes.iter().map(|fake| {
        let driver = driver_at(Server { port: fake.port(), ..own.clone() });
        tokio::spawn(async move { driver.list_tables(&task()).await.map(drop) })
    });
    for asked in asking.collect::<Vec<_>>() {
        let error = asked.await.expect("no panic").expect_err("it hangs");
        assert_eq!(error.reason(), Reason::ServerUnreachable, "{}", error.cause());
    }
    let took = began.elapsed();
    println!("measured: a silent and a slow server, without another deadline: {took:?}");
    assert!((Duration::from_secs(14)..Duration::from_secs(20)).contains(&took), "{took:?}");
}

#[tokio::test]
async fn the_server_wants_tls() {
    let server = Postgres::start(Options { demands_tls: true, ..Options::default() });
    let location = server.location("postgres", Role::Reader);
    check("TLS", &location, &[Reason::ServerNeedsTls], &task()).await;
}

#[tokio::test]
async fn the_server_is_full() {
    let server = Postgres::start(Options { connections_max: 6, ..Options::default() });
    let database = Database::new(&server);
    database.connect(Role::Owner).must("CREATE SCHEMA s; CREATE TABLE s.t (a int)");
    let kept: Vec<_> = (0..6).map(|_| server.connect("postgres")).collect();
    check("full", &database.location(Role::Reader), &[Reason::ServerFull], &task()).await;
    let even = server.location(database.name(), Role::Superuser);
    check("full even for the superuser", &even, &[Reason::ServerFull], &task()).await;
    drop(kept);
    database
        .connect(Role::Superuser)
        .until("(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') = 1");
    let driver = driver_at(database.location(Role::Owner));
    driver.list_tables(&task()).await.expect("there is room again");
}

#[tokio::test]
async fn the_server_is_about_to_stop() {
    let server = Postgres::start(Options::default());
    let mut held = server.connect("postgres");
    // It waits for those who are connected, and takes nobody else.
    held.must("COPY (SELECT 1) TO PROGRAM 'kill -TERM $(head -n 1 postmaster.pid)'");
    let is_stopping =
        || server.try_connect("postgres").is_err_and(|said| said.contains("shutting down"));
    for _ in 0..1000 {
        if is_stopping() {
            break;
        }
        held.must("SELECT pg_sleep(0.01)");
    }
    assert!(is_stopping());
    let location = server.location("postgres", Role::Reader);
    check("stopping", &location, &[Reason::ServerNotReady], &task()).await;
}
