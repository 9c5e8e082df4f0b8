//! The configuration folder: what is read, what is refused with which words, what is written.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it is wrong"
)]

use dbeast::config::{CONFIG_FILE, Config, ConfigError, Folder};
use dbeast::events::{ServerPlace, SourceLocation};
use dbeast::ids::SourceId;
use dbeast::reducer::effect::SavedSource;
use dbeast::time::Millis;
use dbeast::value::ReadLock;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const GOOD: &str = r#"{
  "version": 1,
  "owner": "own_0123",
  "mcp_state_saved": true,
  "ui_port": 4000,
  "sources": [
    {"id": "src_1", "name": "Shop", "alias": "SQLite source 1", "engine": "sqlite", "path": "/data/shop.db", "added_at_ms": 7}
  ]
}
"#;

struct Here {
    folder: Folder,
    temp: TempDir,
}

fn here() -> Here {
    let temp = TempDir::new().unwrap();
    let folder = Folder::open(&temp.path().join("dbeast")).unwrap();
    Here { folder, temp }
}

fn read(text: &str) -> Result<Config, ConfigError> {
    let here = here();
    fs::write(here.folder.path().join(CONFIG_FILE), text).unwrap();
    here.folder.read()
}

/// The words for a bad file: message and hint, which must name what they are about.
#[track_caller]
fn refused(text: &str, words: &[&str]) {
    let error = read(text).unwrap_err();
    let said = error.to_string();
    assert!(said.contains(CONFIG_FILE), "names the file: {said}");
    assert!(!error.hint().is_empty());
    for word in words {
        assert!(said.contains(word), "{word:?} is missing in: {said}");
    }
}

#[track_caller]
fn changed(from: &str, to: &str, words: &[&str]) {
    assert!(GOOD.contains(from), "{from}");
    refused(&GOOD.replacen(from, to, 1), words);
}

#[test]
fn a_good_file_is_read_and_written_back_the_same() {
    let here = here();
    let file = here.folder.path().join(CONFIG_FILE);
    fs::write(&file, GOOD).unwrap();
    let config = here.folder.read().unwrap();
    assert_eq!((config.owner.as_str(), config.mcp_state_saved), ("own_0123", true));
    assert_eq!((config.ui_port, config.mcp_port), (Some(4000), None));
    let source = &config.restored_sources()[0];
    assert_eq!((source.source.as_str(), source.added_at), ("src_1", Millis(7)));
    assert_eq!(source.location, SourceLocation::Sqlite { path: "/data/shop.db".into() });
    // The file is of a version that knew neither.
    assert_eq!((source.context.as_deref(), source.is_read_only), (None, false));
    here.folder.write(&config).unwrap();
    assert_eq!(here.folder.read().unwrap(), config);
}

#[test]
fn a_source_keeps_its_context_and_that_it_is_read_only() {
    let here = here();
    let source = |id: &str, context: Option<&str>, is_read_only| SavedSource {
        source: SourceId::new(id),
        name: "Shop".into(),
        alias: "SQLite source 1".into(),
        location: SourceLocation::Sqlite { path: "/data/shop.db".into() },
        context: context.map(Into::into),
        is_read_only,
        read_lock: ReadLock::Full,
        added_at: Millis(7),
    };
    let sources = [source("src_1", Some("sales"), true), source("src_2", None, false)];
    here.folder.write(&Config::fresh().unwrap().with_sources(&sources)).unwrap();
    let restored = here.folder.read().unwrap().restored_sources();
    let kept: Vec<_> =
        restored.iter().map(|source| (source.context.as_deref(), source.is_read_only)).collect();
    assert_eq!(kept, [(Some("sales"), true), (None, false)]);
    let text = fs::read_to_string(here.folder.path().join(CONFIG_FILE)).unwrap();
    assert_eq!((text.matches("context").count(), text.matches("read_only").count()), (1, 1));
    changed("\"added_at_ms\"", "\"read_only\": 1, \"added_at_ms\"", &["a boolean", "line 7"]);
    for context in ["", "a\\nb", &"x".repeat(81)] {
        let key = format!("\"context\": \"{context}\", \"added_at_ms\"");
        changed("\"added_at_ms\"", &key, &["sources[0].context"]);
    }
}

#[test]
fn a_server_is_kept_with_its_read_lock_and_without_any_secret() {
    let here = here();
    let location = SourceLocation::Postgres(ServerPlace {
        host: "db.example".into(),
        port: 5433,
        database: "shop".into(),
        user: "reader".into(),
    });
    let source = SavedSource {
        source: SourceId::new("src_1"),
        name: "Shop".into(),
        alias: "PostgreSQL source 1".into(),
        location: location.clone(),
        context: None,
        is_read_only: true,
        read_lock: ReadLock::Weak,
        added_at: Millis(7),
    };
    here.folder.write(&Config::fresh().unwrap().with_sources(&[source])).unwrap();
    let text = fs::read_to_string(here.folder.path().join(CONFIG_FILE)).unwrap();
    assert!(text.contains("\"postgres\"") && text.contains("\"weak\""), "{text}");
    assert!(!text.contains("password") && !text.contains("\"path\""), "{text}");
    let [restored] = &here.folder.read().unwrap().restored_sources()[..] else { panic!("{text}") };
    assert_eq!((&restored.location, restored.read_lock), (&location, ReadLock::Weak));
}

#[test]
fn every_engine_of_a_server_is_read_as_it_was_written() {
    for (word, location) in [
        ("mysql", SourceLocation::Mysql as fn(ServerPlace) -> SourceLocation),
        ("mariadb", SourceLocation::Mariadb),
    ] {
        let here = here();
        let location = location(ServerPlace {
            host: "db.example".into(),
            port: 3307,
            database: "shop".into(),
            user: "reader".into(),
        });
        let source = SavedSource {
            source: SourceId::new("src_1"),
            name: "Shop".into(),
            alias: "Source 1".into(),
            location: location.clone(),
            context: None,
            is_read_only: false,
            read_lock: ReadLock::Full,
            added_at: Millis(7),
        };
        here.folder.write(&Config::fresh().unwrap().with_sources(&[source])).unwrap();
        let text = fs::read_to_string(here.folder.path().join(CONFIG_FILE)).unwrap();
        assert!(text.contains(&format!("\"{word}\"")), "{text}");
        let [restored] = &here.folder.read().unwrap().restored_sources()[..] else {
            panic!("{text}")
        };
        assert_eq!(restored.location, location);
    }
}

#[test]
fn the_place_of_a_source_fits_its_engine() {
    let place = "\"engine\": \"sqlite\", \"path\": \"/data/shop.db\"";
    let server = |parts: &str| format!("\"engine\": \"postgres\", {parts}");
    let good = server("\"host\": \"/run/pg\", \"database\": \"shop\", \"user\": \"u\"");
    let config = read(&GOOD.replacen(place, &good, 1)).unwrap();
    let location = config.restored_sources()[0].location.clone();
    let SourceLocation::Postgres(found) = location else { panic!("it is a server") };
    assert_eq!(found.port, 5432);
    let full = "\"host\": \"h\", \"port\": 1, \"database\": \"d\", \"user\": \"u\"";
    for (parts, word) in [
        (server("\"database\": \"d\", \"user\": \"u\""), "sources[0].host"),
        (server("\"host\": \"h\", \"user\": \"u\""), "sources[0].database"),
        (server("\"host\": \"h\", \"database\": \"d\""), "sources[0].user"),
        (server(&full.replace("\"h\"", "\"a\\nb\"")), "sources[0].host"),
        (server(&full.replace('1', "0")), "sources[0].port"),
        (server(&full.replace('1', "65536")), "u16"),
        (server(&full.replace("\"d\"", "\"\"")), "sources[0].database"),
        (server(&format!("{full}, \"path\": \"/x\"")), "sources[0].path"),
        (server(&format!("{full}, \"password\": \"x\"")), "`password`"),
        (server(&format!("{full}, \"read_lock\": \"none\"")), "`none`"),
        (format!("{place}, \"host\": \"h\""), "sources[0].host"),
        (format!("{place}, \"user\": \"u\""), "sources[0].user"),
        ("\"engine\": \"sqlite\"".to_owned(), "sources[0].path"),
        (format!("\"engine\": \"mysql\", {full}, \"path\": \"/x\""), "sources[0].path"),
        (format!("\"engine\": \"mysql\", {full}, \"read_lock\": \"weak\""), "sources[0].read_lock"),
        (
            format!("\"engine\": \"mariadb\", {full}, \"read_lock\": \"weak\""),
            "sources[0].read_lock",
        ),
        (format!("\"engine\": \"mariadb\", {full}, \"context\": \"x\""), "sources[0].context"),
        (format!("\"engine\": \"oracle\", {full}"), "`oracle`"),
    ] {
        changed(place, &parts, &[word]);
    }
}

#[test]
fn a_new_folder_gets_an_owner_that_stays() {
    let here = here();
    let config = here.folder.read().unwrap();
    assert!(config.owner.starts_with("own_") && !config.mcp_state_saved);
    assert!(config.sources.is_empty());
    assert_eq!(here.folder.read().unwrap().owner, config.owner);
}

#[test]
fn an_unknown_key_anywhere_is_named_with_the_allowed_ones() {
    changed("\"owner\"", "\"token\": 1, \"owner\"", &["`token`", "`mcp_state_saved`", "line 3"]);
    changed("\"alias\"", "\"pass\": 1, \"alias\"", &["`pass`", "`added_at_ms`", "line 7"]);
}

#[test]
fn wrong_missing_and_repeated_values_are_named() {
    changed("true", "\"yes\"", &["\"yes\"", "a boolean", "line 4"]);
    changed("4000", "70000", &["70000", "u16"]);
    changed("\"sqlite\"", "\"oracle\"", &["`oracle`", "`sqlite`"]);
    changed("\"mcp_state_saved\": true,", "", &["`mcp_state_saved`", "missing"]);
    changed("\"owner\"", "\"owner\": \"x\", \"owner\"", &["`owner`", "duplicate"]);
    changed("\"version\": 1,", "", &["`version`", "missing"]);
    refused("[]", &["expected"]);
    refused("null", &["expected"]);
}

#[test]
fn values_that_cannot_be_used_are_named_by_their_place() {
    changed("own_0123", "own 0123", &["owner"]);
    changed("4000", "0", &["ui_port"]);
    changed("4000", "4000, \"mcp_port\": 4000", &["must differ"]);
    changed("/data/shop.db", "shop.db", &["sources[0].path", "absolute"]);
    changed("/data/shop.db", "/data\\u0000", &["sources[0].path"]);
    changed("/data/shop.db", &format!("/{}", "x".repeat(4096)), &["sources[0].path"]);
    changed("\"Shop\"", "\"\"", &["sources[0].name"]);
    changed("\"Shop\"", "\"a\\nb\"", &["sources[0].name"]);
    changed("SQLite source 1", &"x".repeat(81), &["sources[0].alias"]);
    changed("src_1", "../src", &["sources[0].id"]);
    let (start, end) = (GOOD.find("    {").unwrap(), GOOD.rfind("\n  ]").unwrap());
    let source = &GOOD[start..end];
    changed(source, &format!("{source},\n{source}"), &["sources[1].id", "src_1", "twice"]);
    let many: Vec<String> =
        (0..129).map(|n| source.replace("src_1", &format!("src_{n}"))).collect();
    changed(source, &many.join(","), &["129", "128"]);
}

#[test]
fn another_version_is_said_before_its_keys_are() {
    changed("\"version\": 1", "\"version\": 2, \"new\": 1", &["version 2", "version 1"]);
    changed("\"version\": 1", "\"version\": \"1\"", &["version \"1\""]);
}

#[test]
fn what_is_not_json_is_named_with_its_place() {
    refused("{\"version\": 1,\n oops}", &["not JSON", "line 2 column 2"]);
    refused("{\"version\": 1", &["not JSON", "line 1"]);
    refused(&format!("{GOOD} x"), &["not JSON", "line 10"]);
    refused("", &["is empty"]);
    refused(" \n", &["is empty"]);
    refused(&" ".repeat(4 * 1024 * 1024 + 1), &["longer than"]);
    let here = here();
    fs::write(here.folder.path().join(CONFIG_FILE), [0xFF, 0xFE]).unwrap();
    assert!(matches!(here.folder.read(), Err(ConfigError::Unreadable { .. })));
}

#[test]
fn a_folder_in_the_files_place_is_refused() {
    let here = here();
    fs::create_dir(here.folder.path().join(CONFIG_FILE)).unwrap();
    assert!(matches!(here.folder.read(), Err(ConfigError::NotAFile(_))));
}

#[test]
fn a_file_in_the_folders_place_is_refused() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("file");
    fs::write(&path, "").unwrap();
    assert!(matches!(Folder::open(&path), Err(ConfigError::NotAFolder(_))));
    assert!(matches!(Folder::open(&path.join("in")), Err(ConfigError::Folder { .. })));
}

#[test]
fn a_second_dbeast_is_refused_until_the_first_ends() {
    let here = here();
    let path = here.folder.path().to_owned();
    let error = Folder::open(&path).unwrap_err();
    assert!(matches!(error, ConfigError::FolderInUse(_)));
    assert!(error.to_string().contains("another DBeast") && error.hint().contains("--config-dir"));
    drop(here.folder);
    Folder::open(&path).unwrap();
    drop(here.temp);
}

#[test]
fn a_failed_write_leaves_the_old_file_as_it_was() {
    let here = here();
    let file = here.folder.path().join(CONFIG_FILE);
    fs::write(&file, GOOD).unwrap();
    // The place of the new file cannot be cleared.
    let blocked = here.folder.path().join("config.json.new");
    fs::create_dir_all(blocked.join("in")).unwrap();
    let error = here.folder.write(&Config::fresh().unwrap()).unwrap_err();
    assert!(matches!(error, ConfigError::NotWritten { .. }));
    assert_eq!(fs::read_to_string(&file).unwrap(), GOOD);
}

#[test]
fn a_file_left_by_a_crash_is_no_hindrance() {
    let here = here();
    let left = here.folder.path().join("config.json.new");
    fs::write(&left, "half").unwrap();
    here.folder.read().unwrap();
    assert!(!left.exists());
}

#[test]
fn any_number_of_sources_that_may_be_added_can_be_read_again() {
    let here = here();
    let path = format!("/{}", "\u{1}".repeat(4095));
    let source = |n: usize| SavedSource {
        source: SourceId::new(&format!("src_{n}")),
        name: "n".repeat(80).into(),
        alias: "é".repeat(80).into(),
        location: SourceLocation::Sqlite { path: path.as_str().into() },
        context: Some("c".repeat(80).into()),
        is_read_only: true,
        read_lock: ReadLock::Weak,
        added_at: Millis(u64::MAX),
    };
    let sources: Vec<SavedSource> = (0..128).map(source).collect();
    let config = Config::fresh().unwrap().with_sources(&sources);
    here.folder.write(&config).unwrap();
    assert_eq!(here.folder.read().unwrap(), config);
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn folder_and_file_are_for_their_owner_only() {
        let here = here();
        here.folder.read().unwrap();
        assert_eq!(mode(here.folder.path()), 0o700);
        for entry in here.folder.path().read_dir().unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), 0o600);
        }
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_refused_and_left_alone() {
        let temp = TempDir::new().unwrap();
        fs::set_permissions(temp.path(), PermissionsExt::from_mode(0o777)).unwrap();
        assert!(matches!(Folder::open(temp.path()), Err(ConfigError::FolderOpenToOthers(_))));
        assert_eq!(mode(temp.path()), 0o777);
        assert_eq!(temp.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_not_a_missing_file() {
        let here = here();
        symlink("/nowhere/at/all", here.folder.path().join(CONFIG_FILE)).unwrap();
        assert!(matches!(here.folder.read(), Err(ConfigError::Unreadable { .. })));
    }

    #[test]
    fn the_folder_has_one_name_whatever_way_leads_to_it() {
        let here = here();
        let path = here.folder.path().to_owned();
        let link = here.temp.path().join("link");
        symlink(&path, &link).unwrap();
        assert!(matches!(Folder::open(&link), Err(ConfigError::FolderInUse(_))));
        drop(here.folder);
        assert_eq!(Folder::open(&link).unwrap().path(), path);
    }
}
