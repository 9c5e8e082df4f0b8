//! The person's door: everything that the web interface asks and does (`docs/interface.md`).
//!
//! What lives here: the one-time links and cookies ([`Keys`]), the checks of each call (`gate`), and
//! one file per family of calls. A call is read, checked for its form, and becomes one event; what
//! it means is decided by the reducer. What never lives here: rules, drivers, agents' tokens.
//! Start with [`app`].

mod assets;
mod body;
mod connections;
mod enter;
mod failure;
mod gate;
mod keys;
mod own_files;
mod page;
mod peer;
mod place;
mod recorded;
mod requests;
mod sharing;
mod sources;
mod stream;
mod text;

pub use keys::Keys;
pub use own_files::OwnFiles;

use super::listener;
use crate::effects::passwords::Passwords;
use crate::events::SourceLocation;
use crate::secret::Secret;
use crate::store::Store;
use axum::Router;
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::{delete, get, post, put};
use failure::Failure;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// What the door stands on.
#[derive(Clone)]
pub struct Door {
    /// Takes the events and gives the state.
    pub store: Store,
    /// Lets the person in.
    pub keys: Keys,
    /// The port on 127.0.0.1 at which the door listens; part of what every call is checked for.
    pub port: u16,
    /// Opens a database before it is added.
    pub probe: Probe,
    /// The passwords of sources.
    pub passwords: Passwords,
    /// DBeast's own files; they are refused as a source.
    pub own_files: OwnFiles,
    /// Waits until what was taken away is gone from the vault too.
    pub kept: Kept,
}

/// Waits until changes are kept, within a bound of its own. Given from outside.
pub type Kept = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Looks whether a database can be opened. Given from outside, since this folder knows no driver.
/// It must end by itself: nothing here waits for it with a deadline.
pub type Probe = Arc<dyn Fn(Candidate) -> Probing + Send + Sync>;

/// A database that might become a source.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where it is.
    pub location: SourceLocation,
    /// The password of the account there.
    pub password: Option<Secret>,
}

/// A look at a database under way.
pub type Probing = Pin<Box<dyn Future<Output = Result<(), ProbeError>> + Send>>;

/// Why a database cannot be added, in words for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeError {
    /// What was wrong.
    pub message: String,
    /// What to do next.
    pub hint: String,
}

/// Below here, and below a part that only the browser which was let in knows, the page and all calls
/// are once more: the browser sends its cookie nowhere else. What that part is need not be checked;
/// it is the cookie that lets in.
const AT: &str = "/at";

/// The door with what only its calls need.
#[derive(Clone)]
struct Inside {
    door: Door,
    streams: Arc<Semaphore>,
}

/// All routes of the door with all checks.
pub fn app(door: Door) -> Router {
    let inside = Inside { door, streams: Arc::new(Semaphore::new(stream::STREAMS_MAX)) };
    Router::new()
        .route("/open/{key}", get(enter::open).head(enter::not_this_way))
        .nest("/api", calls(&inside))
        .nest(&format!("{AT}/{{place}}/api"), calls(&inside))
        .route(&format!("{AT}/{{place}}/"), get(assets::index))
        .fallback(assets::serve)
        .method_not_allowed_fallback(async || Failure::wrong_method())
        .layer(from_fn_with_state(inside.clone(), gate::check))
        .layer(map_response(gate::protect))
        .with_state(inside)
}

fn calls(inside: &Inside) -> Router<Inside> {
    Router::new()
        .route("/snapshot", get(stream::snapshot))
        .route("/stream", get(stream::stream))
        .route("/sources", post(sources::add))
        .route("/sources/{source_id}", delete(sources::remove).patch(sources::change))
        .route("/clients", post(connections::create))
        .route("/clients/{client_id}", delete(connections::revoke))
        .route("/sessions/{session_id}", delete(connections::end_session))
        .route("/sharing", put(sharing::set))
        .route("/sharing/table", put(sharing::set_table))
        .route("/grants/{grant_id}", delete(requests::take_back))
        .route("/requests/{request_id}/allow", post(requests::allow))
        .route("/requests/{request_id}/deny", post(requests::deny))
        .route("/stop-all", post(requests::stop_all))
        .route("/recording", get(recorded::recording))
        .route("/diagnostics", get(recorded::diagnostics))
        .fallback(async || Failure::unknown_path())
        .method_not_allowed_fallback(async || Failure::wrong_method())
        .layer(from_fn_with_state(inside.clone(), gate::admit))
}

/// Serves the door until `shutdown` is cancelled. Open streams end at once, other calls finish.
pub async fn serve(
    listener: TcpListener,
    door: Door,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let keys = door.keys.clone();
    let closed = shutdown.clone();
    tokio::spawn(async move {
        closed.cancelled().await;
        keys.close();
    });
    listener::serve(listener, app(door), shutdown).await
}
