//! The program itself: what was restored, the agents' door, and time.

use super::{KeptShare, SourceLocation};
use crate::ids::{ClientId, SourceId};
use crate::secret::TokenHash;
use crate::time::Millis;
use crate::value::ReadLock;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Facts about the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerEvent {
    /// Configuration and vault were read at start. Sessions, grants and requests never are.
    Restored {
        /// Connections from the vault.
        clients: Vec<RestoredClient>,
        /// Sources from the configuration file.
        sources: Vec<RestoredSource>,
        /// Sharing from the vault. Entries for unknown sources or clients are dropped.
        sharing: Vec<KeptShare>,
    },
    /// The agents' door opened: a new generation.
    Started {
        /// Port on 127.0.0.1.
        port: u16,
    },
    /// The agents' door closed: every session of this generation is over.
    Stopped,
    /// The person pressed Stop all: every session ends, all work is cancelled.
    AllStopped,
    /// Something about the program itself that the person should know came up.
    NoticeRaised {
        /// What.
        notice: Notice,
    },
    /// It is over.
    NoticeCleared {
        /// What.
        notice: Notice,
    },
    /// A timer fired. The time of the envelope says it all.
    TimePassed,
}

/// A connection as the vault keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RestoredClient {
    /// Identifier.
    pub client: ClientId,
    /// The person's name for it.
    pub label: Arc<str>,
    /// SHA-256 of its token.
    pub token_hash: TokenHash,
    /// When the person created it.
    pub created_at: Millis,
}

/// A source as the configuration file keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RestoredSource {
    /// Identifier.
    pub source: SourceId,
    /// The person's name for it.
    pub name: Arc<str>,
    /// The name that agents see.
    pub alias: Arc<str>,
    /// Where it is.
    pub location: SourceLocation,
    /// The database or schema in which names without one are looked up; none for the engine's own.
    pub context: Option<Arc<str>>,
    /// Whether it never accepts writes.
    pub is_read_only: bool,
    /// How tables are held during a read.
    pub read_lock: ReadLock,
    /// When the person added it.
    pub added_at: Millis,
}

/// Things about the program itself that the person should know. Static words only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The person chose to keep connections and sharing in memory only.
    VaultInMemory,
    /// There is no usable keychain; connections and sharing are in memory only.
    VaultUnavailable,
    /// The keychain holds connections of another configuration folder; they were not used.
    VaultOfOtherOwner,
    /// The last change of connections or sharing could not be kept.
    VaultNotSaved,
    /// The last change of the sources could not be kept.
    ConfigurationNotSaved,
    /// The passwords that the keychain keeps cannot be read, or are of another configuration folder.
    PasswordsUnavailable,
    /// The last change of a password could not be kept.
    PasswordsNotSaved,
}

impl Notice {
    /// The stable word for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::VaultInMemory => "vault_in_memory",
            Self::VaultUnavailable => "vault_unavailable",
            Self::VaultOfOtherOwner => "vault_of_other_owner",
            Self::VaultNotSaved => "vault_not_saved",
            Self::ConfigurationNotSaved => "configuration_not_saved",
            Self::PasswordsUnavailable => "passwords_unavailable",
            Self::PasswordsNotSaved => "passwords_not_saved",
        }
    }

    /// What is the case.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::VaultInMemory => {
                "Connections, sharing and passwords are kept in memory and are gone when DBeast ends."
            }
            Self::VaultUnavailable => {
                "The system keychain cannot be used. Connections, sharing and passwords are kept in memory and are gone when DBeast ends."
            }
            Self::VaultOfOtherOwner => {
                "The keychain holds connections of another configuration folder. They were not used."
            }
            Self::VaultNotSaved => {
                "The last change of connections or sharing could not be kept in the keychain. It holds until DBeast ends."
            }
            Self::ConfigurationNotSaved => {
                "The last change of the sources could not be written to config.json. It holds until DBeast ends."
            }
            Self::PasswordsUnavailable => {
                "The passwords of your sources cannot be read from the keychain, or they are of another configuration folder. They are left as they are."
            }
            Self::PasswordsNotSaved => {
                "The last change of a password could not be kept in the keychain. It holds until DBeast ends."
            }
        }
    }

    /// What to do.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::VaultInMemory => "Start DBeast with --vault keychain to keep them.",
            Self::VaultUnavailable => "Unlock or install a keychain and start DBeast again.",
            Self::VaultOfOtherOwner => {
                "Use the original folder, or start with --replace-vault: the first change then replaces what the keychain holds."
            }
            Self::VaultNotSaved => "Unlock the keychain, then make any change to save again.",
            Self::ConfigurationNotSaved => {
                "Check that the configuration folder can be written, then make any change to save again."
            }
            Self::PasswordsUnavailable => {
                "Unlock the keychain and start DBeast again, or give the passwords of the sources again for this time."
            }
            Self::PasswordsNotSaved => "Unlock the keychain, then set the password again.",
        }
    }

    /// Whether something is wrong, rather than chosen.
    #[must_use]
    pub const fn is_warning(self) -> bool {
        match self {
            Self::VaultInMemory => false,
            Self::VaultUnavailable
            | Self::VaultOfOtherOwner
            | Self::VaultNotSaved
            | Self::ConfigurationNotSaved
            | Self::PasswordsUnavailable
            | Self::PasswordsNotSaved => true,
        }
    }
}
