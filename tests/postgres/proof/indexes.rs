//! Indexes: the planner computes their expressions and predicates while it plans.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::{IndexNotBuiltIn, TableHasCustomCollation};

pub(super) const CASES: &[Case] = &[
    accepted("indexes of every built-in access method",
        "CREATE TABLE t (a int, b text, c int[], d point, e jsonb, f inet, g tsvector, h timestamptz);
         CREATE INDEX ON t (a); CREATE INDEX ON t USING hash (b); CREATE INDEX ON t USING gin (c);
         CREATE INDEX ON t USING gist (d); CREATE INDEX ON t USING spgist (d); CREATE INDEX ON t USING brin (h);
         CREATE INDEX ON t USING gin (e); CREATE INDEX ON t USING gist (f inet_ops); CREATE INDEX ON t USING gin (g)"),
    accepted("other built-in operator classes",
        "CREATE TABLE t (a text, b jsonb, c int, d varchar);
         CREATE INDEX ON t (a text_pattern_ops); CREATE INDEX ON t USING gin (b jsonb_path_ops);
         CREATE INDEX ON t USING brin (c int4_bloom_ops); CREATE INDEX ON t USING brin (c int4_minmax_multi_ops);
         CREATE INDEX ON t (d varchar_pattern_ops DESC NULLS LAST)"),
    accepted("unique and covering indexes",
        "CREATE TABLE t (a int UNIQUE, b int, c text, PRIMARY KEY (b) INCLUDE (c)); \
         CREATE UNIQUE INDEX ON t (a, b) NULLS NOT DISTINCT"),
    accepted("expressions of built-in functions",
        "CREATE TABLE t (a text, b jsonb, c timestamptz, d int);
         CREATE INDEX ON t (lower(a)); CREATE INDEX ON t ((b ->> 'k')); CREATE INDEX ON t ((c AT TIME ZONE 'UTC'));
         CREATE INDEX ON t ((d % 10), (a || 'x')); CREATE INDEX ON t (coalesce(a, '')); \
         CREATE INDEX ON t ((a COLLATE \"C\")); CREATE INDEX ON t ((CASE WHEN d > 1 THEN a END))"),
    accepted("predicates of built-in operators",
        "CREATE TABLE t (a int, b text); CREATE INDEX ON t (a) WHERE b IS NOT NULL AND a > 10;
         CREATE INDEX ON t (a) WHERE b LIKE 'x%' OR lower(b) = ANY (ARRAY['a', 'b'])"),
    accepted("a search in a built-in configuration",
        "CREATE TABLE t (a text); CREATE INDEX ON t USING gin (to_tsvector('english', a))"),
    accepted("a built-in exclusion constraint",
        "CREATE TABLE t (a point, b circle, EXCLUDE USING gist (b WITH &&)); \
         ALTER TABLE t ADD EXCLUDE USING gist (box(a, a) WITH ~=) WHERE (a IS NOT NULL)"),
    accepted("an index that was dropped",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
         CREATE TABLE t (a int); CREATE INDEX x ON t (f(a)); DROP INDEX x"),
    refused("an SQL function of the owner",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
         CREATE TABLE t (a int); CREATE INDEX ON t (f(a))", &[IndexNotBuiltIn]),
    refused("a PL/pgSQL function of the owner",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE TABLE t (a int); CREATE INDEX ON t (f(a))", &[IndexNotBuiltIn]),
    refused("a function of the owner under a built-in name",
        "CREATE FUNCTION lower(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
         CREATE TABLE t (a int); CREATE INDEX ON t (lower(a))", &[IndexNotBuiltIn]),
    refused("a function of the owner deep in built-in ones",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
         CREATE TABLE t (a int, b text);
         CREATE INDEX ON t ((abs(CASE WHEN a > 1 THEN coalesce(NULLIF(f(a) + 1, 2), 3) ELSE 0 END)))",
        &[IndexNotBuiltIn]),
    refused("a function of the owner that only a constant is given to",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE TABLE t (a int); CREATE INDEX ON t ((a + f(1)))", &[IndexNotBuiltIn]),
    refused("a function of the owner in a predicate",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         CREATE TABLE t (a int); CREATE INDEX ON t (a) WHERE f(a)", &[IndexNotBuiltIn]),
    refused("a function of the owner in the predicate of the second index",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         CREATE TABLE t (a int); CREATE INDEX ON t (a); CREATE INDEX ON t (a) WHERE a > 0 AND f(a)",
        &[IndexNotBuiltIn]),
    refused("an operator of the owner in an expression",
        "CREATE FUNCTION f(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
         CREATE OPERATOR <+> (LEFTARG = int, RIGHTARG = int, FUNCTION = f);
         CREATE TABLE t (a int); CREATE INDEX ON t ((a <+> 1))", &[IndexNotBuiltIn]),
    refused("an operator of the owner over a built-in function",
        "CREATE OPERATOR <+> (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl);
         CREATE TABLE t (a int); CREATE INDEX ON t ((a <+> 1))", &[IndexNotBuiltIn]),
    refused("a cast through a domain",
        "CREATE DOMAIN d AS int CHECK (value > 0); CREATE TABLE t (a int); CREATE INDEX ON t (((a::d)::int))",
        &[IndexNotBuiltIn]),
    refused("an enum in a predicate",
        "CREATE TYPE e AS ENUM ('a', 'b'); CREATE TABLE t (a int, b text); \
         CREATE INDEX ON t (a) WHERE 'a'::e < 'b'::e", &[IndexNotBuiltIn]),
    // Its type is the table's own row type, which is not built in.
    refused("a whole row in a predicate, of built-in columns",
        "CREATE TABLE t (a int, b text); CREATE INDEX ON t (a) WHERE t IS NOT NULL", &[IndexNotBuiltIn]),
    refused("a collation of the owner on an index",
        "CREATE COLLATION mine FROM \"C\"; CREATE TABLE t (a text); CREATE INDEX ON t (a COLLATE mine)",
        &[IndexNotBuiltIn]),
    refused("a collation of the owner in an expression",
        "CREATE COLLATION mine FROM \"C\"; CREATE TABLE t (a text); CREATE INDEX ON t ((a < 'x' COLLATE mine))",
        &[IndexNotBuiltIn]),
    refused("a collation of the owner on column and index",
        "CREATE COLLATION mine FROM \"C\"; CREATE TABLE t (a text COLLATE mine PRIMARY KEY)",
        &[TableHasCustomCollation, IndexNotBuiltIn]),
    refused("a search in a configuration of the owner",
        "CREATE TEXT SEARCH CONFIGURATION c (COPY = english); CREATE TABLE t (a text);
         CREATE INDEX ON t USING gin (to_tsvector('s.c'::regconfig, a))", &[IndexNotBuiltIn]),
    refused("an operator class of the superuser", "CREATE TABLE t (a int); CREATE INDEX ON t (a mine)",
        &[IndexNotBuiltIn])
        .superuser(
            "CREATE OPERATOR CLASS mine FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,
             OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 btint4cmp(int, int)"),
    refused("an operator class with a function of the superuser",
        "CREATE TABLE t (a int); CREATE INDEX ON t (a mine)", &[IndexNotBuiltIn])
        .superuser(
            "CREATE FUNCTION f(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 - $2; END';
             CREATE OPERATOR CLASS mine FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,
             OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 f(int, int)"),
    refused("an operator class of an extension", "CREATE TABLE t (a text); CREATE INDEX ON t USING gin (a gin_trgm_ops)",
        &[IndexNotBuiltIn])
        .superuser("CREATE EXTENSION pg_trgm SCHEMA public"),
    refused("the class that an extension makes the usual one", "CREATE TABLE t (a int); CREATE INDEX ON t USING gist (a)",
        &[IndexNotBuiltIn])
        .superuser("CREATE EXTENSION btree_gist SCHEMA public"),
    refused("the same in an exclusion constraint",
        "CREATE TABLE t (a int, b tsvector, EXCLUDE USING gist (a WITH <>))", &[IndexNotBuiltIn])
        .superuser("CREATE EXTENSION btree_gist SCHEMA public"),
    refused("an access method of an extension", "CREATE TABLE t (a int, b int); CREATE INDEX ON t USING bloom (a, b)",
        &[IndexNotBuiltIn])
        .superuser("CREATE EXTENSION bloom SCHEMA public"),
    refused("an access method of the superuser over a built-in handler",
        "CREATE TABLE t (a int); CREATE INDEX ON t USING other (a mine)", &[IndexNotBuiltIn])
        .superuser(
            "CREATE ACCESS METHOD other TYPE INDEX HANDLER hashhandler;
             CREATE OPERATOR CLASS mine DEFAULT FOR TYPE int USING other AS OPERATOR 1 =, FUNCTION 1 hashint4(int)"),
    refused("an operator of the owner in an exclusion constraint",
        "CREATE TABLE t (a circle, EXCLUDE USING gist (a mine WITH &&&))", &[IndexNotBuiltIn])
        .superuser(
            "CREATE FUNCTION f(circle, circle) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
             CREATE OPERATOR &&& (LEFTARG = circle, RIGHTARG = circle, FUNCTION = f, COMMUTATOR = &&&);
             CREATE OPERATOR CLASS mine FOR TYPE circle USING gist AS OPERATOR 3 &&&,
             FUNCTION 1 gist_circle_consistent(internal, circle, smallint, oid, internal),
             FUNCTION 2 gist_box_union(internal, internal), FUNCTION 3 gist_circle_compress(internal),
             FUNCTION 5 gist_box_penalty(internal, internal, internal),
             FUNCTION 6 gist_box_picksplit(internal, internal), FUNCTION 7 gist_box_same(box, box, internal),
             STORAGE box"),
    refused("a built-in function that gets at a partitioning by its number",
        "CREATE TABLE p (a int) PARTITION BY HASH (a); CREATE TABLE t (a int);
         DO $$BEGIN EXECUTE format('CREATE INDEX ON s.t ((CASE WHEN satisfies_hash_partition(%s::oid, 2, 0, 1) THEN a END))', 's.p'::regclass::oid); END$$", &[IndexNotBuiltIn]),
    refused("the same in a predicate",
        "CREATE TABLE p (a int) PARTITION BY HASH (a); CREATE TABLE t (a int);
         DO $$BEGIN EXECUTE format('CREATE INDEX ON s.t (a) WHERE satisfies_hash_partition(%s::oid, 2, 0, 1)', 's.p'::regclass::oid); END$$", &[IndexNotBuiltIn]),
    refused("an index that is not valid", "CREATE TABLE t (a int)", &[IndexNotBuiltIn])
        .finally(
            "CREATE FUNCTION s.f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
             CREATE INDEX x ON s.t (s.f(a));
             UPDATE pg_index SET indisvalid = false WHERE indexrelid = 's.x'::regclass"),
];

#[test]
fn each_case_is_judged_rightly() {
    check("indexes", CASES);
}
