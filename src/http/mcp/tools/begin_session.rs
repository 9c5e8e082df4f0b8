//! `begin_session`: a new session, with deadlines, limits and instructions, and no permission.

use super::super::answer::{Answer, Outcome, object};
use super::super::call::Call;
use super::super::input::{Label, SQL_BYTES_MAX};
use super::super::instructions::INSTRUCTIONS;
use super::{Effect, define};
use crate::effects::ids;
use crate::events::SessionEvent;
use crate::http::guard::{BODY_BYTES_MAX, REQUESTS_MAX};
use crate::reducer::{Refusal, limits};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const NAME: &str = "begin_session";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    #[serde(default)]
    #[schemars(with = "Label")]
    label: Option<Label>,
}

pub(super) fn tool() -> Tool {
    define::<Input>(
        NAME,
        "Begin a session",
        "Start here, once per conversation. Returns a private session_token for all other tools, \
         limits and instructions. It grants no access. Ends this connection's previous session.",
        Effect::Begins,
        object(json!({
            "session_id": { "type": "string" },
            "session_token": { "type": "string" },
            "expires": { "type": "object" },
            "generation": { "type": "integer" },
            "permissions": { "type": "array", "items": {} },
            "limits": { "type": "object" },
            "instructions": { "type": "string" },
        })),
    )
}

pub(super) async fn run(call: &Call, input: Input) -> Outcome {
    let session = ids::session()?;
    let token = ids::session_token()?;
    let token_hash = ids::hash_token(token.reveal());
    let began = SessionEvent::Began {
        client: call.client.clone(),
        session: session.clone(),
        token_hash,
        label: input.label.map(|label| Arc::from(label.as_str())),
    };
    call.store.send(began).await?;
    let state = call.store.state();
    let live = state.sessions.get(&session).ok_or(Refusal::SessionExpired)?;
    Ok(Answer::short(json!({
        "session_id": session.as_str(),
        "session_token": token.reveal(),
        "expires": {
            "idle_ms": limits::SESSION_IDLE.0,
            "lifetime_ms": limits::SESSION_LIFETIME.0,
            "at_ms": live.began_at.plus(limits::SESSION_LIFETIME).0,
        },
        "generation": state.server.generation.0,
        "permissions": [],
        "limits": basic_limits(),
        "instructions": INSTRUCTIONS,
    })))
}

/// Contract, "Limits": the client reads the basic limits here.
fn basic_limits() -> Value {
    json!({
        "http_body_bytes": BODY_BYTES_MAX,
        "concurrent_http_requests": REQUESTS_MAX,
        "sql_bytes": SQL_BYTES_MAX,
        "operations_per_session": limits::TASKS_PER_SESSION_MAX,
        "operations": limits::TASKS_MAX,
        "pending_per_session": limits::PENDING_PER_SESSION_MAX,
        "pending": limits::PENDING_MAX,
        "sessions": limits::SESSIONS_MAX,
        "decision_ms": limits::DECISION.0,
        "operation_ms": limits::OPERATION.0,
        "rows": limits::ROWS_MAX,
        "result_bytes": limits::RESULT_BYTES_MAX,
        "cell_bytes": limits::CELL_BYTES_MAX,
        "response_bytes": limits::RESPONSE_BYTES_MAX,
        "retention_ms": limits::RETENTION.0,
        "stored_requests": limits::REQUESTS_MAX,
        "request_keys_per_session": limits::KEYS_PER_SESSION_MAX,
    })
}
