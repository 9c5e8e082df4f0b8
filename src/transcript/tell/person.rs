//! Lines of the person.

use super::known::Known;
use super::text::{is_plain, no_words, quoted, table, withheld};
use super::{Line, Told};
use crate::events::{
    Audience, ClientEvent, DocumentEvent, SharingEvent, SourceChange, SourceEvent, TableLevel,
};
use crate::transcript::words;

impl Known {
    pub(super) fn client_event(&mut self, event: &ClientEvent) -> Line {
        match event {
            ClientEvent::Created { client, label, token_hash } => {
                let name = self.client(client, label);
                format!("dana connects {name}{}", self.owner_clause(*token_hash, &name)).into()
            }
            ClientEvent::Revoked { client } => {
                format!("dana revokes {}", self.client(client, "stranger")).into()
            }
        }
    }

    pub(super) fn source_event(&mut self, event: &SourceEvent) -> Line {
        match event {
            SourceEvent::Added { source, name, alias, location, is_read_only } => {
                let name = self.source(source, name);
                self.put(location, &name);
                let alias = alias.as_ref().map(|alias| format!(" for agents as {}", quoted(alias)));
                let read_only = if *is_read_only { " read-only" } else { "" };
                let engine = words::engine_clause(location);
                format!("dana adds {name}{engine}{}{read_only}", alias.unwrap_or_default()).into()
            }
            SourceEvent::Renamed { source, name, alias } => {
                let (name, alias) = (quoted(name), quoted(alias));
                let source = self.asked_source(source);
                format!("dana renames {source}: {name} for agents as {alias}").into()
            }
            SourceEvent::Changed { source, change } => {
                let source = self.asked_source(source);
                format!("dana changes {source}: {}", self.change(change)).into()
            }
            SourceEvent::Removed { source } => {
                format!("dana removes {}", self.asked_source(source)).into()
            }
        }
    }

    fn change(&mut self, change: &SourceChange) -> String {
        match change {
            SourceChange::Connection { location } => {
                let engine = words::engine_clause(location);
                format!("connection {}{engine}", self.place(location))
            }
            SourceChange::Password => "password".to_owned(),
            SourceChange::Context { context: None } => "context none".to_owned(),
            SourceChange::Context { context: Some(context) } => {
                if is_plain(context) && &**context != "none" {
                    format!("context {context}")
                } else {
                    format!("context {}", quoted(context))
                }
            }
            SourceChange::Availability { is_available: true } => "available".to_owned(),
            SourceChange::Availability { is_available: false } => "unavailable".to_owned(),
            SourceChange::ReadOnly { is_read_only: true } => "read-only".to_owned(),
            SourceChange::ReadOnly { is_read_only: false } => "writable".to_owned(),
            SourceChange::ReadLock { lock } => format!("{} read lock", words::lock_word(*lock)),
        }
    }

    pub(super) fn document_event(&mut self, event: &DocumentEvent) -> Told<Line> {
        Ok(match event {
            DocumentEvent::Opened { file, name, alias, kind, text } => {
                let name = self.fresh_file(file, name, *kind);
                let alias = alias.as_ref().map(|alias| format!(" for agents as {}", quoted(alias)));
                let alias = alias.unwrap_or_default();
                format!("dana opens {name}{alias}: {}", withheld(text)).into()
            }
            DocumentEvent::Changed { file, text } => {
                format!("dana edits {}: {}", self.file(file)?, withheld(text)).into()
            }
            DocumentEvent::Reverted { file, text } => {
                format!("dana reverts {}: {}", self.file(file)?, withheld(text)).into()
            }
            DocumentEvent::Closed { file } => format!("dana closes {}", self.file(file)?).into(),
            DocumentEvent::Shared { file, audience, is_shared } => {
                let level = if *is_shared { "ask" } else { "none" };
                let whom = self.whom(audience)?;
                format!("dana shares {} with {whom}: {level}", self.file(file)?).into()
            }
        })
    }

    pub(super) fn sharing_event(&mut self, event: &SharingEvent) -> Told<Line> {
        Ok(match event {
            SharingEvent::Set { source, audience, level } => {
                let (source, whom) = (self.asked_source(source), self.whom(audience)?);
                if self.files.values().any(|file| *file == source) {
                    return no_words(format!(
                        "a database that is called like a document, {source}"
                    ));
                }
                format!("dana shares {source} with {whom}: {}", words::level_word(*level)).into()
            }
            SharingEvent::TableSet { source, audience, table: name, level } => {
                let (source, whom) = (self.asked_source(source), self.whom(audience)?);
                let level = level.map_or("none", TableLevel::word);
                format!("dana shares {} of {source} with {whom}: {level}", table(name)?).into()
            }
        })
    }

    fn whom(&self, audience: &Audience) -> Told<String> {
        match audience {
            Audience::AllAgents => Ok("all agents".to_owned()),
            Audience::Client(client) => self.agent(client),
        }
    }
}
