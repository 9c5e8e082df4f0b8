//! Writes one INSERT, UPDATE or DELETE.

use super::Writer;
use crate::sql::expression::Expression;
use crate::sql::statement::Table;
use crate::sql::write::{Assignment, Cell, TableWrite};

impl Writer {
    /// Writes a write.
    pub(super) fn write(&mut self, write: &TableWrite) {
        match write {
            TableWrite::Insert { table, columns, rows } => {
                self.word("INSERT INTO ");
                self.target(table);
                self.word(" (");
                self.list(columns, Self::name);
                self.word(")");
                self.line();
                self.word("VALUES ");
                for (position, row) in rows.iter().enumerate() {
                    if position > 0 {
                        self.word(",");
                        self.line();
                        self.word("  ");
                    }
                    self.word("(");
                    self.list(row, Self::cell);
                    self.word(")");
                }
            }
            TableWrite::Update { table, assignments, filter } => {
                self.word("UPDATE ");
                self.target(table);
                self.line();
                self.word("SET ");
                self.list(assignments, Self::assignment);
                self.filter(filter.as_ref());
            }
            TableWrite::Delete { table, filter } => {
                self.word("DELETE FROM ");
                self.target(table);
                self.filter(filter.as_ref());
            }
        }
    }

    fn target(&mut self, table: &Table) {
        self.name(&table.schema);
        self.word(".");
        self.name(&table.name);
    }

    fn assignment(&mut self, assignment: &Assignment) {
        let Assignment { column, cell } = assignment;
        self.name(column);
        self.word(" = ");
        self.cell(cell);
    }

    fn cell(&mut self, cell: &Cell) {
        match cell {
            Cell::Default => self.word("DEFAULT"),
            Cell::Value(value) => self.expression(value),
        }
    }

    fn filter(&mut self, filter: Option<&Expression>) {
        if let Some(filter) = filter {
            self.line();
            self.word("WHERE ");
            self.condition(filter);
        }
    }
}
