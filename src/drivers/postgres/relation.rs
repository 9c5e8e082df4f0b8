//! One relation as the catalog shows it, and the judgement about it.
//!
//! Contract, "Tools", the table of what is supported: every refusal has its own reason.

use super::catalog::{Catalog, FIRST_USER_OID};
use super::connection::CatalogRow;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason as Reason;
use crate::value::{ColumnDescription, TableName};

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
    /// Everything that the proof saw, for the identity.
    pub(super) seen: Vec<CatalogRow>,
}

/// The rows of one place.
struct Place<'a> {
    catalog: &'a Catalog,
    place: String,
}

impl<'a> Place<'a> {
    fn of(&self, rows: &'a [CatalogRow]) -> impl Iterator<Item = &'a CatalogRow> {
        rows.iter().filter(|row| text(row, 0) == self.place)
    }
}

/// Whether casts, functions and operators of the database itself mean what they always mean.
pub(super) fn judge_built_ins(catalog: &Catalog) -> Result<(), DriverError> {
    let mut values = catalog.built_ins.iter().flatten();
    if values.any(|value| value.as_deref() != Some("f")) {
        return Err(DriverError::refused(Reason::BuiltInsChanged));
    }
    Ok(())
}

/// Judges the relation at a place, counted from 0. `table` is its name.
pub(super) fn judge(
    catalog: &Catalog,
    table: &TableName,
    index: usize,
) -> Result<Relation, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let place = Place { catalog, place: (index + 1).to_string() };
    let Some(row) = place.of(&catalog.relations).next() else {
        return refused(Reason::TableUnknown);
    };
    let kind = kind(row)?;
    let columns = columns(&place)?;
    for (rows, reason) in [
        (&catalog.indexes, Reason::IndexNotBuiltIn),
        (&catalog.checks, Reason::CheckNotBuiltIn),
        (&catalog.statistics, Reason::StatisticsNotBuiltIn),
    ] {
        // The last value says whether something that is not built in is part of it.
        if place.of(rows).any(|row| row.last().and_then(Option::as_deref) != Some("f")) {
            return refused(reason);
        }
    }
    if place.of(&catalog.indexes).any(|row| !is_built_in_index(row)) {
        return refused(Reason::IndexNotBuiltIn);
    }
    // What may change without the table being another one: the privilege, and whether it is filled.
    let own = row.iter().enumerate().filter(|(at, _)| !matches!(at, 8 | 12));
    let mut seen: Vec<CatalogRow> = vec![own.map(|(_, value)| value.clone()).collect()];
    for rows in [&catalog.columns, &catalog.indexes, &catalog.checks, &catalog.statistics] {
        // A place is no property of a table.
        seen.extend(place.of(rows).map(|row| row.iter().skip(1).cloned().collect()));
    }
    // Neither is it in the first row.
    if let Some(first) = seen.first_mut() {
        first.remove(0);
    }
    Ok(Relation { table: table.clone(), oid: oid(row, 1)?, kind, columns, seen })
}

fn kind(row: &CatalogRow) -> Result<Kind, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let is = |at| text(row, at) == "t";
    // Built-in objects are tables and views, too.
    if oid(row, 1)? < FIRST_USER_OID {
        return refused(Reason::TableIsSystem);
    }
    match text(row, 3) {
        "t" => return refused(Reason::TableIsTemporary),
        "u" => return refused(Reason::TableIsUnlogged),
        "p" => {}
        _ => return refused(Reason::TableKindUnsupported),
    }
    let kind = match text(row, 2) {
        "r" => Kind::Table,
        "v" => Kind::View,
        "m" => Kind::MaterializedView,
        "p" => return refused(Reason::TableIsPartitioned),
        "f" => return refused(Reason::TableIsForeign),
        _ => return refused(Reason::TableKindUnsupported),
    };
    if is(4) {
        return refused(Reason::TableIsPartitioned);
    }
    if is(10) || is(11) {
        return refused(Reason::TableHasInheritance);
    }
    if is(5) || is(6) {
        return refused(Reason::TableHasRowSecurity);
    }
    if kind != Kind::View && oid(row, 7)? != HEAP {
        return refused(Reason::TableHasCustomStorage);
    }
    if !is(8) {
        return refused(Reason::MaterializedViewEmpty);
    }
    Ok(kind)
}

/// Whether the account may read the relation at a place at all.
pub(super) fn is_readable(catalog: &Catalog, index: usize) -> bool {
    let place = Place { catalog, place: (index + 1).to_string() };
    place.of(&place.catalog.relations).all(|row| text(row, 12) == "t")
}

/// Whether the relation at a place is a materialized view, which LOCK TABLE does not take.
pub(super) fn is_materialized(catalog: &Catalog, index: usize) -> bool {
    let place = Place { catalog, place: (index + 1).to_string() };
    place.of(&place.catalog.relations).any(|row| text(row, 2) == "m")
}

fn columns(place: &Place<'_>) -> Result<Vec<ColumnDescription>, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let key = primary_key(place);
    let mut columns = Vec::new();
    for row in place.of(&place.catalog.columns) {
        if columns.len() >= COLUMNS_MAX {
            return refused(Reason::TableTooWide);
        }
        if !text(row, 7).is_empty() {
            return refused(Reason::TableHasGeneratedColumn);
        }
        check_type(row)?;
        if oid(row, 5)? >= FIRST_USER_OID {
            return refused(Reason::TableHasCustomCollation);
        }
        let number = text(row, 1);
        let position = key.iter().position(|column| *column == number);
        columns.push(ColumnDescription {
            name: text(row, 2).to_owned(),
            declared_type: text(row, 10).to_owned(),
            nullable: text(row, 6) != "t",
            primary_key_position: position.and_then(|position| u32::try_from(position + 1).ok()),
        });
    }
    Ok(columns)
}

/// Built-in base types and arrays of them.
fn check_type(row: &CatalogRow) -> Result<(), DriverError> {
    let is_built_in = oid(row, 3)? < FIRST_USER_OID;
    // The type of an array is the word of its elements.
    let word = if text(row, 9).is_empty() { text(row, 8) } else { text(row, 9) };
    let reason = match word {
        "b" if is_built_in => return Ok(()),
        "b" => Reason::ColumnTypeNotBuiltIn,
        "d" => Reason::ColumnTypeIsDomain,
        "e" => Reason::ColumnTypeIsEnum,
        "c" => Reason::ColumnTypeIsComposite,
        "r" | "m" => Reason::ColumnTypeIsRange,
        _ => Reason::ColumnTypeNotBuiltIn,
    };
    Err(DriverError::refused(reason))
}

/// The numbers of the columns of the primary key, in its order.
fn primary_key<'a>(place: &Place<'a>) -> Vec<&'a str> {
    let mut indexes = place.of(&place.catalog.indexes);
    let primary = indexes.find(|row| text(row, 8) == "t");
    primary.map(|row| text(row, 5).split(' ').collect()).unwrap_or_default()
}

/// Access method, operator classes and collations of an index.
fn is_built_in_index(row: &CatalogRow) -> bool {
    let lists = [text(row, 2), text(row, 3), text(row, 4)];
    lists
        .iter()
        .flat_map(|list| list.split(' '))
        .filter(|oid| !oid.is_empty())
        .all(|oid| oid.parse::<u32>().is_ok_and(|oid| oid < FIRST_USER_OID))
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
