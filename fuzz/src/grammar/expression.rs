//! Expressions. Each knows how strongly it holds together, so that parentheses stand where two engines
//! could group in two ways, and sometimes elsewhere.

use super::forbidden::Place;
use super::{Columns, Maker};
use dbeast::value::Engine;

/// How strongly an expression holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// Like one word.
    Whole,
    /// `- x`
    Sign,
    /// `+ - * / %`
    Arithmetic,
    /// `||`
    Concatenation,
    /// Comparisons and predicates.
    Comparison,
    /// NOT, AND, OR.
    Logic,
}

/// Levels of expressions and queries together.
const DEPTH_MAX: usize = 6;

const NUMBERS: [&str; 9] =
    ["1", "0", "42", "1.50", "2e3", "1.5E+3", "9223372036854775808", "007", "1e-99"];

/// What stands between the quotes of strings.
const STRINGS: [&str; 10] =
    ["a", "", "it''s", "--", "/* */", ";", "\u{20ac} \u{1f600}", "\"", "`", "%_\n\t"];

impl Maker<'_> {
    /// Any expression. If one is forbidden, this is a place for it.
    pub(super) fn expression(&mut self) -> Strength {
        if self.put_in(Place::Value) {
            return Strength::Whole;
        }
        if !self.may_nest(DEPTH_MAX) {
            return self.leaf();
        }
        self.depth += 1;
        let strength = self.compound();
        self.depth -= 1;
        strength
    }

    fn compound(&mut self) -> Strength {
        match self.choices.below(24) {
            0..5 => self.leaf(),
            5 | 6 => self.arithmetic(),
            7 | 8 => self.infix(&["=", "<>", "!=", "<", "<=", ">", ">="], Strength::Comparison),
            9 | 10 => self.infix(&["AND", "OR"], Strength::Logic),
            11 => self.concatenation(),
            12 => self.prefix("NOT", Strength::Logic),
            13 => self.prefix("-", Strength::Sign),
            14 | 15 => self.predicate(),
            16 => self.like(),
            17 | 18 => self.call(),
            19 => self.case(),
            20 => {
                self.say("(");
                self.expression();
                self.say(")");
                Strength::Whole
            }
            _ if self.is_write => self.leaf(),
            21 => {
                self.say("EXISTS");
                self.inner_query(None);
                // `NOT EXISTS (…) = x` is read as `(NOT EXISTS (…)) = x` by some.
                Strength::Comparison
            }
            22 => {
                self.inner_query(Some(1));
                Strength::Whole
            }
            _ => {
                self.operand(Strength::Comparison);
                self.negated();
                self.say("IN");
                self.inner_query(Some(1));
                Strength::Comparison
            }
        }
    }

    /// A literal or a column.
    pub(super) fn leaf(&mut self) -> Strength {
        match self.choices.below(8) {
            0..4 if self.can_name() => self.column(),
            4 => {
                let string = self.choices.of(&STRINGS);
                let quote = if self.is_mysql() && !string.contains('"') {
                    self.choices.of(&["'", "\""])
                } else {
                    "'"
                };
                let string = if quote == "\"" { string.replace("''", "'") } else { string.into() };
                self.say_one(format!("{quote}{string}{quote}"));
            }
            5 => {
                let word = self.choices.of(&["NULL", "TRUE", "FALSE"]);
                self.say(word);
            }
            6 if !self.is_mysql() => {
                let backslash = match self.dialect {
                    Engine::Postgres => self.choices.of(&["'a\\b'", "E'a\\\\b'", "e'it''s'"]),
                    Engine::Sqlite | Engine::Mysql | Engine::Mariadb => "'a\\b'",
                };
                self.say_one(backslash);
            }
            _ => {
                let number = self.choices.of(&NUMBERS);
                self.say_one(number);
            }
        }
        Strength::Whole
    }

    /// Whether a column has anything to belong to.
    fn can_name(&self) -> bool {
        self.scopes.iter().any(|scope| !scope.is_empty())
    }

    /// A column, perhaps of an alias.
    fn column(&mut self) {
        self.names_a_column = true;
        let scopes = self.scopes.iter().filter(|scope| !scope.is_empty()).count();
        let deepest = self.choices.below(scopes);
        let mut filled = self.scopes.iter().rev().filter(|scope| !scope.is_empty());
        let Some(scope) = filled.nth(deepest) else { return };
        let relation = scope[self.choices.below(scope.len())].clone();
        let (bare, is) = self.any_name();
        match relation.columns {
            _ if self.choices.one_in(4) => self.say_one(bare),
            Columns::Table(table) => {
                self.columns.insert((table, is));
                self.say_one(format!("{}.{bare}", relation.alias));
            }
            Columns::Named(names) if names.is_empty() => self.say_one(bare),
            Columns::Named(names) => {
                let name = &names[self.choices.below(names.len())];
                self.say_one(format!("{}.{name}", relation.alias));
            }
        }
    }

    /// An operand of something: in parentheses where two engines could group in two ways.
    pub(super) fn operand(&mut self, of: Strength) {
        let at = self.words.len();
        let strength = self.expression();
        let is_clear = match of {
            Strength::Logic => true,
            Strength::Whole | Strength::Sign => {
                matches!(strength, Strength::Whole | Strength::Sign)
            }
            Strength::Arithmetic => {
                matches!(strength, Strength::Whole | Strength::Sign | Strength::Arithmetic)
            }
            Strength::Concatenation => {
                matches!(strength, Strength::Whole | Strength::Sign | Strength::Concatenation)
            }
            Strength::Comparison => !matches!(strength, Strength::Comparison | Strength::Logic),
        };
        if !is_clear || self.choices.one_in(8) {
            self.words.insert(at, "(".to_owned());
            self.say(")");
        }
    }

    fn infix(&mut self, operators: &[&str], of: Strength) -> Strength {
        self.operand(of);
        let operator = self.choices.of(operators);
        self.say(operator);
        self.operand(of);
        of
    }

    fn arithmetic(&mut self) -> Strength {
        self.infix(&["+", "-", "*", "/", "%"], Strength::Arithmetic)
    }

    fn concatenation(&mut self) -> Strength {
        if self.is_mysql() {
            self.arithmetic()
        } else {
            self.infix(&["||"], Strength::Concatenation)
        }
    }

    fn prefix(&mut self, operator: &str, of: Strength) -> Strength {
        self.say(operator);
        self.operand(of);
        of
    }

    fn negated(&mut self) {
        if self.choices.one_in(3) {
            self.say("NOT");
        }
    }

    fn predicate(&mut self) -> Strength {
        self.operand(Strength::Comparison);
        match self.choices.below(3) {
            0 => {
                let state = self.choices.of(&["IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT FALSE"]);
                self.say(state);
            }
            1 => {
                self.negated();
                self.say("BETWEEN");
                self.operand(Strength::Comparison);
                self.say("AND");
                self.operand(Strength::Comparison);
            }
            _ => {
                self.negated();
                self.say("IN (");
                self.list(1, 4);
                self.say(")");
            }
        }
        Strength::Comparison
    }

    fn like(&mut self) -> Strength {
        self.operand(Strength::Comparison);
        self.negated();
        self.say("LIKE");
        self.operand(Strength::Comparison);
        if self.choices.one_in(3) {
            let escape = self.choices.of(&["'!'", "'#'", "'\"'"]);
            self.say("ESCAPE");
            self.say_one(escape);
        }
        Strength::Comparison
    }

    /// Expressions with commas between them.
    fn list(&mut self, least: usize, most: usize) {
        let items = least + self.choices.below(most - least + 1);
        for item in 0..items {
            if item > 0 {
                self.say(",");
            }
            self.expression();
        }
    }

    fn call(&mut self) -> Strength {
        let last = if self.dialect == Engine::Sqlite { 12 } else { 13 };
        match self.choices.below(last) {
            0 => self.say("count ( * )"),
            function @ 1..6 => {
                self.say(["count", "sum", "AVG", "min", "Max"][function - 1]);
                self.say("(");
                if self.choices.one_in(3) {
                    self.say("DISTINCT");
                }
                self.list(1, 1);
                self.say(")");
            }
            function @ 6..8 => {
                self.say(["round", "nullif"][function - 6]);
                self.say("(");
                self.list(if function == 6 { 1 } else { 2 }, 2);
                self.say(")");
            }
            8 => {
                self.say("COALESCE (");
                self.list(2, 4);
                self.say(")");
            }
            function => {
                let of_one = ["abs", "LOWER", "upper", "length", "char_length"];
                self.say(of_one[function - 9]);
                self.say("(");
                self.list(1, 1);
                self.say(")");
            }
        }
        Strength::Whole
    }

    fn case(&mut self) -> Strength {
        self.say("CASE");
        if self.choices.one_in(3) {
            self.expression();
        }
        for _ in 0..=self.choices.below(2) {
            self.say("WHEN");
            self.expression();
            self.say("THEN");
            self.expression();
        }
        if self.choices.one_in(2) {
            self.say("ELSE");
            self.expression();
        }
        self.say("END");
        Strength::Whole
    }

    pub(super) fn is_mysql(&self) -> bool {
        matches!(self.dialect, Engine::Mysql | Engine::Mariadb)
    }
}
