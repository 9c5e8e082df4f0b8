//! FROM: physical tables, queries, and their joins.

use super::{Converter, bounded, require};
use crate::reason::SqlReason;
use crate::sql::lex::mysql_family;
use crate::sql::limits::{ALIASES_MAX, OUTPUTS_MAX};
use crate::sql::name::Name;
use crate::sql::statement::{Join, JoinCondition, JoinKind, Relation, Source, Table};
use crate::sql::system;
use sqlparser::ast::{
    self, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor, TableWithJoins,
};

impl Converter {
    /// One item of FROM with what is joined to it.
    pub(super) fn source(&mut self, source: &TableWithJoins) -> Result<Source, SqlReason> {
        let TableWithJoins { relation, joins } = source;
        require(joins.len() < ALIASES_MAX, SqlReason::TooManyAliases)?;
        Ok(Source {
            relation: self.factor(relation)?,
            joins: joins.iter().map(|join| self.join(join)).collect::<Result<_, _>>()?,
        })
    }

    fn factor(&mut self, factor: &TableFactor) -> Result<Relation, SqlReason> {
        let converted = self.relation(factor);
        self.blame(factor, &converted);
        converted
    }

    fn relation(&mut self, factor: &TableFactor) -> Result<Relation, SqlReason> {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_hints,
                version,
                with_ordinality,
                partitions,
                json_path,
                sample,
                index_directives,
                inheritance,
            } => {
                require(
                    args.is_none() && !with_ordinality && json_path.is_none(),
                    SqlReason::TableFunction,
                )?;
                let hinted = !with_hints.is_empty()
                    || !index_directives.is_empty()
                    || !partitions.is_empty();
                let modified = version.is_some() || sample.is_some() || inheritance.is_some();
                require(!hinted && !modified, SqlReason::TableModifier)?;
                self.named(name, alias.as_ref())
            }
            TableFactor::Derived { lateral: true, .. }
            | TableFactor::Function { lateral: true, .. } => Err(SqlReason::Lateral),
            TableFactor::Derived { lateral: false, subquery, alias, sample } => {
                require(sample.is_none(), SqlReason::TableModifier)?;
                let alias = alias.as_ref().ok_or(SqlReason::DerivedAlias)?;
                let alias = self.table_alias(alias)?;
                Ok(Relation::Derived { query: self.inner(subquery)?, alias })
            }
            TableFactor::NestedJoin { .. } => Err(SqlReason::NestedJoin),
            TableFactor::TableFunction { .. }
            | TableFactor::Function { .. }
            | TableFactor::UNNEST { .. }
            | TableFactor::JsonTable { .. }
            | TableFactor::OpenJsonTable { .. }
            | TableFactor::XmlTable { .. }
            | TableFactor::SemanticView { .. } => Err(SqlReason::TableFunction),
            TableFactor::Pivot { .. }
            | TableFactor::Unpivot { .. }
            | TableFactor::UnpivotExpr { .. }
            | TableFactor::MatchRecognize { .. } => Err(SqlReason::TableModifier),
        }
    }

    /// A table, or a query of WITH: only those have one name.
    pub(super) fn named(
        &self,
        name: &ObjectName,
        alias: Option<&TableAlias>,
    ) -> Result<Relation, SqlReason> {
        let parts = Self::parts(name).map_err(|_| SqlReason::TableFunction)?;
        let alias = alias.map(|alias| self.table_alias(alias)).transpose()?;
        match parts.as_slice() {
            [name] => {
                let name = self.name(name)?;
                Ok(Relation::Common { alias: alias.unwrap_or_else(|| name.clone()), name })
            }
            [schema, name] => {
                let (schema, name) = (self.name(schema)?, self.name(name)?);
                let alias = alias.unwrap_or_else(|| name.clone());
                Table::checked(schema, name, alias, self.dialect).map(Relation::Table)
            }
            _ => Err(SqlReason::TableNameParts),
        }
    }

    fn table_alias(&self, alias: &TableAlias) -> Result<Name, SqlReason> {
        let TableAlias { explicit: _, name, columns, at } = alias;
        require(columns.is_empty(), SqlReason::AliasColumns)?;
        require(at.is_none(), SqlReason::Clause)?;
        self.declared(name)
    }

    fn join(&mut self, join: &ast::Join) -> Result<Join, SqlReason> {
        let ast::Join { relation, global, join_operator } = join;
        require(!global, SqlReason::JoinKind)?;
        let relation = self.factor(relation)?;
        let kind = match join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => {
                JoinKind::Inner(self.condition(constraint)?)
            }
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                JoinKind::Left(self.condition(constraint)?)
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                JoinKind::Right(self.condition(constraint)?)
            }
            JoinOperator::FullOuter(_) if mysql_family(self.dialect) => {
                return Err(SqlReason::JoinKind);
            }
            JoinOperator::FullOuter(constraint) => JoinKind::Full(self.condition(constraint)?),
            JoinOperator::CrossJoin(JoinConstraint::None) => JoinKind::Cross,
            JoinOperator::CrossJoin(_) => return Err(SqlReason::JoinCondition),
            JoinOperator::CrossApply | JoinOperator::OuterApply => return Err(SqlReason::Lateral),
            JoinOperator::StraightJoin(_) => return Err(SqlReason::Hint),
            JoinOperator::Semi(_)
            | JoinOperator::LeftSemi(_)
            | JoinOperator::RightSemi(_)
            | JoinOperator::Anti(_)
            | JoinOperator::LeftAnti(_)
            | JoinOperator::RightAnti(_)
            | JoinOperator::AsOf { match_condition: _, constraint: _ }
            | JoinOperator::ArrayJoin
            | JoinOperator::LeftArrayJoin
            | JoinOperator::InnerArrayJoin => return Err(SqlReason::JoinKind),
        };
        Ok(Join { kind, relation })
    }

    fn condition(&mut self, constraint: &JoinConstraint) -> Result<JoinCondition, SqlReason> {
        match constraint {
            JoinConstraint::On(condition) => Ok(JoinCondition::On(self.expression(condition)?)),
            JoinConstraint::Using(columns) => self.using(columns).map(JoinCondition::Using),
            JoinConstraint::UsingAlias(_, _) => Err(SqlReason::JoinAlias),
            JoinConstraint::Natural => Err(SqlReason::NaturalJoin),
            JoinConstraint::None => Err(SqlReason::JoinCondition),
        }
    }

    fn using(&self, columns: &[ObjectName]) -> Result<Vec<Name>, SqlReason> {
        require(!columns.is_empty(), SqlReason::JoinCondition)?;
        bounded(columns, OUTPUTS_MAX)?;
        let names = columns.iter().map(|column| {
            let name = self.single(column, SqlReason::ColumnNameParts)?;
            system::check_column(&name, self.dialect)?;
            Ok(name)
        });
        names.collect()
    }
}
