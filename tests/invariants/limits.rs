//! Counts and sizes: A-1, L-1.

use super::damage::{
    Case, add_documents, add_grant, add_key, breaks, holds, is_full_sql, of_source, once, session,
};
use super::history::Moment::Still;
use super::history::{client, table};
use dbeast::events::{Audience, Level, TableLevel};
use dbeast::ids::SourceId;
use dbeast::reducer::State;
use dbeast::reducer::state::{Entries, GrantScope, Share};
use std::sync::Arc;

/// The contract's figures, written out again.
const MEBIBYTE: u64 = 1_048_576;

pub(crate) const CASES: &[Case] = &[
    holds("the activity list has a hundred entries, fifty at will", Still, |pair| {
        fill_activity(&mut pair.after, 50, 50);
    }),
    holds("the activity list has a hundred entries of record", Still, |pair| {
        fill_activity(&mut pair.after, 100, 0);
    }),
    breaks("the activity list has one entry too many", Still, &["A-1"], |pair| {
        fill_activity(&mut pair.after, 51, 50);
    }),
    breaks("the activity list is full of record and one more", Still, &["A-1"], |pair| {
        fill_activity(&mut pair.after, 100, 1);
    }),
    breaks("agents made one entry too many at will", Still, &["A-1"], |pair| {
        fill_activity(&mut pair.after, 0, 51);
    }),
    holds("there are 128 databases", Still, |pair| fill_sources(&mut pair.after, 128)),
    breaks("there are 129 databases", Still, &["L-1"], |pair| {
        fill_sources(&mut pair.after, 129);
    }),
    holds("there are 128 documents", Still, |pair| {
        add_documents(&mut pair.after, vec![10; 126]);
    }),
    breaks("there are 129 documents", Still, &["L-1"], |pair| {
        add_documents(&mut pair.after, vec![10; 127]);
    }),
    holds("a document has four mebibytes", Still, |pair| {
        add_documents(&mut pair.after, [4 * MEBIBYTE]);
    }),
    breaks("a document has four mebibytes and a byte", Still, &["L-1"], |pair| {
        add_documents(&mut pair.after, [4 * MEBIBYTE + 1]);
    }),
    holds("the documents have sixteen mebibytes", Still, |pair| {
        let rest = 4 * MEBIBYTE - 200;
        add_documents(&mut pair.after, [4 * MEBIBYTE, 4 * MEBIBYTE, 4 * MEBIBYTE, rest]);
    }),
    breaks("the documents have sixteen mebibytes and a byte", Still, &["L-1"], |pair| {
        let rest = 4 * MEBIBYTE - 199;
        add_documents(&mut pair.after, [4 * MEBIBYTE, 4 * MEBIBYTE, 4 * MEBIBYTE, rest]);
    }),
    holds("a database is shared with 64 tables", Still, |pair| {
        share_tables(&mut pair.after, "private", 64);
    }),
    breaks("a database is shared with 65 tables", Still, &["L-1"], |pair| {
        share_tables(&mut pair.after, "private", 65);
    }),
    holds("1024 tables are shared", Still, |pair| share_tables_in_all(&mut pair.after, 1024)),
    breaks("1025 tables are shared", Still, &["L-1"], |pair| {
        share_tables_in_all(&mut pair.after, 1025);
    }),
    holds("a session has used 256 keys", Still, |pair| fill_keys(&mut pair.after, 256)),
    breaks("a session has used 257 keys", Still, &["L-1"], |pair| {
        fill_keys(&mut pair.after, 257);
    }),
    holds("a session has 64 grants beside a one-time one", Still, |pair| {
        fill_grants(&mut pair.after, 1, 64);
        assert_eq!(grants_of(&pair.after, 1), 65);
    }),
    breaks("a session has 65 grants beside a one-time one", Still, &["L-1"], |pair| {
        fill_grants(&mut pair.after, 1, 65);
    }),
    breaks("the third session has 65 grants", Still, &["L-1"], |pair| {
        fill_grants(&mut pair.after, 3, 65);
        assert!(pair.after.grants.values().any(|grant| is_full_sql(&grant.scope)));
    }),
    breaks("a session has 65 one-time grants", Still, &["G-1", "G-3"], |pair| {
        (0..65).for_each(|_| add_grant(&mut pair.after, 4, once("waiting")));
    }),
];

fn fill_activity(state: &mut State, of_record: usize, at_will: usize) {
    let entry = state.activity.of_record.newest().expect("an entry").clone();
    let entries = |number| std::iter::repeat_n(entry.clone(), number).collect::<Entries>();
    (state.activity.of_record, state.activity.at_will) = (entries(of_record), entries(at_will));
}

fn fill_sources(state: &mut State, number: usize) {
    let like = state.sources.values().next().expect("a database").clone();
    for index in state.sources.len()..number {
        state.sources.insert(SourceId::new(&format!("more{index}")), like.clone());
    }
}

/// The database is shared anew, with so many tables.
fn share_tables(state: &mut State, name: &str, number: usize) {
    let tables = (0..number).map(|index| (table(&format!("t{index}")), TableLevel::Read));
    let share = Share { level: Level::Ask, tables: tables.collect() };
    state.sharing.insert((SourceId::new(name), Audience::Client(client(4))), Arc::new(share));
}

/// So many tables in all, none of an entry too many.
fn share_tables_in_all(state: &mut State, number: usize) {
    fill_sources(state, 20);
    let count =
        |state: &State| -> usize { state.sharing.values().map(|share| share.tables.len()).sum() };
    for index in 3..20 {
        let missing = number - count(state);
        share_tables(state, &format!("more{index}"), missing.min(64));
    }
    assert_eq!(count(state), number);
}

fn fill_keys(state: &mut State, number: usize) {
    for index in session(state, 1).keys.len()..number {
        add_key(state, 1, &format!("more{index}"), &format!("gone{index}"));
    }
}

fn grants_of(state: &State, owner: u8) -> usize {
    let id = super::history::session_id(owner);
    state.grants.values().filter(|grant| grant.session == id).count()
}

/// So many grants of a session; a one-time one that it has does not count.
fn fill_grants(state: &mut State, owner: u8, number: usize) {
    let (source, generation) = of_source(state, "orders");
    let one_time = usize::from(owner == 1);
    for index in grants_of(state, owner) - one_time..number {
        let (source, table) = (source.clone(), table(&format!("more{index}")));
        add_grant(state, owner, GrantScope::Table { source, generation, table, identity: None });
    }
}
