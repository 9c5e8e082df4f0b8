//! Whole queries that are refused, and where a query can stand.

use super::Takes::Value;
use super::{
    ALL, MYSQL_FAMILY, NOT_MYSQL_FAMILY, NOT_POSTGRES, POSTGRES, Position, Refused, position,
    refused,
};

/// A query of one column that every place holds.
pub(crate) const HARMLESS: &str = "SELECT id FROM S.t";

pub(crate) const PLACES: &[Position] = &[
    position("alone", "{}", Value, ALL),
    position("before_semicolon", "{} ;", Value, ALL),
    position("parentheses", "( {} )", Value, ALL),
    position("scalar", "SELECT ( {} )", Value, ALL),
    position("compared", "SELECT id FROM S.u WHERE id = ( {} )", Value, ALL),
    position("argument", "SELECT coalesce(( {} ), 0)", Value, ALL),
    position("exists", "SELECT id FROM S.u WHERE EXISTS ( {} )", Value, ALL),
    position("in", "SELECT id FROM S.u WHERE id IN ( {} )", Value, ALL),
    position("not_in", "SELECT id FROM S.u WHERE id NOT IN ( {} )", Value, ALL),
    position("on", "SELECT u.id FROM S.u JOIN S.v ON u.id IN ( {} )", Value, ALL),
    position("case", "SELECT CASE WHEN ( {} ) = 1 THEN 2 END FROM S.u", Value, ALL),
    position("derived", "SELECT 1 FROM ( {} ) AS x", Value, ALL),
    position("derived_joined", "SELECT u.id FROM S.u CROSS JOIN ( {} ) AS x", Value, ALL),
    position("with_used", "WITH c AS ( {} ) SELECT * FROM c", Value, ALL),
    position("with_unused", "WITH c AS ( {} ) SELECT 1", Value, ALL),
    position("with_columns", "WITH c (z) AS ( {} ) SELECT c.z FROM c", Value, ALL),
    position("second_with", "WITH c AS (SELECT 1), d AS ( {} ) SELECT * FROM d", Value, ALL),
    position("after_with", "WITH c AS (SELECT 1 AS y) {}", Value, ALL),
    position(
        "with_in_derived",
        "SELECT 1 FROM (WITH c AS ( {} ) SELECT * FROM c) AS x",
        Value,
        ALL,
    ),
    position("with_in_with", "WITH c AS (WITH d AS ( {} ) SELECT 1) SELECT * FROM c", Value, ALL),
    position("union_second", "SELECT id FROM S.u UNION {}", Value, ALL),
    position("union_all_second", "SELECT id FROM S.u UNION ALL {}", Value, ALL),
    position("except_second", "SELECT id FROM S.u EXCEPT {}", Value, ALL),
    position(
        "three_deep",
        "SELECT x.id FROM (SELECT id FROM S.u WHERE EXISTS (SELECT 1 FROM S.v WHERE id IN ( {} ))) AS x",
        Value,
        ALL,
    ),
];

/// Each is refused by its reason, or by one of those that a place adds: see [`also`].
pub(crate) const REFUSED: &[Refused] = &[
    refused("delete", "DELETE FROM S.t RETURNING id", "write_statement", ALL),
    refused("insert", "INSERT INTO S.t (id) VALUES (1) RETURNING id", "write_statement", ALL),
    refused("insert_select", "INSERT INTO S.t SELECT id FROM S.u", "write_statement", ALL),
    refused("update", "UPDATE S.t SET a = 1 RETURNING id", "write_statement|row_lock", ALL),
    refused("values", "VALUES (1)", "values_statement|function", ALL),
    refused("table", "TABLE S.t", "values_statement|syntax", POSTGRES),
    refused("into", "SELECT id INTO x FROM S.t", "into", ALL),
    refused("into_temporary", "SELECT id INTO TEMP x FROM S.t", "into", POSTGRES),
    refused("outfile", "SELECT id FROM S.t INTO OUTFILE 'x'", "into", MYSQL_FAMILY),
    refused("into_variable", "SELECT id FROM S.t INTO @x", "variable", MYSQL_FAMILY),
    refused("for_update", "SELECT id FROM S.t FOR UPDATE", "row_lock", ALL),
    refused("for_share", "SELECT id FROM S.t FOR SHARE NOWAIT", "row_lock", ALL),
    refused("no_key", "SELECT id FROM S.t FOR NO KEY UPDATE", "row_lock", POSTGRES),
    refused("share_mode", "SELECT id FROM S.t LOCK IN SHARE MODE", "row_lock", MYSQL_FAMILY),
    refused("fetch", "SELECT id FROM S.t FETCH FIRST 1 ROW ONLY", "fetch_clause", ALL),
    refused("computed_limit", "SELECT id FROM S.t LIMIT 2 * 3", "limit_number", ALL),
    refused("limit_query", "SELECT id FROM S.t LIMIT (SELECT 1)", "limit_number", ALL),
    refused("distinct_on", "SELECT DISTINCT ON (a) id FROM S.t", "distinct_on", ALL),
    refused("window", "SELECT id FROM S.t WINDOW w AS (ORDER BY id)", "window", ALL),
    refused("rollup", "SELECT id FROM S.t GROUP BY ROLLUP (id)", "grouping_sets", POSTGRES),
    refused(
        "rollup_call",
        "SELECT id FROM S.t GROUP BY ROLLUP (id)",
        "grouping_sets",
        NOT_POSTGRES,
    ),
    refused(
        "with_rollup",
        "SELECT id FROM S.t GROUP BY id WITH ROLLUP",
        "grouping_sets",
        MYSQL_FAMILY,
    ),
    refused(
        "sets",
        "SELECT id FROM S.t GROUP BY GROUPING SETS ((id), ())",
        "grouping_sets",
        POSTGRES,
    ),
    refused("straight", "SELECT STRAIGHT_JOIN id FROM S.t", "hint", MYSQL_FAMILY),
    refused("no_cache", "SELECT SQL_NO_CACHE id FROM S.t", "hint", MYSQL_FAMILY),
    refused("constant_key", "SELECT id FROM S.t ORDER BY 'id'", "constant_key", ALL),
    refused("natural", "SELECT id FROM S.t NATURAL JOIN S.w", "natural_join", ALL),
    refused("no_condition", "SELECT id FROM S.t LEFT JOIN S.w", "join_condition", ALL),
    refused("two_aliases", "SELECT 1 FROM S.t AS q, S.w AS q", "duplicate_alias", ALL),
    refused("nulls", "SELECT id FROM S.t ORDER BY id NULLS FIRST", "nulls_order", MYSQL_FAMILY),
    refused("offset_alone", "SELECT id FROM S.t OFFSET 1", "offset_without_limit", MYSQL_FAMILY),
    refused(
        "full_join",
        "SELECT t.id FROM S.t FULL JOIN S.w ON t.id = 1",
        "join_kind",
        MYSQL_FAMILY,
    ),
    refused(
        "recursive",
        "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x FROM r) SELECT x FROM r",
        "recursive_common_table",
        ALL,
    ),
    refused(
        "self_reference",
        "WITH r AS (SELECT id FROM r) SELECT id FROM r",
        "unqualified_table",
        ALL,
    ),
    refused(
        "forward_reference",
        "WITH q AS (SELECT id FROM r), r AS (SELECT 1 AS id) SELECT id FROM q",
        "unqualified_table",
        ALL,
    ),
    refused(
        "delete_in_with",
        "WITH r AS (DELETE FROM S.t RETURNING id) SELECT id FROM r",
        "write_statement",
        ALL,
    ),
    refused(
        "update_in_with",
        "WITH r AS (UPDATE S.t SET a = 1 RETURNING id) SELECT id FROM r",
        "write_statement|row_lock",
        ALL,
    ),
    refused(
        "insert_two_deep",
        "WITH q AS (WITH r AS (INSERT INTO S.t (id) VALUES (1) RETURNING id) SELECT id FROM r) \
         SELECT id FROM q",
        "write_statement",
        ALL,
    ),
    refused(
        "materialized",
        "WITH r AS MATERIALIZED (SELECT 1 AS id) SELECT id FROM r",
        "hint|syntax",
        NOT_MYSQL_FAMILY,
    ),
    refused("renamed_short", "WITH r (p) AS (SELECT 1, 2) SELECT p FROM r", "alias_columns", ALL),
    refused("call", "SELECT secret(id) FROM S.t", "function", ALL),
    refused("system", "SELECT 1 FROM SYSTEM", "system_table", ALL),
    refused("unqualified", "SELECT id FROM nobody", "unqualified_table", ALL),
    refused("second", "SELECT 1; SELECT 2", "second_statement", ALL),
    refused("mixed", "SELECT 1 INTERSECT SELECT 2 EXCEPT SELECT 3", "ambiguous_grouping", ALL),
    refused("grouped", "SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)", "set_operation", ALL),
    refused("executable", "SELECT /*!99999 1, */ 2", "executable_comment", ALL),
];

/// Another reason that a place gives to a query: what is combined has no clauses and no WITH of its own.
pub(crate) fn also(place: &str) -> &'static [&'static str] {
    match place {
        "union_second" | "union_all_second" | "except_second" => {
            &["set_operation", "ambiguous_grouping", "syntax", "combined_order"]
        }
        "after_with" => &["syntax", "write_statement"],
        _ => &[],
    }
}
