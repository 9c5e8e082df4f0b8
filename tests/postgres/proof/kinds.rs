//! Kinds of relations.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::{
    ColumnTypeIsEnum, IndexNotBuiltIn, MaterializedViewEmpty, TableHasCustomStorage,
    TableHasInheritance, TableIsForeign, TableIsPartitioned, TableIsSystem, TableIsUnlogged,
    TableKindUnsupported, TableTooWide, TableUnknown,
};

pub(super) const CASES: &[Case] = &[
    refused("no such table", "CREATE TABLE u (a int)", &[TableUnknown]),
    refused("no such schema", "", &[TableUnknown]).of("nowhere", "t"),
    refused("a table in another letter case", "CREATE TABLE \"T\" (a int)", &[TableUnknown]),
    refused("a table of the search path in another schema", "CREATE TABLE public.t (a int)", &[TableUnknown]),
    refused("the schema of temporary tables by its other name", "", &[TableUnknown]).of("pg_temp", "t"),
    accepted("the same name in two schemas", "CREATE SCHEMA z; CREATE TABLE z.t (a int); CREATE TABLE t (b int)")
        .of("z", "t"),
    refused("an unlogged table", "CREATE UNLOGGED TABLE t (a int)", &[TableIsUnlogged]),
    accepted("a table that was unlogged", "CREATE UNLOGGED TABLE t (a int); ALTER TABLE t SET LOGGED"),
    refused("a partitioned table", "CREATE TABLE t (a int) PARTITION BY RANGE (a)", &[TableIsPartitioned]),
    refused(
        "a partitioned table with a function of the owner as its key",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE TABLE t (a int) PARTITION BY LIST (f(a))",
        &[TableIsPartitioned],
    ),
    refused(
        "a partition",
        "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE t PARTITION OF p FOR VALUES IN (1)",
        &[TableIsPartitioned],
    ),
    refused(
        "a default partition",
        "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE t PARTITION OF p DEFAULT",
        &[TableIsPartitioned],
    ),
    refused(
        "a partition that is partitioned",
        "CREATE TABLE p (a int, b int) PARTITION BY LIST (a);
         CREATE TABLE t PARTITION OF p FOR VALUES IN (1) PARTITION BY LIST (b)",
        &[TableIsPartitioned],
    ),
    accepted(
        "a partition that was detached",
        "CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE t PARTITION OF p FOR VALUES IN (1);
         ALTER TABLE p DETACH PARTITION t",
    ),
    refused("a parent", "CREATE TABLE t (a int); CREATE TABLE u () INHERITS (t)", &[TableHasInheritance]),
    refused("a child", "CREATE TABLE u (a int); CREATE TABLE t () INHERITS (u)", &[TableHasInheritance]),
    accepted(
        "a child that was let go",
        "CREATE TABLE u (a int); CREATE TABLE t () INHERITS (u); ALTER TABLE t NO INHERIT u",
    ),
    accepted(
        "a parent whose child is gone",
        "CREATE TABLE t (a int); CREATE TABLE u () INHERITS (t); DROP TABLE u",
    ),
    refused("a foreign table of a file", "", &[TableIsForeign]).superuser(
        "CREATE EXTENSION file_fdw; CREATE SERVER f FOREIGN DATA WRAPPER file_fdw;
         CREATE FOREIGN TABLE t (a text) SERVER f OPTIONS (filename '/etc/hostname')",
    ),
    refused("a foreign table of another server", "", &[TableIsForeign]).superuser(
        "CREATE EXTENSION postgres_fdw; CREATE SERVER f FOREIGN DATA WRAPPER postgres_fdw;
         CREATE FOREIGN TABLE t (a text) SERVER f",
    ),
    refused("a foreign table without a handler", "", &[TableIsForeign]).superuser(
        "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER f FOREIGN DATA WRAPPER w;
         CREATE FOREIGN TABLE t (a text) SERVER f",
    ),
    refused("a table stored by another access method", "CREATE TABLE t (a int) USING other", &[TableHasCustomStorage])
        .superuser("CREATE ACCESS METHOD other TYPE TABLE HANDLER heap_tableam_handler"),
    refused(
        "a materialized view stored by another access method",
        "CREATE MATERIALIZED VIEW t USING other AS SELECT 1 AS a",
        &[TableHasCustomStorage],
    )
    .superuser("CREATE ACCESS METHOD other TYPE TABLE HANDLER heap_tableam_handler"),
    refused("a sequence", "CREATE SEQUENCE t", &[TableKindUnsupported]),
    refused("an index", "CREATE TABLE u (a int); CREATE INDEX t ON u (a)", &[TableKindUnsupported]),
    refused(
        "an index of a partitioned table",
        "CREATE TABLE u (a int) PARTITION BY LIST (a); CREATE INDEX t ON u (a)",
        &[TableKindUnsupported],
    ),
    refused("a row type", "CREATE TYPE t AS (a int)", &[TableKindUnsupported]),
    refused("a catalog", "", &[TableIsSystem]).of("pg_catalog", "pg_class"),
    refused("a view of the catalog", "", &[TableIsSystem]).of("pg_catalog", "pg_stat_activity"),
    refused("a table with hashes of passwords", "", &[TableIsSystem]).of("pg_catalog", "pg_authid"),
    refused("a view of the information schema", "", &[TableIsSystem]).of("information_schema", "tables"),
    refused("a table of the information schema", "", &[TableIsSystem]).of("information_schema", "sql_features"),
    refused(
        "a toast table",
        "",
        &[TableIsSystem],
    )
    .of("pg_toast", "pg_toast_1255"),
    accepted("a materialized view", "CREATE MATERIALIZED VIEW t AS SELECT 1 AS a, 'x'::text AS b"),
    accepted(
        "a materialized view of a function of the owner",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
         CREATE MATERIALIZED VIEW t AS SELECT f() AS a, random() AS b",
    ),
    accepted(
        "a materialized view of a table that cannot be read itself",
        "CREATE TABLE u (a int) PARTITION BY LIST (a); CREATE MATERIALIZED VIEW t AS SELECT a FROM u",
    ),
    accepted(
        "a materialized view with built-in indexes",
        "CREATE MATERIALIZED VIEW t AS SELECT 1 AS a, 'x'::text AS b; CREATE UNIQUE INDEX ON t (a);
         CREATE INDEX ON t USING gin (to_tsvector('english', b)); CREATE INDEX ON t (lower(b)) WHERE a > 1",
    ),
    refused(
        "a materialized view with a function of the owner in an index",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE MATERIALIZED VIEW t AS SELECT 1 AS a; CREATE INDEX ON t (f(a))",
        &[IndexNotBuiltIn],
    ),
    refused(
        "a materialized view with an enum",
        "CREATE TYPE e AS ENUM ('a'); CREATE MATERIALIZED VIEW t AS SELECT 'a'::e AS a",
        &[ColumnTypeIsEnum],
    ),
    refused(
        "a materialized view with 65 columns",
        "DO $$BEGIN EXECUTE 'CREATE MATERIALIZED VIEW t AS SELECT ' || (SELECT string_agg('1 AS c' || n, ',') \
         FROM generate_series(1, 65) n); END$$",
        &[TableTooWide],
    ),
    refused(
        "a materialized view that was never filled",
        "CREATE MATERIALIZED VIEW t AS SELECT 1 AS a WITH NO DATA",
        &[MaterializedViewEmpty],
    ),
    refused(
        "a materialized view that was emptied",
        "CREATE MATERIALIZED VIEW t AS SELECT 1 AS a; REFRESH MATERIALIZED VIEW t WITH NO DATA",
        &[MaterializedViewEmpty],
    ),
    accepted(
        "a materialized view that was filled later",
        "CREATE MATERIALIZED VIEW t AS SELECT 1 AS a WITH NO DATA; REFRESH MATERIALIZED VIEW t",
    ),
];

#[test]
fn each_case_is_judged_rightly() {
    check("kinds", CASES);
}
