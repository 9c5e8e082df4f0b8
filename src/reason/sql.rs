//! Reasons for which a text is refused before any database sees it.

super::reasons!(
    /// Why a text has no verified statement.
    SqlReason {
        /// More than one statement in the text.
        SecondStatement => "second_statement", "Send exactly one statement; a second one never runs.";
    }
);
