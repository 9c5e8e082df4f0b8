//! One event with what it led to, as a transcript shows it, and the sum of many.

use super::{changes, names, visible, words};
use crate::events::Envelope;
use crate::reducer::diff::{self, Kind};
use crate::reducer::{Answer, State, Step};
use crate::time::Millis;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One event with what it led to.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// The state in which it happened.
    pub before: State,
    /// The event.
    pub envelope: Envelope,
    /// What it led to.
    pub step: Step,
}

/// Writes one event with everything that it caused. `at` is where the reader already is: another
/// time is written out, as its distance from `start`.
pub fn write(text: &mut String, occurrence: &Occurrence, at: Millis, start: Millis) {
    let Occurrence { before, envelope, step } = occurrence;
    let when = if envelope.at == at {
        String::new()
    } else {
        format!(" at {}", words::offset(envelope.at, start))
    };
    let event = words::event(&envelope.event);
    let _ = writeln!(text, "    event    #{} {}{when}", envelope.seq, visible(&event));
    match &step.answer {
        Err(why) => {
            let _ = writeln!(text, "    refused  {}   hint: {}", words::refusal(why), why.hint());
        }
        Ok(Answer::Done) => {}
        Ok(answer) => {
            let _ = writeln!(text, "    answer   {}", visible(&words::answer(answer)));
        }
    }
    let changed = changes::between(before, &step.state, start);
    for change in &changed {
        let _ = writeln!(text, "    state    {}", visible(change));
    }
    for effect in &step.effects {
        let _ = writeln!(text, "    effect   {}", visible(&words::effect(effect, start)));
    }
    if changed.is_empty() && step.effects.is_empty() {
        let _ = writeln!(text, "    state    nothing changed");
    }
    let shown = ui(before, &step.state);
    if !shown.is_empty() {
        let _ = writeln!(text, "    ui       rev {}: {}", envelope.seq, visible(&shown.join(", ")));
    }
}

/// The places of the view that changed: `+` came, `-` went.
fn ui(before: &State, after: &State) -> Vec<String> {
    let words = diff::between(before, after).changes.into_iter().map(|change| match change.kind {
        Kind::Came(_) => format!("+{}", change.place),
        Kind::Changed(_) => change.place.to_string(),
        Kind::Went => format!("-{}", change.place),
    });
    words.collect()
}

/// Writes how many events, refusals and effects there were, and the counts before and after.
pub fn summary(text: &mut String, occurrences: &[Occurrence]) {
    let (Some(first), Some(last)) = (occurrences.first(), occurrences.last()) else {
        return;
    };
    let mut events: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut effects: BTreeMap<&str, usize> = BTreeMap::new();
    for Occurrence { envelope, step, .. } in occurrences {
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
