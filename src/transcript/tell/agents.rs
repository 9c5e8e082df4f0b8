//! Lines of agents, and the person's decisions about what they ask.

use super::known::Known;
use super::text::{self, no_words, plain_table, put_names, put_table, put_text, quoted};
use super::{Line, Told};
use crate::events::{Operation, RequestEvent, SessionEvent, Submission, TextTool, VerifiedRead};
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
            RequestEvent::AllowedOnce { request } => {
                format!("dana allows {}", self.request(request)).into()
            }
            RequestEvent::Denied { request, note } => {
                let note = note.as_ref().map(|note| format!(": {}", quoted(note)));
                format!("dana denies {}{}", self.request(request), note.unwrap_or_default()).into()
            }
            RequestEvent::Cancelled { client, token_hash, request } => {
                let (name, request) = (self.agent(client)?, self.request(request));
                format!("{name} cancels {request}{}", self.token_clause(client, *token_hash)).into()
            }
        })
    }

    fn submission(&mut self, made: &Submission, occurrence: &Occurrence) -> Told<Line> {
        let name = self.agent(&made.client)?;
        let source = self.asked_source(&made.source);
        let mut line = operation(&name, &source, &made.operation);
        let key = self.key_clause(made, &source)?;
        line.text.push_str(&key);
        let token = self.token_clause(&made.client, made.token_hash);
        line.text.push_str(&token);
        let seen = read::source(&occurrence.before, &made.client, &made.source);
        if made.source_generation != seen.map(|source| source.generation) {
            let under = made.source_generation.map(|generation| generation.to_string());
            let under = under.unwrap_or_else(|| "nothing".to_owned());
            line.text.push_str(", with its text verified under ");
            line.text.push_str(&under);
        }
        if let Some(known) = self.requests.get(&made.request) {
            line.text.push_str(", with the identifier ");
            line.text.push_str(known);
        } else if is_new(occurrence) {
            self.requests_made += 1;
            self.requests.insert(made.request.clone(), format!("r{}", self.requests_made));
        }
        Ok(line)
    }

    /// The key, unless it is the fresh one that a line has by itself. The language makes the digest
    /// of the arguments from what it asks, so that a key can be used twice only if that says the
    /// same as the digests of the log.
    fn key_clause(&mut self, made: &Submission, source: &str) -> Told<String> {
        let told = format!("{source} {}", words::operation(&made.operation));
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
fn operation(name: &str, source: &str, operation: &Operation) -> Line {
    match operation {
        Operation::ListTables => format!("{name} lists the tables of {source}").into(),
        Operation::DescribeTable { table } => {
            let mut line = match plain_table(table) {
                Some(plain) => return format!("{name} describes {plain} of {source}").into(),
                None => Line::from(format!("{name} describes a table of {source}")),
            };
            put_table(&mut line, table);
            line
        }
        Operation::ReadTable { read } => {
            if let Some(plain) = whole_table(read) {
                return format!("{name} reads {plain} of {source}").into();
            }
            let mut line = Line::from(format!("{name} reads a table of {source}"));
            put_text(&mut line, &read.sql);
            put_names(&mut line, read);
            line
        }
        Operation::QuerySql { read } => {
            let mut line = Line::from(format!("{name} queries {source}"));
            put_text(&mut line, &read.sql);
            if text::tables_named(&read.sql) != read.tables || !read.columns.is_empty() {
                put_names(&mut line, read);
            }
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
                Line::from(format!("{name} {deed} {source}, refused by the text: {code}"));
            put_text(&mut line, &text.sql);
            line
        }
    }
}

/// The table, if this is the read that a story makes of its name alone.
fn whole_table(read: &VerifiedRead) -> Option<String> {
    let [table] = read.tables.as_slice() else { return None };
    let plain = plain_table(table)?;
    let is_whole = *read.sql == format!("SELECT * FROM {plain} LIMIT 500")
        && read.columns == [(table.clone(), "id".to_owned())];
    is_whole.then_some(plain)
}
