//! The ways of a status: R-4.

use super::damage::{Case, becomes, breaks, holds, request, session};
use super::history::Moment::{Asks, Buries, Still};
use super::history::Pair;
use dbeast::ids::RequestId;
use dbeast::reducer::state::{Problem, Status, Tombstone};

pub(crate) const CASES: &[Case] = &[
    breaks("what was denied waits again", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "denied", Status::Pending);
    }),
    breaks("what was denied is completed", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "denied", Status::Completed);
    }),
    breaks("what was denied is revoked", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "denied", Status::Revoked);
    }),
    breaks("what was cancelled is completed after all", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "stopped", Status::Completed);
    }),
    breaks("what failed ended unknown", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "failed", Status::OutcomeUnknown);
    }),
    breaks("what waits had a result, three moves away", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::ResultExpired);
    }),
    breaks("a read that waits ends unknown", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::OutcomeUnknown);
    }),
    breaks("a read that runs ends unknown", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "read", Status::OutcomeUnknown);
    }),
    breaks("a read that runs loses a result that took effect", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "read", Status::CompletedResultRevoked);
    }),
    breaks("what runs is denied", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "read", Status::Denied);
    }),
    breaks("what runs waits again", Still, &["G-1", "R-4"], |pair| {
        becomes(&mut pair.after, "read", Status::Pending);
    }),
    breaks("a completed read is said to have taken effect", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "done", Status::CompletedResultRevoked);
    }),
    breaks("a completed read fails", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "done", Status::Failed);
    }),
    breaks("a completed write is said not to have taken effect", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "written", Status::Revoked);
    }),
    breaks("a completed write ends unknown", Still, &["R-4"], |pair| {
        becomes(&mut pair.after, "written", Status::OutcomeUnknown);
    }),
    holds("what waits is denied", Still, |pair| {
        becomes(&mut pair.after, "waiting", Status::Denied);
    }),
    holds("what waits starts and is completed in one step", Still, |pair| {
        becomes(&mut pair.after, "waiting", Status::Completed);
    }),
    holds("what waits starts and fails in one step", Still, |pair| {
        becomes(&mut pair.after, "waiting", Status::Failed);
    }),
    holds("what runs is completed and its time is over in one step", Still, |pair| {
        becomes(&mut pair.after, "read", Status::ResultExpired);
    }),
    holds("a completed read is revoked", Still, |pair| {
        becomes(&mut pair.after, "done", Status::Revoked);
    }),
    holds("a completed write loses its result", Still, |pair| {
        becomes(&mut pair.after, "written", Status::CompletedResultRevoked);
    }),
    holds("a request is new and revoked at once", Asks, |pair| {
        becomes(&mut pair.after, "waiting", Status::Revoked);
    }),
    breaks("a request is new and completed", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::Completed);
    }),
    breaks("a request is new and failed", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::Failed);
    }),
    breaks("a request is new and denied", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::Denied);
    }),
    breaks("a request is new and cancelled", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::Cancelled);
    }),
    breaks("a request is new and expired", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::Expired);
    }),
    breaks("a request is new and unknown", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::OutcomeUnknown);
    }),
    breaks("a request is new and has lost its result", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::CompletedResultRevoked);
    }),
    breaks("a request is new and had a result", Asks, &["R-4"], |pair| {
        becomes(&mut pair.after, "waiting", Status::ResultExpired);
    }),
    breaks("another request of the same name is over at once", Still, &["R-4"], |pair| {
        request(&mut pair.before, "denied").order += 100;
    }),
    breaks("what had a result is buried as denied", Buries, &["R-4"], |pair| {
        tombstone(pair, "old").status = Status::Denied;
    }),
    breaks("what had a result is buried as one that waits", Buries, &["R-4"], |pair| {
        tombstone(pair, "old").status = Status::Pending;
    }),
    holds("what had a result is buried as revoked", Buries, |pair| {
        tombstone(pair, "old").status = Status::Revoked;
    }),
    breaks("the status of a tombstone changes", Still, &["R-4"], |pair| {
        tombstone(pair, "old").status = Status::Denied;
    }),
    breaks("the problem of a tombstone changes", Still, &["R-4"], |pair| {
        tombstone(pair, "old").problem = Some(Problem::Revoked);
    }),
    breaks("a tombstone goes away", Still, &["R-4"], |pair| {
        session(&mut pair.after, 1).tombstones.remove(&RequestId::new("old"));
    }),
    breaks("a tombstone was one of another status", Still, &["R-4"], |pair| {
        let old = Tombstone { status: Status::Denied, problem: None };
        session(&mut pair.before, 1).tombstones.insert(RequestId::new("old"), old);
    }),
];

fn tombstone<'a>(pair: &'a mut Pair, id: &str) -> &'a mut Tombstone {
    let stones = &mut session(&mut pair.after, 1).tombstones;
    stones.get_mut(&RequestId::new(id)).expect("a tombstone")
}
