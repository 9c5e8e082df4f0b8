//! What a text means, and that the written text means the same.

use super::{DIALECTS, table};
use crate::reason::SqlReason;
use crate::sql::verify;
use crate::value::Engine;

fn sql(text: &str, dialect: Engine) -> Result<String, SqlReason> {
    verify(text, dialect).map(|verified| verified.sql)
}

fn refused(text: &str, dialect: Engine) -> Option<SqlReason> {
    verify(text, dialect).err()
}

#[test]
fn strings_have_one_meaning_under_every_setting() {
    assert_eq!(sql(r"SELECT 'a\b''c'", Engine::Postgres).as_deref(), Ok(r"SELECT E'a\\b''c'"));
    assert_eq!(sql(r"SELECT E'a\\b''c'", Engine::Postgres).as_deref(), Ok(r"SELECT E'a\\b''c'"));
    assert_eq!(sql(r"SELECT 'a\b''c'", Engine::Sqlite).as_deref(), Ok(r"SELECT 'a\b''c'"));
    assert_eq!(refused(r"SELECT E'a\'' OR 1", Engine::Postgres), Some(SqlReason::StringForm));
    for dialect in [Engine::Mysql, Engine::Mariadb] {
        assert_eq!(refused(r"SELECT 'a\b'", dialect), Some(SqlReason::Backslash));
        assert_eq!(refused(r"SELECT 'a\' OR 1 -- '", dialect), Some(SqlReason::Backslash));
        assert_eq!(sql(r#"SELECT "a'b""c""#, dialect).as_deref(), Ok(r#"SELECT 'a''b"c'"#));
    }
}

#[test]
fn names_are_folded_as_the_engine_does() {
    let text = "SELECT Id, \"Id\" FROM Public.Orders";
    assert_eq!(
        sql(text, Engine::Postgres).as_deref(),
        Ok(r#"SELECT "id", "Id"
FROM "public"."orders" AS "orders""#)
    );
    assert_eq!(
        sql("SELECT Id FROM MAIN.Orders", Engine::Sqlite).as_deref(),
        Ok(r#"SELECT "Id"
FROM "main"."Orders" AS "Orders""#)
    );
    assert_eq!(
        refused("SELECT \u{c9}t\u{e9} FROM public.t", Engine::Postgres),
        Some(SqlReason::NameCase)
    );
    assert!(sql("SELECT \u{e9}t\u{e9} FROM public.t", Engine::Postgres).is_ok());
}

#[test]
fn aliases_are_spelled_as_in_from() {
    let text = "SELECT O.id FROM shop.orders AS o";
    for dialect in [Engine::Mysql, Engine::Mariadb] {
        assert_eq!(
            sql(text, dialect).as_deref(),
            Ok("SELECT `o`.`id`\nFROM `shop`.`orders` AS `o`")
        );
    }
    assert_eq!(
        refused("SELECT \"O\".id FROM public.orders AS o", Engine::Postgres),
        Some(SqlReason::UnknownAlias)
    );
    for dialect in DIALECTS {
        let text = format!("SELECT 1 FROM {0} AS a, {0} AS A", table(dialect));
        assert_eq!(refused(&text, dialect), Some(SqlReason::DuplicateAlias));
    }
}

#[test]
fn operators_are_read_as_the_longest_run() {
    assert_eq!(sql("SELECT 1=-1", Engine::Postgres).as_deref(), Ok("SELECT 1 = (-1)"));
    assert_eq!(
        sql("SELECT 1<>-1, 1*-1", Engine::Mysql).as_deref(),
        Ok("SELECT 1 <> (-1), 1 * (-1)")
    );
    assert_eq!(refused("SELECT 1!=-1", Engine::Postgres), Some(SqlReason::Operator));
    assert_eq!(refused("SELECT 1=@1", Engine::Postgres), Some(SqlReason::Operator));
    assert_eq!(refused("SELECT 1=@a", Engine::Mysql), Some(SqlReason::Variable));
    assert_eq!(sql("SELECT 1/*x*/+/*y*/1", Engine::Postgres).as_deref(), Ok("SELECT 1 + 1"));
    assert_eq!(sql("SELECT 2==2", Engine::Sqlite).as_deref(), Ok("SELECT 2 = 2"));
    for dialect in DIALECTS {
        for operator in
            ["<=>", "===", "<<", "->", "->>", "&", "|", "^", "~", "!", "=>", "&&", "<|", "=<"]
        {
            let text = format!("SELECT 1 {operator} 1");
            assert_eq!(refused(&text, dialect), Some(SqlReason::Operator), "{dialect:?} {text}");
        }
    }
}

#[test]
fn grouping_never_depends_on_precedence() {
    for dialect in DIALECTS {
        let from = table(dialect);
        for filter in [
            "a = b = c",
            "a < b < c",
            "a = b IS NULL",
            "a = NOT b",
            "a LIKE b LIKE c",
            "a BETWEEN b AND c IS NULL",
        ] {
            let text = format!("SELECT 1 FROM {from} WHERE {filter}");
            assert_eq!(
                refused(&text, dialect),
                Some(SqlReason::AmbiguousGrouping),
                "{dialect:?} {text}"
            );
        }
        for filter in [
            "(a = b) = c",
            "NOT a = b",
            "NOT a IS NULL AND b",
            "-a * b < c + 1",
            "a OR b AND NOT c",
        ] {
            let text = format!("SELECT 1 FROM {from} WHERE {filter}");
            assert!(sql(&text, dialect).is_ok(), "{dialect:?} {text}");
        }
    }
    for dialect in [Engine::Sqlite, Engine::Postgres] {
        assert_eq!(refused("SELECT 1 + 2 || 3", dialect), Some(SqlReason::AmbiguousGrouping));
        assert_eq!(
            sql("SELECT (1 + 2) || 3 || (4 || 5)", dialect).as_deref(),
            Ok("SELECT (1 + 2) || 3 || (4 || 5)")
        );
    }
}

#[test]
fn required_columns_leave_out_what_only_the_database_knows() {
    let columns = |text: &str, dialect| {
        let verified = verify(text, dialect).expect("accepted");
        verified
            .columns
            .into_iter()
            .map(|(table, column)| format!("{}.{column}", table.name))
            .collect::<Vec<_>>()
    };
    let one = "SELECT a AS x, lower(x) FROM public.t WHERE b = 1 GROUP BY x, c ORDER BY x, d";
    assert_eq!(columns(one, Engine::Postgres), ["t.a", "t.b", "t.c", "t.d", "t.x"]);
    let one = "SELECT a AS x, c FROM main.t WHERE x = 1 ORDER BY x";
    assert_eq!(columns(one, Engine::Sqlite), ["t.a", "t.c"]);
    let two = "SELECT a, t.b FROM public.t JOIN public.u AS v USING (id) WHERE v.c = d";
    assert_eq!(columns(two, Engine::Postgres), ["t.b", "t.id", "u.c", "u.id"]);
}

#[test]
fn folding_letters_are_no_ascii_letters() {
    for dialect in DIALECTS {
        assert_eq!(refused("\u{17f}ELECT 1", dialect), Some(SqlReason::NotASelect));
        assert_eq!(refused("SELECT \u{17f}um(1)", dialect), Some(SqlReason::FunctionName));
        assert_eq!(refused("SELECT m\u{131}n(1)", dialect), Some(SqlReason::FunctionName));
        assert!(refused("SELECT 1 \u{17f}TRAIGHT 2", dialect).is_some());
    }
}
