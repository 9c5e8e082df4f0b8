//! What the proof says about the whole corpus, as digests, so that nothing changes it unnoticed: no
//! upgrade of the parser, and no change of our own.
//!
//! `tests/sql/digest.txt` opens with the version of the parser, and has for each file of the corpus a
//! digest and a count, followed by a short digest for each line. `UPDATE_DIGEST=1` writes it anew; what
//! changes in it is to be read line by line.

#![allow(clippy::panic, clippy::print_stdout, reason = "a test stops at the first surprise")]

use dbeast::sql::{verify, verify_table_write};
use dbeast::value::{Engine, TableName};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const DIALECTS: [Engine; 4] = [Engine::Sqlite, Engine::Postgres, Engine::Mysql, Engine::Mariadb];
const FILES: [&str; 4] =
    ["accept.jsonl", "refuse.jsonl", "write_accept.jsonl", "write_refuse.jsonl"];

fn place(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(place(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn columns(columns: &[(TableName, String)]) -> Vec<String> {
    columns.iter().map(|(table, column)| format!("{table:?}.{column:?}")).collect()
}

/// Everything that the two proofs say about a text, in words.
fn said(sql: &str, dialect: Engine) -> String {
    let read = match verify(sql, dialect) {
        Ok(proof) => format!("{:?} {:?} {:?}", proof.sql, proof.tables, columns(&proof.columns)),
        Err(reason) => reason.code().to_owned(),
    };
    let write = match verify_table_write(sql, dialect) {
        Ok(proof) => {
            let (all, needed) = (proof.touches_all_rows, columns(&proof.columns));
            format!("{:?} {:?} {needed:?} {all}", proof.sql, proof.table)
        }
        Err(reason) => reason.code().to_owned(),
    };
    format!("read {read}\nwrite {write}")
}

/// The digests of one file: the heading, and a line for each statement.
fn digests(dialect: Engine, file: &str) -> (String, Vec<String>) {
    let path = format!("tests/sql/{}/{file}", dialect.word());
    let mut whole = Sha256::new();
    let mut lines = Vec::new();
    for line in read(&path).lines() {
        let line: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
        let (id, sql) = (text("id"), text("sql"));
        let verdict = format!("{id}\n{sql}\n{}\n", said(sql, dialect));
        whole.update(verdict.as_bytes());
        let short = Sha256::digest(verdict.as_bytes());
        lines.push(format!("{id} {}", hexadecimal(short.get(..6).unwrap_or_default())));
    }
    let heading = format!("{path} {} {}", lines.len(), hexadecimal(&whole.finalize()));
    (heading, lines)
}

/// The version of the parser that is built in.
fn parser() -> String {
    let lock = read("Cargo.lock");
    let (_, rest) = lock
        .split_once("name = \"sqlparser\"\nversion = \"")
        .unwrap_or_else(|| panic!("no sqlparser in Cargo.lock"));
    let version = rest.split('"').next().unwrap_or_default();
    format!("sqlparser {version}")
}

#[test]
fn the_proof_says_what_it_said() {
    let mut now = vec![parser()];
    for dialect in DIALECTS {
        for file in FILES {
            let (heading, lines) = digests(dialect, file);
            println!("{heading}");
            now.push(heading);
            now.extend(lines);
        }
    }
    let path = "tests/sql/digest.txt";
    if std::env::var_os("UPDATE_DIGEST").is_some() {
        let written = std::fs::write(place(path), now.join("\n") + "\n");
        written.unwrap_or_else(|error| panic!("{path}: {error}"));
        return;
    }
    let then = read(path);
    let then: Vec<&str> = then.lines().collect();
    let came = now.iter().filter(|line| !then.contains(&line.as_str()));
    let went = then.iter().filter(|line| !now.iter().any(|other| other == *line));
    let changes: Vec<String> =
        went.map(|line| format!("- {line}")).chain(came.map(|line| format!("+ {line}"))).collect();
    assert!(
        changes.is_empty() && then == now,
        "{path} and the proof differ. Read each change; if all are meant, UPDATE_DIGEST=1 writes it.\n{}",
        changes.join("\n")
    );
}
