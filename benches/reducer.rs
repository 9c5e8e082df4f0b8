//! What one event costs: to parse from a log, to reduce at full size and at size one, to show.
//!
//! `cargo bench --no-default-features --bench reducer` measures; after criterion's own figures it
//! prints a table of medians and the ratios that are promised. Run by `cargo test`, it only makes the
//! states and events and checks that they are what they say.
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
use dbeast::reducer::{diff, reduce, view};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use support::{Case, FULL, ONE, Size};

const PARSE: &str = "parse";
/// One event at full size costs less than parsing it.
const REDUCE_TO_PARSE_MAX: f64 = 1.0;
/// The cost at full size is at most so many times that at size one.
const FULL_TO_ONE_MAX: f64 = 3.0;
/// A difference of views after one event costs at most so many times that event.
const VIEW_TO_REDUCE_MAX: f64 = 2.0;

fn main() {
    let sizes = [ONE, FULL].map(|size| (size, support::cases(size)));
    // Cargo says so; without it, this runs as a test.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(40)
        .configure_from_args();
    let mut figures = Figures::default();
    for (size, cases) in &sizes {
        for case in cases {
            measure(&mut criterion, &mut figures, *size, case);
        }
    }
    criterion.final_summary();
    let names: Vec<&str> = sizes[1].1.iter().map(|case| case.name).collect();
    figures.print(&names);
}

fn reduce_at(size: Size) -> String {
    format!("reduce {}", size.word)
}

/// Projecting, serialising and comparing: what the person's stream costs for one event.
fn view_at(size: Size) -> String {
    format!("view {}", size.word)
}

fn measure(criterion: &mut Criterion, figures: &mut Figures, size: Size, case: &Case) {
    let Case { name, before, envelope, line } = case;
    // The lines differ a little between the sizes; the ratios are about the full one.
    if size.word == FULL.word {
        figures.time(criterion, PARSE, name, || {
            black_box(serde_json::from_str::<Envelope>(black_box(line)).unwrap());
        });
    }
    figures.time(criterion, &reduce_at(size), name, || {
        black_box(reduce(black_box(before), black_box(envelope)));
    });
    let shown = diff::to_value(&view::project(before));
    let after = reduce(before, envelope).state;
    figures.time(criterion, &view_at(size), name, || {
        let next = diff::to_value(&view::project(black_box(&after)));
        black_box(diff::between(black_box(&shown), &next));
    });
}

/// Nanoseconds per run: of each group and event, one figure per sample.
#[derive(Default)]
struct Figures(BTreeMap<(String, String), Vec<f64>>);

impl Figures {
    /// Lets criterion measure, and keeps what it was told.
    fn time(&mut self, criterion: &mut Criterion, group: &str, name: &str, mut run: impl FnMut()) {
        let samples = self.0.entry((group.to_owned(), name.to_owned())).or_default();
        criterion.benchmark_group(group).bench_function(name, |bencher| {
            bencher.iter_custom(|runs| {
                let start = Instant::now();
                for _ in 0..runs {
                    run();
                }
                let elapsed = start.elapsed();
                samples.push(elapsed.as_secs_f64() * 1e9 / runs as f64);
                elapsed
            });
        });
    }

    fn median(&self, group: &str, name: &str) -> Option<f64> {
        let mut samples = self.0.get(&(group.to_owned(), name.to_owned()))?.clone();
        samples.sort_unstable_by(f64::total_cmp);
        samples.get(samples.len() / 2).copied()
    }

    fn print(&self, names: &[&str]) {
        let groups =
            [PARSE.to_owned(), reduce_at(FULL), reduce_at(ONE), view_at(FULL), view_at(ONE)];
        let row = |name: &str| -> Option<Vec<f64>> {
            groups.iter().map(|group| self.median(group, name)).collect()
        };
        let Some(rows) = names.iter().map(|name| row(name)).collect::<Option<Vec<_>>>() else {
            println!("No ratios: not everything was measured.");
            return;
        };
        let line = |name: &str, row: &[f64]| {
            let cells: Vec<_> = row.iter().map(|nanos| format!("{:>14.2}", nanos / 1e3)).collect();
            println!("{name:<20}{}", cells.concat());
        };
        let heads: Vec<_> = groups.iter().map(|group| format!("{group:>14}")).collect();
        println!("\nMedians, in microseconds\n{:<20}{}", "", heads.concat());
        for (name, row) in names.iter().zip(&rows) {
            line(name, row);
        }
        let sums: Vec<f64> =
            (0..groups.len()).map(|at| rows.iter().map(|row| row[at]).sum()).collect();
        line("the mix", &sums);
        let worst = |over: usize, under: usize| {
            rows.iter().map(|row| row[over] / row[under]).fold(0.0, f64::max)
        };
        let ratio = |what: &str, over: usize, under: usize, most: f64| {
            let (mix, worst) = (sums[over] / sums[under], worst(over, under));
            let verdict = if mix <= most { "ok" } else { "TOO MUCH" };
            println!("{what:<20}{mix:>8.2}  (worst event {worst:.2}; at most {most})  {verdict}");
        };
        println!();
        ratio("reduce / parse, full", 1, 0, REDUCE_TO_PARSE_MAX);
        ratio("reduce, full / one", 1, 2, FULL_TO_ONE_MAX);
        ratio("view / reduce, full", 3, 1, VIEW_TO_REDUCE_MAX);
    }
}
