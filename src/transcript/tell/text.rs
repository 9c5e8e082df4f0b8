//! Lengths of time, quoted words and blocks.

use super::{Line, Told};
use crate::events::{Event, ServerEvent, VerifiedRead, WithheldText};
use crate::time::Duration;
use crate::transcript::visible::is_hidden;
use crate::value::TableName;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// `4m 59s 999ms`.
pub(super) fn length(duration: Duration) -> String {
    let units = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
    let mut rest = duration.0;
    let mut words = Vec::new();
    for (unit, size) in units {
        let number = rest / size;
        rest %= size;
        if number > 0 {
            words.push(format!("{number}{unit}"));
        }
    }
    if words.is_empty() { "0ms".to_owned() } else { words.join(" ") }
}

pub(super) const fn is_time_passed(event: &Event) -> bool {
    matches!(event, Event::Server(ServerEvent::TimePassed))
}

/// Beginnings of words that mean something outside quotes.
const SIGNAL: &[&str] = &[" for ", " with ", " of "];

/// The text in double quotes. What could be taken for a part of the line is written as an escape of
/// JSON.
pub(super) fn quoted(text: &str) -> String {
    let mut words = String::from("\"");
    for (index, character) in text.char_indices() {
        let rest = text.get(index..).unwrap_or_default();
        let is_signal = rest.starts_with(": ") || SIGNAL.iter().any(|word| rest.starts_with(word));
        if is_hidden(character) || matches!(character, '"' | '\\') || is_signal {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(words, "\\u{unit:04x}");
            }
        } else {
            words.push(character);
        }
    }
    words.push('"');
    words
}

/// `20 bytes: …`: a text of which only this is known.
pub(super) fn withheld(text: &WithheldText) -> String {
    format!("{} bytes: {}", text.bytes(), hexadecimal(text.digest()))
}

/// `, saying 20 bytes: …`.
pub(super) fn saying(cause: Option<&WithheldText>) -> String {
    cause.map(|cause| format!(", saying {}", withheld(cause))).unwrap_or_default()
}

/// Whether a name can stand in a line as it is.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// `main.orders`, or an error if it cannot be written so.
pub(super) fn table(table: &TableName) -> Told<String> {
    plain_table(table).ok_or_else(|| format!("a table called {}", quoted(&table.to_string())))
}

/// `main.orders`, if it can be written so.
pub(super) fn plain_table(table: &TableName) -> Option<String> {
    let is_plain = is_plain(&table.schema) && is_plain(&table.name);
    is_plain.then(|| format!("{}.{}", table.schema, table.name))
}

/// Puts a text below a line: as it stands, or as one quoted line if it would not come back so.
pub(super) fn put_text(line: &mut Line, text: &str) {
    let is_plain = text.lines().collect::<Vec<_>>().join("\n") == text
        && !text.is_empty()
        && text.lines().all(|line| {
            line == line.trim_end() && !line.starts_with('\\') && !line.chars().any(is_hidden)
        });
    if is_plain {
        line.block.extend(text.lines().map(str::to_owned));
    } else {
        line.block.push(format!("\\text {}", quoted(text)));
    }
}

/// Puts tables and columns below a line.
pub(super) fn put_names(line: &mut Line, read: &VerifiedRead) {
    if read.tables.is_empty() && read.columns.is_empty() {
        line.block.push("\\no tables".to_owned());
    }
    for table in &read.tables {
        put_table(line, table);
    }
    for (table, column) in &read.columns {
        put_column(line, table, column);
    }
}

/// Puts one column below a line.
pub(super) fn put_column(line: &mut Line, table: &TableName, column: &str) {
    let words = [&table.schema, &table.name, column].map(|word: &str| quoted(word));
    line.block.push(format!("\\column [{}]", words.join(",")));
}

/// Puts one table below a line.
pub(super) fn put_table(line: &mut Line, table: &TableName) {
    line.block.push(format!("\\table [{},{}]", quoted(&table.schema), quoted(&table.name)));
}

/// The tables that a story takes a text to be about if it does not list them: every
/// `schema.table` after FROM or JOIN, each once and in their order.
#[must_use]
pub fn tables_named(sql: &str) -> Vec<TableName> {
    let mut tables = BTreeSet::new();
    let mut before = "";
    for word in sql.split_whitespace() {
        let is_table = before.eq_ignore_ascii_case("from") || before.eq_ignore_ascii_case("join");
        let name = word.trim_matches([',', '(', ')']);
        if let Some((schema, name)) = name.split_once('.').filter(|_| is_table) {
            tables.insert(TableName { schema: schema.to_owned(), name: name.to_owned() });
        }
        before = word;
    }
    tables.into_iter().collect()
}

/// A digest in hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// An error for what has no words.
pub(super) fn no_words<T>(what: impl Into<String>) -> Told<T> {
    Err(what.into())
}
