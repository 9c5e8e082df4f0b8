//! The person's decisions.

use super::Inside;
use super::body::{Body, Id, Nothing};
use super::failure::Failure;
use super::text;
use crate::events::{RequestEvent, Scope, ServerEvent};
use crate::ids::RequestId;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

/// The body of a denial.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Denial {
    #[serde(default)]
    note: Option<String>,
}

/// `POST /api/requests/{request_id}/allow`: once, exactly the request that was shown.
pub(super) async fn allow(
    State(inside): State<Inside>,
    Id(id): Id,
    Body(Nothing {}): Body<Nothing>,
) -> Result<StatusCode, Failure> {
    let request = RequestId::new(&id);
    inside.door.store.send(RequestEvent::Allowed { request, scope: Scope::Once }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/requests/{request_id}/deny`.
pub(super) async fn deny(
    State(inside): State<Inside>,
    Id(id): Id,
    Body(Denial { note }): Body<Denial>,
) -> Result<StatusCode, Failure> {
    let note = note.as_deref().map(text::note).transpose()?.flatten();
    let request = RequestId::new(&id);
    inside.door.store.send(RequestEvent::Denied { request, note }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/stop-all`: ends every session, cancels all work.
pub(super) async fn stop_all(
    State(inside): State<Inside>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<StatusCode, Failure> {
    inside.door.store.send(ServerEvent::AllStopped).await?;
    Ok(StatusCode::NO_CONTENT)
}
