//! Finds the entries of the view that differ between two states.

use super::{Change, Key, Kind, Place, Shown, activity};
use crate::ids::{ClientId, FileId, SessionId, SourceId};
use crate::reducer::state::{Request, Session, Source, State};
use crate::reducer::view::{self, Padded};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use imbl::ordset::DiffItem as SetItem;

/// Every entry that differs, in the order of the view's own words.
pub(super) fn changes<'a>(before: &'a State, after: &'a State) -> Vec<Change<'a>> {
    let mut finder = Finder { before, after, found: Vec::new() };
    let sessions = finder.sessions();
    activity::changes(&before.activity, &after.activity, &mut finder.found);
    let clients = finder.clients(&sessions);
    let documents = finder.documents();
    finder.grants(&sessions);
    finder.notices();
    let sources = finder.sources_themselves();
    let beside = Beside { clients, sessions: sessions.renamed, documents, sources };
    finder.requests(&beside);
    finder.server();
    finder.sources(beside.sources);
    finder.found
}

struct Finder<'a> {
    before: &'a State,
    after: &'a State,
    found: Vec<Change<'a>>,
}

/// Sessions are not shown by themselves, but with what they belong to.
#[derive(Default)]
struct Sessions<'a> {
    /// Connections whose session is another one or was used.
    clients: Vec<&'a ClientId>,
    /// Sessions that came, went or have another label.
    renamed: Vec<&'a SessionId>,
    /// Sessions that came, went or have another connection.
    moved: Vec<&'a SessionId>,
}

/// What is shown in the entries of requests and is another one now.
struct Beside<'a> {
    clients: Vec<&'a ClientId>,
    sessions: Vec<&'a SessionId>,
    documents: Vec<&'a FileId>,
    sources: Vec<&'a SourceId>,
}

impl Beside<'_> {
    const fn is_empty(&self) -> bool {
        self.clients.is_empty()
            && self.sessions.is_empty()
            && self.documents.is_empty()
            && self.sources.is_empty()
    }

    fn is_shown_in(&self, request: &Request) -> bool {
        self.clients.contains(&&request.client)
            || self.sessions.contains(&&request.session)
            || request.target.file().is_some_and(|file| self.documents.contains(&file))
            || request.target.source().is_some_and(|source| self.sources.contains(&source))
    }
}

impl<'a> Finder<'a> {
    fn push(&mut self, map: &'static str, key: Option<Key<'a>>, kind: Kind<'a>) {
        self.found.push(Change { place: Place { map, key }, kind });
    }

    fn sessions(&self) -> Sessions<'a> {
        let mut sessions = Sessions::default();
        if self.before.sessions.ptr_eq(&self.after.sessions) {
            return sessions;
        }
        for item in self.before.sessions.diff(&self.after.sessions) {
            match item {
                DiffItem::Add(id, session) | DiffItem::Remove(id, session) => {
                    sessions.clients.push(&session.client);
                    sessions.renamed.push(id);
                    sessions.moved.push(id);
                }
                DiffItem::Update { old: (id, old), new: (_, new) } => {
                    if shown(old) != shown(new) {
                        sessions.clients.extend([&old.client, &new.client]);
                    }
                    if old.label != new.label {
                        sessions.renamed.push(id);
                    }
                    if old.client != new.client {
                        sessions.moved.push(id);
                    }
                }
            }
        }
        sessions
    }

    /// Finds changed connections. Yields those that came, went or have another name.
    fn clients(&mut self, sessions: &Sessions<'a>) -> Vec<&'a ClientId> {
        let (before, after) = (self.before, self.after);
        let renamed = changed(&before.clients, &after.clients);
        let mut touched: Vec<_> = renamed.iter().chain(&sessions.clients).copied().collect();
        for id in sorted(&mut touched) {
            let was_there = before.clients.contains_key(id);
            let client = after.clients.get(id).map(|client| Shown::Client(id, client));
            self.note("clients", Key::Word(id.as_str()), was_there, client);
        }
        renamed
    }

    /// Finds changed documents. Yields those that came, went or have another name.
    fn documents(&mut self) -> Vec<&'a FileId> {
        let (before, after) = (self.before, self.after);
        let is_same = before.documents.ptr_eq(&after.documents);
        if is_same && before.shared_documents.ptr_eq(&after.shared_documents) {
            return Vec::new();
        }
        let itself = changed(&before.documents, &after.documents);
        let shared = before.shared_documents.diff(&after.shared_documents).map(|item| match item {
            SetItem::Add((file, _)) | SetItem::Remove((file, _)) => file,
        });
        let mut touched: Vec<_> = itself.iter().copied().chain(shared).collect();
        for id in sorted(&mut touched) {
            let was_there = before.documents.contains_key(id);
            let document = after.documents.get(id).map(|document| Shown::Document(id, document));
            self.note("documents", Key::Word(id.as_str()), was_there, document);
        }
        changed_unless(&before.documents, &after.documents, |old, new| {
            old.name == new.name && old.alias == new.alias
        })
    }

    fn grants(&mut self, sessions: &Sessions<'a>) {
        let (before, after) = (self.before, self.after);
        let mut touched = changed(&before.grants, &after.grants);
        if !sessions.moved.is_empty() {
            let grants = after.grants.iter();
            let theirs = grants.filter(|(_, grant)| sessions.moved.contains(&&grant.session));
            touched.extend(theirs.map(|(id, _)| id));
        }
        for id in sorted(&mut touched) {
            let (old, new) = (before.grants.get(id), after.grants.get(id));
            // Which table it is, for example, is not shown.
            let is_shown = match (old, new) {
                (Some(old), Some(new)) => {
                    view::grant(before, *id, old) != view::grant(after, *id, new)
                }
                (_, _) => true,
            };
            if is_shown {
                let shown = new.map(|grant| Shown::Grant(*id, grant));
                self.note("grants", Key::Number(Padded(id.0)), old.is_some(), shown);
            }
        }
    }

    fn notices(&mut self) {
        if self.before.notices.ptr_eq(&self.after.notices) {
            return;
        }
        let notices = self.before.notices.diff(&self.after.notices).map(|item| match item {
            SetItem::Add(notice) | SetItem::Remove(notice) => *notice,
        });
        let mut touched: Vec<_> = notices.collect();
        touched.sort_unstable_by_key(|notice| notice.code());
        for notice in touched {
            let was_there = self.before.notices.contains(&notice);
            let is_there = self.after.notices.contains(&notice);
            let shown = is_there.then_some(Shown::Notice(notice));
            self.note("notices", Key::Word(notice.code()), was_there, shown);
        }
    }

    /// Sources that came, went or look different by themselves: their generation is not shown.
    fn sources_themselves(&self) -> Vec<&'a SourceId> {
        let looks_alike = |old: &Source, new: &Source| {
            *old == Source { generation: old.generation, ..new.clone() }
        };
        changed_unless(&self.before.sources, &self.after.sources, |old, new| looks_alike(old, new))
    }

    fn sources(&mut self, themselves: Vec<&'a SourceId>) {
        let (before, after) = (self.before, self.after);
        let mut touched = themselves;
        let shared = changed(&before.sharing, &after.sharing);
        touched.extend(shared.into_iter().map(|(source, _)| source));
        for id in sorted(&mut touched) {
            let was_there = before.sources.contains_key(id);
            let source = after.sources.get(id).map(|source| Shown::Source(id, source));
            self.note("sources", Key::Word(id.as_str()), was_there, source);
        }
    }

    fn requests(&mut self, beside: &Beside<'a>) {
        let (before, after) = (self.before, self.after);
        let mut touched = changed(&before.requests, &after.requests);
        if !beside.is_empty() {
            let requests = after.requests.iter();
            let showing = requests.filter(|(id, request)| {
                let old = before.requests.get(*id);
                beside.is_shown_in(request)
                    && old.is_some_and(|old| {
                        view::request(before, id, old) != view::request(after, id, request)
                    })
            });
            touched.extend(showing.map(|(id, _)| id));
        }
        for id in sorted(&mut touched) {
            let was_there = before.requests.contains_key(id);
            let request = after.requests.get(id).map(|request| Shown::Request(id, request));
            self.note("requests", Key::Word(id.as_str()), was_there, request);
        }
    }

    fn server(&mut self) {
        let (before, after) = (self.before, self.after);
        let may_differ = before.server != after.server || !before.notices.ptr_eq(&after.notices);
        if may_differ && view::server(before) != view::server(after) {
            self.push("server", None, Kind::Changed(Shown::Server));
        }
    }

    fn note(&mut self, map: &'static str, key: Key<'a>, was_there: bool, shown: Option<Shown<'a>>) {
        match (was_there, shown) {
            (false, Some(shown)) => self.push(map, Some(key), Kind::Came(shown)),
            (true, Some(shown)) => self.push(map, Some(key), Kind::Changed(shown)),
            (true, None) => self.push(map, Some(key), Kind::Went),
            (false, None) => {}
        }
    }
}

/// What the view shows of a session.
fn shown(session: &Session) -> impl PartialEq + '_ {
    let Session { client, label, began_at, last_used_at, .. } = session;
    (last_used_at, began_at, client, label)
}

/// The keys under which two maps differ.
fn changed<'a, K: Ord, V: PartialEq>(
    before: &'a OrdMap<K, V>,
    after: &'a OrdMap<K, V>,
) -> Vec<&'a K> {
    changed_unless(before, after, |_, _| false)
}

/// The keys under which two maps differ, without those whose values are alike.
fn changed_unless<'a, K: Ord, V: PartialEq>(
    before: &'a OrdMap<K, V>,
    after: &'a OrdMap<K, V>,
    are_alike: impl Fn(&V, &V) -> bool,
) -> Vec<&'a K> {
    // Most maps are the same one.
    if before.ptr_eq(after) {
        return Vec::new();
    }
    let keys = before.diff(after).filter_map(|item| match item {
        DiffItem::Add(key, _) | DiffItem::Remove(key, _) => Some(key),
        DiffItem::Update { old: (key, old), new: (_, new) } => {
            (!are_alike(old, new)).then_some(key)
        }
    });
    keys.collect()
}

fn sorted<K: Ord + Copy>(keys: &mut Vec<K>) -> impl Iterator<Item = K> {
    keys.sort_unstable();
    keys.dedup();
    keys.iter().copied()
}
