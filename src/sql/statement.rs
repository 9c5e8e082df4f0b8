//! DBeast's own statement: it has no place for anything that is not allowed.
//!
//! What never lives here: subqueries, casts, assignments, locks, table functions, settings. To
//! allow more, add a type here first; every other file then follows.

use super::expression::Expression;
use super::name::Name;

/// One SELECT over physical tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Select {
    /// `DISTINCT`.
    pub(super) distinct: bool,
    /// What comes out, at least one.
    pub(super) outputs: Vec<Output>,
    /// Comma-separated chains of joins; empty for a SELECT of constants.
    pub(super) sources: Vec<Source>,
    /// `WHERE`.
    pub(super) filter: Option<Expression>,
    /// `GROUP BY`.
    pub(super) groups: Vec<Key>,
    /// `HAVING`.
    pub(super) group_filter: Option<Expression>,
    /// `ORDER BY`.
    pub(super) order: Vec<Ordering>,
    /// `LIMIT`.
    pub(super) limit: Option<u64>,
    /// `OFFSET`.
    pub(super) offset: Option<u64>,
}

/// One item of the SELECT list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// `*`
    AllColumns,
    /// `alias.*`
    ColumnsOf(Name),
    /// An expression, perhaps with a name of its own.
    Expression(Expression, Option<Name>),
}

/// Tables joined one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// The first table.
    pub(super) table: Table,
    /// The tables joined to it.
    pub(super) joins: Vec<Join>,
}

/// A physical table and the alias it is written with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// Schema, database, or `main`.
    pub(super) schema: Name,
    /// Name inside the schema.
    pub(super) name: Name,
    /// Always written out; the table's own name if the text gave none.
    pub(super) alias: Name,
}

/// One table joined to those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Join {
    /// Kind and condition.
    pub(super) kind: JoinKind,
    /// The joined table.
    pub(super) table: Table,
}

/// How a table is joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JoinKind {
    /// `CROSS JOIN`
    Cross,
    /// `INNER JOIN`
    Inner(JoinCondition),
    /// `LEFT JOIN`
    Left(JoinCondition),
    /// `RIGHT JOIN`
    Right(JoinCondition),
    /// `FULL JOIN`
    Full(JoinCondition),
}

/// What makes two rows belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JoinCondition {
    /// `ON`
    On(Expression),
    /// `USING`
    Using(Vec<Name>),
}

/// What is grouped or sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The position of an output, from 1.
    Position(u32),
    /// Anything but a literal.
    Expression(Expression),
}

/// One item of ORDER BY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ordering {
    /// What is sorted by.
    pub(super) key: Key,
    /// `DESC`.
    pub(super) descending: bool,
    /// `NULLS FIRST` or `NULLS LAST`; the engine's default if absent.
    pub(super) nulls_first: Option<bool>,
}

impl Select {
    /// Every table in FROM, in order.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.sources.iter().flat_map(|source| {
            std::iter::once(&source.table).chain(source.joins.iter().map(|join| &join.table))
        })
    }
}

impl JoinKind {
    /// The condition, if this kind has one.
    pub(super) const fn condition(&self) -> Option<&JoinCondition> {
        match self {
            Self::Cross => None,
            Self::Inner(condition)
            | Self::Left(condition)
            | Self::Right(condition)
            | Self::Full(condition) => Some(condition),
        }
    }

    /// The condition to change, if this kind has one.
    pub(super) const fn condition_mut(&mut self) -> Option<&mut JoinCondition> {
        match self {
            Self::Cross => None,
            Self::Inner(condition)
            | Self::Left(condition)
            | Self::Right(condition)
            | Self::Full(condition) => Some(condition),
        }
    }
}
