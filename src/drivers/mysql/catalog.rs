//! The proof's questions to the catalog.
//!
//! They name nothing but tables of `information_schema`, whose columns no user can put code behind. Names travel as
//! hexadecimal digits, which mean the same under every mode.
//!
//! Sources: the MySQL manual, "`INFORMATION_SCHEMA` Tables"; the MariaDB documentation, "Information Schema Tables".

use super::Flavour;
use super::connection::{CatalogRow, Connection};
use super::file_name;
use crate::drivers::DriverError;
use crate::reason::DatabaseReason as Reason;
use crate::value::TableName;

/// Letters of a name (MySQL manual, "Identifier Length Limits").
const NAME_LETTERS_MAX: usize = 64;

/// Names that differ in case only, at most.
const CANDIDATES_MAX: usize = 100;

/// What the catalog says about one table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Catalog {
    /// Schema, name, kind, engine, options, format of rows, collation, whether it has partitions. At most one.
    pub(super) table: Vec<CatalogRow>,
    /// Place, name, type, nullable, default, extra, collation, character set, expression.
    pub(super) columns: Vec<CatalogRow>,
    /// Name, place, not unique, column, length of prefix, type, direction, expression.
    pub(super) indexes: Vec<CatalogRow>,
    /// The number of the table in the storage engine.
    pub(super) number: Option<String>,
}

/// Asks for the first part: what kind of thing a name is.
pub(super) async fn kind(
    connection: &mut Connection,
    table: &TableName,
) -> Result<Vec<CatalogRow>, DriverError> {
    let (schema, name) = (text(&table.schema), text(&table.name));
    let rows = connection
        .rows(&format!(
            "SELECT t.TABLE_SCHEMA, t.TABLE_NAME, t.TABLE_TYPE, t.ENGINE, t.CREATE_OPTIONS, t.ROW_FORMAT, \
             t.TABLE_COLLATION, EXISTS (SELECT 1 FROM information_schema.PARTITIONS AS p \
             WHERE p.TABLE_SCHEMA = {schema} AND p.TABLE_NAME = {name} \
             AND p.PARTITION_NAME IS NOT NULL) \
             FROM information_schema.TABLES AS t \
             WHERE t.TABLE_SCHEMA = {schema} AND t.TABLE_NAME = {name} LIMIT 9"
        ))
        .await?;
    // The server compares without regard to case and trailing spaces; a table is meant by its very name.
    let is_it = |row: &CatalogRow| cell(row, 0) == table.schema && cell(row, 1) == table.name;
    Ok(rows.into_iter().filter(is_it).collect())
}

/// Asks for everything.
pub(super) async fn read(
    connection: &mut Connection,
    flavour: Flavour,
    table: &TableName,
) -> Result<Catalog, DriverError> {
    let (schema, name) = (text(&table.schema), text(&table.name));
    let which = format!("WHERE TABLE_SCHEMA = {schema} AND TABLE_NAME = {name}");
    let expression = match flavour {
        Flavour::Mysql => "EXPRESSION",
        Flavour::Mariadb => "NULL",
    };
    Ok(Catalog {
        table: kind(connection, table).await?,
        columns: connection
            .rows(&format!(
                "SELECT ORDINAL_POSITION, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, \
                 COLLATION_NAME, CHARACTER_SET_NAME, GENERATION_EXPRESSION \
                 FROM information_schema.COLUMNS {which} ORDER BY ORDINAL_POSITION LIMIT 4097"
            ))
            .await?,
        indexes: connection
            .rows(&format!(
                "SELECT INDEX_NAME, SEQ_IN_INDEX, NON_UNIQUE, COLUMN_NAME, SUB_PART, INDEX_TYPE, \
                 COLLATION, {expression} FROM information_schema.STATISTICS {which} \
                 ORDER BY INDEX_NAME, SEQ_IN_INDEX LIMIT 4097"
            ))
            .await?,
        number: number(connection, flavour, table).await?,
    })
}

/// The number under which the storage engine knows a table, and under which it knows no other, ever. Needs PROCESS.
async fn number(
    connection: &mut Connection,
    flavour: Flavour,
    table: &TableName,
) -> Result<Option<String>, DriverError> {
    let list = match flavour {
        Flavour::Mysql => "INNODB_TABLES",
        Flavour::Mariadb => "INNODB_SYS_TABLES",
    };
    let spelled = file_name::of(table);
    let rows = connection
        .rows(&format!(
            "SELECT TABLE_ID, NAME, @@lower_case_table_names FROM information_schema.{list} \
             WHERE NAME = {} LIMIT {CANDIDATES_MAX}",
            text(&spelled)
        ))
        .await
        .map_err(|error| {
            if error.reason() == Reason::StatementNotPermitted {
                DriverError::refused(Reason::ProcessNotPermitted).replacing(error)
            } else {
                error
            }
        })?;
    // The server compares without regard to case. 2: names are stored as they were written, and in lower case inside the
    // storage engine.
    let is_it = |row: &&CatalogRow| {
        let name = cell(row, 1);
        name == spelled || cell(row, 2) == "2" && name.to_lowercase() == spelled.to_lowercase()
    };
    let mut found = rows.iter().filter(is_it);
    match (found.next(), found.next()) {
        (Some(row), None) => Ok(row.first().cloned().flatten()),
        (None, _) => Ok(None),
        (Some(_), Some(_)) => Err(DriverError::refused(Reason::TableNameUnusable)),
    }
}

/// The question whether there is such a database.
pub(super) fn database(name: &str) -> String {
    let name = text(name);
    format!(
        "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = {name} LIMIT 9"
    )
}

/// The question for all tables of a database, one more than may be listed.
pub(super) fn candidates(database: &str, entries_max: usize) -> String {
    let database = text(database);
    let rows = entries_max.saturating_add(1);
    format!(
        "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, CREATE_OPTIONS FROM information_schema.TABLES \
         WHERE TABLE_SCHEMA = {database} ORDER BY TABLE_NAME LIMIT {rows}"
    )
}

/// The question for the server's version and the number of tables.
pub(super) fn facts(database: &str) -> String {
    let database = text(database);
    format!(
        "SELECT VERSION(), (SELECT COUNT(*) FROM information_schema.TABLES \
         WHERE TABLE_SCHEMA = {database})"
    )
}

/// Names that no table can have: the server would shorten or change them.
pub(super) fn check_name(table: &TableName) -> Result<(), DriverError> {
    // Of Unicode, names can hold the first plane.
    let is_usable = |name: &str| {
        (1..=NAME_LETTERS_MAX).contains(&name.chars().count())
            && name.chars().all(|letter| ('\u{1}'..='\u{ffff}').contains(&letter))
    };
    if is_usable(&table.schema) && is_usable(&table.name) {
        Ok(())
    } else {
        Err(DriverError::refused(Reason::TableUnknown))
    }
}

/// A text as a literal, whatever the mode: its bytes as hexadecimal digits.
fn text(text: &str) -> String {
    let mut literal = "_utf8mb4 x'".to_owned();
    for byte in text.bytes() {
        let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
        literal.extend([digit(byte >> 4), digit(byte & 15)]);
    }
    literal.push('\'');
    literal
}

/// A name as a quoted identifier (MySQL manual, "Schema Object Names").
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

pub(super) fn qualified(table: &TableName) -> String {
    format!("{}.{}", quoted(&table.schema), quoted(&table.name))
}

/// A value as text; empty for NULL.
pub(super) fn cell(row: &CatalogRow, at: usize) -> &str {
    row.get(at).and_then(Option::as_deref).unwrap_or_default()
}
