//! The proof that a name is a plain physical table, inside the transaction of the read.
//!
//! Contract, "Table verification", row SQLite: plain physical tables in `main`, without virtual
//! tables, shadow tables, views or generated columns, at most 64 columns; the whole table is
//! checked even when fewer columns are read. [`super::identity`] is what makes it the same table later.
//!
//! What a read could evaluate besides its own text: views, triggers, generated columns and virtual
//! tables are excluded here or switched off. CHECK constraints, defaults, foreign keys and the
//! expressions of indexes are evaluated by writes only; the planner merely compares index
//! expressions with the statement's own. So tables with expression or partial indexes are
//! covered, and the check of the compiled program (`program.rs`) would still notice a call that came
//! from one. A column with a collation that is not built in is excluded, because comparing its
//! values needs code that DBeast does not have.
//!
//! SQLite also asks about the functions in a column's DEFAULT when the column is read, without
//! calling them. The proof finds out which these are by compiling a read of the whole table,
//! which is never run.

use super::catalog::{Catalog, Relation, RelationKind, failed, is_system_name, usable_name};
use super::connect::Handle;
use super::identity::Identity;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason;
use crate::value::{ColumnDescription, TableName};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The only schema of a verified read.
pub(super) const SCHEMA: &str = "main";

/// Columns of a table, at most (contract, "Table verification").
const COLUMNS_MAX: usize = 64;

/// Proofs that a handle remembers, at most.
const KNOWN_MAX: usize = 64;

/// Collations of SQLite itself (SQLite manual, "Datatypes In SQLite", section 7).
const COLLATIONS: &[&str] = &["BINARY", "NOCASE", "RTRIM"];

/// A proven table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    /// Its name in the spelling of the database.
    pub(super) table: TableName,
    /// Its columns in order.
    pub(super) columns: Vec<ColumnDescription>,
    /// What makes it the same table later.
    pub(super) identity: Identity,
    /// Pages where reading it may begin: its own and those of its indexes.
    pub(super) roots: Vec<i64>,
    /// Functions in the defaults of its columns, in lower case.
    pub(super) defaults: BTreeSet<String>,
}

impl Proof {
    /// Whether the table has a column of this name, as SQLite compares names.
    pub(super) fn has_column(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Whether the name means this table, as SQLite compares names.
    pub(super) fn is_of(&self, table: &TableName) -> bool {
        self.table.schema.eq_ignore_ascii_case(&table.schema)
            && self.table.name.eq_ignore_ascii_case(&table.name)
    }
}

/// Proves a table. Needs the transaction in which the catalog was read and the authority for the
/// proof.
pub(super) fn prove(
    handle: &Handle,
    catalog: &Catalog,
    table: &TableName,
) -> Result<Arc<Proof>, DriverError> {
    // The same handle, the same version of the schema: the catalog of this transaction is the one of that proof.
    if let Some(proof) = handle.known.proofs.borrow().iter().find(|proof| proof.is_of(table)) {
        return Ok(Arc::clone(proof));
    }
    let proof = Arc::new(prove_anew(handle, catalog, table)?);
    let mut proofs = handle.known.proofs.borrow_mut();
    if proofs.len() < KNOWN_MAX {
        proofs.push(Arc::clone(&proof));
    }
    Ok(proof)
}

fn prove_anew(handle: &Handle, catalog: &Catalog, table: &TableName) -> Result<Proof, DriverError> {
    if !table.schema.eq_ignore_ascii_case(SCHEMA) {
        return Err(DriverError::refused(DatabaseReason::SchemaUnknown));
    }
    let relation = plain_table(catalog, &table.name)?;
    handle.authority.proof();
    let columns = columns(&handle.connection, relation)?;
    let defaults = defaults(handle, &relation.name, &columns)?;
    let mut roots = vec![relation.root_page];
    roots.extend(catalog.index_roots(&relation.name));
    Ok(Proof {
        table: TableName { schema: SCHEMA.to_owned(), name: relation.name.clone() },
        columns,
        identity: Identity {
            file: handle.file,
            schema_version: catalog.version,
            root_page: relation.root_page,
            definition: relation.definition.clone(),
        },
        roots,
        defaults,
    })
}

fn plain_table<'a>(catalog: &'a Catalog, name: &str) -> Result<&'a Relation, DriverError> {
    if is_system_name(name) {
        return Err(DriverError::refused(DatabaseReason::TableIsSystem));
    }
    let Some(relation) = catalog.find(name) else {
        return Err(DriverError::refused(DatabaseReason::TableUnknown));
    };
    let reason = match relation.kind {
        RelationKind::Table => return Ok(relation),
        RelationKind::View => DatabaseReason::TableIsView,
        RelationKind::Virtual => DatabaseReason::TableIsVirtual,
        RelationKind::Shadow => DatabaseReason::TableIsShadow,
        RelationKind::System => DatabaseReason::TableIsSystem,
    };
    Err(DriverError::refused(reason))
}

/// The functions in the defaults of a table, as SQLite itself finds them.
fn defaults(
    handle: &Handle,
    table: &str,
    columns: &[ColumnDescription],
) -> Result<BTreeSet<String>, DriverError> {
    let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
    let sql = format!("SELECT {} FROM main.{}", names.join(", "), quoted(table));
    handle.authority.defaults(table);
    // Compiled and dropped: nothing of it runs.
    handle.connection.prepare(&sql).map_err(failed)?;
    Ok(handle.authority.noted())
}

/// A name as a quoted identifier (SQLite manual, "SQLite Keywords").
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A row of `PRAGMA table_xinfo`.
struct ColumnRow {
    name: Option<String>,
    declared_type: Option<String>,
    not_null: bool,
    primary_key_position: u32,
    hidden: i64,
}

fn columns(
    connection: &Connection,
    relation: &Relation,
) -> Result<Vec<ColumnDescription>, DriverError> {
    let mut rows = Vec::new();
    connection
        .pragma(Some(SCHEMA), "table_xinfo", &relation.name, |row| {
            rows.push(column_row(row)?);
            Ok(())
        })
        .map_err(failed)?;
    if rows.is_empty() {
        return Err(DriverError::refused(DatabaseReason::TableUnknown));
    }
    // 2 is a virtual and 3 a stored generated column; 1 occurs in virtual tables (SQLite
    // manual, PRAGMA table_xinfo).
    if rows.iter().any(|row| row.hidden != 0) {
        return Err(DriverError::refused(DatabaseReason::TableHasGeneratedColumn));
    }
    if rows.len() > COLUMNS_MAX {
        return Err(DriverError::refused(DatabaseReason::TableTooWide));
    }
    let key_columns = rows.iter().filter(|row| row.primary_key_position > 0).count();
    let row_id_may_be_key = key_columns == 1 && !has_key_index(connection, relation)?;
    rows.into_iter().map(|row| describe(connection, relation, row, row_id_may_be_key)).collect()
}

fn column_row(row: &Row<'_>) -> rusqlite::Result<ColumnRow> {
    let text = |index| {
        Ok::<_, rusqlite::Error>(match row.get_ref(index)? {
            ValueRef::Text(bytes) => usable_name(bytes),
            ValueRef::Null => Some(String::new()),
            ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => None,
        })
    };
    Ok(ColumnRow {
        name: text(1)?,
        declared_type: text(2)?,
        not_null: row.get::<_, i64>(3)? != 0,
        primary_key_position: row.get(5)?,
        hidden: row.get(6)?,
    })
}

/// Whether an index of its own serves the primary key. Without one, the key is the row id
/// (SQLite manual, "ROWIDs and the INTEGER PRIMARY KEY").
fn has_key_index(connection: &Connection, relation: &Relation) -> Result<bool, DriverError> {
    let mut found = false;
    connection
        .pragma(Some(SCHEMA), "index_list", &relation.name, |row| {
            found |= row.get_ref(3)? == ValueRef::Text(b"pk");
            Ok(())
        })
        .map_err(failed)?;
    Ok(found)
}

fn describe(
    connection: &Connection,
    relation: &Relation,
    row: ColumnRow,
    row_id_may_be_key: bool,
) -> Result<ColumnDescription, DriverError> {
    let (Some(name), Some(declared_type)) = (row.name, row.declared_type) else {
        return Err(DriverError::refused(DatabaseReason::TableNameUnusable));
    };
    let (_, collation, ..) = connection
        .column_metadata(Some(SCHEMA), relation.name.as_str(), name.as_str())
        .map_err(failed)?;
    let built_in = collation.is_none_or(|collation| {
        COLLATIONS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(collation.to_bytes()))
    });
    if !built_in {
        return Err(DriverError::refused(DatabaseReason::TableHasCustomCollation));
    }
    let is_key = row.primary_key_position > 0;
    Ok(ColumnDescription {
        name,
        declared_type,
        // SQLite reports the row id as nullable although it never is NULL.
        nullable: !(row.not_null || is_key && row_id_may_be_key),
        primary_key_position: is_key.then_some(row.primary_key_position),
    })
}
