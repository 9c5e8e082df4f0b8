//! Grants: G-1 to G-5.

use super::damage::{
    Case, add_grant, add_same_grant, add_session, breaks, grant, holds, is_document, is_full_sql,
    is_once, is_source, is_table, of_source, once, remove_grant, request,
};
use super::history::Moment::{Pins, StartsByGrant, StartsLater, StartsOnce, StartsShared, Still};
use super::history::{Pair, client, session_id, table};
use dbeast::events::{Audience, Level};
use dbeast::ids::{DocumentVersion, FileId, SourceGeneration, SourceId};
use dbeast::reducer::State;
use dbeast::reducer::state::GrantScope;
use dbeast::value::ObjectIdentity;

pub(crate) const CASES: &[Case] = &[
    breaks("a request has two one-time grants", Still, &["G-1"], |pair| {
        add_grant(&mut pair.after, 2, once("allowed"));
    }),
    breaks("a session has one one-time grant twice", Still, &["G-1", "G-3"], |pair| {
        add_same_grant(&mut pair.after, is_once);
    }),
    breaks("a one-time grant is for what nobody allowed", Still, &["G-1"], |pair| {
        add_grant(&mut pair.after, 1, once("waiting"));
    }),
    breaks("a one-time grant is for what runs on it", Still, &["G-1"], |pair| {
        add_grant(&mut pair.after, 1, once("read"));
    }),
    breaks("a one-time grant is for what was denied", Still, &["G-1"], |pair| {
        add_grant(&mut pair.after, 1, once("denied"));
    }),
    breaks("what was allowed once has lost its grant", Still, &["G-1"], |pair| {
        remove_grant(&mut pair.after, is_once);
    }),
    breaks("one one-time grant stands for another", Still, &["G-1"], |pair| {
        grant(&mut pair.after, is_once).1.scope = once("waiting");
    }),
    breaks("what nobody allowed starts", StartsOnce, &["G-2"], |pair| {
        request(&mut pair.after, "read").authorisation = None;
    }),
    breaks("a one-time grant is left after the start", StartsOnce, &["G-1", "G-2"], |pair| {
        add_grant(&mut pair.after, 1, once("read"));
    }),
    breaks("what was allowed in that step gave no grant", StartsOnce, &["G-2"], |pair| {
        pair.after.counters.grant = pair.before.counters.grant;
    }),
    breaks("grants were counted backwards", StartsOnce, &["G-2"], |pair| {
        pair.before.counters.grant = pair.after.counters.grant.next();
    }),
    holds("a one-time grant was given just now", StartsLater, |pair| {
        remove_grant(&mut pair.before, is_once);
        pair.after.counters.grant = pair.before.counters.grant.next();
    }),
    breaks("a request starts on a one-time grant that never was", StartsLater, &["G-2"], |pair| {
        remove_grant(&mut pair.before, is_once);
    }),
    breaks("a request starts on the grant of another", StartsLater, &["G-2"], |pair| {
        grant(&mut pair.before, is_once).1.scope = once("waiting");
    }),
    breaks("a one-time grant is used and kept", StartsLater, &["G-1", "G-2"], |pair| {
        pair.after.grants = pair.before.grants.clone();
    }),
    breaks("a read starts on a grant that is gone", StartsByGrant, &["G-2", "R-6"], |pair| {
        remove_grant(&mut pair.after, is_table);
    }),
    breaks("a write starts without the access", StartsShared, &["G-2", "R-6"], |pair| {
        level_of_writer(pair, Level::Read);
    }),
    breaks("another request of the same name runs already", Still, &["G-2"], |pair| {
        request(&mut pair.before, "read").order += 100;
    }),
    breaks("a session has a table grant twice", Still, &["G-3"], |pair| {
        add_same_grant(&mut pair.after, is_table);
    }),
    breaks("a session has a source grant twice", Still, &["G-3"], |pair| {
        add_same_grant(&mut pair.after, is_source);
    }),
    breaks("a session has full SQL twice", Still, &["G-3"], |pair| {
        add_same_grant(&mut pair.after, is_full_sql);
    }),
    breaks("a session has a document grant twice", Still, &["G-3"], |pair| {
        add_same_grant(&mut pair.after, is_document);
    }),
    breaks("a session has a table twice, as two objects", Still, &["G-3"], |pair| {
        add_table_grant(&mut pair.after, 1, "customers");
    }),
    holds("two sessions have one scope", Still, |pair| {
        add_table_grant(&mut pair.after, 2, "customers");
    }),
    holds("a session has grants for two tables", Still, |pair| {
        add_table_grant(&mut pair.after, 1, "items");
    }),
    holds("a session has grants for two snapshots", Still, |pair| {
        let (file, version) = (FileId::new("notes"), DocumentVersion(99));
        add_grant(&mut pair.after, 3, GrantScope::Document { file, version });
    }),
    breaks("a grant is of no session", Still, &["G-4"], |pair| {
        let (source, generation) = of_source(&pair.after, "orders");
        add_grant(&mut pair.after, 9, GrantScope::Source { source, generation });
    }),
    breaks("a session ends and its grant stays", Still, &["G-4"], |pair| {
        pair.both(|state| {
            add_session(state, 5);
            let (source, generation) = of_source(state, "orders");
            add_grant(state, 5, GrantScope::Source { source, generation });
        });
        pair.after.sessions.remove(&session_id(5));
    }),
    breaks("a one-time grant is for no request", Still, &["G-1", "G-4"], |pair| {
        add_grant(&mut pair.after, 1, once("gone"));
    }),
    breaks("a table grant is of another configuration", Still, &["G-4"], |pair| {
        let (source, _) = of_source(&pair.after, "orders");
        let (generation, table) = (SourceGeneration(99), table("items"));
        let scope = GrantScope::Table { source, generation, table, identity: None };
        add_grant(&mut pair.after, 2, scope);
    }),
    breaks("a source grant is of another configuration", Still, &["G-4"], |pair| {
        let (source, generation) = (SourceId::new("orders"), SourceGeneration(99));
        add_grant(&mut pair.after, 2, GrantScope::Source { source, generation });
    }),
    breaks("full SQL is of another configuration", Still, &["G-4"], |pair| {
        let (source, generation) = (SourceId::new("orders"), SourceGeneration(99));
        add_grant(&mut pair.after, 2, GrantScope::FullSql { source, generation });
    }),
    breaks("a grant is for a database that is gone", Still, &["G-4"], |pair| {
        let (source, generation) = (SourceId::new("gone"), SourceGeneration(1));
        add_grant(&mut pair.after, 2, GrantScope::Source { source, generation });
    }),
    breaks("a grant is for a database that its session does not see", Still, &["G-4"], |pair| {
        let (source, generation) = of_source(&pair.after, "private");
        add_grant(&mut pair.after, 2, GrantScope::Source { source, generation });
    }),
    breaks("a grant is for a document that is gone", Still, &["G-4"], |pair| {
        let (file, version) = (FileId::new("gone"), DocumentVersion(1));
        add_grant(&mut pair.after, 2, GrantScope::Document { file, version });
    }),
    breaks("a grant is for a document that its session does not see", Still, &["G-4"], |pair| {
        let (file, version) = (FileId::new("draft"), DocumentVersion(2));
        add_grant(&mut pair.after, 2, GrantScope::Document { file, version });
    }),
    breaks("a table grant is for another object", Still, &["G-5"], |pair| {
        identify(&mut pair.after, Some(ObjectIdentity([9; 32])));
    }),
    breaks("a table grant forgets its object", Still, &["G-5"], |pair| {
        identify(&mut pair.after, None);
    }),
    breaks("the first read finds another object than was known", Pins, &["G-5"], |pair| {
        identify(&mut pair.before, Some(ObjectIdentity([9; 32])));
    }),
    holds("a table grant learns its object", Still, |pair| {
        identify(&mut pair.before, None);
    }),
    holds("a grant with a known object ends", Still, |pair| {
        add_table_grant(&mut pair.before, 2, "items");
        let (_, grant) = grant(&mut pair.before, is_items);
        if let GrantScope::Table { identity, .. } = &mut grant.scope {
            *identity = Some(ObjectIdentity([9; 32]));
        }
    }),
];

fn add_table_grant(state: &mut State, owner: u8, name: &str) {
    let (source, generation) = of_source(state, "orders");
    let scope = GrantScope::Table { source, generation, table: table(name), identity: None };
    add_grant(state, owner, scope);
}

fn is_items(scope: &GrantScope) -> bool {
    matches!(scope, GrantScope::Table { table, .. } if table.name == "items")
}

fn identify(state: &mut State, of: Option<ObjectIdentity>) {
    if let GrantScope::Table { identity, .. } = &mut grant(state, is_table).1.scope {
        *identity = of;
    }
}

fn level_of_writer(pair: &mut Pair, level: Level) {
    let audience = Audience::Client(client(2));
    super::damage::share_of(&mut pair.after, "orders", audience).level = level;
}
