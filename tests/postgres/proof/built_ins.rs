//! A database in which built-in names mean something else, and what only looks like it.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::BuiltInsChanged;

pub(super) const CASES: &[Case] = &[
    refused("an implicit cast of the superuser", "CREATE TABLE t (a int)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION f(int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1; END';
         CREATE CAST (int AS text) WITH FUNCTION f(int) AS IMPLICIT"),
    refused("a cast of the superuser for assignments", "CREATE TABLE t (a int)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION f(bool) RETURNS date LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN NULL; END';
         CREATE CAST (bool AS date) WITH FUNCTION f(bool) AS ASSIGNMENT"),
    refused("an explicit cast of the superuser", "CREATE TABLE t (a int)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION f(int) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN NULL; END';
         CREATE CAST (int AS uuid) WITH FUNCTION f(int)"),
    refused("a cast between arrays", "CREATE TABLE t (a int)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION f(int[]) RETURNS uuid[] LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN NULL; END';
         CREATE CAST (int[] AS uuid[]) WITH FUNCTION f(int[]) AS IMPLICIT"),
    refused("a cast without a function that says what is not so", "CREATE TABLE t (a int)", &[BuiltInsChanged])
        .superuser("CREATE CAST (bytea AS text) WITHOUT FUNCTION AS IMPLICIT"),
    refused("a function beside a built-in one of that name", "CREATE TABLE t (a int)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION pg_catalog.lower(int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1; END'"),
    refused("an aggregate beside a built-in one of that name", "CREATE TABLE t (a int)", &[BuiltInsChanged]).superuser(
        "CREATE AGGREGATE pg_catalog.sum(text) (SFUNC = textcat, STYPE = text)"),
    // Whoever can replace what the server itself is made of is a trusted boundary of the contract: the OID stays.
    accepted("a function in the place of a built-in one of SQL", "CREATE TABLE t (a int)").superuser(
        "CREATE OR REPLACE FUNCTION pg_catalog.lpad(text, int) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT \
         AS 'BEGIN RETURN 1; END'"),
    accepted("another text in the place of a built-in function's", "CREATE TABLE t (a int)").superuser(
        "CREATE OR REPLACE FUNCTION pg_catalog.lpad(text, int) RETURNS text LANGUAGE sql IMMUTABLE STRICT \
         AS 'SELECT ''another'''"),
    refused("an operator beside a built-in one of that name", "CREATE TABLE t (a int)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION f(int, text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         CREATE OPERATOR pg_catalog.= (LEFTARG = int, RIGHTARG = text, FUNCTION = f)"),
    refused("a way to sort a built-in type that has none", "CREATE TABLE t (a json)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION c(json, json) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 0; END';
         CREATE FUNCTION l(json, json) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN false; END';
         CREATE FUNCTION e(json, json) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         CREATE OPERATOR < (LEFTARG = json, RIGHTARG = json, FUNCTION = l);
         CREATE OPERATOR = (LEFTARG = json, RIGHTARG = json, FUNCTION = e);
         CREATE OPERATOR CLASS o DEFAULT FOR TYPE json USING btree AS OPERATOR 1 <, OPERATOR 3 =, FUNCTION 1 c(json, json)"),
    refused("a way to hash a built-in type that has none", "CREATE TABLE t (a point)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION h(point) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 0; END';
         CREATE FUNCTION e(point, point) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         CREATE OPERATOR = (LEFTARG = point, RIGHTARG = point, FUNCTION = e, HASHES);
         CREATE OPERATOR CLASS o DEFAULT FOR TYPE point USING hash AS OPERATOR 1 =, FUNCTION 1 h(point)"),
    refused("a distance in a built-in family of operators", "CREATE TABLE t (a text)", &[BuiltInsChanged]).superuser(
        "CREATE FUNCTION f(text, text, int, bool, bool) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         ALTER OPERATOR FAMILY pg_catalog.text_ops USING btree ADD FUNCTION 3 (text, int) f(text, text, int, bool, bool)"),
    accepted("functions and operators of these names in other schemas",
        "CREATE FUNCTION lower(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1; END';
         CREATE FUNCTION public.now() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
         CREATE FUNCTION eq(int, int) RETURNS bool LANGUAGE sql AS 'SELECT true';
         CREATE OPERATOR public.= (LEFTARG = int, RIGHTARG = int, FUNCTION = eq);
         CREATE AGGREGATE sum(text) (SFUNC = textcat, STYPE = text); CREATE TABLE t (a int)"),
    accepted("casts from and to a type of somebody else", "CREATE TABLE t (a text)")
        .superuser("CREATE EXTENSION citext SCHEMA public; CREATE EXTENSION hstore SCHEMA public"),
    accepted("PostGIS, for tables without it", "CREATE TABLE t (a text, b point)")
        .superuser("CREATE EXTENSION postgis SCHEMA public"),
    accepted("classes for indexes of an extension", "CREATE TABLE t (a int); CREATE INDEX ON t (a)")
        .superuser("CREATE EXTENSION btree_gist SCHEMA public; CREATE EXTENSION btree_gin SCHEMA public; CREATE EXTENSION pg_trgm SCHEMA public"),
    accepted("functions of an extension in pg_catalog under names of their own", "CREATE TABLE t (a int)")
        .superuser("CREATE EXTENSION adminpack"),
    accepted("a class for a built-in type that is not the usual one", "CREATE TABLE t (a int)").superuser(
        "CREATE OPERATOR CLASS mine FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,
         OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 btint4cmp(int, int)"),
    accepted("statistics of every statement", "CREATE TABLE t (a int)")
        .superuser("CREATE EXTENSION pg_buffercache; CREATE EXTENSION dblink; CREATE EXTENSION pgcrypto"),
    accepted("a language, a conversion and a search of somebody else",
        "CREATE TEXT SEARCH CONFIGURATION c (COPY = english); CREATE TABLE t (a text)"),
];

#[test]
fn each_case_is_judged_rightly() {
    check("built-ins", CASES);
}
