//! Damaged statements: none panics, and whatever is accepted is its own normal form.

use super::DIALECTS;
use crate::sql::verify;
use crate::value::Engine;
use std::time::{Duration, Instant};

/// Where damage starts from.
const SEEDS: [&str; 8] = [
    "SELECT o.id, count(*) AS n FROM main.orders AS o LEFT JOIN main.users u ON o.user_id = u.id GROUP BY 1 ORDER BY n",
    "SELECT DISTINCT lower(name) FROM main.t WHERE a LIKE 'x!%%' ESCAPE '!' AND b NOT IN (1, 2.5e3, -3) LIMIT 5, 6",
    "SELECT CASE a WHEN 1 THEN 'it''s' ELSE NULL END x FROM main.t, main.u WHERE t.a BETWEEN 1 AND 2 OR NOT b IS NULL",
    "SELECT a || 'b\\c' FROM main.t WHERE (a - -1) % 2 <> 0 ORDER BY a DESC NULLS LAST LIMIT 1 OFFSET 2; -- end",
    "SELECT `a b`.* FROM main.`t``u` `a b` JOIN main.v USING (id, x) WHERE coalesce(`a b`.x, 1) >= round(2.5, 1)",
    "SELECT \"a b\".*, \"X\" FROM main.\"t\"\"u\" \"a b\" WHERE avg(DISTINCT \"a b\".\"X\") IS NOT TRUE /* x */",
    "SELECT E'a\\\\b', 'x', 1 FROM main.t FULL JOIN main.\u{e9}t\u{e9} ON true WHERE nullif(t.a, octet_length('\u{20ac}')) = 1",
    "SELECT t.a FROM main.t WHERE NOT (a = 1 AND (b = 2 OR c < 3)) HAVING min(a) > 1 AND max(b) < 2 ORDER BY 1",
];

/// Pieces that are put in.
const PIECES: [&str; 40] = [
    "'",
    "\"",
    "`",
    "\\",
    ";",
    "--",
    "-- ",
    "\n",
    "\r",
    "/*",
    "*/",
    "/*!",
    "#",
    "(",
    ")",
    ",",
    ".",
    "*",
    " ",
    "\0",
    "$$",
    "$1",
    "?",
    "@",
    ":",
    "::",
    "E'",
    "U&'",
    "x'",
    "_utf8",
    "1",
    "0x1",
    "e",
    " AND ",
    " NOT ",
    " INTO ",
    " UNION SELECT ",
    "\u{37e}",
    "\u{200b}",
    "\u{17f}",
];

/// A small deterministic generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound.max(1)
    }
}

/// Damages a statement in one to four places.
fn damaged(seed: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = seed.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(letters.len() + 1);
        match random.below(5) {
            0 => letters.truncate(at.max(8)),
            1 => {
                let end = letters.len().min(at + 1 + random.below(6));
                letters.drain(at.min(end)..end);
            }
            2 => {
                let end = letters.len().min(at + 1 + random.below(12));
                let copy = letters.get(at..end).unwrap_or_default().to_vec();
                let to = random.below(letters.len() + 1);
                letters.splice(to..to, copy);
            }
            _ => {
                let piece = PIECES.get(random.below(PIECES.len())).copied().unwrap_or_default();
                letters.splice(at..at, piece.chars());
            }
        }
    }
    letters.into_iter().collect()
}

fn check(text: &str, dialect: Engine) -> bool {
    match verify(text, dialect) {
        Err(_) => false,
        Ok(verified) => {
            let again = verify(&verified.sql, dialect);
            assert_eq!(again.as_ref(), Ok(&verified), "{dialect:?} {text:?}");
            true
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "bounds how long the test takes")]
#[test]
fn damaged_statements_never_panic_and_accepted_ones_are_stable() {
    let started = Instant::now();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    let mut tried = 0;
    while tried < 6_000 && started.elapsed() < Duration::from_secs(2) {
        for dialect in DIALECTS {
            let seed = SEEDS.get(random.below(SEEDS.len())).copied().unwrap_or_default();
            accepted += usize::from(check(&damaged(seed, &mut random), dialect));
            tried += 1;
        }
    }
    assert!(
        accepted * 20 > tried,
        "{accepted} of {tried}: the damage is too strong to test anything"
    );
    assert!(
        accepted * 10 < tried * 9,
        "{accepted} of {tried}: the damage is too weak to test anything"
    );
}
