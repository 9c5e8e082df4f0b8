//! Who is who: each thing of the log with its name in the story.

use super::Told;
use super::text::quoted;
use crate::events::{ArgumentsDigest, DocumentKind, SourceLocation};
use crate::ids::{ClientId, FileId, RequestId, RequestKey, SessionId, SourceId};
use crate::secret::TokenHash;
use crate::transcript::words;
use std::collections::{BTreeMap, BTreeSet};

/// Words with which a line of a story can begin; nobody can be called so.
const RESERVED: &[&str] =
    &["all", "alarm", "clock", "dana", "dbeast", "everybody", "expect", "given"];

/// What the story has named so far.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) clients: BTreeMap<ClientId, String>,
    pub(super) sources: BTreeMap<SourceId, String>,
    pub(super) files: BTreeMap<FileId, String>,
    places: BTreeMap<SourceLocation, String>,
    pub(super) sessions: BTreeMap<SessionId, String>,
    pub(super) requests: BTreeMap<RequestId, String>,
    pub(super) keys: BTreeMap<RequestKey, String>,
    /// How often each key was used, with what: the digest of the log and that of the story.
    pub(super) uses: Vec<(RequestKey, ArgumentsDigest, String)>,
    /// The token of each connection, with the name under which it came first.
    pub(super) client_tokens: Vec<(TokenHash, String)>,
    /// The tokens of sessions, and those that belong to none.
    pub(super) session_tokens: Vec<(TokenHash, String)>,
    /// The newest session of each connection, as its agent believes.
    pub(super) newest: BTreeMap<ClientId, TokenHash>,
    pub(super) requests_made: u64,
    strangers: BTreeMap<String, String>,
    nobodies: usize,
    names: BTreeSet<String>,
}

impl Known {
    /// A name of its own for this label.
    fn name(&mut self, label: &str, otherwise: &str) -> String {
        let safe: String = label
            .chars()
            .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
            .collect::<String>()
            .trim_matches('-')
            .to_owned();
        let is_usable = safe.starts_with(|first: char| first.is_ascii_alphabetic());
        let stem = if is_usable { safe } else { otherwise.to_owned() };
        let is_free = |name: &str, names: &BTreeSet<String>| {
            !names.contains(name) && !RESERVED.contains(&name)
        };
        let mut name = stem.clone();
        let mut number = 2_u64;
        while !is_free(&name, &self.names) {
            name = format!("{stem}-{number}");
            number += 1;
        }
        self.names.insert(name.clone());
        name
    }

    /// The name of a connection; a fresh one for a fresh connection.
    pub(super) fn client(&mut self, id: &ClientId, label: &str) -> String {
        if let Some(name) = self.clients.get(id) {
            return name.clone();
        }
        let name = self.name(label, "agent");
        self.clients.insert(id.clone(), name.clone());
        name
    }

    /// The name of a connection that must have one.
    pub(super) fn agent(&self, id: &ClientId) -> Told<String> {
        let name = self.clients.get(id).cloned();
        name.ok_or_else(|| format!("the connection {id} was never created"))
    }

    /// The name of a database; a fresh one for a fresh database.
    pub(super) fn source(&mut self, id: &SourceId, label: &str) -> String {
        if let Some(name) = self.sources.get(id) {
            return name.clone();
        }
        let name = self.name(label, "database");
        self.sources.insert(id.clone(), name.clone());
        name
    }

    /// The name of a document that must have been opened.
    pub(super) fn file(&self, id: &FileId) -> Told<String> {
        let name = self.files.get(id).cloned();
        name.ok_or_else(|| format!("the document {id} was never opened"))
    }

    /// The name of a fresh document, or of one that is opened again.
    pub(super) fn fresh_file(&mut self, id: &FileId, label: &str, kind: DocumentKind) -> String {
        if let Some(name) = self.files.get(id) {
            return name.clone();
        }
        let stem = label.strip_suffix(".sql").unwrap_or(label);
        let name = self.name(stem, "document");
        let name = match kind {
            DocumentKind::Sql => format!("{name}.sql"),
            DocumentKind::Text => name,
        };
        self.files.insert(id.clone(), name.clone());
        name
    }

    /// Notes where a database is: stories put `shop` at `shop.db`.
    pub(super) fn put(&mut self, location: &SourceLocation, name: &str) {
        self.places.entry(location.clone()).or_insert_with(|| name.to_owned());
    }

    /// The name of a place: that of the first database that was there.
    pub(super) fn place(&mut self, location: &SourceLocation) -> String {
        if let Some(name) = self.places.get(location) {
            return name.clone();
        }
        let place = words::place(location);
        let name = self.name(place.rsplit(['/', '\\']).next().unwrap_or(place), "elsewhere");
        self.put(location, &name);
        name
    }

    /// The name of a database, also of one that was never there.
    pub(super) fn asked_source(&mut self, id: &SourceId) -> String {
        let known = self.sources.get(id).cloned();
        known.unwrap_or_else(|| self.stranger(&format!("source {id}")))
    }

    /// The name of a session, also of one that was never there.
    pub(super) fn session(&mut self, id: &SessionId) -> String {
        let known = self.sessions.get(id).cloned();
        known.unwrap_or_else(|| self.stranger(&format!("session {id}")))
    }

    /// The name of a request, also of one that was never there.
    pub(super) fn request(&mut self, id: &RequestId) -> String {
        let known = self.requests.get(id).cloned();
        known.unwrap_or_else(|| self.stranger(&format!("request {id}")))
    }

    /// A name that means nothing in the story, the same for the same thing.
    fn stranger(&mut self, what: &str) -> String {
        let number = self.strangers.len() + 1;
        self.strangers.entry(what.to_owned()).or_insert_with(|| format!("x{number}")).clone()
    }

    /// The owner's name under which a connection's token came first.
    fn owner(&mut self, token: TokenHash, name: &str) -> String {
        if let Some((_, owner)) = self.client_tokens.iter().find(|(known, _)| *known == token) {
            return owner.clone();
        }
        // Whose name is in use already for another token needs another word.
        let is_taken = self.client_tokens.iter().any(|(_, owner)| owner == name);
        let owner = if is_taken {
            self.stranger(&format!("token {} of {name}", self.client_tokens.len()))
        } else {
            name.to_owned()
        };
        self.client_tokens.push((token, owner.clone()));
        owner
    }

    /// ` with the token of …`, unless it is the connection's own.
    pub(super) fn owner_clause(&mut self, token: TokenHash, name: &str) -> String {
        let owner = self.owner(token, name);
        if owner == name { String::new() } else { format!(" with the token of {owner}") }
    }

    /// What a call must say about its session token: nothing if it is the agent's newest.
    pub(super) fn token_clause(&mut self, client: &ClientId, token: TokenHash) -> String {
        if self.newest.get(client) == Some(&token) {
            return String::new();
        }
        let known = self.session_tokens.iter().find(|(known, _)| *known == token);
        let word = if let Some((_, word)) = known {
            word.clone()
        } else {
            self.nobodies += 1;
            let word = match self.nobodies {
                1 => "nobody".to_owned(),
                number => format!("nobody{number}"),
            };
            self.session_tokens.push((token, word.clone()));
            word
        };
        // An agent without a session carries the token of nobody by itself.
        if word == "nobody" && !self.newest.contains_key(client) {
            return String::new();
        }
        format!(", with the token of {word}")
    }

    /// `, with the label "…"`.
    pub(super) fn label_clause(label: Option<&str>) -> String {
        label.map(|label| format!(", with the label {}", quoted(label))).unwrap_or_default()
    }
}
