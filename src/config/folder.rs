//! The configuration folder: made private, used by one program at a time.

use super::error::ConfigError;
use super::file;
use super::form::Config;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the file inside the folder.
pub const CONFIG_FILE: &str = "config.json";
/// Locked while a program uses the folder. It stays behind empty; only the lock counts.
const LOCK_FILE: &str = "lock";
/// How often a lock that somebody holds is tried again, and with what pause. A program that is just
/// ending holds it for a moment, and so does one that it has just started, until that has begun.
const LOCK_TRIES_MAX: u32 = 50;
/// See [`LOCK_TRIES_MAX`].
const LOCK_PAUSE: Duration = Duration::from_millis(20);
/// The folder inside the system's folder for configurations.
const FOLDER_NAME: &str = "dbeast";

/// A configuration folder that this program alone uses, for as long as this value lives.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Where the folder is if `--config-dir` does not say: `$XDG_CONFIG_HOME/dbeast` or
    /// `~/.config/dbeast`, on macOS in `Application Support`, on Windows in `%APPDATA%`.
    pub fn default_path() -> Result<PathBuf, ConfigError> {
        dirs::config_dir()
            .map(|folder| folder.join(FOLDER_NAME))
            .ok_or(ConfigError::NoDefaultFolder)
    }

    /// Makes the folder if need be, for its owner only, and takes its lock.
    pub fn open(path: &Path) -> Result<Self, ConfigError> {
        let wrong = |source| ConfigError::Folder { path: path.to_owned(), source };
        match path.metadata() {
            Ok(found) if !found.is_dir() => return Err(ConfigError::NotAFolder(path.to_owned())),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_private(path).map_err(wrong)?;
            }
            Err(error) => return Err(wrong(error)),
        }
        // One name for it from now on: the keychain's owner and the check of own files rest on it.
        let path = path.canonicalize().map_err(wrong)?;
        let wrong = |source| ConfigError::Folder { path: path.clone(), source };
        if is_open_to_others(&path).map_err(wrong)? {
            return Err(ConfigError::FolderOpenToOthers(path));
        }
        let lock = create_lock(&path.join(LOCK_FILE)).map_err(wrong)?;
        match take(&lock) {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(ConfigError::FolderInUse(path)),
            Err(TryLockError::Error(source)) => Err(ConfigError::Folder { path, source }),
        }
    }

    /// The folder, by its one true name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads and checks `config.json`. If there is none, a fresh one is written.
    pub fn read(&self) -> Result<Config, ConfigError> {
        if let Some(config) = file::read(&self.file())? {
            return Ok(config);
        }
        let config = Config::fresh()?;
        self.write(&config)?;
        Ok(config)
    }

    /// Replaces `config.json` in one step.
    pub fn write(&self, config: &Config) -> Result<(), ConfigError> {
        file::write(&self.file(), config)
    }

    fn file(&self) -> PathBuf {
        self.path.join(CONFIG_FILE)
    }
}

fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes the lock, with a little patience.
fn take(lock: &File) -> Result<(), TryLockError> {
    for _ in 1..LOCK_TRIES_MAX {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            taken => return taken,
        }
    }
    lock.try_lock()
}

fn create_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The rights of a folder that was there before are the person's matter, but not these: whoever
/// may write here may put another configuration in place of ours.
#[cfg(unix)]
fn is_open_to_others(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(path.metadata()?.permissions().mode() & 0o022 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> io::Result<bool> {
    Ok(false)
}
