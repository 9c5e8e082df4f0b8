//! Why the program ends with an error: what was wrong, and what to do next.

use std::fmt;

/// A failure for the terminal.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    /// What was wrong.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: 1 }
    }

    /// The same with another exit code than 1.
    #[must_use]
    pub(super) const fn with_code(mut self, code: u8) -> Self {
        self.code = code;
        self
    }

    /// With what the program exits.
    #[must_use]
    pub const fn code(&self) -> u8 {
        self.code
    }

    /// The same with what to do next.
    #[must_use]
    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<crate::effects::ids::NoRandomness> for Failure {
    fn from(error: crate::effects::ids::NoRandomness) -> Self {
        Self::new(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}
