//! Lines of agents, and the person's decisions about what they ask.

use super::known::Known;
use super::text::{
    self, no_words, plain_table, put_column, put_names, put_table, put_text, quoted,
};
use super::{Line, Told};
use crate::events::{
    Excerpt, Operation, RequestEvent, Scope, SessionEvent, Submission, Target, TextTool,
    VerifiedRead, VerifiedWrite,
};
use crate::reducer::{Answer, read};
use crate::transcript::{Occurrence, words};

impl Known {
    pub(super) fn session_event(
        &mut self,
        event: &SessionEvent,
        occurrence: &Occurrence,
    ) -> Told<Line> {
        Ok(match event {
            SessionEvent::Began { client, session, token_hash, label } => {
                let name = self.agent(client)?;
                let known = self.session_tokens.iter().find(|(token, _)| token == token_hash);
                let of = known.map(|(_, word)| format!(", with the token of {word}"));
                let label = Self::label_clause(label.as_deref());
                if occurrence.step.answer.is_ok() {
                    let number = self.sessions.len() + 1;
                    let word = format!("s{number}");
                    if self.sessions.insert(session.clone(), word.clone()).is_some() {
                        return no_words(format!("a second session {session}"));
                    }
                    self.session_tokens.push((*token_hash, word));
                    self.newest.insert(client.clone(), *token_hash);
                }
                format!("{name} begins a session{}{label}", of.unwrap_or_default()).into()
            }
            SessionEvent::Used { client, session } => {
                format!("{} uses {}", self.agent(client)?, self.session(session)).into()
            }
            SessionEvent::Ended { client, token_hash } => {
                let token = self.token_clause(client, *token_hash);
                format!("{} ends its session{token}", self.agent(client)?).into()
            }
            SessionEvent::Revoked { session } => {
                format!("dana ends {}", self.session(session)).into()
            }
        })
    }

    pub(super) fn request_event(
        &mut self,
        event: &RequestEvent,
        occurrence: &Occurrence,
    ) -> Told<Line> {
        Ok(match event {
            RequestEvent::Submitted(submission) => self.submission(submission, occurrence)?,
            RequestEvent::Allowed { request, scope } => {
                let scope = match scope {
                    Scope::Once => String::new(),
                    Scope::Table | Scope::Source | Scope::FullSql | Scope::Document => {
                        format!(" for the session: {}", scope.word())
                    }
                };
                format!("dana allows {}{scope}", self.request(request)).into()
            }
            RequestEvent::Denied { request, note } => {
                let note = note.as_ref().map(|note| format!(": {}", quoted(note)));
                format!("dana denies {}{}", self.request(request), note.unwrap_or_default()).into()
            }
            RequestEvent::Cancelled { client, token_hash, request } => {
                let (name, request) = (self.agent(client)?, self.request(request));
                format!("{name} cancels {request}{}", self.token_clause(client, *token_hash)).into()
            }
            RequestEvent::Estimated { request, estimate } => {
                let (request, plan) = (self.request(request), text::withheld(&estimate.plan));
                let rows = estimate.rows.map(|rows| format!("{rows} rows"));
                let rows = rows.unwrap_or_else(|| "some rows".to_owned());
                format!("dbeast estimates {request}: {rows}, by {plan}").into()
            }
        })
    }

    fn submission(&mut self, made: &Submission, occurrence: &Occurrence) -> Told<Line> {
        let name = self.agent(&made.client)?;
        let (asked, under) = self.target(made, occurrence)?;
        let mut line = operation(&name, &asked, &made.operation)?;
        let key = self.key_clause(made, &asked)?;
        line.text.push_str(&key);
        let token = self.token_clause(&made.client, made.token_hash);
        line.text.push_str(&token);
        line.text.push_str(&under);
        if let Some(known) = self.requests.get(&made.request) {
            line.text.push_str(", with the identifier ");
            line.text.push_str(known);
        } else if is_new(occurrence) {
            self.requests_made += 1;
            self.requests.insert(made.request.clone(), format!("r{}", self.requests_made));
        }
        Ok(line)
    }

    /// What it is about, and a clause if the agent saw it in another state than it has.
    fn target(&mut self, made: &Submission, occurrence: &Occurrence) -> Told<(String, String)> {
        let before = &occurrence.before;
        Ok(match &made.target {
            Target::Source { source, generation } => {
                let seen = read::source(before, &made.client, source);
                let seen = seen.map(|source| source.generation).unwrap_or_default();
                let under = format!(", with its text verified under {generation}");
                let clause = if *generation == seen { String::new() } else { under };
                (self.asked_source(source), clause)
            }
            Target::Document { file, version } => {
                let seen = before.document_of(&made.client, file);
                let seen = seen.map(|document| document.version).unwrap_or_default();
                let then = format!(", as it was in {version}");
                let clause = if *version == seen { String::new() } else { then };
                (self.file(file)?, clause)
            }
        })
    }

    /// The key, unless it is the fresh one that a line has by itself. The language makes the digest
    /// of the arguments from what it asks, so that a key can be used twice only if that says the
    /// same as the digests of the log.
    fn key_clause(&mut self, made: &Submission, source: &str) -> Told<String> {
        let version = match &made.target {
            Target::Source { .. } => String::new(),
            Target::Document { version, .. } => format!(" {version}"),
        };
        let told = format!("{source}{version} {}", words::operation(&made.operation));
        let is_told = self
            .uses
            .iter()
            .filter(|(key, ..)| *key == made.key)
            .all(|(_, digest, before)| (*digest == made.digest) == (*before == told));
        if !is_told {
            return no_words(format!("arguments of {} that differ only in their digest", made.key));
        }
        self.uses.push((made.key.clone(), made.digest, told));
        if let Some(key) = self.keys.get(&made.key) {
            return Ok(format!(", with key {key}"));
        }
        let key = format!("k{}", self.keys.len() + 1);
        self.keys.insert(made.key.clone(), key);
        Ok(String::new())
    }
}

const fn is_new(occurrence: &Occurrence) -> bool {
    matches!(occurrence.step.answer, Ok(Answer::Request { is_new: true, .. }))
}

/// What the agent asks, with the texts below it.
fn operation(name: &str, asked: &str, operation: &Operation) -> Told<Line> {
    Ok(match operation {
        Operation::ListTables => format!("{name} lists the tables of {asked}").into(),
        Operation::DescribeTable { table } => {
            if let Some(plain) = plain_table(table) {
                return Ok(format!("{name} describes {plain} of {asked}").into());
            }
            let mut line = Line::from(format!("{name} describes a table of {asked}"));
            put_table(&mut line, table);
            line
        }
        Operation::ReadTable { read } => {
            if let Some(plain) = whole_table(read) {
                return Ok(format!("{name} reads {plain} of {asked}").into());
            }
            let mut line = Line::from(format!("{name} reads a table of {asked}"));
            put_text(&mut line, &read.sql);
            put_names(&mut line, read);
            line
        }
        Operation::QuerySql { read } => {
            let mut line = Line::from(format!("{name} queries {asked}"));
            put_text(&mut line, &read.sql);
            if text::tables_named(&read.sql) != read.tables || !read.columns.is_empty() {
                put_names(&mut line, read);
            }
            line
        }
        Operation::RequestSql { sql, write } => {
            let mut line = Line::from(format!("{name} requests {asked}"));
            put_text(&mut line, sql);
            if let Some(write) = write {
                let VerifiedWrite { sql: own, table, columns, touches_all_rows } = &**write;
                line.text.push_str(", as a write of ");
                line.text.push_str(&text::table(table)?);
                line.text.push_str(if *touches_all_rows { ", of all rows" } else { "" });
                if **own != sql.to_uppercase() {
                    line.block.push(format!("\\write {}", quoted(own)));
                }
                for column in columns {
                    put_column(&mut line, table, column);
                }
            }
            line
        }
        Operation::ReadOpenFile { excerpt } => {
            let Excerpt { from, text, snapshot_bytes } = excerpt;
            let to = from.saturating_add(text.bytes());
            let mut line = Line::from(format!("{name} reads bytes {from} to {to} of {asked}"));
            let part = text::withheld(text);
            line.block.push(format!("\\excerpt of {snapshot_bytes}, {part}"));
            line
        }
        Operation::Refused { text } => {
            let deed = match text.tool {
                TextTool::DescribeTable => "describes a table of",
                TextTool::ReadTable => "reads a table of",
                TextTool::QuerySql => "queries",
            };
            let code = text.reason.code();
            let mut line =
                Line::from(format!("{name} {deed} {asked}, refused by the text: {code}"));
            put_text(&mut line, &text.sql);
            line
        }
    })
}

/// The table, if this is the read that a story makes of its name alone.
fn whole_table(read: &VerifiedRead) -> Option<String> {
    let [table] = read.tables.as_slice() else { return None };
    let plain = plain_table(table)?;
    let is_whole = *read.sql == format!("SELECT * FROM {plain} LIMIT 500")
        && read.columns == [(table.clone(), "id".to_owned())];
    is_whole.then_some(plain)
}
