//! Encodes names and strings so that each has one meaning under every server setting.

use crate::value::Engine;

/// Appends a quoted name.
pub(super) fn name(text: &mut String, name: &str, dialect: Engine) {
    let quote = match dialect {
        Engine::Mysql | Engine::Mariadb => '`',
        Engine::Postgres | Engine::Sqlite => '"',
    };
    text.push(quote);
    for character in name.chars() {
        if character == quote {
            text.push(quote);
        }
        text.push(character);
    }
    text.push(quote);
}

/// Appends a string literal. PostgreSQL reads backslashes in plain strings by a setting, so
/// such strings are written in the form that no setting changes. MySQL and MariaDB have no
/// such form; the lexer refuses backslashes there.
pub(super) fn text(text: &mut String, content: &str, dialect: Engine) {
    let escaped = dialect == Engine::Postgres && content.contains('\\');
    text.push_str(if escaped { "E'" } else { "'" });
    for character in content.chars() {
        if character == '\'' || (escaped && character == '\\') {
            text.push(character);
        }
        text.push(character);
    }
    text.push('\'');
}
