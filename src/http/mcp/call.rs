//! One tool call: who calls, and what all tools that make a request do alike.
//!
//! Identity is the client behind the bearer token, which the guard found, and the session token in
//! the arguments. Transport sessions, `clientInfo` and JSON-RPC identifiers are never looked at
//! (contract, "Identity and session").

use super::answer::{Answer, Outcome};
use super::input::{Key, SessionToken, Source};
use super::problem::ToolError;
use crate::effects::ids;
use crate::events::{
    ArgumentsDigest, Operation, RefusedText, RequestEvent, SessionEvent, Submission, Target,
    TextTool, VerifiedRead,
};
use crate::ids::{ClientId, RequestId, RequestKey, SourceId};
use crate::reason::SqlReason;
use crate::reducer::limits::SESSION_USE_INTERVAL;
use crate::reducer::{Answer as Move, Refusal, State, read};
use crate::secret::TokenHash;
use crate::sql;
use crate::store::Store;
use crate::time::Duration;
use crate::value::{Engine, TableName};
use serde::Serialize;
use std::sync::Arc;

/// How long a call may wait for a request that needs no decision (design, decision 7).
const WAIT: Duration = Duration(250);

/// A tool call of an authenticated client.
pub(super) struct Call {
    pub(super) store: Store,
    pub(super) client: ClientId,
}

/// What all tools that make a request have in common.
pub(super) struct Intent {
    token: TokenHash,
    key: RequestKey,
    digest: ArgumentsDigest,
    source: SourceId,
}

impl Intent {
    /// From the arguments that every such tool has.
    pub(super) fn new(
        digest: ArgumentsDigest,
        session_token: SessionToken,
        request_key: &Key,
        source: &Source,
    ) -> Self {
        let (key, source) = (request_key.canonical(), source.id());
        Self { token: session_token.hash(), key, digest, source }
    }
}

impl Call {
    /// Whether the client still exists; the person may have revoked it since the guard looked.
    pub(super) fn is_live(&self) -> bool {
        self.store.state().clients.contains_key(&self.client)
    }

    /// Enters the session: it must be live and the client's own. Its use is noted, at most once a
    /// second. Returns the state to read from.
    pub(super) async fn enter(&self, token: &TokenHash) -> Result<Arc<State>, Refusal> {
        let state = self.store.state();
        let now = self.store.now();
        let (session, live) = state.session_of(&self.client, token, now)?;
        if live.last_used_at.plus(SESSION_USE_INTERVAL) > now {
            return Ok(state);
        }
        let used = SessionEvent::Used { client: self.client.clone(), session: session.clone() };
        self.store.send(used).await?;
        Ok(self.store.state())
    }

    /// Asks, unless the key shows that it was asked already, and answers as `get_request` would: at
    /// once if a person has to decide, otherwise after a short wait for the result.
    ///
    /// `prove` turns the arguments into an operation for the source's engine. The reducer checks
    /// key, source and its configuration again, so nothing rests on what was read here.
    pub(super) async fn ask(
        &self,
        intent: Intent,
        prove: impl FnOnce(Engine) -> Operation,
    ) -> Outcome {
        let Intent { token, key, digest, source } = intent;
        let (state, now) = (self.enter(&token).await?, self.store.now());
        let known = read::reserved(&state, &self.client, &token, &key, &digest, now)?;
        let id = if let Some(id) = known {
            id.clone()
        } else {
            let found =
                read::source(&state, &self.client, &source).ok_or(Refusal::ResourceUnavailable)?;
            let submission = Submission {
                request: ids::request()?,
                client: self.client.clone(),
                token_hash: token,
                key,
                digest,
                target: Target::Source { source, generation: found.generation },
                operation: prove(found.location.engine()),
            };
            self.submit(submission).await?
        };
        self.wait(&id).await;
        self.look(&token, &id)
    }

    async fn submit(&self, submission: Submission) -> Result<RequestId, Refusal> {
        let fresh = submission.request.clone();
        match self.store.send(RequestEvent::Submitted(Box::new(submission))).await? {
            Move::Request { request, .. } => Ok(request),
            Move::Done => Ok(fresh),
        }
    }

    /// Waits while the request has its authorisation and no end.
    async fn wait(&self, id: &RequestId) {
        let mut states = self.store.follow();
        let ended = states.wait_for(|state| {
            !state.requests.get(id).is_some_and(|request| {
                request.authorisation.is_some() && !request.status.is_final()
            })
        });
        // Whether it ended or the time did: the answer is read from the state.
        let _ = tokio::time::timeout(WAIT.to_std(), ended).await;
    }

    /// One request of this session as it is now.
    pub(super) fn look(&self, token: &TokenHash, id: &RequestId) -> Outcome {
        let state = self.store.state();
        let reading = read::request(&state, &self.client, token, id, self.store.now())?;
        Ok(Answer::request(id, &reading))
    }
}

/// Digest of a tool and its typed arguments, defaults filled in. The arguments' own types leave the
/// session token and the request key out; `serde_json` writes objects in one order.
pub(super) fn digest<T: Serialize>(tool: &str, input: &T) -> Result<ArgumentsDigest, ToolError> {
    let arguments = serde_json::to_value(input)
        .map_err(|_| ToolError::invalid("arguments", "cannot be read", "the tool's arguments"))?;
    let text = format!("{tool}\0{arguments}");
    Ok(ArgumentsDigest(ids::sha256(text.as_bytes())))
}

/// A proven statement as it travels in a request.
pub(super) fn read_of(verified: sql::Verified) -> Arc<VerifiedRead> {
    let sql::Verified { sql, tables, columns, .. } = verified;
    Arc::new(VerifiedRead { sql: sql.into(), tables, columns })
}

/// A call that names a table which no verified read can name.
pub(super) fn refused_table(tool: TextTool, table: &TableName, reason: SqlReason) -> Operation {
    let sql = format!("{}.{}", table.schema, table.name).into();
    Operation::Refused { text: RefusedText { tool, sql, reason } }
}
