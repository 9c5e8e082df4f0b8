//! The names of a query and of the queries inside it.

use super::outputs::{Found, Outputs};
use super::scope::{Bound, Scope, Sees};
use super::{Common, Resolver, is_same, physical};
use crate::reason::SqlReason;
use crate::sql::expression::{Column, Expression};
use crate::sql::statement::{
    CommonTable, JoinCondition, Key, Ordering, Output, Query, Relation, Select, Source,
};
use crate::value::Engine;

impl Resolver {
    /// Settles a query. Only one inside an expression sees what stands around it: engines disagree
    /// about the others.
    pub(super) fn query(
        &mut self,
        query: &mut Query,
        outer: Option<&Scope<'_>>,
    ) -> Result<Outputs, SqlReason> {
        let Query { commons, body, order, limit: _, offset: _ } = query;
        let visible = self.commons.len();
        // MariaDB looks for what a query of an inner WITH names among its siblings and then among physical
        // tables, not in the WITH around.
        let hidden = self.hidden;
        if self.dialect == Engine::Mariadb {
            self.hidden = visible;
        }
        for common in commons {
            self.common(common)?;
        }
        self.hidden = hidden;
        // What is combined is sorted by outputs alone.
        let is_combined = !body.rest.is_empty();
        let own_order = if is_combined { &mut [][..] } else { order.as_mut_slice() };
        let outputs = self.select(&mut body.first, own_order, outer)?;
        for arm in &mut body.rest {
            self.select(&mut arm.select, &mut [], outer)?;
        }
        self.commons.truncate(visible);
        Ok(outputs)
    }

    /// A query of WITH. It sees those before it, and nothing around.
    fn common(&mut self, common: &mut CommonTable) -> Result<(), SqlReason> {
        let CommonTable { name, columns, query } = common;
        self.count_alias()?;
        let folded = name.folded();
        let is_visible = self.commons.iter().any(|other| other.name.folded() == folded);
        // SQLite takes an inner query of the same name for a reference to the outer one: a recursion.
        if is_visible || self.defined.contains(&folded) {
            return Err(self.blame(None, name, SqlReason::DuplicateAlias));
        }
        self.defined.push(folded);
        let mut outputs = self.query(query, None)?;
        self.defined.pop();
        if !columns.is_empty() {
            outputs = Outputs::renamed(columns, query.body.first.counted(), self.dialect)?;
        }
        self.commons.push(Common { name: name.clone(), outputs });
        Ok(())
    }

    fn select(
        &mut self,
        select: &mut Select,
        order: &mut [Ordering],
        outer: Option<&Scope<'_>>,
    ) -> Result<Outputs, SqlReason> {
        let bound = select.relations_mut().map(|relation| self.bind(relation));
        let bound = bound.collect::<Result<Vec<_>, _>>()?;
        let scope = Scope::new(self.dialect, bound, select, outer)?;
        let Select { distinct: _, outputs, sources, filter, groups, group_filter } = select;
        for output in outputs {
            self.output(output, &scope)?;
        }
        for source in sources {
            self.joins(source, &scope)?;
        }
        if let Some(filter) = filter {
            self.expression(filter, Sees::Columns, &scope)?;
        }
        for key in groups.iter_mut().chain(order.iter_mut().map(|ordering| &mut ordering.key)) {
            match key {
                Key::Position(_) => {}
                Key::Expression(expression) => {
                    self.expression(expression, Sees::Outputs, &scope)?;
                }
            }
        }
        if let Some(filter) = group_filter {
            self.expression(filter, Sees::Outputs, &scope)?;
        }
        Ok(Outputs::of(select, &scope, self.dialect))
    }

    /// What stands behind one item of FROM.
    fn bind(&mut self, relation: &mut Relation) -> Result<Bound, SqlReason> {
        self.count_alias()?;
        self.rows.insert(relation.alias().folded());
        let is_table = matches!(relation, Relation::Table(_));
        let outputs = match relation {
            Relation::Table(table) => {
                self.tables.insert(physical(table));
                Outputs::of_table(physical(table))
            }
            Relation::Common { name, alias: _ } => {
                let mut near = self.commons.iter().enumerate().rev();
                let found = near.find(|(_, common)| is_same(self.dialect, &common.name, name));
                let found =
                    found.map(|(at, common)| (at, common.name.clone(), common.outputs.clone()));
                let Some((position, spelled, outputs)) = found else {
                    return Err(self.blame(None, name, SqlReason::UnqualifiedTable));
                };
                if position < self.hidden {
                    return Err(self.blame(None, name, SqlReason::CommonTable));
                }
                *name = spelled;
                outputs
            }
            Relation::Derived { query, alias: _ } => self.query(query, None)?,
        };
        Ok(Bound { alias: relation.alias().clone(), is_table, outputs })
    }

    fn joins(&mut self, source: &mut Source, scope: &Scope<'_>) -> Result<(), SqlReason> {
        let Source { relation, joins } = source;
        for (position, join) in joins.iter_mut().enumerate() {
            match join.kind.condition_mut() {
                Some(JoinCondition::On(condition)) => {
                    self.expression(condition, Sees::Columns, scope)?;
                }
                Some(JoinCondition::Using(columns)) => {
                    // What is joined must have them; so must the first one if it stands alone.
                    let owners = [Some(&join.relation), (position == 0).then_some(&*relation)];
                    for owner in owners.into_iter().flatten() {
                        let Relation::Table(table) = owner else { continue };
                        for column in columns.iter() {
                            self.need(&physical(table), column);
                        }
                    }
                }
                None => {}
            }
        }
        Ok(())
    }

    fn output(&mut self, output: &mut Output, scope: &Scope<'_>) -> Result<(), SqlReason> {
        match output {
            Output::AllColumns if scope.is_empty() => Err(SqlReason::Wildcard),
            Output::AllColumns => Ok(()),
            Output::ColumnsOf(alias) => {
                let own = scope.own(alias).ok_or(SqlReason::UnknownAlias)?;
                *alias = own.alias.clone();
                Ok(())
            }
            Output::Expression(expression, _) => self.expression(expression, Sees::Columns, scope),
        }
    }

    fn expression(
        &mut self,
        expression: &mut Expression,
        sees: Sees,
        scope: &Scope<'_>,
    ) -> Result<(), SqlReason> {
        if let Expression::Column(column) = expression {
            return self.column(column, sees, scope);
        }
        if let Some(query) = expression.query_mut() {
            self.query(query, Some(scope))?;
        }
        let mut children = expression.children_mut().into_iter();
        children.try_for_each(|child| self.expression(child, sees, scope))
    }

    fn column(
        &mut self,
        column: &mut Column,
        sees: Sees,
        scope: &Scope<'_>,
    ) -> Result<(), SqlReason> {
        self.settle(column, sees, scope)
            .map_err(|reason| self.blame(column.alias.as_ref(), &column.name, reason))
    }

    fn settle(
        &mut self,
        column: &mut Column,
        sees: Sees,
        scope: &Scope<'_>,
    ) -> Result<(), SqlReason> {
        let Column { alias, name } = column;
        if let Some(alias) = alias {
            let bound = scope.find(alias)?;
            *alias = bound.alias.clone();
            return match bound.outputs.find(name, self.dialect) {
                Found::In(table) => {
                    self.need(table, name);
                    Ok(())
                }
                // PostgreSQL would call a function of that name with the row.
                Found::InSome if self.dialect == Engine::Postgres => Err(SqlReason::UnknownColumn),
                Found::Named | Found::InSome => Ok(()),
                Found::Nowhere => Err(SqlReason::UnknownColumn),
            };
        }
        // PostgreSQL reads an alias as the whole row of what it names, if no column has the name.
        let may_be_row = self.dialect == Engine::Postgres && self.rows.contains(&name.folded());
        if !may_be_row && (scope.is_output(name, sees) || scope.is_inner()) {
            return Ok(());
        }
        match scope.only() {
            Some(Bound { alias: _, is_table, outputs }) if *is_table || may_be_row => {
                match outputs.find(name, self.dialect) {
                    Found::Named => Ok(()),
                    Found::In(table) => {
                        self.need(table, name);
                        Ok(())
                    }
                    Found::InSome | Found::Nowhere => Err(SqlReason::WholeRow),
                }
            }
            _ if may_be_row => Err(SqlReason::WholeRow),
            _ => Ok(()),
        }
    }
}
