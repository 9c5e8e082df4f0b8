//! Keeps what must outlive the program: sources in `config.json`, connections and sharing in the
//! vault. One save at a time, the newest state wins, and the person is told when a save failed.

use super::passwords::Passwords;
use super::vault::{Contents, Loaded, LoadedPasswords, Unavailable, Vault};
use crate::config::{Config, Folder};
use crate::events::{Notice, ServerEvent};
use crate::ids::SourceId;
use crate::reducer::effect::{SavedSource, kept_shares, saved_clients, saved_sources};
use crate::reducer::kept;
use crate::reducer::state::{Clients, Sharing, Sources};
use crate::secret::Secret;
use crate::store::Store;
use crate::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

/// How long a call of the person waits for the keychain. It may ask the person something meanwhile.
const CATCH_UP: Duration = Duration::seconds(3);

/// What configuration and vault held at start.
#[derive(Debug)]
pub struct Restored {
    /// To be sent first.
    pub event: ServerEvent,
    /// To be raised after it.
    pub notices: Vec<Notice>,
    /// What the vault held.
    pub contents: Contents,
    /// Passwords of sources.
    pub passwords: Passwords,
    /// The vault to go on with: memory if the keychain could not be read, so that what it holds is
    /// never replaced by less.
    pub vault: Vault,
    /// Why the keychain could not be read, for the terminal.
    pub unavailable: Option<Unavailable>,
}

/// Reads what was kept. The vault is asked only if the configuration says that it holds something.
pub async fn restore(config: &Config, vault: Vault) -> Restored {
    let loaded = if config.mcp_state_saved { vault.load().await } else { Loaded::Absent };
    let mut notices = Vec::new();
    if vault.is_memory() {
        notices.push(Notice::VaultInMemory);
    }
    let (contents, vault, unavailable) = match loaded {
        Loaded::Contents(contents) => (contents, vault, None),
        Loaded::Absent => (Contents::default(), vault, None),
        Loaded::OtherOwner => {
            notices.push(Notice::VaultOfOtherOwner);
            (Contents::default(), vault, None)
        }
        Loaded::Unavailable(cause) => {
            notices.push(Notice::VaultUnavailable);
            (Contents::default(), Vault::Memory, Some(cause))
        }
    };
    let passwords = restore_passwords(config, &vault, &mut notices).await;
    let Contents { clients, sharing } = contents.clone();
    let event = ServerEvent::Restored { clients, sources: config.restored_sources(), sharing };
    Restored { event, notices, contents, passwords, vault, unavailable }
}

/// The passwords of sources. If they cannot be read, what the keychain holds is left alone for this time.
async fn restore_passwords(config: &Config, vault: &Vault, notices: &mut Vec<Notice>) -> Passwords {
    if !config.passwords_saved || vault.is_memory() {
        return Passwords::default();
    }
    match vault.load_passwords().await {
        LoadedPasswords::Passwords(passwords) => Passwords::new(passwords),
        LoadedPasswords::Absent => Passwords::default(),
        LoadedPasswords::OtherOwner if vault.may_replace_other() => Passwords::default(),
        LoadedPasswords::OtherOwner => {
            notices.push(Notice::PasswordsUnavailable);
            Passwords::default()
        }
        LoadedPasswords::Unavailable(cause) => {
            tracing::warn!(%cause, "the passwords of sources cannot be read");
            notices.push(Notice::PasswordsUnavailable);
            Passwords::default()
        }
    }
}

/// Takes in what should be kept. Saving happens behind it, in order. Call [`Keep::finish`] at the
/// end: what was taken in is kept before it returns.
#[derive(Debug)]
pub struct Keep {
    inbox: Arc<Inbox>,
    /// Taken by the first [`Keep::finish`].
    keeper: Mutex<Option<JoinHandle<()>>>,
    /// What the vault was last asked to hold: it does, or the person has a notice that it does not.
    handled: watch::Receiver<Contents>,
    /// Whether nothing is kept at all.
    is_memory: bool,
    store: Store,
}

/// The newest state of each that was not looked at yet.
#[derive(Debug, Default)]
struct Inbox {
    wanted: Mutex<Wanted>,
    /// One permit is enough: the keeper takes everything that is there.
    came: Notify,
}

#[derive(Debug, Default)]
struct Wanted {
    vault: Option<Contents>,
    sources: Option<Vec<SavedSource>>,
    is_over: bool,
}

impl Inbox {
    fn put(&self, change: impl FnOnce(&mut Wanted)) {
        change(&mut self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        self.came.notify_one();
    }

    async fn take(&self) -> Wanted {
        self.came.notified().await;
        std::mem::take(&mut self.wanted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Keep {
    /// Starts to keep for this folder. `notices` are those that are raised already.
    #[must_use]
    pub fn start(
        folder: Arc<Folder>,
        config: Config,
        vault: Vault,
        notices: &[Notice],
        contents: Contents,
        passwords: Passwords,
        store: Store,
    ) -> Self {
        let inbox = Arc::<Inbox>::default();
        let raised = notices.iter().copied().collect();
        let is_memory = vault.is_memory();
        let (handling, handled) = watch::channel(contents);
        let kept_passwords = passwords.all();
        let keeper = Keeper {
            folder,
            config,
            vault,
            raised,
            unsaved: None,
            handling,
            passwords,
            kept_passwords,
            unsaved_passwords: None,
            store: store.clone(),
        };
        let keeper = Mutex::new(Some(tokio::spawn(keeper.run(inbox.clone()))));
        Self { inbox, keeper, handled, is_memory, store }
    }

    /// Waits until the vault holds the connections and the sharing of the published state, or the
    /// person knows that it does not; and no longer than [`CATCH_UP`]. After a revoke, what is
    /// answered then is true even if the program is killed.
    pub async fn catch_up(&self) {
        if self.is_memory {
            return;
        }
        let mut handled = self.handled.clone();
        let caught_up = handled.wait_for(|handled| {
            let (clients, sharing) = kept(&self.store.state());
            *handled == Contents::new(&clients, &sharing)
        });
        if tokio::time::timeout(CATCH_UP.to_std(), caught_up).await.is_err() {
            tracing::warn!("the keychain takes its time; the last change is not kept yet");
        }
    }

    /// For `Effect::SaveVault`.
    pub fn save_vault(&self, clients: &Clients, sharing: &Sharing) {
        let contents = Contents::new(&saved_clients(clients), &kept_shares(sharing));
        self.inbox.put(|wanted| wanted.vault = Some(contents));
    }

    /// For `Effect::SaveSources`.
    pub fn save_sources(&self, sources: &Sources) {
        self.inbox.put(|wanted| wanted.sources = Some(saved_sources(sources)));
    }

    /// Waits until everything taken in is kept, or could not be kept.
    pub async fn finish(&self) {
        self.inbox.put(|wanted| wanted.is_over = true);
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(keeper) = keeper
            && keeper.await.is_err()
        {
            tracing::error!("keeping ended before its time");
        }
    }
}

/// Does the saving.
struct Keeper {
    folder: Arc<Folder>,
    /// What `config.json` should hold.
    config: Config,
    vault: Vault,
    /// Notices that the store has from here, so that each is raised and cleared once.
    raised: BTreeSet<Notice>,
    /// What the keychain refused last; tried once more at the end.
    unsaved: Option<Contents>,
    handling: watch::Sender<Contents>,
    passwords: Passwords,
    /// What the keychain holds of them.
    kept_passwords: BTreeMap<SourceId, Secret>,
    /// What the keychain refused of them last; tried once more at the end.
    unsaved_passwords: Option<BTreeMap<SourceId, Secret>>,
    store: Store,
}

impl Keeper {
    async fn run(mut self, inbox: Arc<Inbox>) {
        loop {
            let wanted = inbox.take().await;
            if let Some(sources) = wanted.sources {
                let passwords = self.passwords.of_all(&sources);
                self.config = self.config.with_sources(&sources);
                self.write_config().await;
                self.save_passwords(passwords).await;
            }
            if wanted.is_over
                && let Some(passwords) = self.unsaved_passwords.take()
            {
                self.save_passwords(passwords).await;
            }
            let again = if wanted.is_over { self.unsaved.take() } else { None };
            if let Some(contents) = wanted.vault.or(again) {
                self.save_vault(contents.clone()).await;
                self.handling.send_replace(contents);
            }
            if wanted.is_over {
                return;
            }
        }
    }

    async fn save_vault(&mut self, contents: Contents) {
        // In memory nothing is kept, which the person knows. A new folder without connections
        // leaves the keychain alone.
        let is_nothing = !self.config.mcp_state_saved && contents == Contents::default();
        if self.vault.is_memory() || is_nothing {
            return;
        }
        match self.vault.load().await {
            // What another folder keeps is replaced only if the person said so.
            Loaded::OtherOwner if !self.vault.may_replace_other() => {
                self.raise(Notice::VaultOfOtherOwner).await;
                return self.raise(Notice::VaultNotSaved).await;
            }
            Loaded::Unavailable(cause) => return self.not_saved(contents, &cause).await,
            Loaded::Contents(_) | Loaded::Absent | Loaded::OtherOwner => {}
        }
        // The flag first: a flag without an item is harmless, an item without the flag would not be
        // read at the next start, and then be replaced by less.
        if !self.config.mcp_state_saved {
            self.config.mcp_state_saved = true;
            self.write_config().await;
        }
        if let Err(cause) = self.vault.save(&contents).await {
            return self.not_saved(contents, &cause).await;
        }
        self.unsaved = None;
        self.clear(Notice::VaultNotSaved).await;
        self.clear(Notice::VaultOfOtherOwner).await;
    }

    async fn not_saved(&mut self, contents: Contents, cause: &Unavailable) {
        tracing::warn!(%cause, "connections and sharing could not be kept");
        self.unsaved = Some(contents);
        self.raise(Notice::VaultNotSaved).await;
    }

    async fn save_passwords(&mut self, passwords: BTreeMap<SourceId, Secret>) {
        // What could not be read at the start is never replaced by less.
        let is_unread = self.raised.contains(&Notice::PasswordsUnavailable);
        if self.vault.is_memory() || is_unread || are_the_same(&passwords, &self.kept_passwords) {
            return;
        }
        match self.vault.load_passwords().await {
            LoadedPasswords::OtherOwner if !self.vault.may_replace_other() => {
                return self.raise(Notice::PasswordsUnavailable).await;
            }
            LoadedPasswords::Unavailable(cause) => {
                return self.passwords_not_saved(passwords, &cause).await;
            }
            LoadedPasswords::Passwords(_)
            | LoadedPasswords::Absent
            | LoadedPasswords::OtherOwner => {}
        }
        // The flag first, as for the vault.
        if !self.config.passwords_saved {
            self.config.passwords_saved = true;
            self.write_config().await;
        }
        if let Err(cause) = self.vault.save_passwords(&passwords).await {
            return self.passwords_not_saved(passwords, &cause).await;
        }
        self.kept_passwords = passwords;
        self.unsaved_passwords = None;
        self.clear(Notice::PasswordsNotSaved).await;
    }

    async fn passwords_not_saved(
        &mut self,
        passwords: BTreeMap<SourceId, Secret>,
        cause: &Unavailable,
    ) {
        tracing::warn!(%cause, "passwords of sources could not be kept");
        self.unsaved_passwords = Some(passwords);
        self.raise(Notice::PasswordsNotSaved).await;
    }

    async fn write_config(&mut self) {
        let (folder, config) = (self.folder.clone(), self.config.clone());
        let written = tokio::task::spawn_blocking(move || folder.write(&config)).await;
        match written {
            Ok(Ok(())) => self.clear(Notice::ConfigurationNotSaved).await,
            Ok(Err(error)) => {
                tracing::warn!(%error, hint = error.hint(), "the sources could not be kept");
                self.raise(Notice::ConfigurationNotSaved).await;
            }
            Err(error) => {
                tracing::error!(%error, "writing the configuration broke off");
                self.raise(Notice::ConfigurationNotSaved).await;
            }
        }
    }

    async fn raise(&mut self, notice: Notice) {
        if self.raised.insert(notice) {
            self.tell(ServerEvent::NoticeRaised { notice }).await;
        }
    }

    async fn clear(&mut self, notice: Notice) {
        if self.raised.remove(&notice) {
            self.tell(ServerEvent::NoticeCleared { notice }).await;
        }
    }

    async fn tell(&self, event: ServerEvent) {
        // A store that has stopped needs to know nothing any more.
        let _ = self.store.send(event).await;
    }
}

fn are_the_same(one: &BTreeMap<SourceId, Secret>, other: &BTreeMap<SourceId, Secret>) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|((source, password), (other, kept))| source == other && password.matches(kept))
}
