//! The person's decisions.

use super::Inside;
use super::body::{Body, Id, Nothing};
use super::failure::Failure;
use super::text;
use crate::events::{GrantEvent, RequestEvent, Scope, ServerEvent};
use crate::ids::{GrantId, RequestId};
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

/// The body of a yes. What is not said is the narrowest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Allowance {
    #[serde(default)]
    scope: Reach,
}

/// How far a yes reaches. Which of them fit a request, its `scopes` say.
#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reach {
    #[default]
    Once,
    Table,
    Source,
    FullSql,
    Document,
}

impl From<Reach> for Scope {
    fn from(reach: Reach) -> Self {
        match reach {
            Reach::Once => Self::Once,
            Reach::Table => Self::Table,
            Reach::Source => Self::Source,
            Reach::FullSql => Self::FullSql,
            Reach::Document => Self::Document,
        }
    }
}

/// The body of a denial.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Denial {
    #[serde(default)]
    note: Option<String>,
}

/// `POST /api/requests/{request_id}/allow`: the request that was shown, and with a scope what else is like it
/// in its session.
pub(super) async fn allow(
    State(inside): State<Inside>,
    Id(id): Id,
    Body(Allowance { scope }): Body<Allowance>,
) -> Result<StatusCode, Failure> {
    let request = RequestId::new(&id);
    inside.door.store.send(RequestEvent::Allowed { request, scope: scope.into() }).await?;
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

/// `DELETE /api/grants/{grant_id}`: what ran on it alone ends with it. Grants live in memory only, so there is
/// nothing to wait for.
pub(super) async fn take_back(
    State(inside): State<Inside>,
    Id(id): Id,
) -> Result<StatusCode, Failure> {
    // One way to write a number, so that nothing but an identifier of the view is one.
    let number = id.parse::<u64>().ok().filter(|number| number.to_string() == id);
    let grant = GrantId(number.ok_or_else(Failure::not_found)?);
    inside.door.store.send(GrantEvent::Revoked { grant }).await?;
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
