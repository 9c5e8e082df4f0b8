//! One table as the catalog shows it, and the judgement about it.
//!
//! Contract, "Tools": non-partitioned physical `InnoDB` tables of the configured database, without generated columns. What
//! else a table can have is no code of somebody else that a read could run: the servers themselves let neither CHECKs nor
//! defaults nor indexes call stored functions (MySQL manual, "CHECK Constraints", "Data Type Default Values", "Functional
//! Key Parts"; MariaDB the same).

use super::catalog::{Catalog, cell};
use super::connection::CatalogRow;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason as Reason;
use crate::value::{ColumnDescription, ObjectIdentity, TableName};
use sha2::{Digest as _, Sha256};

/// The most columns (contract, "Tools").
const COLUMNS_MAX: usize = 64;

/// The name of the index of every primary key.
const PRIMARY: &str = "PRIMARY";

/// A table that was proven.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) table: TableName,
    pub(super) columns: Vec<ColumnDescription>,
    pub(super) identity: ObjectIdentity,
}

/// Whether a name means a table of a kind that can be proven.
pub(super) fn judge_kind(rows: &[CatalogRow]) -> Result<(), DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let [row] = rows else {
        return refused(Reason::TableUnknown);
    };
    match cell(row, 2) {
        "BASE TABLE" => {}
        "VIEW" => return refused(Reason::TableIsView),
        "SYSTEM VIEW" => return refused(Reason::TableIsSystem),
        "TEMPORARY" | "LOCAL TEMPORARY" | "GLOBAL TEMPORARY" => {
            return refused(Reason::TableIsTemporary);
        }
        _ => return refused(Reason::TableKindUnsupported),
    }
    if cell(row, 7) != "0" || cell(row, 4).to_ascii_lowercase().contains("partitioned") {
        return refused(Reason::TableIsPartitioned);
    }
    if !cell(row, 3).eq_ignore_ascii_case("InnoDB") {
        return refused(Reason::TableHasCustomStorage);
    }
    Ok(())
}

/// Judges one table by everything that the catalog says.
pub(super) fn judge(catalog: &Catalog, table: &TableName) -> Result<Relation, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    judge_kind(&catalog.table)?;
    let Some(number) = catalog.number.as_deref().filter(|number| !number.is_empty()) else {
        return Err(DriverError::failed(Reason::GuardUnavailable)
            .because("the storage engine does not list the table"));
    };
    let columns = columns(catalog)?;
    if columns.is_empty() {
        return refused(Reason::TableUnknown);
    }
    // A key over an expression is a column that is not shown.
    if catalog.indexes.iter().any(|row| cell(row, 3).is_empty() || !cell(row, 7).is_empty()) {
        return refused(Reason::TableHasGeneratedColumn);
    }
    Ok(Relation { table: table.clone(), columns, identity: identity(catalog, number) })
}

fn columns(catalog: &Catalog) -> Result<Vec<ColumnDescription>, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    if catalog.columns.len() > COLUMNS_MAX {
        return refused(Reason::TableTooWide);
    }
    let mut columns = Vec::new();
    for row in &catalog.columns {
        if !cell(row, 8).is_empty() || is_generated(cell(row, 5)) {
            return refused(Reason::TableHasGeneratedColumn);
        }
        let name = cell(row, 1);
        let position = catalog
            .indexes
            .iter()
            .find(|index| cell(index, 0) == PRIMARY && cell(index, 3) == name);
        columns.push(ColumnDescription {
            name: name.to_owned(),
            declared_type: cell(row, 2).to_owned(),
            nullable: cell(row, 3) == "YES",
            primary_key_position: position.and_then(|index| cell(index, 1).parse().ok()),
        });
    }
    Ok(columns)
}

/// What is said of a column besides its type. A default that is an expression is not a computed column.
fn is_generated(extra: &str) -> bool {
    let words = extra.to_ascii_uppercase();
    ["VIRTUAL", "STORED", "PERSISTENT"].iter().any(|word| words.contains(word))
}

/// A digest of everything that the proof saw, every value with its length, so that no two lists look alike.
fn identity(catalog: &Catalog, number: &str) -> ObjectIdentity {
    let mut digest = Sha256::new();
    digest.update(b"mysql 1");
    let own = vec![vec![Some(number.to_owned())]];
    for rows in [&own, &catalog.table, &catalog.columns, &catalog.indexes] {
        digest.update(length(rows.len()));
        for row in rows {
            digest.update(length(row.len()));
            for value in row {
                match value {
                    Some(text) => {
                        digest.update(length(text.len()));
                        digest.update(text.as_bytes());
                    }
                    None => digest.update([0xff; 8]),
                }
            }
        }
    }
    ObjectIdentity(digest.finalize().into())
}

fn length(length: usize) -> [u8; 8] {
    u64::try_from(length).unwrap_or(u64::MAX).to_be_bytes()
}
