//! The SELECT list.

use super::{Converter, require};
use crate::reason::SqlReason;
use crate::sql::statement::Output;
use sqlparser::ast::{SelectItem, SelectItemQualifiedWildcardKind, WildcardAdditionalOptions};

impl Converter {
    /// One item of the SELECT list.
    pub(super) fn output(&mut self, item: &SelectItem) -> Result<Output, SqlReason> {
        let converted = self.item(item);
        self.blame(item, &converted);
        converted
    }

    fn item(&mut self, item: &SelectItem) -> Result<Output, SqlReason> {
        match item {
            SelectItem::UnnamedExpr(expression) => {
                Ok(Output::Expression(self.expression(expression)?, None))
            }
            SelectItem::ExprWithAlias { expr, alias } => {
                Ok(Output::Expression(self.expression(expr)?, Some(self.name(alias)?)))
            }
            SelectItem::ExprWithAliases { expr: _, aliases: _ } => Err(SqlReason::AliasColumns),
            SelectItem::Wildcard(options) => plain(options).map(|()| Output::AllColumns),
            SelectItem::QualifiedWildcard(kind, options) => {
                plain(options)?;
                match kind {
                    SelectItemQualifiedWildcardKind::ObjectName(name) => {
                        Ok(Output::ColumnsOf(self.single(name, SqlReason::ColumnNameParts)?))
                    }
                    SelectItemQualifiedWildcardKind::Expr(_) => Err(SqlReason::Wildcard),
                }
            }
        }
    }
}

/// A wildcard that is nothing but a star.
fn plain(options: &WildcardAdditionalOptions) -> Result<(), SqlReason> {
    let WildcardAdditionalOptions {
        wildcard_token: _,
        opt_ilike,
        opt_exclude,
        opt_except,
        opt_replace,
        opt_rename,
        opt_alias,
    } = options;
    let filtered = opt_ilike.is_none() && opt_exclude.is_none() && opt_except.is_none();
    let renamed = opt_replace.is_none() && opt_rename.is_none() && opt_alias.is_none();
    require(filtered && renamed, SqlReason::Wildcard)
}
