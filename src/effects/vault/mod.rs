//! The vault: connections (as hashes of their tokens) with sharing, and passwords of sources, in two items of the
//! system's keychain or in memory only (contract, "Client connection").
//!
//! The keychain is another program that may ask the person something, or never answer. It is called
//! on a thread of its own with a bounded wait, and nobody calls it again while it still thinks.

mod content;
mod keychain;
mod passwords;

pub use content::Contents;
use content::{Read, owner_mark};
use keychain::Keychain;

use crate::ids::SourceId;
use crate::secret::Secret;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// How long the keychain may take. A person may have to type a password into its own window.
pub const WAIT: Duration = Duration::from_secs(15);

/// Where connections and sharing are kept.
#[derive(Debug)]
pub enum Vault {
    /// In items of the system's keychain.
    Keychain(Box<Kept>),
    /// Nowhere: they are gone when DBeast ends.
    Memory,
}

/// The keychain and whose item it is.
#[derive(Debug)]
pub struct Kept {
    keychain: Keychain,
    owner: String,
    /// The person said that what another folder keeps may be lost.
    may_replace_other: bool,
}

/// What the vault held.
#[derive(Debug, PartialEq, Eq)]
pub enum Loaded {
    /// Connections and sharing of this configuration folder.
    Contents(Contents),
    /// Nothing.
    Absent,
    /// Those of another configuration folder. They were not read.
    OtherOwner,
    /// Nobody knows.
    Unavailable(Unavailable),
}

/// Which passwords the vault held.
#[derive(Debug)]
pub enum LoadedPasswords {
    /// Those of sources of this configuration folder.
    Passwords(BTreeMap<SourceId, Secret>),
    /// None.
    Absent,
    /// Those of another configuration folder. They were not read.
    OtherOwner,
    /// Nobody knows.
    Unavailable(Unavailable),
}

/// The keychain could not be used, with the cause for the person. It holds no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system keychain cannot be used: {0}")]
pub struct Unavailable(String);

impl Vault {
    /// The system's keychain for the configuration folder at `folder` (its canonical path) whose
    /// owner identifier is `owner`. Nothing is asked before the first call.
    #[must_use]
    pub fn keychain(owner: &str, folder: &Path, wait: Duration) -> Self {
        let (keychain, owner) = (Keychain::new(wait), owner_mark(owner, folder));
        Self::Keychain(Box::new(Kept { keychain, owner, may_replace_other: false }))
    }

    /// The same, but what another folder keeps is replaced by the first save. Only the person may
    /// want this: the connections of the other folder are lost.
    #[must_use]
    pub fn replacing_other(mut self) -> Self {
        if let Self::Keychain(kept) = &mut self {
            kept.may_replace_other = true;
        }
        self
    }

    /// Whether a save may replace what another folder keeps.
    #[must_use]
    pub const fn may_replace_other(&self) -> bool {
        match self {
            Self::Keychain(kept) => kept.may_replace_other,
            Self::Memory => true,
        }
    }

    /// Whether anything is kept.
    #[must_use]
    pub const fn is_memory(&self) -> bool {
        matches!(self, Self::Memory)
    }

    /// What the vault holds.
    pub async fn load(&self) -> Loaded {
        let Self::Keychain(kept) = self else { return Loaded::Absent };
        match kept.keychain.read(keychain::CONNECTIONS).await {
            Ok(None) => Loaded::Absent,
            Ok(Some(text)) => match Contents::read(&text, &kept.owner) {
                Ok(Read::Ours(contents)) => Loaded::Contents(contents),
                Ok(Read::OfOther) => Loaded::OtherOwner,
                Err(problem) => Loaded::Unavailable(damaged(keychain::CONNECTIONS, &problem)),
            },
            Err(unavailable) => Loaded::Unavailable(unavailable),
        }
    }

    /// Replaces what the vault holds, whosever it was. Memory keeps nothing and says so to nobody.
    pub async fn save(&self, contents: &Contents) -> Result<(), Unavailable> {
        match self {
            Self::Keychain(kept) => {
                let text = contents.write(&kept.owner);
                kept.keychain.write(keychain::CONNECTIONS, text).await
            }
            Self::Memory => Ok(()),
        }
    }

    /// Which passwords the vault holds.
    pub async fn load_passwords(&self) -> LoadedPasswords {
        let Self::Keychain(kept) = self else { return LoadedPasswords::Absent };
        match kept.keychain.read(keychain::PASSWORDS).await {
            Ok(None) => LoadedPasswords::Absent,
            Ok(Some(text)) => match passwords::read(&text, &kept.owner) {
                Ok(passwords::Read::Ours(passwords)) => LoadedPasswords::Passwords(passwords),
                Ok(passwords::Read::OfOther) => LoadedPasswords::OtherOwner,
                Err(problem) => {
                    LoadedPasswords::Unavailable(damaged(keychain::PASSWORDS, &problem))
                }
            },
            Err(unavailable) => LoadedPasswords::Unavailable(unavailable),
        }
    }

    /// Replaces the passwords that the vault holds, whosever they were.
    pub async fn save_passwords(
        &self,
        all: &BTreeMap<SourceId, Secret>,
    ) -> Result<(), Unavailable> {
        match self {
            Self::Keychain(kept) => {
                let text = passwords::write(all, &kept.owner);
                kept.keychain.write(keychain::PASSWORDS, text).await
            }
            Self::Memory => Ok(()),
        }
    }
}

fn damaged(item: &str, problem: &str) -> Unavailable {
    Unavailable(format!("the item {item} of {} is damaged: {problem}", keychain::SERVICE))
}
