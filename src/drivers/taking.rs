//! Rows of a server as they come, counted against the limits of a result.

use super::budget::{Budget, Taken};
use super::{DriverError, Limits};
use crate::reason::DatabaseReason as Reason;
use crate::value::{Cell, ResultLimit, Rows};

/// Bytes of rows that are passed over so that a connection can be used again. More, and it is closed.
pub(in crate::drivers) const PASSED_BYTES_MAX: usize = 1024 * 1024;

/// What happens with rows beyond the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::drivers) enum Beyond {
    /// A read: a cell that is too large is an error, and nothing is read that is not handed out.
    Stop,
    /// The same, but everything that is on its way is passed over, so that the transaction can go on.
    PassOver,
    /// A statement that may write: it runs to its end, whatever it returns.
    Drain,
}

/// The rows so far.
pub(in crate::drivers) struct Taking {
    budget: Budget,
    beyond: Beyond,
    rows: Rows,
}

impl Taking {
    /// A result with columns of these names.
    pub(in crate::drivers) fn begin(
        names: Vec<String>,
        limits: Limits,
        beyond: Beyond,
    ) -> Result<Self, DriverError> {
        let mut budget = Budget::new(limits);
        let rows = match (budget.columns(&names), beyond) {
            (Ok(()), _) => Rows { columns: names, ..Rows::default() },
            (Err(error), Beyond::Stop | Beyond::PassOver) => return Err(error),
            // The statement is on its way: an error would say that nothing took effect.
            (Err(_), Beyond::Drain) => {
                budget = Budget::new(limits);
                Rows { truncated_by: Some(ResultLimit::Bytes), ..Rows::default() }
            }
        };
        Ok(Self { budget, beyond, rows })
    }

    /// Whether nothing further is taken.
    pub(in crate::drivers) const fn is_over(&self) -> bool {
        self.rows.truncated_by.is_some()
    }

    /// Takes a row if it fits. `cells` makes its cells, or says which limit one of them is beyond.
    pub(in crate::drivers) fn take(
        &mut self,
        cells: impl FnOnce(&Budget) -> Result<Vec<Cell>, DriverError>,
    ) -> Result<(), DriverError> {
        // A further row exists, whatever it holds.
        if self.budget.is_full() {
            self.rows.truncated_by = Some(ResultLimit::Rows);
            return Ok(());
        }
        let cells = match cells(&self.budget) {
            Ok(cells) => cells,
            Err(error) if self.beyond == Beyond::Drain && error.is_limit_exceeded() => {
                self.rows.truncated_by = Some(ResultLimit::CellBytes);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        match self.budget.row(&cells) {
            Ok(Taken::Whole) => self.rows.rows.push(cells),
            Ok(Taken::Nothing(limit)) => self.rows.truncated_by = Some(limit),
            Err(_) if self.beyond == Beyond::Drain => {
                self.rows.truncated_by = Some(ResultLimit::Bytes);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// A row that was passed over because it could not fit, by its longest value in bytes.
    pub(in crate::drivers) fn long(&mut self, longest: usize) -> Result<(), DriverError> {
        if self.budget.is_full() {
            self.rows.truncated_by = Some(ResultLimit::Rows);
            return Ok(());
        }
        // Two letters before the digits of binary values do not count.
        let is_cell = self.budget.cell(longest.saturating_sub(2)).is_err();
        if self.beyond != Beyond::Drain {
            if is_cell {
                return Err(DriverError::limit_exceeded(Reason::CellTooLarge));
            }
            if self.rows.rows.is_empty() {
                return Err(DriverError::limit_exceeded(Reason::RowTooLarge));
            }
        }
        let limit = if is_cell { ResultLimit::CellBytes } else { ResultLimit::Bytes };
        self.rows.truncated_by = Some(limit);
        Ok(())
    }

    /// What was taken.
    pub(in crate::drivers) fn end(mut self) -> Rows {
        self.rows.bytes = self.budget.bytes();
        self.rows
    }
}
