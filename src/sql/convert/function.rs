//! Function calls: listed built-ins with plain arguments.

use super::{Converter, bounded, require};
use crate::reason::SqlReason;
use crate::sql::expression::Expression;
use crate::sql::function::Function;
use crate::sql::limits::ARGUMENTS_MAX;
use sqlparser::ast::{
    self, DuplicateTreatment, FunctionArg, FunctionArgExpr, FunctionArgumentList,
    FunctionArguments, Ident, ObjectName,
};

impl Converter {
    /// A call of a listed function.
    pub(super) fn call(&mut self, call: &ast::Function) -> Result<Expression, SqlReason> {
        let ast::Function {
            name,
            uses_odbc_syntax,
            parameters,
            args,
            within_group,
            filter,
            null_treatment,
            over,
        } = call;
        require(!uses_odbc_syntax, SqlReason::Brace)?;
        require(over.is_none(), SqlReason::Window)?;
        let written = Self::function_name(name)?;
        let clauses = filter.is_some() || null_treatment.is_some() || !within_group.is_empty();
        let FunctionArgumentList { duplicate_treatment, args, clauses: inner } = match args {
            FunctionArguments::None => return Err(SqlReason::ValueFunction),
            FunctionArguments::Subquery(_) => return Err(SqlReason::Subquery),
            FunctionArguments::List(list) => list,
        };
        let function = Function::named(written, self.dialect).ok_or(refusal(written))?;
        require(!clauses && inner.is_empty(), SqlReason::FunctionClause)?;
        require(matches!(parameters, FunctionArguments::None), SqlReason::FunctionArguments)?;
        let distinct = matches!(duplicate_treatment, Some(DuplicateTreatment::Distinct));
        require(
            duplicate_treatment.is_none() || function.aggregates(),
            SqlReason::FunctionArguments,
        )?;
        if let ([FunctionArg::Unnamed(FunctionArgExpr::Wildcard)], Function::Count, None) =
            (args.as_slice(), function, duplicate_treatment)
        {
            return Ok(Expression::CountRows);
        }
        bounded(args, ARGUMENTS_MAX)?;
        require(function.arguments().contains(&args.len()), SqlReason::FunctionArguments)?;
        let arguments =
            args.iter().map(|argument| self.argument(argument)).collect::<Result<_, _>>()?;
        Ok(Expression::Call { function, distinct, arguments })
    }

    /// The plain ASCII name of a function: anything else can name one that a user made.
    fn function_name(name: &ObjectName) -> Result<&str, SqlReason> {
        match Self::parts(name)?.as_slice() {
            [Ident { value, quote_style: None, span: _ }] if value.is_ascii() => Ok(value),
            _ => Err(SqlReason::FunctionName),
        }
    }

    fn argument(&mut self, argument: &FunctionArg) -> Result<Expression, SqlReason> {
        match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => self.expression(expression),
            FunctionArg::Unnamed(
                FunctionArgExpr::QualifiedWildcard(_)
                | FunctionArgExpr::Wildcard
                | FunctionArgExpr::WildcardWithOptions(_),
            )
            | FunctionArg::Named { name: _, arg: _, operator: _ }
            | FunctionArg::ExprNamed { name: _, arg: _, operator: _ } => {
                Err(SqlReason::FunctionArguments)
            }
        }
    }
}

/// Why a name that is no listed function is refused. Some are no functions at all.
fn refusal(written: &str) -> SqlReason {
    match written.to_ascii_lowercase().as_str() {
        "rollup" | "cube" | "grouping" => SqlReason::GroupingSets,
        "values" => SqlReason::ValuesStatement,
        "any" | "all" | "some" => SqlReason::Operator,
        _ => SqlReason::Function,
    }
}
