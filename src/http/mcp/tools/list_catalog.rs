//! `list_catalog`: what is shared with this connection. Opens no database.

use super::super::answer::{Answer, Outcome, object};
use super::super::call::Call;
use super::super::input::SessionToken;
use super::{Effect, define};
use crate::events::TableLevel;
use crate::reducer::read;
use crate::reducer::state::Source;
use crate::value::TableName;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) const NAME: &str = "list_catalog";

/// What can be asked of a source, in the order of `tools/list`.
const OPERATIONS: [&str; 5] = [
    super::list_tables::NAME,
    super::describe_table::NAME,
    super::read_table::NAME,
    super::query_sql::NAME,
    super::request_sql::NAME,
];

/// Whether it can be asked of this source: one that never accepts writes has no Full SQL.
fn is_offered(operation: &str, source: &Source) -> bool {
    operation != super::request_sql::NAME || !source.is_read_only
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    session_token: SessionToken,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "List the shared catalog",
        "Shared sources: opaque source_id, alias, engine and shared_access (ask: a person approves \
         each request; read: verified reads run at once; read_write: request_sql too), which only the \
         person in DBeast can change. Opens no database.",
        Effect::Reads,
        object(json!({
            "sources": { "type": "array", "items": { "type": "object" } },
            "documents": { "type": "array", "items": { "type": "object" } },
        })),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let state = call.enter(&input.session_token.hash()).await?;
    let sources = read::catalog(&state, &call.client);
    Ok(Answer::short(json!({
        "sources": sources.iter().map(entry).collect::<Value>(),
        "documents": [],
    })))
}

/// Nothing of the source's name, place or account (contract, "Resources and permissions").
fn entry(entry: &read::CatalogEntry<'_>) -> Value {
    let offered = OPERATIONS.into_iter().filter(|name| is_offered(name, entry.details));
    json!({
        "source_id": entry.source.as_str(),
        "alias": &*entry.details.alias,
        "engine": entry.details.location.engine().word(),
        "operations": offered.collect::<Value>(),
        "shared_access": entry.level.word(),
        "shared_tables": entry.tables.iter().map(table).collect::<Value>(),
    })
}

fn table((table, level): (&TableName, &TableLevel)) -> Value {
    json!({ "schema": table.schema, "name": table.name, "access": level.word() })
}
