//! Reading what a call brings: its JSON body and the identifier in its path. Whatever is wrong with
//! them becomes our own error, never the framework's.

use super::failure::Failure;
use crate::ids::ID_BYTES_MAX;
use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use http_body_util::LengthLimitError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::error::Error;

/// Bytes of one body. The longest call (a source with its path) needs a tenth of it.
pub(super) const BODY_BYTES_MAX: usize = 64 * 1024;

/// A JSON body of exactly this form.
pub(super) struct Body<T>(pub(super) T);

/// The body of a call that says everything by its path: `{}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(call: Request, _: &S) -> Result<Self, Failure> {
        if !is_json(call.headers()) {
            return Err(Failure::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "not_json",
                "The body of this call must be JSON.",
                "Send the header Content-Type: application/json.",
            ));
        }
        if declared_length(call.headers()).is_some_and(|length| length > BODY_BYTES_MAX) {
            return Err(too_long());
        }
        let bytes = to_bytes(call.into_body(), BODY_BYTES_MAX).await.map_err(|error| {
            let is_too_long = error.source().is_some_and(<dyn Error>::is::<LengthLimitError>);
            if is_too_long { too_long() } else { broken_off() }
        })?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            Failure::bad_input(
                format!("The body is not what this call takes: {error}."),
                "See docs/interface.md for the fields of each call.",
            )
        })
    }
}

/// The identifier in the path. What cannot be one is found nowhere.
pub(super) struct Id(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path(named) = Path::<Vec<(String, String)>>::from_request_parts(parts, state)
            .await
            .map_err(|_| Failure::not_found())?;
        // A place may stand before it.
        let (_, id) = named.into_iter().next_back().ok_or_else(Failure::not_found)?;
        if id.len() > ID_BYTES_MAX { Err(Failure::not_found()) } else { Ok(Self(id)) }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let Ok(value) = value.to_str() else { return false };
    let kind = value.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_long() -> Failure {
    Failure::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too_long",
        "The body of this call is longer than 64 KiB.",
        "Shorten the texts in it.",
    )
}

fn broken_off() -> Failure {
    Failure::bad_input("The body of this call broke off.", "Make the call again.")
}
