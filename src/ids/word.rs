//! A word that knows how it begins: most comparisons of two follow no pointer. The maps of the state
//! are full of them.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A word. Words are ordered by their bytes.
#[derive(Clone)]
pub(super) struct Word {
    /// Its first eight bytes, then zeros: no word compares otherwise than this does, but some are equal here
    /// only.
    beginning: u64,
    word: Arc<str>,
}

impl Word {
    pub(super) fn new(word: &str) -> Self {
        let mut beginning = [0; 8];
        for (to, from) in beginning.iter_mut().zip(word.bytes()) {
            *to = from;
        }
        Self { beginning: u64::from_be_bytes(beginning), word: Arc::from(word) }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.word
    }
}

impl Ord for Word {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.beginning.cmp(&other.beginning).then_with(|| {
            if Arc::ptr_eq(&self.word, &other.word) {
                Ordering::Equal
            } else {
                self.word.cmp(&other.word)
            }
        })
    }
}

impl PartialOrd for Word {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Word {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.beginning == other.beginning
            && (Arc::ptr_eq(&self.word, &other.word) || self.word == other.word)
    }
}

impl Eq for Word {}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.word.hash(state);
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.word)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Word;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Word, E> {
                Ok(Word::new(word))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn words_compare_as_their_texts_do() {
        let texts = [
            "",
            "\0",
            "\0\0",
            "a",
            "a\0",
            "a\0b",
            "ab",
            "req_0123",
            "req_0123\0",
            "req_01234",
            "req_0123456789",
            "req_012345678a",
            "req_1",
            "é",
            "éa",
            "日本語です",
            "日本語でも",
        ];
        for one in texts {
            for other in texts {
                let (own, word) = (Word::new(one), Word::new(other));
                assert_eq!(own.cmp(&word), one.cmp(other), "{one:?} and {other:?}");
                assert_eq!(own == word, one == other, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn a_word_travels_as_its_text() {
        let word = Word::new("req_0123456789");
        let line = serde_json::to_string(&word).unwrap();
        assert_eq!(line, r#""req_0123456789""#);
        assert_eq!(serde_json::from_str::<Word>(&line).unwrap().as_str(), "req_0123456789");
        assert!(serde_json::from_str::<Word>("7").is_err());
    }
}
