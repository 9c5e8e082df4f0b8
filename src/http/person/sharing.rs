//! Standing access.

use super::Inside;
use super::body::Body;
use super::{failure::Failure, text};
use crate::events::{Audience, Level, SharingEvent, TableLevel};
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

/// The body of the call for one table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableWish {
    source_id: String,
    audience: Whom,
    table: Names,
    level: HowMuchOfATable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    schema: String,
    name: String,
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
    ReadWrite,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum HowMuchOfATable {
    None,
    Read,
    ReadWrite,
}

/// `PUT /api/sharing`.
pub(super) async fn set(
    State(inside): State<Inside>,
    Body(wish): Body<Wish>,
) -> Result<StatusCode, Failure> {
    let source = SourceId::new(known(&wish.source_id)?);
    let audience = audience(&wish.audience)?;
    let level = match wish.level {
        HowMuch::None => None,
        HowMuch::Ask => Some(Level::Ask),
        HowMuch::Read => Some(Level::Read),
        HowMuch::ReadWrite => Some(Level::ReadWrite),
    };
    inside.door.store.send(SharingEvent::Set { source, audience, level }).await?;
    (inside.door.kept)().await;
    Ok(StatusCode::NO_CONTENT)
}

/// `PUT /api/sharing/table`: the source must be shared with the audience already.
pub(super) async fn set_table(
    State(inside): State<Inside>,
    Body(wish): Body<TableWish>,
) -> Result<StatusCode, Failure> {
    let source = SourceId::new(known(&wish.source_id)?);
    let audience = audience(&wish.audience)?;
    let table = text::table(wish.table.schema, wish.table.name)?;
    let level = match wish.level {
        HowMuchOfATable::None => None,
        HowMuchOfATable::Read => Some(TableLevel::Read),
        HowMuchOfATable::ReadWrite => Some(TableLevel::ReadWrite),
    };
    inside.door.store.send(SharingEvent::TableSet { source, audience, table, level }).await?;
    (inside.door.kept)().await;
    Ok(StatusCode::NO_CONTENT)
}

fn audience(whom: &Whom) -> Result<Audience, Failure> {
    Ok(match whom {
        Whom::AllAgents => Audience::AllAgents,
        Whom::ClientId(client) => Audience::Client(ClientId::new(known(client)?)),
    })
}

fn known(id: &str) -> Result<&str, Failure> {
    if id.len() > ID_BYTES_MAX { Err(Failure::not_found()) } else { Ok(id) }
}
