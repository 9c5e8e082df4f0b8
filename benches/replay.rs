//! Folds a long life event by event, as a replay of its log does, and shows that memory does not grow
//! past the limits: `cargo bench --no-default-features --bench replay`.
//!
//! Each event goes through its line of a log and is dropped. Run by `cargo test`, it is a hundredth
//! as long.
#![allow(
    missing_docs,
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark reads a clock, prints, and stops at the first surprise"
)]

#[allow(dead_code, unused_imports, reason = "each benchmark uses its part")]
mod support;

use dbeast::events::Envelope;
use dbeast::reducer::{State, invariants, reduce};
use std::time::{Duration, Instant};
use support::{FULL, Life, Walk};

/// Events of the whole replay.
const EVENTS: usize = 100_000;
/// How many events go by between two lines.
const LINE_EVERY: usize = 10_000;
/// The peak after all events is at most so many times that after the first lines' events.
const PEAK_GROWTH_MAX: f64 = 1.25;

fn main() {
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let (events, every) = if is_bench { (EVENTS, LINE_EVERY) } else { (EVENTS / 100, 100) };
    let life = Life::of(FULL);
    let mut state = life.state.clone();
    // The walk is the outside: it must know the state to make the next event.
    let mut walk = Walk::from(life, FULL);
    let (mut parsing, mut reducing, mut bytes) = (Duration::ZERO, Duration::ZERO, 0);
    let mut peaks = Vec::new();
    for number in 1..=events {
        let written = serde_json::to_string(&walk.step()).unwrap();
        bytes += written.len();
        let start = Instant::now();
        let envelope: Envelope = serde_json::from_str(&written).unwrap();
        parsing += start.elapsed();
        let start = Instant::now();
        let next = reduce(&state, &envelope).state;
        reducing += start.elapsed();
        if number % every == 0 {
            let broken = invariants::broken(&state, &next);
            assert!(broken.is_empty(), "after event {number}: {broken:?}");
            peaks.extend(peak_kib());
            println!("{number:>7} events: {}", counts(&next));
        }
        state = next;
    }
    assert!(state == walk.life.state, "what was parsed leads to another state");
    let each = |all: Duration| all.as_secs_f64() * 1e9 / events as f64;
    println!(
        "{events} events, {bytes} bytes: {:.0} ns to parse and {:.0} ns to reduce each",
        each(parsing),
        each(reducing)
    );
    if let (Some(first), Some(last)) = (peaks.first(), peaks.last()) {
        let growth = *last as f64 / *first as f64;
        println!(
            "peak {first} KiB after {every} events, {last} KiB after {events}: {growth:.3} times"
        );
        assert!(growth <= PEAK_GROWTH_MAX, "memory grows");
    }
}

fn counts(state: &State) -> String {
    format!(
        "requests {}, keys {}, tombstones {}, grants {}, tasks {}, activity {}, peak {} KiB",
        state.requests.len(),
        state.keys_used(),
        state.tombstones(),
        state.grants.len(),
        state.tasks.len(),
        state.activity.len(),
        peak_kib().map_or_else(|| "unknown".to_owned(), |peak| peak.to_string()),
    )
}

/// The most memory that the process has had, where the system says so (Linux).
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.trim().parse().ok()
}
