//! From the server's text to neutral cells, without loss.
//!
//! Every value arrives as the text that the server itself writes for it, under settings that are pinned for verified
//! statements (ISO dates, UTC, shortest exact floats, hexadecimal `bytea`).

use crate::value::Cell;

/// The type `bytea`.
const BYTEA: u32 = 17;

/// The cell of a value of this type. Bytes that are no UTF-8, which a database without an encoding can
/// hold, are binary.
pub(super) fn cell(type_oid: u32, bytes: Option<&[u8]>) -> Cell {
    let Some(bytes) = bytes else { return Cell::Null };
    if type_oid == BYTEA
        && let Some(binary) = binary(bytes)
    {
        return Cell::Binary(binary);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cell::Text(text.to_owned()),
        Err(_) => Cell::Binary(bytes.to_vec()),
    }
}

/// Bytes that a value counts against the limit of a cell. Binary counts as its hexadecimal digits.
pub(super) fn size(type_oid: u32, bytes: Option<&[u8]>) -> usize {
    let Some(bytes) = bytes else { return 0 };
    if type_oid == BYTEA {
        return bytes.len().saturating_sub(2);
    }
    let is_text = std::str::from_utf8(bytes).is_ok();
    if is_text { bytes.len() } else { bytes.len().saturating_mul(2) }
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
    use super::{BYTEA, cell, size};
    use crate::value::Cell;

    #[test]
    fn null_and_empty_differ() {
        assert_eq!(cell(25, None), Cell::Null);
        assert_eq!(cell(25, Some(b"")), Cell::Text(String::new()));
    }

    #[test]
    fn binary_is_binary_and_counts_as_its_digits() {
        assert_eq!(cell(BYTEA, Some(b"\\x00ff")), Cell::Binary(vec![0, 255]));
        assert_eq!(size(BYTEA, Some(b"\\x00ff")), 4);
        assert_eq!(cell(BYTEA, Some(b"\\x")), Cell::Binary(Vec::new()));
        // Another setting of the server would not be mistaken for digits.
        assert_eq!(cell(BYTEA, Some(b"abc")), Cell::Text("abc".to_owned()));
        assert_eq!(cell(25, Some(b"\\x00ff")), Cell::Text("\\x00ff".to_owned()));
    }

    #[test]
    fn bytes_that_are_no_text_are_binary() {
        assert_eq!(cell(25, Some(b"a\xff")), Cell::Binary(vec![b'a', 255]));
        assert_eq!(size(25, Some(b"a\xff")), 4);
    }
}
