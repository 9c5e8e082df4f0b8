//! Where in a schema a canary can sit.

/// A position.
pub(crate) struct Position {
    pub(crate) title: &'static str,
    /// What the superuser makes.
    pub(crate) made: &'static str,
    /// Reads of `s.t`, or of `s.v` if there is one, that would come by.
    pub(crate) reads: &'static [&'static str],
    /// A statement of the superuser that does make it sing.
    pub(crate) sings: &'static str,
}

impl Position {
    const fn new(title: &'static str, made: &'static str, sings: &'static str) -> Self {
        Self { title, made, reads: &[], sings }
    }

    const fn reads(self, reads: &'static [&'static str]) -> Self {
        Self { reads, ..self }
    }

    pub(crate) fn target(&self) -> &'static str {
        if [" VIEW v ", " VIEW s.v "].iter().any(|made| self.made.contains(made)) {
            "v"
        } else {
            "t"
        }
    }
}

/// A table with four rows and statistics, and what is added to it.
macro_rules! with_table {
    ($more:literal) => {
        concat!(
            "CREATE TABLE t (a int, b text, j json); ",
            "INSERT INTO t VALUES (1, 'x', '1'), (2, 'y', '2'), (3, 'z', '3'), (3, 'z', '3'); ",
            "ANALYZE t; ",
            $more,
            "; ANALYZE t"
        )
    };
}

/// A table, another one whose rows the canary spreads over partitions, and text with its number in it: `%1$s`.
/// The function that is called by this number is built-in and immutable.
macro_rules! with_number {
    ($more:literal) => {
        concat!(
            "CREATE TABLE t (a int, b text); INSERT INTO t VALUES (1, 'x'), (2, 'y'); ",
            "CREATE FUNCTION h(int, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS ",
            "'BEGIN PERFORM s.sing(''hash''); RETURN 1; END'; ",
            "CREATE OPERATOR CLASS mine FOR TYPE int USING hash AS OPERATOR 1 =, ",
            "FUNCTION 1 hashint4(int), FUNCTION 2 h(int, bigint); ",
            "CREATE TABLE p (a int) PARTITION BY HASH (a mine); ",
            "DO $$BEGIN EXECUTE format('",
            $more,
            "', 's.p'::regclass::oid, current_database()); END$$"
        )
    };
}

/// A view over that table.
macro_rules! with_view {
    ($view:literal) => {
        concat!(
            "CREATE TABLE t (a int, b text); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z'); ANALYZE t; ",
            "CREATE OPERATOR <<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = sing_pair, RESTRICT = eqsel, JOIN = eqjoinsel); ",
            "CREATE DOMAIN d AS int CHECK (sing_bool(value)); ",
            "CREATE AGGREGATE mine(int) (SFUNC = int4pl, STYPE = int, FINALFUNC = sing_int); ",
            "CREATE VIEW v AS ",
            $view
        )
    };
}

const SELECT: &str = "SELECT * FROM v";
const INSERT: &str = "INSERT INTO t (a) VALUES (1)";

pub(crate) const POSITIONS: &[Position] = &[
    Position::new("the expression of an index", with_table!("CREATE INDEX ON t (sing_int(a))"), INSERT),
    Position::new("the expression of an index, with a constant", with_table!("CREATE INDEX ON t ((a + sing_int(1)))"), INSERT),
    Position::new("the predicate of an index", with_table!("CREATE INDEX ON t (a) WHERE sing_bool(a)"), INSERT),
    Position::new("an operator in the predicate of an index, whose estimate calls it",
        with_table!("CREATE OPERATOR <<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = sing_pair, RESTRICT = eqsel); \
                     CREATE INDEX ON t (a) WHERE a <<<< 3"),
        "EXPLAIN SELECT a FROM t WHERE a <<<< 3"),
    Position::new("an exclusion constraint",
        with_table!("CREATE OPERATOR <<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = sing_pair, COMMUTATOR = <<<<); \
                     CREATE OPERATOR CLASS mine FOR TYPE int USING hash AS OPERATOR 1 <<<<, FUNCTION 1 sing_int(int); \
                     DELETE FROM t; ALTER TABLE t ADD EXCLUDE USING hash (a mine WITH <<<<)"),
        INSERT),
    Position::new("a class of operators of an index",
        with_table!("CREATE FUNCTION compared(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS \
                     'BEGIN PERFORM s.sing(''class''); RETURN $1 - $2; END'; \
                     CREATE OPERATOR CLASS mine FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, \
                     OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 compared(int, int); CREATE INDEX ON t (a mine)"),
        INSERT),
    Position::new("a CHECK", with_table!("ALTER TABLE t ADD CHECK (sing_bool(a))"), INSERT),
    Position::new("a CHECK with an operator and a constant",
        with_table!("CREATE OPERATOR <<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = sing_pair); \
                     ALTER TABLE t ADD CHECK (a > 0 OR a <<<< 3 OR sing_bool(1)) NOT VALID"),
        "INSERT INTO t (a) VALUES (-1)"),
    Position::new("the list of a view", with_view!("SELECT sing_int(a) AS a FROM t"), SELECT),
    Position::new("the condition of a view", with_view!("SELECT a FROM t WHERE sing_bool(a)"), SELECT),
    Position::new("a constant call in a view", with_view!("SELECT a FROM t WHERE a >= sing_int(1)"), SELECT),
    Position::new("a row source of a view", with_view!("SELECT x AS a FROM sing_int(1) AS w(x)"), SELECT),
    Position::new("a limit of a view", with_view!("SELECT a FROM t LIMIT sing_int(1)"), SELECT),
    Position::new("an operator in a view", with_view!("SELECT a FROM t WHERE a <<<< 3"), SELECT),
    Position::new("an operator over a list in a view", with_view!("SELECT a FROM t WHERE a OPERATOR(s.<<<<) ANY (ARRAY[3, 4])"), SELECT),
    Position::new("an aggregate in a view", with_view!("SELECT mine(a) AS a FROM t"), SELECT),
    Position::new("a window in a view", with_view!("SELECT mine(a) OVER (ORDER BY b) AS a FROM t"), SELECT),
    Position::new("a domain in a view", with_view!("SELECT (a::d)::int AS a FROM t"), SELECT),
    Position::new("a domain by its number in a view",
        with_view!("SELECT a FROM t; DO $$BEGIN EXECUTE format('CREATE OR REPLACE VIEW v AS SELECT a FROM s.t \
                    WHERE domain_in(''7'', %s::oid, -1) IS NOT NULL', 's.d'::regtype::oid); END$$"),
        SELECT),
    Position::new("a domain by the number of its array in a view",
        with_view!("SELECT a FROM t; DO $$BEGIN EXECUTE format('CREATE OR REPLACE VIEW v AS SELECT a FROM s.t \
                    WHERE array_in(''{7}'', %s::oid, -1) IS NOT NULL', 's.d'::regtype::oid); END$$"),
        SELECT),
    Position::new("a view below a view that leaves it out",
        with_view!("SELECT a FROM t; CREATE VIEW w AS SELECT a, b FROM t WHERE sing_bool(a); CREATE OR REPLACE VIEW v AS SELECT a FROM w"),
        SELECT),
    Position::new("another view that becomes XML",
        with_view!("SELECT a FROM t; CREATE VIEW w AS SELECT sing_int(a) FROM t; CREATE OR REPLACE VIEW v AS \
                    SELECT a FROM t WHERE table_to_xml(to_regclass('s.' || 'w'), true, false, '') IS NOT NULL"),
        SELECT),
    Position::new("a view with a barrier", "CREATE TABLE t (a int); INSERT INTO t VALUES (1); \
         CREATE VIEW v WITH (security_barrier) AS SELECT a FROM t WHERE sing_bool(a)", SELECT),
    Position::new("a function that is put in its place, in a view", "CREATE TABLE t (a int); INSERT INTO t VALUES (1);
         CREATE FUNCTION f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT s.sing_int($1)'; CREATE VIEW v AS SELECT f(a) AS a FROM t", SELECT),
    Position::new("a trigger instead of writing to a view", "CREATE TABLE t (a int); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT a FROM t;
         CREATE TRIGGER x INSTEAD OF INSERT OR UPDATE OR DELETE ON v FOR EACH ROW EXECUTE FUNCTION sing_trigger()", "INSERT INTO v VALUES (1)"),
    Position::new("a materialized view", "CREATE TABLE t (a int); INSERT INTO t VALUES (1); \
         CREATE MATERIALIZED VIEW m AS SELECT sing_int(a) AS a FROM t; CREATE VIEW v AS SELECT a FROM m", "REFRESH MATERIALIZED VIEW m"),
    Position::new("an index of a materialized view", "CREATE TABLE u (a int); INSERT INTO u VALUES (1); \
         CREATE MATERIALIZED VIEW t AS SELECT a FROM u; CREATE INDEX ON t (sing_int(a))", "REFRESH MATERIALIZED VIEW t"),
    Position::new("a policy", with_table!("ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t USING (sing_bool(a))"),
        "SET SESSION AUTHORIZATION t_reader; SELECT * FROM s.t"),
    Position::new("a policy below a view of somebody else",
        "CREATE TABLE t (a int); INSERT INTO t VALUES (1); ALTER TABLE t ENABLE ROW LEVEL SECURITY; \
         CREATE POLICY p ON t USING (sing_bool(a)); CREATE VIEW v AS SELECT a FROM t; ALTER VIEW v OWNER TO t_writer",
        "GRANT SELECT ON t TO t_writer; SELECT * FROM v"),
    Position::new("a trigger", with_table!("CREATE TRIGGER x BEFORE INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION sing_trigger()"), INSERT),
    Position::new("a trigger of a statement", with_table!("CREATE TRIGGER x AFTER INSERT OR UPDATE OR DELETE ON t EXECUTE FUNCTION sing_trigger()"), INSERT),
    Position::new("a rule", with_table!("CREATE RULE r AS ON INSERT TO t DO ALSO SELECT sing_int(1)"), INSERT),
    Position::new("a rule for changes", with_table!("CREATE RULE r AS ON UPDATE TO t DO INSTEAD SELECT sing_int(1)"), "UPDATE t SET a = 7"),
    Position::new("a default", with_table!("ALTER TABLE t ADD c int; ALTER TABLE t ALTER c SET DEFAULT sing_int(1)"), INSERT),
    Position::new("a generated column", with_table!("ALTER TABLE t ADD c int GENERATED ALWAYS AS (sing_int(a)) STORED"), INSERT),
    Position::new("a key of partitions", "CREATE TABLE t (a int) PARTITION BY RANGE (sing_int(a)); CREATE TABLE q PARTITION OF t DEFAULT", INSERT),
    Position::new("extended statistics", with_table!("CREATE STATISTICS x ON (sing_int(a)), b FROM t"), "ANALYZE t"),
    Position::new("a column of a domain", "CREATE DOMAIN d AS int CHECK (sing_bool(value)); CREATE TABLE t (a d)", INSERT),
    Position::new("the distance of a range", "CREATE FUNCTION away(int, int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS
         'BEGIN PERFORM s.sing(''away''); RETURN $1 - $2; END'; CREATE TYPE r AS RANGE (subtype = int, subtype_diff = away);
         CREATE TABLE t (a r); CREATE INDEX ON t USING gist (a); INSERT INTO t SELECT r(n, n + 5) FROM generate_series(1, 400) n",
        "INSERT INTO t SELECT r(n, n + 9) FROM generate_series(1, 400) n"),
    Position::new("the canonical form of a range by a cast", "CREATE DOMAIN d AS int CHECK (sing_bool(value)); CREATE TYPE r AS RANGE (subtype = d);
         CREATE TABLE t (a int, b r)", "INSERT INTO t VALUES (1, '[1,2)')"),
    Position::new("a foreign table", "CREATE EXTENSION postgres_fdw; CREATE TABLE local (a int); INSERT INTO local VALUES (1);
         CREATE VIEW behind AS SELECT sing_int(a) AS a FROM local;
         DO $$BEGIN EXECUTE format('CREATE SERVER f FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L)',
           split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database()); END$$;
         CREATE USER MAPPING FOR public SERVER f OPTIONS (user 'postgres', password_required 'false');
         CREATE FOREIGN TABLE t (a int) SERVER f OPTIONS (schema_name 's', table_name 'behind')", "SELECT * FROM t"),
    Position::new("an implicit cast", with_table!("CREATE FUNCTION f(int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
         'BEGIN PERFORM s.sing(''cast''); RETURN ''x''; END'; CREATE CAST (int AS text) WITH FUNCTION f(int) AS IMPLICIT"),
        "SELECT a::text FROM t"),
    Position::new("an explicit cast", with_table!("CREATE FUNCTION f(int) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS
         'BEGIN PERFORM s.sing(''cast''); RETURN NULL; END'; CREATE CAST (int AS uuid) WITH FUNCTION f(int)"),
        "SELECT a::uuid FROM t").reads(&["SELECT CAST(\"x\".\"a\" AS UUID) AS \"c\" FROM {t} AS \"x\""]),
    Position::new("a function beside a built-in one", with_table!("CREATE FUNCTION pg_catalog.lower(int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
         'BEGIN PERFORM s.sing(''lower''); RETURN ''x''; END'"), "SELECT lower(a) FROM t")
        .reads(&["SELECT lower(\"x\".\"a\") AS \"c\" FROM {t} AS \"x\"", "SELECT pg_catalog.lower(\"x\".\"a\") AS \"c\" FROM {t} AS \"x\""]),
    // Whoever can do that is a trusted boundary of the contract; no verified read calls it by name.
    Position::new("a function in the place of a built-in one", with_table!("CREATE OR REPLACE FUNCTION pg_catalog.lpad(text, int) RETURNS text
         LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM s.sing(''lpad''); RETURN ''x''; END'"), "SELECT lpad(b, 2) FROM t"),
    Position::new("an operator beside a built-in one", with_table!("CREATE FUNCTION f(int, text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
         'BEGIN PERFORM s.sing(''operator''); RETURN true; END'; CREATE OPERATOR pg_catalog.= (LEFTARG = int, RIGHTARG = text, FUNCTION = f)"),
        "SELECT a = b FROM t").reads(&["SELECT \"x\".\"a\" = \"x\".\"b\" AS \"c\" FROM {t} AS \"x\""]),
    Position::new("a way to sort a built-in type", with_table!("
         CREATE FUNCTION c(json, json) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM s.sing(''sort''); RETURN 0; END';
         CREATE FUNCTION e(json, json) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM s.sing(''sort''); RETURN true; END';
         CREATE OPERATOR < (LEFTARG = json, RIGHTARG = json, FUNCTION = e); CREATE OPERATOR = (LEFTARG = json, RIGHTARG = json, FUNCTION = e);
         CREATE OPERATOR CLASS o DEFAULT FOR TYPE json USING btree AS OPERATOR 1 <, OPERATOR 3 =, FUNCTION 1 c(json, json)"),
        "SELECT DISTINCT j FROM t")
        .reads(&["SELECT DISTINCT \"x\".\"j\" FROM {t} AS \"x\"", "SELECT \"x\".\"j\" FROM {t} AS \"x\" ORDER BY \"x\".\"j\"",
            "SELECT count(DISTINCT \"x\".\"j\") AS \"n\" FROM {t} AS \"x\""]),
    Position::new("a distance in a built-in family", with_table!("CREATE FUNCTION f(text, text, int, bool, bool) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
         'BEGIN PERFORM s.sing(''distance''); RETURN true; END';
         ALTER OPERATOR FAMILY pg_catalog.text_ops USING btree ADD FUNCTION 3 (text, int) f(text, text, int, bool, bool)"),
        "SELECT count(*) OVER (ORDER BY b RANGE 1 PRECEDING) FROM t")
        .reads(&["SELECT count(*) OVER (ORDER BY \"x\".\"b\" RANGE 1 PRECEDING) AS \"n\" FROM {t} AS \"x\""]),
    Position::new("partitions by their number in an index",
        with_number!("CREATE INDEX ON s.t ((CASE WHEN satisfies_hash_partition(%1$s::oid, 2, 0, 1) THEN a END))"),
        INSERT),
    Position::new("partitions by their number in the predicate of an index",
        with_number!("CREATE INDEX ON s.t (a) WHERE satisfies_hash_partition(%1$s::oid, 2, 0, 1)"), INSERT),
    Position::new("partitions by their number in a CHECK that the planner looks at",
        with_number!("ALTER TABLE s.t ADD CHECK (satisfies_hash_partition(%1$s::oid, 2, 0, 1) OR a > 0); \
                      ALTER DATABASE %2$I SET constraint_exclusion = on"), INSERT),
    Position::new("partitions by their number in a view",
        with_number!("CREATE VIEW s.v AS SELECT a FROM s.t WHERE satisfies_hash_partition(%1$s::oid, 2, 0, a)"), SELECT),
    Position::new("the search path of the database", with_table!("CREATE FUNCTION lower(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
         'BEGIN PERFORM s.sing(''lower''); RETURN ''x''; END'; CREATE OPERATOR = (LEFTARG = int, RIGHTARG = int, FUNCTION = sing_pair);
         CREATE OPERATOR > (LEFTARG = int, RIGHTARG = int, FUNCTION = sing_pair);
         DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = s, pg_catalog', current_database()); END$$"),
        "SET search_path = s, pg_catalog; SELECT lower(b) FROM t WHERE a = 1")
        .reads(&["SELECT lower(\"x\".\"b\") AS \"c\" FROM {t} AS \"x\" WHERE \"x\".\"a\" = 1"]),
    Position::new("what happens at every change of the schema",
        "CREATE TABLE t (a int); INSERT INTO t VALUES (1); CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS
         'BEGIN PERFORM s.sing(''event''); END'; CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION f()",
        "CREATE TABLE public.another (a int)"),
];
