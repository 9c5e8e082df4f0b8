//! Sources that cannot be read, each with its own reason and hint.

use crate::common::{Sandbox, driver, reading, task};
use dbeast::drivers::{DriverError, Location, probe};
use dbeast::reason::DatabaseReason as Reason;
use std::fs;
use std::path::Path;

async fn failure(path: &Path) -> DriverError {
    let location = Location::Sqlite { path: path.to_owned(), is_read_only: true };
    probe(&location, &task()).await.expect_err("no database")
}

#[tokio::test]
async fn a_missing_file_is_not_created() {
    let sandbox = Sandbox::empty();
    let error = failure(sandbox.path()).await;
    assert!(error.is_unavailable());
    assert_eq!(error.reason(), Reason::SourceMissing);
    assert!(!sandbox.path().exists());
    assert_eq!(failure(&sandbox.path().join("below")).await.reason(), Reason::SourceMissing);
    assert_eq!(failure(Path::new("")).await.reason(), Reason::SourceMissing);
}

#[tokio::test]
async fn a_deleted_file_is_missing() {
    let shop = Sandbox::shop();
    let driver = shop.driver();
    assert!(driver.list_tables(&task()).await.is_ok());
    fs::remove_file(shop.path()).expect("deleted");
    let error = driver.list_tables(&task()).await.expect_err("gone");
    assert_eq!(error.reason(), Reason::SourceMissing);
}

#[tokio::test]
async fn a_folder_is_no_database() {
    let sandbox = Sandbox::empty();
    assert_eq!(failure(sandbox.folder()).await.reason(), Reason::SourceIsFolder);
}

#[cfg(unix)]
#[tokio::test]
async fn pipes_devices_and_sockets_do_not_hang() {
    let sandbox = Sandbox::empty();
    let pipe = sandbox.folder().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    assert_eq!(failure(&pipe).await.reason(), Reason::SourceNotAFile);
    assert_eq!(failure(Path::new("/dev/zero")).await.reason(), Reason::SourceNotAFile);
    let socket = sandbox.folder().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    assert_eq!(failure(&socket).await.reason(), Reason::SourceNotAFile);
}

#[tokio::test]
async fn other_files_are_no_databases() {
    let sandbox = Sandbox::empty();
    fs::write(sandbox.path(), "x,y\n1,2\n".repeat(1000)).expect("written");
    let error = failure(sandbox.path()).await;
    assert!(error.is_unavailable());
    assert_eq!(error.reason(), Reason::SourceNotADatabase);
    assert!(!error.hint().is_empty());
    assert!(!error.cause().is_empty());
}

#[tokio::test]
async fn an_empty_file_is_an_empty_database() {
    let sandbox = Sandbox::empty();
    fs::write(sandbox.path(), "").expect("written");
    let location = Location::Sqlite { path: sandbox.path().to_owned(), is_read_only: true };
    let found = probe(&location, &task()).await.expect("a database");
    assert_eq!((found.tables, found.file_bytes), (0, Some(0)));
    assert_eq!(sandbox.refusal(&["orders"], "SELECT 1").await, Reason::TableUnknown);
    assert_eq!(fs::metadata(sandbox.path()).expect("a file").len(), 0);
}

#[tokio::test]
async fn damaged_databases_are_refused() {
    let shop = Sandbox::shop();
    let mut bytes = fs::read(shop.path()).expect("the file");
    // The first page holds the catalog after the header of the file.
    for byte in bytes.iter_mut().take(4096).skip(100) {
        *byte = 0xa5;
    }
    fs::write(shop.path(), bytes).expect("written");
    let error = failure(shop.path()).await;
    assert!(error.is_unavailable());
    assert_eq!(error.reason(), Reason::SourceDamaged);
}

#[tokio::test]
async fn a_truncated_database_is_damaged() {
    let shop = Sandbox::shop();
    let bytes = fs::read(shop.path()).expect("the file");
    fs::write(shop.path(), &bytes[..4096 + 100]).expect("written");
    let error =
        shop.read(&["orders"], "SELECT customer, total FROM main.orders").await.expect_err("cut");
    assert_eq!(error.reason(), Reason::SourceDamaged);
}

#[tokio::test]
async fn paths_are_taken_literally() {
    let shop = Sandbox::shop();
    for name in [
        "file:other.sqlite",
        "file:x?mode=memory",
        "?x",
        "a%20b",
        "#fragment",
        ":memory:",
        "-journal",
    ] {
        let path = shop.folder().join(name);
        assert_eq!(failure(&path).await.reason(), Reason::SourceMissing, "{name}");
        fs::copy(shop.path(), &path).expect("copied");
        let list = driver(&path).list_tables(&task()).await.expect(name);
        assert_eq!(list.tables.len(), 4, "{name}");
    }
    for name in ["file:database.sqlite", "file::memory:", ":memory:", "file:?mode=memory"] {
        assert_eq!(failure(Path::new(name)).await.reason(), Reason::SourceMissing, "{name}");
    }
    let uri = format!("file:{}?immutable=1", shop.path().display());
    assert_eq!(failure(Path::new(&uri)).await.reason(), Reason::SourceMissing);
}

#[cfg(unix)]
#[tokio::test]
async fn a_relative_path_that_looks_like_a_uri_is_a_file() {
    // The working folder belongs to the whole process, so the link goes the other way round.
    let shop = Sandbox::shop();
    let link = shop.folder().join("file:link");
    std::os::unix::fs::symlink(shop.path(), &link).expect("a link");
    assert_eq!(driver(&link).list_tables(&task()).await.expect("a list").tables.len(), 4);
}

#[cfg(unix)]
#[tokio::test]
async fn a_path_with_a_nul_is_unusable() {
    use std::os::unix::ffi::OsStrExt as _;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"/tmp/a\0b"));
    assert_eq!(failure(path).await.reason(), Reason::SourcePathUnusable);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_to_a_database_is_followed() {
    let shop = Sandbox::shop();
    let folder = shop.folder().join("folder");
    std::os::unix::fs::symlink(shop.folder(), &folder).expect("a link");
    let list = driver(&folder.join("database.sqlite")).list_tables(&task()).await.expect("a list");
    assert_eq!(list.tables.len(), 4);
    let nowhere = shop.folder().join("nowhere");
    std::os::unix::fs::symlink("/nowhere/at/all", &nowhere).expect("a link");
    assert_eq!(failure(&nowhere).await.reason(), Reason::SourceMissing);
}

/// Takes every permission from a file or folder; false for a user whom that does not stop.
#[cfg(unix)]
fn forbid(path: &Path, mode: u32) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    let probe = if path.is_dir() {
        fs::write(path.join("probe"), "").is_err()
    } else {
        fs::read(path).is_err()
    };
    if !probe {
        let _ = fs::remove_file(path.join("probe"));
    }
    probe
}

/// Nothing is forbidden to the administrator. Run by one, the test runs once more in a program of a
/// user who owns nothing, and passes only if it passes there. False: this user is an ordinary one.
#[cfg(unix)]
fn ran_as_nobody(test: &str) -> bool {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    let open_to_all = || fs::Permissions::from_mode(0o777);
    let folder = tempfile::tempdir().expect("a folder");
    if fs::metadata(folder.path()).expect("the folder").uid() != 0 {
        return false;
    }
    // The build folder may be closed to others; a copy here is not.
    let program = folder.path().join("program");
    fs::copy(std::env::current_exe().expect("this program"), &program).expect("copied");
    for path in [folder.path(), &program] {
        fs::set_permissions(path, open_to_all()).expect("permissions");
    }
    let output = std::process::Command::new(&program)
        .args([test, "--exact"])
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .gid(NOBODY)
        .uid(NOBODY)
        .output()
        .expect("run");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "as nobody: {told}");
    true
}

#[cfg(unix)]
#[tokio::test]
async fn a_forbidden_file_is_not_permitted() {
    if ran_as_nobody("sources::a_forbidden_file_is_not_permitted") {
        return;
    }
    let shop = Sandbox::shop();
    assert!(forbid(shop.path(), 0o000), "this user may read everything");
    let error = failure(shop.path()).await;
    assert_eq!(error.reason(), Reason::SourceNotPermitted);
}

#[cfg(unix)]
#[tokio::test]
async fn a_log_in_a_read_only_folder_is_unavailable_and_says_so() {
    if ran_as_nobody("sources::a_log_in_a_read_only_folder_is_unavailable_and_says_so") {
        return;
    }
    let shop = Sandbox::shop();
    let writer = shop.writer();
    writer.pragma_update(None, "journal_mode", "wal").expect("a write-ahead log");
    drop(writer);
    assert!(forbid(shop.folder(), 0o555), "this user may write everywhere");
    let error = failure(shop.path()).await;
    forbid(shop.folder(), 0o755);
    assert!(error.is_unavailable());
    assert_eq!(error.reason(), Reason::SourceLogUnavailable, "{}", error.cause());
}

#[tokio::test]
async fn a_half_written_database_needs_recovery() {
    let shop = Sandbox::shop();
    let writer = shop.writer();
    writer
        .execute_batch(
            "PRAGMA cache_size = 1; BEGIN; UPDATE orders SET customer = customer || 'x';",
        )
        .expect("a transaction");
    writer
        .execute_batch(
            "WITH RECURSIVE c(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM c LIMIT 5000)
             INSERT INTO orders SELECT x, 'padding padding padding', 1.0 FROM c;",
        )
        .expect("enough to reach the file");
    // A copy taken now is what a crash leaves behind: the database with its hot journal.
    let crashed = shop.folder().join("crashed.sqlite");
    fs::copy(shop.path(), &crashed).expect("copied");
    fs::copy(
        shop.folder().join("database.sqlite-journal"),
        shop.folder().join("crashed.sqlite-journal"),
    )
    .expect("copied");
    drop(writer);
    let before = fs::read(&crashed).expect("the file");
    let error = failure(&crashed).await;
    assert!(error.is_unavailable());
    assert_eq!(error.reason(), Reason::SourceNeedsRecovery, "{}", error.cause());
    assert_eq!(fs::read(&crashed).expect("the file"), before);
}

#[tokio::test]
async fn a_database_with_a_log_is_read_without_changing_it() {
    let shop = Sandbox::shop();
    let writer = shop.writer();
    writer.pragma_update(None, "journal_mode", "wal").expect("a write-ahead log");
    writer.execute_batch("INSERT INTO orders VALUES (4, 'Eve', 1.0)").expect("written");
    let before = fs::read(shop.path()).expect("the file");
    let log = shop.folder().join("database.sqlite-wal");
    let log_before = fs::read(&log).expect("the log");
    assert_eq!(shop.texts(&["orders"], "SELECT count(*) FROM main.orders").await, [["4"]]);
    assert_eq!(fs::read(shop.path()).expect("the file"), before);
    assert_eq!(fs::read(&log).expect("the log"), log_before);
}

#[tokio::test]
async fn errors_show_their_cause_to_the_person_alone() {
    let sandbox = Sandbox::empty();
    fs::write(sandbox.path(), "no database at all, but long enough to be looked at")
        .expect("written");
    let shop = Sandbox::shop();
    let refused = shop
        .driver()
        .read(&reading(&["orders"], "SELECT hunter2 FROM main.orders"), None, &task())
        .await
        .expect_err("no such column");
    assert!(refused.cause().contains("hunter2"));
    for error in [failure(sandbox.path()).await, refused] {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("hunter2") && !shown.contains("sqlite"), "{shown}");
        assert!(std::error::Error::source(&error).is_none());
        assert!(!error.hint().is_empty());
        assert_eq!(error.to_string(), error.reason().message());
    }
}

#[tokio::test]
async fn a_database_with_a_log_is_read_when_nobody_else_has_it_open() {
    let shop = Sandbox::shop();
    let writer = shop.writer();
    writer.pragma_update(None, "journal_mode", "wal").expect("a write-ahead log");
    drop(writer);
    assert!(!shop.folder().join("database.sqlite-wal").exists(), "the last writer removes the log");
    let before = fs::read(shop.path()).expect("the file");
    for _ in 0..2 {
        assert_eq!(shop.texts(&["orders"], "SELECT count(*) FROM main.orders").await, [["3"]]);
    }
    assert_eq!(fs::read(shop.path()).expect("the file"), before);
    shop.writer()
        .execute_batch("INSERT INTO orders VALUES (4, 'Eve', 1.0)")
        .expect("still writable");
    assert_eq!(shop.texts(&["orders"], "SELECT count(*) FROM main.orders").await, [["4"]]);
}

#[tokio::test]
async fn a_page_that_belongs_to_two_tables_is_damage() {
    let shop = Sandbox::shop();
    shop.writer()
        .execute_batch(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'secrets')
             WHERE name = 'orders';",
        )
        .expect("orders now shows the rows of secrets");
    let error =
        shop.read(&["orders"], "SELECT customer FROM main.orders").await.expect_err("damage");
    assert_eq!(error.reason(), Reason::SourceDamaged);
}

#[tokio::test]
async fn a_utf16_database_is_read_as_text() {
    let sandbox = Sandbox::new(
        "PRAGMA encoding = 'UTF-16le'; CREATE TABLE \"tä\"(\"ö\" TEXT); INSERT INTO \"tä\" VALUES ('é€😀');",
    );
    assert_eq!(sandbox.texts(&["tä"], "SELECT \"ö\" FROM main.\"tä\"").await, [["é€😀"]]);
}
