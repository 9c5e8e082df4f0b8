//! Statements that may write: W-1, W-2.

use super::damage::{
    Case, becomes, breaks, holds, remove_request, request, share_of, source, task_id, task_of,
    uncover,
};
use super::history::Moment::{Sends, StartsShared, Still};
use super::history::{Pair, client, query};
use dbeast::events::{Audience, Level, Target};
use dbeast::ids::{FileId, RequestId, SourceGeneration, SourceId, TaskId};
use dbeast::reducer::state::{Authorisation, Status, Tombstone};
use std::sync::Arc;

pub(crate) const CASES: &[Case] = &[
    breaks("a sent statement is not sent any more", Still, &["W-1"], |pair| {
        task_of(&mut pair.after, "write").is_sent = false;
    }),
    breaks("a read is sent like a write", Still, &["W-1"], |pair| {
        pair.both(|state| task_of(state, "read").is_sent = true);
    }),
    breaks("a write is sent in the step in which it starts", StartsShared, &["W-1"], |pair| {
        task_of(&mut pair.after, "write").is_sent = true;
    }),
    breaks("a write is sent and nobody knows its request", Sends, &["W-1"], |pair| {
        pair.both(|state| remove_request(state, "write"));
    }),
    breaks("a write is sent by a task that is not its own", Sends, &["R-2", "W-1"], |pair| {
        pair.both(|state| request(state, "write").task = Some(TaskId(99)));
    }),
    breaks("a write is sent after its request was taken back", Sends, &["W-1"], |pair| {
        becomes(&mut pair.after, "write", Status::Cancelled);
    }),
    breaks("a write of a document is sent", Sends, &["W-1"], |pair| {
        pair.both(|state| {
            let file = FileId::new("notes");
            let version = state.documents[&file].version;
            let request = request(state, "write");
            request.target = Target::Document { file, version };
            request.authorisation = Some(Authorisation::Once);
        });
    }),
    breaks("a write is sent to a database that is gone", Sends, &["R-6", "W-1"], |pair| {
        pair.both(|state| {
            let (source, generation) = (SourceId::new("gone"), SourceGeneration(1));
            request(state, "write").target = Target::Source { source, generation };
        });
    }),
    breaks("a write is sent to a read-only database", Sends, &["R-6", "W-1"], |pair| {
        source(&mut pair.after, "orders").is_read_only = true;
    }),
    breaks("a covered read is sent like a write, read-only", Sends, &["R-2", "W-1"], |pair| {
        source(&mut pair.after, "orders").is_read_only = true;
        pair.both(|state| {
            becomes(state, "written", Status::CompletedResultRevoked);
            request(state, "write").operation = query("items");
        });
    }),
    breaks("a write is sent on another configuration", Sends, &["R-6", "W-1"], |pair| {
        pair.both(|state| uncover(state, "write"));
    }),
    breaks("a write is sent when its level is gone", Sends, &["R-6", "W-1"], |pair| {
        let audience = Audience::Client(client(2));
        share_of(&mut pair.after, "orders", audience).level = Level::Read;
    }),
    breaks("a sent task appears from nowhere", Still, &["K-2", "T-3", "W-1"], |pair| {
        let number = task_id(&pair.before, "write");
        pair.before.tasks.remove(&number);
    }),
    holds("a write that was sent before is not covered any more but over", Still, |pair| {
        becomes(&mut pair.after, "write", Status::OutcomeUnknown);
        pair.both(|state| uncover(state, "write"));
    }),
    breaks("a sent write is cancelled", Still, &["W-2"], |pair| {
        becomes(&mut pair.after, "write", Status::Cancelled);
    }),
    breaks("a sent write expires", Still, &["W-2"], |pair| {
        becomes(&mut pair.after, "write", Status::Expired);
    }),
    breaks("a sent write is revoked", Still, &["W-2"], |pair| {
        becomes(&mut pair.after, "write", Status::Revoked);
    }),
    breaks("a sent write is denied", Still, &["R-4", "W-2"], |pair| {
        becomes(&mut pair.after, "write", Status::Denied);
    }),
    breaks("a sent write had a result", Still, &["W-2"], |pair| {
        becomes(&mut pair.after, "write", Status::ResultExpired);
    }),
    breaks("a sent write waits again", Still, &["R-4", "W-2", "T-5"], |pair| {
        becomes(&mut pair.after, "write", Status::Pending);
        let number = task_id(&pair.after, "write");
        pair.after.tasks.remove(&number);
    }),
    holds("a sent write is completed", Still, |pair| ends(pair, Status::Completed)),
    holds("a sent write loses its result", Still, |pair| {
        ends(pair, Status::CompletedResultRevoked);
    }),
    holds("a sent write fails", Still, |pair| ends(pair, Status::Failed)),
    holds("a sent write ends unknown", Still, |pair| ends(pair, Status::OutcomeUnknown)),
    breaks("a sent write goes without a trace", Still, &["R-4"], |pair| {
        remove_request(&mut pair.after, "write");
    }),
    breaks("a sent write is buried as cancelled", Still, &["W-2"], |pair| {
        bury(pair, Status::Cancelled);
    }),
    holds("a sent write is buried as unknown", Still, |pair| {
        bury(pair, Status::OutcomeUnknown);
    }),
    breaks("a sent write is buried as if it still ran", Still, &["R-4"], |pair| {
        bury(pair, Status::Running);
    }),
    holds("a write that was not sent is cancelled", StartsShared, |pair| {
        pair.before = pair.after.clone();
        becomes(&mut pair.after, "write", Status::Cancelled);
    }),
    holds("a read is cancelled", Still, |pair| {
        becomes(&mut pair.after, "read", Status::Cancelled);
    }),
    holds("a sent write was unknown before and stays so", Still, |pair| {
        pair.both(|state| becomes(state, "write", Status::OutcomeUnknown));
    }),
    holds("the request of a sent write was over before and is gone", Still, |pair| {
        pair.both(|state| becomes(state, "write", Status::Cancelled));
    }),
];

fn ends(pair: &mut Pair, status: Status) {
    becomes(&mut pair.after, "write", status);
}

/// The sent write is over and its time too, in one step.
fn bury(pair: &mut Pair, status: Status) {
    let owner = request(&mut pair.after, "write").session.clone();
    remove_request(&mut pair.after, "write");
    let session = pair.after.sessions.get_mut(&owner).expect("a session");
    let stone = Tombstone { status, problem: None };
    Arc::make_mut(session).tombstones.insert(RequestId::new("write"), stone);
}
