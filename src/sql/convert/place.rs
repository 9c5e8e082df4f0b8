//! Where a part of the parser's tree begins in the text. Trees can be as deep as a text is long, so only
//! the leftmost way down is followed, and in a loop.

use super::Converter;
use crate::reason::SqlReason;
use sqlparser::ast::{
    Cte, Expr, ObjectName, ObjectNamePart, SelectItem, SetExpr, TableFactor,
    helpers::attached_token::AttachedToken,
};
use sqlparser::tokenizer::Span;

impl Converter {
    /// Remembers where a part begins that was refused, if nothing inside it was.
    pub(super) fn blame<T>(&mut self, part: &impl Begins, converted: &Result<T, SqlReason>) {
        if converted.is_err() && self.refused.is_none() {
            self.refused = part.begins();
        }
    }
}

/// A part of the parser's tree.
pub(super) trait Begins {
    /// Where it begins, if that is easily said.
    fn begins(&self) -> Option<Span>;
}

impl Begins for Expr {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what stands around others is blamed instead"
    )]
    fn begins(&self) -> Option<Span> {
        let mut part = self;
        loop {
            part = match part {
                Self::Identifier(ident) => return Some(ident.span),
                Self::CompoundIdentifier(parts) => return parts.first().map(|ident| ident.span),
                Self::Value(value) => return Some(value.span),
                Self::Function(call) => return call.name.begins(),
                Self::Case { case_token: AttachedToken(token), .. } => return Some(token.span),
                Self::BinaryOp { left, op: _, right: _ } => left,
                Self::IsNull(operand)
                | Self::IsNotNull(operand)
                | Self::IsTrue(operand)
                | Self::IsNotTrue(operand)
                | Self::IsFalse(operand)
                | Self::IsNotFalse(operand)
                | Self::Nested(operand) => operand,
                Self::In { expr, .. }
                | Self::Between { expr, .. }
                | Self::Like { expr, .. }
                | Self::Collate { expr, .. }
                | Self::Cast { expr, .. }
                | Self::UnaryOp { op: _, expr } => expr,
                _ => return None,
            };
        }
    }
}

impl Begins for ObjectName {
    fn begins(&self) -> Option<Span> {
        let Self(parts) = self;
        match parts.first()? {
            ObjectNamePart::Identifier(ident) => Some(ident.span),
            ObjectNamePart::Function(_) => None,
        }
    }
}

impl Begins for SelectItem {
    fn begins(&self) -> Option<Span> {
        match self {
            Self::UnnamedExpr(expr)
            | Self::ExprWithAlias { expr, alias: _ }
            | Self::ExprWithAliases { expr, aliases: _ } => expr.begins(),
            Self::Wildcard(_) | Self::QualifiedWildcard(_, _) => None,
        }
    }
}

impl Begins for TableFactor {
    #[expect(clippy::wildcard_enum_match_arm, reason = "others have no name to begin with")]
    fn begins(&self) -> Option<Span> {
        match self {
            Self::Table { name, .. } => name.begins(),
            _ => None,
        }
    }
}

impl Begins for Cte {
    fn begins(&self) -> Option<Span> {
        Some(self.alias.name.span)
    }
}

impl Begins for SetExpr {
    #[expect(clippy::wildcard_enum_match_arm, reason = "others have no first word of their own")]
    fn begins(&self) -> Option<Span> {
        match self {
            Self::Select(select) => Some(select.select_token.0.span),
            _ => None,
        }
    }
}
