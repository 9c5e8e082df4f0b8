//! Queries: WITH, SELECTs and how they are combined, FROM.

use super::forbidden::Place;
use super::{Columns, Maker, Relation};
use dbeast::value::Engine;

/// Levels of expressions and queries below which no further query begins.
const QUERY_DEPTH_MAX: usize = 5;

impl Maker<'_> {
    /// A whole statement.
    pub(super) fn statement(&mut self) {
        let is_wrapped = self.choices.one_in(10) && self.planned.is_none();
        if is_wrapped {
            self.say("(");
        }
        self.query(None);
        if is_wrapped {
            self.say(")");
        }
        self.put_in(Place::End);
    }

    /// A query in an expression, in parentheses. It sees what stands around it.
    pub(super) fn inner_query(&mut self, outputs: Option<usize>) {
        self.say("(");
        self.query(outputs);
        self.say(")");
    }

    /// A query that sees nothing of what stands around it, in parentheses.
    fn closed_query(&mut self) -> Vec<Option<String>> {
        let around = std::mem::take(&mut self.scopes);
        self.say("(");
        let outputs = self.query(None);
        self.say(")");
        self.scopes = around;
        outputs
    }

    /// A query; gives its outputs' names as they are written, as far as it gives any.
    fn query(&mut self, outputs: Option<usize>) -> Vec<Option<String>> {
        self.depth += 1;
        let visible = self.commons.len();
        if self.may_nest(QUERY_DEPTH_MAX) && self.choices.one_in(4) {
            self.with();
        }
        let outputs = outputs.unwrap_or_else(|| 1 + self.choices.below(4));
        let arms = if self.choices.one_in(5) { 1 + self.choices.below(3) } else { 0 };
        let names = self.select(outputs, arms == 0);
        if arms > 0 {
            self.arms(arms, outputs);
            self.combined_order(&names);
        }
        self.limit();
        self.commons.truncate(visible);
        self.depth -= 1;
        names
    }

    fn with(&mut self) {
        self.say("WITH");
        for common in 0..=self.choices.below(3) {
            if common > 0 {
                self.say(",");
            }
            let name = self.fresh_alias('c');
            self.say_one(name.clone());
            // The names come first, and are as many as the outputs that follow.
            let at = self.words.len();
            self.say("AS");
            let outputs = self.closed_query();
            let columns = if self.choices.one_in(3) {
                let given: Vec<_> = outputs.iter().map(|_| self.fresh_alias('k')).collect();
                let list = given.join(", ");
                self.words.insert(at, format!("({list})"));
                given
            } else {
                outputs.into_iter().flatten().collect()
            };
            self.commons.push((name, Columns::Named(columns)));
        }
    }

    /// One SELECT. Alone it may also be sorted.
    fn select(&mut self, outputs: usize, is_alone: bool) -> Vec<Option<String>> {
        self.say("SELECT");
        let is_started = self.put_in(Place::Start);
        if !is_started && self.choices.one_in(6) {
            self.say("DISTINCT");
        }
        // FROM is made first, since the outputs name what stands there, and written after them.
        let before = std::mem::take(&mut self.words);
        let relations = self.from();
        self.scopes.push(relations);
        let from = std::mem::replace(&mut self.words, before);
        let names = self.outputs(outputs);
        self.words.extend(from);
        self.clauses(outputs, is_alone);
        self.scopes.pop();
        names
    }

    fn outputs(&mut self, outputs: usize) -> Vec<Option<String>> {
        let mut names = Vec::new();
        for output in 0..outputs {
            if output > 0 {
                self.say(",");
            }
            self.expression();
            names.push(self.choices.one_in(2).then(|| {
                let name = self.fresh_alias('o');
                if self.choices.below(2) == 0 {
                    self.say("AS");
                }
                self.say_one(name.clone());
                name
            }));
        }
        names
    }

    fn clauses(&mut self, outputs: usize, is_alone: bool) {
        if self.choices.one_in(2) {
            self.say("WHERE");
            self.expression();
        }
        if self.choices.one_in(5) {
            self.say("GROUP BY");
            self.key(outputs);
        }
        if self.choices.one_in(8) {
            self.say("HAVING");
            self.expression();
        }
        if is_alone && self.choices.one_in(4) {
            self.say("ORDER BY");
            self.key(outputs);
            self.direction();
        }
    }

    /// What is grouped or sorted by: no constant.
    fn key(&mut self, outputs: usize) {
        match self.choices.below(3) {
            0 => {
                let position = 1 + self.choices.below(outputs);
                self.say_one(position.to_string());
            }
            1 => {
                let (name, _) = self.any_name();
                self.say_one(name);
            }
            _ => {
                self.say("lower (");
                self.expression();
                self.say(")");
            }
        }
    }

    fn direction(&mut self) {
        let direction = self.choices.of(&["", "ASC", "DESC"]);
        if !direction.is_empty() {
            self.say(direction);
        }
        if !self.is_mysql() && self.choices.one_in(4) {
            self.say("NULLS LAST");
        }
    }

    fn arms(&mut self, arms: usize, outputs: usize) {
        let mut operators = vec![("UNION", true), ("EXCEPT", true)];
        if self.choices.one_in(4) {
            operators = vec![("INTERSECT", true)];
        }
        if self.dialect == Engine::Sqlite {
            let is_union = |(word, _): &(&'static str, bool)| *word == "UNION";
            operators = operators.iter().map(|one| (one.0, is_union(one))).collect();
        }
        for _ in 0..arms {
            let (operator, has_all) = self.choices.of(&operators);
            self.say(operator);
            match self.choices.below(4) {
                2 if has_all => self.say("ALL"),
                3 if self.dialect != Engine::Sqlite => self.say("DISTINCT"),
                _ => {}
            }
            let is_wrapped = self.choices.one_in(4);
            if is_wrapped {
                self.say("(");
            }
            self.select(outputs, false);
            if is_wrapped {
                self.say(")");
            }
        }
    }

    /// Combined rows are sorted by what all of them have.
    fn combined_order(&mut self, names: &[Option<String>]) {
        if self.choices.one_in(3) {
            self.say("ORDER BY");
            let name = names.iter().flatten().next();
            let key = name.map_or_else(|| "1".to_owned(), Clone::clone);
            self.say_one(key);
            self.direction();
        }
    }

    fn limit(&mut self) {
        let count = self.choices.of(&["0", "10", "999999999999999999"]);
        match self.choices.below(12) {
            8 => {
                self.say("LIMIT");
                self.say(count);
            }
            9 | 10 => {
                self.say("LIMIT");
                self.say(count);
                self.say("OFFSET 3");
            }
            11 if self.dialect != Engine::Postgres => {
                self.say("LIMIT 2 ,");
                self.say(count);
            }
            _ => {}
        }
    }

    /// FROM, or nothing.
    fn from(&mut self) -> Vec<Relation> {
        let must = matches!(self.planned, Some((Place::Relation, _)));
        if !must && self.choices.one_in(6) {
            return Vec::new();
        }
        self.say("FROM");
        let mut relations = vec![self.relation()];
        while relations.len() < 4 && self.choices.below(3) == 2 {
            self.join(&mut relations);
        }
        relations
    }

    fn join(&mut self, relations: &mut Vec<Relation>) {
        let kind = self.choices.below(7);
        let words = ["JOIN", "LEFT JOIN", "INNER JOIN", "RIGHT OUTER JOIN", "CROSS JOIN", ","];
        let kind = words.get(kind).copied().unwrap_or(match self.dialect {
            Engine::Sqlite | Engine::Postgres => "FULL JOIN",
            Engine::Mysql | Engine::Mariadb => "LEFT OUTER JOIN",
        });
        self.say(kind);
        relations.push(self.relation());
        if matches!(kind, "CROSS JOIN" | ",") {
            return;
        }
        if self.choices.one_in(4) {
            let (name, is) = self.any_name();
            if let Some(Relation { alias: _, columns: Columns::Table(table) }) = relations.last() {
                self.columns.insert((table.clone(), is));
            }
            self.say("USING (");
            self.say_one(name);
            self.say(")");
        } else {
            self.say("ON");
            self.scopes.push(relations.clone());
            self.expression();
            self.scopes.pop();
        }
    }

    /// One item of FROM.
    fn relation(&mut self) -> Relation {
        if self.put_in(Place::Relation) {
            return Relation { alias: "z".to_owned(), columns: Columns::Named(Vec::new()) };
        }
        let columns = match self.choices.below(6) {
            4 if !self.commons.is_empty() => {
                let at = self.choices.below(self.commons.len());
                let (name, columns) = self.commons[at].clone();
                self.say_one(name);
                columns
            }
            5 if self.may_nest(QUERY_DEPTH_MAX) => {
                Columns::Named(self.closed_query().into_iter().flatten().collect())
            }
            _ => {
                let (schema, name, table) = self.table_name();
                self.tables.insert(table.clone());
                self.say_one(format!("{schema}.{name}"));
                Columns::Table(table)
            }
        };
        if self.choices.below(2) == 0 {
            self.say("AS");
        }
        let alias = self.fresh_alias('a');
        self.say_one(alias.clone());
        Relation { alias, columns }
    }
}
