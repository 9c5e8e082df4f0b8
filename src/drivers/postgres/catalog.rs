//! The proof's questions to the catalog.
//!
//! Each connection prepares them once. They are written so that nothing but built-in code can run while they
//! are answered, also in a database whose superuser made casts or operators of his own: parameters and literals have
//! the types of the columns that they are compared with, every value is returned as it is, and nothing is cast.
//!
//! Source: the PostgreSQL manual, "System Catalogs".

use super::connection::{CatalogRow, Connection};
use crate::drivers::DriverError;
use crate::value::TableName;

/// OIDs below this one come from `initdb`; objects of users and extensions have others (PostgreSQL manual,
/// `FirstNormalObjectId` in "System Catalog Initial Data").
pub(super) const FIRST_USER_OID: u32 = 16_384;

/// Bytes of a name (PostgreSQL manual, "Identifiers and Key Words").
pub(super) const NAME_BYTES_MAX: usize = 63;

/// Named relations: `$1` are schemas and `$2` names, by place.
macro_rules! named {
    () => {
        "FROM unnest($1::pg_catalog.name[], $2::pg_catalog.name[]) \
         WITH ORDINALITY AS k(s, n, place) \
         JOIN pg_catalog.pg_namespace n ON n.nspname = k.s \
         JOIN pg_catalog.pg_class c ON c.relname = k.n AND c.relnamespace = n.oid "
    };
}

/// Whether an object depends on a function, operator, type, collation, class, family or access method that is not
/// built in. Built-in ones that nobody can drop are not noted there at all.
macro_rules! depends {
    ($catalog:literal, $object:literal) => {
        concat!(
            "EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = '",
            $catalog,
            "'::pg_catalog.oid AND d.objid = ",
            $object,
            " AND d.refobjid >= '16384'::pg_catalog.oid AND d.refclassid IN ('1255'::pg_catalog.oid, \
             '2617'::pg_catalog.oid, '1247'::pg_catalog.oid, '3456'::pg_catalog.oid, \
             '2616'::pg_catalog.oid, '2753'::pg_catalog.oid, '2601'::pg_catalog.oid))"
        )
    };
}

/// Name and text of each prepared statement.
///
/// `built_ins` asks whether a superuser changed what the database's own types mean without regard to any search path:
/// casts that are not written (through text they run built-in code only), functions and operators under built-in names, ways
/// to sort and hash (403 is btree and 405 hash), and additions to built-in families. A built-in function that was
/// replaced in its place keeps its OID; whoever can do that is a trusted boundary of the contract.
pub(super) const STATEMENTS: &[(&str, &str)] = &[
    ("begin_read", "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"),
    ("begin_write", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
    ("rollback", "ROLLBACK"),
    ("commit", "COMMIT"),
    ("bound", "SELECT pg_catalog.set_config('statement_timeout', $1::pg_catalog.text, true)"),
    (
        "relations",
        concat!(
            "SELECT k.place, c.oid, c.relkind, c.relpersistence, c.relispartition, c.relrowsecurity, \
         c.relforcerowsecurity, c.relam, c.relispopulated, n.oid, \
         EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid), \
         EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid), \
         pg_catalog.has_schema_privilege(n.oid, 'USAGE'::pg_catalog.text) \
         AND (pg_catalog.has_table_privilege(c.oid, 'SELECT'::pg_catalog.text) \
         OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'::pg_catalog.text)), \
         CASE c.relkind WHEN 'v' THEN c.reloptions END, CASE c.relkind WHEN 'v' THEN c.relowner END ",
            named!()
        ),
    ),
    (
        "columns",
        concat!(
            "SELECT k.place, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attcollation, a.attnotnull, \
         a.attgenerated, t.typtype, e.typtype, pg_catalog.format_type(a.atttypid, a.atttypmod) ",
            named!(),
            "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > '0'::pg_catalog.int2 \
         AND NOT a.attisdropped JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
         LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'::pg_catalog.\"char\" \
         ORDER BY k.place, a.attnum"
        ),
    ),
    (
        "indexes",
        concat!(
            "SELECT k.place, i.indexrelid, x.relam, i.indclass, i.indcollation, i.indkey, i.indexprs, \
         i.indpred, i.indisprimary, ",
            depends!("1259", "i.indexrelid"),
            " ",
            named!(),
            "JOIN pg_catalog.pg_index i ON i.indrelid = c.oid \
         JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid ORDER BY k.place, i.indexrelid"
        ),
    ),
    (
        "checks",
        concat!(
            "SELECT k.place, o.oid, o.conbin, o.convalidated, ",
            depends!("2606", "o.oid"),
            " ",
            named!(),
            "JOIN pg_catalog.pg_constraint o ON o.conrelid = c.oid \
         AND o.contype IN ('c'::pg_catalog.\"char\", 'x'::pg_catalog.\"char\") \
         ORDER BY k.place, o.oid"
        ),
    ),
    (
        "statistics",
        concat!(
            "SELECT k.place, s.oid, s.stxkeys, s.stxkind, ",
            depends!("3381", "s.oid"),
            " ",
            named!(),
            "JOIN pg_catalog.pg_statistic_ext s ON s.stxrelid = c.oid ORDER BY k.place, s.oid"
        ),
    ),
    (
        "built_ins",
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_cast WHERE oid >= '16384'::pg_catalog.oid \
         AND castmethod <> 'i'::pg_catalog.\"char\" AND castcontext <> 'e'::pg_catalog.\"char\" \
         AND castsource < '16384'::pg_catalog.oid AND casttarget < '16384'::pg_catalog.oid), \
         EXISTS (SELECT FROM pg_catalog.pg_proc u JOIN pg_catalog.pg_proc b ON b.proname = u.proname \
         AND b.oid < '16384'::pg_catalog.oid AND b.pronamespace = '11'::pg_catalog.oid \
         WHERE u.oid >= '16384'::pg_catalog.oid AND u.pronamespace = '11'::pg_catalog.oid), \
         EXISTS (SELECT FROM pg_catalog.pg_operator WHERE oid >= '16384'::pg_catalog.oid \
         AND oprnamespace = '11'::pg_catalog.oid), \
         EXISTS (SELECT FROM pg_catalog.pg_opclass WHERE oid >= '16384'::pg_catalog.oid \
         AND opcdefault AND opcintype < '16384'::pg_catalog.oid \
         AND opcmethod IN ('403'::pg_catalog.oid, '405'::pg_catalog.oid)), \
         EXISTS (SELECT FROM pg_catalog.pg_amop WHERE oid >= '16384'::pg_catalog.oid \
         AND amopfamily < '16384'::pg_catalog.oid), \
         EXISTS (SELECT FROM pg_catalog.pg_amproc WHERE oid >= '16384'::pg_catalog.oid \
         AND amprocfamily < '16384'::pg_catalog.oid)",
    ),
    (
        "own_code",
        concat!(
            "SELECT c.relhasrules, EXISTS (SELECT FROM pg_catalog.pg_attrdef f WHERE f.adrelid = c.oid AND ",
            depends!("2604", "f.oid"),
            ") ",
            named!()
        ),
    ),
    (
        "tree",
        concat!(
            "WITH RECURSIVE tree(place, oid, depth) AS (SELECT k.place, c.oid, '0'::pg_catalog.int4 ",
            named!(),
            "WHERE c.relkind = 'v'::pg_catalog.\"char\" UNION \
         SELECT t.place, d.refobjid, t.depth + '1'::pg_catalog.int4 FROM tree t \
         JOIN pg_catalog.pg_class v ON v.oid = t.oid AND v.relkind = 'v'::pg_catalog.\"char\" \
         JOIN pg_catalog.pg_rewrite r ON r.ev_class = t.oid AND r.ev_type = '1'::pg_catalog.\"char\" \
         JOIN pg_catalog.pg_depend d ON d.classid = '2618'::pg_catalog.oid AND d.objid = r.oid \
         AND d.refclassid = '1259'::pg_catalog.oid AND d.refobjid <> t.oid \
         WHERE t.depth < '9'::pg_catalog.int4) \
         SELECT t.place, t.oid, t.depth, n.nspname, c.relname, c.relkind FROM tree t \
         JOIN pg_catalog.pg_class c ON c.oid = t.oid \
         JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         ORDER BY t.place, t.depth, t.oid LIMIT '1000'::pg_catalog.int8"
        ),
    ),
    (
        "rules",
        concat!(
            "SELECT r.ev_class, r.oid, r.ev_enabled, r.is_instead, r.ev_qual, r.ev_action, ",
            depends!("2618", "r.oid"),
            " FROM pg_catalog.pg_rewrite r WHERE r.ev_class = ANY ($1::pg_catalog.oid[]) \
         AND r.ev_type = '1'::pg_catalog.\"char\" ORDER BY r.ev_class, r.oid"
        ),
    ),
    (
        "calls",
        "SELECT p.oid, p.provolatile FROM pg_catalog.pg_proc p \
         WHERE p.oid = ANY ($1::pg_catalog.oid[]) UNION ALL \
         SELECT p.oid, p.provolatile FROM pg_catalog.pg_operator o \
         JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode WHERE o.oid = ANY ($2::pg_catalog.oid[])",
    ),
    (
        "candidates",
        "SELECT n.nspname, c.relname, c.relkind FROM pg_catalog.pg_class c \
         JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         WHERE c.relkind IN ('r'::pg_catalog.\"char\", 'p'::pg_catalog.\"char\", \
         'v'::pg_catalog.\"char\", 'm'::pg_catalog.\"char\", 'f'::pg_catalog.\"char\") \
         AND n.nspname <> 'pg_catalog'::pg_catalog.name \
         AND n.nspname <> 'information_schema'::pg_catalog.name \
         AND NOT pg_catalog.starts_with(n.nspname, 'pg_toast'::pg_catalog.text) \
         AND NOT pg_catalog.starts_with(n.nspname, 'pg_temp_'::pg_catalog.text) \
         AND pg_catalog.has_schema_privilege(n.oid, 'USAGE'::pg_catalog.text) \
         AND (pg_catalog.has_table_privilege(c.oid, 'SELECT'::pg_catalog.text) \
         OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'::pg_catalog.text)) \
         ORDER BY n.nspname, c.relname LIMIT '1001'::pg_catalog.int8",
    ),
    (
        "facts",
        "SELECT d.oid, pg_catalog.current_setting('server_version'), \
         (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class c \
         JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         WHERE c.relkind IN ('r'::pg_catalog.\"char\", 'p'::pg_catalog.\"char\", \
         'v'::pg_catalog.\"char\", 'm'::pg_catalog.\"char\", 'f'::pg_catalog.\"char\") \
         AND n.nspname <> 'pg_catalog'::pg_catalog.name \
         AND n.nspname <> 'information_schema'::pg_catalog.name) \
         FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()",
    ),
];

/// What the catalog says about named relations. The first value of each row is the place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Catalog {
    pub(super) relations: Vec<CatalogRow>,
    pub(super) columns: Vec<CatalogRow>,
    pub(super) indexes: Vec<CatalogRow>,
    pub(super) checks: Vec<CatalogRow>,
    pub(super) statistics: Vec<CatalogRow>,
    pub(super) built_ins: Vec<CatalogRow>,
}

impl Catalog {
    /// Adds the questions about these relations to what will be sent.
    pub(super) fn ask(
        connection: &mut Connection,
        tables: &[&TableName],
    ) -> Result<(), DriverError> {
        let (schemas, names) = names(tables);
        let values = [schemas.as_str(), names.as_str()];
        for name in ["relations", "columns", "indexes", "checks", "statistics"] {
            connection.run(name, &values, 0)?;
        }
        connection.run("built_ins", &[], 0)
    }

    /// Reads the answers, in the same order.
    pub(super) async fn read(connection: &mut Connection) -> Result<Self, DriverError> {
        Ok(Self {
            relations: connection.rows().await?,
            columns: connection.rows().await?,
            indexes: connection.rows().await?,
            checks: connection.rows().await?,
            statistics: connection.rows().await?,
            built_ins: connection.rows().await?,
        })
    }
}

/// Two arrays as text: schemas and names.
pub(super) fn names(tables: &[&TableName]) -> (String, String) {
    let array = |part: fn(&TableName) -> &str| {
        let elements: Vec<String> = tables.iter().map(|table| element(part(table))).collect();
        format!("{{{}}}", elements.join(","))
    };
    (array(|table| &table.schema), array(|table| &table.name))
}

/// An element of an array (PostgreSQL manual, "Array Input and Output Syntax").
fn element(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// An array of OIDs as text.
pub(super) fn oids(oids: impl IntoIterator<Item = u32>) -> String {
    let oids: Vec<String> = oids.into_iter().map(|oid| oid.to_string()).collect();
    format!("{{{}}}", oids.join(","))
}
