//! Agent connections: the person makes and revokes them.

use crate::ids::ClientId;
use crate::secret::TokenHash;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Facts about agent connections (contract, "Client connection").
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientEvent {
    /// The person created a connection. The token itself is shown once and stored nowhere.
    Created {
        /// Fresh identifier.
        client: ClientId,
        /// The person's name for it.
        label: Arc<str>,
        /// SHA-256 of its token.
        token_hash: TokenHash,
    },
    /// The person revoked a connection. Its token is dead for good.
    Revoked {
        /// Which one.
        client: ClientId,
    },
}
