//! Everything that an agent may be told about what did not work: a code of the contract, static
//! words and a hint. No text of a driver and nothing that an agent sent can get in here.

use super::schema::Mismatch;
use crate::effects::ids::NoRandomness;
use crate::reason::{Class, DatabaseReason, Reason};
use crate::reducer::state::Problem;
use crate::reducer::{ErrorCode, Refusal};
use serde_json::{Value, json};
use std::borrow::Cow;

/// An error as an agent reads it (contract, "Results and errors").
#[derive(Debug)]
pub(super) struct ToolError {
    code: ErrorCode,
    reason: Option<&'static str>,
    message: Cow<'static, str>,
    hint: Cow<'static, str>,
}

impl ToolError {
    pub(super) const fn new(code: ErrorCode, message: &'static str, hint: &'static str) -> Self {
        Self { code, reason: None, message: Cow::Borrowed(message), hint: Cow::Borrowed(hint) }
    }

    /// An argument that is not of its form.
    pub(super) fn invalid(argument: &str, wrong: &str, expected: &str) -> Self {
        Self {
            code: ErrorCode::InvalidInput,
            reason: None,
            message: Cow::Owned(format!("{argument}: {wrong}.")),
            hint: Cow::Owned(format!("Expected {expected}.")),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let mut error = json!({
            "code": self.code.word(),
            "message": self.message,
            "hint": self.hint,
        });
        if let (Some(reason), Some(fields)) = (self.reason, error.as_object_mut()) {
            fields.insert("reason".to_owned(), Value::from(reason));
        }
        error
    }
}

impl From<Mismatch> for ToolError {
    fn from(mismatch: Mismatch) -> Self {
        Self::invalid(&mismatch.argument, mismatch.wrong, &mismatch.expected)
    }
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        let reason = refusal.reason().map(Reason::code);
        Self { reason, ..Self::new(refusal.code(), refusal.message(), refusal.hint()) }
    }
}

impl From<NoRandomness> for ToolError {
    fn from(_: NoRandomness) -> Self {
        Self::new(
            ErrorCode::ExecutionFailed,
            "The operating system gave no randomness, so nothing was begun.",
            "Tell the person.",
        )
    }
}

/// Why a request has no result.
pub(super) fn of_request(problem: &Problem) -> ToolError {
    match problem {
        Problem::Denied { .. } => ToolError::new(
            ErrorCode::PermissionDenied,
            "The person denied this request.",
            "Do not send it again as it is. Ask the person, or ask for less.",
        ),
        Problem::DecisionExpired => ToolError::new(
            ErrorCode::PermissionDenied,
            "Nobody approved this request in time, or it could not start in time.",
            "Ask whether the person is there, then send it with a fresh request_key.",
        ),
        Problem::DeadlineExceeded => ToolError::new(
            ErrorCode::LimitExceeded,
            "The operation took longer than its deadline and was stopped.",
            "Read or join less, then send it with a fresh request_key.",
        ),
        Problem::Failed(reason) => of_reason(*reason),
        Problem::Cancelled => ToolError::new(
            ErrorCode::Cancelled,
            "The request was cancelled.",
            "If it is needed after all, send it with a fresh request_key.",
        ),
        Problem::Revoked => ToolError::new(
            ErrorCode::PermissionDenied,
            "The access that this request stood on was taken away.",
            "Call list_catalog to see what is shared now.",
        ),
        Problem::OutcomeUnknown => ToolError::new(
            ErrorCode::OutcomeUnknown,
            "The statement was sent and nobody can say whether it took effect.",
            "Do not send it again. Read the data to see, and tell the person.",
        ),
        Problem::ResultRevoked => ToolError::new(
            ErrorCode::PermissionDenied,
            "The statement took effect earlier; access to its result was taken away.",
            "Do not send it again. Call list_catalog to see what is shared now.",
        ),
    }
}

/// The result was there and is gone (contract, "Idempotency and freshness").
pub(super) const fn of_expired_result() -> ToolError {
    ToolError::new(
        ErrorCode::ResourceUnavailable,
        "The result was kept for its time and is gone. Nothing ran again.",
        "If it is still needed, send the request with a fresh request_key.",
    )
}

fn of_reason(reason: Reason) -> ToolError {
    let code = match reason {
        Reason::Sql(_) => ErrorCode::UnsupportedSafeRead,
        Reason::Database(reason) => code_of(reason),
    };
    let hint = match code {
        ErrorCode::UnsupportedSafeRead => {
            "Change what is asked; it never runs another way by itself."
        }
        ErrorCode::LimitExceeded => "Ask for less, with a fresh request_key.",
        ErrorCode::InvalidInput
        | ErrorCode::SessionExpired
        | ErrorCode::PermissionDenied
        | ErrorCode::ResourceUnavailable
        | ErrorCode::RequestConflict
        | ErrorCode::Cancelled
        | ErrorCode::OutcomeUnknown
        | ErrorCode::ExecutionFailed => "Nothing was changed. A new try needs a fresh request_key.",
    };
    ToolError { reason: Some(reason.code()), ..ToolError::new(code, reason.message(), hint) }
}

const fn code_of(reason: DatabaseReason) -> ErrorCode {
    match reason.class() {
        Class::Refused => ErrorCode::UnsupportedSafeRead,
        Class::Limit => ErrorCode::LimitExceeded,
        Class::Cancelled => ErrorCode::Cancelled,
        Class::Failed => ErrorCode::ExecutionFailed,
        Class::Unknown => ErrorCode::OutcomeUnknown,
    }
}
