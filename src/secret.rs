//! Values that must never be shown. They print and serialise as `<secret>`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// What every secret prints as.
pub const REDACTED: &str = "<secret>";

/// A secret text: an agent's token, a session's token, the person's key.
/// Wiped from memory when dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes the text in.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The one door to the plain text. Call it only where the text leaves to its owner.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

/// SHA-256 of a token. Comparison takes the same time whatever differs.
///
/// It serialises as `<secret>`: a recorded log holds no hash either, because a hash of a weak
/// secret could be searched. The vault stores it through [`TokenHash::to_hex`].
#[derive(Clone, Copy)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Wraps a SHA-256 digest.
    #[must_use]
    pub const fn new(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// For the vault only: 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads what [`TokenHash::to_hex`] wrote.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 64 {
            return None;
        }
        let mut digest = [0_u8; 32];
        for (slot, pair) in digest.iter_mut().zip(bytes.chunks_exact(2)) {
            let high = char::from(pair[0]).to_digit(16)?;
            let low = char::from(pair[1]).to_digit(16)?;
            *slot = u8::try_from(high * 16 + low).ok()?;
        }
        Some(Self(digest))
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl std::hash::Hash for TokenHash {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl Serialize for TokenHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(REDACTED)
    }
}

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _ = String::deserialize(deserializer)?;
        Ok(Self([0; 32]))
    }
}

#[cfg(test)]
mod tests {
    use super::{Secret, TokenHash};

    #[test]
    fn secrets_print_and_serialise_redacted() {
        let secret = Secret::new("correct horse".to_owned());
        let hash = TokenHash::new([7; 32]);
        assert_eq!(format!("{secret} {secret:?} {hash:?}"), "<secret> <secret> <secret>");
        assert_eq!(serde_json::to_string(&hash).unwrap(), "\"<secret>\"");
        assert_eq!(secret.reveal(), "correct horse");
    }

    #[test]
    fn a_hash_survives_the_vault_and_nothing_else_is_read_as_one() {
        let hash = TokenHash::new([0xA7; 32]);
        assert_eq!(TokenHash::from_hex(&hash.to_hex()), Some(hash));
        assert_eq!(TokenHash::from_hex("a7"), None);
        assert_eq!(TokenHash::from_hex(&"zz".repeat(32)), None);
        assert_eq!(TokenHash::from_hex(&"é".repeat(32)), None);
    }
}
