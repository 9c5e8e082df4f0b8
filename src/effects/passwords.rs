//! The passwords of sources while the program runs. They are in no event, no configuration and no log: only here and,
//! if the person keeps a keychain, in an item of it (`vault`).

use crate::ids::SourceId;
use crate::reducer::effect::SavedSource;
use crate::secret::Secret;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Passwords by the identifier of their source. Copies share them.
#[derive(Clone, Default)]
pub struct Passwords(Arc<Mutex<BTreeMap<SourceId, Secret>>>);

impl Passwords {
    /// Those that were kept.
    #[must_use]
    pub fn new(kept: BTreeMap<SourceId, Secret>) -> Self {
        Self(Arc::new(Mutex::new(kept)))
    }

    /// The password of a source, if it has one.
    #[must_use]
    pub fn of(&self, source: &SourceId) -> Option<Secret> {
        self.with(|all| all.get(source).cloned())
    }

    /// Sets or takes away the password of a source, and gives the one that it had. Whoever calls it tells the
    /// reducer afterwards (`SourceChange::Password`), which ends what was granted and closes the driver.
    #[expect(
        clippy::must_use_candidate,
        reason = "what it had matters only to who may put it back"
    )]
    pub fn set(&self, source: &SourceId, password: Option<Secret>) -> Option<Secret> {
        self.with(|all| match password {
            Some(password) => all.insert(source.clone(), password),
            None => all.remove(source),
        })
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> BTreeMap<SourceId, Secret> {
        self.with(|all| all.clone())
    }

    /// Those of these sources, to be kept.
    #[must_use]
    pub fn of_all(&self, sources: &[SavedSource]) -> BTreeMap<SourceId, Secret> {
        let of = |saved: &SavedSource| Some((saved.source.clone(), self.of(&saved.source)?));
        sources.iter().filter_map(of).collect()
    }

    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<SourceId, Secret>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Passwords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Passwords").finish_non_exhaustive()
    }
}
