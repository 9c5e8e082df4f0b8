//! The functions that a verified read may call, per engine, with their arguments.

use super::limits::ARGUMENTS_MAX;
use crate::value::Engine;
use std::ops::RangeInclusive;

/// A built-in function without side effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// Rows whose argument is not null.
    Count,
    /// Sum of a group.
    Sum,
    /// Mean of a group.
    Avg,
    /// Least of a group.
    Min,
    /// Greatest of a group.
    Max,
    /// Absolute value.
    Abs,
    /// Small letters.
    Lower,
    /// Capital letters.
    Upper,
    /// Length as the engine defines it.
    Length,
    /// Length in characters.
    CharLength,
    /// Length in bytes.
    OctetLength,
    /// Nearest number, perhaps with digits after the point.
    Round,
    /// First argument that is not null.
    Coalesce,
    /// Null if both are equal.
    Nullif,
}

impl Function {
    /// Every function.
    pub(super) const ALL: [Self; 14] = [
        Self::Count,
        Self::Sum,
        Self::Avg,
        Self::Min,
        Self::Max,
        Self::Abs,
        Self::Lower,
        Self::Upper,
        Self::Length,
        Self::CharLength,
        Self::OctetLength,
        Self::Round,
        Self::Coalesce,
        Self::Nullif,
    ];

    /// The function of an ASCII name in any letter case, if the engine has it.
    pub(super) fn named(name: &str, dialect: Engine) -> Option<Self> {
        let found =
            Self::ALL.into_iter().find(|function| name.eq_ignore_ascii_case(function.word()))?;
        match (found, dialect) {
            (Self::CharLength, Engine::Sqlite) => None,
            (function, _) => Some(function),
        }
    }

    /// Its name in every dialect.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Avg => "avg",
            Self::Min => "min",
            Self::Max => "max",
            Self::Abs => "abs",
            Self::Lower => "lower",
            Self::Upper => "upper",
            Self::Length => "length",
            Self::CharLength => "char_length",
            Self::OctetLength => "octet_length",
            Self::Round => "round",
            Self::Coalesce => "coalesce",
            Self::Nullif => "nullif",
        }
    }

    /// How many arguments it takes. SQLite's `min` and `max` with several are other functions.
    pub(super) const fn arguments(self) -> RangeInclusive<usize> {
        match self {
            Self::Count
            | Self::Sum
            | Self::Avg
            | Self::Min
            | Self::Max
            | Self::Abs
            | Self::Lower
            | Self::Upper
            | Self::Length
            | Self::CharLength
            | Self::OctetLength => 1..=1,
            Self::Round => 1..=2,
            Self::Coalesce => 2..=ARGUMENTS_MAX,
            Self::Nullif => 2..=2,
        }
    }

    /// Whether it folds a group, so that DISTINCT has a meaning.
    pub(super) const fn aggregates(self) -> bool {
        match self {
            Self::Count | Self::Sum | Self::Avg | Self::Min | Self::Max => true,
            Self::Abs
            | Self::Lower
            | Self::Upper
            | Self::Length
            | Self::CharLength
            | Self::OctetLength
            | Self::Round
            | Self::Coalesce
            | Self::Nullif => false,
        }
    }
}
