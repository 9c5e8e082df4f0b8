//! The query and its clauses.

use super::{Converter, bounded, require};
use crate::reason::SqlReason;
use crate::sql::limits::OUTPUTS_MAX;
use crate::sql::statement::Select;
use crate::value::Engine;
use sqlparser::ast::{
    self, Distinct, LimitClause, Offset, OffsetRows, Query, SelectFlavor, SetExpr,
};

/// The typed statement of a parsed query.
pub(in crate::sql) fn select(query: &Query, dialect: Engine) -> Result<Select, SqlReason> {
    Converter::new(dialect).query(query)
}

impl Converter {
    fn query(&mut self, query: &Query) -> Result<Select, SqlReason> {
        let Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        require(with.is_none(), SqlReason::CommonTable)?;
        require(fetch.is_none(), SqlReason::FetchClause)?;
        require(locks.is_empty(), SqlReason::RowLock)?;
        let foreign = for_clause.is_none() && settings.is_none() && format_clause.is_none();
        require(foreign && pipe_operators.is_empty(), SqlReason::Clause)?;
        let select = match &**body {
            SetExpr::Select(select) => select,
            SetExpr::Query(inner) if order_by.is_none() && limit_clause.is_none() => {
                return self.query(inner);
            }
            SetExpr::Query(_) => return Err(SqlReason::Subquery),
            SetExpr::SetOperation { left: _, op: _, set_quantifier: _, right: _ } => {
                return Err(SqlReason::SetOperation);
            }
            SetExpr::Values(_) | SetExpr::Table(_) => return Err(SqlReason::ValuesStatement),
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                return Err(SqlReason::WriteStatement);
            }
        };
        let mut converted = self.select(select)?;
        converted.order = self.order(order_by.as_ref(), &converted.outputs)?;
        (converted.limit, converted.offset) = self.limit(limit_clause.as_ref())?;
        Ok(converted)
    }

    fn select(&mut self, select: &ast::Select) -> Result<Select, SqlReason> {
        let ast::Select {
            select_token: _,
            optimizer_hints,
            distinct,
            select_modifiers,
            top,
            top_before_distinct: _,
            projection,
            exclude,
            into,
            from,
            lateral_views,
            prewhere,
            selection,
            connect_by,
            group_by,
            cluster_by,
            distribute_by,
            sort_by,
            having,
            named_window,
            qualify,
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        require(into.is_none(), SqlReason::Into)?;
        require(optimizer_hints.is_empty() && select_modifiers.is_none(), SqlReason::Hint)?;
        require(top.is_none(), SqlReason::FetchClause)?;
        require(lateral_views.is_empty(), SqlReason::Lateral)?;
        require(named_window.is_empty() && qualify.is_none(), SqlReason::Window)?;
        let foreign = exclude.is_none() && prewhere.is_none() && value_table_mode.is_none();
        let sorted = connect_by.is_empty()
            && cluster_by.is_empty()
            && distribute_by.is_empty()
            && sort_by.is_empty();
        require(foreign && sorted && *flavor == SelectFlavor::Standard, SqlReason::Clause)?;
        require(!projection.is_empty(), SqlReason::EmptyProjection)?;
        bounded(projection, OUTPUTS_MAX)?;
        let outputs =
            projection.iter().map(|item| self.output(item)).collect::<Result<Vec<_>, _>>()?;
        Ok(Select {
            distinct: is_distinct(distinct.as_ref())?,
            sources: from.iter().map(|source| self.source(source)).collect::<Result<_, _>>()?,
            filter: selection.as_ref().map(|filter| self.expression(filter)).transpose()?,
            groups: self.groups(group_by, &outputs)?,
            group_filter: having.as_ref().map(|filter| self.expression(filter)).transpose()?,
            outputs,
            order: Vec::new(),
            limit: None,
            offset: None,
        })
    }

    fn limit(&self, clause: Option<&LimitClause>) -> Result<(Option<u64>, Option<u64>), SqlReason> {
        let (limit, offset) = match clause {
            None => (None, None),
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) => {
                require(limit_by.is_empty(), SqlReason::FetchClause)?;
                (limit.as_ref(), offset.as_ref().map(plain_offset))
            }
        };
        if offset.is_some() && limit.is_none() && self.dialect != Engine::Postgres {
            return Err(SqlReason::OffsetWithoutLimit);
        }
        let count = |number: Option<&ast::Expr>| number.map(Self::row_count).transpose();
        Ok((count(limit)?, count(offset)?))
    }
}

/// The number of an OFFSET; ROW and ROWS add nothing.
const fn plain_offset(offset: &Offset) -> &ast::Expr {
    let Offset { value, rows } = offset;
    match rows {
        OffsetRows::None | OffsetRows::Row | OffsetRows::Rows => value,
    }
}

/// Whether repeated rows are left out.
fn is_distinct(distinct: Option<&Distinct>) -> Result<bool, SqlReason> {
    match distinct {
        None | Some(Distinct::All) => Ok(false),
        Some(Distinct::Distinct) => Ok(true),
        Some(Distinct::On(_)) => Err(SqlReason::DistinctOn),
    }
}
