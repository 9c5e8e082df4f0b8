//! What can be proven and what is refused, and for which reason: one table of cases, run on each server.

use super::common::{any_read, driver, quoted, table, task};
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, Role};
use dbeast::drivers::Driver;
use dbeast::reason::DatabaseReason as Reason;
use dbeast::value::TableName;

/// On which server a case can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    Both,
    Mysql,
    Mariadb,
}

/// A thing of a name, and the reason for which it is refused, or nothing if it is read.
struct Case {
    on: On,
    name: &'static str,
    made_by: String,
    refused: Option<Reason>,
}

/// Fewest cases of each server.
const CASES_MIN: usize = 100;

/// Types of columns that both know.
const TYPES: &[&str] = &[
    "tinyint",
    "tinyint unsigned",
    "smallint",
    "smallint unsigned zerofill",
    "mediumint",
    "int",
    "int unsigned",
    "bigint",
    "bigint unsigned",
    "boolean",
    "decimal(65,30)",
    "decimal(10,0) unsigned",
    "float",
    "double",
    "bit(1)",
    "bit(64)",
    "date",
    "time",
    "time(6)",
    "datetime",
    "datetime(6)",
    "timestamp null",
    "timestamp(3) null",
    "year",
    "char(1)",
    "char(255)",
    "varchar(1)",
    "varchar(1000) character set latin1",
    "varchar(20) collate utf8mb4_bin",
    "tinytext",
    "text",
    "mediumtext",
    "longtext",
    "text character set ucs2",
    "char(5) character set binary",
    "binary(16)",
    "varbinary(20)",
    "tinyblob",
    "blob",
    "mediumblob",
    "longblob",
    "enum('a','b')",
    "set('a','b')",
    "json",
    "geometry",
    "point",
    "linestring",
    "polygon",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geometrycollection",
];

/// Types of one of them.
const TYPES_OF_MARIADB: &[&str] = &["uuid", "inet6", "inet4", "text compressed"];
const TYPES_OF_MYSQL: &[&str] = &["vector(3)"];

/// Tables that are read: what stands in the parentheses and behind them.
const READ: &[(On, &str, &str)] = &[
    (On::Both, "no_key", "(a int, b text)"),
    (On::Both, "wide_key", "(a int, b int, c int, primary key (c, a))"),
    (On::Both, "auto", "(a int auto_increment primary key)"),
    (On::Both, "unique_key", "(a int unique, b varchar(20), unique key (b(5)))"),
    (On::Both, "indexes", "(a int, b varchar(20), key (a), key (b), key (a, b), key (b(3)))"),
    (On::Both, "full_text", "(a text, fulltext key (a))"),
    (On::Both, "spatial", "(a geometry not null srid 0, spatial key (a))"),
    (On::Both, "checked", "(a int check (a > 0), constraint c check (a < 100))"),
    (
        On::Both,
        "defaults",
        "(a int default 1, b varchar(9) default 'x', c datetime default current_timestamp on update current_timestamp)",
    ),
    (On::Both, "default_expressions", "(a int default (1 + 2), b varchar(40) default (uuid()))"),
    (On::Both, "comments", "(a int comment 'partitioned') comment 'partitioned by nobody'"),
    (On::Both, "dynamic_rows", "(a int) row_format=dynamic"),
    (On::Both, "compact_rows", "(a int) row_format=compact"),
    (On::Both, "redundant_rows", "(a int) row_format=redundant"),
    (On::Both, "compressed_rows", "(a int) row_format=compressed"),
    (On::Both, "other_charset", "(a varchar(20)) default character set latin1"),
    (On::Both, "invisible", "(a int, b int invisible)"),
    (On::Both, "order", "(`order` int, `select` int, `a``b` int, `c.d` int, ` e` int, `ü` int)"),
    (On::Both, "columns_64", "COLUMNS 64"),
    (On::Both, "children", "(a int, foreign key (a) references parents(id) on delete cascade)"),
    (On::Both, "upper", "(A int, Bb int)"),
    (On::Both, "Case", "(a int)"),
    (On::Both, "with space", "(a int)"),
    (On::Both, "a.b", "(a int)"),
    (On::Both, "a`b", "(a int)"),
    (On::Both, "a\"b'c", "(a int)"),
    (On::Both, "dollar$", "(a int)"),
    (On::Both, "at@home", "(a int)"),
    (On::Both, "minus-sign", "(a int)"),
    (On::Both, "per%cent_", "(a int)"),
    (On::Both, "pipe|", "(a int)"),
    (On::Both, "back\\slash", "(a int)"),
    (On::Both, "semi;colon", "(a int)"),
    (On::Both, "123", "(a int)"),
    (On::Both, "1e5", "(a int)"),
    (On::Both, "SELECT", "(a int)"),
    (On::Both, "größe", "(a int)"),
    (On::Both, "таблица", "(a int)"),
    (On::Both, "πίνακας", "(a int)"),
    (On::Both, "表", "(a int)"),
    (On::Both, "ｗｉｄｅ", "(a int)"),
    (On::Both, "n234567890123456789012345678901234567890123456789012345678901234", "(a int)"),
    (On::Both, "#sharp", "(a int)"),
    (On::Both, "-- dash", "(a int)"),
    (On::Both, "/*comment*/", "(a int)"),
    (On::Both, "q?", "(a int)"),
    (On::Mariadb, "crashing", "(a int) engine=innodb page_checksum=1"),
    (On::Mysql, "descending", "(a int, b int, key (a desc, b))"),
    (On::Mysql, "unseen_index", "(a int, key (a) invisible)"),
    (On::Mysql, "check_off", "(a int check (a > 0) not enforced)"),
];

/// Things that are refused.
const REFUSED: &[(On, &str, &str, Reason)] = &[
    (On::Both, "view_plain", "VIEW AS SELECT 1 AS one", Reason::TableIsView),
    (On::Both, "view_of_table", "VIEW AS SELECT id FROM parents", Reason::TableIsView),
    (On::Both, "view_of_function", "VIEW AS SELECT sing() AS one", Reason::TableIsView),
    (
        On::Both,
        "view_merge",
        "ALGORITHM=MERGE VIEW AS SELECT id FROM parents WHERE sing()",
        Reason::TableIsView,
    ),
    (
        On::Both,
        "view_temptable",
        "ALGORITHM=TEMPTABLE VIEW AS SELECT id FROM parents",
        Reason::TableIsView,
    ),
    (
        On::Both,
        "view_invoker",
        "SQL SECURITY INVOKER VIEW AS SELECT id FROM parents",
        Reason::TableIsView,
    ),
    (
        On::Both,
        "parts_hash",
        "(a int) partition by hash(a) partitions 3",
        Reason::TableIsPartitioned,
    ),
    (
        On::Both,
        "parts_key",
        "(a int primary key) partition by key() partitions 2",
        Reason::TableIsPartitioned,
    ),
    (
        On::Both,
        "parts_range",
        "(a int) partition by range(a) (partition p values less than maxvalue)",
        Reason::TableIsPartitioned,
    ),
    (
        On::Both,
        "parts_list",
        "(a int) partition by list(a) (partition p values in (1))",
        Reason::TableIsPartitioned,
    ),
    (
        On::Both,
        "parts_sub",
        "(a int, b int) partition by range(a) subpartition by hash(b) subpartitions 2 (partition p values less than maxvalue)",
        Reason::TableIsPartitioned,
    ),
    (On::Both, "myisam", "(a int) engine=myisam", Reason::TableHasCustomStorage),
    (On::Both, "memory", "(a int) engine=memory", Reason::TableHasCustomStorage),
    (On::Both, "csv", "(a int not null) engine=csv", Reason::TableHasCustomStorage),
    (On::Both, "merge", "(a int) engine=merge union=()", Reason::TableHasCustomStorage),
    (On::Mariadb, "aria", "(a int) engine=aria", Reason::TableHasCustomStorage),
    (On::Mysql, "archive", "(a int) engine=archive", Reason::TableHasCustomStorage),
    (On::Mysql, "blackhole", "(a int) engine=blackhole", Reason::TableHasCustomStorage),
    (On::Both, "virtual", "(a int, b int as (a + 1) virtual)", Reason::TableHasGeneratedColumn),
    (On::Both, "stored", "(a int, b int as (a + 1) stored)", Reason::TableHasGeneratedColumn),
    (
        On::Both,
        "virtual_always",
        "(a int, b int generated always as (abs(a)))",
        Reason::TableHasGeneratedColumn,
    ),
    (
        On::Both,
        "virtual_indexed",
        "(a int, b int as (a + 1) virtual, key (b))",
        Reason::TableHasGeneratedColumn,
    ),
    (
        On::Both,
        "virtual_invisible",
        "(a int, b int as (a + 1) virtual invisible)",
        Reason::TableHasGeneratedColumn,
    ),
    (On::Mysql, "functional", "(a int, key ((a + 1)))", Reason::TableHasGeneratedColumn),
    (On::Mysql, "functional_beside", "(a int, key (a, (abs(a))))", Reason::TableHasGeneratedColumn),
    (
        On::Mysql,
        "multi_valued",
        "(a json, key ((cast(a->'$.x' as unsigned array))))",
        Reason::TableHasGeneratedColumn,
    ),
    (On::Both, "columns_65", "COLUMNS 65", Reason::TableTooWide),
    (On::Both, "columns_200", "COLUMNS 200", Reason::TableTooWide),
    (On::Mariadb, "sequence", "SEQUENCE", Reason::TableKindUnsupported),
    (On::Mariadb, "versioned", "(a int) with system versioning", Reason::TableKindUnsupported),
    (
        On::Mariadb,
        "versioned_parts",
        "(a int) with system versioning partition by system_time (partition p history, partition q current)",
        Reason::TableKindUnsupported,
    ),
    (On::Both, "nothing", "", Reason::TableUnknown),
    (On::Both, "case", "", Reason::TableUnknown),
    (On::Both, "CASE", "", Reason::TableUnknown),
    (On::Both, "no_key ", "", Reason::TableUnknown),
    (On::Both, " no_key", "", Reason::TableUnknown),
    (On::Both, "NO_KEY", "", Reason::TableUnknown),
    (On::Both, "no_key`", "", Reason::TableUnknown),
    (On::Both, "größE", "", Reason::TableUnknown),
    (On::Both, "grosse", "", Reason::TableUnknown),
    (On::Both, "per%cent%", "", Reason::TableUnknown),
    (On::Both, "no_ke_", "", Reason::TableUnknown),
    (On::Both, "%", "", Reason::TableUnknown),
    (On::Both, "😀", "", Reason::TableUnknown),
    (
        On::Both,
        "n2345678901234567890123456789012345678901234567890123456789012345",
        "",
        Reason::TableUnknown,
    ),
    (On::Both, "no_key\0", "", Reason::TableUnknown),
    (On::Both, "no_key\u{feff}", "", Reason::TableUnknown),
    (On::Both, "sing", "", Reason::TableUnknown),
];

fn cases(kind: Kind) -> Vec<Case> {
    let types_of_one = match kind {
        Kind::Mysql => TYPES_OF_MYSQL,
        Kind::Mariadb => TYPES_OF_MARIADB,
    };
    let of_type = |sql: &&str| {
        let name: String = sql.chars().filter(char::is_ascii_alphanumeric).collect();
        let made_by = format!("(id int primary key, v {sql})");
        Case { on: On::Both, name: format!("t_{name}").leak(), made_by, refused: None }
    };
    let read = READ.iter().map(|(on, name, made_by)| Case {
        on: *on,
        name,
        made_by: (*made_by).to_owned(),
        refused: None,
    });
    let refused = REFUSED.iter().map(|(on, name, made_by, reason)| Case {
        on: *on,
        name,
        made_by: (*made_by).to_owned(),
        refused: Some(*reason),
    });
    let types = TYPES.iter().chain(types_of_one).map(of_type);
    let here = match kind {
        Kind::Mysql => On::Mysql,
        Kind::Mariadb => On::Mariadb,
    };
    types.chain(read).chain(refused).filter(|case| case.on == On::Both || case.on == here).collect()
}

/// The statement that makes a thing; nothing for a name that must not be there.
fn making(case: &Case, kind: Kind) -> Option<String> {
    let name = quoted(case.name);
    let how = case.made_by.as_str();
    if let Some(count) = how.strip_prefix("COLUMNS ") {
        let count: usize = count.parse().expect("a number");
        let columns: Vec<String> = (0..count).map(|number| format!("c{number} int")).collect();
        return Some(format!("CREATE TABLE {name} ({})", columns.join(", ")));
    }
    // Only MySQL has it; elsewhere a column has one anyway.
    let how = if kind == Kind::Mariadb { how.replace(" srid 0", "") } else { how.to_owned() };
    match how.as_str() {
        "" => None,
        "SEQUENCE" => Some(format!("CREATE SEQUENCE {name}")),
        how if how.starts_with('(') => Some(format!("CREATE TABLE {name} {how}")),
        how => {
            let (before, after) = how.split_once("VIEW").expect("a view");
            Some(format!("CREATE {before} VIEW {name} {after}"))
        }
    }
}

/// The database with everything in it.
fn make(kind: Kind, cases: &[Case]) -> Database {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE parents (id int primary key)");
    root.must("CREATE TABLE sung (x int)");
    root.must("CREATE FUNCTION sing() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO sung VALUES (1); RETURN 1; END");
    for sql in cases.iter().filter_map(|case| making(case, kind)) {
        root.must(&sql);
    }
    database
}

async fn check(driver: &dyn Driver, table: &TableName, refused: Option<Reason>) {
    let described = driver.describe_table(table, None, &task()).await;
    let read = driver.read(&any_read(table), None, &task()).await;
    match refused {
        None => {
            let described =
                described.unwrap_or_else(|error| panic!("{table}: {error:?} {}", error.cause()));
            let read = read.unwrap_or_else(|error| panic!("{table}: {error:?} {}", error.cause()));
            assert_eq!(described.identities, read.identities, "{table}");
            assert!(!described.value.columns.is_empty(), "{table}");
        }
        Some(reason) => {
            let errors = [described.map(drop), read.map(drop)].map(|result| {
                result.err().unwrap_or_else(|| panic!("{table} must be refused: {reason:?}"))
            });
            for error in errors {
                assert_eq!(error.reason(), reason, "{table}: {}", error.cause());
                assert!(error.is_refused() || error.is_failed(), "{table}: {error:?}");
            }
        }
    }
}

/// Every case, for an account that may read and one that may do everything.
pub(crate) async fn every_case_is_judged(kind: Kind) {
    let cases = cases(kind);
    assert!(cases.len() >= CASES_MIN, "{}", cases.len());
    let database = make(kind, &cases);
    for role in [Role::Reader, Role::Owner] {
        let driver = driver(&database, role);
        for case in &cases {
            check(&*driver, &table(&database, case.name), case.refused).await;
        }
    }
    assert_eq!(database.root().must("SELECT * FROM sung").rows.len(), 0, "a function was called");
}

/// Tables of other databases, also of the server's own.
pub(crate) async fn other_databases_are_out_of_reach(kind: Kind) {
    let database = Database::shared(kind);
    let other = Database::shared(kind);
    for one in [&database, &other] {
        one.root().must("CREATE TABLE same (a int)");
    }
    let driver = driver(&database, Role::Owner);
    let upper = database.name().to_uppercase();
    let padded = format!("{} ", database.name());
    for (schema, name) in [
        (other.name(), "same"),
        (upper.as_str(), "same"),
        (padded.as_str(), "same"),
        ("mysql", "user"),
        ("information_schema", "TABLES"),
        ("performance_schema", "threads"),
        ("sys", "sys_config"),
        ("no_such", "same"),
    ] {
        let table = TableName { schema: schema.to_owned(), name: name.to_owned() };
        check(&*driver, &table, Some(Reason::TableElsewhere)).await;
    }
    check(&*driver, &table(&database, "same"), None).await;
}

/// What an account may not see or do.
pub(crate) async fn privileges_are_needed(kind: Kind) {
    let database = Database::shared(kind);
    let mut root = database.root();
    root.must("CREATE TABLE orders (id int primary key, secret int)");
    root.must("CREATE VIEW seen AS SELECT id FROM orders");
    let table = table(&database, "orders");
    check(&*driver(&database, Role::Reader), &table, None).await;
    let refused = [
        (Role::NoProcess, Reason::ProcessNotPermitted),
        // It does not even see that the database is there.
        (Role::Stranger, Reason::DatabaseUnknown),
    ];
    for (role, reason) in refused {
        let error = driver(&database, role).describe_table(&table, None, &task()).await;
        assert_eq!(error.expect_err("refused").reason(), reason, "{role:?}");
    }
    // One column alone: it is shown alone, and the whole row is not given.
    let user = database.user(Role::Stranger);
    root.must(&format!("GRANT SELECT (id) ON orders TO '{user}'@'%'"));
    let driver = driver(&database, Role::Stranger);
    let described = driver.describe_table(&table, None, &task()).await.expect("one column");
    let names: Vec<&str> =
        described.value.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["id"]);
    let error = driver.read(&any_read(&table), None, &task()).await.expect_err("all columns");
    assert_eq!(error.reason(), Reason::TableNotPermitted, "{}", error.cause());
}

/// The letters that the storage engine abbreviates, and their neighbours, in names as long as they can be.
pub(crate) async fn letters_are_spelled_as_the_server_spells_them(kind: Kind) {
    let ranges = [
        '\u{a1}'..='\u{600}',
        '\u{1e00}'..='\u{2000}',
        '\u{2100}'..='\u{2500}',
        '\u{ff00}'..='\u{fff0}',
    ];
    let letters: Vec<char> = ranges.into_iter().flatten().collect();
    let database = Database::shared(kind);
    let mut root = database.root();
    let names: Vec<String> =
        letters.chunks(40).map(|chunk| format!("t{}", String::from_iter(chunk))).collect();
    for name in &names {
        root.must(&format!("CREATE TABLE {} (a int)", quoted(name)));
    }
    assert!(names.len() > 50);
    let driver = driver(&database, Role::Reader);
    for name in &names {
        check(&*driver, &table(&database, name), None).await;
    }
}
