//! One SELECT and its clauses.

use super::{Converter, bounded, require};
use crate::reason::SqlReason;
use crate::sql::limits::OUTPUTS_MAX;
use crate::sql::statement::{Output, Select};
use sqlparser::ast::{self, Distinct, SelectFlavor};
use std::collections::BTreeSet;

impl Converter {
    /// One SELECT.
    pub(super) fn select(&mut self, select: &ast::Select) -> Result<Select, SqlReason> {
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
        require(!repeats_wildcard(&outputs), SqlReason::Wildcard)?;
        Ok(Select {
            distinct: is_distinct(distinct.as_ref())?,
            sources: from.iter().map(|source| self.source(source)).collect::<Result<_, _>>()?,
            filter: selection.as_ref().map(|filter| self.expression(filter)).transpose()?,
            groups: self.groups(group_by, &outputs)?,
            group_filter: having.as_ref().map(|filter| self.expression(filter)).transpose()?,
            outputs,
        })
    }
}

/// Whether a wildcard stands twice: engines write each out before they count columns, so a short text would
/// have millions.
fn repeats_wildcard(outputs: &[Output]) -> bool {
    let mut seen = BTreeSet::new();
    outputs.iter().any(|output| match output {
        Output::AllColumns => !seen.insert(None),
        Output::ColumnsOf(alias) => !seen.insert(Some(alias.folded())),
        Output::Expression(_, _) => false,
    })
}

/// Whether repeated rows are left out.
fn is_distinct(distinct: Option<&Distinct>) -> Result<bool, SqlReason> {
    match distinct {
        None | Some(Distinct::All) => Ok(false),
        Some(Distinct::Distinct) => Ok(true),
        Some(Distinct::On(_)) => Err(SqlReason::DistinctOn),
    }
}
