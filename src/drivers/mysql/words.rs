//! The words of a statement outside comments.
//!
//! Source: the MySQL manual, "Comments": `#` and `-- ` to the end of the line, `/* */` not nested. Comments that begin with
//! `/*!` or `/*M!` are run by the servers, so they are no comments here.

/// The first word in lower case; empty if there is none.
pub(super) fn first(sql: &str) -> String {
    let text = without_comments(sql);
    let word = text.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '_').next();
    word.unwrap_or_default().to_ascii_lowercase()
}

/// The text without comments, spaces and parentheses at its beginning.
pub(super) fn without_comments(sql: &str) -> &str {
    let mut rest = sql;
    loop {
        rest = rest.trim_start_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, ';' | '(')
        });
        let is_line = rest.starts_with('#')
            || rest.strip_prefix("--").is_some_and(|after| {
                after.chars().next().is_none_or(|next| next.is_whitespace() || next.is_control())
            });
        if is_line {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if rest.starts_with("/*") && !is_run(rest) {
            rest =
                rest.get(2..).and_then(|text| text.split_once("*/")).map_or("", |(_, rest)| rest);
        } else {
            return rest;
        }
    }
}

/// Whether what looks like a comment is run.
fn is_run(text: &str) -> bool {
    text.starts_with("/*!") || text.starts_with("/*M!")
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_word_is_found_behind_comments() {
        for (sql, word) in [
            ("SELECT 1", "select"),
            (" # x\n -- y\n/* z */ (Select 1)", "select"),
            ("--x", ""),
            ("/*!50000 DROP */ TABLE t", ""),
            ("/*M! DROP */ SELECT 1", ""),
            ("/* /* */ DROP TABLE t", "drop"),
            ("; ;", ""),
            ("--1", ""),
            ("/* unfinished", ""),
        ] {
            assert_eq!(first(sql), word, "{sql}");
        }
    }
}
