//! The one error that leaves this door: a status, a stable code, what was wrong, what to do next.

use crate::effects::ids::NoRandomness;
use crate::reducer::Refusal;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::borrow::Cow;

/// How the person gets in again.
pub(super) const FRESH_LINK: &str =
    "Take a fresh link from the terminal in which DBeast runs, and open it once in this browser.";

/// A call that did not succeed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) message: Cow<'static, str>,
    pub(super) hint: Cow<'static, str>,
}

impl Failure {
    pub(super) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { status, code, message: message.into(), hint: hint.into() }
    }

    pub(super) fn bad_input(
        message: impl Into<Cow<'static, str>>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_input", message, hint)
    }

    pub(super) fn not_let_in() -> Self {
        let message = "This browser is not let in, or not any more.";
        Self::new(StatusCode::UNAUTHORIZED, "not_let_in", message, FRESH_LINK)
    }

    pub(super) fn wrong_host(authority: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "wrong_host",
            "The call was not made to the address of this interface.",
            format!("Use http://{authority}/ exactly."),
        )
    }

    pub(super) fn wrong_origin(origin: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "wrong_origin",
            "The call does not come from a page of this interface.",
            format!("Open {origin}/ in the address bar and act there."),
        )
    }

    pub(super) fn unknown_path() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "unknown_path",
            "There is nothing at this address.",
            "See docs/interface.md for the calls; the interface itself is at /.",
        )
    }

    pub(super) fn wrong_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "wrong_method",
            "This address does not take calls of this method.",
            "See docs/interface.md for the calls.",
        )
    }

    pub(super) fn not_found() -> Self {
        Refusal::Unknown.into()
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let (status, code) = match refusal {
            Refusal::Unknown | Refusal::ResourceUnavailable => (StatusCode::NOT_FOUND, "not_found"),
            Refusal::NotPending
            | Refusal::AlreadyAllowed
            | Refusal::LateAnswer
            | Refusal::VersionChanged => (StatusCode::CONFLICT, "state_changed"),
            Refusal::ClientLimit
            | Refusal::SourceLimit
            | Refusal::SessionPendingLimit
            | Refusal::PendingLimit
            | Refusal::KeyLimit
            | Refusal::DocumentLimit
            | Refusal::SnapshotTooLarge
            | Refusal::SnapshotsTooLarge
            | Refusal::SharedTableLimit
            | Refusal::GrantLimit => (StatusCode::CONFLICT, "limit_reached"),
            Refusal::IdentifierInUse
            | Refusal::RequestConflict
            | Refusal::NotAtStart
            | Refusal::SourceReadOnly => (StatusCode::CONFLICT, "conflict"),
            Refusal::ScopeDoesNotFit => (StatusCode::UNPROCESSABLE_ENTITY, "scope_does_not_fit"),
            Refusal::SettingDoesNotFit => {
                (StatusCode::UNPROCESSABLE_ENTITY, "setting_does_not_fit")
            }
            Refusal::Unsupported(_) => (StatusCode::UNPROCESSABLE_ENTITY, "unsupported"),
            Refusal::ServerStopped | Refusal::SessionExpired => {
                (StatusCode::CONFLICT, "server_stopped")
            }
        };
        Self::new(status, code, refusal.message(), refusal.hint())
    }
}

impl From<NoRandomness> for Failure {
    fn from(cause: NoRandomness) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "no_randomness",
            format!("Nothing was changed: {cause}."),
            "Try again; if it stays so, restart the computer.",
        )
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Self { status, code, message, hint } = self;
        let body = json!({ "error": { "code": code, "message": message, "hint": hint } });
        (status, Json(body)).into_response()
    }
}
