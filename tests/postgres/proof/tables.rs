//! What belongs to a table and runs only when it is written, and row-level security.

use super::{Case, accepted, check, refused};
use dbeast::reason::DatabaseReason::{StatisticsNotBuiltIn, TableHasRowSecurity};

pub(super) const CASES: &[Case] = &[
    accepted("rows", "CREATE TABLE t (a int PRIMARY KEY, b text NOT NULL); INSERT INTO t VALUES (1, 'x')"),
    accepted(
        "foreign keys in both directions",
        "CREATE TABLE u (x int PRIMARY KEY); CREATE TABLE t (a int PRIMARY KEY REFERENCES u ON DELETE CASCADE);
         CREATE TABLE w (y int REFERENCES t)",
    ),
    accepted("a comment, a storage parameter and a toast table", "CREATE TABLE t (a text) WITH (fillfactor = 50); COMMENT ON TABLE t IS 'x'"),
    accepted("a replica identity and no statistics target", "CREATE TABLE t (a int, b text); ALTER TABLE t REPLICA IDENTITY FULL; ALTER TABLE t ALTER a SET STATISTICS 0"),
    accepted("rows that were analysed", "CREATE TABLE t (a int, b text); INSERT INTO t SELECT n, n::text FROM generate_series(1, 100) n; ANALYZE t"),
    accepted(
        "triggers with functions of the owner",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
         CREATE TABLE t (a int);
         CREATE TRIGGER one BEFORE INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION f();
         CREATE TRIGGER two AFTER TRUNCATE ON t EXECUTE FUNCTION f()",
    ),
    accepted(
        "rules for writing",
        "CREATE TABLE log (a int); CREATE TABLE t (a int);
         CREATE RULE r AS ON INSERT TO t DO ALSO INSERT INTO log VALUES (NEW.a);
         CREATE RULE q AS ON DELETE TO t DO INSTEAD NOTHING",
    ),
    accepted("a publication", "CREATE TABLE t (a int)")
        .finally("CREATE PUBLICATION p FOR TABLE s.t WHERE (a > 1)"),
    accepted("a table that the superuser owns", "").finally("CREATE TABLE t (a int)"),
    accepted("statistics over columns", "CREATE TABLE t (a int, b int); CREATE STATISTICS x (ndistinct, mcv, dependencies) ON a, b FROM t; ANALYZE t"),
    accepted("statistics over a built-in expression", "CREATE TABLE t (a int, b text); CREATE STATISTICS x ON (lower(b)), (a % 10) FROM t; ANALYZE t"),
    refused(
        "statistics over a function of the owner",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
         CREATE TABLE t (a int); CREATE STATISTICS x ON (f(a)) FROM t",
        &[StatisticsNotBuiltIn],
    ),
    refused(
        "statistics over a function of the owner among others",
        "CREATE FUNCTION f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
         CREATE TABLE t (a int, b int); CREATE STATISTICS x ON a, b, (coalesce(f(a + b), 0)) FROM t",
        &[StatisticsNotBuiltIn],
    ),
    refused(
        "statistics over an operator of the owner",
        "CREATE FUNCTION f(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
         CREATE OPERATOR <+> (LEFTARG = int, RIGHTARG = int, FUNCTION = f);
         CREATE TABLE t (a int); CREATE STATISTICS x ON (a <+> 1) FROM t",
        &[StatisticsNotBuiltIn],
    ),
    refused(
        "statistics over a cast to a domain",
        "CREATE DOMAIN d AS int CHECK (value > 0);
         CREATE TABLE t (a int); CREATE STATISTICS x ON ((a::d)::int) FROM t",
        &[StatisticsNotBuiltIn],
    ),
    refused(
        "statistics with a collation of the owner",
        "CREATE COLLATION mine FROM \"C\";
         CREATE TABLE t (a text); CREATE STATISTICS x ON (lower(a COLLATE mine)) FROM t",
        &[StatisticsNotBuiltIn],
    ),
    refused("statistics over a built-in function that gets at a partitioning by its number",
        "CREATE TABLE p (a int) PARTITION BY HASH (a); CREATE TABLE t (a int);
         DO $$BEGIN EXECUTE format('CREATE STATISTICS s.x ON (satisfies_hash_partition(%s::oid, 2, 0, 1)) FROM s.t', 's.p'::regclass::oid); END$$", &[StatisticsNotBuiltIn]),
    refused(
        "row-level security",
        "CREATE TABLE t (a int); CREATE POLICY p ON t USING (a > 0); ALTER TABLE t ENABLE ROW LEVEL SECURITY",
        &[TableHasRowSecurity],
    ),
    refused(
        "row-level security without a policy",
        "CREATE TABLE t (a int); ALTER TABLE t ENABLE ROW LEVEL SECURITY",
        &[TableHasRowSecurity],
    ),
    refused(
        "row-level security also for the owner",
        "CREATE TABLE t (a int); ALTER TABLE t ENABLE ROW LEVEL SECURITY; ALTER TABLE t FORCE ROW LEVEL SECURITY",
        &[TableHasRowSecurity],
    ),
    accepted(
        "policies that are not switched on",
        "CREATE FUNCTION f() RETURNS bool LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
         CREATE TABLE t (a int); CREATE POLICY p ON t USING (f())",
    ),
    accepted(
        "policies that are forced and not switched on",
        "CREATE TABLE t (a int); CREATE POLICY p ON t USING (a > 0); ALTER TABLE t FORCE ROW LEVEL SECURITY",
    ),
    accepted(
        "row-level security that was switched off",
        "CREATE TABLE t (a int); ALTER TABLE t ENABLE ROW LEVEL SECURITY; ALTER TABLE t DISABLE ROW LEVEL SECURITY",
    ),
];

#[test]
fn each_case_is_judged_rightly() {
    check("tables", CASES);
}
