//! Whether the servers, the network and the accounts of these tests are what the tests take them for.

use crate::servers::Client as _;
use crate::servers::fake::{Fake, Manner};
use crate::servers::postgres::{Database, Options, Postgres, Role};
use crate::servers::proxy::{Action, Proxy, Rule};
use std::io::{ErrorKind, Read as _};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};

/// PostgreSQL's own client, which knows passwords and TLS.
fn psql(server: &Postgres, port: u16, role: Role, database: &str, text: &str) -> Command {
    let mut command = Command::new("psql");
    command
        .args(["-XqAt", "-h", "127.0.0.1", "-p", &port.to_string()])
        .args(["-U", role.name(), "-d", database, "-c", text])
        .env("PGPASSWORD", server.password(role))
        .env("PGSSLMODE", "disable")
        .env("PGGSSENCMODE", "disable")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    both.concat().trim().to_owned()
}

fn run(mut command: Command) -> String {
    said(&command.output().expect("psql of Debian's package `postgresql`"))
}

#[test]
fn each_account_has_its_password_and_its_rights() {
    let database = Database::shared();
    database.connect(Role::Owner).must("CREATE SCHEMA s");
    database.connect(Role::Owner).must("CREATE TABLE s.t (n int)");
    database.connect(Role::Superuser).must("CREATE TABLE s.theirs (n int)");
    let server = database.server();
    let lock = "LOCK TABLE s.t IN SHARE UPDATE EXCLUSIVE MODE";
    for (role, may_insert, may_lock) in [
        (Role::Owner, true, true),
        (Role::Writer, true, true),
        (Role::Nolock, true, false),
        (Role::Reader, false, false),
        (Role::Superuser, true, true),
    ] {
        let count = "SELECT count(*) FROM s.t, s.theirs";
        assert_eq!(run(psql(server, server.port(), role, database.name(), count)), "0", "{role:?}");
        let mut client = database.connect(role);
        client.must("BEGIN");
        assert_eq!(client.ask(lock).is_ok(), may_lock, "{role:?}");
        client.must("ROLLBACK");
        client.must("BEGIN");
        assert_eq!(client.ask("INSERT INTO s.t VALUES (1)").is_ok(), may_insert, "{role:?}");
        client.must("ROLLBACK");
    }
    let mut stranger = psql(server, server.port(), Role::Reader, database.name(), "SELECT 1");
    stranger.env("PGPASSWORD", "another");
    assert!(run(stranger).contains("password authentication failed"));
}

#[test]
fn databases_are_apart_and_go() {
    let mut admin = Postgres::shared().connect("postgres");
    let (one, other) = (Database::shared(), Database::shared());
    one.connect(Role::Owner).must("CREATE TABLE public.t ()");
    other.connect(Role::Owner).must("CREATE TABLE public.t ()");
    let name = one.name().to_owned();
    let held = one.connect(Role::Owner);
    drop(one);
    let count = admin.value(&format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'"));
    assert_eq!(count, "0");
    drop(held);
}

#[test]
fn a_killed_server_comes_back_with_its_port_and_data() {
    let server = Postgres::start(Options::default());
    let database = Database::new(&server);
    for signal in ["QUIT", "KILL", "INT"] {
        let mut client = database.connect(Role::Owner);
        client.must(&format!("CREATE TABLE public.before_{signal} ()"));
        let port = server.port();
        server.kill(signal);
        // A killed first process leaves the others to notice by themselves.
        assert!((0..1_000_000).any(|_| client.ask("SELECT 1").is_err()));
        assert!(server.try_connect("postgres").is_err());
        server.restart();
        assert_eq!(server.port(), port);
        database.connect(Role::Owner).must(&format!("SELECT FROM public.before_{signal}"));
    }
}

#[test]
fn a_standby_has_replayed_what_was_awaited() {
    let server = Postgres::start(Options::default());
    let database = Database::new(&server);
    let standby = server.start_standby();
    for round in 0..20 {
        database.connect(Role::Owner).must(&format!("CREATE TABLE public.t{round} ()"));
        server.await_replayed();
        let mut client = standby.connect(database.name());
        client.must(&format!("SELECT FROM public.t{round}"));
        assert_eq!(client.value("SELECT pg_is_in_recovery()"), "t");
    }
    let count = psql(&standby, standby.port(), Role::Reader, database.name(), "SELECT 1");
    assert_eq!(run(count), "1");
}

#[test]
fn a_server_can_demand_tls() {
    let server = Postgres::start(Options { demands_tls: true, ..Options::default() });
    let ask = || psql(&server, server.port(), Role::Reader, "postgres", "SELECT 1");
    assert!(run(ask()).contains("no encryption"), "{}", run(ask()));
    let mut encrypted = ask();
    encrypted.env("PGSSLMODE", "require");
    assert_eq!(run(encrypted), "1");
}

#[test]
fn a_server_can_be_full() {
    let server = Postgres::start(Options { connections_max: 6, ..Options::default() });
    let mut admin = server.connect("postgres");
    let sleeping = "SELECT pg_sleep(600)";
    let mut kept: Vec<_> = (0..2)
        .map(|_| psql(&server, server.port(), Role::Reader, "postgres", sleeping).spawn())
        .collect();
    admin.until("(SELECT count(*) FROM pg_stat_activity WHERE usename = 't_reader') = 2");
    let one_more = psql(&server, server.port(), Role::Reader, "postgres", "SELECT 1");
    assert!(run(one_more).contains("remaining connection slots are reserved"));
    admin.must("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 't_reader'");
    for child in kept.iter_mut().flatten() {
        child.wait().expect("psql ends");
    }
}

#[test]
fn the_network_passes_notes_and_counts() {
    let database = Database::shared();
    let proxy = Proxy::start(database.server().port());
    let ask =
        |text: &str| run(psql(database.server(), proxy.port(), Role::Owner, database.name(), text));
    proxy.arm(Rule::after("a text in it", Action::Note));
    assert_eq!(ask("SELECT 1"), "1");
    assert!(!proxy.is_rule_met());
    assert_eq!(ask("SELECT 'a text in it'"), "a text in it");
    proxy.wait_for_rule();
    proxy.wait_until_idle();
    let counts = proxy.counts();
    assert_eq!(counts.connections, 2);
    // Greeting, two messages of SCRAM, the statement; the good-bye needs no answer.
    assert_eq!(counts.round_trips, 2 * 5, "{counts:?}");
    assert_eq!(counts.client_messages, 2 * 5, "{counts:?}");
}

#[test]
fn the_network_drops_before_and_after_a_message() {
    let database = Database::shared();
    database.connect(Role::Owner).must("CREATE TABLE public.t (n int)");
    let proxy = Proxy::start(database.server().port());
    let mut admin = database.connect(Role::Superuser);
    for (rule, arrives) in [
        (Rule::before("INSERT", Action::Drop), false),
        (Rule::after("INSERT", Action::Drop), true),
        (Rule::at_answer(b'C', Action::Drop), true),
        (Rule::before("INSERT", Action::Cut), false),
    ] {
        proxy.resume();
        let described = format!("{rule:?}");
        proxy.arm(rule);
        let insert = "INSERT INTO public.t VALUES (1)";
        let told = run(psql(database.server(), proxy.port(), Role::Owner, database.name(), insert));
        // A fast server may answer what arrived before the network is gone.
        let is_answered = arrives && told.is_empty();
        let is_cut = told.contains("closed the connection unexpectedly");
        assert!(is_cut || is_answered, "{described}: {told:?}");
        proxy.wait_for_rule();
        admin.until("NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 't_owner')");
        let count = admin.value("SELECT count(*) FROM public.t");
        assert_eq!(count, if arrives { "1" } else { "0" });
        admin.must("TRUNCATE public.t");
    }
    let refused = psql(database.server(), proxy.port(), Role::Owner, database.name(), "SELECT 1");
    assert!(run(refused).contains("closed the connection unexpectedly"));
}

#[test]
fn the_network_stalls_and_goes_on() {
    let database = Database::shared();
    let proxy = Proxy::start(database.server().port());
    for rule in [
        Rule::before("SELECT 7", Action::Stall),
        Rule::after("SELECT 7", Action::Stall),
        Rule::at_answer(b'D', Action::Stall),
    ] {
        proxy.arm(rule);
        let mut child =
            psql(database.server(), proxy.port(), Role::Owner, database.name(), "SELECT 7")
                .spawn()
                .expect("psql");
        proxy.wait_for_rule();
        assert!(child.try_wait().expect("a child").is_none(), "it waits for its answer");
        proxy.resume();
        assert_eq!(said(&child.wait_with_output().expect("psql")), "7");
    }
}

#[test]
fn other_programs_behave_as_they_should() {
    for manner in [Manner::Silent, Manner::Slow, Manner::Greeting, Manner::Closing, Manner::Http] {
        let fake = Fake::start(manner);
        let mut stream = TcpStream::connect(("127.0.0.1", fake.port())).expect("it takes it");
        fake.wait_for_connection();
        if manner == Manner::Http {
            std::io::Write::write_all(&mut stream, b"hello").expect("it listens");
        }
        let pause = std::time::Duration::from_millis(300);
        stream.set_read_timeout(Some(pause)).expect("a socket");
        let mut bytes = [0; 64];
        let read = stream.read(&mut bytes).map_err(|error| error.kind());
        match manner {
            Manner::Silent => assert_eq!(read, Err(ErrorKind::WouldBlock)),
            Manner::Slow => assert_eq!((read, bytes[0]), (Ok(1), b'R')),
            Manner::Greeting => assert!(bytes.starts_with(b"SSH-2.0")),
            Manner::Http => assert!(bytes.starts_with(b"HTTP/1.1 400")),
            Manner::Closing => assert_eq!(read, Ok(0)),
            Manner::Refusing => {}
        }
        drop(fake);
        while stream.read(&mut bytes).is_ok_and(|count| count > 0) {}
    }
    let fake = Fake::start(Manner::Refusing);
    let refused = TcpStream::connect(("127.0.0.1", fake.port()));
    assert_eq!(refused.map_err(|error| error.kind()).err(), Some(ErrorKind::ConnectionRefused));
}
