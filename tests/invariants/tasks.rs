//! Slots, the alarm and free slots: T-1 to T-5.

use super::damage::{
    Case, add_task, becomes, breaks, holds, remove_request, request, ring, session, task_id,
    task_of,
};
use super::history::Moment::{StartsLater, StartsShared, Still};
use super::history::{Pair, session_id};
use dbeast::ids::{RequestId, TaskId};
use dbeast::reducer::State;
use dbeast::reducer::limits::{RETENTION, SESSION_IDLE};
use dbeast::reducer::state::{Authorisation, Status};
use dbeast::time::Millis;

pub(crate) const CASES: &[Case] = &[
    holds("four tasks of four sessions hold slots", Still, |pair| {
        pair.both(|state| add_task(state, 50, 4));
    }),
    breaks("five tasks of five sessions hold slots", Still, &["T-1"], |pair| {
        pair.both(|state| (4..=5).for_each(|owner| add_task(state, 50 + u64::from(owner), owner)));
    }),
    breaks("a session has a second task", Still, &["T-1"], |pair| {
        pair.both(|state| add_task(state, 50, 3));
    }),
    breaks("no alarm is set", Still, &["T-2", "T-4"], |pair| {
        pair.after.alarm = None;
    }),
    breaks("the alarm rings a millisecond late", Still, &["T-2", "T-4"], |pair| {
        pair.after.alarm = Some(Millis(alarm(&pair.after).0 + 1));
    }),
    breaks("the alarm rings a millisecond early", Still, &["T-4"], |pair| {
        pair.after.alarm = Some(Millis(alarm(&pair.after).0 - 1));
    }),
    breaks("the alarm is set and nothing is due", Still, &["T-4"], |pair| {
        pair.after = State { alarm: pair.after.alarm, ..State::default() };
        pair.before = State::default();
    }),
    breaks("the alarm rings after what waits expires", Still, &["T-2", "T-4"], |pair| {
        let at = Millis(alarm(&pair.after).0 - 1);
        pair.both(|state| request(state, "waiting").expires_at = at);
    }),
    breaks("the alarm rings after a request was kept", Still, &["T-2", "T-4"], |pair| {
        let at = Millis(alarm(&pair.after).0 - 1 - RETENTION.0);
        pair.both(|state| request(state, "denied").finished_at = Some(at));
    }),
    breaks("the alarm rings after a session is over", Still, &["T-2", "T-4"], |pair| {
        let at = Millis(alarm(&pair.after).0 - 1 - SESSION_IDLE.0);
        pair.both(|state| session(state, 4).last_used_at = at);
    }),
    breaks("the alarm rings after the time of a task", Still, &["T-2", "T-4"], |pair| {
        let at = Millis(alarm(&pair.after).0 - 1);
        pair.both(|state| task_of(state, "read").deadline_at = at);
    }),
    holds("the alarm rings exactly as what waits expires", Still, |pair| {
        let at = alarm(&pair.after);
        pair.both(|state| request(state, "waiting").expires_at = at);
    }),
    holds("the alarm rings exactly when a request was kept", Still, |pair| {
        let at = Millis(alarm(&pair.after).0 - RETENTION.0);
        pair.both(|state| request(state, "denied").finished_at = Some(at));
    }),
    holds("the alarm rings exactly as a session is over", Still, |pair| {
        let at = Millis(alarm(&pair.after).0 - SESSION_IDLE.0);
        pair.both(|state| session(state, 4).last_used_at = at);
    }),
    holds("what runs cannot expire undecided", Still, |pair| {
        pair.both(|state| request(state, "read").expires_at = Millis(1));
    }),
    holds("a task that was told to stop has no deadline", Still, |pair| {
        pair.both(|state| task_of(state, "stopped").deadline_at = Millis(1));
    }),
    breaks("two slots are freed at once", Still, &["T-3"], |pair| {
        add_task(&mut pair.before, 50, 4);
        remove_task(&mut pair.after, "stopped");
    }),
    holds("one slot is freed", Still, |pair| remove_task(&mut pair.after, "stopped")),
    breaks("a task is for another request than before", Still, &["T-3"], |pair| {
        task_of(&mut pair.after, "stopped").request = RequestId::new("denied");
    }),
    breaks("a task holds the slot of another session", Still, &["T-3"], |pair| {
        task_of(&mut pair.after, "stopped").session = session_id(4);
    }),
    breaks("a task gets more time", Still, &["T-3"], |pair| {
        task_of(&mut pair.after, "stopped").deadline_at.0 += 1;
    }),
    breaks("a task that was told to stop goes on", Still, &["T-3"], |pair| {
        task_of(&mut pair.after, "stopped").is_cancelling = false;
        ring(&mut pair.after);
    }),
    holds("a task is told to stop", Still, |pair| {
        becomes(&mut pair.after, "read", Status::Cancelled);
    }),
    holds("a task takes the next number", Still, |pair| takes(pair, 50, 51, 51)),
    breaks("a task takes the newest number again", Still, &["T-3"], |pair| {
        takes(pair, 50, 50, 50);
    }),
    breaks("a task takes an old number", Still, &["T-3"], |pair| takes(pair, 50, 51, 49)),
    breaks("a task takes a number that was not counted", Still, &["T-3"], |pair| {
        takes(pair, 50, 51, 52);
    }),
    breaks("a task starts and nobody counts it", StartsShared, &["T-3"], |pair| {
        pair.after.counters.task = pair.before.counters.task;
    }),
    breaks("what is allowed waits beside its free slot", Still, &["T-5"], |pair| {
        pair.both(|state| {
            remove_task(state, "read");
            remove_request(state, "read");
        });
    }),
    breaks("what standing access covers waits beside a free slot", Still, &["T-5"], |pair| {
        pair.both(covers_undecided);
    }),
    holds("what is allowed waits while all slots are held by others", Still, |pair| {
        pair.both(|state| {
            covers_undecided(state);
            add_task(state, 50, 9);
        });
    }),
    breaks("what is allowed waits beside three tasks of others", Still, &["T-5"], |pair| {
        pair.both(|state| {
            covers_undecided(state);
            remove_task(state, "stopped");
            add_task(state, 50, 9);
        });
    }),
    breaks("a slot is free and what waited for it waits on", StartsLater, &["T-5"], |pair| {
        remove_task(&mut pair.after, "allowed");
        let before = pair.before.requests[&RequestId::new("allowed")].clone();
        pair.after.requests.insert(RequestId::new("allowed"), before);
        pair.after.grants = pair.before.grants.clone();
        ring(&mut pair.after);
    }),
];

fn alarm(state: &State) -> Millis {
    state.alarm.expect("something has a deadline")
}

fn remove_task(state: &mut State, id: &str) {
    let number = task_id(state, id);
    state.tasks.remove(&number);
    ring(state);
}

/// From one count to another, a task under this number.
fn takes(pair: &mut Pair, from: u64, to: u64, number: u64) {
    (pair.before.counters.task, pair.after.counters.task) = (TaskId(from), TaskId(to));
    add_task(&mut pair.after, number, 4);
}

fn covers_undecided(state: &mut State) {
    request(state, "undecided").authorisation = Some(Authorisation::SharedAccess);
    let audience = dbeast::events::Audience::AllAgents;
    super::damage::share_of(state, "orders", audience).level = dbeast::events::Level::Read;
}
