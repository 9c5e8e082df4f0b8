//! What a verdict takes of memory, at its peak: of a typical text and of the worst ones.
//!
//! A program of its own, because its allocator counts, and one test, because it counts for all threads.

#[path = "../benches/sql_texts/mod.rs"]
mod sql_texts;

use dbeast::sql::verify;
use dbeast::value::Engine;
use peak_alloc::PeakAlloc;
use sql_texts::{Case, DIALECTS, Fate};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Most that a verdict may hold at once.
const PEAK_BYTES_MAX: usize = 64 << 20;

/// The peak of one verdict above what was there, and what became of the text.
fn measured(text: &str, dialect: Engine) -> (usize, Fate) {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let verdict = verify(text, dialect);
    let peak = ALLOCATOR.peak_usage().saturating_sub(before);
    (peak, verdict.map_or_else(|reason| Fate::Refused(reason.code()), |_| Fate::Accepted))
}

#[test]
fn no_verdict_holds_more_than_its_bound_of_memory() {
    let mut most = (0, String::new());
    let mut wrong = Vec::new();
    for dialect in DIALECTS {
        let typical = [
            ("a typical 1 KiB", sql_texts::typical(dialect)),
            ("a typical 64 KiB", sql_texts::typical_long(dialect)),
        ];
        let typical =
            typical.map(|(name, text)| Case { name, text, fate: Fate::Accepted }).into_iter();
        for Case { name, text, fate } in typical.chain(sql_texts::worst(dialect)) {
            let (peak, became) = measured(&text, dialect);
            let is_counted = peak > 0 || fate != Fate::Accepted;
            if became != fate || !is_counted || peak > PEAK_BYTES_MAX {
                wrong.push(format!("{dialect:?} {name}: {peak} bytes, {became:?}"));
            }
            println!("{:>8} KiB  {dialect:?}  {name}", peak >> 10);
            if peak > most.0 {
                most = (peak, format!("{dialect:?} {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("the most: {} KiB, of {}", most.0 >> 10, most.1);
}
