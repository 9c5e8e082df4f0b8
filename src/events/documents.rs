//! Documents: texts that the person has open, and which of them agents may ask for.

use super::{Audience, WithheldText};
use crate::ids::FileId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Facts about documents (contract, "Resources and permissions"). Agents read snapshots, never files.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentEvent {
    /// The person opened a document. It is shared with nobody.
    Opened {
        /// Fresh identifier; it is also what agents see, and says nothing about the file.
        file: FileId,
        /// The person's name for it; agents never see it.
        name: Arc<str>,
        /// The name that agents see. None takes a generic one, such as `Open document 1`.
        alias: Option<Arc<str>>,
        /// What kind of text it is.
        kind: DocumentKind,
        /// Its text: the first snapshot.
        text: WithheldText,
    },
    /// Its text changed: a new snapshot. Refused if it is too large; then the sender closes it.
    Changed {
        /// Which document.
        file: FileId,
        /// The new text.
        text: WithheldText,
    },
    /// The person went back to the text on disk: what was asked of it before ends. If that text is too large
    /// for agents, the document is closed for them.
    Reverted {
        /// Which document.
        file: FileId,
        /// The text on disk.
        text: WithheldText,
    },
    /// The person closed it: everything that was granted on it ends.
    Closed {
        /// Which document.
        file: FileId,
    },
    /// The person let agents see it in the catalog, or not any more.
    Shared {
        /// Which document.
        file: FileId,
        /// For whom.
        audience: Audience,
        /// Whether it is shared from now on.
        is_shared: bool,
    },
}

/// Kinds of documents, as the catalog names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// A text of SQL statements.
    Sql,
    /// Any other text.
    Text,
}

impl DocumentKind {
    /// The word in the catalog.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sql => "sql",
            Self::Text => "text",
        }
    }
}

/// A range of a snapshot, with exactly the text that the person decides about and the agent gets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Excerpt {
    /// First byte of the range in the snapshot.
    pub from: u64,
    /// The text of the range.
    pub text: WithheldText,
    /// Size of the whole snapshot in bytes.
    pub snapshot_bytes: u64,
}
