//! Names and references.

use super::Converter;
use crate::reason::SqlReason;
use crate::sql::expression::{Column, Expression};
use crate::sql::name::Name;
use crate::sql::system;
use sqlparser::ast::{Ident, ObjectName, ObjectNamePart};

impl Converter {
    /// A name, folded as its quotes say.
    pub(super) fn name(&self, ident: &Ident) -> Result<Name, SqlReason> {
        let Ident { value, quote_style, span: _ } = ident;
        match quote_style {
            None => Name::unquoted(value, self.dialect),
            Some('"' | '`') => Name::exact(value, self.dialect),
            Some(_) => Err(SqlReason::StringAlias),
        }
    }

    /// The parts of a name with periods.
    pub(super) fn parts(name: &ObjectName) -> Result<Vec<&Ident>, SqlReason> {
        let ObjectName(parts) = name;
        let idents = parts.iter().map(|part| match part {
            ObjectNamePart::Identifier(ident) => Ok(ident),
            ObjectNamePart::Function(_) => Err(SqlReason::FunctionName),
        });
        idents.collect()
    }

    /// A name that must have one part.
    pub(super) fn single(
        &self,
        name: &ObjectName,
        otherwise: SqlReason,
    ) -> Result<Name, SqlReason> {
        match Self::parts(name)?.as_slice() {
            [only] => self.name(only),
            _ => Err(otherwise),
        }
    }

    /// A bare column name.
    pub(super) fn bare_column(&self, ident: &Ident) -> Result<Expression, SqlReason> {
        if ident.quote_style.is_none() {
            system::check_unreserved(&ident.value)?;
            system::check_bare_word(&ident.value, self.dialect)?;
        }
        let name = self.name(ident)?;
        system::check_column(&name, self.dialect)?;
        Ok(Expression::Column(Column { alias: None, name }))
    }

    /// A column with its alias.
    pub(super) fn column_of(&self, parts: &[Ident]) -> Result<Expression, SqlReason> {
        let [alias, name] = parts else {
            return Err(SqlReason::ColumnNameParts);
        };
        let name = self.name(name)?;
        system::check_column(&name, self.dialect)?;
        Ok(Expression::Column(Column { alias: Some(self.name(alias)?), name }))
    }
}
