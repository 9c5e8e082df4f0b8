//! What leaves: the JSON of a request, twice (structure and text), never above the limit of one
//! answer (contract, "Results and errors" and "Limits").

use super::problem::{self, ToolError};
use crate::events::{ResultBody, ResultPayload};
use crate::ids::RequestId;
use crate::reducer::ErrorCode;
use crate::reducer::limits::RESPONSE_BYTES_MAX;
use crate::reducer::read::Reading;
use crate::reducer::state::{Problem, Status};
use crate::value::{Cell, ResultLimit, Rows, TableDescription, TableEntry};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What a tool has to say.
pub(super) type Outcome = Result<Answer, ToolError>;

/// Room for what the protocol puts around an answer, without the identifier of the call. Ours.
const ENVELOPE_BYTES: usize = 1024;
/// How values are written (contract, "Results and errors").
const VALUE_ENCODING: &str =
    r#"Non-null scalar values are exact text. Binary values use {"binary_hex":"..."}."#;

/// An answer in the making. Its list, if it has one, may be cut to fit.
#[derive(Debug)]
pub(super) struct Answer {
    body: Value,
    list: Option<List>,
}

/// The part of a result that may be long.
#[derive(Debug)]
struct List {
    /// Its name in `result`.
    name: &'static str,
    items: Vec<Value>,
}

impl Answer {
    /// An answer that is short by its nature.
    pub(super) const fn short(body: Value) -> Self {
        Self { body, list: None }
    }

    /// A request as its own agent sees it.
    pub(super) fn request(id: &RequestId, reading: &Reading<'_>) -> Self {
        let (result, list) = reading.result.map_or((Value::Null, None), result);
        let mut body = json!({
            "request_id": id.as_str(),
            "status": reading.status.word(),
            "result": result,
            "poll_after_ms": reading.poll_after_ms,
        });
        let error = match (reading.problem, reading.status) {
            (Some(problem), _) => Some(problem::of_request(problem)),
            (None, Status::ResultExpired) => Some(problem::of_expired_result()),
            (None, _) => None,
        };
        if let Some(fields) = body.as_object_mut() {
            if let Some(error) = error {
                fields.insert("error".to_owned(), error.to_json());
            }
            if let Some(Problem::Denied { note: Some(note) }) = reading.problem {
                fields.insert("note".to_owned(), Value::from(&**note));
            }
        }
        Self { body, list }
    }
}

/// The answer as the protocol carries it. `id_bytes` is the size of the call's own identifier, which
/// the protocol repeats.
pub(super) fn deliver(outcome: Outcome, id_bytes: usize) -> CallToolResult {
    let budget = RESPONSE_BYTES_MAX.saturating_sub(ENVELOPE_BYTES).saturating_sub(id_bytes);
    match outcome.and_then(|answer| fit(answer, budget)) {
        Ok((body, text)) => twice(body, text, false),
        Err(error) => {
            let body = json!({ "error": error.to_json() });
            let text = body.to_string();
            twice(body, text, true)
        }
    }
}

fn twice(body: Value, text: String, is_error: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result =
        if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(body);
    result
}

/// Cuts the list from its end until both representations fit, and says so.
fn fit(answer: Answer, budget: usize) -> Result<(Value, String), ToolError> {
    let Answer { mut body, list } = answer;
    let mut used = size(&body.to_string());
    if let Some(List { name, items }) = list {
        let all = items.len();
        let mut kept = Vec::with_capacity(all);
        for item in items {
            // Two commas; the list is empty in what was counted before.
            used = used.saturating_add(size(&item.to_string())).saturating_add(2);
            if used > budget {
                break;
            }
            kept.push(item);
        }
        if let Some(result) = body.get_mut("result").and_then(Value::as_object_mut) {
            if kept.len() < all {
                result.insert("truncated".to_owned(), Value::Bool(true));
                if let Some(limit) = result.get_mut("truncated_by") {
                    *limit = json!(ResultLimit::ResponseBytes);
                }
            }
            result.insert(name.to_owned(), Value::Array(kept));
        }
    }
    let text = body.to_string();
    if size(&text) > budget {
        return Err(ToolError::new(
            ErrorCode::LimitExceeded,
            "The answer is larger than one answer may be.",
            "Ask for less, with a fresh request_key.",
        ));
    }
    Ok((body, text))
}

/// Bytes of a JSON text that leaves as structure and again as a JSON string. A JSON text has no
/// control characters, so that only quotes and backslashes grow.
fn size(json: &str) -> usize {
    let escapes = json.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    json.len().saturating_mul(2).saturating_add(escapes)
}

fn result(body: &ResultBody) -> (Value, Option<List>) {
    match body.payload() {
        ResultPayload::Rows { rows, elapsed_ms } => rows_result(rows, *elapsed_ms),
        ResultPayload::Tables { tables, truncated } => {
            let items = tables.iter().map(table_entry).collect();
            (json!({ "tables": [], "truncated": truncated }), Some(List { name: "tables", items }))
        }
        ResultPayload::Table(description) => (table_description(description), None),
        ResultPayload::Text { from, text, snapshot_bytes } => {
            let value = json!({ "from": from, "text": text, "snapshot_bytes": snapshot_bytes });
            (value, None)
        }
        ResultPayload::Withheld => (Value::Null, None),
    }
}

fn rows_result(rows: &Rows, elapsed_ms: u64) -> (Value, Option<List>) {
    let value = json!({
        "columns": rows.columns,
        "rows": [],
        "truncated": rows.is_truncated(),
        "truncated_by": rows.truncated_by,
        "bytes": rows.bytes,
        "affected_rows": rows.affected_rows,
        "elapsed_ms": elapsed_ms,
        "value_encoding": VALUE_ENCODING,
        "guards": rows.guards,
    });
    let items = rows.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    (value, Some(List { name: "rows", items }))
}

fn cell(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Text(text) => Value::from(text.as_str()),
        Cell::Binary(bytes) => json!({ "binary_hex": hex(bytes) }),
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn table_entry(entry: &TableEntry) -> Value {
    json!({ "schema": entry.table.schema, "name": entry.table.name, "kind": entry.kind })
}

fn table_description(description: &TableDescription) -> Value {
    let columns = description.columns.iter().map(|column| {
        json!({
            "name": column.name,
            "declared_type": column.declared_type,
            "nullable": column.nullable,
            "primary_key_position": column.primary_key_position,
        })
    });
    json!({
        "schema": description.table.schema,
        "name": description.table.name,
        "columns": columns.collect::<Value>(),
        "guards": description.guards,
    })
}

/// The output schema of everything that answers with a request. Errors have the same schema, since
/// clients check them against it too, so nothing is required.
pub(super) fn request_schema() -> JsonObject {
    object(json!({
        "request_id": { "type": "string" },
        "status": { "type": "string" },
        "result": { "type": ["object", "null"] },
        "poll_after_ms": { "type": ["integer", "null"] },
        "note": { "type": "string" },
    }))
}

/// An output schema with these fields, or an error.
pub(super) fn object(properties: Value) -> JsonObject {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), Value::from("object"));
    let mut properties = match properties {
        Value::Object(properties) => properties,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            JsonObject::new()
        }
    };
    properties.insert("error".to_owned(), json!({ "type": "object" }));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema
}
