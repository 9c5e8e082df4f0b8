//! What the runner checks of every story, beyond its transcript.

use super::Told;
use super::world::{Life, World};
use dbeast::events::{Envelope, ServerEvent};
use dbeast::recorder::{self, Recorder, Replayed};
use dbeast::reducer::{Effect, State, Step, diff, invariants, read, reduce, view};
use dbeast::transcript::{Occurrence, words};
use serde_json::Value;

/// Stands in every cell of every result. Nothing but a hand-over may ever hold it.
pub(crate) const CELL_MARK: &str = "cell-of-a-result";

/// After each event: the invariants hold, a refusal changed nothing, and the slots are exactly
/// the work that goes on.
pub(crate) fn after_event(world: &World, occurrence: &Occurrence) -> Told<()> {
    let Occurrence { before, envelope, step } = occurrence;
    let event = words::event(&envelope.event);
    let broken = invariants::broken(before, &step.state);
    if !broken.is_empty() {
        return Err(format!("after {event}: {} broken", broken.join(", ")));
    }
    if step.answer.is_err() {
        refused_changes_nothing(before, envelope, &step.state, &step.effects)
            .map_err(|what| format!("{event} was refused and yet changed {what}"))?;
    }
    if !world.outstanding.keys().eq(step.state.tasks.keys()) {
        return Err(format!("after {event}: the slots are not the work that goes on"));
    }
    readings_are_released_properly(&step.state)
}

/// A refused event does what the mere passing of time would have done, and no more. Only the use
/// of the session and the activity list may know of it.
pub(crate) fn refused_changes_nothing(
    before: &State,
    envelope: &Envelope,
    after: &State,
    effects: &[Effect],
) -> Told<()> {
    let tick = Envelope { event: ServerEvent::TimePassed.into(), ..envelope.clone() };
    let passed = reduce(before, &tick);
    let bare = |state: &State| {
        let mut state = state.clone();
        state.activity = dbeast::reducer::state::Activity::default();
        state.counters.entry = 0;
        state.alarm = None;
        let ids: Vec<_> = state.sessions.keys().cloned().collect();
        for id in ids {
            if let Some(session) = state.sessions.get_mut(&id) {
                let session = std::sync::Arc::make_mut(session);
                session.last_used_at = session.began_at;
            }
        }
        state
    };
    let without_alarm = |effects: &[Effect]| -> Vec<Effect> {
        effects
            .iter()
            .filter(|effect| !matches!(effect, Effect::SetAlarm { .. }))
            .cloned()
            .collect()
    };
    if bare(after) != bare(&passed.state) {
        Err("the state".to_owned())
    } else if without_alarm(effects) != without_alarm(&passed.effects) {
        Err("the effects".to_owned())
    } else {
        Ok(())
    }
}

/// Nobody but the session that asked reads a request, and a result only while it is covered.
fn readings_are_released_properly(state: &State) -> Told<()> {
    for (id, request) in &state.requests {
        for session in state.sessions.values() {
            let is_own = session.client == request.client;
            let reading = read::request(state, &session.client, &session.token_hash, id, state.now);
            let is_read = reading.is_ok();
            let is_released = reading.is_ok_and(|reading| reading.result.is_some());
            if is_read != is_own {
                return Err(format!("{id} is read by the wrong session"));
            }
            if is_released && !state.covers(request) {
                return Err(format!("the result of {id} is released though nothing covers it"));
            }
        }
    }
    Ok(())
}

/// Folding the log from an empty state gives the same states, effects and answers.
pub(crate) fn replay(life: &Life) -> Told<()> {
    compare(&life.log, life).map_err(|seq| format!("a replay of the log differs at event {seq}"))
}

/// The log survives its wire form. Results leave it as digests and tokens as marks, so three
/// things are compared: the text of a second round-trip with that of the first; every state,
/// effect and answer of the fold of what was read with those of the story (a result equals its
/// digest, and the story's tokens are all mark, see `world::token`); and the text itself, which
/// holds no cell of any result.
pub(crate) fn wire(life: &Life, withheld: &[String]) -> Told<()> {
    let text = to_wire(&life.log);
    if text.contains(CELL_MARK) {
        return Err("the recorded log holds data of a result".to_owned());
    }
    if let Some(found) = withheld.iter().find(|words| text.contains(*words)) {
        return Err(format!("the recorded log holds a text that stays out of logs: {found}"));
    }
    let read: Vec<Envelope> = text
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}")))
        .collect::<Told<_>>()?;
    if to_wire(&read) != text {
        return Err("the wire form of the log that was read differs".to_owned());
    }
    compare(&read, life)
        .map_err(|seq| format!("a replay of the recorded log differs at event {seq}"))
}

/// The log goes through the file of the recorder: it is read without a complaint, every event leads
/// to what it had led to, and a second recording is the same file to the byte.
pub(crate) fn recording(life: &Life, withheld: &[String]) -> Told<()> {
    let file = file_of(life);
    if file != file_of(life) {
        return Err("two recordings of the same life differ".to_owned());
    }
    if file.contains(CELL_MARK) || withheld.iter().any(|text| file.contains(text)) {
        return Err("the recording holds data of a result, a document or a driver".to_owned());
    }
    let events = recorder::check(file.as_bytes()).map_err(|problem| problem.to_string())?;
    let mut shown = Vec::new();
    let replayed = recorder::replay(file.as_bytes(), |occurrence| {
        shown.push((occurrence.step.state.clone(), occurrence.step.effects.clone()));
    });
    match replayed.map_err(|problem| problem.to_string())? {
        Replayed::Same { .. } => {}
        Replayed::Differs { seq, line } => {
            return Err(format!("line {line}: event {seq} of the recording replays differently"));
        }
    }
    let lived: Vec<_> = life.states.iter().cloned().zip(life.effects.iter().cloned()).collect();
    if events != u64::try_from(life.log.len()).unwrap_or(u64::MAX) || shown != lived {
        return Err("the replay of the recording is another life".to_owned());
    }
    Ok(())
}

/// The file that the recorder makes of a life.
pub(crate) fn file_of(life: &Life) -> String {
    let mut recorder = Recorder::default();
    let mut before = State::default();
    for (index, envelope) in life.log.iter().enumerate() {
        let step = Step {
            state: life.states[index].clone(),
            effects: life.effects[index].clone(),
            answer: life.answers[index].clone(),
        };
        recorder.record(&before, envelope, &step);
        before = step.state;
    }
    recorder.recording().text()
}

fn to_wire(log: &[Envelope]) -> String {
    let line = |envelope| serde_json::to_string(envelope).expect("an event can be written") + "\n";
    log.iter().map(line).collect()
}

fn compare(log: &[Envelope], life: &Life) -> Result<(), u64> {
    let mut state = State::default();
    for (index, envelope) in log.iter().enumerate() {
        let step = reduce(&state, envelope);
        let is_same = step.state == life.states[index]
            && step.effects == life.effects[index]
            && step.answer == life.answers[index];
        if !is_same {
            return Err(envelope.seq);
        }
        state = step.state;
    }
    Ok(())
}

/// A page looks at no more states of a life than this: a view of full lists is expensive to compare
/// hundreds of times. Of a longer life it sees states at even distances, always the last one.
const STATES_SEEN_MAX: usize = 120;

/// However the changes of the view are grouped, forwards or backwards, applying them leads to each
/// view on the way, and nothing is said to have changed that is the same.
pub(crate) fn ui(life: &Life) -> Told<()> {
    let first = State::default();
    let every = life.states.len().div_ceil(STATES_SEEN_MAX).max(1);
    let seen = life.states.iter().rev().step_by(every).rev();
    let states: Vec<&State> = std::iter::once(&first).chain(seen).collect();
    let views: Vec<Value> = states.iter().map(|state| view_of(state)).collect();
    let last = views.len() - 1;
    for group in [1, 2, 3, 7, last.max(1)] {
        let mut shown = views[0].clone();
        let mut at = 0;
        while at < last {
            let to = (at + group).min(last);
            lead(states[at], &mut shown, states[to], &views[to])
                .map_err(|what| format!("changes {at} to {to} of the view: {what}"))?;
            at = to;
        }
        while group > 2 && at > 0 {
            let to = at.saturating_sub(group);
            lead(states[at], &mut shown, states[to], &views[to])
                .map_err(|what| format!("changes {at} back to {to} of the view: {what}"))?;
            at = to;
        }
    }
    let holds_data = views.iter().any(|view| view.to_string().contains(CELL_MARK));
    if holds_data { Err("the view holds data of a result".to_owned()) } else { Ok(()) }
}

/// The same from the end of each life to the end of the next, as if a page had missed the restart.
pub(crate) fn ui_across(lives: &[Life]) -> Told<()> {
    for pair in lives.windows(2) {
        if let (Some(one), Some(other)) = (pair[0].states.last(), pair[1].states.last()) {
            lead(one, &mut view_of(one), other, &view_of(other))
                .map_err(|what| format!("from one life to the next: {what}"))?;
        }
    }
    Ok(())
}

fn view_of(state: &State) -> Value {
    serde_json::to_value(view::project(state)).expect("a view can be written")
}

/// Applies the difference of two states to the view of the first.
fn lead(before: &State, shown: &mut Value, after: &State, view: &Value) -> Told<()> {
    let patch = serde_json::to_value(diff::between(before, after)).expect("a patch can be written");
    for operation in patch.as_array().into_iter().flatten() {
        let path = operation["path"].as_str().unwrap_or_default();
        let known = shown.pointer(path);
        let fits = match operation["op"].as_str() {
            Some("add") => known.is_none(),
            Some("replace") => known.is_some_and(|known| *known != operation["value"]),
            Some("remove") => known.is_some(),
            Some(_) | None => false,
        };
        if !fits {
            return Err(format!("{operation} changes nothing, or what is not there"));
        }
    }
    let patch: json_patch::Patch = serde_json::from_value(patch).map_err(|e| e.to_string())?;
    json_patch::patch(shown, &patch).map_err(|error| error.to_string())?;
    for (map, entries) in view.as_object().into_iter().flatten() {
        if shown[map] != *entries {
            return Err(format!("they do not lead to its {map}: {} {}", shown[map], entries));
        }
    }
    Ok(())
}
