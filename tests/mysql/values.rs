//! The exact text of each type, as `docs/values.md` says, and results at their limits.

use super::common::{driver, show, table, task, texts};
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, Role};
use dbeast::drivers::{Gate, Limits, Task};
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::ResultLimit;

/// A type, a value as it is inserted, and its text. `hex ` begins the digits of binary values.
const VALUES: &[(&str, &str, &str)] = &[
    ("int", "NULL", "NULL"),
    ("varchar(5)", "''", ""),
    ("varchar(5)", "NULL", "NULL"),
    ("tinyint", "-128", "-128"),
    ("boolean", "true", "1"),
    ("bigint", "-9223372036854775808", "-9223372036854775808"),
    ("bigint unsigned", "18446744073709551615", "18446744073709551615"),
    ("int(7) zerofill", "42", "0000042"),
    (
        "decimal(65,30)",
        "-12345678901234567890123456789012345.123456789012345678901234567890",
        "-12345678901234567890123456789012345.123456789012345678901234567890",
    ),
    ("decimal(10,2)", "1.5", "1.50"),
    ("decimal(10,0)", "0", "0"),
    ("double", "0.1", "0.1"),
    ("double", "1e300", "1e300"),
    ("double", "2.2250738585072014e-308", "2.2250738585072014e-308"),
    ("double", "1", "1"),
    ("double", "123456789012345680", "1.2345678901234568e17"),
    ("float", "0.1", "0.1"),
    // Six digits: the servers write no more of this type.
    ("float", "16777216", "16777200"),
    ("bit(1)", "b'1'", "hex 01"),
    ("bit(10)", "b'1000000001'", "hex 0201"),
    ("bit(64)", "18446744073709551615", "hex ffffffffffffffff"),
    ("date", "'2026-02-28'", "2026-02-28"),
    ("date", "'0000-00-00'", "0000-00-00"),
    ("date", "'2026-00-00'", "2026-00-00"),
    ("date", "'9999-12-31'", "9999-12-31"),
    ("time", "'-838:59:59'", "-838:59:59"),
    ("time", "'00:00:00'", "00:00:00"),
    ("time(6)", "'26:01:02.000003'", "26:01:02.000003"),
    ("datetime", "'2026-02-28 23:59:59'", "2026-02-28 23:59:59"),
    ("datetime(6)", "'2026-02-28 23:59:59.000001'", "2026-02-28 23:59:59.000001"),
    ("datetime", "'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
    // Stored at +05:00, read in UTC.
    ("timestamp null", "'2026-02-28 03:00:00'", "2026-02-27 22:00:00"),
    ("year", "2026", "2026"),
    ("year", "0", "0000"),
    ("char(5)", "'ab'", "ab"),
    ("varchar(9)", "'ab  '", "ab  "),
    ("text", "'é€😀\\n\\\"'", "é€😀\n\""),
    ("varchar(9) character set latin1", "'é'", "é"),
    ("varchar(9) character set ucs2", "'€'", "€"),
    ("varchar(9) character set utf16", "'😀'", "😀"),
    ("varchar(9) collate utf8mb4_bin", "'A'", "A"),
    ("varchar(9) character set binary", "'ab'", "hex 6162"),
    ("binary(4)", "x'00ff'", "hex 00ff0000"),
    ("varbinary(4)", "x'00ff'", "hex 00ff"),
    ("varbinary(4)", "''", "hex "),
    ("blob", "x'c328'", "hex c328"),
    ("tinytext", "'t'", "t"),
    ("longtext", "'t'", "t"),
    ("longblob", "'t'", "hex 74"),
    ("enum('a','b c')", "'b c'", "b c"),
    ("set('a','b','c')", "'c,a'", "a,c"),
    ("set('a','b')", "''", ""),
    ("point", "point(1,2)", "hex 000000000101000000000000000000f03f0000000000000040"),
];

/// What one of them writes otherwise.
const VALUES_OF_MYSQL: &[(&str, &str, &str)] = &[
    ("double", "-0e0", "-0"),
    ("json", "'{\"b\": 1, \"a\": 12345678901234567890, \"a\": 1.50}'", "{\"a\": 1.5, \"b\": 1}"),
    (
        "json",
        "'[18446744073709551615, -9223372036854775808, null, true]'",
        "[18446744073709551615, -9223372036854775808, null, true]",
    ),
    ("json", "'\"é\"'", "\"é\""),
];
const VALUES_OF_MARIADB: &[(&str, &str, &str)] = &[
    // A text that was checked, and stays as it was.
    (
        "json",
        "'{\"b\": 1,  \"a\": 123456789012345678901234567890}'",
        "{\"b\": 1,  \"a\": 123456789012345678901234567890}",
    ),
    ("uuid", "'123E4567-E89B-12D3-A456-426614174000'", "123e4567-e89b-12d3-a456-426614174000"),
    ("inet6", "'2001:db8::1'", "2001:db8::1"),
    ("inet4", "'10.0.0.1'", "10.0.0.1"),
];

pub(crate) async fn each_type_has_its_text(kind: Kind) {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("SET sql_mode = '', time_zone = '+05:00', NAMES utf8mb4");
    let of_one = if kind == Kind::Mysql { VALUES_OF_MYSQL } else { VALUES_OF_MARIADB };
    let driver = driver(&database, Role::Reader);
    let mut wrong = Vec::new();
    for (number, (column, value, text)) in VALUES.iter().chain(of_one).enumerate() {
        let name = format!("v{number}");
        root.must(&format!("CREATE TABLE {name} (v {column})"));
        root.must(&format!("INSERT INTO {name} VALUES ({value})"));
        let sql = format!("SELECT t.v FROM {}.{name} AS t", database.name());
        let rows = texts(&*driver, &sql, &table(&database, &name)).await;
        let rows = rows.unwrap_or_else(|error| panic!("{column}: {error:?} {}", error.cause()));
        if rows != [[*text]] {
            wrong.push(format!("{column} {value}: {rows:?} and not {text:?}"));
            continue;
        }
        // A statement in the agent's own words reads the same, under the account's own time zone.
        if !column.starts_with("timestamp") {
            let full = super::common::driver(&database, Role::Owner);
            let rows = full.run_full(&sql, Gate::open(), &task()).await.expect(column);
            assert_eq!(show(&rows.rows[0][0]), *text, "{column} {value} in Full SQL");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub(crate) async fn names_of_columns_may_repeat_and_be_odd(kind: Kind) {
    let database = Database::shared(kind);
    database.root().must("CREATE TABLE t (a int, `ü ``x` int)");
    database.root().must("INSERT INTO t VALUES (1, 2)");
    let sql = format!("SELECT t.a, t.a, t.`ü ``x`, 3 AS `` FROM {}.t AS t", database.name());
    let sql = sql.replace(" AS ``", " AS ` ß`");
    let read = super::common::reading(&sql, &table(&database, "t"));
    let driver = driver(&database, Role::Reader);
    let rows = driver.read(&read, None, &task()).await.expect("rows").value;
    assert_eq!(rows.columns[..3], ["a", "a", "ü `x"]);
    assert_eq!(rows.rows[0].iter().map(show).collect::<Vec<_>>(), ["1", "1", "2", "3"]);
}

/// The session's limit of rows counts those that leave, and no others.
pub(crate) async fn rows_inside_a_statement_are_not_cut(kind: Kind) {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE n (x int primary key)");
    let rows: Vec<String> = (1..=2000).map(|number| format!("({number})")).collect();
    root.must(&format!("INSERT INTO n VALUES {}", rows.join(",")));
    let (d, driver) = (database.name(), driver(&database, Role::Reader));
    let table = table(&database, "n");
    for sql in [
        "SELECT count(*) AS c FROM (SELECT n.x FROM {d}.n AS n) AS s",
        "SELECT count(*) AS c FROM (SELECT DISTINCT n.x FROM {d}.n AS n ORDER BY n.x) AS s",
        "SELECT count(*) AS c FROM {d}.n AS n WHERE n.x IN (SELECT m.x FROM {d}.n AS m)",
        "SELECT count(*) AS c FROM {d}.n AS n WHERE EXISTS (SELECT 1 AS o FROM {d}.n AS m WHERE m.x = n.x)",
        "WITH w AS (SELECT n.x FROM {d}.n AS n) SELECT count(*) AS c FROM w",
        "WITH w AS (SELECT n.x FROM {d}.n AS n UNION SELECT m.x FROM {d}.n AS m) SELECT count(*) AS c FROM w",
        "SELECT (SELECT count(*) FROM (SELECT n.x FROM {d}.n AS n UNION ALL SELECT 0 AS x) AS u) - 1 AS c",
        "SELECT count(*) AS c FROM (SELECT n.x FROM {d}.n AS n GROUP BY n.x HAVING n.x > 0) AS s",
    ] {
        let rows = texts(&*driver, &sql.replace("{d}", d), &table).await;
        let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error:?} {}", error.cause()));
        assert_eq!(rows, [["2000"]], "{sql}");
    }
    for (sql, count) in [
        ("SELECT n.x FROM {d}.n AS n", 500),
        ("SELECT n.x FROM {d}.n AS n LIMIT 1500", 500),
        ("SELECT n.x FROM {d}.n AS n UNION ALL SELECT m.x FROM {d}.n AS m", 500),
        ("SELECT n.x FROM {d}.n AS n LIMIT 500", 500),
    ] {
        let read = super::common::reading(&sql.replace("{d}", d), &table);
        let rows = driver.read(&read, None, &task()).await.expect(sql).value;
        assert_eq!(rows.rows.len(), count, "{sql}");
        let is_whole = sql.ends_with("LIMIT 500");
        assert_eq!(rows.truncated_by, (!is_whole).then_some(ResultLimit::Rows), "{sql}");
    }
    // What a write selects is not cut either.
    root.must("CREATE TABLE copy (x int)");
    let sql = format!("INSERT INTO {d}.copy SELECT n.x FROM {d}.n AS n");
    let full = super::common::driver(&database, Role::Owner);
    let done = full.run_full(&sql, Gate::open(), &task()).await.expect("written");
    assert_eq!(done.affected_rows, Some(2000));
}

/// Values far beyond the limits are passed over, and the connection can be used again.
pub(crate) async fn values_beyond_the_limits_are_passed_over(kind: Kind) {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE big (id int primary key, a longtext, b longblob)");
    // Above 16 MiB, so that it takes several packets, where the server lets a value be so long.
    root.must("INSERT INTO big VALUES (1, repeat('x', 65536), 'ok'), (2, repeat('y', 70000), NULL), (3, repeat('z', 900000), repeat('q', 900000))");
    for _ in 0..4 {
        root.must("UPDATE big SET a = concat(a, a) WHERE id = 3");
    }
    let driver = driver(&database, Role::Owner);
    let table = table(&database, "big");
    let sql =
        |id: u32| format!("SELECT t.a, t.b FROM {}.big AS t WHERE t.id = {id}", database.name());
    let fits = texts(&*driver, &sql(1), &table).await.expect("at the limit");
    assert_eq!(fits[0][0].len(), 65_536);
    for id in [2, 3] {
        let error = texts(&*driver, &sql(id), &table).await.expect_err("too large");
        assert_eq!(error.reason(), Reason::CellTooLarge, "{id}");
        assert!(texts(&*driver, &sql(1), &table).await.is_ok(), "still usable");
        let rows = driver.run_full(&sql(id), Gate::open(), &task()).await.expect("no error");
        assert_eq!((rows.rows.len(), rows.truncated_by), (0, Some(ResultLimit::CellBytes)));
    }
    let every = format!("SELECT t.id, t.a FROM {}.big AS t ORDER BY t.id", database.name());
    let limits = Limits::contract().with_result_bytes(1000);
    let tight = Task::new(tokio_util::sync::CancellationToken::new(), task().deadline(), limits);
    let read = super::common::reading(&every, &table);
    let error = driver.read(&read, None, &tight).await.expect_err("the first row does not fit");
    assert!(error.is_limit_exceeded(), "{error:?}");
    assert!(texts(&*driver, &sql(1), &table).await.is_ok(), "still usable");
}
