//! WITH.

use super::{Converter, bounded, require};
use crate::reason::SqlReason;
use crate::sql::limits::{ALIASES_MAX, OUTPUTS_MAX};
use crate::sql::name::Name;
use crate::sql::statement::CommonTable;
use crate::sql::system;
use sqlparser::ast::{Cte, Ident, TableAlias, TableAliasColumnDef, With};

impl Converter {
    /// The queries of WITH, in order.
    pub(super) fn commons(&mut self, with: &With) -> Result<Vec<CommonTable>, SqlReason> {
        let With { with_token: _, recursive, cte_tables } = with;
        require(!recursive, SqlReason::RecursiveCommonTable)?;
        require(cte_tables.len() <= ALIASES_MAX, SqlReason::TooManyAliases)?;
        cte_tables.iter().map(|common| self.common(common)).collect()
    }

    fn common(&mut self, common: &Cte) -> Result<CommonTable, SqlReason> {
        let converted = self.common_table(common);
        self.blame(common, &converted);
        converted
    }

    fn common_table(&mut self, common: &Cte) -> Result<CommonTable, SqlReason> {
        let Cte { alias, query, from, materialized, closing_paren_token: _ } = common;
        require(from.is_none(), SqlReason::Clause)?;
        require(materialized.is_none(), SqlReason::Hint)?;
        let TableAlias { explicit: _, name, columns, at } = alias;
        require(at.is_none(), SqlReason::Clause)?;
        bounded(columns, OUTPUTS_MAX)?;
        let columns = columns.iter().map(|column| self.common_column(column));
        let columns = columns.collect::<Result<_, _>>()?;
        Ok(CommonTable { name: self.declared(name)?, columns, query: self.query(query)? })
    }

    fn common_column(&self, column: &TableAliasColumnDef) -> Result<Name, SqlReason> {
        let TableAliasColumnDef { name, data_type } = column;
        require(data_type.is_none(), SqlReason::AliasColumns)?;
        let name = self.declared(name)?;
        system::check_column(&name, self.dialect)?;
        Ok(name)
    }

    /// A name that the statement itself gives.
    pub(super) fn declared(&self, name: &Ident) -> Result<Name, SqlReason> {
        if name.quote_style.is_none() {
            system::check_unreserved(&name.value)?;
        }
        self.name(name)
    }
}
