//! The catalog of the file, read once inside the transaction of the proof.
//!
//! `sqlite_schema` is read as plain rows. `PRAGMA table_list` would be shorter, but it compiles
//! every view and connects every virtual table of the file, which runs extension code over data
//! that nobody asked for.

use super::error::{During, explain};
use crate::drivers::DriverError;
use crate::reason::DatabaseReason;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::BTreeSet;

/// Objects of a catalog beyond which it is refused.
const OBJECTS_MAX: usize = 65_536;

/// Bytes of definitions beyond which a catalog is refused.
const DEFINITION_BYTES_MAX: usize = 32 * 1024 * 1024;

/// What a name in the catalog stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RelationKind {
    /// A plain physical table.
    Table,
    /// A view.
    View,
    /// A virtual table: code of an extension.
    Virtual,
    /// Storage of a virtual table.
    Shadow,
    /// A table of SQLite itself.
    System,
}

impl RelationKind {
    /// The word in lists.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::View => "view",
            Self::Virtual => "virtual_table",
            Self::Shadow => "shadow_table",
            Self::System => "system_table",
        }
    }
}

/// A table or view of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) kind: RelationKind,
    /// The spelling of the database.
    pub(super) name: String,
    pub(super) root_page: i64,
    /// The text of the definition. Kept as bytes: two texts that are no UTF-8 must not look equal.
    pub(super) definition: Vec<u8>,
}

/// The catalog of `main`.
#[derive(Debug)]
pub(super) struct Catalog {
    /// `PRAGMA schema_version`: grows with each change of the schema.
    pub(super) version: i64,
    relations: Vec<Relation>,
    /// Table and root page of each index.
    indexes: Vec<(String, i64)>,
    /// Root pages of all tables and indexes.
    roots: BTreeSet<i64>,
    /// Tables whose names are no text and so cannot be named.
    unnamed: usize,
}

impl Catalog {
    /// Reads the catalog. Needs a transaction and the authority for the proof.
    pub(super) fn read(connection: &Connection) -> Result<Self, DriverError> {
        let mut catalog = Self {
            version: version(connection)?,
            relations: Vec::new(),
            indexes: Vec::new(),
            roots: BTreeSet::new(),
            unnamed: 0,
        };
        let mut statement = connection
            .prepare("SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_schema")
            .map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut bytes = 0_usize;
        let mut objects = 0_usize;
        while let Some(row) = rows.next().map_err(failed)? {
            bytes = bytes.saturating_add(catalog.add(row)?);
            objects += 1;
            if objects > OBJECTS_MAX || bytes > DEFINITION_BYTES_MAX {
                return Err(DriverError::unavailable(DatabaseReason::CatalogTooLarge));
            }
        }
        catalog.mark_shadows();
        catalog.relations.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(catalog)
    }

    /// Tables and views that are not SQLite's own.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Relation> {
        self.relations.iter().filter(|relation| relation.kind != RelationKind::System)
    }

    /// How many tables and views have names that are no text.
    pub(super) const fn unnamed(&self) -> usize {
        self.unnamed
    }

    /// Finds a name as SQLite does: without regard to ASCII case.
    pub(super) fn find(&self, name: &str) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.name.eq_ignore_ascii_case(name))
    }

    /// Root pages of the indexes of a table.
    pub(super) fn index_roots<'a>(&'a self, table: &'a str) -> impl Iterator<Item = i64> + 'a {
        self.indexes
            .iter()
            .filter(move |(owner, _)| owner.eq_ignore_ascii_case(table))
            .map(|(_, root)| *root)
    }

    /// Adds an object and returns the bytes that it takes.
    fn add(&mut self, row: &Row<'_>) -> Result<usize, DriverError> {
        let kind = bytes_of(row, 0)?;
        let root_page = row.get_ref(3).map_err(failed)?.as_i64().unwrap_or(0);
        // A page that belongs to two objects would let one table show the rows of another.
        if root_page > 0 && !self.roots.insert(root_page) {
            return Err(DriverError::unavailable(DatabaseReason::SourceDamaged));
        }
        match kind {
            b"table" | b"view" => {}
            b"index" => {
                if let Some(owner) = text_of(row, 2)? {
                    let size = owner.len();
                    self.indexes.push((owner, root_page));
                    return Ok(size);
                }
                return Ok(0);
            }
            // Triggers never run for a read.
            _ => return Ok(0),
        }
        let Some(name) = text_of(row, 1)? else {
            self.unnamed += 1;
            return Ok(0);
        };
        let definition = bytes_of(row, 4)?.to_vec();
        let kind = if is_system_name(&name) {
            RelationKind::System
        } else if kind == b"view" {
            RelationKind::View
        } else if root_page <= 0 {
            // Only a virtual table has no page of its own (SQLite manual, "Database File
            // Format", section 2.6).
            RelationKind::Virtual
        } else {
            RelationKind::Table
        };
        let size = name.len().saturating_add(definition.len());
        self.relations.push(Relation { kind, name, root_page, definition });
        Ok(size)
    }

    /// Marks each table called `<virtual table>_…` as the storage of that virtual table.
    ///
    /// SQLite asks the module of the virtual table, and a module that is not loaded cannot
    /// answer. Every known module names its storage this way, so the wider rule misses none; it
    /// can refuse a plain table that happens to be named so.
    fn mark_shadows(&mut self) {
        let owners: BTreeSet<String> = self
            .relations
            .iter()
            .filter(|relation| relation.kind == RelationKind::Virtual)
            .map(|relation| relation.name.to_ascii_lowercase())
            .collect();
        for relation in &mut self.relations {
            let name = relation.name.to_ascii_lowercase();
            let is_owned = name
                .match_indices('_')
                .any(|(end, _)| name.get(..end).is_some_and(|owner| owners.contains(owner)));
            if relation.kind == RelationKind::Table && is_owned {
                relation.kind = RelationKind::Shadow;
            }
        }
    }
}

/// The version of the schema, as this transaction sees it.
pub(super) fn version(connection: &Connection) -> Result<i64, DriverError> {
    connection.query_row("PRAGMA main.schema_version", [], |row| row.get(0)).map_err(failed)
}

/// Names that SQLite keeps for itself (SQLite manual, "CREATE TABLE", section 2).
pub(super) fn is_system_name(name: &str) -> bool {
    name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("sqlite_"))
}

/// The bytes of a text; none for anything else.
fn bytes_of<'a>(row: &'a Row<'_>, index: usize) -> Result<&'a [u8], DriverError> {
    let value = row.get_ref(index).map_err(failed)?;
    Ok(if let ValueRef::Text(bytes) = value { bytes } else { &[] })
}

/// A name that can be written in a statement.
fn text_of(row: &Row<'_>, index: usize) -> Result<Option<String>, DriverError> {
    let bytes = bytes_of(row, index)?;
    Ok(usable_name(bytes))
}

/// A name as text, unless it is no UTF-8 or holds a NUL, where SQLite would stop reading it.
pub(super) fn usable_name(bytes: &[u8]) -> Option<String> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Some(text.to_owned()),
        _ => None,
    }
}

pub(super) fn failed(error: rusqlite::Error) -> DriverError {
    explain(error, During::Proof)
}
