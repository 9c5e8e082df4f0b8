//! Writes a typed statement as the text that runs: every name quoted, every literal encoded
//! anew, every operand in parentheses unless it is one word. Each clause, join and condition has a line
//! of its own, since a person decides on this very text.
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

/// Columns that a reader takes in at a glance.
const OUTPUTS_ON_A_LINE_MAX: usize = 5;

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
        self.outputs(outputs);
        if !sources.is_empty() {
            self.word("\nFROM ");
            self.list(sources, |writer, source| {
                writer.table(&source.table);
                source.joins.iter().for_each(|join| writer.join(join));
            });
        }
        if let Some(filter) = filter {
            self.word("\nWHERE ");
            self.condition(filter);
        }
        if !groups.is_empty() {
            self.word("\nGROUP BY ");
            self.list(groups, Self::key);
        }
        if let Some(filter) = group_filter {
            self.word("\nHAVING ");
            self.condition(filter);
        }
        if !order.is_empty() {
            self.word("\nORDER BY ");
            self.list(order, Self::ordering);
        }
        if let Some(limit) = limit {
            self.word("\nLIMIT ");
            self.text.push_str(&limit.to_string());
        }
        if let Some(offset) = offset {
            self.word(" OFFSET ");
            self.text.push_str(&offset.to_string());
        }
    }

    /// A few columns share a line, more have a line each.
    fn outputs(&mut self, outputs: &[Output]) {
        let comma = if outputs.len() > OUTPUTS_ON_A_LINE_MAX { ",\n  " } else { ", " };
        for (position, output) in outputs.iter().enumerate() {
            if position > 0 {
                self.word(comma);
            }
            self.output(output);
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
            JoinKind::Cross => "\n  CROSS JOIN ",
            JoinKind::Inner(_) => "\n  INNER JOIN ",
            JoinKind::Left(_) => "\n  LEFT JOIN ",
            JoinKind::Right(_) => "\n  RIGHT JOIN ",
            JoinKind::Full(_) => "\n  FULL JOIN ",
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
