//! A private MariaDB and a private MySQL.

use super::process::{self, Folder, Running, Start};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

pub(crate) use super::mysql_client::MysqlClient;
#[allow(unused_imports, reason = "each test program uses a part")]
pub(crate) use super::mysql_roles::{Database, Role};

const NO_MARIADB: &str = "MariaDB is missing: install Debian's package `mariadb-server-core`";
const NO_MYSQL: &str = "MySQL is missing: `bash scripts/mysql-root.sh` unpacks it";

/// Both: nothing of the machine's settings, nothing that only keeps data safe.
const OPTIONS: &str = "--skip-log-bin --innodb-flush-log-at-trx-commit=0 --bind-address=127.0.0.1 \
     --innodb-doublewrite=OFF --performance-schema=ON --log-bin-trust-function-creators=1";

/// How often another port is tried.
const STARTS_MAX: u32 = 100;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Mysql,
    Mariadb,
}

/// What a server does unlike the others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    /// Further settings, as `name=value`.
    pub(crate) settings: &'static [&'static str],
}

/// A server with no database yet. It answers on a Unix socket in its folder and on a port of 127.0.0.1. Its administrator
/// has no password.
#[derive(Debug)]
pub(crate) struct Mysql {
    kind: Kind,
    folder: Folder,
    port: u16,
    options: Options,
    /// Its program and what it needs to begin.
    program: Vec<String>,
    /// None while it is dead.
    running: Mutex<Option<Running>>,
}

impl Mysql {
    /// The MariaDB of this test program.
    pub(crate) fn shared_mariadb() -> &'static Self {
        static SERVER: OnceLock<Mysql> = OnceLock::new();
        SERVER.get_or_init(|| Self::start(Kind::Mariadb, Options::default()))
    }

    /// The MySQL of this test program.
    pub(crate) fn shared_mysql() -> &'static Self {
        static SERVER: OnceLock<Mysql> = OnceLock::new();
        SERVER.get_or_init(|| Self::start(Kind::Mysql, Options::default()))
    }

    /// One of them.
    pub(crate) fn shared(kind: Kind) -> &'static Self {
        match kind {
            Kind::Mysql => Self::shared_mysql(),
            Kind::Mariadb => Self::shared_mariadb(),
        }
    }

    /// A new one, for tests that disturb it.
    pub(crate) fn start(kind: Kind, options: Options) -> Self {
        let folder = Folder::new(None);
        let program = match kind {
            Kind::Mysql => prepare_mysql(&folder, options),
            Kind::Mariadb => prepare_mariadb(&folder),
        };
        let mut server =
            Self { kind, folder, port: 0, options, program, running: Mutex::new(None) };
        for _ in 0..STARTS_MAX {
            server.port = process::free_port();
            match Running::try_start(&server.folder, &server.how()) {
                Ok(running) => {
                    server.running = Mutex::new(Some(running));
                    return server;
                }
                // Another program took the port in between.
                Err(said) if said.contains("Address already in use") => {}
                Err(said) => panic!("{said}"),
            }
        }
        panic!("no port is free");
    }

    fn how(&self) -> Start<'static> {
        let folder = self.folder.path();
        let mut arguments = self.program.clone();
        arguments.extend(words(OPTIONS));
        arguments.push(format!("--port={}", self.port));
        for (option, name) in [("socket", "socket"), ("pid-file", "pid"), ("tmpdir", "")] {
            arguments.push(format!("--{option}={}", folder.join(name).display()));
        }
        arguments.extend(self.options.settings.iter().map(|setting| format!("--{setting}")));
        // Its data is thrown away, so that it need not be closed.
        Start { arguments, ready: "ready for connections", signal: "KILL", user: None }
    }

    /// A connection of the administrator without a database of its own.
    pub(crate) fn connect(&self) -> MysqlClient {
        MysqlClient::connect(&self.folder.path().join("socket"))
    }

    /// A connection of an account without a password.
    pub(crate) fn connect_as(&self, user: &str) -> MysqlClient {
        MysqlClient::connect_as(&self.folder.path().join("socket"), user)
    }

    /// Which of the two.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// The port on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Its socket.
    pub(crate) fn socket(&self) -> String {
        self.folder.path().join("socket").display().to_string()
    }

    /// Ends it with this signal.
    pub(crate) fn kill(&self, signal: &str) {
        let running = self.running.lock().expect("no panic before").take();
        running.expect("a server that lives").end(signal);
    }

    /// Starts a killed server again, on the same port and data.
    pub(crate) fn restart(&self) {
        let mut running = self.running.lock().expect("no panic before");
        assert!(running.is_none(), "it still lives");
        *running = Some(Running::start(&self.folder, &self.how()));
    }
}

/// Makes the data of a MariaDB, and says how it begins.
fn prepare_mariadb(folder: &Folder) -> Vec<String> {
    let places = |name: &str| {
        ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map(|place| Path::new(place).join(name))
    };
    let server = process::program(&places("mariadbd"), NO_MARIADB);
    let installer = process::program(&places("mariadb-install-db"), NO_MARIADB);
    let mut arguments = common(&folder.path().join("data"));
    let mut preparing = arguments.clone();
    preparing.extend(words(
        "--auth-root-authentication-method=normal --skip-test-db --skip-name-resolve \
         --innodb-flush-log-at-trx-commit=0",
    ));
    // Two that are made at the same time would take each other's files for their own.
    preparing.push(format!("--tmpdir={}", folder.path().display()));
    process::prepare(&installer, &preparing, None);
    arguments.insert(0, server.display().to_string());
    arguments
}

/// Makes the data of a MySQL, and says how it begins.
///
/// It runs from `target/mysql-root` with the libraries beside it, down to the C library, so that
/// neither the administrator nor the machine's own libraries are needed.
fn prepare_mysql(folder: &Folder, options: Options) -> Vec<String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let root = target.join("mysql-root");
    let server = process::program(&[root.join("usr/sbin/mysqld")], NO_MYSQL);
    let loader = process::program(&loaders(&root), NO_MYSQL);
    let libraries: Vec<String> = folders(&root.join("usr/lib"))
        .into_iter()
        .filter(|folder| folder.to_string_lossy().ends_with("-linux-gnu"))
        .flat_map(|folder| [folder.join("private"), folder])
        .map(|folder| folder.display().to_string())
        .collect();
    let mut arguments = vec!["--library-path".to_owned(), libraries.join(":")];
    arguments.push(server.display().to_string());
    arguments.extend(common(&folder.path().join("data")));
    arguments.push(format!("--basedir={}", root.join("usr").display()));
    arguments.extend(words("--mysqlx=OFF --secure-file-priv=NULL"));
    let mut preparing = arguments.clone();
    preparing.extend(words("--initialize-insecure --skip-log-bin --innodb-doublewrite=OFF"));
    preparing.push(format!("--tmpdir={}", folder.path().display()));
    // Whether names have a case is decided here.
    let settings = options.settings.iter().filter(|setting| setting.starts_with("lower-case"));
    preparing.extend(settings.map(|setting| format!("--{setting}")));
    process::prepare(&loader, &preparing, None);
    arguments.insert(0, loader.display().to_string());
    arguments
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// What installing and running have in common. Only the administrator must be named.
fn common(data: &Path) -> Vec<String> {
    let mut arguments = vec!["--no-defaults".to_owned(), format!("--datadir={}", data.display())];
    if process::ids(None).0 == 0 {
        arguments.push("--user=root".into());
    }
    arguments
}

fn folders(above: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(above).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The program that loads another with its libraries; each processor has its own name for it.
fn loaders(root: &Path) -> Vec<PathBuf> {
    let places = ["usr/lib64", "usr/lib", "lib64", "lib"];
    let entries = places
        .iter()
        .flat_map(|place| std::fs::read_dir(root.join(place)).into_iter().flatten().flatten());
    let is_loader = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-linux"))
    };
    entries.map(|entry| entry.path()).filter(is_loader).collect()
}
