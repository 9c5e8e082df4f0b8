//! What one event costs: to parse from a log, to reduce at full size and at size one, to show.
//!
//! `cargo bench --no-default-features --bench reducer` measures; after criterion's own figures it
//! prints a table of the best samples and the ratios that are promised. Run by `cargo test`, it only
//! makes the states and events and checks that they are what they say.
#![allow(
    missing_docs,
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark reads a clock, prints, and stops at the first surprise"
)]

mod support;

use criterion::Criterion;
use dbeast::events::Envelope;
use dbeast::reducer::{State, diff, reduce};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use support::{Case, FULL, Life, ONE, Size, WALKED, Walk};

/// The groups, in the order of the table's columns.
const PARSE: &str = "parse";
const FULL_SIZE: &str = "reduce full";
const SIZE_ONE: &str = "reduce one";
/// The difference of the views before and after, as it is found.
const DIFF: &str = "diff";
/// The same, projected and written as JSON for the page.
const PATCH: &str = "diff to JSON";
const GROUPS: [&str; 5] = [PARSE, FULL_SIZE, SIZE_ONE, DIFF, PATCH];

/// The row of the mix: events of a long life, each counted as often as it happens there.
const MIX: &str = "the mix";
/// Events in the mix.
const MIX_EVENTS: usize = 1_000;

/// One event at full size costs less than parsing it.
const REDUCE_TO_PARSE_MAX: f64 = 1.0;
/// The cost at full size is at most so many times that at size one.
const FULL_TO_ONE_MAX: f64 = 3.0;
/// A difference of views after one event costs at most so many times that event.
const DIFF_TO_REDUCE_MAX: f64 = 2.0;

fn main() {
    let cases = [support::cases(FULL), support::cases(ONE)];
    let mixes = [Mix::of(WALKED), Mix::of(ONE)];
    // Cargo says so; without it, this runs as a test.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
        .sample_size(20)
        .configure_from_args();
    let mut figures = Figures::default();
    for (full, one) in cases[0].iter().zip(&cases[1]) {
        measure(&mut criterion, &mut figures, full, one);
    }
    measure_mix(&mut criterion, &mut figures, &mixes[0], &mixes[1]);
    criterion.final_summary();
    let names: Vec<&str> = cases[0].iter().map(|case| case.name).chain([MIX]).collect();
    figures.print(&names);
}

fn measure(criterion: &mut Criterion, figures: &mut Figures, full: &Case, one: &Case) {
    let name = full.name;
    figures.time(criterion, PARSE, name, 1, || {
        black_box(serde_json::from_str::<Envelope>(black_box(&full.line)).unwrap());
    });
    for (group, case) in [(FULL_SIZE, full), (SIZE_ONE, one)] {
        figures.time(criterion, group, name, 1, || {
            black_box(reduce(black_box(&case.before), black_box(&case.envelope)));
        });
    }
    let after = reduce(&full.before, &full.envelope).state;
    figures.time(criterion, DIFF, name, 1, || {
        black_box(diff::between(black_box(&full.before), black_box(&after)));
    });
    figures.time(criterion, PATCH, name, 1, || {
        let found = diff::between(black_box(&full.before), black_box(&after));
        black_box(serde_json::to_string(&found).unwrap());
    });
}

/// A stretch of a long life.
struct Mix {
    before: State,
    log: Vec<Envelope>,
    lines: Vec<String>,
}

impl Mix {
    fn of(size: Size) -> Self {
        let life = Life::of(size);
        let before = life.state.clone();
        let mut walk = Walk::from(life, size);
        let log: Vec<Envelope> = (0..MIX_EVENTS).map(|_| walk.step()).collect();
        let lines = log.iter().map(|envelope| serde_json::to_string(envelope).unwrap()).collect();
        Self { before, log, lines }
    }

    fn fold(&self) -> State {
        self.log.iter().fold(self.before.clone(), |state, envelope| reduce(&state, envelope).state)
    }
}

fn measure_mix(criterion: &mut Criterion, figures: &mut Figures, full: &Mix, one: &Mix) {
    figures.time(criterion, PARSE, MIX, MIX_EVENTS, || {
        for line in &full.lines {
            black_box(serde_json::from_str::<Envelope>(black_box(line)).unwrap());
        }
    });
    figures.time(criterion, FULL_SIZE, MIX, MIX_EVENTS, || drop(black_box(full.fold())));
    figures.time(criterion, SIZE_ONE, MIX, MIX_EVENTS, || drop(black_box(one.fold())));
    let mut states = vec![full.before.clone()];
    for envelope in &full.log {
        let next = reduce(states.last().unwrap(), envelope).state;
        states.push(next);
    }
    figures.time(criterion, DIFF, MIX, MIX_EVENTS, || {
        for pair in states.windows(2) {
            black_box(diff::between(&pair[0], &pair[1]));
        }
    });
    figures.time(criterion, PATCH, MIX, MIX_EVENTS, || {
        for pair in states.windows(2) {
            black_box(serde_json::to_string(&diff::between(&pair[0], &pair[1])).unwrap());
        }
    });
}

/// Nanoseconds per event: of each group and event, one figure per sample.
#[derive(Default)]
struct Figures(BTreeMap<(&'static str, String), Vec<f64>>);

impl Figures {
    /// Lets criterion measure, and keeps what it was told. One run is about so many events.
    fn time(
        &mut self,
        criterion: &mut Criterion,
        group: &'static str,
        name: &str,
        events: usize,
        mut run: impl FnMut(),
    ) {
        let samples = self.0.entry((group, name.to_owned())).or_default();
        criterion.benchmark_group(group).bench_function(name, |bencher| {
            bencher.iter_custom(|runs| {
                let start = Instant::now();
                for _ in 0..runs {
                    run();
                }
                let elapsed = start.elapsed();
                samples.push(elapsed.as_secs_f64() * 1e9 / runs as f64 / events as f64);
                elapsed
            });
        });
    }

    /// The best sample: what else the machine does only ever adds to a figure.
    fn best(&self, group: &'static str, name: &str) -> Option<f64> {
        self.0.get(&(group, name.to_owned()))?.iter().copied().min_by(f64::total_cmp)
    }

    fn print(&self, names: &[&str]) {
        let row = |name: &&str| -> Option<Vec<f64>> {
            GROUPS.iter().map(|group| self.best(group, name)).collect()
        };
        let Some(rows) = names.iter().map(row).collect::<Option<Vec<_>>>() else {
            println!("No ratios: not everything was measured.");
            return;
        };
        let heads: Vec<_> = GROUPS.iter().map(|group| format!("{group:>14}")).collect();
        println!("\nBest samples, in nanoseconds per event\n{:<21}{}", "", heads.concat());
        for (name, row) in names.iter().zip(&rows) {
            let cells: Vec<_> = row.iter().map(|nanos| format!("{nanos:>14.0}")).collect();
            println!("{name:<21}{}", cells.concat());
        }
        println!();
        let ratio = |what: &str, over: usize, under: usize, most: f64| {
            let of = |row: &Vec<f64>| row[over] / row[under];
            let mix = rows.last().map_or(f64::NAN, of);
            let above =
                names.iter().zip(&rows).filter(|(name, row)| **name != MIX && of(row) > most);
            let above: Vec<_> = above.map(|(name, row)| format!("{name} {:.1}", of(row))).collect();
            let verdict = if mix <= most { "ok" } else { "TOO MUCH" };
            println!("{what:<25}{mix:>6.2}  at most {most}: {verdict}");
            println!("    above it by themselves: {}", above.join(", "));
        };
        ratio("reduce / parse, full", 1, 0, REDUCE_TO_PARSE_MAX);
        ratio("reduce, full / one", 1, 2, FULL_TO_ONE_MAX);
        ratio("diff / reduce, full", 3, 1, DIFF_TO_REDUCE_MAX);
        ratio("diff to JSON / reduce", 4, 1, DIFF_TO_REDUCE_MAX);
    }
}
