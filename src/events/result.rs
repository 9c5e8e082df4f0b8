//! The body of a finished request. In a recorded log it is a digest and a size, never the data.

use crate::value::{Guard, ReadLock, Rows, TableDescription, TableEntry};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// What a request brought back. Two bodies are equal when their digest and size are.
#[derive(Clone)]
pub struct ResultBody {
    payload: Arc<ResultPayload>,
    digest: [u8; 32],
    bytes: u64,
    held_by: Option<ReadLock>,
}

/// The data itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ResultPayload {
    /// Rows of a read.
    Rows {
        /// The rows, already within the limits.
        rows: Rows,
        /// How long the database worked, in milliseconds.
        elapsed_ms: u64,
    },
    /// Candidates of `list_tables`.
    Tables {
        /// The candidates in a stable order.
        tables: Vec<TableEntry>,
        /// True exactly when there are more than are here.
        truncated: bool,
    },
    /// Metadata of one table.
    Table(TableDescription),
    /// A range of a document.
    Text {
        /// First byte of the range in the snapshot.
        from: u64,
        /// The text of the range.
        text: Arc<str>,
        /// Size of the whole snapshot in bytes.
        snapshot_bytes: u64,
    },
    /// A replayed log knows that there was a result, not what it was.
    Withheld,
}

impl ResultBody {
    /// Wraps data with the digest of its serialised form, which nobody outside can make, and its size in bytes.
    #[must_use]
    pub fn new(payload: ResultPayload, digest: [u8; 32], bytes: u64) -> Self {
        let held_by = held_by(&payload);
        Self { payload: Arc::new(payload), digest, bytes, held_by }
    }

    /// The same, of which it is known how its tables were held, as a recorded log tells it.
    #[must_use]
    pub fn held_by(mut self, lock: Option<ReadLock>) -> Self {
        self.held_by = lock;
        self
    }

    /// How tables were held while this was read, as its guards say; none if they say nothing.
    #[must_use]
    pub const fn lock(&self) -> Option<ReadLock> {
        self.held_by
    }

    /// The data, for the hand-over to the agent and nothing else.
    #[must_use]
    pub fn payload(&self) -> &ResultPayload {
        &self.payload
    }

    /// The same body without its data, as a recorded log has it. It compares equal.
    #[must_use]
    pub fn withheld(&self) -> Self {
        Self::new(ResultPayload::Withheld, self.digest, self.bytes).held_by(self.held_by)
    }

    /// Digest of the serialised data.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Size of the serialised data in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

fn held_by(payload: &ResultPayload) -> Option<ReadLock> {
    let guards = match payload {
        ResultPayload::Rows { rows, .. } => &rows.guards,
        ResultPayload::Table(description) => &description.guards,
        ResultPayload::Tables { .. } | ResultPayload::Text { .. } | ResultPayload::Withheld => {
            return None;
        }
    };
    if guards.contains(&Guard::WeakReadLock) {
        Some(ReadLock::Weak)
    } else {
        guards.contains(&Guard::IdentityPinned).then_some(ReadLock::Full)
    }
}

impl PartialEq for ResultBody {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest && self.bytes == other.bytes
    }
}

impl Eq for ResultBody {}

impl std::hash::Hash for ResultBody {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.digest, self.bytes).hash(state);
    }
}

impl fmt::Debug for ResultBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResultBody({} bytes)", self.bytes)
    }
}

/// The form in a recorded log.
#[derive(Serialize, Deserialize)]
struct Recorded {
    digest: [u8; 32],
    bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held_by: Option<ReadLock>,
}

impl Serialize for ResultBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { digest, bytes, held_by, .. } = *self;
        Recorded { digest, bytes, held_by }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ResultBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Recorded { digest, bytes, held_by } = Recorded::deserialize(deserializer)?;
        Ok(Self::new(ResultPayload::Withheld, digest, bytes).held_by(held_by))
    }
}
