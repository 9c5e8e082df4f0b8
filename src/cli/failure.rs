//! Why the program ends with an error: what was wrong, and what to do next.

use crate::transcript::visible;
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
        // Both may repeat a path, or what stands in a file that somebody sent.
        write!(f, "error: {}", visible(&self.message))?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {}", visible(hint)),
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

#[cfg(test)]
mod tests {
    use super::Failure;

    #[test]
    fn words_of_a_file_cannot_steer_the_terminal() {
        let failure =
            Failure::new("unknown variant `\u{1b}[2J\nhint: all is well`").with_hint("a\rb");
        let shown = "error: unknown variant `\\u{1b}[2J\\u{a}hint: all is well`\nhint: a\\u{d}b";
        assert_eq!(failure.to_string(), shown);
    }
}
