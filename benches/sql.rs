//! What a verdict costs: of a typical text, against its parser alone, and of the worst texts.
//!
//! `cargo bench --no-default-features --features sql --bench sql` measures; after criterion's own figures
//! it prints the best samples and the ratios that are promised. Run by `cargo test`, it only checks that each text
//! becomes what it says. What a verdict takes of memory is in `tests/sql_memory.rs`.
#![allow(
    missing_docs,
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark reads a clock, prints, and stops at the first surprise"
)]

mod sql_texts;

use criterion::Criterion;
use dbeast::sql::verify;
use dbeast::value::Engine;
use sql_texts::{Case, DIALECTS, Fate};
use sqlparser::dialect::{Dialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A verdict on a typical text costs at most so many times what its parser costs.
const VERIFY_TO_PARSE_MAX: f64 = 3.0;
/// The worst text costs at most so many times what a typical one of the same size costs.
const WORST_TO_TYPICAL_MAX: f64 = 50.0;

fn main() {
    for dialect in DIALECTS {
        check(dialect);
    }
    // Cargo says so; without it, this runs as a test.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(300))
        .sample_size(20)
        .configure_from_args();
    let mut lines = Vec::new();
    for dialect in DIALECTS {
        measure(&mut criterion, dialect, &mut lines);
    }
    criterion.final_summary();
    println!("\nBest samples, in microseconds");
    for line in lines {
        println!("{line}");
    }
}

/// Each text is of its size, and becomes what it says.
fn check(dialect: Engine) {
    let (short, long) = (sql_texts::typical(dialect), sql_texts::typical_long(dialect));
    assert!((1_000..=1_100).contains(&short.len()), "{dialect:?}: {} bytes", short.len());
    assert!((62_000..=65_536).contains(&long.len()), "{dialect:?}: {} bytes", long.len());
    for text in [&short, &long] {
        assert!(verify(text, dialect).is_ok(), "{dialect:?}: {:?}", verify(text, dialect));
        assert!(parse(text, dialect), "{dialect:?}: the parser alone");
    }
    for Case { name, text, fate } in sql_texts::worst(dialect) {
        let became = verify(&text, dialect)
            .map_or_else(|reason| Fate::Refused(reason.code()), |_| Fate::Accepted);
        assert_eq!(became, fate, "{dialect:?} {name}");
    }
}

/// The parser alone, with the dialect that the proof uses.
fn parse(text: &str, dialect: Engine) -> bool {
    let grammar: &dyn Dialect = match dialect {
        Engine::Sqlite => &SQLiteDialect {},
        Engine::Postgres => &PostgreSqlDialect {},
        Engine::Mysql | Engine::Mariadb => &MySqlDialect {},
    };
    black_box(Parser::parse_sql(grammar, black_box(text))).is_ok()
}

fn measure(criterion: &mut Criterion, dialect: Engine, lines: &mut Vec<String>) {
    let word = dialect.word();
    let mut verifying = |name: &str, text: &str| {
        time(criterion, word, name, || {
            let _verdict = black_box(verify(black_box(text), dialect));
        })
    };
    let (short, long) = (sql_texts::typical(dialect), sql_texts::typical_long(dialect));
    let short_verified = verifying("typical 1 KiB", &short);
    let long_verified = verifying("typical 64 KiB", &long);
    let mut worst: Vec<(f64, &str)> = sql_texts::worst(dialect)
        .iter()
        .map(|case| (verifying(case.name, &case.text), case.name))
        .collect();
    let parsed = |criterion: &mut Criterion, name: &str, text: &str| {
        time(criterion, word, name, || {
            black_box(parse(text, dialect));
        })
    };
    let short_parsed = parsed(criterion, "typical 1 KiB, parser alone", &short);
    let long_parsed = parsed(criterion, "typical 64 KiB, parser alone", &long);
    worst.sort_by(|one, other| other.0.total_cmp(&one.0));
    let ratio = short_verified / short_parsed;
    lines.push(format!(
        "{word:<10}{short_verified:>9.0} / {short_parsed:>7.0} = {ratio:>5.2}  a typical 1 KiB \
         / its parser alone, at most {VERIFY_TO_PARSE_MAX}: {}",
        verdict(ratio, VERIFY_TO_PARSE_MAX)
    ));
    lines.push(format!(
        "{:<10}{long_verified:>9.0} / {long_parsed:>7.0} = {:>5.2}  a typical 64 KiB / its parser alone",
        "",
        long_verified / long_parsed
    ));
    for (at, (micros, name)) in worst.iter().take(4).enumerate() {
        let ratio = micros / long_verified;
        let bound = if at == 0 {
            format!(", at most {WORST_TO_TYPICAL_MAX}: {}", verdict(ratio, WORST_TO_TYPICAL_MAX))
        } else {
            String::new()
        };
        lines.push(format!(
            "{:<10}{micros:>9.0} / {long_verified:>7.0} = {ratio:>5.2}  {name} / a typical 64 KiB{bound}",
            ""
        ));
    }
}

const fn verdict(ratio: f64, most: f64) -> &'static str {
    if ratio <= most { "ok" } else { "TOO MUCH" }
}

/// Lets criterion measure. The best sample, in microseconds: what else the machine does only ever adds.
fn time(criterion: &mut Criterion, group: &str, name: &str, mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    criterion.benchmark_group(group).bench_function(name, |bencher| {
        bencher.iter_custom(|runs| {
            let start = Instant::now();
            for _ in 0..runs {
                run();
            }
            let elapsed = start.elapsed();
            best = best.min(elapsed.as_secs_f64() * 1e6 / runs as f64);
            elapsed
        });
    });
    best
}
