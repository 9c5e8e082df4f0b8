//! The drivers that are kept between two pieces of work, one for each source.
//!
//! A driver may keep connections to a server open. It belongs to one configuration of its source and is closed as
//! soon as that one is over, so that nothing can run under an account or a place that the person took away.

use super::passwords::Passwords;
use super::query::location_of;
use crate::drivers::{Driver, Location};
use crate::ids::{SourceGeneration, SourceId};
use crate::reducer::Place;
use crate::reducer::state::Sources;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Opens a driver; nothing is touched before its first work. [`crate::drivers::open`], or what a test puts there.
pub type Open = Arc<dyn Fn(&Location) -> Arc<dyn Driver> + Send + Sync>;

/// The drivers of all sources. Owned by the runner, which takes effects in their order: a driver is asked for only
/// for the configuration that is the current one.
pub(super) struct Connections {
    open: Open,
    passwords: Passwords,
    kept: BTreeMap<SourceId, (SourceGeneration, Arc<dyn Driver>)>,
    closing: JoinSet<()>,
}

impl Connections {
    pub(super) fn new(open: Open, passwords: Passwords) -> Self {
        Self { open, passwords, kept: BTreeMap::new(), closing: JoinSet::new() }
    }

    /// The driver of a source, opened if there is none for this configuration.
    pub(super) fn driver(&mut self, place: &Place) -> Arc<dyn Driver> {
        if let Some((generation, driver)) = self.kept.get(&place.source)
            && *generation == place.generation
        {
            return driver.clone();
        }
        let password = self.passwords.of(&place.source);
        let driver = (self.open)(&location_of(place, password));
        let kept = (place.generation, driver.clone());
        if let Some((_, old)) = self.kept.insert(place.source.clone(), kept) {
            self.close(old);
        }
        driver
    }

    /// Closes the drivers of what is not there any more as it was.
    pub(super) fn keep_only(&mut self, sources: &Sources) {
        let is_current = |id: &SourceId, generation: SourceGeneration| {
            sources.get(id).is_some_and(|source| source.generation == generation)
        };
        let over = self.kept.extract_if(.., |id, (generation, _)| !is_current(id, *generation));
        let over: Vec<_> = over.collect();
        for (_, (_, driver)) in over {
            self.close(driver);
        }
    }

    /// Closes all. Returns when each has closed what it kept open.
    pub(super) async fn close_all(mut self) {
        for (_, driver) in std::mem::take(&mut self.kept).into_values() {
            self.close(driver);
        }
        while self.closing.join_next().await.is_some() {}
    }

    fn close(&mut self, driver: Arc<dyn Driver>) {
        while self.closing.try_join_next().is_some() {}
        self.closing.spawn(async move { driver.close().await });
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Connections")
            .field("kept", &self.kept.len())
            .finish_non_exhaustive()
    }
}
