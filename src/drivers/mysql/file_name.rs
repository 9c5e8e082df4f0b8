//! How the storage engine spells the name of a table.
//!
//! Its list of tables has the names of their files: letters of ASCII, digits and `_` as they are, the letters of some
//! alphabets as `@` and two signs, and everything else as `@` and four hexadecimal digits (MySQL manual, "Mapping of
//! Identifiers to File Names"). MariaDB can be asked for the spelling and MySQL cannot, so the two signs of each letter stand in
//! `file_name.txt`: 32 letters a line, from the number at its beginning. A test compares it with both servers.

use crate::value::TableName;
use std::fmt::Write as _;

/// The letters that become `@` and two signs.
const SHORT: &str = include_str!("file_name.txt");

/// Letters of a line.
const LINE: u32 = 32;

/// The spelling of a table.
pub(super) fn of(table: &TableName) -> String {
    let mut spelled = String::new();
    add(&mut spelled, &table.schema);
    spelled.push('/');
    add(&mut spelled, &table.name);
    spelled
}

fn add(spelled: &mut String, name: &str) {
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            spelled.push(letter);
        } else if let Some(signs) = short(letter) {
            spelled.push('@');
            spelled.push_str(signs);
        } else {
            // Writing to a text cannot fail.
            let _ = write!(spelled, "@{:04x}", u32::from(letter));
        }
    }
}

fn short(letter: char) -> Option<&'static str> {
    let number = u32::from(letter);
    let head = format!("{:04x} ", number - number % LINE);
    let line = SHORT.lines().find_map(|line| line.strip_prefix(head.as_str()))?;
    let at = usize::try_from(number % LINE).ok()? * 2;
    line.get(at..at + 2).filter(|signs| *signs != "..")
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::value::TableName;

    fn table(schema: &str, name: &str) -> TableName {
        TableName { schema: schema.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn names_are_spelled_as_servers_spell_them() {
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
            assert_eq!(of(&table("d", name)), spelled, "{name}");
        }
    }
}
