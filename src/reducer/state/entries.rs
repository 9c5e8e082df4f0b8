//! A list that grows at one end and shrinks at the other, and of which a changed copy costs little:
//! chunks that copies share. (A persistent vector copies chunks of 64 for each change.)

use super::Entry;
use std::collections::VecDeque;
use std::sync::Arc;

/// Entries in a chunk: small, because adding one to a shared list copies the newest chunk.
const CHUNK: usize = 8;

/// Entries of the activity list, oldest first.
#[derive(Clone, Default)]
pub struct Entries {
    /// Full chunks.
    full: Arc<VecDeque<Arc<Vec<Arc<Entry>>>>>,
    /// The newest chunk, which is not full.
    newest: Arc<Vec<Arc<Entry>>>,
    /// How many of the oldest chunk were dropped.
    dropped: usize,
}

impl Entries {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.full.len() * CHUNK + self.newest.len()).saturating_sub(self.dropped)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether they are one and the same list, without a look at the entries.
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.full, &other.full)
            && Arc::ptr_eq(&self.newest, &other.newest)
            && self.dropped == other.dropped
    }

    /// All of them, oldest first.
    #[must_use = "iterators do nothing by themselves"]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        let (oldest, newest) = match self.full.front() {
            Some(oldest) => (oldest, self.newest.as_slice()),
            None => (&self.newest, &[][..]),
        };
        let kept = oldest.get(self.dropped..).unwrap_or_default();
        let full = self.full.iter().skip(1).flat_map(|chunk| chunk.iter());
        kept.iter().chain(full).chain(newest)
    }

    /// The oldest one.
    #[must_use]
    pub fn oldest(&self) -> Option<&Arc<Entry>> {
        self.full.front().unwrap_or(&self.newest).get(self.dropped)
    }

    /// The newest one.
    #[must_use]
    pub fn newest(&self) -> Option<&Arc<Entry>> {
        self.newest.last().or_else(|| self.full.back()?.last()).filter(|_| !self.is_empty())
    }

    /// Adds a newer one.
    pub(in crate::reducer) fn push(&mut self, entry: Arc<Entry>) {
        let newest = Arc::make_mut(&mut self.newest);
        newest.push(entry);
        if newest.len() == CHUNK {
            let chunk = std::mem::take(&mut self.newest);
            Arc::make_mut(&mut self.full).push_back(chunk);
        }
    }

    /// Drops the oldest one.
    pub(in crate::reducer) fn drop_oldest(&mut self) {
        if self.is_empty() {
            return;
        }
        self.dropped += 1;
        if self.full.is_empty() {
            if self.dropped == self.newest.len() {
                *self = Self::default();
            }
        } else if self.dropped == CHUNK {
            Arc::make_mut(&mut self.full).pop_front();
            self.dropped = 0;
        }
    }
}

impl FromIterator<Arc<Entry>> for Entries {
    fn from_iter<I: IntoIterator<Item = Arc<Entry>>>(entries: I) -> Self {
        let mut all = Self::default();
        for entry in entries {
            all.push(entry);
        }
        all
    }
}

// How they are cut into chunks is nobody's business.
impl PartialEq for Entries {
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(other) || self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Entries {}

impl std::hash::Hash for Entries {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.len().hash(hasher);
        self.iter().for_each(|entry| entry.hash(hasher));
    }
}

impl std::fmt::Debug for Entries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Entries, Entry, VecDeque};
    use crate::reducer::state::EntryKind;
    use crate::time::Millis;

    fn entry(number: u64) -> Arc<Entry> {
        Arc::new(Entry {
            entry: number,
            at: Millis(number),
            kind: EntryKind::AllStopped,
            client_label: None,
            session: None,
            session_label: None,
            request: None,
            resource_name: None,
            resource_alias: None,
            tool: None,
            status: None,
            sql: None,
            authorisation: None,
            scope: None,
            detail: None,
            cause: None,
        })
    }

    #[test]
    fn it_is_a_queue_however_it_is_cut() {
        // Grows to 40, shrinks to nothing, and so on, each time by another pattern.
        let (mut entries, mut model) = (Entries::default(), VecDeque::new());
        let mut earlier = Vec::new();
        for number in 0..4_000_u64 {
            let grows = (number / 40) % 2 == 0;
            if grows || number % 7 < 3 {
                entries.push(entry(number));
                model.push_back(number);
            }
            if !grows || number % 5 == 0 {
                entries.drop_oldest();
                model.pop_front();
            }
            let numbers = |entry: &Arc<Entry>| entry.entry;
            assert!(entries.iter().map(numbers).eq(model.iter().copied()), "at {number}");
            assert!(entries.iter().rev().map(numbers).eq(model.iter().rev().copied()));
            assert_eq!(entries.len(), model.len());
            assert_eq!(entries.is_empty(), model.is_empty());
            assert_eq!(entries.oldest().map(numbers), model.front().copied());
            assert_eq!(entries.newest().map(numbers), model.back().copied());
            assert_eq!(entries, entries.iter().cloned().collect());
            earlier.push((entries.clone(), model.clone()));
        }
        for (entries, model) in earlier {
            assert!(entries.iter().map(|entry| entry.entry).eq(model), "a copy changed");
        }
    }
}
