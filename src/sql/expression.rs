//! DBeast's own expressions: side-effect free by construction.
//!
//! Every operator and function named here is built into every engine that accepts it. The
//! driver must make sure that names resolve to the built-in ones (on PostgreSQL: a search path
//! of `pg_catalog` alone).

use super::function::Function;
use super::name::Name;
use super::statement::Query;

/// A value computed for a row or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// A constant.
    Literal(Literal),
    /// A column, perhaps of a named alias.
    Column(Column),
    /// `- operand`
    Negate(Box<Expression>),
    /// `NOT operand`
    Not(Box<Expression>),
    /// `left + right` and its like.
    Arithmetic(Arithmetic, Box<Expression>, Box<Expression>),
    /// `left = right` and its like.
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// Two or more operands joined by `AND`, `OR` or `||`.
    Chain(Chain, Vec<Expression>),
    /// `operand IS [NOT] NULL`, `IS [NOT] TRUE`, `IS [NOT] FALSE`.
    Is { operand: Box<Expression>, state: State, negated: bool },
    /// `operand [NOT] LIKE pattern [ESCAPE 'c']`
    Like { operand: Box<Expression>, pattern: Box<Expression>, escape: Option<char>, negated: bool },
    /// `operand [NOT] BETWEEN low AND high`
    Between { operand: Box<Expression>, low: Box<Expression>, high: Box<Expression>, negated: bool },
    /// `operand [NOT] IN (items)`, at least one item.
    In { operand: Box<Expression>, items: Vec<Expression>, negated: bool },
    /// `operand [NOT] IN (SELECT …)`, one output.
    InQuery { operand: Box<Expression>, query: Box<Query>, negated: bool },
    /// `EXISTS (SELECT …)`
    Exists(Box<Query>),
    /// `(SELECT …)`: the one output of its only row.
    Scalar(Box<Query>),
    /// `CASE [operand] WHEN … THEN … [ELSE …] END`, at least one branch.
    Case {
        operand: Option<Box<Expression>>,
        branches: Vec<Branch>,
        otherwise: Option<Box<Expression>>,
    },
    /// `count(*)`
    CountRows,
    /// A listed function.
    Call { function: Function, distinct: bool, arguments: Vec<Expression> },
}

/// A column of FROM, or the name of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// The alias it belongs to, spelled as in FROM.
    pub(super) alias: Option<Name>,
    /// Its name.
    pub(super) name: Name,
}

/// One `WHEN condition THEN result`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// What must hold, or what the operand must equal.
    pub(super) condition: Expression,
    /// The result then.
    pub(super) result: Expression,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    /// `NULL`
    Null,
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// An unsigned number, exactly as written.
    Number(String),
    /// A string: the text it means.
    Text(String),
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// Operators whose grouping does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chain {
    /// `AND`
    And,
    /// `OR`
    Or,
    /// `||`
    Concatenate,
}

/// What `IS` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// `NULL`
    Null,
    /// `TRUE`
    True,
    /// `FALSE`
    False,
}

impl Expression {
    /// The query directly inside this one, to change it.
    pub(super) fn query_mut(&mut self) -> Option<&mut Query> {
        match self {
            Self::InQuery { operand: _, query, negated: _ }
            | Self::Exists(query)
            | Self::Scalar(query) => Some(query),
            Self::Literal(_)
            | Self::Column(_)
            | Self::Negate(_)
            | Self::Not(_)
            | Self::Arithmetic(..)
            | Self::Compare(..)
            | Self::Chain(..)
            | Self::Is { .. }
            | Self::Like { .. }
            | Self::Between { .. }
            | Self::In { .. }
            | Self::Case { .. }
            | Self::CountRows
            | Self::Call { .. } => None,
        }
    }

    /// The expressions directly inside this one and outside its query, to change them.
    pub(super) fn children_mut(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Literal(_)
            | Self::Column(_)
            | Self::CountRows
            | Self::Exists(_)
            | Self::Scalar(_) => Vec::new(),
            Self::Negate(operand)
            | Self::Not(operand)
            | Self::Is { operand, state: _, negated: _ }
            | Self::InQuery { operand, query: _, negated: _ } => vec![operand],
            Self::Arithmetic(_, left, right) | Self::Compare(_, left, right) => vec![left, right],
            Self::Chain(_, operands) => operands.iter_mut().collect(),
            Self::Like { operand, pattern, escape: _, negated: _ } => vec![operand, pattern],
            Self::Between { operand, low, high, negated: _ } => vec![operand, low, high],
            Self::In { operand, items, negated: _ } => {
                std::iter::once(&mut **operand).chain(items).collect()
            }
            Self::Case { operand, branches, otherwise } => {
                let inner = branches
                    .iter_mut()
                    .flat_map(|branch| [&mut branch.condition, &mut branch.result]);
                operand
                    .as_deref_mut()
                    .into_iter()
                    .chain(inner)
                    .chain(otherwise.as_deref_mut())
                    .collect()
            }
            Self::Call { function: _, distinct: _, arguments } => arguments.iter_mut().collect(),
        }
    }

    /// The expressions directly inside this one and outside its query.
    pub(super) fn children(&self) -> Vec<&Self> {
        match self {
            Self::Literal(_)
            | Self::Column(_)
            | Self::CountRows
            | Self::Exists(_)
            | Self::Scalar(_) => Vec::new(),
            Self::Negate(operand)
            | Self::Not(operand)
            | Self::Is { operand, state: _, negated: _ }
            | Self::InQuery { operand, query: _, negated: _ } => vec![operand],
            Self::Arithmetic(_, left, right) | Self::Compare(_, left, right) => vec![left, right],
            Self::Chain(_, operands) => operands.iter().collect(),
            Self::Like { operand, pattern, escape: _, negated: _ } => vec![operand, pattern],
            Self::Between { operand, low, high, negated: _ } => vec![operand, low, high],
            Self::In { operand, items, negated: _ } => {
                std::iter::once(&**operand).chain(items).collect()
            }
            Self::Case { operand, branches, otherwise } => {
                let inner = branches.iter().flat_map(|branch| [&branch.condition, &branch.result]);
                operand.as_deref().into_iter().chain(inner).chain(otherwise.as_deref()).collect()
            }
            Self::Call { function: _, distinct: _, arguments } => arguments.iter().collect(),
        }
    }
}
