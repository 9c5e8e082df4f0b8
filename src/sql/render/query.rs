//! Writes queries: WITH, what is selected, and what holds for all rows.

use super::Writer;
use crate::sql::statement::{Arm, CommonTable, Ordering, Query, SetOperator};

impl Writer {
    /// Writes a query that stands alone or in parentheses.
    pub(super) fn query(&mut self, query: &Query) {
        let Query { commons, body, order, limit, offset } = query;
        if !commons.is_empty() {
            self.word("WITH ");
            self.list(commons, Self::common);
            self.line();
        }
        self.select(&body.first);
        body.rest.iter().for_each(|arm| self.arm(arm));
        if !order.is_empty() {
            self.line();
            self.word("ORDER BY ");
            self.list(order, Self::ordering);
        }
        if let Some(limit) = limit {
            self.line();
            self.word("LIMIT ");
            self.text.push_str(&limit.to_string());
        }
        if let Some(offset) = offset {
            self.word(" OFFSET ");
            self.text.push_str(&offset.to_string());
        }
    }

    /// Writes a query in parentheses, on lines of its own.
    pub(super) fn nested(&mut self, query: &Query) {
        self.word("(");
        self.level += 1;
        self.line();
        self.query(query);
        self.level -= 1;
        self.line();
        self.word(")");
    }

    fn common(&mut self, common: &CommonTable) {
        let CommonTable { name, columns, query } = common;
        self.name(name);
        if !columns.is_empty() {
            self.word(" (");
            self.list(columns, Self::name);
            self.word(")");
        }
        self.word(" AS ");
        self.nested(query);
    }

    fn arm(&mut self, arm: &Arm) {
        let Arm { operator, all, select } = arm;
        self.line();
        self.word(match operator {
            SetOperator::Union => "UNION",
            SetOperator::Except => "EXCEPT",
            SetOperator::Intersect => "INTERSECT",
        });
        if *all {
            self.word(" ALL");
        }
        self.line();
        self.select(select);
    }

    fn ordering(&mut self, ordering: &Ordering) {
        let Ordering { key, descending, nulls_first } = ordering;
        self.key(key);
        self.word(if *descending { " DESC" } else { " ASC" });
        match nulls_first {
            None => {}
            Some(true) => self.word(" NULLS FIRST"),
            Some(false) => self.word(" NULLS LAST"),
        }
    }
}
