//! The agents' door: `POST /mcp` behind a bearer token, and nothing else.
//!
//! Contract, "Client connection", "Tools", "Results and errors". rmcp speaks the protocol, both
//! 2026-07-28 and the revisions with a handshake, statelessly and with plain JSON answers; identity
//! comes only from the token (`guard`) and the session token in the arguments.
//!
//! Where to start: [`app`], then `agent.rs` (the protocol's side), `call.rs` (who calls and what
//! every request tool does), `tools/` (one file per tool), `answer.rs` (what leaves).
//! What never lives here: rules, drivers, anything that a person may do.

mod agent;
mod answer;
mod call;
mod input;
mod instructions;
mod problem;
mod schema;
mod tools;

pub use super::listener::{CONNECTIONS_MAX, serve};

use super::guard::{self, BODY_BYTES_MAX, Gate};
use crate::store::Store;
use agent::Agent;
use axum::Router;
use axum::middleware::from_fn_with_state;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// The only path.
pub const PATH: &str = "/mcp";

/// What the agents' door is made of.
#[derive(Clone)]
pub struct Door {
    /// The state behind it.
    pub store: Store,
    /// The port on 127.0.0.1 that the listener really has.
    pub port: u16,
}

/// The whole door as a router; it needs no socket.
pub fn app(door: Door) -> Router {
    let Door { store, port } = door;
    let gate = Gate::new(store.clone(), port);
    let agent = Agent::new(store);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_sse_retry(None)
        // The guard has checked all three already; rmcp checks them once more.
        .with_allowed_hosts([guard::authority(port)])
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY_BYTES_MAX);
    let service = StreamableHttpService::new(
        move || Ok(agent.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    Router::new().route_service(PATH, service).layer(from_fn_with_state(gate, guard::agents))
}
