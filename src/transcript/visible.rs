//! Text that others wrote, as it may stand in a line for a terminal: nothing in it can move the cursor,
//! begin a line of its own or turn the words around.

use std::borrow::Cow;

/// The text with every character that does not show as itself written as `\u{1b}`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut words = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            words.extend(character.escape_unicode());
        } else {
            words.push(character);
        }
    }
    Cow::Owned(words)
}

/// Control characters, line ends of Unicode, and what is invisible or changes the direction.
pub(super) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::visible;
    use std::borrow::Cow;

    #[test]
    fn what_does_not_show_as_itself_is_written_out() {
        assert!(matches!(visible("SELECT 'é' -- \\ \""), Cow::Borrowed("SELECT 'é' -- \\ \"")));
        assert_eq!(
            visible("a\u{1b}[2J\nb\u{9b}c\u{202e}d\r"),
            "a\\u{1b}[2J\\u{a}b\\u{9b}c\\u{202e}d\\u{d}"
        );
    }
}
