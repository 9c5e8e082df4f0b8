//! Keys: K-1, K-2.

use super::damage::{
    Case, add_key, add_request_like, add_session, add_task, becomes, breaks, holds, remove_request,
    request, session, task_id,
};
use super::history::Moment::{StartsShared, Still};
use super::history::{Pair, session_id};
use dbeast::events::ArgumentsDigest;
use dbeast::ids::{RequestId, RequestKey, TaskId};
use dbeast::reducer::State;
use dbeast::reducer::state::{Reservation, Status};
use std::sync::Arc;

pub(crate) const CASES: &[Case] = &[
    breaks("the key of a tombstone goes away", Still, &["K-1"], |pair| {
        session(&mut pair.after, 1).keys.remove(&RequestKey::new("old"));
    }),
    breaks("the key of a request goes away", Still, &["K-1"], |pair| {
        session(&mut pair.after, 1).keys.remove(&RequestKey::new("done"));
    }),
    breaks("a key is for other arguments than before", Still, &["K-1"], |pair| {
        reserved(pair, "done").digest = ArgumentsDigest([9; 32]);
    }),
    breaks("a key is for another request than before", Still, &["K-1"], |pair| {
        reserved(pair, "old").request = RequestId::new("another");
    }),
    breaks("a request never had a key", Still, &["K-1"], |pair| {
        pair.both(|state| {
            session(state, 1).keys.remove(&RequestKey::new("done"));
        });
    }),
    breaks("the key of a request is one of another session", Still, &["K-1"], |pair| {
        pair.both(|state| {
            session(state, 1).keys.remove(&RequestKey::new("done"));
            add_key(state, 2, "done", "done");
        });
    }),
    holds("a key is added", Still, |pair| {
        add_key(&mut pair.after, 1, "more", "gone");
    }),
    holds("a session ends with its keys", Still, |pair| {
        add_session(&mut pair.before, 5);
        add_key(&mut pair.before, 5, "more", "gone");
    }),
    breaks("two keys made one request", Still, &["K-2"], |pair| {
        pair.both(|state| add_key(state, 1, "more", "done"));
    }),
    breaks("two keys made one request that is gone", Still, &["K-2"], |pair| {
        pair.both(|state| add_key(state, 1, "more", "old"));
    }),
    holds("two sessions have one key", Still, |pair| {
        pair.both(|state| add_key(state, 1, "undecided", "gone"));
    }),
    breaks("what was denied gets a task", Still, &["K-2"], |pair| {
        gets_a_task(&mut pair.after, "denied");
    }),
    breaks("what is completed gets a task", Still, &["K-2"], |pair| {
        gets_a_task(&mut pair.after, "written");
    }),
    breaks("what runs gets a second task", Still, &["K-2"], |pair| {
        gets_a_task(&mut pair.after, "read");
    }),
    holds("what waits gets a task that is told to stop", Still, |pair| {
        gets_a_task(&mut pair.after, "undecided");
    }),
    holds("another request of the same name was over", StartsShared, |pair| {
        add_request_like(&mut pair.before, "written", 2, "write");
        session(&mut pair.before, 2).keys.remove(&RequestKey::new("write"));
        request(&mut pair.before, "write").order = 1;
    }),
    breaks("a request that was over runs by a new task", StartsShared, &["R-4", "K-2"], |pair| {
        let number = task_id(&pair.after, "write");
        let mut over: State = pair.after.clone();
        over.tasks.remove(&number);
        becomes(&mut over, "write", Status::Denied);
        let old = Arc::clone(&over.requests[&RequestId::new("write")]);
        pair.before.requests.insert(RequestId::new("write"), old);
    }),
    breaks("a request goes as its task comes", Still, &["R-4"], |pair| {
        gets_a_task(&mut pair.after, "undecided");
        remove_request(&mut pair.after, "undecided");
    }),
];

fn reserved<'a>(pair: &'a mut Pair, key: &str) -> &'a mut Reservation {
    let keys = &mut session(&mut pair.after, 1).keys;
    keys.get_mut(&RequestKey::new(key)).expect("a key")
}

/// The next task is for this request, in the slot of the fourth session.
fn gets_a_task(state: &mut State, id: &str) {
    state.counters.task = state.counters.task.next();
    let TaskId(number) = state.counters.task;
    add_task(state, number, 4);
    let task = state.tasks.get_mut(&TaskId(number)).expect("it is new");
    task.request = RequestId::new(id);
    assert_eq!(task.session, session_id(4));
}
