//! DBeast's own statement: it has no place for anything that is not allowed.
//!
//! What never lives here: casts, assignments, locks, table functions, recursion, settings. To allow
//! more, add a type here first; every other file then follows.

use super::expression::Expression;
use super::name::Name;

/// A whole query, or one inside another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Query {
    /// `WITH`: each can use those before it.
    pub(super) commons: Vec<CommonTable>,
    /// What it selects.
    pub(super) body: Body,
    /// `ORDER BY`.
    pub(super) order: Vec<Ordering>,
    /// `LIMIT`.
    pub(super) limit: Option<u64>,
    /// `OFFSET`.
    pub(super) offset: Option<u64>,
}

/// One query of `WITH`. It never refers to itself or to a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommonTable {
    /// Its name.
    pub(super) name: Name,
    /// Names for all of its columns, or none.
    pub(super) columns: Vec<Name>,
    /// Its rows.
    pub(super) query: Query,
}

/// One SELECT, or several whose rows are combined from the left to the right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    /// It names the columns.
    pub(super) first: Select,
    /// What is combined with it. INTERSECT never stands beside another operator: engines group those
    /// differently.
    pub(super) rest: Vec<Arm>,
}

/// One more SELECT, and how its rows are combined with those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arm {
    /// How.
    pub(super) operator: SetOperator,
    /// `ALL`: repeated rows stay.
    pub(super) all: bool,
    /// Which rows.
    pub(super) select: Select,
}

/// How rows are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetOperator {
    /// `UNION`
    Union,
    /// `EXCEPT`
    Except,
    /// `INTERSECT`
    Intersect,
}

/// One SELECT.
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

/// Relations joined one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// The first one.
    pub(super) relation: Relation,
    /// Those joined to it.
    pub(super) joins: Vec<Join>,
}

/// What rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// A physical table.
    Table(Table),
    /// A query of `WITH`, by its name.
    Common {
        /// Its name, as `WITH` spells it.
        name: Name,
        /// Always written out.
        alias: Name,
    },
    /// A query in FROM.
    Derived {
        /// Its rows.
        query: Box<Query>,
        /// Every engine wants one.
        alias: Name,
    },
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

/// One relation joined to those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Join {
    /// Kind and condition.
    pub(super) kind: JoinKind,
    /// What is joined.
    pub(super) relation: Relation,
}

/// How a relation is joined.
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
    /// How many outputs it has, if no wildcard hides that.
    pub(super) fn counted(&self) -> Option<usize> {
        let is_one = |output: &Output| matches!(output, Output::Expression(_, _));
        self.outputs.iter().all(is_one).then_some(self.outputs.len())
    }

    /// Everything in FROM, in order, to change it.
    pub(super) fn relations_mut(&mut self) -> impl Iterator<Item = &mut Relation> {
        self.sources.iter_mut().flat_map(|source| {
            let joined = source.joins.iter_mut().map(|join| &mut join.relation);
            std::iter::once(&mut source.relation).chain(joined)
        })
    }
}

impl From<Select> for Query {
    fn from(select: Select) -> Self {
        let body = Body { first: select, rest: Vec::new() };
        Self { commons: Vec::new(), body, order: Vec::new(), limit: None, offset: None }
    }
}

impl Relation {
    /// The name by which columns refer to it.
    pub(super) const fn alias(&self) -> &Name {
        match self {
            Self::Table(table) => &table.alias,
            Self::Common { name: _, alias } | Self::Derived { query: _, alias } => alias,
        }
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
