//! No text exhausts stack, time or memory.

use super::{DIALECTS, table};
use crate::reason::SqlReason;
use crate::sql::limits::{IN_ITEMS_MAX, SQL_BYTES_MAX};
use crate::sql::verify;
use crate::value::Engine;
use std::time::{Duration, Instant};

/// Fills the longest text with `start`, then `part` again and again, then `end` as often.
fn filled(start: &str, part: &str, middle: &str, end: &str) -> String {
    let room = SQL_BYTES_MAX - start.len() - middle.len();
    let times = room / (part.len() + end.len());
    format!("{start}{}{middle}{}", part.repeat(times), end.repeat(times))
}

/// As many repetitions as the bound on words and operators lets through to the parser.
fn most_chained(start: &str, part: &str, end: &str) -> Vec<String> {
    [30, 400, 900, 1_950]
        .iter()
        .map(|times| format!("{start}{}{end}", part.repeat(*times)))
        .collect()
}

fn deep_texts(dialect: Engine) -> Vec<String> {
    let from = format!(" FROM {}", table(dialect));
    let select = "SELECT a FROM ".to_owned() + table(dialect);
    let filter = select.clone() + " WHERE a";
    let mut texts = vec![
        filled("SELECT ", "(", "1", ")"),
        filled("SELECT ", "((", "1", "))"),
        filled("SELECT ", "-", "1", ""),
        filled("SELECT ", "- ", "1", ""),
        filled("SELECT ", "NOT ", "1", ""),
        filled("SELECT ", "abs(", "1", ")"),
        filled("", "(", "SELECT 1", ")"),
        filled("", "SELECT (", "1", ")"),
        filled("SELECT ", "CASE WHEN 1 THEN ", "1", " END"),
        filled("SELECT * FROM ", "(", "a.b", ")"),
        filled("SELECT * FROM ", "(SELECT * FROM ", "a.b", ")"),
        filled("SELECT 1", "/*", "", "*/"),
        filled("SELECT 1", "--\n", "", ""),
        filled("SELECT 1", "/**/", "", ""),
        filled("SELECT ", "''", "", ""),
        filled("SELECT ", "\"\"", "", ""),
        filled("SELECT a", ".a", "", ""),
        filled("SELECT ", "a,", "a", "") + &from,
        filled("SELECT ", "1,", "1", "") + &from,
        filled("SELECT ", "+", "", ""),
        filled("SELECT ", "=-", "", ""),
        filled("WITH ", "a AS (SELECT 1), ", "SELECT 1", ""),
        filled("EXPLAIN ", "EXPLAIN ", "SELECT 1", ""),
    ];
    for part in [
        "(",
        "((",
        "NOT ",
        "- ",
        "CASE ",
        "CASE WHEN ",
        "abs(",
        "SELECT ",
        "(SELECT ",
        "INTERVAL ",
        "a IN (",
    ] {
        texts.extend(most_chained("SELECT ", part, ""));
    }
    for part in [
        " + 1",
        " AND a",
        " OR a",
        " IS NULL",
        " = 1",
        " IN (1)",
        " BETWEEN 1 AND 2",
        " COLLATE x",
        " LIKE 'x'",
        " UNION SELECT 1",
        " NOT",
        " || a",
        " GLOB a",
        " REGEXP a",
        " AT TIME ZONE 'x'",
        " * - 1",
        " + (1)",
        " DATE",
        " IS NOT",
        " OVERLAPS a",
        " MATCH a",
        " DIV 2",
        " XOR a",
        " RLIKE a",
        " AND CASE",
        " ISNULL",
        " AND NOT a",
        " , a",
        " OR (a",
        " AND (a AND a)",
    ] {
        texts.extend(most_chained(&filter, part, ""));
    }
    for part in [
        " JOIN a.b",
        " NATURAL JOIN a.b",
        ", a.b",
        " LEFT JOIN a.b ON a = b",
        " ON a = b",
        " CROSS JOIN (a.b",
    ] {
        texts.extend(most_chained(&select, part, ""));
    }
    texts
}

#[expect(clippy::disallowed_methods, reason = "measures how long a text takes")]
#[test]
fn hostile_texts_end_quickly_on_a_small_stack() {
    let work = || {
        let mut slowest = (Duration::ZERO, String::new());
        for dialect in [Engine::Sqlite, Engine::Postgres, Engine::Mysql] {
            for text in deep_texts(dialect) {
                let started = Instant::now();
                let _verdict = verify(&text, dialect);
                if started.elapsed() > slowest.0 {
                    slowest = (started.elapsed(), text.chars().take(60).collect());
                }
            }
        }
        slowest
    };
    let thread =
        std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread starts");
    let (slowest, text) = thread.join().expect("no text overflows or panics");
    assert!(slowest < Duration::from_secs(2), "{slowest:?} for {text}");
}

/// Depths between those that the bounds allow and those that stop the reader before the parser: how much stack is
/// left where the parser looks differs from one to the next.
#[test]
fn every_depth_fits_a_small_stack() {
    let nestings = [
        ("SELECT 1 FROM ", "(SELECT * FROM ", "a.b AS x", ") AS q"),
        ("SELECT * FROM ", "(", "a.b AS x", ")"),
        ("SELECT * FROM ", "a.b JOIN (", "a.c", ") ON 1 = 1"),
        ("SELECT * FROM ", "(a.b JOIN ", "a.c", " ON 1 = 1)"),
        ("SELECT ", "1 IN (SELECT ", "1", ")"),
        ("SELECT ", "(SELECT ", "1", ")"),
        ("SELECT 1 WHERE ", "EXISTS (SELECT 1 WHERE ", "a", ")"),
        ("", "WITH a AS (", "SELECT 1", ") SELECT 1"),
        ("SELECT ", "CASE WHEN (SELECT ", "1", ") THEN 1 END"),
        ("SELECT ", "coalesce(1, ", "1", ")"),
    ];
    for stack in (1_usize << 20..=2 << 20).step_by(40_000) {
        let work = move || {
            for (start, part, middle, end) in nestings {
                for depth in [8, 11, 20, 40] {
                    let text =
                        format!("{start}{}{middle}{}", part.repeat(depth), end.repeat(depth));
                    let _verdict = verify(&text, Engine::Postgres);
                }
            }
        };
        let thread = std::thread::Builder::new().stack_size(stack).spawn(work);
        thread.expect("a thread starts").join().expect("no text panics");
    }
}

#[test]
fn each_bound_has_its_own_reason() {
    let cases = [
        ("SELECT ".to_owned() + &"(".repeat(49) + "1" + &")".repeat(49), SqlReason::TooDeep),
        ("SELECT 1".to_owned() + &" + 1".repeat(40), SqlReason::TooDeep),
        ("SELECT ".to_owned() + &"1 + ".repeat(2_001) + "1", SqlReason::TooManyTokens),
        ("SELECT ".to_owned() + &"1, ".repeat(300) + "1", SqlReason::TooManyParts),
        (format!("SELECT 1 IN ({}1)", "1, ".repeat(IN_ITEMS_MAX)), SqlReason::TooManyParts),
        (format!("SELECT '{}'", "x".repeat(8_193)), SqlReason::LiteralTooLong),
        (format!("SELECT 'x' LIKE '{}'", "x".repeat(1_001)), SqlReason::LiteralTooLong),
        (
            format!("SELECT 1{}", format!(" OR 'x' LIKE '{}'", "x".repeat(999)).repeat(5)),
            SqlReason::TooManyParts,
        ),
        ("SELECT 1".to_owned() + &" OR 'x' LIKE lower('x')".repeat(5), SqlReason::TooManyParts),
        (format!("SELECT {}", "9".repeat(65)), SqlReason::LiteralTooLong),
        ("SELECT 1e9999".to_owned(), SqlReason::LiteralTooLong),
        (format!("SELECT 1{}", " ".repeat(SQL_BYTES_MAX)), SqlReason::TooLong),
    ];
    for dialect in DIALECTS {
        for (text, reason) in &cases {
            let start: String = text.chars().take(40).collect();
            assert_eq!(verify(text, dialect).err(), Some(*reason), "{dialect:?} {start}");
        }
    }
}

#[test]
fn the_bounds_themselves_are_accepted() {
    for dialect in DIALECTS {
        let from = table(dialect);
        let list = format!("SELECT a FROM {from} WHERE a IN ({}1)", "1, ".repeat(IN_ITEMS_MAX - 1));
        let conditions = format!("SELECT a FROM {from} WHERE a = 1{}", " OR a = 2".repeat(400));
        let parentheses = format!("SELECT {}1{}", "(".repeat(48), ")".repeat(48));
        let nested = format!("SELECT {}1{}", "abs(".repeat(31), ")".repeat(31));
        let sums = format!("SELECT 1{}", " + 1".repeat(31));
        let patterns =
            format!("SELECT a FROM {from} WHERE a = 1{}", " OR a LIKE '%word%'".repeat(300));
        for text in [list, conditions, parentheses, nested, sums, patterns] {
            let start: String = text.chars().take(60).collect();
            assert_eq!(
                verify(&text, dialect).map(|verified| verified.tables.len() < 2),
                Ok(true),
                "{start}"
            );
        }
    }
}

#[test]
fn sixteen_tables_and_thirty_two_aliases_are_the_most() {
    for dialect in DIALECTS {
        let schema = table(dialect).trim_end_matches(".t");
        let from = |count: usize, tables: usize| {
            let list = (0..count).map(|index| format!("{schema}.t{} AS a{index}", index % tables));
            format!("SELECT 1 FROM {}", list.collect::<Vec<_>>().join(", "))
        };
        assert!(verify(&from(32, 16), dialect).is_ok());
        assert_eq!(verify(&from(17, 17), dialect).err(), Some(SqlReason::TooManyTables));
        assert_eq!(verify(&from(33, 16), dialect).err(), Some(SqlReason::TooManyAliases));
    }
}

/// Wildcards of wildcards: each query of WITH has all columns of several before it.
#[expect(clippy::disallowed_methods, reason = "measures how long a text takes")]
#[test]
fn wildcards_of_wildcards_do_not_multiply() {
    let started = Instant::now();
    for dialect in DIALECTS {
        let from = table(dialect);
        let names = (0..200).map(|index| format!("1 AS c{index}")).collect::<Vec<_>>().join(", ");
        let mut text = format!("WITH w0 AS (SELECT {names}, t.* FROM {from} AS t)");
        for level in 1..6 {
            let before = level - 1;
            let aliases = (0..4).map(|alias| format!("w{before} AS a{alias}"));
            let aliases = aliases.collect::<Vec<_>>().join(", ");
            let stars = "*, a0.*, a1.*, a2.*, a3.*";
            text.push_str(
                &[", w", &level.to_string(), " AS (SELECT ", stars, " FROM ", &aliases, ")"]
                    .concat(),
            );
        }
        text += " SELECT w.c7 FROM w5 AS w";
        assert!(verify(&text, dialect).is_ok(), "{dialect:?}");
        for twice in ["*, *", "t.*, t.*", "t.*, 1, T.*"] {
            let text = format!("SELECT {twice} FROM {from} AS t");
            assert_eq!(verify(&text, dialect).err(), Some(SqlReason::Wildcard), "{twice}");
        }
    }
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}
