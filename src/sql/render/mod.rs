//! Writes a typed statement as the text that runs: every name quoted, every literal encoded
//! anew, every operand in parentheses unless it is one word.
//!
//! What never lives here: decisions about what is allowed.

mod expression;
mod quote;

use super::name::Name;
use super::statement::{Join, JoinCondition, JoinKind, Key, Ordering, Output, Select, Table};
use crate::value::Engine;

/// The statement's only text.
pub(super) fn render(select: &Select, dialect: Engine) -> String {
    let mut writer = Writer { text: String::new(), dialect };
    writer.select(select);
    writer.text
}

/// A text that grows.
struct Writer {
    text: String,
    dialect: Engine,
}

impl Writer {
    /// Appends words that are not input.
    fn word(&mut self, word: &'static str) {
        self.text.push_str(word);
    }

    /// Writes items with a comma between them.
    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.word(", ");
            }
            write(self, item);
        }
    }

    fn select(&mut self, select: &Select) {
        let Select {
            distinct,
            outputs,
            sources,
            filter,
            groups,
            group_filter,
            order,
            limit,
            offset,
        } = select;
        self.word(if *distinct { "SELECT DISTINCT " } else { "SELECT " });
        self.list(outputs, Self::output);
        if !sources.is_empty() {
            self.word(" FROM ");
            self.list(sources, |writer, source| {
                writer.table(&source.table);
                source.joins.iter().for_each(|join| writer.join(join));
            });
        }
        if let Some(filter) = filter {
            self.word(" WHERE ");
            self.expression(filter);
        }
        if !groups.is_empty() {
            self.word(" GROUP BY ");
            self.list(groups, Self::key);
        }
        if let Some(filter) = group_filter {
            self.word(" HAVING ");
            self.expression(filter);
        }
        if !order.is_empty() {
            self.word(" ORDER BY ");
            self.list(order, Self::ordering);
        }
        if let Some(limit) = limit {
            self.word(" LIMIT ");
            self.text.push_str(&limit.to_string());
        }
        if let Some(offset) = offset {
            self.word(" OFFSET ");
            self.text.push_str(&offset.to_string());
        }
    }

    fn output(&mut self, output: &Output) {
        match output {
            Output::AllColumns => self.word("*"),
            Output::ColumnsOf(alias) => {
                self.name(alias);
                self.word(".*");
            }
            Output::Expression(expression, alias) => {
                self.expression(expression);
                if let Some(alias) = alias {
                    self.word(" AS ");
                    self.name(alias);
                }
            }
        }
    }

    fn table(&mut self, table: &Table) {
        let Table { schema, name, alias } = table;
        self.name(schema);
        self.word(".");
        self.name(name);
        self.word(" AS ");
        self.name(alias);
    }

    fn join(&mut self, join: &Join) {
        let Join { kind, table } = join;
        self.word(match kind {
            JoinKind::Cross => " CROSS JOIN ",
            JoinKind::Inner(_) => " INNER JOIN ",
            JoinKind::Left(_) => " LEFT JOIN ",
            JoinKind::Right(_) => " RIGHT JOIN ",
            JoinKind::Full(_) => " FULL JOIN ",
        });
        self.table(table);
        match kind.condition() {
            None => {}
            Some(JoinCondition::On(condition)) => {
                self.word(" ON ");
                self.expression(condition);
            }
            Some(JoinCondition::Using(columns)) => {
                self.word(" USING (");
                self.list(columns, Self::name);
                self.word(")");
            }
        }
    }

    fn key(&mut self, key: &Key) {
        match key {
            Key::Position(position) => self.text.push_str(&position.to_string()),
            Key::Expression(expression) => self.expression(expression),
        }
    }

    fn ordering(&mut self, ordering: &Ordering) {
        let Ordering { key, descending, nulls_first } = ordering;
        self.key(key);
        self.word(if *descending { " DESC" } else { " ASC" });
        match nulls_first {
            None => {}
            Some(true) => self.word(" NULLS FIRST"),
            Some(false) => self.word(" NULLS LAST"),
        }
    }

    fn name(&mut self, name: &Name) {
        quote::name(&mut self.text, name.as_str(), self.dialect);
    }
}
