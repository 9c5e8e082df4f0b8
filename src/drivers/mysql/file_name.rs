//! How the storage engine spells the name of a table.
//!
//! Its list of tables has the names of their files: letters of ASCII, digits and `_` as they are, most others as `@` and
//! four hexadecimal digits, and those of some alphabets as `@` and two signs, by a table inside the server (MySQL
//! manual, "Mapping of Identifiers to File Names"). That table is not repeated here: where it may apply, any two
//! signs are taken, and the caller makes sure that only one table fits.

use crate::value::TableName;

/// What a letter can become.
enum Piece {
    /// Exactly this.
    Exact(String),
    /// `@` and two signs, or `@` and these four digits.
    Either(String),
}

/// A pattern for LIKE with the escape `|`, which all spellings of this name match.
pub(super) fn pattern(table: &TableName) -> String {
    let mut pattern = String::new();
    for piece in pieces(table) {
        match piece {
            Piece::Exact(text) => {
                for sign in text.chars() {
                    if matches!(sign, '%' | '_' | '|') {
                        pattern.push('|');
                    }
                    pattern.push(sign);
                }
            }
            Piece::Either(_) => pattern.push('%'),
        }
    }
    pattern
}

/// Whether this may be how the storage engine spells the table.
pub(super) fn is_of(table: &TableName, spelled: &str) -> bool {
    let spelled = spelled.as_bytes();
    // The places up to which the letters so far can reach.
    let mut places = vec![0];
    for piece in pieces(table) {
        let mut next = Vec::new();
        for place in places {
            let rest = spelled.get(place..).unwrap_or_default();
            match &piece {
                Piece::Exact(text) => next.extend(end_of(rest, text).map(|length| place + length)),
                Piece::Either(digits) => {
                    next.extend(end_of(rest, digits).map(|length| place + length));
                    if is_short(rest) {
                        next.push(place + 3);
                    }
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        places = next;
    }
    places.contains(&spelled.len())
}

fn end_of(rest: &[u8], text: &str) -> Option<usize> {
    rest.starts_with(text.as_bytes()).then_some(text.len())
}

fn is_short(rest: &[u8]) -> bool {
    let Some((&[at, one, two], _)) = rest.split_first_chunk::<3>() else { return false };
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'@';
    at == b'@' && is_sign(one) && is_sign(two)
}

fn pieces(table: &TableName) -> impl Iterator<Item = Piece> {
    let slash = std::iter::once(Piece::Exact("/".to_owned()));
    table.schema.chars().map(piece).chain(slash).chain(table.name.chars().map(piece))
}

fn piece(letter: char) -> Piece {
    if letter.is_ascii_alphanumeric() || letter == '_' {
        return Piece::Exact(letter.to_string());
    }
    let digits = format!("@{:04x}", u32::from(letter));
    match letter {
        // Latin, Greek, Cyrillic, Armenian; Roman numbers; letters in circles; wide letters.
        '\u{c0}'..='\u{5ff}'
        | '\u{1e00}'..='\u{1fff}'
        | '\u{2160}'..='\u{217f}'
        | '\u{24b0}'..='\u{24ef}'
        | '\u{ff20}'..='\u{ff5f}' => Piece::Either(digits),
        _ => Piece::Exact(digits),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_of, pattern};
    use crate::value::TableName;

    fn table(schema: &str, name: &str) -> TableName {
        TableName { schema: schema.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn names_are_found_as_servers_spell_them() {
        // As MySQL 9.7 and MariaDB 10.11 list them.
        for (name, spelled) in [
            ("plain_1", "d/plain_1"),
            ("a$b", "d/a@0024b"),
            ("a b", "d/a@0020b"),
            ("a/b", "d/a@002fb"),
            ("日本", "d/@65e5@672c"),
            ("Ünïcode", "d/@1On@0vcode"),
            ("ß", "d/@1j"),
            ("€", "d/@20ac"),
            ("ʰ", "d/@02b0"),
            ("Ⓐ", "d/@@A"),
            ("ａ", "d/@a@"),
            ("ﾀ", "d/@ff80"),
        ] {
            assert!(is_of(&table("d", name), spelled), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for (name, spelled) in [
            ("t", "d/T"),
            ("t", "d/tt"),
            ("t", "d/"),
            ("t", "e/t"),
            ("a_b", "d/axb"),
            ("a%", "d/ab"),
            ("ä", "d/a"),
            ("ä", "d/@0k@0k"),
            ("日", "d/@65"),
            ("t", "d/t#p#p0"),
        ] {
            assert!(!is_of(&table("d", name), spelled), "{name} is not {spelled}");
        }
    }

    #[test]
    fn a_pattern_has_no_other_wild_cards() {
        assert_eq!(pattern(&table("d", "a_b%ä|c")), "d/a|_b@0025%@007cc");
    }
}
