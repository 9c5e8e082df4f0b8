//! The repository checks itself: who knows whom, sizes, pages, stories, paths.
//!
//! The rules are in `tidy/rules.rs`, the reading of sources in `tidy/imports.rs`. The last tests
//! check the checker.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::similar_names,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod tidy {
    pub(crate) mod imports;
    pub(crate) mod rules;
}

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tidy::imports::{self, Found, Reach};
use tidy::rules::{self, Row};

/// Nothing of ours is below these.
const SKIPPED: &[&str] = &["target", "node_modules", ".git", "dist", ".venv", "__pycache__"];

#[test]
fn nobody_knows_whom_they_should_not() {
    let externals = externals();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let found = imports::read(&text, &imports::module_of(&path), &externals);
        match found {
            Ok(found) => wrong.extend(judge(&path, &found)),
            Err(error) => wrong.push(format!("{path}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_is_for_and_stays_short() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if !text.starts_with("//! ") {
            wrong.push(format!("{path}: the first line must be `//! …`"));
        }
        let lines = text.lines().count();
        if lines > rules::FILE_LINES_MAX {
            wrong.push(format!("{path}: {lines} lines, at most {}", rules::FILE_LINES_MAX));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_stay_short() {
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for (path, text) in sources() {
        let Ok(found) = imports::read(&text, &imports::module_of(&path), &[]) else { continue };
        for function in found.lengths {
            let listed = rules::LONG_FUNCTIONS
                .iter()
                .find(|(place, name, _)| *place == path && *name == function.name);
            seen.extend(listed.filter(|_| function.lines > rules::FUNCTION_LINES_MAX));
            let most = listed.map_or(rules::FUNCTION_LINES_MAX, |(_, _, lines)| *lines);
            if function.lines > most {
                let (line, name, lines) = (function.line, function.name, function.lines);
                wrong.push(format!("{path}:{line}: `{name}` has {lines} lines, at most {most}"));
            }
        }
    }
    let stale = rules::LONG_FUNCTIONS.iter().filter(|listed| !seen.contains(listed));
    wrong.extend(stale.map(|(path, name, _)| format!("{path}: `{name}` is short; unlist it")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_pages_for_newcomers_exist() {
    let missing: Vec<_> = rules::PAGES.iter().filter(|page| !root().join(page).is_file()).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

#[test]
fn each_story_is_listed_and_has_its_transcript() {
    let readme = std::fs::read_to_string(root().join("tests/scenarios/README.md")).unwrap();
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut listed: Vec<_> = links.filter_map(|link| link.strip_suffix(".story")).collect();
    assert_eq!(listed.first(), Some(&"requests/a_read_query_from_hello_to_rows"));
    listed.sort_unstable();
    let of_kind = |ending: &str| -> Vec<String> {
        let files = files(&root().join("tests/scenarios"));
        let names = files.iter().map(|path| relative(path).replace("tests/scenarios/", ""));
        let mut stems: Vec<_> =
            names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect();
        stems.sort();
        stems
    };
    let twice: Vec<_> = listed.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "listed twice in tests/scenarios/README.md: {twice:?}");
    let (stories, transcripts) = (of_kind(".story"), of_kind(".snap"));
    let (here, there) = difference(&stories, &listed);
    assert!(here.is_empty(), "not listed in tests/scenarios/README.md: {here:?}");
    assert!(there.is_empty(), "listed, and no such story: {there:?}");
    let (here, there) = difference(&stories, &transcripts);
    assert!(here.is_empty(), "without a transcript (INSTA_UPDATE=always makes it): {here:?}");
    assert!(there.is_empty(), "a transcript without its story: {there:?}");
}

/// What is only in the one, and only in the other.
fn difference<'a, T: AsRef<str>>(
    one: &'a [String],
    other: &'a [T],
) -> (Vec<&'a str>, Vec<&'a str>) {
    let one: BTreeSet<&str> = one.iter().map(AsRef::as_ref).collect();
    let other: BTreeSet<&str> = other.iter().map(AsRef::as_ref).collect();
    (one.difference(&other).copied().collect(), other.difference(&one).copied().collect())
}

/// A state holds results; it leaves only as a checkpoint of the recorder, which strips them.
#[test]
fn the_state_is_written_only_as_a_checkpoint() {
    let mut is_found = false;
    for (path, text) in sources() {
        if let Some((above, _)) = text.split_once("pub struct State {") {
            let attributes = above.rsplit("\n\n").next().unwrap_or_default();
            assert!(
                !attributes.contains("serialize") && !attributes.contains("Serialize"),
                "{path}"
            );
            is_found = true;
        }
        let writes = ["for State {", "for crate::reducer::State {"];
        let is_own = path == "src/recorder/checkpoint.rs";
        let writes_it = text.lines().any(|line| {
            line.contains("Serialize") && writes.iter().any(|target| line.ends_with(target))
        });
        assert!(!writes_it, "{path}: the state is not serialisable");
        let names_it = text.contains("checkpoint::") && !path.starts_with("src/recorder/");
        assert!(is_own || !names_it, "{path}: only the recorder knows its checkpoints");
    }
    assert!(is_found, "there is no state");
    let recorder = std::fs::read_to_string(root().join("src/recorder/mod.rs")).unwrap();
    assert!(recorder.contains("\nmod checkpoint;"), "checkpoints are the recorder's own");
}

#[test]
fn no_file_names_a_place_of_one_machine() {
    let mut wrong = Vec::new();
    for path in files(root()) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for (index, line) in text.lines().enumerate() {
            if rules::MACHINE_PATHS.iter().any(|place| line.contains(place)) {
                wrong.push(format!("{}:{}: {}", relative(&path), index + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a file's reaches.
fn judge(path: &str, found: &Found) -> Vec<String> {
    let Some(row) = rules::TABLE.iter().find(|row| path.starts_with(row.place)) else {
        return vec![format!("{path}: has no row in the table of tests/tidy/rules.rs")];
    };
    let wrong = found.reaches.iter().filter_map(|reach| {
        let why = behind_a_door(path, reach).or_else(|| outside_its_row(path, row, reach))?;
        Some(format!("{path}:{}: `{}`: {why}", reach.line, reach.path))
    });
    wrong.collect()
}

fn behind_a_door(path: &str, reach: &Reach) -> Option<String> {
    let (_, doors) = rules::ONE_DOOR.iter().find(|(thing, _)| is_below(&reach.path, thing))?;
    let is_door = doors.iter().any(|door| path.starts_with(door));
    (!is_door).then(|| format!("only {doors:?} may"))
}

fn outside_its_row(path: &str, row: &Row, reach: &Reach) -> Option<String> {
    let all = |list: &[&str]| list == rules::ANYWHERE;
    let segments: Vec<&str> = reach.path.split("::").collect();
    let own = imports::module_of(path);
    let own = own.split("::").nth(1).unwrap_or_default();
    let is_allowed = match segments.as_slice() {
        ["crate"] => all(row.modules),
        ["crate", module, ..] => {
            path == "src/lib.rs"
                || *module == own
                || all(row.modules)
                || row.modules.contains(module)
        }
        ["std" | "core" | "alloc", ..] => {
            let as_std = reach.path.replacen("core", "std", 1).replacen("alloc", "std", 1);
            row.std.iter().any(|allowed| is_below(&as_std, allowed))
        }
        // Only their one door counts.
        ["include!" | "#[path]"] | [] => true,
        [other, ..] => all(row.crates) || row.crates.contains(other),
    };
    (!is_allowed).then(|| format!("{} may not know it", row.place))
}

/// Whether a path is this one or one below it.
fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// The sources of the program, without those that are only there for tests.
fn sources() -> Vec<(String, String)> {
    let paths = files(&root().join("src")).into_iter().filter(|path| {
        let name = relative(path);
        let is_test = name.contains("/tests/") || name.ends_with("/tests.rs");
        path.extension().is_some_and(|ending| ending == "rs") && !is_test
    });
    paths.map(|path| (relative(&path), std::fs::read_to_string(&path).unwrap())).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let is_skipped = SKIPPED.contains(&entry.file_name().to_string_lossy().as_ref());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && !is_skipped {
            found.extend(files(&entry.path()));
        } else if kind.is_file() && !is_skipped {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// The rows of the page that says which story proves which rule: each names at least one, and each
/// that it names is there under its own title.
#[test]
fn every_rule_about_state_has_its_story() {
    let page = std::fs::read_to_string(root().join("docs/contract.md")).unwrap();
    let (_, table) = page.split_once("\n## Every rule about state\n").unwrap();
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in table.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if cells[0] == "the rule" || cells[0].starts_with("---") {
            continue;
        }
        rows += 1;
        let [rule, proofs] = cells[..] else {
            wrong.push(format!("not two cells: {line}"));
            continue;
        };
        let stories: Vec<(&str, &str)> = proofs
            .split("](../")
            .zip(proofs.split("](../").skip(1))
            .filter_map(|(title, path)| Some((title.rsplit_once('[')?.1, path.split_once(')')?.0)))
            .collect();
        if rule.is_empty() || stories.is_empty() {
            wrong.push(format!("no story for: {rule}"));
        }
        for (title, path) in stories {
            let story = std::fs::read_to_string(root().join(path)).unwrap_or_default();
            if story.lines().next() != Some(&format!("# {title}")) {
                wrong.push(format!("{rule}: `{path}` is not the story `{title}`"));
            }
        }
    }
    assert!(rows > 100, "only {rows} rows were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The crates that a path can start with: what `Cargo.toml` names, and the standard library.
fn externals() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut is_dependencies = false;
    let mut names: Vec<String> = ["std", "core", "alloc"].map(str::to_owned).to_vec();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_dependencies = line.contains("dependencies");
        } else if let Some((name, _)) = line.split_once(" = ").filter(|_| is_dependencies) {
            names.push(name.replace('-', "_"));
        }
    }
    names
}

/// What the checker says of a text at a place.
fn said(path: &str, text: &str) -> Vec<String> {
    let found = imports::read(text, &imports::module_of(path), &externals()).unwrap();
    judge(path, &found)
}

#[test]
fn the_checker_sees_every_way_to_a_clock() {
    let ways = [
        "use std::time::Instant;",
        "use std::{fmt, time::{Duration, Instant}};",
        "fn f() { let _ = std::time::Instant::now(); }",
        "fn f() { let _ = ::std::time::Instant::now(); }",
        "use std as s; fn f() { let _ = s::time::Instant::now(); }",
        "use std::time; fn f() { let _ = time::Instant::now(); }",
        "use std::time::*;",
        "use std::time::{self as t};",
        "use std::*;",
        "use ::std::time::SystemTime;",
        "extern crate std; ",
        "extern crate std as s;",
        "mod inner { mod more { use std::time::Instant; } }",
        "fn f() { use std::time::Instant; }",
        "fn f() { assert!(std::time::Instant::now() > x); }",
        "macro_rules! now { () => { ::std::time::Instant::now() } }",
        "struct S { at: Option<std::time::Instant> }",
        "fn f() -> impl Into<std::time::SystemTime> { x }",
        "#[cfg(not(test))] mod inner { use std::time::Instant; }",
        "pub use std::time::Instant as Moment;",
    ];
    for way in ways {
        assert!(!said("src/reducer/mod.rs", way).is_empty(), "not seen: {way}");
        assert!(!said("src/events/sessions.rs", way).is_empty(), "not seen: {way}");
    }
}

#[test]
fn the_checker_sees_every_way_out_of_the_pure_part() {
    let ways = [
        "use tokio::sync::mpsc;",
        "fn f() { tokio::spawn(x); }",
        "#[tokio::test] fn f() {}",
        "use axum as a;",
        "use {rmcp::model, serde::Serialize};",
        "use rusqlite::Connection;",
        "use sqlparser::ast::*;",
        "fn f() { tracing::info!(\"x\"); }",
        "fn f() { std::thread::spawn(x); }",
        "fn f() { std::env::var(\"HOME\"); }",
        "fn f() { std::fs::read(x); }",
        "use std::collections::BTreeMap; use std::net::TcpStream;",
        "use std::sync::Mutex;",
        "fn f() { getrandom::fill(x); }",
        "use crate::store::Store;",
        "use crate::{events::Event, http::app};",
        "use super::super::effects::clock;",
        "fn f() { crate::drivers::open(x); }",
        "use crate as everything;",
        "use crate::*;",
        "use crate::{self as everything};",
        "mod inner { use super::super::super::http; }",
        "fn f() { include!(\"other.rs\"); }",
        "#[path = \"../http/mod.rs\"] mod other;",
        "#[derive(schemars::JsonSchema)] struct S;",
    ];
    for way in ways {
        assert!(!said("src/reducer/requests.rs", way).is_empty(), "not seen: {way}");
    }
}

#[test]
fn the_checker_keeps_the_parts_apart() {
    let wrong = [
        ("src/drivers/sqlite/connect.rs", "use crate::reducer::Effect;"),
        ("src/drivers/sqlite/connect.rs", "use crate::events::Event;"),
        ("src/drivers/sqlite/connect.rs", "use crate::http::app;"),
        ("src/drivers/sqlite/connect.rs", "use crate::sql::verify;"),
        ("src/drivers/sqlite/connect.rs", "use super::super::super::effects::query;"),
        ("src/http/mcp/mod.rs", "use crate::drivers::Driver;"),
        ("src/http/mcp/mod.rs", "use rusqlite::Connection;"),
        ("src/http/mcp/mod.rs", "fn f() { std::time::Instant::now(); }"),
        ("src/http/mcp/mod.rs", "fn f() { getrandom::fill(x); }"),
        ("src/sql/parse.rs", "use crate::drivers::Driver;"),
        ("src/sql/parse.rs", "use rusqlite::Connection;"),
        ("src/sql/parse.rs", "use std::fs;"),
        ("src/effects/query.rs", "use axum::Router;"),
        ("src/effects/query.rs", "use crate::http::app;"),
        ("src/effects/query.rs", "use std::time::SystemTime;"),
        ("src/store.rs", "use crate::effects::query;"),
        ("src/somewhere_new.rs", "use std::fmt;"),
    ];
    for (path, text) in wrong {
        assert!(!said(path, text).is_empty(), "not seen in {path}: {text}");
    }
}

#[test]
fn the_checker_lets_the_rest_be() {
    let fine = [
        ("src/reducer/requests.rs", "use super::{Next, tasks}; use crate::events::Level;"),
        ("src/reducer/requests.rs", "use std::{fmt, sync::Arc}; use std::collections::BTreeSet;"),
        ("src/reducer/requests.rs", "#[cfg(test)] mod tests { use std::time::Instant; }"),
        ("src/reducer/requests.rs", "fn f() { let tokio = 1; g(tokio); Status::Pending; }"),
        ("src/reducer/mod.rs", "mod tasks; use tasks::start;"),
        ("src/events/result.rs", "fn f() { write!(f, \"{} {}\", bytes, http); }"),
        ("src/reducer/view.rs", "/// std::time::Instant\nfn f() { g(\"std::time::Instant\"); }"),
        ("src/effects/clock.rs", "use std::time::SystemTime;"),
        ("src/effects/ids.rs", "fn f() { getrandom::fill(x); }"),
        ("src/cli/serve.rs", "use axum::Router; use crate::drivers::Driver; use crate as all;"),
        ("src/http/mcp/mod.rs", "use http::StatusCode; use rmcp::model; use crate::sql::verify;"),
    ];
    for (path, text) in fine {
        assert_eq!(said(path, text), Vec::<String>::new(), "in {path}: {text}");
    }
}

#[test]
fn the_checker_counts_lines() {
    let text =
        "fn a() {\n\n}\nimpl S {\n    /// Doc.\n    fn b(\n        x: u8,\n    ) {\n    }\n}\n";
    let found = imports::read(text, "crate::x", &[]).unwrap();
    let lengths: Vec<_> =
        found.lengths.iter().map(|found| (found.name.as_str(), found.line, found.lines)).collect();
    assert_eq!(lengths, [("a", 1, 3), ("b", 6, 4)]);
}
