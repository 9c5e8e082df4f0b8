//! A query: WITH, what it selects, and what holds for all of its rows.

use super::{Converter, Refused, require};
use crate::reason::SqlReason;
use crate::sql::limits::QUERY_DEPTH_MAX;
use crate::sql::statement::{Body, Query};
use crate::value::Engine;
use sqlparser::ast::{self, LimitClause, Offset, OffsetRows, SetExpr};

/// The typed statement of a parsed query.
pub(in crate::sql) fn query(query: &ast::Query, dialect: Engine) -> Result<Query, Refused> {
    let mut converter = Converter::new(dialect);
    converter.query(query).map_err(|reason| (reason, converter.refused))
}

impl Converter {
    /// A query, one level deeper than what it stands in.
    pub(super) fn query(&mut self, query: &ast::Query) -> Result<Query, SqlReason> {
        self.queries += 1;
        require(self.queries <= QUERY_DEPTH_MAX, SqlReason::TooDeep)?;
        let converted = self.clauses(query);
        self.queries -= 1;
        converted
    }

    fn clauses(&mut self, query: &ast::Query) -> Result<Query, SqlReason> {
        let ast::Query {
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
        require(fetch.is_none(), SqlReason::FetchClause)?;
        require(locks.is_empty(), SqlReason::RowLock)?;
        let foreign = for_clause.is_none() && settings.is_none() && format_clause.is_none();
        require(foreign && pipe_operators.is_empty(), SqlReason::Clause)?;
        if let SetExpr::Query(inner) = &**body
            && with.is_none()
            && order_by.is_none()
            && limit_clause.is_none()
        {
            return self.query(inner);
        }
        let commons = with.as_ref().map(|with| self.commons(with)).transpose()?.unwrap_or_default();
        let body = self.body(body)?;
        let order = self.order(order_by.as_ref(), &body)?;
        let (limit, offset) = self.limit(limit_clause.as_ref())?;
        Ok(Query { commons, body, order, limit, offset })
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

    /// A query inside an expression. A write has none: it touches one table only.
    pub(super) fn inner(&mut self, query: &ast::Query) -> Result<Box<Query>, SqlReason> {
        require(!self.is_write, SqlReason::Subquery)?;
        self.query(query).map(Box::new)
    }

    /// A query inside an expression that stands for values: it has one output.
    pub(super) fn inner_values(&mut self, query: &ast::Query) -> Result<Box<Query>, SqlReason> {
        let query = self.inner(query)?;
        let Body { first, rest } = &query.body;
        let mut selects = std::iter::once(first).chain(rest.iter().map(|arm| &arm.select));
        require(selects.all(|select| select.counted() == Some(1)), SqlReason::SubqueryColumns)?;
        Ok(query)
    }
}

/// The number of an OFFSET; ROW and ROWS add nothing.
const fn plain_offset(offset: &Offset) -> &ast::Expr {
    let Offset { value, rows } = offset;
    match rows {
        OffsetRows::None | OffsetRows::Row | OffsetRows::Rows => value,
    }
}
