//! Databases that the person adds and removes.

use super::body::{Body, Id};
use super::failure::Failure;
use super::{Inside, text};
use crate::effects::ids;
use crate::events::{SourceEvent, SourceLocation};
use crate::ids::SourceId;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a path: what Linux takes.
const PATH_BYTES_MAX: usize = 4096;

/// The body of the call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSource {
    name: String,
    #[serde(default)]
    alias: Option<String>,
    path: String,
}

/// `POST /api/sources`: the file is opened and checked first.
pub(super) async fn add(
    State(inside): State<Inside>,
    Body(new): Body<NewSource>,
) -> Result<(StatusCode, Json<Value>), Failure> {
    let name = text::label("name", &new.name)?;
    let alias = new.alias.as_deref().map(|alias| text::label("alias", alias)).transpose()?;
    let path = absolute(&new.path)?;
    if inside.door.own_files.covers(Path::new(&*path)).await {
        return Err(Failure::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "own_file",
            "This file belongs to DBeast itself.",
            "DBeast's configuration folder and what is in it are never shared; choose another file.",
        ));
    }
    if let Some(known) = known_as(&inside, &path).await {
        return Err(Failure::new(
            StatusCode::CONFLICT,
            "source_exists",
            format!("This database is already a source: {known}."),
            "Share that one. Two sources for one database would have to be taken back twice.",
        ));
    }
    let location = SourceLocation::Sqlite { path };
    (inside.door.probe)(location.clone()).await.map_err(|cannot| {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Failure::new(status, "source_unavailable", cannot.message, cannot.hint)
    })?;
    let source = ids::source()?;
    let answer = json!({ "source_id": source });
    let added = SourceEvent::Added { source, name, alias, location, is_read_only: false };
    inside.door.store.send(added).await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

/// `DELETE /api/sources/{source_id}`.
pub(super) async fn remove(
    State(inside): State<Inside>,
    Id(id): Id,
) -> Result<StatusCode, Failure> {
    let source = SourceId::new(&id);
    inside.door.store.send(SourceEvent::Removed { source }).await?;
    (inside.door.kept)().await;
    Ok(StatusCode::NO_CONTENT)
}

/// The name of the source that is this very file already, under whatever path.
async fn known_as(inside: &Inside, path: &str) -> Option<Arc<str>> {
    let wanted = tokio::fs::canonicalize(path).await.ok();
    for source in inside.door.store.state().sources.values() {
        let SourceLocation::Sqlite { path: known } = &source.location;
        let is_same = &**known == path
            || wanted.is_some() && tokio::fs::canonicalize(&**known).await.ok() == wanted;
        if is_same {
            return Some(source.name.clone());
        }
    }
    None
}

/// The path as the person gave it; it is taken literally, never shortened or expanded.
fn absolute(path: &str) -> Result<Arc<str>, Failure> {
    if path.len() > PATH_BYTES_MAX || path.contains('\0') {
        return Err(Failure::bad_input(
            format!("`path` must be a path of at most {PATH_BYTES_MAX} bytes without zero bytes."),
            "Check the path of the file.",
        ));
    }
    if path.trim().is_empty() {
        return Err(Failure::bad_input(
            "`path` is empty.",
            "Write the whole path of the database file, such as /home/you/data/shop.db.",
        ));
    }
    if !Path::new(path).is_absolute() {
        return Err(Failure::bad_input(
            "`path` must be absolute.",
            "Write the whole path, from the root of the file system; ~ and variables are not expanded.",
        ));
    }
    Ok(Arc::from(path))
}
