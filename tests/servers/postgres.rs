//! A private PostgreSQL.

use super::process::{self, Running, Start};
use std::path::PathBuf;
use std::sync::OnceLock;

pub(crate) use super::postgres_client::PostgresClient;

const MISSING: &str = "PostgreSQL is missing: install Debian's package `postgresql`";

/// A server with no table yet.
pub(crate) struct Postgres {
    running: Running,
}

impl Postgres {
    /// The one of this test program.
    pub(crate) fn shared() -> &'static Self {
        static SERVER: OnceLock<Postgres> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    fn start() -> Self {
        // It refuses to run as the administrator.
        let user = (process::ids(None).0 == 0).then(|| process::ids(Some("nobody")));
        let folder = process::folder(user);
        let data = folder.path().join("data").display().to_string();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut arguments = words(
            "--username postgres --auth trust --no-sync --no-instructions --encoding UTF8 \
             --locale C.UTF-8 --pgdata",
        );
        arguments.push(data.clone());
        process::prepare(&program("initdb"), &arguments, user);

        let socket = folder.path().display().to_string();
        let mut arguments = vec![program("postgres").display().to_string(), "-D".into(), data];
        arguments.extend(["-k".into(), socket]);
        arguments.extend(words(
            "-c listen_addresses= -c fsync=off -c log_min_messages=error -c autovacuum=off \
             -c max_connections=30",
        ));
        let ready = "database system is ready to accept connections";
        let running = Running::start(folder, &Start { arguments, ready, signal: "QUIT", user });
        Self { running }
    }

    /// A connection with the settings that the driver pins.
    pub(crate) fn connect(&self, database: &str) -> PostgresClient {
        PostgresClient::connect(&self.running.folder().join(".s.PGSQL.5432"), database)
    }
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
