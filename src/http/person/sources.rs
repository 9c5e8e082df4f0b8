//! Databases that the person adds, changes and removes.

use super::body::{Body, Id};
use super::failure::Failure;
use super::place::{self, Form};
use super::{Candidate, Inside, text};
use crate::effects::ids;
use crate::events::{ServerPlace, SourceChange, SourceEvent, SourceLocation};
use crate::ids::SourceId;
use crate::reducer::Refusal;
use crate::value::{Engine, ReadLock};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The body of the call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSource {
    name: String,
    #[serde(default)]
    alias: Option<String>,
    #[serde(default)]
    read_only: bool,
    /// SQLite if it is not said.
    #[serde(default)]
    engine: Option<Engine>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    host: Option<String>,
    #[serde(default)]
    port: Option<i64>,
    #[serde(default)]
    database: Option<String>,
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    password: Option<String>,
}

/// `POST /api/sources`: the database is opened and checked first.
pub(super) async fn add(
    State(inside): State<Inside>,
    Body(new): Body<NewSource>,
) -> Result<(StatusCode, Json<Value>), Failure> {
    let NewSource { name, alias, read_only, engine, path, host, port, database, user, password } =
        new;
    let name = text::label("name", &name)?;
    let alias = alias.as_deref().map(|alias| text::label("alias", alias)).transpose()?;
    let engine = engine.unwrap_or(Engine::Sqlite);
    let form = Form { engine, path, host, port, database, user, password };
    let (location, password) = form.read()?;
    check_own(&inside, &location).await?;
    if let Some(known) = known_as(&inside, &location).await {
        return Err(Failure::new(
            StatusCode::CONFLICT,
            "source_exists",
            format!("This database is already a source: {known}."),
            "Share that one. Two sources for one database would have to be taken back twice.",
        ));
    }
    probe(&inside, Candidate { location: location.clone(), password: password.clone() }).await?;
    let source = ids::source()?;
    let answer = json!({ "source_id": source });
    // Before the event, so that nobody finds the source without it.
    let passwords = &inside.door.passwords;
    passwords.set(&source, password);
    let added = SourceEvent::Added {
        source: source.clone(),
        name,
        alias,
        location,
        is_read_only: read_only,
    };
    if let Err(refusal) = inside.door.store.send(added).await {
        passwords.set(&source, None);
        return Err(refusal.into());
    }
    Ok((StatusCode::CREATED, Json(answer)))
}

/// The body of the call; what is not there stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Changes {
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    read_lock: Option<ReadLock>,
    #[serde(default)]
    read_only: Option<bool>,
}

/// `PATCH /api/sources/{source_id}`: another configuration of it, to which nothing that was granted carries over.
pub(super) async fn change(
    State(inside): State<Inside>,
    Id(id): Id,
    Body(changes): Body<Changes>,
) -> Result<StatusCode, Failure> {
    let source = SourceId::new(&id);
    let Changes { password, read_lock, read_only } = changes;
    if password.is_none() && read_lock.is_none() && read_only.is_none() {
        return Err(Failure::bad_input(
            "Nothing is to be changed.",
            "Send `password`, `read_lock` or `read_only`.",
        ));
    }
    if let Some(password) = password {
        change_password(&inside, &source, password).await?;
    }
    if read_lock.is_some() {
        check_lock(&inside, &source)?;
    }
    let lock = read_lock.map(|lock| SourceChange::ReadLock { lock });
    let read_only = read_only.map(|is_read_only| SourceChange::ReadOnly { is_read_only });
    for change in lock.into_iter().chain(read_only) {
        let source = source.clone();
        inside.door.store.send(SourceEvent::Changed { source, change }).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Only PostgreSQL has two locks to choose from.
fn check_lock(inside: &Inside, source: &SourceId) -> Result<(), Failure> {
    let known = inside.door.store.state().sources.get(source).cloned().ok_or(Refusal::Unknown)?;
    if matches!(known.location, SourceLocation::Postgres(_)) {
        return Ok(());
    }
    Err(Failure::bad_input(
        "This source has no read lock to choose; only PostgreSQL has.",
        "Leave `read_lock` out.",
    ))
}

/// Tries the new password first. What was granted under the old one ends.
async fn change_password(
    inside: &Inside,
    source: &SourceId,
    password: String,
) -> Result<(), Failure> {
    let password = place::read_password(password)?;
    let known = inside.door.store.state().sources.get(source).cloned();
    let location = known.ok_or(Refusal::Unknown)?.location.clone();
    if location.server().is_none() {
        return Err(Failure::bad_input(
            "This source is a file and has no password.",
            "Leave `password` out.",
        ));
    }
    probe(inside, Candidate { location, password: password.clone() }).await?;
    let passwords = &inside.door.passwords;
    let before = passwords.set(source, password);
    let changed = SourceEvent::Changed { source: source.clone(), change: SourceChange::Password };
    if let Err(refusal) = inside.door.store.send(changed).await {
        // A source that was removed meanwhile has none any more.
        let is_there = inside.door.store.state().sources.contains_key(source);
        passwords.set(source, before.filter(|_| is_there));
        return Err(refusal.into());
    }
    Ok(())
}

/// `DELETE /api/sources/{source_id}`.
pub(super) async fn remove(
    State(inside): State<Inside>,
    Id(id): Id,
) -> Result<StatusCode, Failure> {
    let source = SourceId::new(&id);
    inside.door.store.send(SourceEvent::Removed { source: source.clone() }).await?;
    inside.door.passwords.set(&source, None);
    (inside.door.kept)().await;
    Ok(StatusCode::NO_CONTENT)
}

async fn probe(inside: &Inside, candidate: Candidate) -> Result<(), Failure> {
    (inside.door.probe)(candidate).await.map_err(|cannot| {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Failure::new(status, "source_unavailable", cannot.message, cannot.hint)
    })
}

async fn check_own(inside: &Inside, location: &SourceLocation) -> Result<(), Failure> {
    let is_own = match location {
        SourceLocation::Sqlite { path } => inside.door.own_files.covers(Path::new(&**path)).await,
        SourceLocation::Postgres(_) | SourceLocation::Mysql(_) | SourceLocation::Mariadb(_) => {
            false
        }
    };
    if is_own {
        return Err(Failure::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "own_file",
            "This file belongs to DBeast itself.",
            "DBeast's configuration folder and what is in it are never shared; choose another file.",
        ));
    }
    Ok(())
}

/// The name of the source that is this very database already: the same file under whatever path, or the same
/// database of a server with the same account. With another account it may do something else.
async fn known_as(inside: &Inside, location: &SourceLocation) -> Option<Arc<str>> {
    let state = inside.door.store.state();
    match location {
        SourceLocation::Sqlite { path } => {
            let wanted = tokio::fs::canonicalize(&**path).await.ok();
            for source in state.sources.values() {
                let SourceLocation::Sqlite { path: known } = &source.location else { continue };
                let is_same = known == path
                    || wanted.is_some() && tokio::fs::canonicalize(&**known).await.ok() == wanted;
                if is_same {
                    return Some(source.name.clone());
                }
            }
            None
        }
        SourceLocation::Postgres(place)
        | SourceLocation::Mysql(place)
        | SourceLocation::Mariadb(place) => {
            let parts = |place: &ServerPlace| {
                (place.port, Arc::clone(&place.database), Arc::clone(&place.user))
            };
            let is_same = |known: &SourceLocation| {
                known.engine() == location.engine()
                    && known.server().is_some_and(|known| {
                        known.host.eq_ignore_ascii_case(&place.host) && parts(known) == parts(place)
                    })
            };
            let known = state.sources.values().find(|source| is_same(&source.location));
            known.map(|source| source.name.clone())
        }
    }
}
