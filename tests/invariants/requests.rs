//! Requests.

use super::damage::{
    Case, add_request_like, add_session, becomes, breaks, holds, is_once, is_table, remove_grant,
    request, ring, share_of, task_of, uncover,
};
use super::history::Moment::{Asks, Still};
use super::history::{Pair, body, client, query, session_id, source_target};
use dbeast::events::{Audience, Level, Operation, VerifiedWrite, WithheldText, WriteEstimate};
use dbeast::ids::{FileId, RequestId, TaskId};
use dbeast::reducer::State;
use dbeast::reducer::state::{Authorisation, Problem, Status};
use dbeast::value::TableName;
use std::sync::Arc;

/// A waiting write of one table with this estimate.
fn estimated(state: &mut State, rows: Option<u64>) {
    let write = VerifiedWrite {
        sql: "DELETE FROM \"main\".\"orders\"".into(),
        table: TableName { schema: "main".into(), name: "orders".into() },
        columns: Vec::new(),
        touches_all_rows: true,
    };
    let waiting = request(state, "waiting");
    let sql = "delete from main.orders".into();
    waiting.operation = Operation::RequestSql { sql, write: Some(Arc::new(write)) };
    waiting.estimate = rows.map(estimate);
}

fn estimate(rows: u64) -> WriteEstimate {
    WriteEstimate { rows: Some(rows), plan: WithheldText::new("SCAN orders".into(), [4; 32]) }
}

pub(crate) const CASES: &[Case] = &[
    breaks("a read has an estimate", Still, &["R-8"], |pair| {
        request(&mut pair.after, "waiting").estimate = Some(estimate(1));
    }),
    breaks("a write that runs has an estimate", Still, &["R-8"], |pair| {
        pair.both(|state| request(state, "write").estimate = Some(estimate(1)));
    }),
    holds("a waiting write has an estimate", Still, |pair| {
        pair.both(|state| estimated(state, Some(1)));
    }),
    holds("an estimate comes", Still, |pair| {
        estimated(&mut pair.before, None);
        estimated(&mut pair.after, Some(1));
    }),
    breaks("an estimate becomes another one", Still, &["R-8"], |pair| {
        estimated(&mut pair.before, Some(1));
        estimated(&mut pair.after, Some(2));
    }),
    breaks("an estimate is lost while its write waits", Still, &["R-8"], |pair| {
        estimated(&mut pair.before, Some(1));
        estimated(&mut pair.after, None);
    }),
    breaks("a request is of no session", Still, &["R-1", "K-1"], |pair| {
        pair.both(|state| request(state, "denied").session = session_id(9));
    }),
    breaks("a request is of the session of another", Still, &["R-1"], |pair| {
        pair.both(|state| request(state, "denied").client = client(2));
    }),
    breaks("a request runs by a task that is gone", Still, &["R-2"], |pair| {
        pair.both(|state| request(state, "read").task = Some(TaskId(99)));
    }),
    breaks("a request runs by no task", Still, &["R-2"], |pair| {
        pair.both(|state| request(state, "read").task = None);
    }),
    breaks("a request runs by the task of another", Still, &["R-2"], |pair| {
        pair.both(|state| task_of(state, "write").request = RequestId::new("written"));
    }),
    breaks("a request runs by a task that was told to stop", Still, &["R-2"], |pair| {
        pair.both(|state| {
            task_of(state, "read").is_cancelling = true;
            ring(state);
        });
    }),
    breaks("a request runs in the slot of another session", Still, &["R-2"], |pair| {
        pair.both(|state| task_of(state, "write").session = session_id(9));
    }),
    breaks("a read runs as a write", Still, &["R-2"], |pair| {
        pair.both(|state| task_of(state, "read").may_write = true);
    }),
    breaks("what waits has a task", Still, &["R-2"], |pair| {
        pair.both(|state| request(state, "waiting").task = request(state, "read").task);
    }),
    breaks("what is over has a task", Still, &["R-2"], |pair| {
        pair.both(|state| request(state, "denied").task = request(state, "read").task);
    }),
    breaks("what is over names a task that is gone", Still, &["R-2"], |pair| {
        pair.both(|state| request(state, "denied").task = Some(TaskId(99)));
    }),
    breaks("what is completed has no result", Still, &["R-3"], |pair| {
        request(&mut pair.after, "done").result = None;
    }),
    breaks("what is completed has a problem", Still, &["R-3"], |pair| {
        request(&mut pair.after, "done").problem = Some(Problem::Revoked);
    }),
    breaks("what is completed has no time of its end", Still, &["R-3"], |pair| {
        request(&mut pair.after, "done").finished_at = None;
        ring(&mut pair.after);
    }),
    breaks("what failed has a result", Still, &["R-3"], |pair| {
        request(&mut pair.after, "failed").result = Some(body());
    }),
    breaks("what failed has no problem", Still, &["R-3"], |pair| {
        request(&mut pair.after, "failed").problem = None;
    }),
    breaks("what was denied has no time of its end", Still, &["R-3"], |pair| {
        request(&mut pair.after, "denied").finished_at = None;
        ring(&mut pair.after);
    }),
    breaks("what waits has a result", Still, &["R-3"], |pair| {
        request(&mut pair.after, "waiting").result = Some(body());
    }),
    breaks("what waits has a problem", Still, &["R-3"], |pair| {
        request(&mut pair.after, "waiting").problem = Some(Problem::Cancelled);
    }),
    breaks("what runs has a problem", Still, &["R-3"], |pair| {
        request(&mut pair.after, "read").problem = Some(Problem::Cancelled);
    }),
    breaks("what runs has the time of its end", Still, &["R-3"], |pair| {
        request(&mut pair.after, "read").finished_at = Some(pair.after.now);
        ring(&mut pair.after);
    }),
    holds("sixty-four requests are kept", Still, |pair| pair.both(|state| fill(state, 64))),
    breaks("sixty-five requests are kept", Still, &["R-5"], |pair| {
        pair.both(|state| fill(state, 65));
    }),
    holds("four requests of a session wait", Still, |pair| {
        pair.both(|state| wait(state, 4, 4));
    }),
    breaks("five requests of a session wait", Still, &["R-5"], |pair| {
        pair.both(|state| wait(state, 4, 5));
    }),
    holds("thirty-two requests wait", Still, |pair| {
        pair.both(|state| wait_in_all(state, 32));
    }),
    breaks("thirty-three requests wait", Still, &["R-5"], |pair| {
        pair.both(|state| wait_in_all(state, 33));
    }),
    breaks("what waits is about another configuration", Still, &["R-6"], |pair| {
        pair.both(|state| uncover(state, "waiting"));
    }),
    breaks("what is allowed is about another configuration", Still, &["R-6"], |pair| {
        pair.both(|state| uncover(state, "allowed"));
    }),
    breaks("what runs is about another configuration", Still, &["R-6"], |pair| {
        pair.both(|state| uncover(state, "read"));
    }),
    breaks("what has a result is about another configuration", Still, &["R-6"], |pair| {
        pair.both(|state| uncover(state, "written"));
    }),
    breaks("a result stands on a grant that is gone", Still, &["R-6"], |pair| {
        remove_grant(&mut pair.after, is_table);
    }),
    breaks("the level is gone on which a write runs", Still, &["R-6"], |pair| {
        let audience = Audience::Client(client(2));
        share_of(&mut pair.after, "orders", audience).level = Level::Ask;
    }),
    breaks("a read document is closed", Still, &["G-4", "R-6", "H-1"], |pair| {
        pair.after.documents.remove(&FileId::new("notes"));
    }),
    holds("what failed is not covered any more", Still, |pair| {
        pair.both(|state| uncover(state, "failed"));
    }),
    holds("what was denied is not covered any more", Still, |pair| {
        pair.both(|state| uncover(state, "denied"));
    }),
    holds("what was cancelled is not covered any more", Still, |pair| {
        pair.both(|state| uncover(state, "stopped"));
    }),
    holds("what expired is not covered any more", Still, |pair| {
        over_and_uncovered(pair, Status::Expired);
    }),
    holds("what was revoked is not covered any more", Still, |pair| {
        over_and_uncovered(pair, Status::Revoked);
    }),
    holds("what ended unknown is not covered any more", Still, |pair| {
        over_and_uncovered(pair, Status::OutcomeUnknown);
    }),
    holds("what lost its result is not covered any more", Still, |pair| {
        over_and_uncovered(pair, Status::CompletedResultRevoked);
    }),
    holds("what had a result is not covered any more", Still, |pair| {
        over_and_uncovered(pair, Status::ResultExpired);
    }),
    breaks("a request becomes that of another client", Still, &["R-1", "R-7"], |pair| {
        request(&mut pair.after, "denied").client = client(2);
    }),
    breaks("a request goes to another session", Still, &["R-1", "R-7", "K-1"], |pair| {
        request(&mut pair.after, "denied").session = session_id(2);
    }),
    breaks("a request goes to another database", Still, &["R-7"], |pair| {
        request(&mut pair.after, "denied").target = source_target(&pair.before, "archive");
    }),
    breaks("a request asks for something else", Still, &["R-7"], |pair| {
        request(&mut pair.after, "waiting").operation = query("customers");
    }),
    breaks("a request becomes the write of a table", Still, &["R-7"], |pair| {
        request(&mut pair.after, "waiting").is_table_write = true;
    }),
    breaks("a request came at another time", Still, &["R-7"], |pair| {
        request(&mut pair.after, "waiting").submitted_at.0 -= 1;
    }),
    breaks("a request gets more time", Still, &["R-7"], |pair| {
        request(&mut pair.after, "waiting").expires_at.0 += 1;
        ring(&mut pair.after);
    }),
    breaks("a request stands on something else than before", Still, &["R-7"], |pair| {
        request(&mut pair.after, "read").authorisation = Some(Authorisation::SessionGrant);
        request(&mut pair.after, "read").operation = query("customers");
        request(&mut pair.before, "read").operation = query("customers");
    }),
    breaks("a request stands on nothing any more", Still, &["R-7"], |pair| {
        request(&mut pair.after, "read").authorisation = None;
    }),
    breaks("what was allowed once is not allowed any more", Still, &["R-7"], |pair| {
        request(&mut pair.after, "allowed").authorisation = None;
        remove_grant(&mut pair.after, is_once);
    }),
    holds("a request of the same name was another", Asks, |pair| {
        let mut other = request(&mut pair.after, "waiting").clone();
        (other.order, other.client, other.operation) = (1, client(2), query("customers"));
        pair.before.requests.insert(RequestId::new("waiting"), std::sync::Arc::new(other));
    }),
];

fn over_and_uncovered(pair: &mut Pair, status: Status) {
    pair.both(|state| {
        becomes(state, "denied", status);
        uncover(state, "denied");
    });
}

/// So many requests in all; those that are added are over.
fn fill(state: &mut State, number: usize) {
    for index in state.requests.len()..number {
        add_request_like(state, "denied", 4, &format!("more{index}"));
    }
    assert_eq!(state.requests.len(), number);
}

/// So many requests of a session that wait.
fn wait(state: &mut State, owner: u8, number: usize) {
    let id = session_id(owner);
    let waits = |state: &State| {
        let own = state.requests.values().filter(|request| request.session == id);
        own.filter(|request| request.status == Status::Pending).count()
    };
    for index in waits(state)..number {
        add_request_like(state, "waiting", owner, &format!("{id}{index}"));
    }
    assert_eq!(waits(state), number);
}

/// So many requests that wait, at most four of a session.
fn wait_in_all(state: &mut State, number: usize) {
    let waits = |state: &State| {
        state.requests.values().filter(|request| request.status == Status::Pending).count()
    };
    wait(state, 1, 4);
    wait(state, 4, 4);
    for owner in 5..=16 {
        let missing = number - waits(state);
        if missing > 0 {
            add_session(state, owner);
            wait(state, owner, missing.min(4));
        }
    }
    assert_eq!(waits(state), number);
}
