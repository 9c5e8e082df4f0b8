//! The transcript of a story: what each line caused, and the checks at the end.

use super::story::{Line, Story};
use super::world::{Occurrence, World};
use super::{Told, changes, checks, names, verbs, words};
use dbeast::reducer::invariants::CATALOGUE;
use dbeast::reducer::{diff, view};
use dbeast::time::Millis;
use std::collections::BTreeMap;
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
        checks::wire(life)?;
        checks::ui(life)?;
    }
    Ok(())
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
        return summary(text, world);
    }
    for occurrence in &world.occurrences {
        let envelope = &occurrence.envelope;
        let _ = writeln!(text, "    event    #{} {}", envelope.seq, words::event(&envelope.event));
    }
}

fn step(text: &mut String, world: &World, number: usize, at: Millis, line: &Line) {
    let _ = writeln!(text, "\n{number:<2} {:<10} {}", words::offset(at), line.text);
    if let Some(seen) = &world.seen {
        let _ = writeln!(text, "    seen     {seen}");
    }
    let changes: usize = world
        .occurrences
        .iter()
        .map(|occurrence| changes::between(&occurrence.before, &occurrence.step.state).len())
        .sum();
    if world.occurrences.len() > EVENTS_SHOWN_MAX || changes > CHANGES_SHOWN_MAX {
        return summary(text, world);
    }
    for occurrence in &world.occurrences {
        happened(text, occurrence, at);
    }
}

fn happened(text: &mut String, occurrence: &Occurrence, line_at: Millis) {
    let Occurrence { before, envelope, step } = occurrence;
    let when = if envelope.at == line_at {
        String::new()
    } else {
        format!(" at {}", words::offset(envelope.at))
    };
    let _ =
        writeln!(text, "    event    #{} {}{when}", envelope.seq, words::event(&envelope.event));
    match &step.answer {
        Err(why) => {
            let _ = writeln!(text, "    refused  {}   hint: {}", words::refusal(why), why.hint());
        }
        Ok(dbeast::reducer::Answer::Done) => {}
        Ok(answer) => {
            let _ = writeln!(text, "    answer   {}", words::answer(answer));
        }
    }
    let changed = changes::between(before, &step.state);
    for change in &changed {
        let _ = writeln!(text, "    state    {change}");
    }
    for effect in &step.effects {
        let _ = writeln!(text, "    effect   {}", words::effect(effect));
    }
    if changed.is_empty() && step.effects.is_empty() {
        let _ = writeln!(text, "    state    nothing changed");
    }
    let shown = ui(before, &step.state);
    if !shown.is_empty() {
        let _ = writeln!(text, "    ui       rev {}: {}", envelope.seq, shown.join(", "));
    }
}

/// The paths of the view that changed: `+` came, `-` went.
fn ui(before: &dbeast::reducer::State, after: &dbeast::reducer::State) -> Vec<String> {
    let value = |state| diff::to_value(&view::project(state));
    let patch = diff::between(&value(before), &value(after));
    let path = |path: &json_patch::jsonptr::PointerBuf| {
        let tokens = path.tokens().map(|token| {
            let token = token.decoded().into_owned();
            token.parse::<u64>().map_or(token, |number| number.to_string())
        });
        tokens.collect::<Vec<_>>().join(".")
    };
    let words = patch.0.iter().map(|operation| match operation {
        json_patch::PatchOperation::Add(add) => format!("+{}", path(&add.path)),
        json_patch::PatchOperation::Remove(remove) => format!("-{}", path(&remove.path)),
        json_patch::PatchOperation::Replace(replace) => path(&replace.path),
        json_patch::PatchOperation::Move(other) => format!(">{}", path(&other.path)),
        json_patch::PatchOperation::Copy(other) => format!("+{}", path(&other.path)),
        json_patch::PatchOperation::Test(other) => format!("?{}", path(&other.path)),
    });
    words.collect()
}

fn summary(text: &mut String, world: &World) {
    let (Some(first), Some(last)) = (world.occurrences.first(), world.occurrences.last()) else {
        return;
    };
    let mut events: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut effects: BTreeMap<&str, usize> = BTreeMap::new();
    for Occurrence { envelope, step, .. } in &world.occurrences {
        *events.entry(names::event(&envelope.event)).or_default() += 1;
        if let Err(why) = &step.answer {
            *refusals.entry(words::refusal(why)).or_default() += 1;
        }
        for effect in &step.effects {
            *effects.entry(names::effect(effect)).or_default() += 1;
        }
    }
    let (from, to) = (first.envelope.seq, last.envelope.seq);
    let range = if from == to { format!("#{from}") } else { format!("#{from} to #{to}") };
    let _ = writeln!(text, "    events   {range}: {}", tally(&events));
    for (why, number) in &refusals {
        let _ = writeln!(text, "    refused  {why} ({number} times)");
    }
    let _ = writeln!(text, "    state    {}", changes::counts(&first.before));
    let _ = writeln!(text, "          -> {}", changes::counts(&last.step.state));
    if !effects.is_empty() {
        let _ = writeln!(text, "    effects  {}", tally(&effects).replace("effect ", ""));
    }
}

fn tally(counts: &BTreeMap<&str, usize>) -> String {
    let words: Vec<String> =
        counts.iter().map(|(name, number)| format!("{number} {name}")).collect();
    words.join(", ")
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
