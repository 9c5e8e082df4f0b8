//! One relation as the catalog shows it, and the judgement about it.
//!
//! Contract, "Tools", the table of what is supported: every refusal has its own reason.

use super::catalog::{Catalog, Catalogs, FIRST_USER_OID};
use super::connection::CatalogRow;
use super::rule;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason as Reason;
use crate::value::{ColumnDescription, TableName};
use std::collections::BTreeSet;

/// The access method `heap` (PostgreSQL source, `pg_am.dat`).
const HEAP: u32 = 2;

/// The most columns (contract, "Tools").
const COLUMNS_MAX: usize = 64;

/// What a relation is, of what is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Table,
    View,
    MaterializedView,
}

/// A relation that was proven, apart from what a view reads.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) table: TableName,
    pub(super) oid: u32,
    pub(super) kind: Kind,
    pub(super) columns: Vec<ColumnDescription>,
    /// OID and version of the schema's row.
    pub(super) schema: (String, String),
    /// Everything that the proof saw, for the identity.
    pub(super) seen: Vec<CatalogRow>,
}

/// Whether casts, functions and operators of the database itself mean what they always mean.
pub(super) fn judge_built_ins(catalogs: &Catalogs) -> Result<(), DriverError> {
    let mut values = catalogs.built_ins.iter().flatten();
    if values.any(|value| value.as_deref() != Some("f")) {
        return Err(DriverError::refused(Reason::BuiltInsChanged));
    }
    Ok(())
}

/// Judges one relation.
///
/// `indirect` are built-in functions that run what a number or a text says.
pub(super) fn judge(
    catalog: &Catalog,
    table: &TableName,
    indirect: &BTreeSet<u32>,
) -> Result<Relation, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let [row] = catalog.relation.as_slice() else {
        return refused(Reason::TableUnknown);
    };
    let kind = kind(row)?;
    let columns = columns(catalog)?;
    catalog.parts.iter().try_for_each(|part| judge_part(part, indirect))?;
    // All but what may change without the table being another one: whether it is filled, the privilege, and the version
    // of the schema's row.
    let own = row.iter().enumerate().filter(|(at, _)| !matches!(at, 7 | 11 | 14));
    let mut seen: Vec<CatalogRow> = vec![own.map(|(_, value)| value.clone()).collect()];
    for rows in [&catalog.columns, &catalog.parts] {
        seen.extend(rows.iter().cloned());
    }
    let schema = (text(row, 8).to_owned(), text(row, 14).to_owned());
    Ok(Relation { table: table.clone(), oid: oid(row, 0)?, kind, columns, schema, seen })
}

fn kind(row: &CatalogRow) -> Result<Kind, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let is = |at| text(row, at) == "t";
    // Built-in objects are tables and views, too.
    if oid(row, 0)? < FIRST_USER_OID {
        return refused(Reason::TableIsSystem);
    }
    match text(row, 2) {
        "t" => return refused(Reason::TableIsTemporary),
        "u" => return refused(Reason::TableIsUnlogged),
        "p" => {}
        _ => return refused(Reason::TableKindUnsupported),
    }
    let kind = match text(row, 1) {
        "r" => Kind::Table,
        "v" => Kind::View,
        "m" => Kind::MaterializedView,
        "p" => return refused(Reason::TableIsPartitioned),
        "f" => return refused(Reason::TableIsForeign),
        _ => return refused(Reason::TableKindUnsupported),
    };
    if is(3) {
        return refused(Reason::TableIsPartitioned);
    }
    if is(9) || is(10) {
        return refused(Reason::TableHasInheritance);
    }
    // Forced policies that are not switched on are not looked at.
    if is(4) {
        return refused(Reason::TableHasRowSecurity);
    }
    if kind != Kind::View && oid(row, 6)? != HEAP {
        return refused(Reason::TableHasCustomStorage);
    }
    if !is(7) {
        return refused(Reason::MaterializedViewEmpty);
    }
    Ok(kind)
}

/// Whether the account may read a relation at all.
pub(super) fn is_readable(catalog: &Catalog) -> bool {
    catalog.relation.iter().all(|row| text(row, 11) == "t")
}

/// Whether a relation is a materialized view, which LOCK TABLE does not take.
pub(super) fn is_materialized(catalog: &Catalog) -> bool {
    catalog.relation.iter().any(|row| text(row, 1) == "m")
}

fn columns(catalog: &Catalog) -> Result<Vec<ColumnDescription>, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let key = primary_key(catalog);
    let mut columns = Vec::new();
    for row in &catalog.columns {
        if columns.len() >= COLUMNS_MAX {
            return refused(Reason::TableTooWide);
        }
        if !text(row, 6).is_empty() {
            return refused(Reason::TableHasGeneratedColumn);
        }
        check_type(row)?;
        if oid(row, 4)? >= FIRST_USER_OID {
            return refused(Reason::TableHasCustomCollation);
        }
        let number = text(row, 0);
        let position = key.iter().position(|column| *column == number);
        columns.push(ColumnDescription {
            name: text(row, 1).to_owned(),
            declared_type: text(row, 9).to_owned(),
            nullable: text(row, 5) != "t",
            primary_key_position: position.and_then(|position| u32::try_from(position + 1).ok()),
        });
    }
    Ok(columns)
}

/// Built-in base types and arrays of them.
fn check_type(row: &CatalogRow) -> Result<(), DriverError> {
    let is_built_in = oid(row, 2)? < FIRST_USER_OID;
    // The type of an array is the word of its elements.
    let word = if text(row, 8).is_empty() { text(row, 7) } else { text(row, 8) };
    let reason = match word {
        "b" if is_built_in => return Ok(()),
        "d" => Reason::ColumnTypeIsDomain,
        "e" => Reason::ColumnTypeIsEnum,
        "c" => Reason::ColumnTypeIsComposite,
        "r" | "m" => Reason::ColumnTypeIsRange,
        _ => Reason::ColumnTypeNotBuiltIn,
    };
    Err(DriverError::refused(reason))
}

/// The numbers of the columns of the primary key, in its order.
fn primary_key(catalog: &Catalog) -> Vec<&str> {
    let primary = catalog.parts.iter().find(|row| text(row, 6) == "t");
    primary.map(|row| text(row, 5).split(' ').collect()).unwrap_or_default()
}

/// An index, a constraint or extended statistics: everything that the planner may evaluate of it is built in.
fn judge_part(row: &CatalogRow, indirect: &BTreeSet<u32>) -> Result<(), DriverError> {
    let reason = match text(row, 1) {
        "i" => Reason::IndexNotBuiltIn,
        "c" | "x" => Reason::CheckNotBuiltIn,
        _ => Reason::StatisticsNotBuiltIn,
    };
    // Operator classes, collations and the access method of an index.
    let lists = [text(row, 2), text(row, 3), text(row, 4)];
    let mut oids = lists.iter().flat_map(|list| list.split(' ')).filter(|oid| !oid.is_empty());
    let is_built_in = oids.all(|oid| oid.parse::<u32>().is_ok_and(|oid| oid < FIRST_USER_OID));
    // The last value says whether it depends on something else that is not.
    let has_own_code = row.last().and_then(Option::as_deref) != Some("f");
    if !is_built_in || has_own_code {
        return Err(DriverError::refused(reason));
    }
    for tree in [text(row, 8), text(row, 9)].into_iter().filter(|tree| !tree.is_empty()) {
        let named =
            rule::read(tree).map_err(|unknown| DriverError::refused(reason).because(unknown.0))?;
        let is_known = named.is_built_in() && named.relations.is_empty();
        if !is_known || named.is_indirect(indirect) {
            return Err(DriverError::refused(reason));
        }
    }
    Ok(())
}

/// A value as text; empty for NULL.
pub(super) fn text(row: &CatalogRow, at: usize) -> &str {
    row.get(at).and_then(Option::as_deref).unwrap_or_default()
}

/// A value as an OID.
pub(super) fn oid(row: &CatalogRow, at: usize) -> Result<u32, DriverError> {
    text(row, at).parse().map_err(|error: std::num::ParseIntError| {
        DriverError::failed(Reason::GuardUnavailable).because(error)
    })
}
