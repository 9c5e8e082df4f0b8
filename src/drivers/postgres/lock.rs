//! Holding tables still while they are proven and read.
//!
//! Contract, "Tools": SHARE UPDATE EXCLUSIVE; a materialized view by a sample of nothing. The weaker lock, which the
//! person can choose, is ACCESS SHARE, and then the proof is repeated after the read.
//!
//! What each excludes (PostgreSQL manual, "Table-Level Locks"): SHARE UPDATE EXCLUSIVE excludes every change of the
//! definition, of indexes, of CHECKs and of extended statistics, and vacuum; it lets others read and write. ACCESS
//! SHARE excludes only what needs ACCESS EXCLUSIVE: dropping, and most kinds of ALTER. An index, a validated CHECK or
//! statistics can be added meanwhile, which the second proof sees.

use super::connect::quoted;
use super::connection::{Connection, Reply, odd};
use super::error::ServerMessage;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason as Reason;
use crate::value::{ReadLock, TableName};

/// How tables are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// SHARE UPDATE EXCLUSIVE.
    Full,
    /// ACCESS SHARE.
    Weak,
    /// SHARE UPDATE EXCLUSIVE, for UPDATE and DELETE.
    Change,
    /// ROW EXCLUSIVE, which an INSERT takes anyway, and all that an account gets that may do nothing else. It excludes
    /// new indexes, CHECKs and triggers.
    Insert,
}

impl From<ReadLock> for Mode {
    fn from(lock: ReadLock) -> Self {
        match lock {
            ReadLock::Full => Self::Full,
            ReadLock::Weak => Self::Weak,
        }
    }
}

/// The statement that locks these tables and views, in an order that all readers share.
pub(super) fn statement(tables: &[&TableName], mode: Mode) -> Option<String> {
    let mut names: Vec<String> = tables.iter().map(|table| qualified(table)).collect();
    names.sort_unstable();
    let mode = match mode {
        Mode::Full | Mode::Change => "SHARE UPDATE EXCLUSIVE",
        Mode::Weak => "ACCESS SHARE",
        Mode::Insert => "ROW EXCLUSIVE",
    };
    // ONLY: a table that others inherit from is refused, so its heirs need no lock.
    let names: Vec<String> = names.into_iter().map(|name| format!("ONLY {name}")).collect();
    (!names.is_empty()).then(|| format!("LOCK TABLE {} IN {mode} MODE", names.join(", ")))
}

/// The statement that locks a materialized view, which LOCK TABLE does not take. A plain view is refused by it before
/// its rule is put in.
pub(super) fn sample(table: &TableName) -> String {
    format!("SELECT FROM {} TABLESAMPLE SYSTEM (0) LIMIT 0", qualified(table))
}

pub(super) fn qualified(table: &TableName) -> String {
    format!("{}.{}", quoted(&table.schema), quoted(&table.name))
}

/// Why a lock was not given.
pub(super) enum Denied {
    /// A name is no table or view of the kind that this lock takes.
    WrongKind(ServerMessage),
    /// The account may not lock it.
    NotPermitted(ServerMessage),
    /// There is no such relation.
    Unknown(ServerMessage),
    /// Anything else.
    Other(DriverError),
}

/// Reads the answers to so many statements that lock.
pub(super) async fn read(connection: &mut Connection, statements: usize) -> Result<(), Denied> {
    for _ in 0..statements {
        loop {
            match connection.reply(0).await.map_err(Denied::Other)? {
                Reply::Complete(_) => break,
                Reply::Error(message) => return Err(denied(message)),
                Reply::NoColumns | Reply::Columns(_) => {}
                Reply::Row(_)
                | Reply::LongRow { .. }
                | Reply::Parameters(_)
                | Reply::Suspended
                | Reply::Empty
                | Reply::Copy { .. }
                | Reply::Ready => return Err(Denied::Other(odd())),
            }
        }
    }
    Ok(())
}

fn denied(message: ServerMessage) -> Denied {
    let other = |error: DriverError| Denied::Other(error);
    match message.code() {
        "42809" => Denied::WrongKind(message),
        "42501" => Denied::NotPermitted(message),
        // A standby, with or without the transaction being read-only.
        "25006" | "55000" => other(DriverError::refused(Reason::ServerIsStandby).because(message)),
        "42P01" | "3F000" => Denied::Unknown(message),
        "55P03" => other(DriverError::failed(Reason::TableLocked).because(message)),
        _ => other(message.into_error()),
    }
}
