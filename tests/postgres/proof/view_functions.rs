//! What a plain view calls: the planner puts it into the statement, and computes parts of it while it plans.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::{ViewIsVolatile, ViewNotBuiltIn};

/// A table `u`, a function `f` of the owner and a view.
macro_rules! calling {
    ($view:literal) => {
        concat!(
            "CREATE TABLE u (a int, b text, c int[], d timestamptz);",
            "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';",
            "CREATE VIEW v AS ",
            $view
        )
    };
}

/// A view that calls a function of the owner.
const fn custom(title: &'static str, owner: &'static str) -> Case {
    refused(title, owner, &[ViewNotBuiltIn])
}

/// A view that calls a volatile built-in function.
const fn volatile(title: &'static str, owner: &'static str) -> Case {
    refused(title, owner, &[ViewIsVolatile])
}

pub(super) const CASES: &[Case] = &[
    custom("a function of the owner in the list", calling!("SELECT f(a) AS x FROM u")),
    custom("in WHERE", calling!("SELECT a FROM u WHERE f(a) > 1")),
    custom("in a join condition", calling!("SELECT u.a FROM u JOIN u AS w ON f(u.a) = w.a")),
    custom("in the condition of an outer join", calling!("SELECT u.a FROM u LEFT JOIN u AS w ON f(w.a) = 1")),
    custom("in ORDER BY", calling!("SELECT a FROM u ORDER BY f(a)")),
    custom("in GROUP BY", calling!("SELECT count(*) AS x FROM u GROUP BY f(a)")),
    custom("in a grouping set", calling!("SELECT count(*) AS x FROM u GROUP BY GROUPING SETS ((a), (f(a)))")),
    custom("in HAVING", calling!("SELECT a FROM u GROUP BY a HAVING f(a) > 1")),
    custom("in DISTINCT ON", calling!("SELECT DISTINCT ON (f(a)) a FROM u")),
    custom("in a window", calling!("SELECT sum(a) OVER (PARTITION BY f(a)) AS x FROM u")),
    custom("in a named window", calling!("SELECT sum(a) OVER w AS x FROM u WINDOW w AS (ORDER BY f(a))")),
    custom("in the frame of a window", calling!("SELECT sum(a) OVER (ORDER BY a ROWS f(1) PRECEDING) AS x FROM u")),
    custom("in an aggregate", calling!("SELECT sum(f(a)) AS x FROM u")),
    custom("in the order of an aggregate", calling!("SELECT string_agg(b, ',' ORDER BY f(a)) AS x FROM u")),
    custom("in the direct argument of an aggregate", calling!("SELECT percentile_cont(f(1)::float8 / 2) WITHIN GROUP (ORDER BY a) AS x FROM u")),
    custom("in FILTER", calling!("SELECT count(*) FILTER (WHERE f(a) > 1) AS x FROM u")),
    custom("in LIMIT", calling!("SELECT a FROM u LIMIT f(3)")),
    custom("in OFFSET", calling!("SELECT a FROM u OFFSET f(3)")),
    custom("in a subquery", calling!("SELECT a, (SELECT f(w.a) FROM u AS w LIMIT 1) AS x FROM u")),
    custom("in EXISTS", calling!("SELECT a FROM u WHERE EXISTS (SELECT FROM u AS w WHERE f(w.a) = u.a)")),
    custom("in a test of IN", calling!("SELECT a FROM u WHERE f(a) IN (SELECT w.a FROM u AS w)")),
    custom("in WITH", calling!("WITH w AS (SELECT f(a) AS x FROM u) SELECT x FROM w")),
    custom("in WITH of which nothing is taken", calling!("WITH w AS (SELECT f(a) AS x FROM u) SELECT a FROM u")),
    custom("in the recursive part of WITH", calling!("WITH RECURSIVE w(x) AS (SELECT 1 UNION ALL SELECT f(x) FROM w WHERE x < 3) SELECT x FROM w")),
    custom("in LATERAL", calling!("SELECT u.a, w.x FROM u, LATERAL (SELECT f(u.a) AS x) AS w")),
    custom("in VALUES", calling!("SELECT x FROM (VALUES (1), (f(2))) AS w(x)")),
    custom("in a view of VALUES alone", calling!("VALUES (f(1))")),
    custom("as a row source", calling!("SELECT x FROM f(1) AS w(x)")),
    custom("among several row sources", calling!("SELECT x, y FROM ROWS FROM (generate_series(1, 3), f(2)) AS w(x, y)")),
    custom("in the arguments of a row source", calling!("SELECT x FROM generate_series(1, f(3)) AS w(x)")),
    custom("in the second part of UNION", calling!("SELECT a FROM u UNION ALL SELECT f(a) FROM u")),
    custom("in the second part of EXCEPT", calling!("SELECT a FROM u EXCEPT SELECT f(a) FROM u")),
    custom("deep in built-in calls", calling!("SELECT abs(coalesce(greatest(f(a), 1), 2)) AS x FROM u")),
    custom("in CASE", calling!("SELECT CASE a WHEN 1 THEN 2 ELSE f(a) END AS x FROM u")),
    custom("in NULLIF", calling!("SELECT NULLIF(f(a), 1) AS x FROM u")),
    custom("in a test for NULL", calling!("SELECT f(a) IS NULL AS x FROM u")),
    custom("in a test for truth", calling!("SELECT (f(a) > 1) IS UNKNOWN AS x FROM u")),
    custom("in an array", calling!("SELECT ARRAY[a, f(a)] AS x FROM u")),
    custom("in an index of an array", calling!("SELECT c[f(1)] AS x FROM u")),
    custom("in a slice of an array", calling!("SELECT c[1:f(2)] AS x FROM u")),
    custom("in a row that is compared", calling!("SELECT (a, 1) < (f(a), 2) AS x FROM u")),
    custom("in an argument by its name", calling!("SELECT make_interval(days => f(a)) AS x FROM u")),
    custom("in a list of arguments", calling!("SELECT format('%s', VARIADIC ARRAY[f(a)]) AS x FROM u")),
    custom("in an XML element", calling!("SELECT xmlelement(name x, f(a))::text AS x FROM u")),
    custom("in a cast", calling!("SELECT f(a)::text AS x FROM u")),
    custom("in GROUPING and its groups", calling!("SELECT GROUPING(f(a)) AS x FROM u GROUP BY ROLLUP (f(a))")),
    custom("in a branch that is never taken", calling!("SELECT a FROM u WHERE false AND f(a) = 1")),
    custom("with a constant, which is computed while it is planned", calling!("SELECT a FROM u WHERE a > f(1)")),
    custom("an SQL function of the owner, which is put in its place",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
         CREATE TABLE u (a int); CREATE VIEW v AS SELECT f(a) AS x FROM u"),
    custom("a function with a body of standard SQL",
        "CREATE FUNCTION f(x int) RETURNS int IMMUTABLE RETURN x + 1;
         CREATE TABLE u (a int); CREATE VIEW v AS SELECT f(a) AS x FROM u"),
    custom("a stable function of the owner",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN RETURN 1; END';
         CREATE VIEW v AS SELECT f() AS x"),
    custom("a function with the rights of its owner",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS 'BEGIN RETURN 1; END';
         CREATE VIEW v AS SELECT f() AS x"),
    custom("a function of the owner under a built-in name",
        "CREATE FUNCTION lower(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1; END';
         CREATE VIEW v AS SELECT lower(1) AS x"),
    custom("a function that returns rows",
        "CREATE FUNCTION f() RETURNS TABLE (x int) LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN QUERY SELECT 1; END';
         CREATE VIEW v AS SELECT x FROM f()"),
    custom("an aggregate of the owner",
        "CREATE AGGREGATE mine(int) (SFUNC = int4pl, STYPE = int); CREATE TABLE u (a int); CREATE VIEW v AS SELECT mine(a) AS x FROM u"),
    custom("an aggregate of the owner as a window",
        "CREATE AGGREGATE mine(int) (SFUNC = int4pl, STYPE = int); CREATE TABLE u (a int);
         CREATE VIEW v AS SELECT mine(a) OVER (ORDER BY a) AS x FROM u"),
    custom("an aggregate of the owner with a function of the owner at its end",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE AGGREGATE mine(int) (SFUNC = int4pl, STYPE = int, FINALFUNC = f); CREATE TABLE u (a int);
         CREATE VIEW v AS SELECT mine(a) AS x FROM u"),
    custom("a function of an extension", "CREATE TABLE u (a text); CREATE VIEW v AS SELECT similarity(a, 'x') AS x FROM u")
        .superuser("CREATE EXTENSION pg_trgm SCHEMA public"),
    custom("another database", "CREATE VIEW v AS SELECT x FROM dblink('dbname=postgres', 'SELECT 1') AS w(x int)")
        .superuser("CREATE EXTENSION dblink SCHEMA public"),
    custom("a random number of an extension", "CREATE VIEW v AS SELECT gen_salt('md5') AS x")
        .superuser("CREATE EXTENSION pgcrypto SCHEMA public"),
    volatile("random", "CREATE VIEW v AS SELECT random() AS x"),
    volatile("the time as it passes", "CREATE VIEW v AS SELECT clock_timestamp() AS x"),
    volatile("the time as a text", "CREATE VIEW v AS SELECT timeofday() AS x"),
    volatile("the next number of a sequence", "CREATE SEQUENCE q; CREATE VIEW v AS SELECT nextval('q') AS x"),
    volatile("the number of a sequence", "CREATE SEQUENCE q; CREATE VIEW v AS SELECT setval('q', 7) AS x"),
    volatile("the last number of a sequence", "CREATE VIEW v AS SELECT lastval() AS x"),
    volatile("a pause", "CREATE VIEW v AS SELECT pg_sleep(1)::text AS x"),
    volatile("a new identifier", "CREATE VIEW v AS SELECT gen_random_uuid() AS x"),
    volatile("a setting", "CREATE VIEW v AS SELECT set_config('search_path', 'evil', false) AS x"),
    volatile("a lock", "CREATE VIEW v AS SELECT pg_advisory_lock(1)::text AS x"),
    volatile("a message", "CREATE VIEW v AS SELECT pg_notify('a', 'b')::text AS x"),
    volatile("a new large object", "CREATE VIEW v AS SELECT lo_create(0) AS x"),
    volatile("the removal of a large object", "CREATE VIEW v AS SELECT lo_unlink(1) AS x"),
    volatile("a file of the server", "CREATE VIEW v AS SELECT pg_read_file('PG_VERSION') AS x"),
    volatile("a folder of the server", "CREATE VIEW v AS SELECT x FROM pg_ls_dir('.') AS w(x)"),
    volatile("the end of somebody's connection", "CREATE VIEW v AS SELECT pg_terminate_backend(0) AS x"),
    volatile("a query in a text", "CREATE VIEW v AS SELECT query_to_xml('SELECT 1', true, false, '')::text AS x"),
    volatile("a query in a text, for statistics", "CREATE VIEW v AS SELECT word FROM ts_stat('SELECT to_tsvector(''a'')')"),
    volatile("a query in a text, for rewriting", "CREATE VIEW v AS SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')::text AS x"),
    volatile("a volatile function deep in a condition", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u WHERE a > 1 OR coalesce(random() > 0.5, false)"),
    volatile("a volatile function in a row source", "CREATE VIEW v AS SELECT x FROM generate_series(1, (random() * 3)::int) AS w(x)"),
    accepted("the time of the transaction",
        "CREATE VIEW v AS SELECT now() AS a, current_timestamp AS b, localtime AS c, current_date AS d, current_user AS e, \
         current_schema AS f, statement_timestamp() AS g"),
    accepted("stable and immutable built-in functions",
        "CREATE TABLE u (a int, b text, c jsonb, d timestamptz, e text[]);
         CREATE VIEW v AS SELECT abs(a) AS a, lower(b) || upper(b) AS b, c ->> 'x' AS c, date_trunc('day', d) AS d,
         to_char(d, 'YYYY') AS e, unnest(e) AS f, coalesce(b, 'x') AS g, b ~ '^a' AS h, array_length(e, 1) AS i,
         jsonb_build_object('a', a) AS j, extract(year FROM d) AS k, a::text AS l, c #>> '{a,b}' AS m,
         regexp_replace(b, 'a', 'b') AS n, to_tsvector('english', b) @@ to_tsquery('english', 'a') AS o,
         current_setting('TimeZone') AS p, greatest(a, 1) AS q, b LIKE 'x%' AS r, substring(b FROM 2 FOR 3) AS s,
         position('a' IN b) AS t, overlay(b PLACING 'x' FROM 1) AS u, e[1] AS w, b COLLATE \"C\" < 'a' AS x FROM u"),
    accepted("built-in aggregates and windows",
        "CREATE TABLE u (a int, b text, d timestamptz);
         CREATE VIEW v AS SELECT count(*) AS a, sum(a) AS b, avg(a) AS c, min(d) AS d, string_agg(b, ',' ORDER BY a) AS e,
         array_agg(DISTINCT a) AS f, jsonb_agg(b) AS g, bool_and(a > 1) FILTER (WHERE a < 9) AS h,
         percentile_cont(0.5) WITHIN GROUP (ORDER BY a) AS i, rank(3) WITHIN GROUP (ORDER BY a) AS j,
         row_number() OVER (ORDER BY b) AS k, lag(b) OVER (PARTITION BY b ORDER BY count(*)) AS l FROM u GROUP BY b"),
];

#[test]
fn each_case_is_judged_rightly() {
    check("functions of views", CASES);
}
