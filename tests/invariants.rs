//! Whether each invariant can fail: pairs of states that are wrong in one respect, and exactly the
//! ids that must be said of them. Where a limit permits something, also the limit itself.
//!
//! Start with `invariants/history.rs` (the states, by real events), then `invariants/sessions.rs`
//! (the first cases). Each file of cases says which ids it is about; some damages break several.
//! What never lives here: whether the rules keep the invariants. Those are stories
//! (`tests/scenarios`).
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unreachable,
    reason = "a test stops at the first surprise"
)]

mod invariants {
    pub(crate) mod damage;
    pub(crate) mod grants;
    pub(crate) mod history;
    pub(crate) mod keys;
    pub(crate) mod limits;
    pub(crate) mod requests;
    pub(crate) mod sessions;
    pub(crate) mod statuses;
    pub(crate) mod tasks;
    pub(crate) mod writes;
}

use dbeast::reducer::invariants::{CATALOGUE, broken};
use invariants::damage::Case;
use invariants::history::Pair;
use invariants::{grants, keys, limits, requests, sessions, statuses, tasks, writes};
use std::collections::{BTreeMap, BTreeSet};

const ALL: [&[Case]; 8] = [
    sessions::CASES,
    grants::CASES,
    requests::CASES,
    statuses::CASES,
    keys::CASES,
    writes::CASES,
    tasks::CASES,
    limits::CASES,
];

fn cases() -> impl Iterator<Item = &'static Case> {
    ALL.into_iter().flatten()
}

/// Every case is tried before the test fails.
#[test]
fn exactly_what_is_damaged_is_said_to_be_broken() {
    let mut wrong = Vec::new();
    for case in cases() {
        let untouched = Pair::of(case.moment);
        assert!(broken(&untouched.before, &untouched.after).is_empty(), "{:?}", case.moment);
        let mut pair = untouched.clone();
        (case.damage)(&mut pair);
        let said: BTreeSet<_> = broken(&pair.before, &pair.after).into_iter().collect();
        let expected: BTreeSet<_> = case.broken.iter().copied().collect();
        if pair == untouched {
            wrong.push(format!("{}: nothing was changed", case.name));
        } else if said != expected {
            wrong.push(format!("{}: {said:?}, not {expected:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_invariant_is_broken_in_at_least_two_ways() {
    let mut ways: BTreeMap<&str, usize> = CATALOGUE.iter().map(|one| (one.id, 0)).collect();
    assert_eq!(ways.len(), CATALOGUE.len(), "an id is used twice");
    for id in cases().flat_map(|case| case.broken) {
        *ways.get_mut(id).unwrap_or_else(|| unreachable!("`{id}` is not in the catalogue")) += 1;
    }
    ways.retain(|_, number| *number < 2);
    assert!(ways.is_empty(), "not broken in two ways: {ways:?}");
}

#[test]
fn every_case_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    let twice: Vec<_> = cases().map(|case| case.name).filter(|name| !names.insert(*name)).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert!(names.len() > 150, "only {} cases", names.len());
}
