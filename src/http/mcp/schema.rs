//! Input schemas (JSON Schema 2020-12) and the check of arguments against them.
//!
//! The schema in `tools/list` is the document that is enforced, so an agent is never judged against
//! rules that it cannot read. The words of a refusal come from here and from the schema, never from
//! the arguments: what an agent sent is not echoed.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::collections::BTreeSet;

/// The exact form of a session token.
pub(super) const TOKEN: &str = "^dbeast_session_[0-9a-f]{64}$";
/// A name without NUL.
pub(super) const BARE_NAME: &str = r"^[^\u0000]*$";
/// Words on one line: no control characters, line separators or changes of text direction, which
/// could make the person read something else.
pub(super) const BARE_WORDS: &str =
    r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]*$";
/// A UUID with hyphens, in any case.
pub(super) const KEY_FORMAT: &str = "uuid";

/// Arguments that are not of the tool's form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// Which argument, by the schema's names, for example `table.schema`.
    pub(super) argument: String,
    /// What was wrong, in static words.
    pub(super) wrong: &'static str,
    /// What was expected, from the schema.
    pub(super) expected: String,
}

/// The schema of a tool's arguments, without references and without what only repeats the protocol.
pub(super) fn of<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.remove("description");
    let mut schema = schema.to_value();
    trim(&mut schema);
    match schema {
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            JsonObject::new()
        }
    }
}

/// Drops what only says how the arguments' types are serialised, at every depth.
fn trim(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    schema.remove("writeOnly");
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(trim);
    }
    if let Some(items) = schema.get_mut("items") {
        trim(items);
    }
}

/// Checks arguments against the schema of their tool.
pub(super) fn check(schema: &JsonObject, arguments: &JsonObject) -> Result<(), Mismatch> {
    check_object("", schema, arguments)
}

fn check_object(path: &str, schema: &JsonObject, object: &JsonObject) -> Result<(), Mismatch> {
    let empty = JsonObject::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    if object.keys().any(|name| !properties.contains_key(name)) {
        let all: Vec<&str> = properties.keys().map(String::as_str).collect();
        let expected = match all.as_slice() {
            [] => "no arguments".to_owned(),
            all => format!("only {}", all.join(", ")),
        };
        return Err(mismatch(path, "holds a name that does not exist here", expected));
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(name) {
            let inner = properties.get(name).and_then(Value::as_object).unwrap_or(&empty);
            return Err(mismatch(&join(path, name), "is missing", expected(inner)));
        }
    }
    for (name, inner) in properties {
        if let (Some(value), Some(inner)) = (object.get(name), inner.as_object()) {
            check_value(&join(path, name), inner, value)?;
        }
    }
    Ok(())
}

fn check_value(path: &str, schema: &JsonObject, value: &Value) -> Result<(), Mismatch> {
    let wrong = |what| Err(mismatch(path, what, expected(schema)));
    match (word(schema, "type"), value) {
        (Some("object"), Value::Object(object)) => check_object(path, schema, object),
        (Some("array"), Value::Array(items)) => check_items(path, schema, items),
        (Some("string"), Value::String(text)) => match text_fault(schema, text) {
            Some(what) => wrong(what),
            None => Ok(()),
        },
        (Some("integer"), Value::Number(number)) => {
            let Some(number) = number.as_i64() else { return wrong("is no whole number") };
            if bound(schema, "minimum").is_some_and(|least| number < least) {
                return wrong("is too small");
            }
            if bound(schema, "maximum").is_some_and(|most| number > most) {
                return wrong("is too large");
            }
            Ok(())
        }
        _ => wrong("has the wrong type"),
    }
}

fn check_items(path: &str, schema: &JsonObject, items: &[Value]) -> Result<(), Mismatch> {
    let wrong = |what| Err(mismatch(path, what, expected(schema)));
    if is_above(schema, "maxItems", items.len()) {
        return wrong("holds too many items");
    }
    if is_below(schema, "minItems", items.len()) {
        return wrong("holds too few items");
    }
    if let Some(inner) = schema.get("items").and_then(Value::as_object) {
        for (index, item) in items.iter().enumerate() {
            check_value(&format!("{path}[{index}]"), inner, item)?;
        }
    }
    let distinct: BTreeSet<String> = items.iter().map(Value::to_string).collect();
    let must_differ = schema.get("uniqueItems") == Some(&Value::Bool(true));
    if must_differ && distinct.len() < items.len() {
        return wrong("holds an item twice");
    }
    Ok(())
}

fn text_fault(schema: &JsonObject, text: &str) -> Option<&'static str> {
    let characters = text.chars().count();
    if is_below(schema, "minLength", characters) {
        return Some("is too short");
    }
    if is_above(schema, "maxLength", characters) {
        return Some("is too long");
    }
    let is_formed = [word(schema, "pattern"), word(schema, "format")]
        .into_iter()
        .flatten()
        .all(|form| has_form(form, text));
    (!is_formed).then_some("has the wrong form")
}

/// Every pattern and format that a schema may name. One that is not here admits nothing.
fn has_form(form: &str, text: &str) -> bool {
    match form {
        TOKEN => text.strip_prefix("dbeast_session_").is_some_and(|rest| {
            rest.len() == 64 && rest.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        }),
        KEY_FORMAT => is_uuid(text),
        BARE_NAME => !text.contains('\0'),
        BARE_WORDS => !text.chars().any(|c| {
            c.is_control()
                || matches!(c, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
                || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}')
        }),
        _ => false,
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// What the schema asks for, in words.
fn expected(schema: &JsonObject) -> String {
    let range =
        |least: &str, most: &str, what: &str| match (bound(schema, least), bound(schema, most)) {
            (Some(least), Some(most)) => format!("{what} from {least} to {most}"),
            (None, Some(most)) => format!("{what} up to {most}"),
            (_, None) => what.to_owned(),
        };
    match word(schema, "type") {
        Some("integer") => range("minimum", "maximum", "a whole number"),
        Some("array") => range("minItems", "maxItems", "a list of different items, their number"),
        Some("object") => {
            let names = schema.get("required").and_then(Value::as_array);
            let names: Vec<&str> = names.into_iter().flatten().filter_map(Value::as_str).collect();
            format!("an object with {}", names.join(" and "))
        }
        _ => match (word(schema, "pattern"), word(schema, "format")) {
            (Some(TOKEN), _) => "the session_token that begin_session returned".to_owned(),
            (_, Some(KEY_FORMAT)) => {
                "a UUID such as 123e4567-e89b-42d3-a456-426614174000".to_owned()
            }
            (Some(BARE_NAME), _) => {
                range("minLength", "maxLength", "a text without NUL, its length in characters")
            }
            (Some(BARE_WORDS), _) => range(
                "minLength",
                "maxLength",
                "a text without control or direction characters, its length in characters",
            ),
            _ => range("minLength", "maxLength", "a text, its length in characters"),
        },
    }
}

fn mismatch(path: &str, wrong: &'static str, expected: String) -> Mismatch {
    let argument = if path.is_empty() { "arguments" } else { path };
    Mismatch { argument: argument.to_owned(), wrong, expected }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn word<'a>(schema: &'a JsonObject, name: &str) -> Option<&'a str> {
    schema.get(name).and_then(Value::as_str)
}

fn bound(schema: &JsonObject, name: &str) -> Option<i64> {
    schema.get(name).and_then(Value::as_i64)
}

fn is_above(schema: &JsonObject, name: &str, count: usize) -> bool {
    bound(schema, name).is_some_and(|most| i64::try_from(count).is_ok_and(|count| count > most))
}

fn is_below(schema: &JsonObject, name: &str, count: usize) -> bool {
    bound(schema, name).is_some_and(|least| i64::try_from(count).is_ok_and(|count| count < least))
}
