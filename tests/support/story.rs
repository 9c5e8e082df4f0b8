//! One `.story` file: title, why, what it proves, and lines with their blocks.

use super::Told;
use dbeast::reducer::invariants::CATALOGUE;
use std::path::{Path, PathBuf};

/// Lines that a story may have, `given` and `expect` included. Longer means two stories.
pub(crate) const STEPS_MAX: usize = 25;

/// Lines that a story may have if it was written from a recording: nobody is asked to read all of it.
pub(crate) const RECORDED_LINES_MAX: usize = 2_000;

/// One story as written.
pub(crate) struct Story {
    pub(crate) title: String,
    /// Two or three sentences of why.
    pub(crate) why: Vec<String>,
    /// Ids of invariants.
    pub(crate) proves: Vec<String>,
    pub(crate) lines: Vec<Line>,
    /// How many events it must have, if it was written from a recording.
    pub(crate) recorded: Option<usize>,
}

/// One line of a story.
pub(crate) struct Line {
    /// Where it stands in the file, from 1.
    pub(crate) number: usize,
    pub(crate) text: String,
    /// The indented lines below it.
    pub(crate) block: Vec<String>,
}

/// Reads a story and checks its form.
pub(crate) fn parse(text: &str) -> Told<Story> {
    let mut lines = text.lines().enumerate();
    let title = lines
        .next()
        .and_then(|(_, line)| line.strip_prefix("# "))
        .ok_or("the first line must be `# Title`")?;
    let mut story = Story {
        title: title.to_owned(),
        why: Vec::new(),
        proves: Vec::new(),
        lines: Vec::new(),
        recorded: None,
    };
    for (_, line) in lines.by_ref().take_while(|(_, line)| !line.is_empty()) {
        if let Some(ids) = line.strip_prefix("proves: ") {
            story.proves.extend(ids.split(", ").map(str::to_owned));
        } else if let Some(number) = line.strip_prefix("recorded: ") {
            let number = number.strip_suffix(" events").and_then(|number| number.parse().ok());
            story.recorded = Some(number.ok_or("write `recorded: 37 events`")?);
        } else {
            story.why.push(line.to_owned());
        }
    }
    for (index, line) in lines {
        if line.is_empty() {
            continue;
        }
        match line.strip_prefix("    ") {
            Some(content) => {
                let owner = story.lines.last_mut().ok_or("a block needs a line above it")?;
                owner.block.push(content.to_owned());
            }
            None => story.lines.push(Line {
                number: index + 1,
                text: line.to_owned(),
                block: Vec::new(),
            }),
        }
    }
    check_form(&story)?;
    Ok(story)
}

fn check_form(story: &Story) -> Told<()> {
    if story.why.is_empty() {
        return Err("two or three sentences of why must follow the title".to_owned());
    }
    let most = if story.recorded.is_some() { RECORDED_LINES_MAX } else { STEPS_MAX };
    if story.lines.is_empty() || story.lines.len() > most {
        return Err(format!("{} lines; a story has 1 to {most}", story.lines.len()));
    }
    let unknown = story.proves.iter().find(|id| CATALOGUE.iter().all(|entry| entry.id != **id));
    match unknown {
        Some(id) => Err(format!("proves `{id}`, which is not in the catalogue of invariants")),
        None => Ok(()),
    }
}

/// The file name that a title asks for.
pub(crate) fn slug(title: &str) -> String {
    let plain: String = title.chars().filter(|character| *character != '\'').collect();
    let words = plain.split(|character: char| !character.is_ascii_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join("_")
}

/// The folder of all stories.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

/// Every file below the stories' folder with this ending, in order, as `area/stem`.
pub(crate) fn stems(ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    for area in entries(&root()).into_iter().filter(|path| path.is_dir()) {
        for file in entries(&area) {
            let name = file.strip_prefix(root()).expect("below the root").to_string_lossy();
            if let Some(stem) = name.strip_suffix(ending) {
                found.push(stem.replace('\\', "/"));
            }
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).expect("the stories' folder can be read");
    let mut paths: Vec<_> = read.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Reads one story by `area/stem`.
pub(crate) fn load(stem: &str) -> Told<Story> {
    let path = root().join(format!("{stem}.story"));
    let text = std::fs::read_to_string(path).map_err(|error| format!("{stem}: {error}"))?;
    parse(&text).map_err(|error| format!("{stem}: {error}"))
}
