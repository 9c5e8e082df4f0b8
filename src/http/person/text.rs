//! Names, labels and notes that the person types.

use super::failure::Failure;
use crate::reducer::limits::{LABEL_CHARS_MAX, NOTE_CHARS_MAX};
use crate::value::TableName;
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

/// A schema or table name in characters: as long as agents may write one.
const NAME_CHARS_MAX: usize = 256;

/// A table by its two names, exactly as the database spells them: nothing is cut off.
pub(super) fn table(schema: String, name: String) -> Result<TableName, Failure> {
    for (field, text) in [("table.schema", &schema), ("table.name", &name)] {
        let is_name = (1..=NAME_CHARS_MAX).contains(&text.chars().count()) && !text.contains('\0');
        if !is_name {
            return Err(Failure::bad_input(
                format!(
                    "`{field}` must be a name of 1 to {NAME_CHARS_MAX} characters without zero bytes."
                ),
                "Write both names as the database spells them; in SQLite the schema is `main`.",
            ));
        }
    }
    Ok(TableName { schema, name })
}

#[cfg(test)]
mod tests {
    use super::{label, note, table};

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

    #[test]
    fn a_table_is_two_names_that_are_taken_as_they_are() {
        let pair = |schema: &str, name: &str| table(schema.to_owned(), name.to_owned());
        let odd = pair("main", " Or\nders ").unwrap();
        assert_eq!((odd.schema.as_str(), odd.name.as_str()), ("main", " Or\nders "));
        assert!(pair("main", &"é".repeat(256)).is_ok());
        for bad in ["", "a\u{0}b", &"é".repeat(257)] {
            assert!(pair("main", bad).is_err() && pair(bad, "orders").is_err(), "{bad:?}");
        }
    }
}
