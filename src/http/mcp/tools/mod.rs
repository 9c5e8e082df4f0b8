//! One file per tool, each with the same parts in the same order: its arguments, `tool()` (what an
//! agent reads about it) and `run()` (check, act, answer). What never lives here: rules; they are in
//! `reducer`. The order below is the order of `tools/list`, the order in which an agent needs them.

mod begin_session;
mod cancel_request;
mod describe_table;
mod end_session;
mod get_request;
mod list_catalog;
mod list_tables;
mod query_sql;
mod read_table;
mod request_sql;

use super::answer::Outcome;
use super::call::Call;
use super::problem::ToolError;
use super::schema;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Every tool, in a fixed order.
pub(super) fn all() -> Vec<Tool> {
    vec![
        begin_session::tool(),
        list_catalog::tool(),
        list_tables::tool(),
        describe_table::tool(),
        read_table::tool(),
        query_sql::tool(),
        request_sql::tool(),
        get_request::tool(),
        cancel_request::tool(),
        end_session::tool(),
    ]
}

/// Runs a tool whose arguments were checked against its schema.
pub(super) async fn run(call: &Call, name: &str, arguments: JsonObject) -> Outcome {
    match name {
        begin_session::NAME => begin_session::run(call, parse(arguments)?).await,
        list_catalog::NAME => list_catalog::run(call, parse(arguments)?).await,
        list_tables::NAME => list_tables::run(call, parse(arguments)?).await,
        describe_table::NAME => describe_table::run(call, parse(arguments)?).await,
        read_table::NAME => read_table::run(call, parse(arguments)?).await,
        query_sql::NAME => query_sql::run(call, parse(arguments)?).await,
        request_sql::NAME => request_sql::run(call, parse(arguments)?).await,
        get_request::NAME => get_request::run(call, parse(arguments)?).await,
        cancel_request::NAME => cancel_request::run(call, parse(arguments)?).await,
        end_session::NAME => end_session::run(call, parse(arguments)?).await,
        _ => Err(ToolError::invalid("name", "is no tool", "a name of tools/list")),
    }
}

/// The types say once more what the schema said.
fn parse<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, ToolError> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|_| ToolError::invalid("arguments", "do not fit", "what the input schema says"))
}

/// What calling a tool does to the world.
#[derive(Clone, Copy)]
enum Effect {
    /// Changes nothing; the same call again is harmless.
    Reads,
    /// Makes something new with each call.
    Begins,
    /// Ends something; again ends nothing more.
    Ends,
    /// May change data, and whatever else the account of a source can reach; the same call again runs nothing
    /// again. Only this one destroys anything or reaches beyond what the person shared.
    Writes,
}

fn define<T: JsonSchema>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: Effect,
    output: JsonObject,
) -> Tool {
    let annotations = ToolAnnotations::new()
        .read_only(matches!(effect, Effect::Reads))
        .destructive(matches!(effect, Effect::Writes))
        .idempotent(!matches!(effect, Effect::Begins))
        .open_world(matches!(effect, Effect::Writes));
    let mut tool = Tool::new(name, description, schema::of::<T>());
    tool.title = Some(title.to_owned());
    tool.output_schema = Some(output.into());
    tool.annotations = Some(annotations);
    tool
}
