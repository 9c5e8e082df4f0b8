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

/// One named relation: `$1` is its schema and `$2` its name. Each part is found by a unique index, so that plans stay small.
macro_rules! named {
    () => {
        "FROM pg_catalog.pg_namespace n \
         JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = $2::pg_catalog.name "
    };
}

/// The same, as a condition at the end.
macro_rules! which {
    () => {
        " WHERE n.nspname = $1::pg_catalog.name"
    };
}

/// Whether an object depends on anything that is not built in, but relations (1259), schemas (2615), constraints (2606) and
/// extensions (3079): a function, operator, type, collation, class, family, access method, or a configuration of the text
/// search. Built-in ones that nobody can drop are not noted there at all.
macro_rules! depends {
    ($catalog:literal, $object:literal) => {
        concat!(
            "EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = '",
            $catalog,
            "'::pg_catalog.oid AND d.objid = ",
            $object,
            " AND d.refobjid >= '16384'::pg_catalog.oid AND d.refclassid <> '1259'::pg_catalog.oid \
             AND d.refclassid <> '2615'::pg_catalog.oid AND d.refclassid <> '2606'::pg_catalog.oid \
             AND d.refclassid <> '3079'::pg_catalog.oid)"
        )
    };
}

/// Name and text of each prepared statement.
///
/// `built_ins` asks whether a superuser changed what the database's own types mean without regard to any search path:
/// casts (those through text run built-in code only), functions and operators under built-in names, ways
/// to sort and hash (403 is btree and 405 hash), and additions to built-in families. A built-in function that was
/// replaced in its place keeps its OID; whoever can do that is a trusted boundary of the contract.
const STATEMENTS: &[(&str, &str)] = &[
    ("begin_read", "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"),
    ("begin_write", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
    ("rollback", "ROLLBACK"),
    ("commit", "COMMIT"),
    ("bound", "SELECT pg_catalog.set_config('statement_timeout', $1::pg_catalog.text, true)"),
    (
        "schema",
        "SELECT n.oid, n.xmin FROM pg_catalog.pg_namespace n WHERE n.nspname = $1::pg_catalog.name",
    ),
    // Fails, and so keeps what follows from running, unless a schema is the very row that the proof saw. A lock on a table
    // does not keep its schema's name: whoever renames it, and even back, leaves another row.
    (
        "still",
        "SELECT '1'::pg_catalog.int8 / pg_catalog.count(*) FROM pg_catalog.pg_namespace n \
         WHERE n.nspname = $1::pg_catalog.name AND n.oid = $2::pg_catalog.oid \
         AND n.xmin = $3::pg_catalog.xid",
    ),
    (
        "relation",
        concat!(
            "SELECT c.oid, c.relkind, c.relpersistence, c.relispartition, c.relrowsecurity, \
             c.relforcerowsecurity, c.relam, c.relispopulated, n.oid, \
             EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid), \
             EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid), \
             pg_catalog.has_schema_privilege(n.oid, 'USAGE'::pg_catalog.text) \
             AND pg_catalog.has_table_privilege(c.oid, 'SELECT'::pg_catalog.text), \
             CASE c.relkind WHEN 'v' THEN c.reloptions END, \
             CASE c.relkind WHEN 'v' THEN c.relowner END, n.xmin ",
            named!(),
            which!()
        ),
    ),
    (
        "columns",
        concat!(
            "SELECT a.attnum, a.attname, a.atttypid, a.atttypmod, a.attcollation, a.attnotnull, \
             a.attgenerated, t.typtype, e.typtype, \
             pg_catalog.format_type(a.atttypid, a.atttypmod) ",
            named!(),
            "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid \
             AND a.attnum > '0'::pg_catalog.int2 AND NOT a.attisdropped \
             JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
             LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem \
             AND t.typcategory = 'A'::pg_catalog.\"char\"",
            which!()
        ),
    ),
    // Indexes, CHECK and exclusion constraints, extended statistics: what a planner may evaluate.
    (
        "parts",
        concat!(
            "SELECT p.* ",
            named!(),
            "JOIN LATERAL (SELECT i.indexrelid AS oid, 'i'::pg_catalog.\"char\", \
             i.indclass, i.indcollation, x.relam, i.indkey, i.indisprimary, i.indisvalid, \
             i.indexprs, i.indpred, ",
            depends!("1259", "i.indexrelid"),
            " FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid \
             WHERE i.indrelid = c.oid \
             UNION ALL SELECT o.oid, o.contype, NULL, NULL, NULL, NULL, NULL, o.convalidated, \
             o.conbin, NULL, ",
            depends!("2606", "o.oid"),
            " FROM pg_catalog.pg_constraint o WHERE o.conrelid = c.oid \
             AND o.contype IN ('c'::pg_catalog.\"char\", 'x'::pg_catalog.\"char\") \
             UNION ALL SELECT s.oid, 's'::pg_catalog.\"char\", NULL, NULL, NULL, NULL, NULL, NULL, \
             s.stxexprs, NULL, ",
            depends!("3381", "s.oid"),
            " FROM pg_catalog.pg_statistic_ext s WHERE s.stxrelid = c.oid) p ON true",
            which!()
        ),
    ),
    (
        "built_ins",
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_cast WHERE oid >= '16384'::pg_catalog.oid \
         AND castmethod <> 'i'::pg_catalog.\"char\" \
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
            named!(),
            which!()
        ),
    ),
    (
        "tree",
        concat!(
            "WITH RECURSIVE tree(oid, depth) AS (SELECT c.oid, '0'::pg_catalog.int4 ",
            named!(),
            "WHERE n.nspname = $1::pg_catalog.name AND c.relkind = 'v'::pg_catalog.\"char\" UNION \
         SELECT d.refobjid, t.depth + '1'::pg_catalog.int4 FROM tree t \
         JOIN pg_catalog.pg_class v ON v.oid = t.oid AND v.relkind = 'v'::pg_catalog.\"char\" \
         JOIN pg_catalog.pg_rewrite r ON r.ev_class = t.oid AND r.ev_type = '1'::pg_catalog.\"char\" \
         JOIN pg_catalog.pg_depend d ON d.classid = '2618'::pg_catalog.oid AND d.objid = r.oid \
         AND d.refclassid = '1259'::pg_catalog.oid AND d.refobjid <> t.oid \
         WHERE t.depth < '9'::pg_catalog.int4) \
         SELECT t.oid, t.depth, n.nspname, c.relname, c.relkind FROM tree t \
         JOIN pg_catalog.pg_class c ON c.oid = t.oid \
         JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         ORDER BY t.depth, t.oid LIMIT '1000'::pg_catalog.int8"
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
    // 2275 is cstring, 2281 internal, 26 oid, and the others are its aliases: what takes one of them runs whatever the
    // number or the text says, such as a domain's CHECK. So do the functions that turn queries and tables into XML.
    (
        "indirect",
        "SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.oid < '16384'::pg_catalog.oid \
         AND ('2275'::pg_catalog.oid = ANY (p.proargtypes) OR '2281'::pg_catalog.oid = ANY (p.proargtypes) \
         OR '26'::pg_catalog.oid = ANY (p.proargtypes) OR '24'::pg_catalog.oid = ANY (p.proargtypes) \
         OR '2202'::pg_catalog.oid = ANY (p.proargtypes) OR '2203'::pg_catalog.oid = ANY (p.proargtypes) \
         OR '2204'::pg_catalog.oid = ANY (p.proargtypes) OR '2205'::pg_catalog.oid = ANY (p.proargtypes) \
         OR '2206'::pg_catalog.oid = ANY (p.proargtypes) OR '4096'::pg_catalog.oid = ANY (p.proargtypes) \
         OR '4089'::pg_catalog.oid = ANY (p.proargtypes) \
         OR p.proname ~ '_to_xml|^pg_input_'::pg_catalog.text)",
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

/// The statements as a server of this major version takes them.
pub(super) fn statements(version: u32) -> Vec<(&'static str, String)> {
    // Statistics over expressions came with version 14.
    let of_version = |sql: &str| {
        if version < 14 { sql.replace("s.stxexprs", "NULL") } else { sql.to_owned() }
    };
    STATEMENTS.iter().map(|(name, sql)| (*name, of_version(sql))).collect()
}

/// What the catalog says about one relation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Catalog {
    /// At most one row: names are unique.
    pub(super) relation: Vec<CatalogRow>,
    pub(super) columns: Vec<CatalogRow>,
    /// Indexes, CHECK and exclusion constraints, extended statistics. They have a new OID whenever what they say
    /// changes.
    pub(super) parts: Vec<CatalogRow>,
}

/// What the catalog says about several relations, and about what is built in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Catalogs {
    /// In the order of the names.
    pub(super) relations: Vec<Catalog>,
    pub(super) built_ins: Vec<CatalogRow>,
}

impl Catalogs {
    /// Adds the questions about these relations to what will be sent.
    pub(super) fn ask(
        connection: &mut Connection,
        tables: &[&TableName],
    ) -> Result<(), DriverError> {
        for table in tables {
            for question in ["relation", "columns", "parts"] {
                connection.run(question, &[&table.schema, &table.name], 0)?;
            }
        }
        connection.run("built_ins", &[], 0)
    }

    /// Reads the answers to so many, in the same order.
    pub(super) async fn read(
        connection: &mut Connection,
        tables: usize,
    ) -> Result<Self, DriverError> {
        let mut relations = Vec::with_capacity(tables);
        for _ in 0..tables {
            relations.push(Catalog {
                relation: connection.rows().await?,
                columns: sorted(connection.rows().await?),
                parts: sorted(connection.rows().await?),
            });
        }
        Ok(Self { relations, built_ins: connection.rows().await? })
    }
}

/// By the number that stands first, so that the same objects always look the same.
fn sorted(mut rows: Vec<CatalogRow>) -> Vec<CatalogRow> {
    let number = |row: &CatalogRow| {
        row.first().and_then(Option::as_deref).and_then(|number| number.parse::<u64>().ok())
    };
    rows.sort_by_key(number);
    rows
}

/// An array of OIDs as text.
pub(super) fn oids(oids: impl IntoIterator<Item = u32>) -> String {
    let oids: Vec<String> = oids.into_iter().map(|oid| oid.to_string()).collect();
    format!("{{{}}}", oids.join(","))
}
