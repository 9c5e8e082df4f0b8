//! What a plain view reads, through how many others, and what gets at more than it names.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::{
    self, CheckNotBuiltIn, ColumnTypeIsDomain, ColumnTypeIsEnum, IndexNotBuiltIn,
    MaterializedViewEmpty, StatisticsNotBuiltIn, TableHasGeneratedColumn, TableHasInheritance,
    TableHasRowSecurity, TableIsForeign, TableIsPartitioned, TableIsUnlogged, ViewIsVolatile,
    ViewNotBuiltIn, ViewReadsUnverified, ViewTooDeep,
};

/// A view over something that is refused.
const fn unverified(title: &'static str, owner: &'static str) -> Case {
    refused(title, owner, &[ViewReadsUnverified])
}

/// A view over a table that is refused: that it is, and why, are both true.
const fn below(
    title: &'static str,
    owner: &'static str,
    reasons: &'static [DatabaseReason],
) -> Case {
    refused(title, owner, reasons)
}

/// A function that a domain calls, and a row source that gets at it by a number: no name of either stands in
/// the view, and every function in it is built-in and stable.
macro_rules! by_number {
    ($call:literal) => {
        concat!(
            "CREATE FUNCTION f(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';",
            "CREATE DOMAIN d AS int CHECK (f(value)); CREATE TYPE c AS (x d); CREATE TYPE r AS RANGE (subtype = d, multirange_type_name = m);",
            "CREATE TABLE q (a int) PARTITION BY HASH (a);",
            "CREATE TABLE u (a int); INSERT INTO u VALUES (1);",
            "DO $$BEGIN EXECUTE format('CREATE VIEW v AS SELECT a FROM s.u WHERE ",
            $call,
            " IS NOT NULL', 's.d'::regtype::oid, 's.c'::regtype::oid, 's.r'::regtype::oid, 's.m'::regtype::oid, ",
            "'s.q'::regclass::oid); END$$"
        )
    };
}

pub(super) const CASES: &[Case] = &[
    accepted("a view over eight levels",
        "CREATE TABLE u (a int); CREATE VIEW v1 AS SELECT a FROM u; CREATE VIEW v2 AS SELECT a FROM v1;
         CREATE VIEW v3 AS SELECT a FROM v2; CREATE VIEW v4 AS SELECT a FROM v3; CREATE VIEW v5 AS SELECT a FROM v4;
         CREATE VIEW v6 AS SELECT a FROM v5; CREATE VIEW v7 AS SELECT a FROM v6; CREATE VIEW v AS SELECT a FROM v7"),
    refused("a view over nine levels",
        "CREATE TABLE u (a int); CREATE VIEW v1 AS SELECT a FROM u; CREATE VIEW v2 AS SELECT a FROM v1;
         CREATE VIEW v3 AS SELECT a FROM v2; CREATE VIEW v4 AS SELECT a FROM v3; CREATE VIEW v5 AS SELECT a FROM v4;
         CREATE VIEW v6 AS SELECT a FROM v5; CREATE VIEW v7 AS SELECT a FROM v6; CREATE VIEW v8 AS SELECT a FROM v7;
         CREATE VIEW v AS SELECT a FROM v8", &[ViewTooDeep]),
    refused("a view over nine levels in one of two branches",
        "CREATE TABLE u (a int); CREATE VIEW v1 AS SELECT a FROM u; CREATE VIEW v2 AS SELECT a FROM v1;
         CREATE VIEW v3 AS SELECT a FROM v2; CREATE VIEW v4 AS SELECT a FROM v3; CREATE VIEW v5 AS SELECT a FROM v4;
         CREATE VIEW v6 AS SELECT a FROM v5; CREATE VIEW v7 AS SELECT a FROM v6; CREATE VIEW v8 AS SELECT a FROM v7;
         CREATE VIEW v AS SELECT v1.a FROM v1 JOIN v8 ON true", &[ViewTooDeep]),
    refused("views that double at each level",
        "CREATE TABLE u (a int); CREATE VIEW v1 AS SELECT x.a FROM u x, u y; CREATE VIEW v2 AS SELECT x.a FROM v1 x, v1 y;
         CREATE VIEW v3 AS SELECT x.a FROM v2 x, v2 y; CREATE VIEW v4 AS SELECT x.a FROM v3 x, v3 y;
         CREATE VIEW v5 AS SELECT x.a FROM v4 x, v4 y; CREATE VIEW v6 AS SELECT x.a FROM v5 x, v5 y;
         CREATE VIEW v7 AS SELECT x.a FROM v6 x, v6 y; CREATE VIEW v8 AS SELECT x.a FROM v7 x, v7 y;
         CREATE VIEW v AS SELECT x.a FROM v8 x", &[ViewTooDeep]),
    accepted("a table that several views share",
        "CREATE TABLE u (a int); CREATE VIEW v1 AS SELECT a FROM u; CREATE VIEW v2 AS SELECT a FROM u WHERE a > 1;
         CREATE VIEW v AS SELECT v1.a, v2.a AS b, u.a AS c FROM v1, v2, u"),
    accepted("a view over a materialized view",
        "CREATE MATERIALIZED VIEW m AS SELECT random() AS x; CREATE VIEW v AS SELECT x FROM m"),
    refused("a view over a materialized view that was never filled",
        "CREATE MATERIALIZED VIEW m AS SELECT 1 AS x WITH NO DATA; CREATE VIEW v AS SELECT x FROM m",
        &[MaterializedViewEmpty, ViewReadsUnverified]),
    refused("a function of the owner two views below",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END'; CREATE TABLE u (a int);
         CREATE VIEW v1 AS SELECT f(a) AS a FROM u; CREATE VIEW v2 AS SELECT a FROM v1; CREATE VIEW v AS SELECT a FROM v2",
        &[ViewNotBuiltIn]),
    refused("a function of the owner in a column that the outer view leaves out",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END'; CREATE TABLE u (a int);
         CREATE VIEW v1 AS SELECT a, f(a) AS b FROM u; CREATE VIEW v AS SELECT a FROM v1", &[ViewNotBuiltIn]),
    refused("a volatile function two views below",
        "CREATE TABLE u (a int); CREATE VIEW v1 AS SELECT a, random() AS b FROM u; CREATE VIEW v2 AS SELECT a FROM v1;
         CREATE VIEW v AS SELECT a FROM v2", &[ViewIsVolatile]),
    unverified("a catalog", "CREATE VIEW v AS SELECT relname::text AS x FROM pg_class"),
    unverified("a view of the catalog", "CREATE VIEW v AS SELECT usename::text AS x FROM pg_stat_activity"),
    unverified("the information schema", "CREATE VIEW v AS SELECT table_name::text AS x FROM information_schema.tables"),
    below("a partitioned table", "CREATE TABLE u (a int) PARTITION BY LIST (a); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, TableIsPartitioned]),
    below("a partition",
        "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE u PARTITION OF p DEFAULT; CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, TableIsPartitioned]),
    below("a table with children",
        "CREATE TABLE u (a int); CREATE TABLE w () INHERITS (u); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, TableHasInheritance]),
    below("a table with children, without them",
        "CREATE TABLE u (a int); CREATE TABLE w () INHERITS (u); CREATE VIEW v AS SELECT a FROM ONLY u", &[ViewReadsUnverified, TableHasInheritance]),
    below("an unlogged table", "CREATE UNLOGGED TABLE u (a int); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, TableIsUnlogged]),
    below("a foreign table", "CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, TableIsForeign]).superuser(
        "CREATE EXTENSION file_fdw; CREATE SERVER f FOREIGN DATA WRAPPER file_fdw;
         CREATE FOREIGN TABLE u (a text) SERVER f OPTIONS (filename '/etc/hostname'); GRANT SELECT ON u TO t_owner"),
    below("a table with row-level security",
        "CREATE TABLE u (a int); ALTER TABLE u ENABLE ROW LEVEL SECURITY; CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, TableHasRowSecurity]),
    below("a table with row-level security two views below",
        "CREATE TABLE u (a int); ALTER TABLE u ENABLE ROW LEVEL SECURITY; CREATE VIEW v1 AS SELECT a FROM u; CREATE VIEW v AS SELECT a FROM v1", &[ViewReadsUnverified, TableHasRowSecurity]),
    below("a table with an enum that the view leaves out",
        "CREATE TYPE e AS ENUM ('a'); CREATE TABLE u (a int, b e); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, ColumnTypeIsEnum]),
    below("a table with a domain that the view leaves out",
        "CREATE DOMAIN d AS int; CREATE TABLE u (a int, b d); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, ColumnTypeIsDomain]),
    below("a table with a generated column",
        "CREATE TABLE u (a int, b int GENERATED ALWAYS AS (a) STORED); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, TableHasGeneratedColumn]),
    below("a table with a function of the owner in an index",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE TABLE u (a int); CREATE INDEX ON u (f(a)); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, IndexNotBuiltIn]),
    below("a table with a function of the owner in a check",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         CREATE TABLE u (a int CHECK (f(a))); CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, CheckNotBuiltIn]),
    below("a table with a function of the owner in its statistics",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE TABLE u (a int); CREATE STATISTICS x ON (f(a)) FROM u; CREATE VIEW v AS SELECT a FROM u", &[ViewReadsUnverified, StatisticsNotBuiltIn]),
    below("a table in a subquery only",
        "CREATE TABLE u (a int) PARTITION BY LIST (a); CREATE TABLE w (b int); \
         CREATE VIEW v AS SELECT b FROM w WHERE b IN (SELECT a FROM u)", &[ViewReadsUnverified, TableIsPartitioned]),
    below("a table in WITH only",
        "CREATE TABLE u (a int) PARTITION BY LIST (a); CREATE TABLE w (b int); \
         CREATE VIEW v AS WITH x AS (SELECT a FROM u) SELECT b FROM w", &[ViewReadsUnverified, TableIsPartitioned]),
    below("a table in a subquery of a row source",
        "CREATE TABLE u (a int) PARTITION BY LIST (a); \
         CREATE VIEW v AS SELECT x FROM generate_series(1, (SELECT max(a) FROM u)) AS w(x)", &[ViewReadsUnverified, TableIsPartitioned]),
    unverified("a sequence", "CREATE SEQUENCE q; CREATE VIEW v AS SELECT last_value FROM q"),
    refused("a domain by its number", by_number!("domain_in(''7'', %1$s::oid, -1)"), &[ViewNotBuiltIn]),
    refused("a domain by the number of its array", by_number!("array_in(''{7}'', %1$s::oid, -1)"), &[ViewNotBuiltIn]),
    refused("a domain by the number of its row type", by_number!("record_in(''(7)'', %2$s::oid, -1)"), &[ViewNotBuiltIn]),
    refused("a domain by the number of its range", by_number!("range_in(''[7,8)'', %3$s::oid, -1)"), &[ViewNotBuiltIn]),
    refused("a multirange of a domain by its number", by_number!("multirange_in(''{[7,8)}'', %4$s::oid, -1)"), &[ViewNotBuiltIn]),
    refused("a partitioning by its number", by_number!("satisfies_hash_partition(%5$s::oid, 2, 0, a)"), &[ViewNotBuiltIn]),
    refused("the schema of an XML document by its number", by_number!("table_to_xmlschema(%5$s::oid, true, false, ''x'')"), &[ViewNotBuiltIn, ViewReadsUnverified]),
    refused("a view in a text that becomes XML",
        "CREATE TABLE u (a int); CREATE TABLE hidden (b int);
         CREATE VIEW v AS SELECT a, table_to_xml(to_regclass('s.' || 'hidden'), true, false, '')::text AS x FROM u",
        &[ViewNotBuiltIn, ViewReadsUnverified, ViewIsVolatile]),
    refused("a schema that becomes XML",
        "CREATE TABLE hidden (b int); CREATE VIEW v AS SELECT schema_to_xml('s', true, false, '')::text AS x",
        &[ViewNotBuiltIn, ViewReadsUnverified, ViewIsVolatile]),
    refused("a database that becomes XML",
        "CREATE TABLE hidden (b int); CREATE VIEW v AS SELECT database_to_xml(true, false, '')::text AS x",
        &[ViewNotBuiltIn, ViewReadsUnverified, ViewIsVolatile]),
    accepted("a view over a view in another schema",
        "CREATE SCHEMA z; CREATE TABLE z.u (a int); CREATE VIEW z.w AS SELECT a FROM z.u; CREATE VIEW v AS SELECT a FROM z.w"),
    accepted("a view over a view whose column was renamed",
        "CREATE TABLE u (a int); CREATE VIEW w AS SELECT a FROM u; CREATE VIEW v AS SELECT a FROM w;
         ALTER VIEW w RENAME COLUMN a TO b; ALTER TABLE u RENAME COLUMN a TO c"),
    accepted("a view over a table that got and lost a column",
        "CREATE TABLE u (a int, b int); CREATE VIEW v AS SELECT u.* FROM u AS u; ALTER TABLE u ADD c int; ALTER TABLE u DROP c"),
];

#[test]
fn each_case_is_judged_rightly() {
    check("sources of views", CASES);
}
