//! The names that one SELECT can use: its own, and those of the SELECTs around it.

use super::is_same;
use super::outputs::Outputs;
use crate::reason::SqlReason;
use crate::sql::expression::Expression;
use crate::sql::function::Function;
use crate::sql::name::Name;
use crate::sql::statement::{Output, Select};
use crate::value::Engine;
use std::collections::BTreeSet;

/// The names of one SELECT.
pub(super) struct Scope<'a> {
    dialect: Engine,
    relations: Vec<Bound>,
    /// Names of the outputs, folded once.
    outputs: BTreeSet<String>,
    /// The SELECT whose expression this one stands in.
    outer: Option<&'a Scope<'a>>,
}

/// An alias of FROM and what stands behind it.
pub(super) struct Bound {
    /// As in FROM.
    pub(super) alias: Name,
    /// Whether it is a table itself.
    pub(super) is_table: bool,
    /// Its columns.
    pub(super) outputs: Outputs,
}

/// Whether a clause can name outputs of the SELECT list.
#[derive(Clone, Copy)]
pub(super) enum Sees {
    Columns,
    Outputs,
}

impl<'a> Scope<'a> {
    /// The names of FROM and of the SELECT list.
    pub(super) fn new(
        dialect: Engine,
        relations: Vec<Bound>,
        select: &Select,
        outer: Option<&'a Self>,
    ) -> Result<Self, SqlReason> {
        let folded: BTreeSet<String> = relations.iter().map(|bound| bound.alias.folded()).collect();
        if folded.len() < relations.len() {
            return Err(SqlReason::DuplicateAlias);
        }
        let scope = Self { dialect, relations, outputs: names_of(select, dialect), outer };
        if scope.hides_another_spelling() {
            return Err(SqlReason::DuplicateAlias);
        }
        Ok(scope)
    }

    /// Whether an alias around has the same name but for its letters: some engines take the two for one, and
    /// others do not.
    fn hides_another_spelling(&self) -> bool {
        let around = std::iter::successors(self.outer, |scope| scope.outer);
        around.flat_map(|scope| &scope.relations).any(|other| {
            let is_other = |own: &Bound| {
                own.alias != other.alias && own.alias.folded() == other.alias.folded()
            };
            self.relations.iter().any(is_other)
        })
    }

    /// What stands behind an alias: of the nearest SELECT that has it.
    pub(super) fn find(&self, alias: &Name) -> Result<&Bound, SqlReason> {
        let mut scopes = std::iter::successors(Some(self), |scope| scope.outer);
        scopes.find_map(|scope| scope.own(alias)).ok_or(SqlReason::UnknownAlias)
    }

    /// What stands behind an alias of this SELECT itself.
    pub(super) fn own(&self, alias: &Name) -> Option<&Bound> {
        self.relations.iter().find(|bound| is_same(self.dialect, &bound.alias, alias))
    }

    /// Everything in FROM.
    pub(super) fn relations(&self) -> &[Bound] {
        &self.relations
    }

    /// What stands in FROM, if it is one thing alone.
    pub(super) const fn only(&self) -> Option<&Bound> {
        match self.relations.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether there is nothing in FROM.
    pub(super) const fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    /// Whether columns of a SELECT around this one can be named.
    pub(super) const fn is_inner(&self) -> bool {
        self.outer.is_some()
    }

    /// Whether a bare name can be an output. SQLite lets every clause name them.
    pub(super) fn is_output(&self, name: &Name, sees: Sees) -> bool {
        let may_be = matches!(sees, Sees::Outputs) || self.dialect == Engine::Sqlite;
        may_be && self.outputs.contains(&name.folded())
    }
}

fn names_of(select: &Select, dialect: Engine) -> BTreeSet<String> {
    let names = select.outputs.iter().filter_map(|output| match output {
        Output::Expression(_, Some(alias)) => Some(alias.folded()),
        Output::Expression(expression, None) if dialect == Engine::Postgres => {
            given_name(expression).map(str::to_owned)
        }
        Output::Expression(_, None) | Output::AllColumns | Output::ColumnsOf(_) => None,
    });
    names.collect()
}

/// The name that PostgreSQL gives to an output without alias, if it is no column's of FROM.
fn given_name(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::CountRows => Some(Function::Count.word()),
        Expression::Call { function, distinct: _, arguments: _ } => Some(function.word()),
        Expression::Case { operand: _, branches: _, otherwise } => {
            Some(otherwise.as_deref().and_then(given_name).unwrap_or("case"))
        }
        Expression::Exists(_) => Some("exists"),
        Expression::Scalar(query) => match query.body.first.outputs.as_slice() {
            [Output::Expression(_, Some(alias))] => Some(alias.as_str()),
            [Output::Expression(Expression::Column(column), None)] => Some(column.name.as_str()),
            [Output::Expression(only, None)] => given_name(only),
            _ => None,
        },
        Expression::Literal(_)
        | Expression::Column(_)
        | Expression::Negate(_)
        | Expression::Not(_)
        | Expression::Arithmetic(..)
        | Expression::Compare(..)
        | Expression::Chain(..)
        | Expression::Is { .. }
        | Expression::Like { .. }
        | Expression::Between { .. }
        | Expression::InQuery { .. }
        | Expression::In { .. } => None,
    }
}
