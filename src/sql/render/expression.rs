//! Writes expressions. Grouping never depends on precedence: what is not one word stands in
//! parentheses wherever it is an operand.

use super::{Writer, quote};
use crate::sql::expression::{
    Arithmetic, Branch, Chain, Column, Comparison, Expression, Literal, State,
};

impl Writer {
    /// Writes an expression that nothing else touches.
    pub(super) fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Literal(literal) => self.literal(literal),
            Expression::Column(column) => self.column(column),
            Expression::Negate(operand) => self.prefixed("-", operand),
            Expression::Not(operand) => self.prefixed("NOT ", operand),
            Expression::Arithmetic(operator, left, right) => {
                self.infix(arithmetic(*operator), left, right);
            }
            Expression::Compare(operator, left, right) => {
                self.infix(comparison(*operator), left, right);
            }
            Expression::Chain(chain, operands) => self.chain(*chain, operands),
            Expression::Is { operand, state, negated } => self.is(operand, *state, *negated),
            Expression::Like { operand, pattern, escape, negated } => {
                self.like(operand, pattern, *escape, *negated);
            }
            Expression::Between { operand, low, high, negated } => {
                self.infix(if *negated { " NOT BETWEEN " } else { " BETWEEN " }, operand, low);
                self.word(" AND ");
                self.operand(high);
            }
            Expression::In { operand, items, negated } => {
                self.operand(operand);
                self.word(if *negated { " NOT IN (" } else { " IN (" });
                self.list(items, Self::expression);
                self.word(")");
            }
            Expression::InQuery { operand, query, negated } => {
                self.operand(operand);
                self.word(if *negated { " NOT IN " } else { " IN " });
                self.nested(query);
            }
            Expression::Exists(query) => {
                self.word("EXISTS ");
                self.nested(query);
            }
            Expression::Scalar(query) => self.nested(query),
            Expression::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref());
            }
            Expression::CountRows => self.word("count(*)"),
            Expression::Call { function, distinct, arguments } => {
                self.word(function.word());
                self.word(if *distinct { "(DISTINCT " } else { "(" });
                self.list(arguments, Self::expression);
                self.word(")");
            }
        }
    }

    /// Writes an expression that something else touches.
    fn operand(&mut self, expression: &Expression) {
        match expression {
            Expression::Literal(_)
            | Expression::Column(_)
            | Expression::CountRows
            | Expression::Exists(_)
            | Expression::Scalar(_)
            | Expression::Call { .. } => {
                self.expression(expression);
            }
            Expression::Negate(_)
            | Expression::Not(_)
            | Expression::Arithmetic(..)
            | Expression::Compare(..)
            | Expression::Chain(..)
            | Expression::Is { .. }
            | Expression::Like { .. }
            | Expression::Between { .. }
            | Expression::In { .. }
            | Expression::InQuery { .. }
            | Expression::Case { .. } => {
                self.word("(");
                self.expression(expression);
                self.word(")");
            }
        }
    }

    fn prefixed(&mut self, prefix: &'static str, operand: &Expression) {
        self.word(prefix);
        self.operand(operand);
    }

    fn infix(&mut self, operator: &'static str, left: &Expression, right: &Expression) {
        self.operand(left);
        self.word(operator);
        self.operand(right);
    }

    /// A condition of its own clause: what it is made of stands on a line each.
    pub(super) fn condition(&mut self, condition: &Expression) {
        if let Expression::Chain(Chain::And, operands) = condition {
            self.on_lines("  AND ", operands);
        } else if let Expression::Chain(Chain::Or, operands) = condition {
            self.on_lines("  OR ", operands);
        } else {
            self.expression(condition);
        }
    }

    fn on_lines(&mut self, operator: &'static str, operands: &[Expression]) {
        for (position, operand) in operands.iter().enumerate() {
            if position > 0 {
                self.line();
                self.word(operator);
            }
            self.operand(operand);
        }
    }

    fn chain(&mut self, chain: Chain, operands: &[Expression]) {
        let operator = match chain {
            Chain::And => " AND ",
            Chain::Or => " OR ",
            Chain::Concatenate => " || ",
        };
        self.joined(operator, operands);
    }

    fn joined(&mut self, operator: &'static str, operands: &[Expression]) {
        for (position, operand) in operands.iter().enumerate() {
            if position > 0 {
                self.word(operator);
            }
            self.operand(operand);
        }
    }

    fn is(&mut self, operand: &Expression, state: State, negated: bool) {
        self.operand(operand);
        self.word(if negated { " IS NOT " } else { " IS " });
        self.word(match state {
            State::Null => "NULL",
            State::True => "TRUE",
            State::False => "FALSE",
        });
    }

    fn like(
        &mut self,
        operand: &Expression,
        pattern: &Expression,
        escape: Option<char>,
        negated: bool,
    ) {
        self.infix(if negated { " NOT LIKE " } else { " LIKE " }, operand, pattern);
        if let Some(escape) = escape {
            self.word(" ESCAPE ");
            quote::text(&mut self.text, escape.encode_utf8(&mut [0; 4]), self.dialect);
        }
    }

    fn case(
        &mut self,
        operand: Option<&Expression>,
        branches: &[Branch],
        otherwise: Option<&Expression>,
    ) {
        self.word("CASE");
        if let Some(operand) = operand {
            self.prefixed(" ", operand);
        }
        for Branch { condition, result } in branches {
            self.prefixed(" WHEN ", condition);
            self.prefixed(" THEN ", result);
        }
        if let Some(otherwise) = otherwise {
            self.prefixed(" ELSE ", otherwise);
        }
        self.word(" END");
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.word("NULL"),
            Literal::Boolean(true) => self.word("TRUE"),
            Literal::Boolean(false) => self.word("FALSE"),
            Literal::Number(number) => self.text.push_str(number),
            Literal::Text(content) => quote::text(&mut self.text, content, self.dialect),
        }
    }

    fn column(&mut self, column: &Column) {
        let Column { alias, name } = column;
        if let Some(alias) = alias {
            self.name(alias);
            self.word(".");
        }
        self.name(name);
    }
}

const fn arithmetic(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Add => " + ",
        Arithmetic::Subtract => " - ",
        Arithmetic::Multiply => " * ",
        Arithmetic::Divide => " / ",
        Arithmetic::Remainder => " % ",
    }
}

const fn comparison(operator: Comparison) -> &'static str {
    match operator {
        Comparison::Equal => " = ",
        Comparison::NotEqual => " <> ",
        Comparison::Less => " < ",
        Comparison::LessOrEqual => " <= ",
        Comparison::Greater => " > ",
        Comparison::GreaterOrEqual => " >= ",
    }
}
