//! A place in a text. What never lives here: what characters mean.

/// Reads a text character by character, and cannot leave it.
#[derive(Clone)]
pub(super) struct Cursor<'text> {
    rest: std::str::Chars<'text>,
}

impl<'text> Cursor<'text> {
    /// Starts at the first character.
    pub(super) fn new(text: &'text str) -> Self {
        Self { rest: text.chars() }
    }

    /// How many bytes of `text`, at whose first character it started, it has passed.
    pub(super) fn offset(&self, text: &str) -> usize {
        text.len().saturating_sub(self.rest.as_str().len())
    }

    /// The next character, without passing it.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// The character after the next one.
    pub(super) fn peek_second(&self) -> Option<char> {
        self.rest.clone().nth(1)
    }

    /// Passes the next character and gives it.
    pub(super) fn advance(&mut self) -> Option<char> {
        self.rest.next()
    }

    /// Whether the text from here starts with `words`.
    pub(super) fn starts_with(&self, words: &str) -> bool {
        self.rest.as_str().starts_with(words)
    }

    /// Passes characters as long as `keep` holds and gives them.
    pub(super) fn take_while(&mut self, keep: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(character) = self.peek().filter(|character| keep(*character)) {
            taken.push(character);
            self.advance();
        }
        taken
    }
}
