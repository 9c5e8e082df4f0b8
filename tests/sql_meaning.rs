//! The text that runs means what the text that was sent means: both are run by a real SQLite and
//! must give the same rows.
//!
//! The statements are made at random from a fixed seed, with few parentheses, so that precedence,
//! signs, aliases, positions and the odd spellings of each form all matter.

#![expect(clippy::expect_used, clippy::panic, reason = "a helper of a test fails the test")]

use dbeast::reason::SqlReason;
use dbeast::sql::verify;
use dbeast::value::Engine;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Statements to compare, and the time after which no further one is tried.
const STATEMENTS: usize = 3_000;
const TIME: Duration = Duration::from_secs(6);

const TABLES: &str = "
    CREATE TABLE t(a INTEGER, b, c TEXT, d NUMERIC, \"true\" TEXT);
    INSERT INTO t VALUES (1, 2, 'a', 1.5, 'yes'), (2, -1, 'A', -2.25, NULL), (3, NULL, 'abc', 0, ''),
        (-4, 0, 'a%b', NULL, '1'), (NULL, 3, 'it''s', 10, 'no'), (0, '1', '', 0.5, '0'),
        (7, 7.0, 'é', 7, 'x'), (9223372036854775807, 'b', NULL, 2.5, 'y'), (2, 2, '1', 100, 'z');
    CREATE TABLE u(a INTEGER, b, c TEXT, d NUMERIC);
    INSERT INTO u VALUES (1, 1, 'b', 1), (2, 2, 'ABC', NULL), (NULL, NULL, NULL, NULL),
        (3, -1, 'É', -1), (1, '2', 'a', 1.5);";

const LITERALS: [&str; 32] = [
    "0",
    "1",
    "2",
    "007",
    "1.5",
    "2.50",
    "1e2",
    "1E-1",
    "3e+0",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "1.0",
    "NULL",
    "null",
    "TRUE",
    "False",
    "''",
    "'a'",
    "'A'",
    "'abc'",
    "'a%'",
    "'%b%'",
    "'it''s'",
    "'1'",
    "' 1'",
    "'1.0'",
    "'a\\b'",
    "'--'",
    "'/*'",
    "'é'",
];

const SPACES: [&str; 8] = [" ", " ", " ", "\n", "\t", "\r\n", "/*x*/", " -- x\n"];

/// A small deterministic generator of statements.
struct Maker {
    state: u64,
    aliases: Vec<&'static str>,
}

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 33).unwrap_or(0) % bound.max(1)
    }

    fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        let at = self.below(choices.len());
        choices.get(at).copied().unwrap_or_default()
    }

    fn space(&mut self) -> &'static str {
        self.pick(&SPACES)
    }

    fn column(&mut self) -> String {
        let name = self.pick(&["a", "b", "c", "d", "A", "\"b\"", "`c`", "\"D\""]);
        match (self.below(3), self.aliases.as_slice()) {
            (0, [_]) => name.to_owned(),
            (kind, aliases) => {
                let aliases = aliases.to_vec();
                let alias = self.pick(&aliases);
                format!("{alias}{}{name}", if kind == 1 { " . " } else { "." })
            }
        }
    }

    fn leaf(&mut self) -> String {
        if self.below(5) < 3 { self.column() } else { self.pick(&LITERALS).to_owned() }
    }

    /// An expression; what is inside often stands without parentheses.
    fn expression(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return self.leaf() };
        let text = match self.below(16) {
            0..=3 => self.infix(depth),
            4 => format!("{}{}", self.pick(&["-", "- ", "-", "+", "NOT ", "not "]), {
                self.expression(depth)
            }),
            5 => {
                let state = self.pick(&[
                    " IS NULL",
                    " IS NOT NULL",
                    " is true",
                    " IS NOT TRUE",
                    " IS FALSE",
                    " IS NOT FALSE",
                    " NOT NULL",
                ]);
                self.expression(depth) + state
            }
            6 | 7 => {
                let (space, word) = (self.space(), self.pick(&["LIKE", "NOT LIKE"]));
                let escape = self.pick(&["", "", " ESCAPE '!'", " ESCAPE 'b'", " ESCAPE '\\'"]);
                format!("{}{space}{word} {}{escape}", self.expression(depth), self.leaf())
            }
            8 => {
                let word = self.pick(&["BETWEEN", "NOT BETWEEN"]);
                let (operand, low) = (self.expression(depth), self.expression(depth));
                format!("{operand} {word} {low} AND {}", self.expression(depth))
            }
            9 => {
                let word = self.pick(&[" IN (", " NOT IN(", " in\n("]);
                let items = format!("{}, {}", self.leaf(), self.expression(depth));
                let items = if self.below(2) == 0 { self.leaf() } else { items };
                format!("{}{word}{items})", self.expression(depth))
            }
            10 => self.case(depth),
            11..=13 => self.call(depth),
            _ => format!("({})", self.expression(depth)),
        };
        if self.below(3) == 0 { format!("({text})") } else { text }
    }

    fn infix(&mut self, depth: usize) -> String {
        let operator = self.pick(&[
            "+", "-", "*", "*", "/", "%", "||", "||", "=", "==", "<>", "!=", "<", "<=", ">", ">=",
            " AND ", " OR ", " and ", " or ",
        ]);
        let (before, after) = (self.space(), self.space());
        let (left, right) = (self.expression(depth), self.expression(depth));
        format!("{left}{before}{operator}{after}{right}")
    }

    fn case(&mut self, depth: usize) -> String {
        let operand = if self.below(2) == 0 { self.expression(depth) } else { String::new() };
        let mut text = format!("CASE {operand}");
        for _ in 0..=self.below(2) {
            let (condition, result) = (self.expression(depth), self.expression(depth));
            let _ = write!(text, " WHEN {condition} THEN {result}");
        }
        if self.below(2) == 0 {
            let _ = write!(text, " ELSE {}", self.expression(depth));
        }
        text + " END"
    }

    fn call(&mut self, depth: usize) -> String {
        let first = self.expression(depth);
        match self.below(3) {
            0 => {
                let name = self.pick(&["coalesce", "nullif", "COALESCE"]);
                format!("{name}({first}, {})", self.expression(depth))
            }
            1 => format!("round({first}, {})", self.pick(&["0", "1", "2"])),
            _ => {
                let name = self.pick(&["abs", "lower", "Upper", "length", "round", "octet_length"]);
                format!("{name}{}({first})", self.pick(&["", " "]))
            }
        }
    }

    fn aggregate(&mut self) -> String {
        let name = self.pick(&["count", "sum", "avg", "min", "MAX"]);
        let of = self.pick(&["", "DISTINCT ", "ALL "]);
        let depth = self.below(2);
        match self.below(4) {
            0 => "count( * )".to_owned(),
            _ => format!("{name}({of}{})", self.expression(depth)),
        }
    }

    fn from(&mut self) -> String {
        let first = self.pick(&["main.t", "MAIN.T AS t", "main.\"t\" t"]);
        self.aliases = vec!["t"];
        let join = match self.below(8) {
            0 => ", main.u AS x".to_owned(),
            1 => " CROSS JOIN main.u x".to_owned(),
            2 => {
                let kind = self.pick(&["JOIN", "left join", "RIGHT OUTER JOIN", "FULL JOIN"]);
                format!(" {kind} main.u x USING (a{})", self.pick(&["", ", b"]))
            }
            3 => {
                let kind = self.pick(&["INNER JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL OUTER JOIN"]);
                self.aliases.push("x");
                format!(" {kind} main.u x ON {}", self.expression(2))
            }
            _ => return first.to_owned(),
        };
        self.aliases = vec!["t", "x"];
        format!("{first}{join}")
    }

    /// ORDER BY or GROUP BY with these outputs.
    fn keys(&mut self, word: &str, outputs: &[String]) -> String {
        let at = self.below(outputs.len());
        let output = outputs.get(at).cloned().unwrap_or_default();
        let key = match self.below(5) {
            0 => (at + 1).to_string(),
            1 => "n".to_owned(),
            2 => "N || 1".to_owned(),
            3 => format!("({output})"),
            _ => output,
        };
        format!(" {word} {key}")
    }

    fn statement(&mut self) -> String {
        let from = self.from();
        let depth = 1 + self.below(3);
        let mut outputs = vec![self.expression(depth)];
        let grouped = self.below(4) == 0;
        if grouped {
            outputs.push(self.aggregate());
        } else if self.below(3) == 0 {
            outputs.push(self.leaf());
        }
        let names = [self.pick(&["", " AS n", " n", " AS \"N\"", " AS a"]), ""];
        let list: Vec<String> =
            outputs.iter().zip(names).map(|(output, name)| format!("{output}{name}")).collect();
        let mut text = format!(
            "{}{}{}{}FROM {from}",
            self.pick(&["SELECT ", "select DISTINCT ", "SELECT ALL "]),
            list.join(","),
            self.pick(&["", "", ", *", ", t.*"]),
            self.space()
        );
        if self.below(2) == 0 {
            let _ = write!(text, " WHERE {}", self.expression(depth));
        }
        if grouped {
            text += &self.keys("GROUP BY", outputs.get(..1).unwrap_or_default());
            text += self.pick(&["", "", " HAVING count(*) >= 1", " HAVING n IS NOT NULL"]);
        }
        if self.below(2) == 0 {
            text += &self.keys("ORDER BY", &outputs);
            text += self.pick(&["", " ASC", " desc", " DESC NULLS LAST", " NULLS FIRST"]);
        }
        text + self.pick(&[
            "",
            "",
            "",
            " LIMIT 3",
            " LIMIT 02 OFFSET 1",
            " LIMIT 1, 2",
            ";",
            " -- x",
        ])
    }
}

/// What a text gives: its rows, or nothing if SQLite refuses it.
///
/// Reals are compared by their bits.
fn rows(connection: &Connection, text: &str) -> Option<Vec<Vec<String>>> {
    let mut statement = connection.prepare(text).ok()?;
    let width = statement.column_count();
    let mut rows = statement.query([]).ok()?;
    let mut all = Vec::new();
    while let Some(row) = rows.next().ok()? {
        let cells = (0..width).map(|index| match row.get::<_, Value>(index) {
            Ok(Value::Real(number)) => format!("Real({:x})", number.to_bits()),
            Ok(other) => format!("{other:?}"),
            Err(error) => panic!("{text}: {error}"),
        });
        all.push(cells.collect());
    }
    Some(all)
}

fn database() -> Connection {
    let connection = Connection::open_in_memory().expect("a database");
    connection.execute_batch(TABLES).expect("valid test data");
    // As in the driver: "x" is a column and never a string.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false).expect("a switch");
    connection
}

#[expect(clippy::disallowed_methods, reason = "bounds how long the test takes")]
#[test]
fn the_normal_form_gives_the_same_rows() {
    let connection = database();
    let mut maker = Maker { state: 0x2545_f491_4f6c_dd1d, aliases: Vec::new() };
    let started = Instant::now();
    let (mut compared, mut with_rows) = (0, 0);
    while compared < STATEMENTS && started.elapsed() < TIME {
        let text = maker.statement();
        let verified = match verify(&text, Engine::Sqlite) {
            Ok(verified) => verified,
            Err(reason) => {
                assert_ne!(reason, SqlReason::NotReproducible, "{text}");
                continue;
            }
        };
        let (sent, runs) = (rows(&connection, &text), rows(&connection, &verified.sql));
        assert_eq!(sent, runs, "\n{text}\n{}", verified.sql);
        compared += 1;
        with_rows += usize::from(sent.is_some_and(|rows| !rows.is_empty()));
    }
    assert!(compared >= 200, "only {compared} statements were compared");
    assert!(with_rows * 3 > compared, "only {with_rows} of {compared} statements gave rows");
}

#[test]
fn odd_forms_keep_their_meaning() {
    let connection = database();
    for text in [
        "SELECT true, t.true, true = 1, a IS TRUE FROM main.t ORDER BY a",
        "SELECT a FROM main.t WHERE TRUE",
        "SELECT count(*) FROM main.t GROUP BY a, b AND FALSE",
        "SELECT -9223372036854775808, - -9223372036854775808, -(9223372036854775808)",
        "SELECT +9223372036854775808, 0 - +9223372036854775808",
        "SELECT c FROM main.t AS c ORDER BY c",
    ] {
        let verified = verify(text, Engine::Sqlite).expect(text);
        let sent = rows(&connection, text);
        assert!(sent.is_some(), "{text}");
        assert_eq!(sent, rows(&connection, &verified.sql), "{text}");
    }
}
