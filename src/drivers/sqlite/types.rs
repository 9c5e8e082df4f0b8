//! From SQLite's values to neutral cells, without loss.
//!
//! Contract, "Results and errors": scalars are exact text, and numbers never pass through
//! floating-point JSON. Sources: the SQLite manual, "Datatypes In SQLite", section 2 (storage
//! classes).

use crate::drivers::budget::hexadecimal_size;
use crate::value::Cell;
use rusqlite::types::ValueRef;

/// How a value is shown.
///
/// - INTEGER: decimal digits.
/// - REAL: the shortest decimal text that reads back as the same number, always with a point or an
///   exponent, so that `1.0` is not mistaken for an INTEGER. Negative zero is `-0.0`; the
///   infinities are `Infinity` and `-Infinity`. SQLite stores NaN as NULL.
/// - TEXT: as it is. Bytes that are no UTF-8 cannot be shown exactly as text, so they are binary.
///   (A UTF-16 database is converted to UTF-8 by SQLite itself.)
/// - BLOB: binary.
pub(super) enum Shown<'a> {
    /// NULL.
    Null,
    /// A number as text.
    Number(String),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Binary(&'a [u8]),
}

impl<'a> Shown<'a> {
    /// How a value is shown; it is not copied yet.
    pub(super) fn of(value: ValueRef<'a>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Number(number.to_string()),
            ValueRef::Real(number) => Self::Number(real(number)),
            ValueRef::Text(bytes) => {
                std::str::from_utf8(bytes).map_or(Self::Binary(bytes), Self::Text)
            }
            ValueRef::Blob(bytes) => Self::Binary(bytes),
        }
    }

    /// Bytes of the cell. Binary counts as its hexadecimal digits.
    pub(super) const fn size(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Number(text) => text.len(),
            Self::Text(text) => text.len(),
            Self::Binary(bytes) => hexadecimal_size(bytes.len()),
        }
    }

    /// The cell.
    pub(super) fn into_cell(self) -> Cell {
        match self {
            Self::Null => Cell::Null,
            Self::Number(text) => Cell::Text(text),
            Self::Text(text) => Cell::Text(text.to_owned()),
            Self::Binary(bytes) => Cell::Binary(bytes.to_vec()),
        }
    }
}

fn real(number: f64) -> String {
    if number.is_infinite() {
        let word = if number.is_sign_negative() { "-Infinity" } else { "Infinity" };
        return word.to_owned();
    }
    // Rust documents that the Debug form of a float reads back as the same float and keeps a
    // point or an exponent.
    format!("{number:?}")
}

#[cfg(test)]
mod tests {
    use super::real;

    #[test]
    fn reals_read_back_as_the_same_number() {
        let numbers = [
            0.1,
            -0.0,
            1.0,
            1e300,
            -1e-300,
            5e-324,
            f64::MAX,
            1.0 / 3.0,
            123_456_789.123_456_79,
            1e16,
            9_007_199_254_740_993.0,
        ];
        for number in numbers {
            let text = real(number);
            let back: f64 = text.parse().expect("a number");
            assert_eq!(back.to_bits(), number.to_bits(), "{text}");
            assert!(text.contains(['.', 'e']), "{text} looks like an INTEGER");
        }
    }

    #[test]
    fn infinities_have_their_own_words() {
        assert_eq!(real(f64::INFINITY), "Infinity");
        assert_eq!(real(f64::NEG_INFINITY), "-Infinity");
    }
}
