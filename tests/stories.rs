//! The runner of stories refuses what does not hold, and the page that lists what the stories prove.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::similar_names,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod support;

use dbeast::reducer::invariants;
use std::fmt::Write as _;
use support::{story, transcript};

/// What `play` says of a story with these lines.
fn told(lines: &str) -> String {
    let text = format!("# A story\nBecause.\n\n{lines}");
    let told = story::parse(&text).and_then(|story| transcript::play(&story));
    told.err().unwrap_or_default()
}

#[test]
fn the_runner_refuses_a_story_that_does_not_hold() {
    let query = "claude queries shop\n    SELECT id FROM main.orders\n";
    let scene = format!("given claude works on shop: read\n{query}");
    for (lines, wrong) in [
        (scene.clone(), "t1 did not end"),
        (format!("{scene}shop answers 1 row\nexpect r1 is revoked\n"), "it is `completed`"),
        (format!("{scene}expect refused: session expired\n"), "it was not refused"),
        (format!("{scene}expect started: nothing\n"), "it is `r1`"),
        (format!("{scene}expect waiting t2\n"), "it is `t1`"),
        (format!("{scene}shop answers 1 row\nshop answers 1 row\n"), "has nothing to do"),
        ("given claude works on shop: write\n".to_owned(), "no level"),
        ("mallory begins a session\n".to_owned(), "nobody is called `mallory`"),
        ("dana dances the tango\n".to_owned(), "dana cannot `dances`"),
        ("clock 5m\n".repeat(26), "26 lines"),
    ] {
        let told = told(&lines);
        assert!(told.contains(wrong), "of {lines} it says: {told}");
    }
    assert_eq!(told(&format!("{scene}expect waiting t1\n")), "");
    assert!(story::parse("A story").is_err());
    assert!(story::parse("# A story\nBecause.\nproves: Z-9\n\nclock 1s\n").is_err());
}

/// `INVARIANTS.md` is written from the catalogue and the stories. `UPDATE_DOCS=1` writes it.
#[test]
fn the_page_of_invariants_is_the_catalogue() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/INVARIANTS.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == page, "INVARIANTS.md is stale: run this test with UPDATE_DOCS=1");
}

fn page() -> String {
    let mut page = "# What always holds

Written from `src/reducer/invariants` and the stories by `tests/stories.rs`; do not edit. The program checks
these after every event, and so do every story, every random history and the model checker.
"
    .to_owned();
    let stories: Vec<_> = story::stems(".story")
        .into_iter()
        .map(|stem| (story::load(&stem).unwrap(), stem))
        .collect();
    for entry in invariants::CATALOGUE {
        let _ = write!(page, "\n## {}\n\n{}\n\n", entry.id, entry.sentence);
        for (story, stem) in &stories {
            if story.proves.iter().any(|id| id == entry.id) {
                let _ = writeln!(page, "- [{}](tests/scenarios/{stem}.story)", story.title);
            }
        }
    }
    page
}
