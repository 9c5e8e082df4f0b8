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

    /// All of them, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        let mut to_skip = self.dropped;
        let chunks = self.full.iter().chain(std::iter::once(&self.newest)).map(move |chunk| {
            let skipped = std::mem::take(&mut to_skip);
            chunk.get(skipped..).unwrap_or_default()
        });
        chunks.flatten()
    }

    /// The oldest one.
    #[must_use]
    pub fn oldest(&self) -> Option<&Arc<Entry>> {
        self.full.front().unwrap_or(&self.newest).get(self.dropped)
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
        self.len() == other.len() && self.iter().eq(other.iter())
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
