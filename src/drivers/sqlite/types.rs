//! From SQLite's values to neutral cells, without loss.
//!
//! Contract, "Results and errors": scalars are exact text, and numbers never pass through
//! floating-point JSON. Sources: the SQLite manual, "Datatypes In SQLite", section 2 (storage
//! classes).

use crate::drivers::budget::hexadecimal_size;
use crate::value::Cell;
use rusqlite::types::ValueRef;

/// The cell of a value.
///
/// - INTEGER: decimal digits.
/// - REAL: the shortest decimal text that reads back as the same number, always with a point or an
///   exponent, so that `1.0` is not mistaken for an INTEGER. Negative zero is `-0.0`; the
///   infinities are `Infinity` and `-Infinity`. SQLite stores NaN as NULL.
/// - TEXT: as it is. Bytes that are no UTF-8 cannot be shown exactly as text, so they are binary.
///   (A UTF-16 database is converted to UTF-8 by SQLite itself.)
/// - BLOB: binary.
pub(super) fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Text(number.to_string()),
        ValueRef::Real(number) => Cell::Text(real(number)),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Cell::Text(text.to_owned()),
            Err(_) => Cell::Binary(bytes.to_vec()),
        },
        ValueRef::Blob(bytes) => Cell::Binary(bytes.to_vec()),
    }
}

/// Bytes of the cell of a value, known before the value is copied. Binary counts as its
/// hexadecimal digits.
pub(super) fn size(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Null => 0,
        // Longer than any number can get.
        ValueRef::Integer(_) | ValueRef::Real(_) => 32,
        ValueRef::Text(bytes) if std::str::from_utf8(bytes).is_ok() => bytes.len(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => hexadecimal_size(bytes.len()),
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
