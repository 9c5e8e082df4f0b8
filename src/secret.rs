//! Values that must never be shown. They print and serialise as `<secret>`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Write as _};
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

    /// Whether both are the same text. The time does not tell where they differ.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
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
/// It prints as `<secret>`. In a recorded log it is a mark such as `<secret:0f3a9c…>` of eight bytes: enough
/// to see in a replay which tokens are the same, useless for opening a door. The vault stores the
/// whole hash through [`TokenHash::to_hex`].
#[derive(Clone, Copy)]
pub struct TokenHash([u8; 32]);

/// How many bytes of a hash stand in a recorded log.
const MARK_BYTES: usize = 8;

impl TokenHash {
    /// Wraps a SHA-256 digest.
    #[must_use]
    pub const fn new(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// For the vault only: 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        hexadecimal(&self.0)
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
            let &[high, low] = pair else { return None };
            let high = char::from(high).to_digit(16)?;
            let low = char::from(low).to_digit(16)?;
            *slot = u8::try_from(high * 16 + low).ok()?;
        }
        Some(Self(digest))
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
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
        let mark = hexadecimal(self.0.get(..MARK_BYTES).unwrap_or_default());
        serializer.serialize_str(&format!("<secret:{mark}>"))
    }
}

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.strip_prefix("<secret:")
            .and_then(|rest| rest.strip_suffix('>'))
            .filter(|mark| mark.len() == MARK_BYTES * 2)
            .and_then(|mark| Self::from_hex(&format!("{mark}{}", "0".repeat(64 - mark.len()))))
            .ok_or_else(|| serde::de::Error::custom("expected a mark of the form <secret:…>"))
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
        assert_eq!(serde_json::to_string(&hash).unwrap(), "\"<secret:0707070707070707>\"");
        assert_eq!(secret.reveal(), "correct horse");
    }

    #[test]
    fn a_mark_in_a_log_tells_tokens_apart_and_is_no_hash() {
        let (one, other) = (TokenHash::new([1; 32]), TokenHash::new([2; 32]));
        let log = serde_json::to_string(&[one, one, other]).unwrap();
        let read: Vec<TokenHash> = serde_json::from_str(&log).unwrap();
        assert!(read[0] == read[1] && read[1] != read[2]);
        assert!(read[0] != one, "a log must not yield what opens the door");
        assert_eq!(serde_json::to_string(&read).unwrap(), log);
        assert!(serde_json::from_str::<TokenHash>("\"0101\"").is_err());
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
