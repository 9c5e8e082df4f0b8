//! From the server's text to neutral cells, without loss.
//!
//! Every value arrives as the text that the server itself writes for it, in UTF-8. What has no character set is binary,
//! unless it is a number, a date or a time.

use crate::drivers::DriverError;
use crate::drivers::budget::{Budget, hexadecimal_size};
use crate::value::Cell;
use mysql_common::constants::ColumnType;
use mysql_common::packets::Column;

/// The character set `binary` (MySQL manual, "The Binary Collation").
const BINARY: u16 = 63;

/// Whether values of this column are bytes.
pub(super) fn is_binary(column: &Column) -> bool {
    is_binary_type(column.column_type(), column.character_set())
}

fn is_binary_type(kind: ColumnType, character_set: u16) -> bool {
    match kind {
        ColumnType::MYSQL_TYPE_BIT | ColumnType::MYSQL_TYPE_GEOMETRY => true,
        // MySQL says of JSON that it is utf8mb4 or binary, by version; it is always text.
        ColumnType::MYSQL_TYPE_JSON
        | ColumnType::MYSQL_TYPE_DECIMAL
        | ColumnType::MYSQL_TYPE_NEWDECIMAL
        | ColumnType::MYSQL_TYPE_TINY
        | ColumnType::MYSQL_TYPE_SHORT
        | ColumnType::MYSQL_TYPE_INT24
        | ColumnType::MYSQL_TYPE_LONG
        | ColumnType::MYSQL_TYPE_LONGLONG
        | ColumnType::MYSQL_TYPE_FLOAT
        | ColumnType::MYSQL_TYPE_DOUBLE
        | ColumnType::MYSQL_TYPE_NULL
        | ColumnType::MYSQL_TYPE_YEAR
        | ColumnType::MYSQL_TYPE_DATE
        | ColumnType::MYSQL_TYPE_NEWDATE
        | ColumnType::MYSQL_TYPE_TIME
        | ColumnType::MYSQL_TYPE_TIME2
        | ColumnType::MYSQL_TYPE_TIMESTAMP
        | ColumnType::MYSQL_TYPE_TIMESTAMP2
        | ColumnType::MYSQL_TYPE_DATETIME
        | ColumnType::MYSQL_TYPE_DATETIME2 => false,
        ColumnType::MYSQL_TYPE_VARCHAR
        | ColumnType::MYSQL_TYPE_VAR_STRING
        | ColumnType::MYSQL_TYPE_STRING
        | ColumnType::MYSQL_TYPE_ENUM
        | ColumnType::MYSQL_TYPE_SET
        | ColumnType::MYSQL_TYPE_TINY_BLOB
        | ColumnType::MYSQL_TYPE_BLOB
        | ColumnType::MYSQL_TYPE_MEDIUM_BLOB
        | ColumnType::MYSQL_TYPE_LONG_BLOB
        | ColumnType::MYSQL_TYPE_VECTOR
        | ColumnType::MYSQL_TYPE_TYPED_ARRAY
        | ColumnType::MYSQL_TYPE_UNKNOWN => character_set == BINARY,
    }
}

/// The cell of a value, if it is within the limit of a cell; binary counts as its hexadecimal digits. Bytes that are no
/// UTF-8 are binary, too.
pub(super) fn cell(
    is_binary: bool,
    bytes: Option<&[u8]>,
    budget: &Budget,
) -> Result<Cell, DriverError> {
    let Some(bytes) = bytes else { return Ok(Cell::Null) };
    if !is_binary && let Ok(text) = std::str::from_utf8(bytes) {
        budget.cell(bytes.len())?;
        return Ok(Cell::Text(text.to_owned()));
    }
    budget.cell(hexadecimal_size(bytes.len()))?;
    Ok(Cell::Binary(bytes.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::{BINARY, cell, is_binary_type};
    use crate::drivers::Limits;
    use crate::drivers::budget::Budget;
    use crate::value::Cell;
    use mysql_common::constants::ColumnType;

    #[test]
    fn what_has_no_characters_is_binary_unless_it_is_a_number_or_a_time() {
        assert!(is_binary_type(ColumnType::MYSQL_TYPE_BLOB, BINARY));
        assert!(is_binary_type(ColumnType::MYSQL_TYPE_BIT, BINARY));
        assert!(is_binary_type(ColumnType::MYSQL_TYPE_GEOMETRY, 45));
        assert!(!is_binary_type(ColumnType::MYSQL_TYPE_BLOB, 45));
        assert!(!is_binary_type(ColumnType::MYSQL_TYPE_LONGLONG, BINARY));
        assert!(!is_binary_type(ColumnType::MYSQL_TYPE_JSON, BINARY));
        assert!(!is_binary_type(ColumnType::MYSQL_TYPE_DATETIME, BINARY));
    }

    #[test]
    fn a_cell_is_measured_as_it_leaves() {
        let budget = Budget::new(Limits::contract().with_cell_bytes(4));
        assert_eq!(cell(false, None, &budget).expect("small"), Cell::Null);
        assert_eq!(cell(false, Some(b""), &budget).expect("small"), Cell::Text(String::new()));
        assert_eq!(cell(true, Some(b"ab"), &budget).expect("small"), Cell::Binary(b"ab".to_vec()));
        assert_eq!(cell(false, Some(b"\xff"), &budget).expect("small"), Cell::Binary(vec![255]));
        assert!(cell(false, Some(b"fives"), &budget).is_err());
        assert!(cell(true, Some(b"abc"), &budget).is_err());
    }
}
