//! The broker's own read.

use super::DIALECTS;
use crate::reason::SqlReason;
use crate::sql::{read_table, verify};
use crate::value::{Engine, TableName};

fn named(schema: &str, name: &str) -> TableName {
    TableName { schema: schema.to_owned(), name: name.to_owned() }
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn hostile_names_stay_names() {
    let hostile =
        ["a\"b", "a`b", "a'b", "x; DROP TABLE y --", "a/*b", "a\\", "SELECT", "ſum", "A.b", "( "];
    for dialect in DIALECTS {
        let schema = if dialect == Engine::Sqlite { "main" } else { "My\"Schema" };
        for name in hostile {
            let name = name.trim_end();
            let verified =
                read_table(&named(schema, name), &columns(&[name, "id"]), 500, 3, dialect);
            let verified = verified.expect("any visible name is a name");
            assert_eq!(verified.tables, [named(schema, name)]);
            assert!(verified.columns.contains(&(named(schema, name), name.to_owned())));
            assert_eq!(verify(&verified.sql, dialect), Ok(verified));
        }
    }
}

#[test]
fn names_keep_their_letter_case() {
    let verified = read_table(&named("Shop", "Orders"), &columns(&["Id"]), 1, 0, Engine::Postgres)
        .map(|v| v.sql);
    assert_eq!(
        verified.as_deref(),
        Ok(r#"SELECT "t"."Id"
FROM "Shop"."Orders" AS "t"
LIMIT 1"#)
    );
    let verified =
        read_table(&named("Shop", "Orders"), &columns(&["Id"]), 1, 0, Engine::Mysql).map(|v| v.sql);
    assert_eq!(verified.as_deref(), Ok("SELECT `t`.`Id`\nFROM `Shop`.`Orders` AS `t`\nLIMIT 1"));
}

#[test]
fn bounds_and_system_names_are_refused() {
    let read = |schema: &str, name: &str, names: &[&str], limit, offset, dialect| {
        read_table(&named(schema, name), &columns(names), limit, offset, dialect).err()
    };
    for dialect in DIALECTS {
        assert_eq!(read("main", "t", &[], 1, 0, dialect), Some(SqlReason::ReadBounds));
        assert_eq!(read("main", "t", &["a"; 65], 1, 0, dialect), Some(SqlReason::ReadBounds));
        assert_eq!(read("main", "t", &["a"], 0, 0, dialect), Some(SqlReason::ReadBounds));
        assert_eq!(read("main", "t", &["a"], 501, 0, dialect), Some(SqlReason::ReadBounds));
        assert_eq!(read("main", "t", &["a"], 1, 1_000_001, dialect), Some(SqlReason::ReadBounds));
        assert_eq!(read("main", "", &["a"], 1, 0, dialect), Some(SqlReason::NameForm));
        assert_eq!(read("main", "t", &["a\0b"], 1, 0, dialect), Some(SqlReason::NameForm));
        assert_eq!(read("main", "t", &["a\u{200b}b"], 1, 0, dialect), Some(SqlReason::NameForm));
    }
    assert_eq!(read("temp", "t", &["a"], 1, 0, Engine::Sqlite), Some(SqlReason::SchemaNotMain));
    assert_eq!(
        read("main", "sqlite_schema", &["a"], 1, 0, Engine::Sqlite),
        Some(SqlReason::SystemTable)
    );
    assert_eq!(read("main", "t", &["ROWID"], 1, 0, Engine::Sqlite), Some(SqlReason::SystemColumn));
    assert_eq!(
        read("pg_catalog", "pg_authid", &["a"], 1, 0, Engine::Postgres),
        Some(SqlReason::SystemTable)
    );
    assert_eq!(
        read("public", "t", &["xmin"], 1, 0, Engine::Postgres),
        Some(SqlReason::SystemColumn)
    );
    assert_eq!(read("MySQL", "user", &["a"], 1, 0, Engine::Mysql), Some(SqlReason::SystemTable));
    assert_eq!(
        read("shop", "seq_1_to_9", &["seq"], 1, 0, Engine::Mariadb),
        Some(SqlReason::SystemTable)
    );
}
