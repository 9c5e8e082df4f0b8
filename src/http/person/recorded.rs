//! The recording as a file, and how the program has done so far.

use super::Inside;
use super::failure::Failure;
use crate::reducer::Refusal;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};
use std::convert::Infallible;

/// `GET /api/recording`: one piece after the other, as fast as the browser takes them.
pub(super) async fn recording(State(inside): State<Inside>) -> Result<Response, Failure> {
    let recording = inside.door.store.recording().await.ok_or(Refusal::ServerStopped)?;
    let pieces = recording.pieces().map(Ok::<_, Infallible>);
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
        (
            CONTENT_DISPOSITION,
            HeaderValue::from_static("attachment; filename=\"dbeast-recording.jsonl\""),
        ),
    ];
    Ok((headers, Body::from_stream(stream::iter(pieces))).into_response())
}

/// `GET /api/diagnostics`.
pub(super) async fn diagnostics(State(inside): State<Inside>) -> Result<Json<Value>, Failure> {
    let diagnostics = inside.door.store.diagnostics().await.ok_or(Refusal::ServerStopped)?;
    let recording = diagnostics.recording;
    let invariants: Vec<Value> = diagnostics
        .invariants
        .iter()
        .map(|watched| {
            json!({
                "id": watched.id,
                "sentence": watched.sentence,
                "broken": watched.broken,
                "first_broken_at_ms": watched.first_broken_at.map(|at| at.0),
            })
        })
        .collect();
    Ok(Json(json!({
        "since_ms": diagnostics.since.0,
        "events": diagnostics.events,
        "recording": {
            "from_event": recording.from_seq,
            "events": recording.events,
            "events_max": recording.bounds.events,
            "bytes": recording.bytes,
            "bytes_max": recording.bounds.bytes,
        },
        "invariants": invariants,
    })))
}
