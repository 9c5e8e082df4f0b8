//! A private MariaDB and a private MySQL.

use super::process::{self, Folder, Running, Start};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(crate) use super::mysql_client::MysqlClient;

const NO_MARIADB: &str = "MariaDB is missing: install Debian's package `mariadb-server-core`";
const NO_MYSQL: &str = "MySQL is missing: `bash scripts/mysql-root.sh` unpacks it";

/// Both: nothing of the machine's settings, one socket, nothing that only keeps data safe.
const OPTIONS: &str = "--skip-networking --skip-log-bin --innodb-flush-log-at-trx-commit=0 \
     --innodb-doublewrite=OFF --performance-schema=ON --max-connections=30";

/// A server with no database yet.
pub(crate) struct Mysql {
    folder: Folder,
    /// Held while it is needed.
    _running: Running,
}

impl Mysql {
    /// The MariaDB of this test program.
    pub(crate) fn shared_mariadb() -> &'static Self {
        static SERVER: OnceLock<Mysql> = OnceLock::new();
        SERVER.get_or_init(Self::start_mariadb)
    }

    /// The MySQL of this test program.
    pub(crate) fn shared_mysql() -> &'static Self {
        static SERVER: OnceLock<Mysql> = OnceLock::new();
        SERVER.get_or_init(Self::start_mysql)
    }

    fn start_mariadb() -> Self {
        let places = |name: &str| {
            ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map(|place| Path::new(place).join(name))
        };
        let server = process::program(&places("mariadbd"), NO_MARIADB);
        let installer = process::program(&places("mariadb-install-db"), NO_MARIADB);
        let folder = Folder::new(None);
        let data = folder.path().join("data");
        let mut arguments = common(&data);
        arguments.extend(words(
            "--auth-root-authentication-method=normal --skip-test-db --skip-name-resolve \
             --innodb-flush-log-at-trx-commit=0",
        ));
        process::prepare(&installer, &arguments, None);
        let mut arguments = vec![server.display().to_string()];
        arguments.extend(common(&data));
        Self::run(folder, arguments)
    }

    /// It runs from `target/mysql-root` with the libraries beside it, down to the C library, so that
    /// neither the administrator nor the machine's own libraries are needed.
    fn start_mysql() -> Self {
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
        let folder = Folder::new(None);
        let data = folder.path().join("data");
        let mut arguments = vec!["--library-path".to_owned(), libraries.join(":")];
        arguments.push(server.display().to_string());
        arguments.extend(common(&data));
        arguments.push(format!("--basedir={}", root.join("usr").display()));
        arguments.extend(words("--mysqlx=OFF --secure-file-priv=NULL"));
        let mut preparing = arguments.clone();
        preparing.extend(words("--initialize-insecure --skip-log-bin --innodb-doublewrite=OFF"));
        process::prepare(&loader, &preparing, None);
        arguments.insert(0, loader.display().to_string());
        Self::run(folder, arguments)
    }

    fn run(folder: Folder, mut arguments: Vec<String>) -> Self {
        arguments.extend(words(OPTIONS));
        for (option, name) in [("socket", "socket"), ("pid-file", "pid"), ("tmpdir", "")] {
            arguments.push(format!("--{option}={}", folder.path().join(name).display()));
        }
        let ready = "ready for connections";
        // Its data is thrown away, so that it need not be closed.
        let start = Start { arguments, ready, signal: "KILL", user: None };
        let running = Running::start(&folder, &start);
        Self { folder, _running: running }
    }

    /// A connection without a database of its own.
    pub(crate) fn connect(&self) -> MysqlClient {
        MysqlClient::connect(&self.folder.path().join("socket"))
    }
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
