//! `list_tables`: a request for the names and kinds of a source's tables.

use super::super::answer::{Outcome, request_schema};
use super::super::call::{Call, Intent, digest};
use super::super::input::{Key, SessionToken, Source};
use super::{Effect, define};
use crate::events::Operation;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "list_tables";

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    #[serde(skip_serializing)]
    session_token: SessionToken,
    source_id: Source,
    #[serde(skip_serializing)]
    request_key: Key,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "List tables",
        "Candidate tables of a source: schema, name, kind. Each is verified when it is described \
         or read.",
        Effect::Reads,
        request_schema(),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let digest = digest(NAME, &input)?;
    let intent = Intent::new(digest, input.session_token, &input.request_key, &input.source_id);
    call.ask(intent, |_| Operation::ListTables).await
}
