//! Classes of characters. What never lives here: positions in a text.

/// Whether an unquoted word can start with the character.
pub(super) fn starts_word(character: char) -> bool {
    character == '_' || (character.is_alphabetic() && !invisible(character))
}

/// Whether an unquoted word can go on with the character.
pub(super) fn continues_word(character: char) -> bool {
    character == '_' || character == '$' || (character.is_alphanumeric() && !invisible(character))
}

/// Whether a quoted name must not hold the character: nobody could see it.
pub(in crate::sql) fn bad_in_name(character: char) -> bool {
    character.is_control() || invisible(character)
}

/// Whether a string must not hold the character: it would mislead the person who approves.
pub(in crate::sql) fn bad_in_text(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    }
}

/// Characters that are drawn as nothing, or that change the direction of others.
fn invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}'
            | '\u{205f}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffd}' | '\u{e0000}'..='\u{e0fff}'
    )
}
