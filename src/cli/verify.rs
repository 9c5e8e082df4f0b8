//! `dbeast verify`: the SQL proof without a database, for corpora and for the curious.

use super::{Failure, VerifyArguments};
use crate::sql;
use crate::value::Engine;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

/// Longest line that is read, in bytes: the longest statement with every byte escaped, and room.
const LINE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: Value,
    sql: String,
}

/// One line of the answer.
#[derive(Serialize)]
struct Answer {
    id: Value,
    verdict: &'static str,
    reason: Option<&'static str>,
    tables: Vec<[String; 2]>,
    sql: Option<String>,
    /// Of a write: whether nothing about a row decides whether it is touched.
    #[serde(skip_serializing_if = "Option::is_none")]
    touches_all_rows: Option<bool>,
    /// Where in the text the reason lies, if that is asked for and known.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<At>,
    /// What would be accepted instead, if that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
}

/// A place in a text, from 1.
#[derive(Serialize)]
struct At {
    line: usize,
    column: usize,
}

/// How the statements are checked.
#[derive(Clone, Copy)]
struct Checked {
    engine: Engine,
    is_write: bool,
    is_explained: bool,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let checked = Checked {
        engine: arguments.dialect.engine(),
        is_write: arguments.write,
        is_explained: arguments.explain,
    };
    let path = arguments.file.as_deref().filter(|path| path.as_os_str() != "-");
    let output = io::stdout().lock();
    match path {
        None => answer_all(io::stdin().lock(), output, checked),
        Some(path) => {
            let unreadable = |problem: &dyn std::fmt::Display| {
                Failure::new(format!("{} cannot be read: {problem}", path.display())).with_hint(
                    "Give a file with one JSON object per line, or - for standard input.",
                )
            };
            let file = File::open(path).map_err(|error| unreadable(&error))?;
            if file.metadata().is_ok_and(|found| found.is_dir()) {
                return Err(unreadable(&"it is a folder"));
            }
            answer_all(BufReader::new(file), output, checked)
        }
    }
}

/// Answers every line, also after one that is wrong; fails at the end if any was.
fn answer_all(
    mut input: impl BufRead,
    mut output: impl Write,
    checked: Checked,
) -> Result<(), Failure> {
    let mut wrong: Vec<usize> = Vec::new();
    for number in 1_usize.. {
        let mut line = Vec::new();
        let read = io::Read::take(&mut input, LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        if u64::try_from(read).is_ok_and(|read| read == LINE_BYTES_MAX) && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = serde_json::from_slice::<Question>(&line).map_or_else(
            |_| {
                wrong.push(number);
                unread()
            },
            |question| answer(question, checked),
        );
        serde_json::to_writer(&mut output, &answer).map_err(io::Error::from)?;
        output.write_all(b"\n")?;
    }
    output.flush()?;
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(Failure::new(format!(
            "{} line(s) could not be read, the first is line {first}",
            wrong.len()
        ))
        .with_hint(r#"Each line is one JSON object such as {"id": "a1", "sql": "select …"}."#)),
    }
}

fn answer(question: Question, checked: Checked) -> Answer {
    let answered = if checked.is_write {
        sql::explain_table_write(&question.sql, checked.engine).map(|verified| Answer {
            verdict: "write",
            tables: vec![[verified.table.schema, verified.table.name]],
            sql: Some(verified.sql),
            touches_all_rows: Some(verified.touches_all_rows),
            ..unread()
        })
    } else {
        sql::explain(&question.sql, checked.engine).map(|verified| Answer {
            verdict: "read",
            tables: verified.tables.into_iter().map(|table| [table.schema, table.name]).collect(),
            sql: Some(verified.sql),
            ..unread()
        })
    };
    match answered {
        Ok(answer) => Answer { id: question.id, reason: None, ..answer },
        Err(sql::Refusal { reason, place }) => {
            let at = place.map(|place| At { line: place.line, column: place.column });
            Answer {
                id: question.id,
                reason: Some(reason.code()),
                at: at.filter(|_| checked.is_explained),
                message: checked.is_explained.then_some(reason.message()),
                ..unread()
            }
        }
    }
}

/// The answer to a line that is no question.
const fn unread() -> Answer {
    Answer {
        id: Value::Null,
        verdict: "refused",
        reason: Some("invalid_line"),
        tables: Vec::new(),
        sql: None,
        touches_all_rows: None,
        at: None,
        message: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, answer_all};
    use crate::value::Engine;

    fn ask(input: &str) -> (Vec<serde_json::Value>, Result<(), String>) {
        let checked = Checked { engine: Engine::Sqlite, is_write: false, is_explained: false };
        ask_for(input, checked)
    }

    fn ask_for(input: &str, checked: Checked) -> (Vec<serde_json::Value>, Result<(), String>) {
        let mut output = Vec::new();
        let ended = answer_all(input.as_bytes(), &mut output, checked);
        let lines = String::from_utf8(output).unwrap();
        let answers = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (answers, ended.map_err(|failure| failure.to_string()))
    }

    #[test]
    fn each_line_is_answered_in_order_with_its_id() {
        let (answers, ended) = ask(concat!(
            r#"{"id": 1, "sql": "select id from main.orders"}"#,
            "\n\n",
            r#"{"id": "two", "sql": "delete from main.orders"}"#,
        ));
        assert!(ended.is_ok());
        assert_eq!(answers[0]["id"], 1);
        assert_eq!(answers[0]["verdict"], "read");
        assert_eq!(answers[0]["tables"], serde_json::json!([["main", "orders"]]));
        assert_eq!(answers[1]["id"], "two");
        assert_eq!(answers[1]["verdict"], "refused");
        assert!(answers[1]["reason"].is_string() && answers[1]["sql"].is_null());
    }

    #[test]
    fn a_wrong_line_is_named_and_loses_no_other() {
        let long = "x".repeat(3 * 1024 * 1024);
        let input = format!(
            "not json\n{long}\n{{\"id\":3,\"sql\":\"select a from main.t\",\"x\":1}}\n{{\"id\":4,\"sql\":\"select a from main.t\"}}"
        );
        let (answers, ended) = ask(&input);
        assert_eq!(answers.len(), 4);
        assert_eq!(answers[3]["verdict"], "read");
        assert_eq!(answers[1]["reason"], "invalid_line");
        let message = ended.unwrap_err();
        assert!(message.contains("3 line(s)") && message.contains("line 1"), "{message}");
    }

    #[test]
    fn a_refusal_is_explained_with_its_place() {
        let checked = Checked { engine: Engine::Sqlite, is_write: false, is_explained: true };
        let (answers, ended) = ask_for(
            r#"{"id": 1, "sql": "select id\nfrom main.orders\nwhere id = random()"}"#,
            checked,
        );
        assert!(ended.is_ok());
        assert_eq!(answers[0]["reason"], "function");
        assert_eq!(answers[0]["at"], serde_json::json!({"line": 3, "column": 12}));
        assert!(answers[0]["message"].as_str().unwrap().contains("count"));
        assert!(answers[0].get("touches_all_rows").is_none());
    }

    #[test]
    fn writes_are_checked_as_writes() {
        let checked = Checked { engine: Engine::Sqlite, is_write: true, is_explained: false };
        let input = concat!(
            r#"{"id": 1, "sql": "delete from main.orders"}"#,
            "\n",
            r#"{"id": 2, "sql": "select id from main.orders"}"#,
        );
        let (answers, ended) = ask_for(input, checked);
        assert!(ended.is_ok());
        assert_eq!(answers[0]["verdict"], "write");
        assert_eq!(answers[0]["touches_all_rows"], true);
        assert_eq!(answers[1]["reason"], "not_a_table_write");
        assert!(answers[1].get("message").is_none());
    }
}
