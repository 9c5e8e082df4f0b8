//! The static words that an agent may read when something is refused.
//!
//! Contract, "Results and errors": specific refusal reasons come only from static policy messages.
//! A [`Reason`] is an enum without a text field, so no driver message, path, name or value can
//! travel in it. Start in `sql.rs` (refused by the text) or `database.rs` (refused or failed in
//! the database).

mod database;
mod sql;

pub use database::DatabaseReason;
pub use sql::SqlReason;

use serde::{Deserialize, Serialize};

/// Why a statement or a table was refused, or why its execution failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The text cannot be represented as a verified statement.
    Sql(SqlReason),
    /// The database refused or failed.
    Database(DatabaseReason),
}

impl Reason {
    /// The stable word for programs, for example `second_statement`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Sql(reason) => reason.code(),
            Self::Database(reason) => reason.code(),
        }
    }

    /// One sentence or two for the agent: what was wrong and what to do instead.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::Sql(reason) => reason.message(),
            Self::Database(reason) => reason.message(),
        }
    }
}

/// What a database's reason means for whoever asked (contract, "Results and errors", the common codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A proof or a guard refused, before anything ran.
    Refused,
    /// A limit was reached.
    Limit,
    /// It was stopped.
    Cancelled,
    /// The source or the statement failed, and nothing took effect.
    Failed,
    /// Nobody knows what took effect.
    Unknown,
}

/// Declares an enum of static reasons: `Variant => "code", "message";`, each with its doc. A database's have their class
/// besides: `Variant: Class => …`.
macro_rules! reasons {
    ($(#[$outer:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident: $class:ident => $code:literal, $message:literal;)+ }) => {
        crate::reason::reasons!($(#[$outer])* $name { $($(#[$doc])* $variant => $code, $message;)+ });

        impl $name {
            /// Which class of answers it belongs to.
            #[must_use]
            pub const fn class(self) -> crate::reason::Class {
                match self { $(Self::$variant => crate::reason::Class::$class,)+ }
            }
        }
    };
    ($(#[$outer:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident => $code:literal, $message:literal;)+ }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every reason, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable word for programs.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// What was wrong and what to do instead, in static words.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }
        }
    };
}
use reasons;
