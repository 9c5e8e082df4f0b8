//! What can be wrong with the configuration, with what to do about it.

use super::form::VERSION;
use std::io;
use std::path::PathBuf;

/// Why DBeast does not start with this configuration, or could not write it.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The system names no folder for configurations.
    #[error("the system names no folder for configurations")]
    NoDefaultFolder,
    /// Something that is no folder is in the folder's place.
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The folder cannot be made, opened or locked.
    #[error("the configuration folder {} cannot be used: {source}", .path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Other users of this computer could replace what is in the folder.
    #[error("other users of this computer may write to the configuration folder {}", .0.display())]
    FolderOpenToOthers(PathBuf),
    /// Another DBeast uses the folder.
    #[error("another DBeast already uses the configuration folder {}", .0.display())]
    FolderInUse(PathBuf),
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder, a device or the like is in the file's place.
    #[error("{} is not a plain file", .0.display())]
    NotAFile(PathBuf),
    /// The file is empty.
    #[error("{} is empty", .0.display())]
    Empty(PathBuf),
    /// The file is longer than any configuration can be.
    #[error("{} is longer than {bytes_max} bytes", .path.display())]
    TooLong {
        /// Which file.
        path: PathBuf,
        /// The most it may have.
        bytes_max: u64,
    },
    /// The file is no JSON.
    #[error("{} is not JSON: {detail}", .path.display())]
    NotJson {
        /// Which file.
        path: PathBuf,
        /// What and where, with line and column.
        detail: String,
    },
    /// The file was written by another version of DBeast.
    #[error("{} has version {found}; this DBeast reads version {VERSION}", .path.display())]
    WrongVersion {
        /// Which file.
        path: PathBuf,
        /// The version that it names.
        found: String,
    },
    /// A key is unknown, is missing, is there twice or has a value of the wrong type.
    #[error("{} is not a configuration of DBeast: {detail}", .path.display())]
    WrongForm {
        /// Which file.
        path: PathBuf,
        /// Which key, the keys that are allowed, line and column.
        detail: String,
    },
    /// A value has the right type and still cannot be used.
    #[error("{}: {key} {problem}", .path.display())]
    WrongValue {
        /// Which file.
        path: PathBuf,
        /// Which key, such as `sources[2].name`.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file could not be written. The old one is as it was.
    #[error("{} could not be written: {source}", .path.display())]
    NotWritten {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No fresh identifier could be made.
    #[error(transparent)]
    NoRandomness(#[from] crate::effects::ids::NoRandomness),
}

impl ConfigError {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoDefaultFolder => "Name one with --config-dir.",
            Self::NotAFolder(_) => "Name a folder with --config-dir, or move what is there away.",
            Self::Folder { .. } => {
                "Check that you may write there, or name another folder with --config-dir."
            }
            Self::FolderOpenToOthers(_) => {
                "Take that right away (chmod go-w), or name a folder of your own with --config-dir."
            }
            Self::FolderInUse(_) => {
                "End the other DBeast first, or name another folder with --config-dir."
            }
            Self::Unreadable { .. } => "Check that you may read the file.",
            Self::NotAFile(_) => "Move it away; DBeast then writes a fresh file.",
            Self::Empty(_) => {
                "Put the file back from a copy, or delete it to start without sources."
            }
            Self::TooLong { .. } | Self::NotJson { .. } | Self::WrongValue { .. } => {
                "Correct the file, or move it away to start without sources."
            }
            Self::WrongVersion { .. } => {
                "Use the DBeast that wrote it, or move it away to start without sources."
            }
            Self::WrongForm { .. } => {
                "Correct the file; DBeast does not start with a key that it would not heed."
            }
            Self::NotWritten { .. } => {
                "Check that the disk has room and that you may write to the folder."
            }
            Self::NoRandomness(_) => "Try again; if it stays so, restart the computer.",
        }
    }
}
