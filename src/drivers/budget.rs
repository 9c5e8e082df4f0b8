//! Sizes of results, counted while they are read.
//!
//! Contract, "Limits": 256 KiB of result data, 64 KiB per cell, 500 rows. The data is sent as
//! JSON and once more as JSON inside a text, and 1 MiB is the most a response may have. Therefore
//! the exact size of the compact JSON is counted here: the copy inside the text is at most
//! twice as long, and three times 256 KiB stays below 1 MiB.

use crate::reason::DatabaseReason;
use crate::value::{Cell, ColumnDescription, ResultLimit};

use super::{DriverError, Limits};

/// Bytes of `{"binary_hex":""}`.
const BINARY_FRAME: usize = 17;

/// What is left of the limits of one result.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    used: usize,
    rows: u32,
}

/// Whether a row was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// The row fits and was counted.
    Whole,
    /// The row does not fit; the result ends before it and is truncated by this limit.
    Nothing(ResultLimit),
}

impl Budget {
    /// A fresh budget: `[]` for the columns and `[]` for the rows.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, used: 4, rows: 0 }
    }

    /// Counts the names of the columns.
    pub(crate) fn columns(&mut self, names: &[String]) -> Result<(), DriverError> {
        let sizes = names.iter().map(|name| text_size(name));
        self.used = self.used.saturating_add(list_size(sizes)).saturating_sub(2);
        if self.used > self.limits.result_bytes() {
            return Err(DriverError::limit_exceeded(DatabaseReason::RowTooLarge));
        }
        Ok(())
    }

    /// Refuses a cell of so many bytes of text before it is copied out of the database.
    pub(crate) fn cell(&self, bytes: usize) -> Result<(), DriverError> {
        if bytes > self.limits.cell_bytes() {
            return Err(DriverError::limit_exceeded(DatabaseReason::CellTooLarge));
        }
        Ok(())
    }

    /// Whether no further row can be taken, whatever it holds.
    pub(crate) fn is_full(&self) -> bool {
        self.rows >= self.limits.rows()
    }

    /// Counts a row if it fits. The first row must fit, because an empty result would say that
    /// there is nothing to read.
    pub(crate) fn row(&mut self, row: &[Cell]) -> Result<Taken, DriverError> {
        if self.is_full() {
            return Ok(Taken::Nothing(ResultLimit::Rows));
        }
        let comma = usize::from(self.rows > 0);
        let size = list_size(row.iter().map(cell_size)).saturating_add(comma);
        let used = self.used.saturating_add(size);
        if used > self.limits.result_bytes() {
            if self.rows == 0 {
                return Err(DriverError::limit_exceeded(DatabaseReason::RowTooLarge));
            }
            return Ok(Taken::Nothing(ResultLimit::Bytes));
        }
        self.used = used;
        self.rows += 1;
        Ok(Taken::Whole)
    }

    /// Bytes counted so far.
    pub(crate) fn bytes(&self) -> u64 {
        u64::try_from(self.used).unwrap_or(u64::MAX)
    }

    /// Counts an entry of a list of names; true if it fits.
    pub(crate) fn entry(&mut self, words: &[&str]) -> bool {
        let size = list_size(words.iter().map(|word| text_size(word)));
        let used = self.used.saturating_add(size).saturating_add(1);
        let fits = used <= self.limits.result_bytes();
        if fits {
            self.used = used;
        }
        fits
    }
}

/// Whether a description fits the limits.
pub(crate) fn check_description(
    columns: &[ColumnDescription],
    limits: Limits,
) -> Result<(), DriverError> {
    let mut budget = Budget::new(limits);
    for column in columns {
        budget.cell(column.name.len().max(column.declared_type.len()))?;
        if !budget.entry(&[&column.name, &column.declared_type]) {
            return Err(DriverError::limit_exceeded(DatabaseReason::RowTooLarge));
        }
    }
    Ok(())
}

/// Bytes of a compact JSON list with elements of these sizes.
fn list_size(elements: impl Iterator<Item = usize>) -> usize {
    let (count, bytes) = elements
        .fold((0_usize, 0_usize), |(count, bytes), size| (count + 1, bytes.saturating_add(size)));
    bytes.saturating_add(2).saturating_add(count.saturating_sub(1))
}

/// Bytes of a cell in compact JSON.
fn cell_size(cell: &Cell) -> usize {
    match cell {
        Cell::Null => 4,
        Cell::Text(text) => text_size(text),
        Cell::Binary(bytes) => hexadecimal_size(bytes.len()).saturating_add(BINARY_FRAME),
    }
}

/// Bytes of binary data as hexadecimal digits.
pub(crate) const fn hexadecimal_size(bytes: usize) -> usize {
    bytes.saturating_mul(2)
}

/// Bytes of a JSON string, quotes included (RFC 8259, section 7, with the short escapes).
fn text_size(text: &str) -> usize {
    let more = text.bytes().map(|byte| match byte {
        b'"' | b'\\' | 0x08 | 0x09 | 0x0a | 0x0c | 0x0d => 1,
        0x00..=0x1f => 5,
        _ => 0_usize,
    });
    text.len().saturating_add(2).saturating_add(more.sum())
}

#[cfg(test)]
mod tests {
    use super::{Budget, Taken, cell_size, text_size};
    use crate::drivers::Limits;
    use crate::value::{Cell, ResultLimit};

    #[test]
    fn text_is_counted_as_it_is_escaped() {
        assert_eq!(text_size("plain"), 7);
        assert_eq!(text_size("a\"\\\n"), 2 + 1 + 2 + 2 + 2);
        assert_eq!(text_size("\u{1}"), 2 + 6);
        assert_eq!(text_size("é"), 2 + 2);
    }

    #[test]
    fn cells_are_counted_as_they_leave() {
        assert_eq!(cell_size(&Cell::Null), "null".len());
        assert_eq!(cell_size(&Cell::Binary(vec![0, 255])), r#"{"binary_hex":"00ff"}"#.len());
    }

    #[test]
    fn a_result_is_exactly_as_large_as_its_json() {
        // [["ab",null],["c","d"]] with the columns ["x","y"]
        let json = r#"["x","y"][["ab",null],["c","d"]]"#.len();
        for (limit, last) in [(json, Taken::Whole), (json - 1, Taken::Nothing(ResultLimit::Bytes))]
        {
            let mut budget = Budget::new(Limits::contract().with_result_bytes(limit));
            budget.columns(&["x".to_owned(), "y".to_owned()]).expect("fits");
            let first = [Cell::Text("ab".to_owned()), Cell::Null];
            let second = [Cell::Text("c".to_owned()), Cell::Text("d".to_owned())];
            assert_eq!(budget.row(&first).expect("fits"), Taken::Whole);
            assert_eq!(budget.row(&second).expect("fits"), last);
        }
    }
}
