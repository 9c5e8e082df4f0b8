//! What came to the activity list and what went. Entries never change, come at the end and go at
//! the beginning of their queue, so mostly the ends of the queues say everything.

use super::{Change, Key, Kind, Place, Shown};
use crate::reducer::state::{Activity, Entries, Entry};
use crate::reducer::view::Padded;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn changes<'a>(before: &'a Activity, after: &'a Activity, found: &mut Vec<Change<'a>>) {
    let start = found.len();
    let is_enough = at_ends(&before.at_will, &after.at_will, found)
        && at_ends(&before.of_record, &after.of_record, found);
    if is_enough {
        if let Some(fresh) = found.get_mut(start..) {
            fresh.sort_unstable_by_key(|change| number_of(change));
        }
    } else {
        found.truncate(start);
        everywhere(before, after, found);
    }
}

fn number_of(change: &Change<'_>) -> u64 {
    match change.place.key {
        Some(Key::Number(Padded(number))) => number,
        Some(Key::Word(_)) | None => 0,
    }
}

/// What went at the beginning and came at the end. False if that is not all.
fn at_ends<'a>(before: &'a Entries, after: &'a Entries, found: &mut Vec<Change<'a>>) -> bool {
    if before.ptr_eq(after) {
        return true;
    }
    let oldest = after.oldest().map_or(u64::MAX, |entry| entry.entry);
    let newest = before.newest().map_or(0, |entry| entry.entry);
    let gone = before.iter().take_while(|entry| entry.entry < oldest);
    let come = after.iter().rev().take_while(|entry| entry.entry > newest);
    let start = found.len();
    found.extend(gone.map(|entry| change(entry, Kind::Went)));
    let gone = found.len() - start;
    found.extend(come.map(|entry| change(entry, Kind::Came(Shown::Entry(entry)))));
    let come = found.len() - start - gone;
    // What is left is the same in both, if there is as much of it and it has the same ends.
    let left = before.len() - gone;
    let is_at = |one: Option<&Arc<Entry>>, other: Option<&Arc<Entry>>| {
        one.zip(other).is_some_and(|(one, other)| Arc::ptr_eq(one, other))
    };
    left + come == after.len()
        && (left == 0
            || is_at(before.iter().nth(gone), after.oldest())
                && is_at(before.newest(), after.iter().rev().nth(come)))
}

/// The same by a look at every entry: for states that are not of one life.
fn everywhere<'a>(before: &'a Activity, after: &'a Activity, found: &mut Vec<Change<'a>>) {
    let numbered = |activity: &'a Activity| -> BTreeMap<u64, &'a Entry> {
        activity.entries().into_iter().map(|entry| (entry.entry, &**entry)).collect()
    };
    let (old, new) = (numbered(before), numbered(after));
    let gone = old.iter().filter(|(number, _)| !new.contains_key(number));
    found.extend(gone.map(|(_, entry)| change(entry, Kind::Went)));
    for (number, entry) in new {
        match old.get(&number) {
            None => found.push(change(entry, Kind::Came(Shown::Entry(entry)))),
            Some(was) if *was != entry => {
                found.push(change(entry, Kind::Changed(Shown::Entry(entry))));
            }
            Some(_) => {}
        }
    }
}

fn change<'a>(entry: &Entry, kind: Kind<'a>) -> Change<'a> {
    let key = Some(Key::Number(Padded(entry.entry)));
    Change { place: Place { map: "activity", key }, kind }
}
