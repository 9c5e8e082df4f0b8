//! DBeast from its start to its end, as far as keeping is concerned.

use dbeast::config::{Config, Folder};
use dbeast::effects::ids;
use dbeast::effects::keep::{Keep, Restored, restore};
use dbeast::effects::passwords::Passwords;
use dbeast::effects::vault::{Loaded, Vault};
use dbeast::events::{ClientEvent, Event, Notice, ServerEvent};
use dbeast::ids::ClientId;
use dbeast::reducer::Effect;
use dbeast::store::Store;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Long enough for a busy machine; no story waits for it to pass.
pub(crate) const LONG: Duration = Duration::from_mins(1);

pub(crate) struct Program {
    pub(crate) store: Store,
    pub(crate) folder: Arc<Folder>,
    pub(crate) passwords: Passwords,
    effects: mpsc::Receiver<Effect>,
    keep: Keep,
}

pub(crate) fn keychain(folder: &Folder, config: &Config, wait: Duration) -> Vault {
    Vault::keychain(&config.owner, folder.path(), wait)
}

/// What the keychain holds for this folder.
pub(crate) async fn held(folder: &Path) -> Loaded {
    let folder = Folder::open(folder).unwrap();
    let config = folder.read().unwrap();
    keychain(&folder, &config, LONG).load().await
}

impl Program {
    pub(crate) async fn start(folder: &Path, wait: Duration) -> Self {
        Self::start_with(folder, |folder, config| keychain(folder, config, wait)).await
    }

    pub(crate) async fn start_with(
        folder: &Path,
        vault: impl FnOnce(&Folder, &Config) -> Vault,
    ) -> Self {
        let folder = Arc::new(Folder::open(folder).unwrap());
        let config = folder.read().unwrap();
        let vault = vault(&folder, &config);
        let Restored { event, notices, contents, passwords, vault, .. } =
            restore(&config, vault).await;
        let (store, effects) = Store::start(dbeast::effects::clock::real());
        store.send(event).await.unwrap();
        for notice in &notices {
            store.send(ServerEvent::NoticeRaised { notice: *notice }).await.unwrap();
        }
        let keep = Keep::start(
            folder.clone(),
            config,
            vault,
            &notices,
            contents,
            passwords.clone(),
            store.clone(),
        );
        Self { store, folder, passwords, effects, keep }
    }

    /// Sends an event and hands its effects on.
    pub(crate) async fn send(&mut self, event: impl Into<Event>) {
        self.store.send(event).await.unwrap();
        // The effects of an event are there when the next one is answered.
        self.store.send(ServerEvent::TimePassed).await.unwrap();
        while let Ok(effect) = self.effects.try_recv() {
            match effect {
                Effect::SaveVault { clients, sharing } => self.keep.save_vault(&clients, &sharing),
                Effect::SaveSources { sources } => self.keep.save_sources(&sources),
                Effect::RunTask { .. }
                | Effect::Estimate { .. }
                | Effect::SendStatement { .. }
                | Effect::ReadDocument { .. }
                | Effect::CancelTask { .. }
                | Effect::SetAlarm { .. } => {}
            }
        }
    }

    pub(crate) async fn create(&mut self, client: &str) {
        let event = ClientEvent::Created {
            client: ClientId::new(client),
            label: "Claude".into(),
            token_hash: ids::hash_token(client),
        };
        self.send(event).await;
    }

    pub(crate) fn clients(&self) -> Vec<String> {
        self.store.state().clients.keys().map(ToString::to_string).collect()
    }

    pub(crate) fn notices(&self) -> Vec<Notice> {
        self.store.state().notices.iter().copied().collect()
    }

    /// Waits until exactly these notices are raised.
    pub(crate) async fn shows(&self, notices: &[Notice]) {
        let mut states = self.store.follow();
        let shown = states.wait_for(|state| state.notices.iter().eq(notices));
        let shown = tokio::time::timeout(LONG, shown).await.map(|_| ());
        assert_eq!(shown, Ok(()), "{:?} instead of {notices:?}", self.notices());
    }

    /// Ends as the program does, and gives the notices of its last moment.
    pub(crate) async fn end(self) -> Vec<Notice> {
        self.keep.finish().await;
        self.store.state().notices.iter().copied().collect()
    }
}
