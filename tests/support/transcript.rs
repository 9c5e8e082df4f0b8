//! The transcript of a story: what each line caused, and the checks at the end.

use super::story::{Line, Story};
use super::world::World;
use super::{Told, checks, verbs};
use dbeast::reducer::invariants::CATALOGUE;
use dbeast::time::Millis;
use dbeast::transcript::{changes, happening, words};
use std::fmt::Write as _;

/// A line that led to more events than this is summed up.
const EVENTS_SHOWN_MAX: usize = 6;
/// So is one that changed more things than this.
const CHANGES_SHOWN_MAX: usize = 24;

/// Plays a story. Gives its transcript and the world at its end. The last line of the transcript
/// holds only if [`check`] passes as well, which the runner sees to.
pub(crate) fn play(story: &Story) -> Told<(String, World)> {
    let mut world = World::new();
    let mut text = heading(story);
    let mut number = 0;
    for line in &story.lines {
        let at = world.now;
        let kind = verbs::play(&mut world, line)
            .map_err(|error| format!("line {}: `{}`: {error}", line.number, line.text))?;
        match kind {
            verbs::Kind::Given => {
                let _ = writeln!(text, "\n{}", line.text);
                given(&mut text, &world);
            }
            verbs::Kind::Step => {
                number += 1;
                step(&mut text, &world, number, at, line);
            }
            verbs::Kind::Expectation => {
                let expected = line.text.strip_prefix("expect ").unwrap_or(&line.text);
                let _ = writeln!(text, "    expected {expected}");
            }
        }
    }
    ending(&mut text, story, &world)?;
    Ok((text, world))
}

/// The checks that need a whole story.
pub(crate) fn check(world: &World) -> Told<()> {
    for life in &world.lives {
        checks::replay(life)?;
        checks::wire(life, &world.withheld)?;
        checks::recording(life, &world.withheld)?;
        checks::ui(life)?;
    }
    checks::ui_across(&world.lives)
}

fn heading(story: &Story) -> String {
    let mut text = format!("# {}\n{}\n", story.title, story.why.join("\n"));
    for id in &story.proves {
        let sentence = CATALOGUE.iter().find(|entry| entry.id == id).map(|entry| entry.sentence);
        let _ = writeln!(text, "proves {id}: {}", sentence.unwrap_or_default());
    }
    text
}

fn given(text: &mut String, world: &World) {
    if world.occurrences.len() > EVENTS_SHOWN_MAX {
        return happening::summary(text, &world.occurrences);
    }
    for occurrence in &world.occurrences {
        let envelope = &occurrence.envelope;
        let _ = writeln!(text, "    event    #{} {}", envelope.seq, words::event(&envelope.event));
    }
}

fn step(text: &mut String, world: &World, number: usize, at: Millis, line: &Line) {
    let _ = writeln!(text, "\n{number:<2} {:<10} {}", words::offset(at, words::START), line.text);
    if let Some(seen) = &world.seen {
        let _ = writeln!(text, "    seen     {seen}");
    }
    let changes: usize = world
        .occurrences
        .iter()
        .map(|occurrence| {
            changes::between(&occurrence.before, &occurrence.step.state, words::START).len()
        })
        .sum();
    if world.occurrences.len() > EVENTS_SHOWN_MAX || changes > CHANGES_SHOWN_MAX {
        return happening::summary(text, &world.occurrences);
    }
    for occurrence in &world.occurrences {
        happening::write(text, occurrence, at, words::START);
    }
}

fn ending(text: &mut String, story: &Story, world: &World) -> Told<()> {
    let expects_waiting =
        story.lines.last().is_some_and(|line| line.text.starts_with("expect waiting "));
    let waiting: Vec<String> = world.outstanding.keys().map(ToString::to_string).collect();
    if !expects_waiting && !waiting.is_empty() {
        return Err(format!(
            "{} did not end; finish the work or end with `expect waiting …`",
            waiting.join(", ")
        ));
    }
    let events: usize = world.lives.iter().map(|life| life.log.len()).sum();
    if let Some(recorded) = story.recorded.filter(|recorded| *recorded != events) {
        return Err(format!("{recorded} events were recorded, but the story has {events}"));
    }
    let waiting =
        if waiting.is_empty() { "no task is outstanding".to_owned() } else { waiting.join(", ") };
    let _ = writeln!(text, "\nend");
    let _ = writeln!(text, "    state    {}", changes::counts(&world.state));
    let _ = writeln!(text, "    waiting  {waiting}");
    let _ = writeln!(
        text,
        "    checked  {events} events, {} invariants, replay equal, ui equal",
        CATALOGUE.len()
    );
    Ok(())
}
