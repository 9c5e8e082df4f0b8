//! INSERT, UPDATE and DELETE of one table.

use super::body::alone;
use super::{Converter, Refused, bounded, require};
use crate::reason::SqlReason;
use crate::sql::limits::{INSERT_ROWS_MAX, OUTPUTS_MAX};
use crate::sql::name::Name;
use crate::sql::statement::{Relation, Table};
use crate::sql::system;
use crate::sql::write::{Assignment, Cell, TableWrite};
use crate::value::Engine;
use sqlparser::ast::{
    self, AssignmentTarget, Delete, Expr, FromTable, Insert, ObjectName, Parens, SetExpr,
    Statement, TableObject, TableWithJoins, Update, Values,
};

/// The typed write of a parsed statement.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other statement is refused")]
pub(in crate::sql) fn write(statement: &Statement, dialect: Engine) -> Result<TableWrite, Refused> {
    let mut converter = Converter { is_write: true, ..Converter::new(dialect) };
    let write = match statement {
        Statement::Insert(insert) => converter.insert(insert),
        Statement::Update(update) => converter.update(update),
        Statement::Delete(delete) => converter.delete(delete),
        _ => Err(SqlReason::NotATableWrite),
    };
    write.map_err(|reason| (reason, converter.refused))
}

impl Converter {
    fn insert(&mut self, insert: &Insert) -> Result<TableWrite, SqlReason> {
        let Insert {
            insert_token: _,
            optimizer_hints,
            or,
            ignore,
            into,
            table,
            table_alias,
            columns,
            by_name,
            overwrite,
            source,
            assignments,
            partitioned,
            after_columns,
            overriding,
            has_table_keyword,
            on,
            returning,
            output,
            replace_into,
            priority,
            insert_alias,
            settings,
            format_clause,
            multi_table_insert_type,
            multi_table_into_clauses,
            multi_table_when_clauses,
            multi_table_else_clause,
        } = insert;
        require(optimizer_hints.is_empty() && priority.is_none(), SqlReason::Hint)?;
        let is_upsert = or.is_some() || on.is_some() || *ignore || *replace_into || *overwrite;
        let is_aliased = table_alias.is_some() || insert_alias.is_some();
        let is_returning = returning.is_some() || output.is_some();
        let is_one = multi_table_insert_type.is_none()
            && multi_table_into_clauses.is_empty()
            && multi_table_when_clauses.is_empty()
            && multi_table_else_clause.is_none();
        let is_plain = *into
            && !by_name
            && assignments.is_empty()
            && partitioned.is_none()
            && after_columns.is_empty()
            && overriding.is_none()
            && !has_table_keyword
            && settings.is_none()
            && format_clause.is_none();
        require(
            !is_upsert && !is_aliased && !is_returning && is_one && is_plain,
            SqlReason::TableWriteClause,
        )?;
        let TableObject::TableName(table) = table else {
            return Err(SqlReason::TableFunction);
        };
        let table = self.target(table)?;
        require(!columns.is_empty(), SqlReason::InsertColumns)?;
        bounded(columns, OUTPUTS_MAX)?;
        let columns: Vec<Name> =
            columns.iter().map(|column| self.target_column(column)).collect::<Result<_, _>>()?;
        let rows = self.rows(source.as_deref(), columns.len())?;
        Ok(TableWrite::Insert { table, columns, rows })
    }

    /// The rows of VALUES: nothing but values.
    fn rows(
        &mut self,
        source: Option<&ast::Query>,
        columns: usize,
    ) -> Result<Vec<Vec<Cell>>, SqlReason> {
        let source = source.ok_or(SqlReason::InsertColumns)?;
        require(source.with.is_none(), SqlReason::CommonTable)?;
        let SetExpr::Values(Values { explicit_row, value_keyword, rows }) = &*source.body else {
            return Err(SqlReason::Subquery);
        };
        let is_plain = alone(source).is_some() && !explicit_row && !value_keyword;
        require(is_plain, SqlReason::TableWriteClause)?;
        bounded(rows, INSERT_ROWS_MAX)?;
        require(!rows.is_empty(), SqlReason::InsertColumns)?;
        rows.iter().map(|row| self.row(row, columns)).collect()
    }

    fn row(&mut self, row: &Parens<Vec<Expr>>, columns: usize) -> Result<Vec<Cell>, SqlReason> {
        let cells = &row.content;
        require(cells.len() == columns, SqlReason::InsertColumns)?;
        cells.iter().map(|cell| self.cell(cell)).collect()
    }

    fn update(&mut self, update: &Update) -> Result<TableWrite, SqlReason> {
        let Update {
            update_token: _,
            optimizer_hints,
            table,
            on_cluster,
            assignments,
            from,
            selection,
            returning,
            output,
            or,
            order_by,
            limit,
            settings,
        } = update;
        require(optimizer_hints.is_empty(), SqlReason::Hint)?;
        let is_plain = on_cluster.is_none() && settings.is_none() && or.is_none();
        let is_whole = order_by.is_empty() && limit.is_none();
        let is_returning = returning.is_some() || output.is_some();
        require(
            from.is_none() && is_plain && is_whole && !is_returning,
            SqlReason::TableWriteClause,
        )?;
        let table = self.only_table(table)?;
        bounded(assignments, OUTPUTS_MAX)?;
        require(!assignments.is_empty(), SqlReason::Syntax)?;
        let assignments = assignments.iter().map(|assignment| self.assignment(assignment));
        let assignments = assignments.collect::<Result<_, _>>()?;
        let filter = selection.as_ref().map(|filter| self.expression(filter)).transpose()?;
        Ok(TableWrite::Update { table, assignments, filter })
    }

    fn assignment(&mut self, assignment: &ast::Assignment) -> Result<Assignment, SqlReason> {
        let ast::Assignment { target, value } = assignment;
        let AssignmentTarget::ColumnName(column) = target else {
            return Err(SqlReason::TableWriteClause);
        };
        Ok(Assignment { column: self.target_column(column)?, cell: self.cell(value)? })
    }

    fn delete(&mut self, delete: &Delete) -> Result<TableWrite, SqlReason> {
        let Delete {
            delete_token: _,
            optimizer_hints,
            tables,
            from,
            on_cluster,
            using,
            selection,
            returning,
            output,
            order_by,
            limit,
            settings,
        } = delete;
        require(optimizer_hints.is_empty(), SqlReason::Hint)?;
        let is_plain = on_cluster.is_none() && settings.is_none();
        let is_whole = order_by.is_empty() && limit.is_none();
        let is_returning = returning.is_some() || output.is_some();
        require(
            tables.is_empty() && using.is_none() && is_plain && is_whole && !is_returning,
            SqlReason::TableWriteClause,
        )?;
        let FromTable::WithFromKeyword(from) = from else {
            return Err(SqlReason::TableWriteClause);
        };
        let [table] = from.as_slice() else {
            return Err(SqlReason::TableWriteClause);
        };
        let table = self.only_table(table)?;
        let filter = selection.as_ref().map(|filter| self.expression(filter)).transpose()?;
        Ok(TableWrite::Delete { table, filter })
    }

    /// The table of UPDATE or DELETE, which stands alone and has no other name.
    fn only_table(&mut self, table: &TableWithJoins) -> Result<Table, SqlReason> {
        let source = self.source(table)?;
        match source.relation {
            Relation::Table(table) if source.joins.is_empty() && table.alias == table.name => {
                Ok(table)
            }
            Relation::Common { name: _, alias: _ } => Err(SqlReason::UnqualifiedTable),
            Relation::Table(_) | Relation::Derived { .. } => Err(SqlReason::TableWriteClause),
        }
    }

    fn target(&self, name: &ObjectName) -> Result<Table, SqlReason> {
        match self.named(name, None)? {
            Relation::Table(table) => Ok(table),
            Relation::Common { name: _, alias: _ } | Relation::Derived { .. } => {
                Err(SqlReason::UnqualifiedTable)
            }
        }
    }

    /// A column that changes: a plain name, since a part of a value is no column.
    fn target_column(&self, column: &ObjectName) -> Result<Name, SqlReason> {
        let name = self.single(column, SqlReason::ColumnNameParts)?;
        system::check_column(&name, self.dialect)?;
        Ok(name)
    }

    fn cell(&mut self, cell: &Expr) -> Result<Cell, SqlReason> {
        if let Expr::Identifier(word) = cell
            && word.quote_style.is_none()
            && word.value.eq_ignore_ascii_case("default")
        {
            // SQLite does not know the word here.
            require(self.dialect != Engine::Sqlite, SqlReason::Syntax)?;
            return Ok(Cell::Default);
        }
        self.expression(cell).map(Cell::Value)
    }
}
