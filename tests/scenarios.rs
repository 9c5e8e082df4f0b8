//! One test per story: its transcript, and everything that must hold of every story.
//!
//! `cargo test --test scenarios revok` runs the stories with `revok` in their path.
//! `tests/scenarios/README.md` is the reference of the language.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::similar_names,
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a test stops at the first surprise, and the harness hands texts over"
)]

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use support::story::Story;
use support::world::World;
use support::{Told, coverage, story, transcript};

fn tells_its_story(path: &Path, text: String) -> datatest_stable::Result<()> {
    let story = story::parse(&text)?;
    let stem = path.file_stem().ok_or("a story has a name")?.to_string_lossy().into_owned();
    if stem != story::slug(&story.title) {
        return Err(format!("the file should be called `{}`", story::slug(&story.title)).into());
    }
    let (transcript, world) = transcript::play(&story)?;
    if !is_only_transcripts() {
        holds_beyond_its_transcript(&story, &transcript, &world)?;
    }
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(path.parent().ok_or("a story is in a folder")?.canonicalize()?);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_input_file(path);
    settings.set_description(&story.title);
    settings.bind(|| insta::assert_snapshot!(stem.as_str(), transcript));
    Ok(())
}

/// Played twice it goes one way, and its lives replay, are recorded and are shown as they were.
fn holds_beyond_its_transcript(story: &Story, told: &str, world: &World) -> Told<()> {
    transcript::check(world)?;
    let (again, _) = transcript::play(story)?;
    if told == again { Ok(()) } else { Err("played twice, the story goes two ways".to_owned()) }
}

/// `scripts/mutants.sh` asks each mutant first whether any transcript changes, which takes a second, and
/// everything else only of those that no transcript notices.
fn is_only_transcripts() -> bool {
    std::env::var_os("DBEAST_ONLY_TRANSCRIPTS").is_some()
}

/// The list of variants that no story reaches must be exact, so that it only changes knowingly.
fn lists_what_no_story_reaches(_: &Path, text: String) -> datatest_stable::Result<()> {
    let mut reached = BTreeSet::new();
    let mut proven = BTreeSet::new();
    for stem in story::stems(".story") {
        let story = story::load(&stem)?;
        let (_, world) = transcript::play(&story).map_err(|error| format!("{stem}: {error}"))?;
        reached.extend(coverage::reached(&world)?);
        proven.extend(story.proves.into_iter().map(|id| format!("invariant {id}")));
    }
    let invariants = dbeast::reducer::invariants::CATALOGUE;
    let mut all = coverage::all();
    all.extend(invariants.iter().map(|entry| format!("invariant {}", entry.id)));
    reached.extend(proven);
    let missing: BTreeSet<String> = all.difference(&reached).cloned().collect();
    let listed: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("- "))
        .map(|line| {
            let named = line.strip_prefix('`').and_then(|line| line.split_once("`: "));
            named
                .map(|(name, _)| name.to_owned())
                .ok_or_else(|| format!("write - `name`: why, not {line}"))
        })
        .collect::<Told<_>>()?;
    if missing != listed {
        let unlisted: Vec<_> = missing.difference(&listed).collect();
        let stale: Vec<_> = listed.difference(&missing).collect();
        return Err(format!(
            "reached by no story, not listed: {unlisted:?}; listed, but reached: {stale:?}"
        )
        .into());
    }
    Ok(())
}

datatest_stable::harness! {
    { test = tells_its_story, root = "tests/scenarios", pattern = r"\.story$" },
    { test = lists_what_no_story_reaches, root = "tests/scenarios", pattern = r"^NOT_YET_REACHED\.md$" },
}
