//! Arguments at their limits and one past them. A refusal names the argument and what was expected,
//! and repeats nothing that was sent.

use super::support::{KEY, World};
use dbeast::events::Level;
use serde_json::{Map, Value, json};

/// A tool, an argument as a JSON pointer, a value, and the argument that a refusal names (none: it is
/// no fault of the arguments).
type Case = (&'static str, &'static str, Value, Option<&'static str>);

fn letters(count: usize) -> Value {
    json!("ä".repeat(count))
}

fn names(count: usize) -> Value {
    (0..count).map(|number| json!(format!("c{number}"))).collect()
}

fn cases() -> Vec<Case> {
    vec![
        ("begin_session", "/label", letters(80), None),
        ("begin_session", "/label", letters(81), Some("label")),
        ("begin_session", "/label", json!("a\nb"), Some("label")),
        ("begin_session", "/label", json!("a\u{202e}b"), Some("label")),
        ("begin_session", "/label", json!("a\u{9b}b"), Some("label")),
        ("begin_session", "/label", Value::Null, Some("label")),
        ("begin_session", "/label", json!(7), Some("label")),
        ("begin_session", "/session_token", json!("x"), Some("arguments")),
        ("list_catalog", "/session_token", json!("x"), Some("session_token")),
        (
            "list_catalog",
            "/session_token",
            json!(format!("dbeast_session_{}", "A".repeat(64))),
            Some("session_token"),
        ),
        (
            "list_catalog",
            "/session_token",
            json!(format!("dbeast_session_{}\n", "a".repeat(64))),
            Some("session_token"),
        ),
        ("list_catalog", "/zebra", json!(1), Some("arguments")),
        ("list_tables", "/request_key", json!(KEY.to_uppercase()), None),
        ("list_tables", "/request_key", json!(KEY.replace('-', "")), Some("request_key")),
        ("list_tables", "/request_key", json!(format!("{{{KEY}}}")), Some("request_key")),
        ("list_tables", "/request_key", json!("1"), Some("request_key")),
        ("list_tables", "/source_id", json!(""), Some("source_id")),
        ("list_tables", "/source_id", letters(65), Some("source_id")),
        ("list_tables", "/source_id", json!(["a"]), Some("source_id")),
        ("get_request", "/request_id", letters(65), Some("request_id")),
        ("cancel_request", "/request_id", json!(""), Some("request_id")),
        ("describe_table", "/table", json!("main.orders"), Some("table")),
        ("describe_table", "/table/name", json!("x".repeat(256)), None),
        ("describe_table", "/table/schema", letters(257), Some("table.schema")),
        ("describe_table", "/table/name", json!("a\u{0}"), Some("table.name")),
        ("describe_table", "/table/name", json!(""), Some("table.name")),
        ("describe_table", "/table/zebra", json!("x"), Some("table")),
        ("read_table", "/columns", json!([]), Some("columns")),
        ("read_table", "/columns", names(64), None),
        ("read_table", "/columns", names(65), Some("columns")),
        ("read_table", "/columns", json!(["a", "a"]), Some("columns")),
        ("read_table", "/columns", json!(["a", 7]), Some("columns[1]")),
        ("read_table", "/columns", json!(["a", ""]), Some("columns[1]")),
        ("read_table", "/columns", json!("a"), Some("columns")),
        ("read_table", "/limit", json!(1), None),
        ("read_table", "/limit", json!(500), None),
        ("read_table", "/limit", json!(0), Some("limit")),
        ("read_table", "/limit", json!(501), Some("limit")),
        ("read_table", "/limit", json!(-1), Some("limit")),
        ("read_table", "/limit", json!(1.5), Some("limit")),
        ("read_table", "/limit", json!("5"), Some("limit")),
        ("read_table", "/limit", json!(u64::MAX), Some("limit")),
        ("read_table", "/limit", Value::Null, Some("limit")),
        ("read_table", "/offset", json!(1_000_000), None),
        ("read_table", "/offset", json!(1_000_001), Some("offset")),
        ("read_table", "/where", json!("1=1"), Some("arguments")),
        ("query_sql", "/sql", json!(""), Some("sql")),
        ("query_sql", "/sql", json!("x".repeat(65_537)), Some("sql")),
        // As many characters as the schema allows, but more bytes.
        ("query_sql", "/sql", letters(40_000), Some("sql")),
        ("query_sql", "/sql", json!({"text": "SELECT 1"}), Some("sql")),
        ("request_sql", "/sql", json!("x".repeat(65_536)), None),
        ("request_sql", "/sql", json!("x".repeat(65_537)), Some("sql")),
        ("request_sql", "/sql", letters(32_768), None),
        ("request_sql", "/sql", letters(32_769), Some("sql")),
        ("request_sql", "/sql", json!(""), Some("sql")),
        ("request_sql", "/sql", json!(" \n\t"), Some("sql")),
        ("request_sql", "/sql", json!("delete from main.orders\u{0} where id = 1"), Some("sql")),
        ("request_sql", "/scope", json!("full_sql"), Some("arguments")),
    ]
}

#[tokio::test]
async fn each_limit_holds_at_the_edge() {
    let mut world = World::start().await;
    let agent = world.agent("claude").await;
    let source = world.source().await;
    world.share(&source, &agent, Some(Level::Ask)).await;
    // Nobody runs anything here.
    world.effects.close();
    for (tool, pointer, value, named) in cases() {
        let token = world.begin(&agent).await;
        let mut arguments = right(tool, &token, source.as_str());
        set(&mut arguments, pointer, value);
        let answer = world.says(&agent, tool, arguments.clone()).await;
        let error = &answer["error"];
        match named {
            None => assert!(error.is_null(), "{tool} {pointer}: {answer}"),
            Some(named) => {
                assert_eq!(error["code"], "invalid_input", "{tool} {pointer}: {answer}");
                let message = error["message"].as_str().unwrap();
                assert!(message.starts_with(&format!("{named}: ")), "{tool} {pointer}: {message}");
                assert!(error["hint"].as_str().unwrap().starts_with("Expected "), "{answer}");
                assert!(!answer.to_string().contains("zebra"), "{answer}");
                assert!(answer.to_string().len() < 400, "{answer}");
            }
        }
    }
}

#[tokio::test]
async fn each_required_argument_is_missed_by_name() {
    let world = World::start().await;
    let agent = world.agent("claude").await;
    let source = world.source().await;
    let token = world.begin(&agent).await;
    for tool in [
        "list_catalog",
        "list_tables",
        "describe_table",
        "read_table",
        "query_sql",
        "request_sql",
        "get_request",
    ] {
        let Value::Object(whole) = right(tool, &token, source.as_str()) else { unreachable!() };
        for name in whole.keys() {
            let mut part: Map<String, Value> = whole.clone();
            part.remove(name);
            let answer = world.says(&agent, tool, Value::Object(part)).await;
            let message = answer["error"]["message"].as_str().unwrap();
            assert_eq!(message, format!("{name}: is missing."), "{tool}");
        }
    }
}

fn right(tool: &str, token: &str, source: &str) -> Value {
    let table = json!({ "schema": "main", "name": "orders" });
    match tool {
        "begin_session" => json!({}),
        "list_tables" => json!({ "session_token": token, "source_id": source, "request_key": KEY }),
        "describe_table" => json!({
            "session_token": token, "source_id": source, "request_key": KEY, "table": table }),
        "read_table" => json!({
            "session_token": token, "source_id": source, "request_key": KEY, "table": table,
            "columns": ["id"] }),
        "query_sql" | "request_sql" => json!({
            "session_token": token, "source_id": source, "request_key": KEY,
            "sql": "SELECT id FROM main.orders" }),
        "get_request" | "cancel_request" => {
            json!({ "session_token": token, "request_id": "req_1" })
        }
        _ => json!({ "session_token": token }),
    }
}

fn set(arguments: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    arguments.pointer_mut(parent).unwrap()[name] = value;
}
