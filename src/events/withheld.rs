//! Texts that a recorded log must not hold: the text of documents and the words of drivers. In a log
//! stand their digest and size.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// A text that stays out of logs. Two are equal when their digest and size are, so a replay compares
/// states without the text.
#[derive(Clone)]
pub struct WithheldText {
    text: Option<Arc<str>>,
    digest: [u8; 32],
    bytes: u64,
}

impl WithheldText {
    /// Wraps a text with its digest, which nobody outside can make.
    #[must_use]
    pub fn new(text: Arc<str>, digest: [u8; 32]) -> Self {
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        Self { text: Some(text), digest, bytes }
    }

    /// The text, for whom it is meant; none in a replay.
    #[must_use]
    pub const fn text(&self) -> Option<&Arc<str>> {
        self.text.as_ref()
    }

    /// Size of the text in bytes of UTF-8.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The same, without the text: equal to this one.
    #[must_use]
    pub const fn without_text(&self) -> Self {
        Self { text: None, digest: self.digest, bytes: self.bytes }
    }
}

impl WithheldText {
    /// Digest of the text.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }
}

impl PartialEq for WithheldText {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest && self.bytes == other.bytes
    }
}

impl Eq for WithheldText {}

impl std::hash::Hash for WithheldText {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.digest, self.bytes).hash(state);
    }
}

impl fmt::Debug for WithheldText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WithheldText({} bytes)", self.bytes)
    }
}

/// The form in a recorded log.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    digest: [u8; 32],
    bytes: u64,
}

impl Serialize for WithheldText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Recorded { digest: self.digest, bytes: self.bytes }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WithheldText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Recorded { digest, bytes } = Recorded::deserialize(deserializer)?;
        Ok(Self { text: None, digest, bytes })
    }
}
