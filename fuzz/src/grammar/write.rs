//! INSERT, UPDATE and DELETE.

use super::forbidden::Place;
use super::{Columns, Maker, Relation};
use dbeast::value::{Engine, TableName};

impl Maker<'_> {
    /// A write; gives whether it touches all rows.
    pub(super) fn write(&mut self) -> bool {
        let kind = self.choices.below(3);
        let (schema, name, table) = self.table_name();
        let written = format!("{schema}.{name}");
        self.tables.insert(table.clone());
        match kind {
            0 => {
                self.say("DELETE FROM");
                self.say_one(written);
                self.put_in(Place::Target);
                self.own(name, &table);
                self.filter()
            }
            1 => {
                self.say("UPDATE");
                self.say_one(written);
                self.put_in(Place::Target);
                self.say("SET");
                self.own(name, &table);
                self.assignments(&table);
                self.filter()
            }
            _ => {
                self.say("INSERT INTO");
                self.say_one(written);
                self.insert(&table);
                self.put_in(Place::End);
                false
            }
        }
    }

    /// From here on, columns are those of the one table.
    fn own(&mut self, name: String, table: &TableName) {
        self.scopes.push(vec![Relation { alias: name, columns: Columns::Table(table.clone()) }]);
    }

    fn target_column(&mut self, table: &TableName) {
        let (written, is) = self.any_name();
        self.columns.insert((table.clone(), is));
        self.say_one(written);
    }

    fn assignments(&mut self, table: &TableName) {
        loop {
            self.target_column(table);
            self.say("=");
            self.cell();
            if self.choices.below(3) != 2 {
                break;
            }
            self.say(",");
        }
        // What is written to a row does not decide which row it is.
        self.names_a_column = false;
    }

    fn cell(&mut self) {
        if self.dialect != Engine::Sqlite && self.choices.one_in(6) {
            self.say("DEFAULT");
        } else {
            self.expression();
        }
    }

    fn filter(&mut self) -> bool {
        let is_filtered = self.choices.below(3) != 0 || self.planned.is_some();
        if is_filtered {
            self.say("WHERE");
            self.expression();
        }
        self.put_in(Place::End);
        !is_filtered || !self.names_a_column
    }

    fn insert(&mut self, table: &TableName) {
        let columns = 1 + self.choices.below(3);
        let rows = 1 + self.choices.below(3);
        self.say("(");
        for column in 0..columns {
            if column > 0 {
                self.say(",");
            }
            self.target_column(table);
        }
        self.say(") VALUES");
        for row in 0..rows {
            if row > 0 {
                self.say(",");
            }
            self.say("(");
            for column in 0..columns {
                if column > 0 {
                    self.say(",");
                }
                self.cell();
            }
            self.say(")");
        }
    }
}
