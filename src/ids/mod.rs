//! Typed identifiers.
//!
//! Every thing with an identity has its own type, so that a request can never be looked up with a
//! session's identifier. Two shapes exist: opaque words that travel outside (made by
//! `effects::ids`, in stories `c1`, `r1`, …) and counters that only the reducer hands out.

mod word;

use serde::{Deserialize, Serialize};
use std::fmt;
use word::Word;

/// Longest identifier that is accepted from outside, in bytes.
pub const ID_BYTES_MAX: usize = 64;

macro_rules! word_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Word);

        impl $name {
            /// Wraps a word. Unknown words are harmless: nothing is found under them.
            #[must_use]
            pub fn new(word: &str) -> Self {
                Self(Word::new(word))
            }

            /// The word as it travels.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

word_id!(
    /// One agent connection that the person created. It owns a token.
    ClientId
);
word_id!(
    /// The public name of a session. It grants no access; the session token does.
    SessionId
);
word_id!(
    /// One request of an agent.
    RequestId
);
word_id!(
    /// One database that the person added.
    SourceId
);
word_id!(
    /// The key that an agent makes for one intent (a UUID); scoped to its session.
    RequestKey
);

macro_rules! counter_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The identifier after this one.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }
    };
}

word_id!(
    /// One document that the person has open.
    FileId
);

counter_id!(
    /// One snapshot of a document. Each change of its text makes another one.
    DocumentVersion,
    "v"
);
counter_id!(
    /// One piece of work outside the reducer. It holds a slot until it reports its end.
    TaskId,
    "t"
);
counter_id!(
    /// One grant. Only the reducer makes them.
    GrantId,
    "g"
);
counter_id!(
    /// One start of the agents' door. Session tokens of another generation are dead.
    Generation,
    "gen"
);
counter_id!(
    /// One configuration of a source. Nothing that was granted carries over to the next one.
    SourceGeneration,
    "sg"
);
