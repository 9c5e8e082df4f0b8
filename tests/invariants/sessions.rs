//! Connections, sessions and what is shared with them: C-1, S-1, S-2, S-3, H-1.

use super::damage::{
    Case, add_client, add_grant, add_key, add_request_like, add_session, breaks, holds, of_source,
    ring, session, the_client,
};
use super::history::Moment::{Begins, Closes, Still};
use super::history::{client, session_id, token};
use dbeast::events::Audience;
use dbeast::ids::{FileId, RequestId, SourceId};
use dbeast::reducer::State;
use dbeast::reducer::state::{GrantScope, Status, Tombstone};
use dbeast::time::Millis;
use std::sync::Arc;

pub(crate) const CASES: &[Case] = &[
    holds("there are sixteen connections", Still, |pair| {
        assert_eq!(pair.after.clients.len(), 4);
        (5..=16).for_each(|number| add_client(&mut pair.after, number));
    }),
    breaks("there are seventeen connections", Still, &["C-1"], |pair| {
        (5..=17).for_each(|number| add_client(&mut pair.after, number));
    }),
    breaks("the first two connections have one token", Still, &["C-1"], |pair| {
        the_client(&mut pair.after, 2).token_hash = token(1);
    }),
    breaks("the first and the last connection have one token", Still, &["C-1"], |pair| {
        the_client(&mut pair.after, 4).token_hash = token(1);
    }),
    breaks("a connection has two sessions", Still, &["S-1"], |pair| {
        pair.both(|state| {
            add_session(state, 5);
            session(state, 5).client = client(1);
        });
    }),
    breaks("a session is of no connection", Still, &["S-1"], |pair| {
        pair.both(|state| {
            add_session(state, 5);
            state.clients.remove(&client(5));
        });
    }),
    holds("each of sixteen connections has a session", Still, |pair| {
        pair.both(|state| (5..=16).for_each(|number| add_session(state, number)));
    }),
    breaks("there are seventeen sessions", Still, &["C-1", "S-1"], |pair| {
        pair.both(|state| (5..=17).for_each(|number| add_session(state, number)));
    }),
    breaks("sessions live while the door is closed", Still, &["S-2"], |pair| {
        pair.after.server.port = None;
    }),
    holds("the door is open and nobody is there", Closes, |pair| {
        pair.after.server.port = Some(1);
    }),
    holds("a session lives a millisecond before its end", Still, |pair| {
        pair.after.now = Millis(earliest_end(&pair.after).0 - 1);
    }),
    breaks("a session lives at its end", Still, &["S-2"], |pair| {
        pair.after.now = earliest_end(&pair.after);
    }),
    breaks("a session lives a minute after its end", Still, &["S-2"], |pair| {
        pair.after.now = Millis(earliest_end(&pair.after).0 + 60_000);
    }),
    breaks("a session goes on as another client's", Still, &["S-3"], |pair| {
        session(&mut pair.before, 1).client = client(9);
    }),
    breaks("a session goes on with another token", Still, &["S-3"], |pair| {
        session(&mut pair.before, 1).token_hash = token(9);
    }),
    breaks("a session goes on with another beginning", Still, &["S-3"], |pair| {
        session(&mut pair.before, 1).began_at = Millis(1);
    }),
    breaks("a session was not there before and has a past", Still, &["S-3"], |pair| {
        pair.before.sessions.remove(&session_id(1));
    }),
    breaks("a new session began earlier", Begins, &["S-3"], |pair| {
        session(&mut pair.after, 2).began_at.0 -= 1;
    }),
    breaks("a new session began later", Begins, &["S-3"], |pair| {
        session(&mut pair.after, 2).began_at.0 += 1;
    }),
    breaks("a new session has used a key", Begins, &["S-3"], |pair| {
        add_key(&mut pair.after, 2, "k", "gone");
    }),
    breaks("a new session has a tombstone", Begins, &["S-3"], |pair| {
        let tombstone = Tombstone { status: Status::Completed, problem: None };
        session(&mut pair.after, 2).tombstones.insert(RequestId::new("gone"), tombstone);
    }),
    breaks("a new session has a request", Begins, &["S-3", "K-1"], |pair| {
        add_request_like(&mut pair.after, "denied", 2, "inherited");
        session(&mut pair.after, 2).keys.clear();
        pair.before.requests = pair.after.requests.clone();
    }),
    breaks("a new session has a grant", Begins, &["S-3"], |pair| {
        let (source, generation) = of_source(&pair.after, "orders");
        add_grant(&mut pair.after, 2, GrantScope::Source { source, generation });
    }),
    holds("an older session of the same name had a past", Begins, |pair| {
        let mut old = (*pair.before.sessions[&session_id(1)]).clone();
        old.began_at = Millis(1);
        old.client = client(2);
        assert!(!old.keys.is_empty() && !old.tombstones.is_empty());
        pair.before.sessions.insert(session_id(2), Arc::new(old));
    }),
    breaks("a database that is not there is shared", Still, &["H-1"], |pair| {
        share(&mut pair.after, "nowhere", Audience::AllAgents);
    }),
    breaks("a database is shared with nobody who is there", Still, &["H-1"], |pair| {
        share(&mut pair.after, "orders", Audience::Client(client(9)));
    }),
    holds("a database is shared with one more that is there", Still, |pair| {
        share(&mut pair.after, "private", Audience::Client(client(4)));
    }),
    breaks("a document that is not there is shared", Still, &["H-1"], |pair| {
        let entry = (FileId::new("nowhere"), Audience::AllAgents);
        pair.after.shared_documents.insert(entry);
    }),
    breaks("a document is shared with nobody who is there", Still, &["H-1"], |pair| {
        let entry = (FileId::new("draft"), Audience::Client(client(9)));
        pair.after.shared_documents.insert(entry);
    }),
    holds("a document is shared with one more that is there", Still, |pair| {
        let entry = (FileId::new("draft"), Audience::Client(client(4)));
        pair.after.shared_documents.insert(entry);
    }),
];

fn earliest_end(state: &State) -> Millis {
    let ends = state.sessions.values().map(|session| session.ends_at());
    ends.min().expect("a session")
}

fn share(state: &mut State, source: &str, audience: Audience) {
    let like = state.sharing.values().next().expect("an entry").clone();
    state.sharing.insert((SourceId::new(source), audience), like);
    ring(state);
}
