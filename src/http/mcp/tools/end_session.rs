//! `end_session`: everything of the session ends: its grants, its work and its results.

use super::super::answer::{Answer, Outcome, object};
use super::super::call::Call;
use super::super::input::SessionToken;
use super::{Effect, define};
use crate::events::SessionEvent;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(super) const NAME: &str = "end_session";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    session_token: SessionToken,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "End the session",
        "Call when finished: drops all grants of the session, cancels its work, deletes results.",
        Effect::Ends,
        object(json!({ "ended": { "type": "boolean" } })),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let ended =
        SessionEvent::Ended { client: call.client.clone(), token_hash: input.session_token.hash() };
    call.store.send(ended).await?;
    Ok(Answer::short(json!({ "ended": true })))
}
