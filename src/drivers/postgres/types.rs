//! From the server's text to neutral cells, without loss.
//!
//! Every value arrives as the text that the server itself writes for it, under settings that are pinned for verified
//! statements (ISO dates, UTC, shortest exact floats, hexadecimal `bytea`).

use crate::drivers::DriverError;
use crate::drivers::budget::{Budget, hexadecimal_size};
use crate::value::Cell;

/// The type `bytea`.
const BYTEA: u32 = 17;

/// The cell of a value of this type, if it is within the limit of a cell; binary counts as its hexadecimal digits.
/// Bytes that are no UTF-8, which a database without an encoding can hold, are binary.
pub(super) fn cell(
    type_oid: u32,
    bytes: Option<&[u8]>,
    budget: &Budget,
) -> Result<Cell, DriverError> {
    let Some(bytes) = bytes else { return Ok(Cell::Null) };
    if type_oid == BYTEA {
        budget.cell(bytes.len().saturating_sub(2))?;
        if let Some(binary) = binary(bytes) {
            return Ok(Cell::Binary(binary));
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        budget.cell(bytes.len())?;
        return Ok(Cell::Text(text.to_owned()));
    }
    budget.cell(hexadecimal_size(bytes.len()))?;
    Ok(Cell::Binary(bytes.to_vec()))
}

/// `\x` and hexadecimal digits (PostgreSQL manual, "bytea Hex Format").
fn binary(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.strip_prefix(b"\\x")?;
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?));
    if rest.is_empty() { bytes.collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::BYTEA;
    use crate::drivers::Limits;
    use crate::drivers::budget::Budget;
    use crate::value::Cell;

    fn cell(type_oid: u32, bytes: Option<&[u8]>) -> Cell {
        super::cell(type_oid, bytes, &Budget::new(Limits::contract())).expect("a small cell")
    }

    #[test]
    fn null_and_empty_differ() {
        assert_eq!(cell(25, None), Cell::Null);
        assert_eq!(cell(25, Some(b"")), Cell::Text(String::new()));
    }

    #[test]
    fn binary_is_binary() {
        assert_eq!(cell(BYTEA, Some(b"\\x00ff")), Cell::Binary(vec![0, 255]));
        assert_eq!(cell(BYTEA, Some(b"\\x")), Cell::Binary(Vec::new()));
        // Another setting of the server would not be mistaken for digits.
        assert_eq!(cell(BYTEA, Some(b"abc")), Cell::Text("abc".to_owned()));
        assert_eq!(cell(25, Some(b"\\x00ff")), Cell::Text("\\x00ff".to_owned()));
    }

    #[test]
    fn bytes_that_are_no_text_are_binary() {
        assert_eq!(cell(25, Some(b"a\xff")), Cell::Binary(vec![b'a', 255]));
    }

    #[test]
    fn a_cell_is_measured_as_it_leaves() {
        let budget = Budget::new(Limits::contract().with_cell_bytes(4));
        let fits = |type_oid, bytes| super::cell(type_oid, Some(bytes), &budget).is_ok();
        assert!(fits(25, b"four") && !fits(25, b"fives"));
        assert!(fits(BYTEA, b"\\x00ff") && !fits(BYTEA, b"\\x00ff00"));
        assert!(fits(25, b"a\xff") && !fits(25, b"ab\xff"));
    }
}
