//! The links: each is a hash over the one before, the event, and everything that it led to.
//!
//! Not the whole state is hashed for each event, but what changed in it, found by the structural
//! difference of its maps. Equal links after equal links mean equal states, one by one.

use crate::ids::SessionId;
use crate::reducer::state::{Activity, Entries, Session};
use crate::reducer::{State, Step};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::Arc;

/// Bytes of a link. Nobody forges a recording; sixteen are enough to never meet by accident.
const LINK_BYTES: usize = 16;

/// One link: 32 lower-case hexadecimal digits in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link([u8; LINK_BYTES]);

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Link {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Link {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom("a link is 32 hexadecimal digits");
        let number = u128::from_str_radix(&text, 16).map_err(|_| wrong())?;
        let link = Self(number.to_be_bytes());
        if link.to_string() == text { Ok(link) } else { Err(wrong()) }
    }
}

/// Makes one link after the other.
#[derive(Debug)]
pub(super) struct Chain {
    link: Link,
    /// Reused, so that an event costs no fresh memory.
    buffer: Vec<u8>,
}

impl Chain {
    /// A chain that goes on after this link.
    pub(super) const fn after(link: Link) -> Self {
        Self { link, buffer: Vec::new() }
    }

    /// The last link.
    pub(super) const fn link(&self) -> Link {
        self.link
    }

    /// Adds an event, in the form of its line, with what it led to.
    pub(super) fn add(&mut self, event: &[u8], before: &State, step: &Step) -> Link {
        self.buffer.clear();
        changes(&mut self.buffer, before, &step.state);
        put(&mut self.buffer, &("effects", &step.effects));
        put(&mut self.buffer, &("answer", &step.answer));
        let hash = Sha256::new()
            .chain_update(self.link.0)
            .chain_update(event)
            .chain_update([b'\n'])
            .chain_update(&self.buffer)
            .finalize();
        let mut link = [0; LINK_BYTES];
        link.iter_mut().zip(hash.iter()).for_each(|(to, from)| *to = *from);
        self.link = Link(link);
        self.link
    }
}

/// Writes what changed, in one order. A new part of the state does not compile until it is here.
fn changes(buffer: &mut Vec<u8>, before: &State, after: &State) {
    let State {
        seq,
        now,
        server,
        clients,
        sessions,
        sources,
        sharing,
        documents,
        shared_documents,
        grants,
        requests,
        tasks,
        activity,
        notices,
        alarm,
        counters,
    } = after;
    put(buffer, &(seq, now, server, alarm, counters));
    map(buffer, "clients", &before.clients, clients);
    map_of_sessions(buffer, &before.sessions, sessions);
    map(buffer, "sources", &before.sources, sources);
    map(buffer, "sharing", &before.sharing, sharing);
    map(buffer, "documents", &before.documents, documents);
    map(buffer, "grants", &before.grants, grants);
    map(buffer, "requests", &before.requests, requests);
    map(buffer, "tasks", &before.tasks, tasks);
    for notice in notices {
        put(buffer, notice);
    }
    // Only what differs may be written, never what merely is another copy: a replay that goes on from
    // a state that was read shares other parts of its memory.
    if before.shared_documents != *shared_documents {
        for shared in shared_documents {
            put(buffer, shared);
        }
    }
    let Activity { of_record, at_will } = activity;
    entries(buffer, before, &before.activity.of_record, of_record);
    entries(buffer, before, &before.activity.at_will, at_will);
}

/// Writes the entries of a map that came, went or changed.
fn map<K, V>(buffer: &mut Vec<u8>, name: &str, before: &OrdMap<K, V>, after: &OrdMap<K, V>)
where
    K: Ord + Serialize,
    V: PartialEq + Serialize,
{
    for difference in before.diff(after) {
        match difference {
            DiffItem::Add(key, value) => put(buffer, &(name, "+", key, value)),
            DiffItem::Update { new: (key, value), .. } => put(buffer, &(name, "=", key, value)),
            DiffItem::Remove(key, _) => put(buffer, &(name, "-", key)),
        }
    }
}

/// The same for sessions, which have up to 256 keys: of one that changed, only the keys that changed.
fn map_of_sessions(
    buffer: &mut Vec<u8>,
    before: &OrdMap<SessionId, Arc<Session>>,
    after: &OrdMap<SessionId, Arc<Session>>,
) {
    for difference in before.diff(after) {
        match difference {
            DiffItem::Add(key, value) => put(buffer, &("sessions", "+", key, value)),
            DiffItem::Update { old: (_, old), new: (key, new) } => {
                let Session { client, token_hash, label, began_at, last_used_at, .. } = &**new;
                let own = (client, token_hash, label, began_at, last_used_at);
                put(buffer, &("sessions", "=", key, own));
                map(buffer, "keys", &old.keys, &new.keys);
                map(buffer, "tombstones", &old.tombstones, &new.tombstones);
            }
            DiffItem::Remove(key, _) => put(buffer, &("sessions", "-", key)),
        }
    }
}

/// Writes what came to a list of the activity, and the numbers of what is still there. Entries come
/// at the end, go anywhere, and never change.
fn entries(buffer: &mut Vec<u8>, state: &State, before: &Entries, after: &Entries) {
    let last = |entries: &Entries| entries.newest().map(|entry| entry.entry);
    if before.len() == after.len() && last(before) == last(after) {
        return;
    }
    for entry in after.iter() {
        if entry.entry > state.counters.entry {
            put(buffer, entry);
        } else {
            buffer.extend_from_slice(&entry.entry.to_le_bytes());
        }
    }
}

fn put(buffer: &mut Vec<u8>, value: &impl Serialize) {
    // Plain data always serialises. Should some not, both sides write the same instead.
    if let Err(error) = serde_json::to_writer(&mut *buffer, value) {
        buffer.extend_from_slice(error.to_string().as_bytes());
    }
    buffer.push(b'\n');
}
