//! What each line of a story does: *actor verb object*. One file per kind of actor.

mod agent;
mod block;
mod database;
mod document;
mod expect;
mod given;
mod person;
mod program;
mod restore;

use super::Told;
use super::story::Line;
use super::world::World;
use dbeast::events::{Audience, Level, TableLevel};
use dbeast::time::Duration;
use dbeast::value::TableName;

/// What kind of line it was.
pub(crate) enum Kind {
    /// Setting the scene; must succeed.
    Given,
    /// Something happened.
    Step,
    /// A point of the story that must hold.
    Expectation,
}

/// Plays one line.
pub(crate) fn play(world: &mut World, line: &Line) -> Told<Kind> {
    if let Some(wish) = line.text.strip_prefix("expect ") {
        expect::check(world, wish)?;
        return Ok(Kind::Expectation);
    }
    world.occurrences.clear();
    world.seen = None;
    if let Some(scene) = line.text.strip_prefix("given ") {
        given::set(world, scene)?;
        return Ok(Kind::Given);
    }
    let (actor, deed) = line.text.split_once(' ').ok_or("a line is: actor verb object")?;
    match actor {
        "clock" => program::clock(world, deed)?,
        "alarm" => program::alarm(world, deed)?,
        "dbeast" if deed == "restores" => restore::act(world, &line.block)?,
        "dbeast" => program::act(world, deed)?,
        "dana" => person::act(world, deed)?,
        "everybody" => {
            for name in world.agents.keys().cloned().collect::<Vec<_>>() {
                agent::act(world, &name, deed, &line.block)?;
            }
        }
        name if world.agents.contains_key(name) => agent::act(world, name, deed, &line.block)?,
        name if world.sources.contains_key(name) => database::act(world, name, deed)?,
        name if world.files.contains_key(name) => document::act(world, name, deed)?,
        name => return Err(format!("nobody is called `{name}`")),
    }
    Ok(Kind::Step)
}

/// `4 times` at the end of a deed.
fn times(deed: &str) -> (&str, usize) {
    let repeated = deed.strip_suffix(" times").and_then(|rest| rest.rsplit_once(' '));
    match repeated.and_then(|(rest, number)| Some((rest, number.parse().ok()?))) {
        Some((rest, number)) => (rest, number),
        None => (deed, 1),
    }
}

/// `ask`, `read`, `read_write` or `none`.
fn level(word: &str) -> Told<Option<Level>> {
    match word {
        "none" => Ok(None),
        "ask" => Ok(Some(Level::Ask)),
        "read" => Ok(Some(Level::Read)),
        "read_write" => Ok(Some(Level::ReadWrite)),
        _ => Err(format!("`{word}` is no level; there are none, ask, read and read_write")),
    }
}

/// `read`, `read_write` or `none`.
fn table_level(word: &str) -> Told<Option<TableLevel>> {
    match word {
        "none" => Ok(None),
        "read" => Ok(Some(TableLevel::Read)),
        "read_write" => Ok(Some(TableLevel::ReadWrite)),
        _ => Err(format!("`{word}` is no table level; there are none, read and read_write")),
    }
}

/// `main.orders`.
fn table_name(words: &str) -> Told<TableName> {
    let (schema, name) = split(words, ".")?;
    Ok(TableName { schema: schema.to_owned(), name: name.to_owned() })
}

/// `claude` or `all agents`.
fn audience(world: &World, word: &str) -> Told<Audience> {
    match word {
        "all agents" => Ok(Audience::AllAgents),
        name => Ok(Audience::Client(world.agent(name)?.id.clone())),
    }
}

/// `4m 59s 999ms`.
fn length(words: &str) -> Told<Duration> {
    let mut sum = 0;
    for word in words.split(' ') {
        let digits = word.trim_end_matches(|character: char| !character.is_ascii_digit());
        let number: u64 = digits.parse().map_err(|_| format!("`{word}` is no length of time"))?;
        sum += number
            * match &word[digits.len()..] {
                "ms" => 1,
                "s" => 1_000,
                "m" => 60_000,
                "h" => 3_600_000,
                unit => return Err(format!("`{unit}` is no unit of time")),
            };
    }
    Ok(Duration(sum))
}

/// The text between double quotes. A backslash begins an escape of JSON.
fn quoted(words: &str) -> Told<String> {
    let inner = words.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let inner = inner.ok_or_else(|| format!("`{words}` should stand in double quotes"))?;
    if inner.contains('\\') {
        serde_json::from_str(words).map_err(|error| format!("`{words}`: {error}"))
    } else {
        Ok(inner.to_owned())
    }
}

/// 64 hexadecimal digits.
fn digest(words: &str) -> Told<[u8; 32]> {
    let wrong = || format!("`{words}` should be 64 hexadecimal digits");
    let mut digest = [0; 32];
    if words.len() != 64 || !words.is_ascii() {
        return Err(wrong());
    }
    for (index, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&words[2 * index..2 * index + 2], 16).map_err(|_| wrong())?;
    }
    Ok(digest)
}

/// Splits at a word, or says what was missed.
fn split<'a>(words: &'a str, at: &str) -> Told<(&'a str, &'a str)> {
    words.split_once(at).ok_or_else(|| format!("`{words}` lacks `{}`", at.trim()))
}
