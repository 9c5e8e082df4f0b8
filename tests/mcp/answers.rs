//! The size of an answer: both representations, escapes and the protocol's own parts together never
//! exceed 1 MiB, and what was cut is said.

use super::support::{Agent, KEY, World, completed, query, request_id, rows, text};
use dbeast::events::{Level, RequestEvent, ResultPayload, Scope, TaskOutcome};
use dbeast::value::{Cell, TableEntry, TableName};
use serde_json::{Value, json};

const RESPONSE_BYTES_MAX: usize = 1024 * 1024;

/// The whole answer to `get_request` for a request that ended so, and its size.
async fn delivered(outcome: TaskOutcome, call_id: &Value) -> (Value, usize) {
    let mut world = World::start().await;
    let agent: Agent = world.agent("claude").await;
    let source = world.source().await;
    world.share(&source, &agent, Some(Level::Ask)).await;
    let token = world.begin(&agent).await;
    let asked = world.says(&agent, "query_sql", query(&token, &source, KEY)).await;
    world.happens(RequestEvent::Allowed { request: request_id(&asked), scope: Scope::Once }).await;
    let (task, _) = world.work().await;
    world.finish(task, outcome).await;
    let call = json!({
        "jsonrpc": "2.0", "id": call_id, "method": "tools/call",
        "params": { "name": "get_request", "arguments": {
            "session_token": token, "request_id": asked["request_id"] } },
    });
    let body = world.post(&agent, &call).await;
    (serde_json::from_slice(&body).unwrap(), body.len())
}

fn result(answer: &Value) -> &Value {
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
    &result["structuredContent"]["result"]
}

#[tokio::test]
async fn a_result_of_the_largest_size_with_the_worst_escapes_is_cut_and_says_so() {
    // 256 KiB in rows of 4 KiB: quotes, backslashes, control characters, and characters of 4 bytes.
    for (character, times) in [("\"", 4096), ("\\", 4096), ("\u{1}", 4096), ("\u{1F980}", 1024)] {
        let row = vec![text(&character.repeat(times))];
        let outcome = rows(&["value"], vec![row; 64], false);
        let (answer, bytes) = delivered(outcome, &json!(1)).await;
        assert!(bytes <= RESPONSE_BYTES_MAX, "{character:?}: {bytes}");
        let result = result(&answer);
        let kept = result["rows"].as_array().unwrap().len();
        assert_eq!(result["truncated"], json!(kept < 64), "{character:?}: {kept}");
        // The worst: six bytes for each character, and seven more in the text.
        assert!(kept >= 19, "{character:?}: only {kept} rows were kept");
    }
}

/// Bytes of a row in compact JSON, which is what drivers count.
fn row_bytes(row: &[Cell]) -> usize {
    let cell = |cell: &Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Text(text) => text.clone().into(),
        Cell::Binary(bytes) => json!({ "binary_hex": "00".repeat(bytes.len()) }),
    };
    Value::Array(row.iter().map(cell).collect()).to_string().len()
}

#[tokio::test]
async fn whatever_a_driver_hands_out_is_answered_whole() {
    let widest: Vec<Cell> = (0..64).map(|_| text("\\")).collect();
    let written: [Vec<Cell>; 6] = [
        // What PostgreSQL writes for json, for arrays of texts, of json and of binary data, and for a composite.
        vec![
            text("{\"a\": \"\\u00e9\\n\", \"b\": [null, 1e400]}"),
            text("{\"q\\\"\\\\ {}\",NULL,\"\"}"),
            text("{\"{\\\"a\\\": \\\"\\\\\\\"\\\"}\"}"),
            text("{\"\\\\x00ff\"}"),
            text("(1,\"(2,\"\"x,y\"\")\")"),
        ],
        vec![Cell::Binary(vec![0xff; 3]), Cell::Null, Cell::Binary(Vec::new())],
        vec![text(&"\u{1}".repeat(1000))],
        vec![text(&"\"".repeat(1000)), text("\u{1F980}\u{7f}\u{2028}")],
        vec![text("")],
        widest,
    ];
    for row in written {
        let columns: Vec<String> = (0..row.len()).map(|n| format!("\"{n}\\")).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let frame = json!(columns).to_string().len() + 2;
        let fit = (256 * 1024 - frame) / (row_bytes(&row) + 1);
        let count = fit.min(500);
        let (answer, bytes) =
            delivered(rows(&columns, vec![row.clone(); count], false), &json!(1)).await;
        assert!(bytes <= RESPONSE_BYTES_MAX, "{row:?}: {bytes}");
        assert_eq!(result(&answer)["truncated"], false, "{row:?}");
        assert_eq!(result(&answer)["rows"].as_array().map(Vec::len), Some(count), "{row:?}");
    }
}

#[tokio::test]
async fn the_last_row_that_fits_is_kept() {
    let row = || vec![text(&"\u{1}".repeat(1000)), Cell::Null];
    let (answer, bytes) = delivered(rows(&["a", "b"], vec![row(); 500], false), &json!(1)).await;
    assert!(bytes <= RESPONSE_BYTES_MAX);
    // One row is about 13 KiB in both representations.
    assert!(bytes > RESPONSE_BYTES_MAX - 15 * 1024, "{bytes}");
    assert_eq!(result(&answer)["truncated"], true);
}

#[tokio::test]
async fn a_result_that_fits_is_whole() {
    let outcome = rows(&["value"], vec![vec![text("\"\\\u{1}\n\u{7f}\u{2028}é")]], false);
    let (answer, _) = delivered(outcome, &json!(1)).await;
    assert_eq!(result(&answer)["truncated"], false);
    assert_eq!(result(&answer)["rows"], json!([["\"\\\u{1}\n\u{7f}\u{2028}é"]]));
}

#[tokio::test]
async fn the_callers_own_identifier_counts() {
    let id = json!("\u{1}\"".repeat(20_000));
    let outcome = rows(&["value"], vec![vec![text(&"\"".repeat(4096))]; 500], false);
    let (answer, bytes) = delivered(outcome, &id).await;
    assert_eq!(answer["id"], id);
    assert!(bytes <= RESPONSE_BYTES_MAX, "{bytes}");
}

#[tokio::test]
async fn long_lists_of_tables_are_cut_too() {
    let entry = |number: u32| TableEntry {
        table: TableName { schema: "main".into(), name: format!("\"\u{1}table {number}") },
        kind: "table".into(),
    };
    let tables = (0..20_000).map(entry).collect();
    let (answer, bytes) =
        delivered(completed(ResultPayload::Tables { tables, truncated: false }), &json!(1)).await;
    assert!(bytes <= RESPONSE_BYTES_MAX, "{bytes}");
    assert_eq!(result(&answer)["truncated"], true);
}

#[tokio::test]
async fn what_cannot_be_cut_is_a_limit_error() {
    let columns: Vec<String> = (0..64).map(|n| format!("{n}{}", "\"".repeat(8000))).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let (answer, bytes) = delivered(rows(&columns, vec![], false), &json!(1)).await;
    assert!(bytes < 2048, "{bytes}");
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "limit_exceeded");
}
