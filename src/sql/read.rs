//! The broker's own structured read: data becomes a typed statement, never text.

use super::expression::{Column, Expression};
use super::limits::{READ_COLUMNS_MAX, READ_OFFSET_MAX, READ_ROWS_MAX};
use super::name::Name;
use super::statement::{Output, Query, Relation, Select, Source, Table};
use super::{Verified, prove, resolve, system};
use crate::reason::SqlReason;
use crate::value::{Engine, TableName};

/// The statement that reads `columns` of one table: at most `limit` rows after `offset`.
///
/// Names are taken exactly as given, without folding.
///
/// # Errors
/// The reason for which a name or bound cannot be part of a verified read.
pub fn read_table(
    table: &TableName,
    columns: &[String],
    limit: u32,
    offset: u32,
    dialect: Engine,
) -> Result<Verified, SqlReason> {
    let columns_fit = (1..=READ_COLUMNS_MAX).contains(&columns.len());
    if !columns_fit || !(1..=READ_ROWS_MAX).contains(&limit) || offset > READ_OFFSET_MAX {
        return Err(SqlReason::ReadBounds);
    }
    let alias = Name::exact("t", dialect)?;
    let outputs = columns.iter().map(|column| {
        let name = Name::exact(column, dialect)?;
        system::check_column(&name, dialect)?;
        Ok(Output::Expression(
            Expression::Column(Column { alias: Some(alias.clone()), name }),
            None,
        ))
    });
    let select = Select {
        distinct: false,
        outputs: outputs.collect::<Result<_, SqlReason>>()?,
        sources: vec![Source {
            relation: Relation::Table(physical(table, alias.clone(), dialect)?),
            joins: Vec::new(),
        }],
        filter: None,
        groups: Vec::new(),
        group_filter: None,
    };
    let query = Query {
        limit: Some(u64::from(limit)),
        offset: (offset > 0).then_some(u64::from(offset)),
        ..Query::from(select)
    };
    prove(resolve::resolve(query, dialect).map_err(|(reason, _)| reason)?, dialect)
}

/// A table by its exact names.
fn physical(table: &TableName, alias: Name, dialect: Engine) -> Result<Table, SqlReason> {
    let schema = Name::exact(&table.schema, dialect)?;
    let name = Name::exact(&table.name, dialect)?;
    Table::checked(schema, name, alias, dialect)
}

impl Table {
    /// A table that a statement may name.
    pub(super) fn checked(
        schema: Name,
        name: Name,
        alias: Name,
        dialect: Engine,
    ) -> Result<Self, SqlReason> {
        let schema = match dialect {
            Engine::Sqlite if !schema.is("main") => return Err(SqlReason::SchemaNotMain),
            Engine::Sqlite => Name::exact("main", dialect)?,
            Engine::Postgres | Engine::Mysql | Engine::Mariadb => schema,
        };
        system::check_table(&schema, &name, dialect)?;
        Ok(Self { schema, name, alias })
    }
}
