//! Statements by chance over the shop, with few parentheses, so that precedence, scopes, aliases, positions
//! and the odd spellings of each dialect all matter.

use dbeast::value::Engine;
use std::fmt::Write;

/// What an expression is, so that PostgreSQL takes most of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Truth,
}
use Kind::{Number, Text, Truth};

type Columns = &'static [(&'static str, Kind)];

const SHOP: [(&str, Columns); 5] = [
    ("customers", &[("id", Number), ("name", Text), ("city", Text), ("credit", Number)]),
    ("products", &[("id", Number), ("name", Text), ("category", Text), ("price", Number)]),
    ("orders", &[("id", Number), ("customer_id", Number), ("placed_at", Text), ("state", Text)]),
    ("lines", &[("id", Number), ("order_id", Number), ("product_id", Number), ("price", Number)]),
    ("notes", &[("id", Number), ("order_id", Number), ("body", Text)]),
];

/// Names for outputs of queries inside others; some are names of tables and columns too.
const NAMES: [&str; 6] = ["c", "n", "id", "name", "total", "orders"];

/// A relation that columns can be taken from.
#[derive(Clone)]
struct Relation {
    alias: String,
    columns: Vec<(String, Kind)>,
}

/// A small deterministic generator.
pub(crate) struct Maker {
    state: u64,
    dialect: Engine,
    /// Relations of the query at hand, then those of the queries around it.
    scopes: Vec<Vec<Relation>>,
    /// Queries of WITH that can be named.
    commons: Vec<Relation>,
    aliases: usize,
}

impl Maker {
    pub(crate) fn new(seed: u64, dialect: Engine) -> Self {
        let state = seed | 1;
        Self { state, dialect, scopes: Vec::new(), commons: Vec::new(), aliases: 0 }
    }

    /// One statement.
    pub(crate) fn statement(&mut self) -> String {
        self.scopes.clear();
        self.commons.clear();
        self.aliases = 0;
        let kinds: Vec<Kind> = (0..=self.below(3)).map(|_| self.kind()).collect();
        let end = self.pick(&["", "", ";", " -- end", " /* end */"]);
        self.query(&kinds, 3, None) + end
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 33).unwrap_or(0) % bound.max(1)
    }

    fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.below(choices.len())]
    }

    fn is_my(&self) -> bool {
        matches!(self.dialect, Engine::Mysql | Engine::Mariadb)
    }

    fn kind(&mut self) -> Kind {
        [Number, Text, Number, Text, Truth][self.below(5)]
    }

    fn space(&mut self) -> &'static str {
        let own = match self.dialect {
            Engine::Sqlite => " --x\n",
            Engine::Postgres => "\r\n--x\r\n",
            Engine::Mysql | Engine::Mariadb => " -- it's\n",
        };
        self.pick(&[" ", " ", " ", "\n", "\t", "\r\n", "/*x*/", " -- x\n", own])
    }

    fn quoted(&self, name: &str) -> String {
        if self.is_my() { format!("`{name}`") } else { format!("\"{name}\"") }
    }

    /// A query with outputs of these kinds, named if somebody takes columns from it.
    fn query(&mut self, kinds: &[Kind], depth: usize, names: Option<&[String]>) -> String {
        let known = self.commons.len();
        let mut text = String::new();
        if depth > 1 && self.below(4) == 0 {
            text = self.common(depth - 1);
        }
        text += &self.select(kinds, depth, names);
        let operator = self.pick(&["UNION", "UNION ALL", "EXCEPT", "union"]);
        let only = if self.below(4) == 0 { "INTERSECT" } else { operator };
        let arms = if depth > 0 { self.below(4).saturating_sub(1) / 2 } else { 0 };
        for _ in 0..arms {
            let arm = self.select(kinds, depth - 1, names);
            let _ = write!(text, "{}{only}{}{arm}", self.space(), self.space());
        }
        if self.below(2) == 0 {
            let keys: Vec<String> = (1..=kinds.len()).map(|at| at.to_string()).collect();
            let how = self.pick(&["", " ASC", " desc"]);
            let _ = write!(text, " ORDER BY {}{how}", keys.join(","));
            let limits: &[&str] = match self.dialect {
                Engine::Postgres => &["", " LIMIT 3", " OFFSET 1", " LIMIT 4 OFFSET 02"],
                Engine::Sqlite | Engine::Mysql | Engine::Mariadb => {
                    &["", " LIMIT 3", " LIMIT 1, 5", " LIMIT 4 OFFSET 02"]
                }
            };
            text += self.pick(limits);
        }
        self.commons.truncate(known);
        text
    }

    fn common(&mut self, depth: usize) -> String {
        let mut parts = Vec::new();
        for _ in 0..=self.below(2) {
            let (columns, text) = self.inner(depth);
            let alias = self.alias("w");
            let list = if self.below(3) == 0 {
                let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
                format!("({})", names.join(", "))
            } else {
                String::new()
            };
            parts.push(format!("{alias}{list} AS ({text})"));
            self.commons.push(Relation { alias, columns });
        }
        format!("WITH {} ", parts.join(", "))
    }

    /// A query that knows nothing of those around it, with named outputs.
    fn inner(&mut self, depth: usize) -> (Vec<(String, Kind)>, String) {
        let count = 1 + self.below(2);
        let start = self.below(NAMES.len());
        let names: Vec<String> =
            (0..count).map(|at| NAMES[(start + at) % NAMES.len()].to_owned()).collect();
        let kinds: Vec<Kind> = (0..count).map(|_| [Number, Text][self.below(2)]).collect();
        let around = std::mem::take(&mut self.scopes);
        let text = self.query(&kinds, depth, Some(&names));
        self.scopes = around;
        (names.into_iter().zip(kinds).collect(), text)
    }

    fn alias(&mut self, letter: &str) -> String {
        self.aliases += 1;
        format!("{letter}{}", self.aliases)
    }

    fn select(&mut self, kinds: &[Kind], depth: usize, names: Option<&[String]>) -> String {
        self.scopes.push(Vec::new());
        let from = self.from(depth);
        let is_grouped = self.below(5) == 0;
        let outputs: Vec<String> = kinds
            .iter()
            .map(|kind| {
                if is_grouped {
                    self.aggregate(*kind, depth)
                } else {
                    self.expression(*kind, depth)
                }
            })
            .collect();
        let mut list = Vec::new();
        for (at, output) in outputs.iter().enumerate() {
            let name = names.and_then(|names| names.get(at));
            list.push(match name {
                Some(name) => format!("{output}{}{name}", self.pick(&[" AS ", " as "])),
                None => output.clone(),
            });
        }
        let mut text = format!(
            "{}{}{}FROM{}{from}",
            self.pick(&["SELECT ", "select DISTINCT ", "SELECT ALL ", "SELECT "]),
            list.join(","),
            self.space(),
            self.space(),
        );
        if self.below(3) > 0 {
            let _ = write!(text, "{}WHERE {}", self.space(), self.expression(Truth, depth));
        }
        if is_grouped {
            if self.below(2) == 0 {
                let _ = write!(text, " GROUP BY {}", self.column(Text));
            }
            if self.below(2) == 0 {
                let _ = write!(text, " HAVING {}", self.aggregate(Truth, depth));
            }
        }
        self.scopes.pop();
        text
    }

    fn from(&mut self, depth: usize) -> String {
        let mut text = self.relation(depth);
        for _ in 0..self.below(5).saturating_sub(2) {
            let full = if self.is_my() { "left join" } else { "FULL JOIN" };
            let kind =
                self.pick(&[",", "CROSS JOIN", "JOIN", "LEFT JOIN", "RIGHT OUTER JOIN", full]);
            let relation = self.relation(depth.saturating_sub(1));
            let _ = write!(text, "{}{kind}{}{relation}", self.space(), self.space());
            if kind.ends_with("JOIN") && kind != "CROSS JOIN" || kind == "left join" {
                // FULL JOIN wants a simple condition in PostgreSQL.
                let (left, right) = (self.column(Number), self.newest());
                let _ = write!(text, " ON {left} = {right}");
            }
        }
        text
    }

    fn relation(&mut self, depth: usize) -> String {
        let (text, relation) = match self.below(6) {
            0 if depth > 1 => {
                let (columns, query) = self.inner(depth - 1);
                let alias = self.alias("d");
                (format!("({query}) AS {alias}"), Relation { alias, columns })
            }
            1 | 2 if !self.commons.is_empty() => {
                let at = self.below(self.commons.len());
                let common = self.commons[at].clone();
                let alias = self.alias("x");
                (format!("{} {alias}", common.alias), Relation { alias, ..common })
            }
            _ => {
                let (name, columns) = SHOP[self.below(SHOP.len())];
                let schema = match self.dialect {
                    Engine::Sqlite => "main",
                    Engine::Postgres => "public",
                    Engine::Mysql | Engine::Mariadb => "shop",
                };
                let columns = columns.iter().map(|(name, kind)| ((*name).to_owned(), *kind));
                let alias = self.alias("t");
                let quoted = self.quoted(name);
                let spelled = if self.below(3) == 0 { quoted } else { name.to_owned() };
                let word = self.pick(&[" ", " AS ", "\nas "]);
                let text = format!("{schema}.{spelled}{word}{alias}");
                (text, Relation { alias, columns: columns.collect() })
            }
        };
        self.scopes.last_mut().expect("a query at hand").push(relation);
        text
    }

    /// A number of the relation that was added last.
    fn newest(&mut self) -> String {
        let relation = self.scopes.last().and_then(|scope| scope.last()).expect("a relation");
        let alias = relation.alias.clone();
        let numbers = relation.columns.iter().filter(|(_, kind)| *kind == Number);
        let first = numbers.map(|(name, _)| name.clone()).next();
        first.map_or_else(|| "1".to_owned(), |name| format!("{alias}.{name}"))
    }

    /// A column of this kind, mostly of the query at hand; a literal if there is none.
    fn column(&mut self, kind: Kind) -> String {
        let around = if self.below(4) == 0 { self.below(self.scopes.len()) } else { 0 };
        let Some(scope) = self.scopes.iter().rev().nth(around) else { return self.literal(kind) };
        let mut found = Vec::new();
        for relation in scope {
            let fitting = relation.columns.iter().filter(|(_, of)| *of == kind);
            found.extend(fitting.map(|(name, _)| (relation.alias.clone(), name.clone())));
        }
        let is_alone = self.scopes.len() == 1 && scope.len() == 1;
        if found.is_empty() {
            return self.literal(kind);
        }
        let (alias, name) = found.swap_remove(self.below(found.len()));
        match self.below(6) {
            0 => format!("{}.{}", self.quoted(&alias), self.quoted(&name)),
            1 => format!("{alias} . {name}"),
            2 if is_alone => name,
            3 if is_alone => self.quoted(&name),
            _ => format!("{alias}.{name}"),
        }
    }

    fn literal(&mut self, kind: Kind) -> String {
        let word = match (kind, self.dialect) {
            (Number, _) => {
                self.pick(&["0", "1", "2", "007", "1.5", "2.50", "1e2", "3", "11", "35"])
            }
            (Truth, _) => self.pick(&["TRUE", "false", "1 = 1", "NULL IS NULL"]),
            (Text, Engine::Mysql | Engine::Mariadb) => {
                self.pick(&["'Oslo'", "\"paid\"", "'it''s'", "\"a\"\"b'c\"", "'--'", "''", "'%o%'"])
            }
            (Text, Engine::Postgres) => {
                self.pick(&["'Oslo'", "E'paid'", "'it''s'", "E'a\\\\b'", "'\\'", "''", "'%o%'"])
            }
            (Text, Engine::Sqlite) => {
                self.pick(&["'Oslo'", "'paid'", "'it''s'", "'\"a\"'", "'\\'", "''", "'%o%'"])
            }
        };
        word.to_owned()
    }

    /// An expression; what is inside often stands without parentheses.
    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        let Some(less) = depth.checked_sub(1) else {
            return if self.below(3) == 0 { self.literal(kind) } else { self.column(kind) };
        };
        let text = match (kind, self.below(8)) {
            (_, 0) => self.case(kind, less),
            (Number | Text, 1) => {
                let (first, second) = (self.expression(kind, less), self.expression(kind, less));
                format!("{}({first},{second})", self.pick(&["coalesce", "NULLIF"]))
            }
            (Number, 2) if depth > 1 => format!("({})", self.scalar(less)),
            (Number, 3..=5) => self.infix(Number, &["+", "-", "*", "-", "%"], Number, less),
            (Number, 6) => {
                format!("{}{}", self.pick(&["-", "- ", "-"]), self.expression(kind, less))
            }
            (Number, _) => match self.below(3) {
                0 => format!("length({})", self.expression(Text, less)),
                1 => format!("ABS({})", self.expression(Number, less)),
                _ => format!("round({})", self.expression(Number, less)),
            },
            (Text, 2..=4) if !self.is_my() => self.infix(Text, &["||"], Text, less),
            (Text, _) => {
                format!("{}({})", self.pick(&["lower", "UPPER"]), self.expression(Text, less))
            }
            (Truth, 1) => self.infix(Truth, &[" AND ", " OR ", " and ", " or "], Truth, less),
            (Truth, 2) => {
                format!("{}{}", self.pick(&["NOT ", "not "]), self.expression(Truth, less))
            }
            (Truth, 3) if depth > 1 => self.subquery(less),
            (Truth, _) => self.predicate(less),
        };
        if self.below(3) == 0 { format!("({text})") } else { text }
    }

    fn infix(
        &mut self,
        left: Kind,
        operators: &[&'static str],
        right: Kind,
        depth: usize,
    ) -> String {
        let (before, after) = (self.space(), self.space());
        let (left, right) = (self.expression(left, depth), self.expression(right, depth));
        format!("{left}{before}{}{after}{right}", self.pick(operators))
    }

    fn predicate(&mut self, depth: usize) -> String {
        let kind = [Number, Text][self.below(2)];
        let compare = ["=", "<>", "!=", "<", "<=", ">", ">="];
        match self.below(6) {
            0 => {
                let state = self.pick(&[" IS NULL", " IS NOT NULL", " is not null"]);
                self.expression(kind, depth) + state
            }
            1 => {
                let word = self.pick(&["LIKE", "NOT LIKE", "like"]);
                let escape = self.pick(&["", "", " ESCAPE '!'"]);
                let pattern = self.literal(Text);
                format!("{} {word} {pattern}{escape}", self.expression(Text, depth))
            }
            2 => {
                let word = self.pick(&["BETWEEN", "NOT BETWEEN"]);
                let (operand, low) = (self.expression(kind, depth), self.expression(kind, depth));
                format!("{operand} {word} {low} AND {}", self.expression(kind, depth))
            }
            3 => {
                let word = self.pick(&[" IN (", " NOT IN(", " in\n("]);
                let (item, other) = (self.literal(kind), self.expression(kind, depth));
                format!("{}{word}{item},{other})", self.expression(kind, depth))
            }
            _ => self.infix(kind, &compare, kind, depth),
        }
    }

    fn subquery(&mut self, depth: usize) -> String {
        let kind = [Number, Text][self.below(2)];
        match self.below(3) {
            0 => format!("EXISTS ({})", self.query(&[kind], depth, None)),
            at => {
                let operand = self.column(kind);
                let word = ["IN", "NOT IN"][at - 1];
                // MySQL takes no LIMIT inside IN.
                format!("{operand} {word} ({})", self.select(&[kind], depth, None))
            }
        }
    }

    /// A query with exactly one row.
    fn scalar(&mut self, depth: usize) -> String {
        self.scopes.push(Vec::new());
        let from = self.from(depth);
        let output = self.aggregate(Number, depth);
        let filter = self.expression(Truth, depth);
        self.scopes.pop();
        format!("SELECT {output} FROM {from} WHERE {filter}")
    }

    fn case(&mut self, kind: Kind, depth: usize) -> String {
        let mut text = "CASE".to_owned();
        let operand = if self.below(2) == 0 { Some(Number) } else { None };
        if let Some(operand) = operand {
            let _ = write!(text, " {}", self.expression(operand, depth));
        }
        for _ in 0..=self.below(2) {
            let when = self.expression(operand.unwrap_or(Truth), depth);
            let _ = write!(text, " WHEN {when} THEN {}", self.expression(kind, depth));
        }
        if self.below(2) == 0 {
            let _ = write!(text, " ELSE {}", self.expression(kind, depth));
        }
        text + " END"
    }

    fn aggregate(&mut self, kind: Kind, depth: usize) -> String {
        let of = self.pick(&["", "DISTINCT ", "ALL "]);
        match kind {
            Number if self.below(3) == 0 => "count( * )".to_owned(),
            Number => {
                let name = self.pick(&["count", "sum", "avg", "min", "MAX"]);
                format!("{name}({of}{})", self.expression(Number, depth.min(1)))
            }
            Text => format!("max({of}{})", self.expression(Text, depth.min(1))),
            Truth => format!("{} > {}", self.aggregate(Number, depth), self.literal(Number)),
        }
    }
}
