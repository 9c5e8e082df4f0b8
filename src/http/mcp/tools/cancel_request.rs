//! `cancel_request`: takes back a request of the caller's own session and blocks its result.

use super::super::answer::{Outcome, request_schema};
use super::super::call::Call;
use super::super::input::{Request, SessionToken};
use super::{Effect, define};
use crate::events::RequestEvent;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) const NAME: &str = "cancel_request";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    session_token: SessionToken,
    request_id: Request,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "Cancel a request",
        "Takes back your pending or running request and blocks its result.",
        Effect::Ends,
        request_schema(),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let token_hash = input.session_token.hash();
    let request = input.request_id.id();
    let cancelled = RequestEvent::Cancelled {
        client: call.client.clone(),
        token_hash,
        request: request.clone(),
    };
    call.store.send(cancelled).await?;
    call.look(&token_hash, &request)
}
