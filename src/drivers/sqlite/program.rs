//! The check of the compiled program.
//!
//! SQLite compiles a statement into a program for its virtual machine, and EXPLAIN lists that
//! program without running it. The authorizer judges names while SQLite resolves them; this check
//! judges what was really compiled: which pages it opens, which functions it calls, and
//! that no operation is in it that a read never needs. It also sees what never had a name in the text.
//!
//! Source: the SQLite manual, "The SQLite Bytecode Engine". The operations belong to the bundled
//! version of SQLite; one that a newer version adds is refused until it is listed here.

use super::authorizer::is_listed_function;
use super::error::{During, explain};
use crate::drivers::DriverError;
use crate::reason::DatabaseReason;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::BTreeSet;

/// Operations that compute, jump, or use a cursor that another operation has opened.
const OPERATIONS: &str = "\
    Abortable Add AddImm Affinity AggFinal And BeginSubrtn BitAnd BitNot BitOr Blob Cast Close \
    ClrSubtype CollSeq Column ColumnsUsed Compare Concat Copy Count CursorHint CursorLock \
    CursorUnlock DecrJumpZero DeferredSeek Delete Divide ElseEq EndCoroutine Eq Explain Filter \
    FilterAdd FinishSeek Found Ge GetSubtype Gosub Goto Gt Halt HaltIfNull IdxDelete IdxGE \
    IdxGT IdxInsert IdxLE IdxLT IdxRowid If IfEmpty IfNoHope IfNot IfNotZero IfNullRow IfPos \
    IfSizeBetween Init InitCoroutine Insert Int64 IntCopy Integer IsNull IsTrue IsType Jump \
    Last Le Lt MakeRecord Move Multiply MustBeInt Ne NewRowid Next NoConflict Noop Not \
    NotExists NotFound NotNull Null NullRow OffsetLimit Once OpenAutoindex OpenDup \
    OpenEphemeral OpenPseudo Or Permutation Prev Real RealAffinity ReleaseReg Remainder \
    ResetSorter ResultRow Return Rewind RowCell RowData RowSetAdd RowSetRead RowSetTest Rowid \
    SCopy SeekEnd SeekGE SeekGT SeekHit SeekLE SeekLT SeekRowid SeekScan Sequence SequenceTest \
    SetSubtype ShiftLeft ShiftRight SoftNull Sort SorterCompare SorterData SorterInsert \
    SorterNext SorterOpen SorterSort String String8 Subtract Trace Yield ZeroOrNull";

/// A flag of `OpenRead`: the page is in a register and so not known before the program runs
/// (`OPFLAG_P2ISREG` in the source of SQLite).
const PAGE_IN_REGISTER: i64 = 0x10;

/// What only a program that writes a table does besides.
const WRITING_OPERATIONS: &str = "\
    FkCheck FkCounter FkIfZero MemMax OpenWrite ResetCount TypeCheck";

/// Makes sure that the program of a statement reads from these pages only.
pub(super) fn check(
    connection: &Connection,
    sql: &str,
    roots: &BTreeSet<i64>,
) -> Result<(), DriverError> {
    each(connection, sql, |operation| operation.judge(roots))
}

/// Makes sure that the program of a write touches these pages only. Functions are the authorizer's business here:
/// those of the table's own definition really run, and cannot be told from those of the statement.
pub(super) fn check_write(
    connection: &Connection,
    sql: &str,
    roots: &BTreeSet<i64>,
) -> Result<(), DriverError> {
    each(connection, sql, |operation| operation.judge_writing(roots))
}

/// Whether the program writes a copy of the database into another file.
pub(super) fn is_vacuum_into(connection: &Connection, sql: &str) -> bool {
    let mut rest = Some(sql);
    while let Some(text) = rest {
        // P2 is the register of the file's name.
        let judged = each(connection, text, |operation| match operation.name {
            b"Vacuum" if operation.p2 != 0 => Err(DatabaseReason::StatementBlocked),
            _ => Ok(()),
        });
        match judged {
            Ok(()) => return false,
            Err(error) if error.reason() == DatabaseReason::StatementBlocked => return true,
            // EXPLAIN may not stand before a semicolon, and a statement may stand behind some.
            Err(_) => rest = text.split_once(';').map(|(_, rest)| rest),
        }
    }
    false
}

fn each(
    connection: &Connection,
    sql: &str,
    mut judge: impl FnMut(&Operation<'_>) -> Result<(), DatabaseReason>,
) -> Result<(), DriverError> {
    let failed = |error| explain(error, During::Prepare);
    let mut statement = connection.prepare(&format!("EXPLAIN {sql}")).map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let operation = Operation::read(row).map_err(failed)?;
        judge(&operation).map_err(DriverError::refused)?;
    }
    Ok(())
}

fn is_among(operations: &str, name: &[u8]) -> bool {
    operations.split_ascii_whitespace().any(|known| known.as_bytes() == name)
}

/// One line of EXPLAIN.
struct Operation<'a> {
    name: &'a [u8],
    p1: i64,
    p2: i64,
    p3: i64,
    p4: &'a [u8],
    p5: i64,
}

impl<'a> Operation<'a> {
    fn read(row: &'a Row<'_>) -> rusqlite::Result<Self> {
        let text = |index| {
            Ok::<_, rusqlite::Error>(match row.get_ref(index)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
                ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => &[],
            })
        };
        Ok(Self {
            name: text(1)?,
            p1: row.get(2)?,
            p2: row.get(3)?,
            p3: row.get(4)?,
            p4: text(5)?,
            p5: row.get(6)?,
        })
    }

    fn judge_writing(&self, roots: &BTreeSet<i64>) -> Result<(), DatabaseReason> {
        match self.name {
            // P2 is 1 for a writing transaction.
            b"Transaction" if self.p1 == 0 => Ok(()),
            b"OpenWrite" => {
                let known =
                    self.p3 == 0 && self.p5 & PAGE_IN_REGISTER == 0 && roots.contains(&self.p2);
                if known { Ok(()) } else { Err(DatabaseReason::TableNotVerified) }
            }
            // All rows at once: P1 is the page, P2 the database.
            b"Clear" if self.p2 == 0 && roots.contains(&self.p1) => Ok(()),
            b"Clear" => Err(DatabaseReason::TableNotVerified),
            b"Function" | b"PureFunc" | b"AggStep" | b"AggStep1" => Ok(()),
            name if is_among(WRITING_OPERATIONS, name) => Ok(()),
            _ => self.judge(roots),
        }
    }

    fn judge(&self, roots: &BTreeSet<i64>) -> Result<(), DatabaseReason> {
        match self.name {
            // P1 is the database (0 is main), P2 is zero for a reading transaction.
            b"Transaction" if self.p1 == 0 && self.p2 == 0 => Ok(()),
            b"Transaction" => Err(DatabaseReason::StatementNotRead),
            // P2 is the page, P3 the database.
            b"OpenRead" | b"ReopenIdx" => {
                let known =
                    self.p3 == 0 && self.p5 & PAGE_IN_REGISTER == 0 && roots.contains(&self.p2);
                if known { Ok(()) } else { Err(DatabaseReason::TableNotVerified) }
            }
            // P4 is the function with its number of arguments: `lower(1)`.
            b"Function" | b"PureFunc" | b"AggStep" | b"AggStep1" => {
                let name = self.p4.split(|&byte| byte == b'(').next().unwrap_or_default();
                let listed = std::str::from_utf8(name).is_ok_and(is_listed_function);
                if listed { Ok(()) } else { Err(DatabaseReason::FunctionNotVerified) }
            }
            name if is_among(OPERATIONS, name) => Ok(()),
            _ => Err(DatabaseReason::OperationNotVerified),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Operation;
    use crate::reason::DatabaseReason as Reason;
    use std::collections::BTreeSet;

    fn judge(name: &str, [p1, p2, p3, p5]: [i64; 4], p4: &str) -> Option<Reason> {
        let operation = Operation { name: name.as_bytes(), p1, p2, p3, p4: p4.as_bytes(), p5 };
        operation.judge(&BTreeSet::from([2, 3])).err()
    }

    #[test]
    fn only_proven_pages_of_main_are_opened() {
        assert_eq!(judge("OpenRead", [0, 2, 0, 0], "3"), None);
        assert_eq!(judge("ReopenIdx", [0, 3, 0, 0], ""), None);
        assert_eq!(judge("OpenRead", [0, 1, 0, 0], ""), Some(Reason::TableNotVerified), "catalog");
        assert_eq!(judge("OpenRead", [0, 4, 0, 0], ""), Some(Reason::TableNotVerified));
        assert_eq!(judge("OpenRead", [0, 2, 1, 0], ""), Some(Reason::TableNotVerified), "temp");
        assert_eq!(judge("OpenRead", [0, 2, 0, 0x10], ""), Some(Reason::TableNotVerified));
        assert_eq!(judge("ReopenIdx", [0, 9, 0, 0], ""), Some(Reason::TableNotVerified));
    }

    #[test]
    fn only_reading_transactions_of_main_begin() {
        assert_eq!(judge("Transaction", [0, 0, 7, 1], ""), None);
        assert_eq!(judge("Transaction", [0, 1, 7, 1], ""), Some(Reason::StatementNotRead));
        assert_eq!(judge("Transaction", [1, 0, 7, 1], ""), Some(Reason::StatementNotRead));
    }

    #[test]
    fn only_listed_functions_are_called() {
        assert_eq!(judge("Function", [0; 4], "like(2)"), None);
        assert_eq!(judge("AggStep", [0; 4], "count(0)"), None);
        assert_eq!(judge("PureFunc", [0; 4], "zeroblob(1)"), Some(Reason::FunctionNotVerified));
        assert_eq!(judge("Function", [0; 4], ""), Some(Reason::FunctionNotVerified));
    }

    #[test]
    fn unknown_operations_are_refused() {
        for name in [
            "OpenWrite",
            "VOpen",
            "Program",
            "SetCookie",
            "AutoCommit",
            "Vacuum",
            "AggInverse",
            "Newer",
            "",
        ] {
            assert_eq!(judge(name, [0; 4], ""), Some(Reason::OperationNotVerified), "{name}");
        }
    }
}
