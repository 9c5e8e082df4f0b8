//! Values that are allowed, and where.

use super::{ALL, Engines, NOT_MYSQL_FAMILY, NOT_SQLITE, Takes};

/// A value that is allowed.
pub(crate) struct Allowed {
    pub(crate) text: &'static str,
    pub(crate) is: Is,
    pub(crate) engines: Engines,
}

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Is {
    /// Digits alone.
    Digits,
    /// Another literal, or one with a sign.
    Constant,
    /// Computed from literals alone.
    Computed,
    /// A column alone, which can also be an output.
    Name,
    /// From a column.
    OfColumn,
    /// A query, or with one inside.
    OfQuery,
}

impl Allowed {
    /// Whether a place can hold it.
    pub(crate) fn fits(&self, takes: Takes) -> bool {
        match (takes, self.is) {
            (Takes::Value | Takes::Rowless, _) => true,
            (Takes::RowCount, is) => is == Is::Digits,
            (Takes::OutputName, is) => is == Is::Name,
            (Takes::NewValue, is) => matches!(is, Is::Digits | Is::Constant | Is::Computed),
            (Takes::Key, is) => !matches!(is, Is::Digits | Is::Constant),
            (Takes::OwnValue, is) => is != Is::OfQuery,
        }
    }
}

const fn allowed(text: &'static str, is: Is, engines: Engines) -> Allowed {
    Allowed { text, is, engines }
}

pub(crate) const VALUES: &[Allowed] = &[
    allowed("12", Is::Digits, ALL),
    allowed("1.50", Is::Constant, ALL),
    allowed("1.5e3", Is::Constant, ALL),
    allowed("'a''b -- /* ; DROP'", Is::Constant, ALL),
    allowed("NULL", Is::Constant, ALL),
    allowed("TRUE", Is::Constant, ALL),
    allowed("(-1)", Is::Constant, ALL),
    allowed("(1 + 2 * 3)", Is::Computed, ALL),
    allowed("abs(1)", Is::Computed, ALL),
    allowed("round(1.25, 1)", Is::Computed, ALL),
    allowed("lower('A')", Is::Computed, ALL),
    allowed("octet_length('A')", Is::Computed, ALL),
    allowed("coalesce(NULL, 1, 'x')", Is::Computed, ALL),
    allowed("CASE 1 WHEN 2 THEN 3 ELSE 4 END", Is::Computed, ALL),
    allowed("(1 IN (1, 2))", Is::Computed, ALL),
    allowed("(NOT 1 = 2)", Is::Computed, ALL),
    allowed("('a' || 'b')", Is::Computed, NOT_MYSQL_FAMILY),
    allowed("char_length('a')", Is::Computed, NOT_SQLITE),
    allowed("a", Is::Name, ALL),
    allowed("~a~", Is::Name, ALL),
    allowed("(- a)", Is::OfColumn, ALL),
    allowed("(a % 2)", Is::OfColumn, ALL),
    allowed("(a >= 1)", Is::OfColumn, ALL),
    allowed("(a = 1 AND b <> 2 OR id < 3)", Is::OfColumn, ALL),
    allowed("(a IS NOT NULL)", Is::OfColumn, ALL),
    allowed("(a IS FALSE)", Is::OfColumn, ALL),
    allowed("(b LIKE 'x!%%' ESCAPE '!')", Is::OfColumn, ALL),
    allowed("(a NOT BETWEEN 1 AND 2)", Is::OfColumn, ALL),
    allowed("nullif(a, 0)", Is::OfColumn, ALL),
    allowed("upper(b)", Is::OfColumn, ALL),
    allowed("CASE WHEN a > 1 THEN b END", Is::OfColumn, ALL),
    allowed("(SELECT max(n.a) FROM S.n)", Is::OfQuery, ALL),
    allowed("(SELECT 1 UNION SELECT 2)", Is::OfQuery, ALL),
    allowed("(WITH m AS (SELECT 1 AS n) SELECT m.n FROM m)", Is::OfQuery, ALL),
    allowed("EXISTS (SELECT 1 FROM S.n WHERE n.id = 1)", Is::OfQuery, ALL),
    allowed("(1 IN (SELECT n.id FROM S.n))", Is::OfQuery, ALL),
    allowed("coalesce((SELECT min(n.a) FROM S.n), 0)", Is::OfQuery, ALL),
];
