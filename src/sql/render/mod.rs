//! Writes a typed statement as the text that runs: every name quoted, every literal encoded
//! anew, every operand in parentheses unless it is one word. Each clause, join and condition has a line
//! of its own, since a person decides on this very text.
//!
//! What never lives here: decisions about what is allowed.

mod expression;
mod query;
mod quote;
mod select;
mod write;

use super::name::Name;
use super::statement::Query;
use super::write::TableWrite;
use crate::value::Engine;

/// A query's only text.
pub(super) fn render(query: &Query, dialect: Engine) -> String {
    let mut writer = Writer::new(dialect);
    writer.query(query);
    writer.text
}

/// A write's only text.
pub(super) fn render_write(write: &TableWrite, dialect: Engine) -> String {
    let mut writer = Writer::new(dialect);
    writer.write(write);
    writer.text
}

/// A text that grows.
struct Writer {
    text: String,
    dialect: Engine,
    /// How deep what is written stands in parentheses of queries.
    level: usize,
}

impl Writer {
    const fn new(dialect: Engine) -> Self {
        Self { text: String::new(), dialect, level: 0 }
    }

    /// Begins a line, as far in as the query that it belongs to.
    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.level {
            self.word("  ");
        }
    }

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

    fn name(&mut self, name: &Name) {
        quote::name(&mut self.text, name.as_str(), self.dialect);
    }
}
