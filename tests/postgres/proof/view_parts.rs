//! Everything else in a plain view that is somebody's code, or that the proof does not know.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::{
    ColumnTypeIsComposite, ColumnTypeIsDomain, ColumnTypeIsEnum, TableHasCustomCollation,
    TableTooWide, ViewNotBuiltIn, ViewNotUnderstood,
};

/// A table `u`, an operator `<<<<` of the owner and a view.
macro_rules! operating {
    ($view:literal) => {
        concat!(
            "CREATE TABLE u (a int, b text);",
            "CREATE FUNCTION f(int, int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';",
            "CREATE OPERATOR <<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = f);",
            "CREATE OPERATOR = (LEFTARG = int, RIGHTARG = int, FUNCTION = f);",
            "CREATE DOMAIN d AS int CHECK (value > 0); CREATE TYPE e AS ENUM ('a', 'b');",
            "CREATE TYPE c AS (x int, y int); CREATE COLLATION mine FROM \"C\";",
            "CREATE VIEW v AS ",
            $view
        )
    };
}

/// A view with something of the owner.
const fn custom(title: &'static str, owner: &'static str) -> Case {
    refused(title, owner, &[ViewNotBuiltIn])
}

pub(super) const CASES: &[Case] = &[
    custom("an operator of the owner", operating!("SELECT a <<<< 1 AS x FROM u")),
    custom("an operator of the owner that looks built-in", operating!("SELECT a OPERATOR(s.=) 1 AS x FROM u")),
    custom("an operator of the owner over a built-in function",
        "CREATE OPERATOR <+> (LEFTARG = int, RIGHTARG = int, FUNCTION = int4pl); CREATE VIEW v AS SELECT 1 <+> 2 AS x"),
    custom("an operator of the owner over lists", operating!("SELECT a OPERATOR(s.<<<<) ANY (ARRAY[1, 2]) AS x FROM u")),
    custom("an operator of the owner over a subquery", operating!("SELECT a OPERATOR(s.=) ANY (SELECT w.a FROM u AS w) AS x FROM u")),
    custom("an operator of the owner in a condition", operating!("SELECT u.a FROM u JOIN u AS w ON u.a <<<< w.a")),
    custom("a domain in a cast in the list", operating!("SELECT (a::d)::int AS x FROM u")),
    custom("a domain in a cast in a condition", operating!("SELECT a FROM u WHERE (a::d) IS NOT NULL")),
    custom("a domain in a cast of a constant", operating!("SELECT a FROM u WHERE a > (7::d)::int")),
    custom("a domain in the columns of a row source",
        operating!("SELECT (x::int) AS x FROM json_to_recordset('[{\"x\": 1}]') AS w(x s.d)")),
    custom("an enum in a cast", operating!("SELECT (b::e)::text AS x FROM u")),
    custom("an enum in a comparison of constants", operating!("SELECT a FROM u WHERE 'a'::e < 'b'::e")),
    custom("a row type in a cast", operating!("SELECT ((a, 1)::c).x AS x FROM u")),
    custom("a row type for JSON", operating!("SELECT (jsonb_populate_record(NULL::c, '{}')).x AS x FROM u")),
    custom("a whole row as a text", operating!("SELECT u::text AS x FROM u")),
    custom("a whole row that is counted", operating!("SELECT count(u.*) AS x FROM u")),
    custom("an array of an enum", operating!("SELECT ARRAY['a'::e]::text AS x FROM u")),
    custom("a collation of the owner in a comparison", operating!("SELECT b < 'x' COLLATE mine AS x FROM u")),
    custom("a collation of the owner in ORDER BY", operating!("SELECT b FROM u ORDER BY b COLLATE mine")),
    custom("a collation of the owner in a window", operating!("SELECT rank() OVER (ORDER BY b COLLATE mine) AS x FROM u")),
    custom("a collation of the owner in GROUP BY", operating!("SELECT count(*) AS x FROM u GROUP BY b COLLATE mine")),
    custom("a search in a configuration of the owner",
        "CREATE TEXT SEARCH CONFIGURATION c (COPY = english); CREATE TABLE u (a text);
         CREATE VIEW v AS SELECT to_tsvector('s.c'::regconfig, a)::text AS x FROM u"),
    custom("a cast of the superuser", "CREATE TABLE u (a text); CREATE VIEW v AS SELECT (a::word)::text AS x FROM u")
        .superuser(
            "CREATE TYPE word;
             CREATE FUNCTION word_in(cstring) RETURNS word LANGUAGE internal IMMUTABLE STRICT AS 'textin';
             CREATE FUNCTION word_out(word) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
             CREATE TYPE word (INPUT = word_in, OUTPUT = word_out, LIKE = text)"),
    custom("a range of the owner", "CREATE TYPE r AS RANGE (subtype = int); CREATE VIEW v AS SELECT lower(r(1, 2)) AS x"),
    custom("a sort by an operator of the superuser", "CREATE TABLE u (a json); CREATE VIEW v AS SELECT a FROM u ORDER BY a USING <<<<")
        .superuser(
            "CREATE FUNCTION c(json, json) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 0; END';
             CREATE FUNCTION l(json, json) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN false; END';
             CREATE OPERATOR <<<< (LEFTARG = json, RIGHTARG = json, FUNCTION = l);
             CREATE OPERATOR ==== (LEFTARG = json, RIGHTARG = json, FUNCTION = l);
             CREATE OPERATOR CLASS o FOR TYPE json USING btree AS OPERATOR 1 <<<<, OPERATOR 3 ====,
             FUNCTION 1 c(json, json)"),
    refused("a column of a domain", operating!("SELECT a::d AS x FROM u"), &[ColumnTypeIsDomain, ViewNotBuiltIn]),
    refused("a column of an enum", operating!("SELECT 'a'::e AS x FROM u"), &[ColumnTypeIsEnum, ViewNotBuiltIn]),
    refused("a column of a row type", operating!("SELECT (1, 2)::c AS x FROM u"), &[ColumnTypeIsComposite, ViewNotBuiltIn]),
    refused("a column with a collation of the owner", operating!("SELECT b COLLATE mine AS x FROM u"),
        &[TableHasCustomCollation, ViewNotBuiltIn]),
    refused("a view with 65 columns",
        "DO $$BEGIN EXECUTE 'CREATE VIEW s.v AS SELECT ' || (SELECT string_agg('1 AS c' || n, ',') \
         FROM generate_series(1, 65) n); END$$", &[TableTooWide]).of("s", "v"),
    refused("rows that are locked", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u FOR UPDATE", &[ViewNotUnderstood]),
    refused("rows that are locked in a subquery",
        "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM (SELECT a FROM u FOR SHARE) AS w", &[ViewNotUnderstood]),
    refused("a sample", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u TABLESAMPLE SYSTEM (10)", &[ViewNotUnderstood]),
    refused("a sample by a method of an extension",
        "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u TABLESAMPLE system_rows(3)", &[ViewNotUnderstood, ViewNotBuiltIn])
        .superuser("CREATE EXTENSION tsm_system_rows SCHEMA public"),
    refused("a table of XML",
        "CREATE VIEW v AS SELECT x FROM xmltable('/a' PASSING ('<a/>'::xml) COLUMNS x text PATH '.')", &[ViewNotUnderstood]),
    accepted("joins", "CREATE TABLE u (a int, b text); CREATE TABLE w (a int, c text);
         CREATE VIEW v AS SELECT u.b, w.c, x.a FROM u JOIN w USING (a) LEFT JOIN u AS x ON x.a > w.a CROSS JOIN w AS y"),
    accepted("a join with names of its own", "CREATE TABLE u (a int, b text);
         CREATE VIEW v AS SELECT x, y FROM (u NATURAL FULL JOIN u AS w) AS j(x, y)"),
    accepted("unions, intersections and differences", "CREATE TABLE u (a int);
         CREATE VIEW v AS (SELECT a FROM u UNION SELECT 1) INTERSECT ALL (SELECT a FROM u EXCEPT SELECT 2) ORDER BY 1 LIMIT 9"),
    accepted("WITH, also recursive", "CREATE TABLE u (a int);
         CREATE VIEW v AS WITH RECURSIVE w(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM w WHERE n < 5), \
         x AS MATERIALIZED (SELECT a FROM u) SELECT w.n, x.a FROM w, x"),
    accepted("a search and its cycles", "CREATE TABLE u (a int, b int);
         CREATE VIEW v AS WITH RECURSIVE w(a, b) AS (SELECT a, b FROM u UNION ALL SELECT u.a, u.b FROM u, w WHERE u.a = w.b) \
         SEARCH DEPTH FIRST BY a SET o CYCLE a SET is_cycle USING path SELECT a, is_cycle FROM w"),
    accepted("subqueries of every kind", "CREATE TABLE u (a int, b text);
         CREATE VIEW v AS SELECT a, (SELECT max(b) FROM u) AS x, ARRAY(SELECT a FROM u) AS y FROM u
         WHERE EXISTS (SELECT FROM u) AND a IN (SELECT a FROM u) AND a > ALL (SELECT 1) AND (a, b) = (SELECT 1, 'x')"),
    accepted("LATERAL, VALUES and row sources", "CREATE TABLE u (a int);
         CREATE VIEW v AS SELECT u.a, x.n, y.z, w.o FROM u, LATERAL (SELECT u.a + 1 AS n) AS x, (VALUES (1), (2)) AS y(z),
         generate_series(1, 3) WITH ORDINALITY AS w(m, o), ROWS FROM (unnest(ARRAY[1]), unnest(ARRAY[2])) AS q(r, s)"),
    accepted("grouping sets and windows", "CREATE TABLE u (a int, b int);
         CREATE VIEW v AS SELECT a, b, GROUPING(a, b) AS g, sum(count(*)) OVER (ORDER BY a RANGE 1 PRECEDING) AS x \
         FROM u GROUP BY CUBE (a, b)"),
    accepted("DISTINCT ON and FETCH FIRST WITH TIES", "CREATE TABLE u (a int, b int);
         CREATE VIEW v AS SELECT DISTINCT ON (a) a, b FROM u ORDER BY a, b DESC NULLS LAST FETCH FIRST 3 ROWS WITH TIES"),
    accepted("CASE, COALESCE, NULLIF, rows and arrays", "CREATE TABLE u (a int, b text, c int[]);
         CREATE VIEW v AS SELECT CASE a WHEN 1 THEN 'x' ELSE b END AS x, NULLIF(a, 1) AS y, c[2:3] AS z,
         (a, b) IS DISTINCT FROM (1, 'x') AS p, ROW(a, b) < ROW(1, 'y') AS q, a = ANY (c) AS r, (a > 1) IS NOT TRUE AS s FROM u"),
    accepted("XML as a text", "CREATE TABLE u (a int, b text);
         CREATE VIEW v AS SELECT xmlserialize(CONTENT xmlelement(name x, xmlattributes(a AS y), b) AS text) AS x FROM u"),
    accepted("a view without a table", "CREATE VIEW v AS SELECT 1 AS a, 'x'::text AS b, NULL::int AS c"),
    accepted("a view without a column", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT FROM u"),
    accepted("a view for everybody's rows", "CREATE TABLE u (a int); CREATE VIEW v WITH (security_barrier) AS SELECT a FROM u WHERE a > 1"),
    accepted("a view with the rights of who may read", "CREATE TABLE u (a int); CREATE VIEW v WITH (security_invoker) AS SELECT a FROM u"),
    accepted("a view that checks what is written", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u WHERE a > 1 WITH LOCAL CHECK OPTION"),
    accepted("a recursive view", "CREATE RECURSIVE VIEW v (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM v WHERE n < 5").of("s", "v"),
    accepted("a view with a trigger instead of a write", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u;
         CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
         CREATE TRIGGER t INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION f()"),
    accepted("a view with a rule instead of a write", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u;
         CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN $1; END';
         CREATE RULE r AS ON INSERT TO v DO INSTEAD INSERT INTO u VALUES (f(NEW.a))"),
    accepted("a view with a default that only a write would compute", "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u;
         CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'; ALTER VIEW v ALTER a SET DEFAULT f()"),
];

#[test]
fn each_case_is_judged_rightly() {
    check("parts of views", CASES);
}
