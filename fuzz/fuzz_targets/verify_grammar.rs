//! Statements of a grammar, with the truth about each: those of allowed parts are accepted and name
//! exactly their tables, those with one forbidden part are refused.
//!
//! At each power of two it prints how many there were of each kind; `scripts/fuzz.sh` wants some of all.
#![no_main]

use dbeast::reason::SqlReason;
use dbeast::value::Engine;
use dbeast_fuzz::grammar::{self, Kind, Made};
use dbeast_fuzz::{check_read, check_write, is_bound};
use libfuzzer_sys::fuzz_target;
use std::sync::atomic::{AtomicU64, Ordering};

static TRIED: AtomicU64 = AtomicU64::new(0);
static READS: AtomicU64 = AtomicU64::new(0);
static WRITES: AtomicU64 = AtomicU64::new(0);
static BOUNDS: AtomicU64 = AtomicU64::new(0);
static FORBIDDEN: AtomicU64 = AtomicU64::new(0);

fuzz_target!(|bytes: &[u8]| {
    let made = grammar::make(bytes);
    match made.kind {
        Kind::Read => read(&made),
        Kind::Write { touches_all_rows } => write(&made, touches_all_rows),
    }
    let tried = TRIED.fetch_add(1, Ordering::Relaxed) + 1;
    if tried.is_power_of_two() && tried >= 1_024 {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        eprintln!(
            "made {tried}: {} reads and {} writes accepted, {} over a bound, {} forbidden",
            of(&READS),
            of(&WRITES),
            of(&BOUNDS),
            of(&FORBIDDEN)
        );
    }
});

fn read(made: &Made) {
    let Made { text, dialect, tables, columns, forbidden, kind: _ } = made;
    let other = check_write(text, *dialect);
    assert!(other.is_err(), "{dialect:?} {text:?}: a read is taken for a write");
    match (check_read(text, *dialect), forbidden) {
        (Ok(_), Some(part)) => panic!("{dialect:?} {text:?}: accepted with {part}"),
        (Ok(verified), None) => {
            assert_eq!(&verified.tables, tables, "{dialect:?} {text:?}: other tables");
            for column in columns {
                let is_said = verified.columns.contains(column);
                assert!(is_said, "{dialect:?} {text:?}: column {column:?} is not said");
            }
            READS.fetch_add(1, Ordering::Relaxed);
        }
        (Err(reason), None) => {
            // The grammar uses outer names of WITH in inner ones, which MariaDB finds elsewhere.
            let is_hidden = *dialect == Engine::Mariadb && reason == SqlReason::CommonTable;
            bound(made, reason.code(), is_bound(reason) || is_hidden);
        }
        (Err(_), Some(_)) => drop(FORBIDDEN.fetch_add(1, Ordering::Relaxed)),
    }
}

fn write(made: &Made, touches_all_rows: bool) {
    let Made { text, dialect, tables, columns, forbidden, kind: _ } = made;
    let other = check_read(text, *dialect);
    assert!(other.is_err(), "{dialect:?} {text:?}: a write is taken for a read");
    match (check_write(text, *dialect), forbidden) {
        (Ok(_), Some(part)) => panic!("{dialect:?} {text:?}: accepted with {part}"),
        (Ok(verified), None) => {
            let table = std::slice::from_ref(&verified.table);
            assert_eq!(table, tables, "{dialect:?} {text:?}: another table");
            // Where a column is named, it may still decide nothing: `id = 1 OR 1 = 1`.
            assert!(verified.touches_all_rows || !touches_all_rows, "{dialect:?} {text:?}");
            for column in columns {
                let is_said = verified.columns.contains(column);
                assert!(is_said, "{dialect:?} {text:?}: column {column:?} is not said");
            }
            WRITES.fetch_add(1, Ordering::Relaxed);
        }
        (Err(reason), None) => bound(made, reason.code(), is_bound(reason)),
        (Err(_), Some(_)) => drop(FORBIDDEN.fetch_add(1, Ordering::Relaxed)),
    }
}

fn bound(made: &Made, code: &str, is_bound: bool) {
    let Made { text, dialect, .. } = made;
    assert!(is_bound, "{dialect:?} {text:?}: refused for {code}");
    BOUNDS.fetch_add(1, Ordering::Relaxed);
}
