//! Names as they are in the database: folded and bounded for the dialect when they are made.

use super::lex::bad_in_name;
use crate::reason::SqlReason;
use crate::value::Engine;

/// A name that is always written quoted, so that it can be nothing but a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(String);

impl Name {
    /// A name exactly as written between quotes, or as the database spells it.
    pub(super) fn exact(name: &str, dialect: Engine) -> Result<Self, SqlReason> {
        if name.is_empty() || name.chars().any(bad_in_name) || !fits(name, dialect) {
            return Err(SqlReason::NameForm);
        }
        Ok(Self(name.to_owned()))
    }

    /// An unquoted name: PostgreSQL folds its ASCII letters, and what it does with others
    /// depends on the encoding, so other capital letters must be quoted.
    pub(super) fn unquoted(name: &str, dialect: Engine) -> Result<Self, SqlReason> {
        if dialect != Engine::Postgres {
            return Self::exact(name, dialect);
        }
        if name.chars().any(|letter| !letter.is_ascii() && letter.to_lowercase().ne([letter])) {
            return Err(SqlReason::NameCase);
        }
        Self::exact(&name.to_ascii_lowercase(), dialect)
    }

    /// The name's text.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name without what some engine overlooks: letter case, and the dot that MySQL drops
    /// from a capital I with a dot. Names that some engine could take for one are equal here.
    pub(super) fn folded(&self) -> String {
        self.0.to_uppercase().to_lowercase().replace('\u{307}', "")
    }

    /// Whether the name is `word` in any letter case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.0.eq_ignore_ascii_case(word)
    }
}

/// Whether the engine keeps the whole name.
fn fits(name: &str, dialect: Engine) -> bool {
    match dialect {
        // Longer names are cut in silence.
        Engine::Postgres => name.len() <= 63,
        Engine::Mysql | Engine::Mariadb => {
            let basic = name.chars().all(|letter| u32::from(letter) <= 0xffff);
            basic && name.chars().count() <= 64 && !name.ends_with(char::is_whitespace)
        }
        Engine::Sqlite => name.len() <= 256,
    }
}
