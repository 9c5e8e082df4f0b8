//! CHECK constraints: the planner compares them with the statement, and computes parts of them.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::CheckNotBuiltIn;

pub(super) const CASES: &[Case] = &[
    accepted("checks of built-in functions and operators",
        "CREATE TABLE t (a int CHECK (a > 0), b text CHECK (length(trim(b)) BETWEEN 1 AND 10), c date,
         CHECK (c > '2000-01-01' OR a IN (1, 2, 3)), CHECK (b ~ '^[a-z]+$' AND b IS DISTINCT FROM 'x'))"),
    accepted("checks that are not valid or not inherited",
        "CREATE TABLE t (a int, CHECK (a > 0) NO INHERIT); ALTER TABLE t ADD CHECK (a < 9) NOT VALID"),
    accepted("a check of a volatile built-in", "CREATE TABLE t (a timestamptz CHECK (a < clock_timestamp()))"),
    accepted("a check that was dropped",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
         CREATE TABLE t (a int CONSTRAINT c CHECK (f(a))); ALTER TABLE t DROP CONSTRAINT c"),
    refused("a check by an SQL function of the owner",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
         CREATE TABLE t (a int CHECK (f(a)))", &[CheckNotBuiltIn]),
    refused("a check by a PL/pgSQL function of the owner",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
         CREATE TABLE t (a int CHECK (a > 0), b int CHECK (b > 0 OR NOT f(b)))", &[CheckNotBuiltIn]),
    refused("a check by a volatile function of the owner",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
         CREATE TABLE t (a int CHECK (f(a)))", &[CheckNotBuiltIn]),
    refused("a check that is not valid and calls a function of the owner",
        "CREATE FUNCTION f(int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
         CREATE TABLE t (a int); ALTER TABLE t ADD CHECK (f(a)) NOT VALID", &[CheckNotBuiltIn]),
    refused("a check with an operator of the owner",
        "CREATE FUNCTION f(int, int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
         CREATE OPERATOR <<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = f);
         CREATE TABLE t (a int CHECK (a <<<< 1))", &[CheckNotBuiltIn]),
    refused("a check with an operator of the owner over lists",
        "CREATE FUNCTION f(int, int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
         CREATE OPERATOR <<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = f);
         CREATE TABLE t (a int CHECK (a OPERATOR(s.<<<<) ANY (ARRAY[1, 2])))", &[CheckNotBuiltIn]),
    refused("a check with a cast through a domain",
        "CREATE DOMAIN d AS int CHECK (value > 0);
         CREATE TABLE t (a int CHECK ((a::d) IS NOT NULL))", &[CheckNotBuiltIn]),
    refused("a check with a cast through an enum and text",
        "CREATE TYPE e AS ENUM ('a'); CREATE TABLE t (a text CHECK ((a::e)::text = a))", &[CheckNotBuiltIn]),
    refused("a check with a collation of the owner",
        "CREATE COLLATION mine FROM \"C\"; CREATE TABLE t (a text CHECK (a < 'x' COLLATE mine))",
        &[CheckNotBuiltIn]),
    refused("a check of the whole row by a function of the owner",
        "CREATE TABLE t (a int);
         CREATE FUNCTION f(t) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
         ALTER TABLE t ADD CHECK (f(t))", &[CheckNotBuiltIn]),
    refused("a check by a built-in function that gets at a partitioning by its number",
        "CREATE TABLE p (a int) PARTITION BY HASH (a); CREATE TABLE t (a int);
         DO $$BEGIN EXECUTE format('ALTER TABLE s.t ADD CHECK (satisfies_hash_partition(%s::oid, 2, 0, 1) OR a > 0)', 's.p'::regclass::oid); END$$", &[CheckNotBuiltIn]),
    refused("a check by a built-in function that gets at a domain by its number",
        "CREATE DOMAIN d AS int CHECK (value > 0); CREATE TABLE t (a int);
         DO $$BEGIN EXECUTE format('ALTER TABLE s.t ADD CHECK (domain_in(''7'', %s::oid, -1) IS NOT NULL)', \
         's.d'::regtype::oid); END$$", &[CheckNotBuiltIn]),
    refused("a check by a function of an extension", "CREATE TABLE t (a text CHECK (similarity(a, 'x') > 0.1))",
        &[CheckNotBuiltIn]).superuser("CREATE EXTENSION pg_trgm SCHEMA public"),
    refused("a check with a cast of the superuser",
        "CREATE TABLE t (a text CHECK ((a::word)::text = a))", &[CheckNotBuiltIn])
        .superuser(
            "CREATE TYPE word;
             CREATE FUNCTION word_in(cstring) RETURNS word LANGUAGE internal IMMUTABLE STRICT AS 'textin';
             CREATE FUNCTION word_out(word) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
             CREATE TYPE word (INPUT = word_in, OUTPUT = word_out, LIKE = text)"),
];

#[test]
fn each_case_is_judged_rightly() {
    check("checks", CASES);
}
