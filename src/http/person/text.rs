//! Names, labels and notes that the person types.

use super::failure::Failure;
use crate::reducer::limits::{LABEL_CHARS_MAX, NOTE_CHARS_MAX};
use std::sync::Arc;

/// A name or label: one line of 1 to 80 characters. Blanks around it are cut off.
pub(super) fn label(field: &'static str, text: &str) -> Result<Arc<str>, Failure> {
    let text = text.trim();
    let is_line = !text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    if text.is_empty() || text.chars().count() > LABEL_CHARS_MAX || !is_line {
        return Err(Failure::bad_input(
            format!("`{field}` must be one line of 1 to {LABEL_CHARS_MAX} characters."),
            "Use a short name without line breaks or control characters.",
        ));
    }
    Ok(Arc::from(text))
}

/// A note for the agent: at most 300 characters, several lines if need be. An empty one is none.
pub(super) fn note(text: &str) -> Result<Option<Arc<str>>, Failure> {
    let text = text.trim();
    let is_text = !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    if text.chars().count() > NOTE_CHARS_MAX || !is_text {
        return Err(Failure::bad_input(
            format!("`note` must be text of at most {NOTE_CHARS_MAX} characters."),
            "Shorten the note; nothing was decided yet.",
        ));
    }
    Ok(if text.is_empty() { None } else { Some(Arc::from(text)) })
}

#[cfg(test)]
mod tests {
    use super::{label, note};

    #[test]
    fn a_label_is_one_trimmed_line_of_at_most_80_characters() {
        assert_eq!(&*label("label", "  Shop  ").unwrap(), "Shop");
        assert_eq!(label("label", &"é".repeat(80)).unwrap().chars().count(), 80);
        for bad in ["", "  \t ", "a\nb", "a\u{0}b", "a\u{1b}[31m", "a\u{2028}b", &"é".repeat(81)] {
            assert!(label("label", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_note_may_have_lines_and_may_be_missing() {
        assert_eq!(note("  \n").unwrap(), None);
        assert_eq!(note("not\nnow").unwrap().as_deref(), Some("not\nnow"));
        assert!(note("a\u{0}b").is_err() && note(&"é".repeat(301)).is_err());
        assert!(note(&"é".repeat(300)).is_ok());
    }
}
