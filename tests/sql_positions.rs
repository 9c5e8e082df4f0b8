//! Every refused thing in every place, and every allowed one: no clause is looked at less than another.
//!
//! The lists are in `tests/sql_positions/`. A frame that is wrong itself would refuse everything, so
//! each frame must first accept something harmless.

#![allow(clippy::print_stdout, reason = "a test says how much it tried")]

#[path = "sql_positions/mod.rs"]
mod lists;

use dbeast::reason::SqlReason;
use dbeast::sql::{verify, verify_table_write};
use dbeast::value::Engine;
use lists::positions::{IN_A_SELECT, IN_INNER_QUERIES, IN_WRITES, OPERATORS};
use lists::{ALL, Position, Refused, Takes, allowed, queries, relations, spelled, values};

/// The normal form of a text, or why there is none.
type Verdict = Result<String, &'static str>;

/// What one of the two proofs says. A text that passes must be stable: its normal form means itself.
fn verdict(text: &str, engine: Engine, is_write: bool) -> Verdict {
    let code = SqlReason::code;
    if is_write {
        let proof = verify_table_write(text, engine).map_err(code)?;
        assert_eq!(verify_table_write(&proof.sql, engine).as_ref(), Ok(&proof), "{text}");
        assert!(verify(text, engine).is_err(), "a write reads: {text}");
        Ok(proof.sql)
    } else {
        let proof = verify(text, engine).map_err(code)?;
        assert_eq!(verify(&proof.sql, engine).as_ref(), Ok(&proof), "{text}");
        assert!(verify_table_write(text, engine).is_err(), "a read writes: {text}");
        Ok(proof.sql)
    }
}

/// A frame with something in it, for one engine.
fn filled(frame: &str, engine: Engine, content: &str) -> String {
    spelled(&frame.replacen("{}", content, 1), engine)
}

/// Counts what was tried, and keeps what was wrong.
#[derive(Default)]
struct Report {
    tried: usize,
    wrong: Vec<String>,
}

impl Report {
    fn refused(&mut self, what: &str, text: &str, verdict: &Verdict, reasons: &[&str]) {
        self.tried += 1;
        if !verdict.as_ref().is_err_and(|code| reasons.contains(code)) {
            self.wrong.push(format!("{what}: {verdict:?} instead of {reasons:?}: {text}"));
        }
    }

    fn accepted(&mut self, what: &str, text: &str, verdict: &Verdict) {
        self.tried += 1;
        if let Err(code) = verdict {
            self.wrong.push(format!("{what}: {code}: {text}"));
        }
    }

    /// Says how much was tried, which is at least as much as when the lists were written.
    fn finish(self, what: &str, least: usize) {
        println!("{}: {what}", self.tried);
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(self.tried >= least, "only {} {what}, {least} expected", self.tried);
    }
}

/// The operand places of every operator.
fn operands() -> Vec<(String, String)> {
    let sides = OPERATORS.iter().flat_map(|operator| {
        [
            (
                format!("left_of {operator}"),
                format!("SELECT id FROM S.t WHERE ({{}} {operator} 1) = 2"),
            ),
            (
                format!("right_of {operator}"),
                format!("SELECT id FROM S.t WHERE (1 {operator} {{}}) = 2"),
            ),
        ]
    });
    sides.collect()
}

/// All places of values: name, frame, what it holds, whether it writes.
fn places(engine: Engine) -> Vec<(String, String, Takes, bool)> {
    let of = |list: &[Position], is_write: bool| -> Vec<_> {
        let here = list.iter().filter(|place| place.engines.contains(&engine));
        here.map(|place| (place.name.to_owned(), place.frame.to_owned(), place.takes, is_write))
            .collect()
    };
    let operands =
        operands().into_iter().map(|(name, frame)| (name, frame, Takes::Value, false)).collect();
    [of(IN_A_SELECT, false), of(IN_INNER_QUERIES, false), operands, of(IN_WRITES, true)].concat()
}

fn on(engine: Engine, list: &[Refused]) -> impl Iterator<Item = &Refused> {
    list.iter().filter(move |refused| refused.engines.contains(&engine))
}

#[test]
fn every_place_of_a_value_holds_something_harmless() {
    let mut report = Report::default();
    for engine in ALL.iter().copied() {
        for (name, frame, takes, is_write) in places(engine) {
            let text = filled(&frame, engine, takes.harmless());
            let what = format!("{engine:?} {name}");
            report.accepted(&what, &text, &verdict(&text, engine, is_write));
        }
    }
    report.finish("places of values hold something harmless", 480);
}

#[test]
fn a_refused_value_is_refused_in_every_place() {
    let mut report = Report::default();
    for engine in ALL.iter().copied() {
        for (name, frame, takes, is_write) in places(engine) {
            for refused in on(engine, values::PLAIN).chain(on(engine, values::QUERIES)) {
                let text = filled(&frame, engine, refused.text);
                let what = format!("{engine:?} {} in {name}", refused.name);
                let reasons = [&refused.reasons(), takes.own_reasons()].concat();
                report.refused(&what, &text, &verdict(&text, engine, is_write), &reasons);
            }
        }
    }
    report.finish("refused values in places", 40_000);
}

#[test]
fn an_allowed_value_is_accepted_in_every_place_that_holds_it() {
    let mut report = Report::default();
    for engine in ALL.iter().copied() {
        for (name, frame, takes, is_write) in places(engine) {
            for allowed in allowed::VALUES.iter().filter(|value| value.engines.contains(&engine)) {
                let text = filled(&frame, engine, allowed.text);
                let what = format!("{engine:?} {} in {name}", allowed.text);
                let verdict = verdict(&text, engine, is_write);
                if allowed.fits(takes) {
                    report.accepted(&what, &text, &verdict);
                } else {
                    let reasons = [&["constant_key"], takes.own_reasons()].concat();
                    report.refused(&what, &text, &verdict, &reasons);
                }
            }
        }
    }
    report.finish("allowed values in places", 14_000);
}

#[test]
fn a_refused_relation_is_refused_in_every_from() {
    let mut report = Report::default();
    for engine in ALL.iter().copied() {
        for place in relations::PLACES.iter().filter(|place| place.engines.contains(&engine)) {
            let text = filled(place.frame, engine, relations::HARMLESS);
            report.accepted(place.name, &text, &verdict(&text, engine, false));
            for refused in on(engine, relations::REFUSED) {
                let text = filled(place.frame, engine, refused.text);
                let what = format!("{engine:?} {} in {}", refused.name, place.name);
                report.refused(&what, &text, &verdict(&text, engine, false), &refused.reasons());
            }
        }
    }
    report.finish("refused relations in places", 4_000);
}

#[test]
fn a_refused_query_is_refused_in_every_place() {
    let mut report = Report::default();
    for engine in ALL.iter().copied() {
        for place in queries::PLACES.iter().filter(|place| place.engines.contains(&engine)) {
            let text = filled(place.frame, engine, queries::HARMLESS);
            report.accepted(place.name, &text, &verdict(&text, engine, false));
            for refused in on(engine, queries::REFUSED) {
                let text = filled(place.frame, engine, refused.text);
                let what = format!("{engine:?} {} in {}", refused.name, place.name);
                let reasons = [&refused.reasons(), queries::also(place.name)].concat();
                report.refused(&what, &text, &verdict(&text, engine, false), &reasons);
            }
        }
    }
    report.finish("refused queries in places", 3_000);
}
