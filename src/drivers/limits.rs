//! The limits of one result.

/// Limits of one result. They can be lowered and never raised (contract, "Limits").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    rows: u32,
    result_bytes: usize,
    cell_bytes: usize,
}

impl Limits {
    const ROWS: u32 = 500;
    const RESULT_BYTES: usize = 256 * 1024;
    const CELL_BYTES: usize = 64 * 1024;

    /// The contract's limits: 500 rows, 256 KiB of data, 64 KiB in a cell.
    #[must_use]
    pub const fn contract() -> Self {
        Self { rows: Self::ROWS, result_bytes: Self::RESULT_BYTES, cell_bytes: Self::CELL_BYTES }
    }

    /// At most so many rows.
    #[must_use]
    pub fn with_rows(self, rows: u32) -> Self {
        Self { rows: self.rows.min(rows), ..self }
    }

    /// At most so many bytes of compact JSON for columns and rows together.
    #[must_use]
    pub fn with_result_bytes(self, bytes: usize) -> Self {
        Self { result_bytes: self.result_bytes.min(bytes), ..self }
    }

    /// At most so many bytes in a cell: of UTF-8 text, or of hexadecimal digits.
    #[must_use]
    pub fn with_cell_bytes(self, bytes: usize) -> Self {
        Self { cell_bytes: self.cell_bytes.min(bytes), ..self }
    }

    /// The most rows.
    #[must_use]
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// The most bytes of a result.
    #[must_use]
    pub const fn result_bytes(self) -> usize {
        self.result_bytes
    }

    /// The most bytes of a cell.
    #[must_use]
    pub const fn cell_bytes(self) -> usize {
        self.cell_bytes
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::contract()
    }
}
