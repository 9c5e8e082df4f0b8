//! A private PostgreSQL.

use super::Client as _;
use super::process::{self, Folder, Running, Start};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

pub(crate) use super::postgres_client::PostgresClient;
#[allow(unused_imports, reason = "each test program uses a part")]
pub(crate) use super::postgres_roles::{Database, Role};

const MISSING: &str = "PostgreSQL is missing: install Debian's package `postgresql`";
const READY: &str = "database system is ready to accept";

/// How often another port is tried, and a server that still finds the memory of a killed one is started again.
const STARTS_MAX: u32 = 100;

/// What a server does unlike the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Whether it takes encrypted connections only, over TCP.
    pub(crate) demands_tls: bool,
    /// How many connections it takes. Others than the superuser get none of the last three, whoever has the
    /// rest.
    pub(crate) connections_max: u32,
    /// Further settings, as `name=value`.
    pub(crate) settings: &'static [&'static str],
}

impl Default for Options {
    fn default() -> Self {
        Self { demands_tls: false, connections_max: 60, settings: &[] }
    }
}

/// A server with no table yet. It answers on a Unix socket in its folder and on a port of 127.0.0.1.
#[derive(Debug)]
pub(crate) struct Postgres {
    folder: Folder,
    user: Option<(u32, u32)>,
    port: u16,
    options: Options,
    /// What the passwords of its accounts begin with.
    pub(super) password: String,
    /// None while it is dead.
    running: Mutex<Option<Running>>,
}

impl Postgres {
    /// The one of this test program.
    pub(crate) fn shared() -> &'static Self {
        static SERVER: OnceLock<Postgres> = OnceLock::new();
        SERVER.get_or_init(|| Self::start(Options::default()))
    }

    /// A new one, for tests that disturb it.
    pub(crate) fn start(options: Options) -> Self {
        // It refuses to run as the administrator.
        let user = (process::ids(None).0 == 0).then(|| process::ids(Some("nobody")));
        let folder = Folder::new(user);
        let mut arguments = words(
            "--username postgres --auth trust --no-sync --no-instructions --encoding UTF8 \
             --locale C.UTF-8 --pgdata",
        );
        let data = folder.path().join("data");
        arguments.push(data.display().to_string());
        process::prepare(&program("initdb"), &arguments, user);
        if options.demands_tls {
            make_certificate(&data, user);
        }
        write_rules(&data, options.demands_tls);
        let server = Self::begin(folder, user, options, super::random_word());
        server.make_roles();
        server
    }

    /// A standby of this server, which has already replayed everything.
    pub(crate) fn start_standby(&self) -> Self {
        let folder = Folder::new(self.user);
        let mut arguments = words("--no-sync --checkpoint=fast --write-recovery-conf --pgdata");
        arguments.push(folder.path().join("data").display().to_string());
        let from = self.folder.path().display();
        let port = self.port;
        arguments.push(format!(
            "--dbname=host={from} port={port} user=postgres application_name=standby"
        ));
        process::prepare(&program("pg_basebackup"), &arguments, self.user);
        let standby = Self::begin(folder, self.user, self.options, self.password.clone());
        self.connect("postgres").must("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        self.connect("postgres").must("SELECT pg_reload_conf()");
        self.await_replayed();
        standby
    }

    /// Waits until the standby has replayed everything that was committed: the server itself lets a
    /// commit wait for that.
    pub(crate) fn await_replayed(&self) {
        let mut client = self.connect("postgres");
        client.until("current_setting('synchronous_standby_names') = 'standby'");
        client.must("SET synchronous_commit = remote_apply");
        client.must("SELECT pg_logical_emit_message(true, 'tests', 'replay this')");
    }

    /// A connection of the superuser with the settings that the driver pins.
    pub(crate) fn connect(&self, database: &str) -> PostgresClient {
        self.try_connect(database).unwrap_or_else(|said| panic!("{database}: {said}"))
    }

    /// The same for a server that may be dead, or full.
    pub(crate) fn try_connect(&self, database: &str) -> Result<PostgresClient, String> {
        PostgresClient::connect(&self.socket(), database)
    }

    /// The port on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Ends it with this signal: `QUIT` as a crash of everything, `INT` politely, `KILL` its first process only,
    /// whose children then end by themselves.
    pub(crate) fn kill(&self, signal: &str) {
        let running = self.running.lock().expect("no panic before").take();
        running.expect("a server that lives").end(signal);
    }

    /// Starts a killed server again, on the same port and data.
    pub(crate) fn restart(&self) {
        let mut running = self.running.lock().expect("no panic before");
        assert!(running.is_none(), "it still lives");
        for _ in 0..STARTS_MAX {
            match Running::try_start(&self.folder, &start(self.arguments(), self.user)) {
                Ok(started) => {
                    *running = Some(started);
                    return;
                }
                // The last children of a killed server are about to end.
                Err(said) if said.contains("still in use") => {}
                Err(said) => panic!("{said}"),
            }
        }
        panic!("the memory of the killed server stays in use");
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join(format!(".s.PGSQL.{}", self.port))
    }

    /// Starts it on a free port. Another program may take that in between; then on another one.
    fn begin(folder: Folder, user: Option<(u32, u32)>, options: Options, password: String) -> Self {
        let mut server =
            Self { folder, user, port: 0, options, password, running: Mutex::new(None) };
        for _ in 0..STARTS_MAX {
            server.port = process::free_port();
            match Running::try_start(&server.folder, &start(server.arguments(), user)) {
                Ok(running) => {
                    server.running = Mutex::new(Some(running));
                    return server;
                }
                Err(said) if said.contains("could not create any TCP/IP sockets") => {}
                Err(said) => panic!("{said}"),
            }
        }
        panic!("no port is free");
    }

    fn arguments(&self) -> Vec<String> {
        let folder = self.folder.path();
        let mut arguments = vec![program("postgres").display().to_string()];
        arguments.extend(["-D".into(), folder.join("data").display().to_string()]);
        arguments.extend(["-k".into(), folder.display().to_string()]);
        arguments.extend(["-p".into(), self.port.to_string()]);
        arguments.extend(words(
            "-c listen_addresses=127.0.0.1 -c fsync=off -c log_min_messages=error \
             -c autovacuum=off -c synchronous_commit=local",
        ));
        arguments.push(format!("--max_connections={}", self.options.connections_max));
        if self.options.demands_tls {
            arguments.push("--ssl=on".into());
        }
        arguments.extend(self.options.settings.iter().map(|setting| format!("--{setting}")));
        arguments
    }
}

fn start(arguments: Vec<String>, user: Option<(u32, u32)>) -> Start<'static> {
    Start { arguments, ready: READY, signal: "QUIT", user }
}

/// The superuser needs no password on the socket; everybody else does everywhere.
fn write_rules(data: &Path, demands_tls: bool) {
    let host = if demands_tls { "hostssl" } else { "host" };
    let rules = format!(
        "local all postgres trust\n\
         local replication postgres trust\n\
         local all all scram-sha-256\n\
         {host} all all 127.0.0.1/32 scram-sha-256\n"
    );
    std::fs::write(data.join("pg_hba.conf"), rules).expect("a file that is there already");
}

/// The names under which PostgreSQL looks for them.
fn make_certificate(data: &Path, user: Option<(u32, u32)>) {
    let places = ["/usr/bin", "/usr/local/bin"].map(|folder| PathBuf::from(folder).join("openssl"));
    let openssl = process::program(&places, "install Debian's package `openssl`");
    let mut arguments = words("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1");
    for (option, name) in [("-keyout", "server.key"), ("-out", "server.crt")] {
        arguments.extend([option.to_owned(), data.join(name).display().to_string()]);
    }
    process::prepare(&openssl, &arguments, user);
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Debian keeps each version's programs in a folder of its own; the newest comes first.
fn program(name: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut numbers: Vec<u32> =
        versions.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable_by(|one, other| other.cmp(one));
    let places: Vec<PathBuf> = numbers
        .iter()
        .map(|version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin/{name}")))
        .chain(["/usr/local/bin", "/usr/bin"].map(|folder| PathBuf::from(folder).join(name)))
        .collect();
    process::program(&places, MISSING)
}
