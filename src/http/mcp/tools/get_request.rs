//! `get_request`: one request of the caller's own session. Nothing runs again.

use super::super::answer::{Outcome, request_schema};
use super::super::call::Call;
use super::super::input::{Request, SessionToken};
use super::{Effect, define};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) const NAME: &str = "get_request";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    session_token: SessionToken,
    request_id: Request,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "Get a request",
        "Status and result of your request: pending (waits for a person in DBeast; do not \
         submit it again), running, completed, failed, denied, \
         cancelled, expired, revoked, result_expired, outcome_unknown (a write may have taken effect; never \
         send it again) or completed_result_revoked. Ask again after poll_after_ms; null means it is final.",
        Effect::Reads,
        request_schema(),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let token = input.session_token.hash();
    call.enter(&token).await?;
    call.look(&token, &input.request_id.id())
}
