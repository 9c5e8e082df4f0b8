//! Writes one SELECT.

use super::Writer;
use crate::sql::statement::{Join, JoinCondition, JoinKind, Key, Output, Relation, Select, Table};

/// Columns that a reader takes in at a glance.
const OUTPUTS_ON_A_LINE_MAX: usize = 5;

impl Writer {
    /// Writes one SELECT.
    pub(super) fn select(&mut self, select: &Select) {
        let Select { distinct, outputs, sources, filter, groups, group_filter } = select;
        self.word(if *distinct { "SELECT DISTINCT " } else { "SELECT " });
        self.outputs(outputs);
        if !sources.is_empty() {
            self.line();
            self.word("FROM ");
            self.list(sources, |writer, source| {
                writer.relation(&source.relation);
                source.joins.iter().for_each(|join| writer.join(join));
            });
        }
        if let Some(filter) = filter {
            self.line();
            self.word("WHERE ");
            self.condition(filter);
        }
        if !groups.is_empty() {
            self.line();
            self.word("GROUP BY ");
            self.list(groups, Self::key);
        }
        if let Some(filter) = group_filter {
            self.line();
            self.word("HAVING ");
            self.condition(filter);
        }
    }

    /// A few columns share a line, more have a line each.
    fn outputs(&mut self, outputs: &[Output]) {
        let is_long = outputs.len() > OUTPUTS_ON_A_LINE_MAX;
        for (position, output) in outputs.iter().enumerate() {
            if position > 0 && is_long {
                self.word(",");
                self.line();
                self.word("  ");
            } else if position > 0 {
                self.word(", ");
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

    fn relation(&mut self, relation: &Relation) {
        match relation {
            Relation::Table(Table { schema, name, alias: _ }) => {
                self.name(schema);
                self.word(".");
                self.name(name);
            }
            Relation::Common { name, alias: _ } => self.name(name),
            Relation::Derived { query, alias: _ } => self.nested(query),
        }
        self.word(" AS ");
        self.name(relation.alias());
    }

    fn join(&mut self, join: &Join) {
        let Join { kind, relation } = join;
        self.line();
        self.word(match kind {
            JoinKind::Cross => "  CROSS JOIN ",
            JoinKind::Inner(_) => "  INNER JOIN ",
            JoinKind::Left(_) => "  LEFT JOIN ",
            JoinKind::Right(_) => "  RIGHT JOIN ",
            JoinKind::Full(_) => "  FULL JOIN ",
        });
        self.relation(relation);
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

    /// Writes what is grouped or sorted by.
    pub(super) fn key(&mut self, key: &Key) {
        match key {
            Key::Position(position) => self.text.push_str(&position.to_string()),
            Key::Expression(expression) => self.expression(expression),
        }
    }
}
