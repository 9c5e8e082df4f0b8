//! Standing access.

use super::Inside;
use super::body::Body;
use super::failure::Failure;
use crate::events::{Audience, Level, SharingEvent};
use crate::ids::{ClientId, ID_BYTES_MAX, SourceId};
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

/// The body of the call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    source_id: String,
    audience: Whom,
    level: HowMuch,
}

/// `"all_agents"` or `{"client_id": "…"}`.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Whom {
    AllAgents,
    ClientId(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum HowMuch {
    None,
    Ask,
    Read,
}

/// `PUT /api/sharing`.
pub(super) async fn set(
    State(inside): State<Inside>,
    Body(wish): Body<Wish>,
) -> Result<StatusCode, Failure> {
    let source = SourceId::new(known(&wish.source_id)?);
    let audience = match &wish.audience {
        Whom::AllAgents => Audience::AllAgents,
        Whom::ClientId(client) => Audience::Client(ClientId::new(known(client)?)),
    };
    let level = match wish.level {
        HowMuch::None => None,
        HowMuch::Ask => Some(Level::Ask),
        HowMuch::Read => Some(Level::Read),
    };
    inside.door.store.send(SharingEvent::Set { source, audience, level }).await?;
    (inside.door.kept)().await;
    Ok(StatusCode::NO_CONTENT)
}

fn known(id: &str) -> Result<&str, Failure> {
    if id.len() > ID_BYTES_MAX { Err(Failure::not_found()) } else { Ok(id) }
}
