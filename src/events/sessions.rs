//! Sessions: one conversation of an agent. They live in memory only.

use crate::ids::{ClientId, SessionId};
use crate::secret::TokenHash;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Facts about sessions (contract, "Identity and session").
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEvent {
    /// An authenticated client began a session; its previous one ends with everything it had.
    Began {
        /// The client whose token came with the call.
        client: ClientId,
        /// Fresh public identifier.
        session: SessionId,
        /// SHA-256 of the fresh session token.
        token_hash: TokenHash,
        /// The agent's own words; proof of nothing.
        label: Option<Arc<str>>,
    },
    /// A read used the session. Sent at most once a second per session; reads change nothing else.
    Used {
        /// The client whose token came with the call.
        client: ClientId,
        /// Which session.
        session: SessionId,
    },
    /// The agent ended its session.
    Ended {
        /// The client whose token came with the call.
        client: ClientId,
        /// SHA-256 of the session token in the call.
        token_hash: TokenHash,
    },
    /// The person ended a session.
    Revoked {
        /// Which session.
        session: SessionId,
    },
}
