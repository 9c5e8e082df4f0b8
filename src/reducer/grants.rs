//! One-time grants: given → used or dropped. A grant covers exactly one request and is used up in the
//! same step in which that request starts (contract, "Approval and execution").

use super::Next;
use super::state::{Grant, remove_where};
use crate::ids::RequestId;

/// Gives a grant for one request.
pub(super) fn give_once(next: &mut Next, request: &RequestId) {
    next.state.counters.grant = next.state.counters.grant.next();
    let grant = Grant { request: request.clone(), granted_at: next.now };
    next.state.grants.insert(next.state.counters.grant, grant);
}

/// Uses up the grant of a request. False if there is none (any more): then nothing may start.
pub(super) fn consume(next: &mut Next, request: &RequestId) -> bool {
    let before = next.state.grants.len();
    drop_of(next, request);
    next.state.grants.len() < before
}

/// Drops the unused grant of a request that will not start.
pub(super) fn drop_of(next: &mut Next, request: &RequestId) {
    remove_where(&mut next.state.grants, |_, grant| grant.request == *request);
}
