//! How the view of one state becomes the view of another: the entries that changed, each whole.
//!
//! The maps of two states share what did not change, so only that is looked at what did, and what
//! is shown beside it: a renamed source changes the views of its requests. An entry is projected when
//! the difference is written, as a JSON Patch (RFC 6902).

mod activity;
mod find;

use super::state::{Client, Document, Entry, Grant, Request, Source, State};
use super::view::{self, Padded};
use crate::events::Notice;
use crate::ids::{ClientId, FileId, GrantId, RequestId, SourceId};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// What turns the view of one state into that of another. Empty when they are equal.
#[derive(Clone, Debug)]
pub struct ViewDiff<'a> {
    /// The changed entries, in one order.
    pub changes: Vec<Change<'a>>,
    after: &'a State,
}

/// One entry of the view that changed.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Where.
    pub place: Place<'a>,
    /// What became of it.
    pub kind: Kind<'a>,
}

/// What became of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// It was not there before.
    Came(Shown<'a>),
    /// It is another one.
    Changed(Shown<'a>),
    /// It is not there any more.
    Went,
}

/// Where an entry is in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// Which map of the view, or `server`.
    pub map: &'static str,
    /// Under which key; `server` has none.
    pub key: Option<Key<'a>>,
}

/// A key of a map of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    /// An identifier.
    Word(&'a str),
    /// A number.
    Number(Padded),
}

/// What an entry shows, before it is projected.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// The program and the agents' door.
    Server,
    /// A notice.
    Notice(Notice),
    /// A database.
    Source(&'a SourceId, &'a Source),
    /// A document.
    Document(&'a FileId, &'a Document),
    /// A connection.
    Client(&'a ClientId, &'a Client),
    /// A grant.
    Grant(GrantId, &'a Grant),
    /// A request.
    Request(&'a RequestId, &'a Request),
    /// An entry of the activity list.
    Entry(&'a Entry),
}

/// What turns the view of `before` into that of `after`, whatever happened in between.
#[must_use]
pub fn between<'a>(before: &'a State, after: &'a State) -> ViewDiff<'a> {
    ViewDiff { changes: find::changes(before, after), after }
}

impl ViewDiff<'_> {
    /// Whether the two views are equal.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl Serialize for ViewDiff<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let after = self.after;
        serializer.collect_seq(self.changes.iter().map(|change| Operation { change, after }))
    }
}

/// One operation of the patch.
struct Operation<'a> {
    change: &'a Change<'a>,
    after: &'a State,
}

impl Serialize for Operation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (word, shown) = match &self.change.kind {
            Kind::Came(shown) => ("add", Some(shown)),
            Kind::Changed(shown) => ("replace", Some(shown)),
            Kind::Went => ("remove", None),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("op", word)?;
        map.serialize_entry("path", &Path(self.change.place))?;
        if let Some(shown) = shown {
            map.serialize_entry("value", &Value { shown, after: self.after })?;
        }
        map.end()
    }
}

/// The value of an operation, which is projected while it is written.
struct Value<'a> {
    shown: &'a Shown<'a>,
    after: &'a State,
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let after = self.after;
        match *self.shown {
            Shown::Server => view::server(after).serialize(serializer),
            Shown::Notice(notice) => view::notice(notice).serialize(serializer),
            Shown::Source(id, source) => view::source(after, id, source).serialize(serializer),
            Shown::Document(id, one) => view::document(after, id, one).serialize(serializer),
            Shown::Client(id, client) => view::client(after, id, client).serialize(serializer),
            Shown::Grant(id, grant) => view::grant(after, id, grant).serialize(serializer),
            Shown::Request(id, request) => view::request(after, id, request).serialize(serializer),
            Shown::Entry(entry) => view::entry(entry).serialize(serializer),
        }
    }
}

/// A place as a JSON Pointer (RFC 6901).
struct Path<'a>(Place<'a>);

impl Serialize for Path<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.0.map)?;
        match self.0.key {
            None => Ok(()),
            Some(Key::Number(number)) => write!(f, "/{number}"),
            Some(Key::Word(word)) if word.contains(['~', '/']) => {
                write!(f, "/{}", word.replace('~', "~0").replace('/', "~1"))
            }
            Some(Key::Word(word)) => write!(f, "/{word}"),
        }
    }
}

impl fmt::Display for Place<'_> {
    /// For people: `requests.r1`, `activity.4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.map)?;
        match self.key {
            None => Ok(()),
            Some(Key::Number(Padded(number))) => write!(f, ".{number}"),
            Some(Key::Word(word)) => write!(f, ".{word}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Padded, Path, Place};

    #[test]
    fn a_key_is_escaped_for_the_page_and_plain_for_people() {
        let place = Place { map: "clients", key: Some(Key::Word("a/b~c")) };
        assert_eq!(Path(place).to_string(), "/clients/a~1b~0c");
        assert_eq!(place.to_string(), "clients.a/b~c");
        let place = Place { map: "activity", key: Some(Key::Number(Padded(7))) };
        assert_eq!(Path(place).to_string(), "/activity/000000000007");
        assert_eq!(place.to_string(), "activity.7");
        assert_eq!(Path(Place { map: "server", key: None }).to_string(), "/server");
    }
}
