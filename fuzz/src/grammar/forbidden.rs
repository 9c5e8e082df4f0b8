//! Parts for which a statement must be refused, each for its place.

use super::choice::Choices;
use dbeast::value::Engine;

/// Where a part can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where a value can.
    Value,
    /// Where a table can, in FROM.
    Relation,
    /// After the target of a DELETE or UPDATE.
    Target,
    /// After SELECT.
    Start,
    /// After everything.
    End,
}

/// Values that are refused in each dialect, in a read and in a write.
const VALUES: [&str; 44] = [
    "pg_sleep(1)",
    "sleep(10)",
    "load_file('/etc/passwd')",
    "load_extension('x')",
    "pg_read_file('x')",
    "substr('abc', 1)",
    "random()",
    "now()",
    "lower('a', 'b')",
    "abs()",
    "count(DISTINCT *)",
    "lower(DISTINCT 'a')",
    "\"lower\"(1)",
    "`lower`(1)",
    "pg_catalog.lower('a')",
    "public.lower('a')",
    "CAST(1 AS text)",
    "CONVERT(1, CHAR)",
    "(1 :: text)",
    "(DATE '2020-01-01')",
    "(INTERVAL '1' DAY)",
    "('a' COLLATE \"C\")",
    "('a' COLLATE nocase)",
    "@x",
    "@@version",
    "?",
    "$1",
    ":name",
    "count(*) OVER ()",
    "sum(1) OVER (PARTITION BY 1)",
    "sum(1) FILTER (WHERE true)",
    "CURRENT_TIMESTAMP",
    "current_date",
    "('a' REGEXP 'b')",
    "('a' -> 'b')",
    "(1 << 2)",
    "(1, 2)",
    "ARRAY[1]",
    "X'41'",
    "N'a'",
    "'a' 'b'",
    "0x10",
    "1/*!+ 1 */",
    "zz.id",
];

/// Relations that are refused in each dialect.
const RELATIONS: [&str; 14] = [
    "nowhere AS z",
    "a.b.c AS z",
    "a.b.c.d AS z",
    "generate_series(1, 2) AS z",
    "pg_catalog.generate_series(1, 2) AS z",
    "json_each('[]') AS z",
    "LATERAL (SELECT 1) AS z",
    "(SELECT 1)",
    "(SELECT 1 FOR UPDATE) AS z",
    "main.t AS z TABLESAMPLE SYSTEM (1)",
    "(main.t AS y JOIN main.u AS z ON true)",
    "main.t AS y NATURAL JOIN main.t AS z",
    "(VALUES (1)) AS z",
    "ONLY (main.t) AS z",
];

const STARTS: [&str; 6] =
    ["TOP 1", "DISTINCT ON (1)", "/*+ HINT */", "/*!50000 1, */", "1 INTO z,", "# comment\n"];

/// The same, where these words are no names.
const MYSQL_STARTS: [&str; 5] =
    ["SQL_CALC_FOUND_ROWS", "STRAIGHT_JOIN", "HIGH_PRIORITY", "SQL_NO_CACHE", "SQL_CACHE"];

const ENDS: [&str; 13] = [
    "FOR UPDATE",
    "FOR SHARE",
    "LOCK IN SHARE MODE",
    "FETCH FIRST 1 ROWS ONLY",
    "INTO OUTFILE '/tmp/x'",
    "; SELECT 1",
    "; DROP TABLE t",
    ";;",
    "UNION VALUES (1)",
    "WINDOW w AS ()",
    "PROCEDURE analyse()",
    "/* /* */ */",
    "\u{37e}",
];

const TARGETS: [&str; 5] = ["AS z", ", main.u", "JOIN main.u ON true", "zz", "PARTITION (p)"];

const WRITE_ENDS: [&str; 8] = [
    "RETURNING *",
    "RETURNING 1",
    "ON CONFLICT DO NOTHING",
    "ON DUPLICATE KEY UPDATE x = 1",
    "; DELETE FROM main.t",
    "FOR UPDATE",
    "/*! , x = 1 */",
    "UNION SELECT 1",
];

/// Values that are refused in a write only.
const WRITE_VALUES: [&str; 3] = ["(SELECT 1)", "(1 IN (SELECT 1))", "EXISTS (SELECT 1)"];

/// Chooses a part, or none: half of all statements are plain.
pub(super) fn plan(
    choices: &mut Choices<'_>,
    dialect: Engine,
    is_write: bool,
) -> Option<(Place, &'static str)> {
    let family = choices.below(16);
    Some(match (family, is_write) {
        (8 | 9, _) => (Place::Value, choices.of(&VALUES)),
        (10, _) => (Place::Value, system_column(dialect)),
        (11 | 12, false) => (Place::Relation, choices.of(&RELATIONS)),
        (13, false) => (Place::Relation, choices.of(system_tables(dialect))),
        (14, false) if choices.below(2) == 1 && mysql_family(dialect) => {
            (Place::Start, choices.of(&MYSQL_STARTS))
        }
        (14, false) => (Place::Start, choices.of(&STARTS)),
        (15, false) => (Place::End, choices.of(&ENDS)),
        (11, true) => (Place::Target, choices.of(&TARGETS)),
        (12 | 13, true) => (Place::Value, choices.of(&WRITE_VALUES)),
        (14 | 15, true) => (Place::End, choices.of(&WRITE_ENDS)),
        _ => return None,
    })
}

const fn mysql_family(dialect: Engine) -> bool {
    matches!(dialect, Engine::Mysql | Engine::Mariadb)
}

const fn system_column(dialect: Engine) -> &'static str {
    match dialect {
        Engine::Sqlite => "RowId",
        Engine::Postgres => "\"ctid\"",
        Engine::Mysql | Engine::Mariadb => "_rowid",
    }
}

const fn system_tables(dialect: Engine) -> &'static [&'static str] {
    match dialect {
        Engine::Sqlite => &[
            "sqlite_master AS z",
            "main.sqlite_master AS z",
            "main.\"SQLITE_SCHEMA\" AS z",
            "temp.t AS z",
            "other.t AS z",
            "main.pragma_table_info AS z",
            "main.json_each AS z",
            "main.dbstat AS z",
        ],
        Engine::Postgres => &[
            "pg_catalog.pg_class AS z",
            "PG_Catalog.pg_authid AS z",
            "\"pg_catalog\".\"pg_shadow\" AS z",
            "information_schema.tables AS z",
            "pg_temp.t AS z",
            "pg_toast.t AS z",
            "pg_class AS z",
        ],
        Engine::Mysql | Engine::Mariadb => &[
            "mysql.user AS z",
            "`MySQL`.`user` AS z",
            "information_schema.tables AS z",
            "Performance_Schema.threads AS z",
            "sys.version AS z",
            "shop.seq_1_to_9 AS z",
            "dual",
        ],
    }
}
