//! Reading and writing `config.json`.

use super::error::ConfigError;
use super::form::{Config, VERSION};
use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// More than any valid configuration has: 128 sources with paths of 4096 bytes, all escaped.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Only the version, so that a later form is recognised before its keys are complained about.
#[derive(Deserialize)]
struct Versioned {
    version: Option<Value>,
}

/// Reads and checks the whole file; none if there is no file.
pub(super) fn read(path: &Path) -> Result<Option<Config>, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
    match path.metadata() {
        Ok(found) if !found.is_file() => return Err(ConfigError::NotAFile(path.to_owned())),
        Ok(_) => {}
        // A link that leads nowhere is not the same as no file.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
    }
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(BYTES_MAX + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > BYTES_MAX {
        return Err(ConfigError::TooLong { path: path.to_owned(), bytes_max: BYTES_MAX });
    }
    if text.trim().is_empty() {
        return Err(ConfigError::Empty(path.to_owned()));
    }
    parse(&text, path).map(Some)
}

fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    let wrong = |error: serde_json::Error| {
        let (path, detail) = (path.to_owned(), error.to_string());
        match error.classify() {
            Category::Data => ConfigError::WrongForm { path, detail },
            Category::Syntax | Category::Eof | Category::Io => {
                ConfigError::NotJson { path, detail }
            }
        }
    };
    let found: Versioned = serde_json::from_str(text).map_err(wrong)?;
    if let Some(version) = found.version.filter(|found| found.as_u64() != Some(VERSION.into())) {
        let found = version.to_string();
        return Err(ConfigError::WrongVersion { path: path.to_owned(), found });
    }
    let config: Config = serde_json::from_str(text).map_err(wrong)?;
    config.check(path)?;
    Ok(config)
}

/// Replaces the file in one step. On any failure the old one is as it was.
pub(super) fn write(path: &Path, config: &Config) -> Result<(), ConfigError> {
    replace(path, config)
        .map_err(|source| ConfigError::NotWritten { path: path.to_owned(), source })
}

fn replace(path: &Path, config: &Config) -> io::Result<()> {
    let mut text = serde_json::to_string_pretty(config)?;
    text.push('\n');
    // The folder is locked, so nobody else has a file of this name; one that is there was left
    // behind by a crash.
    let fresh = path.with_extension("json.new");
    if let Err(error) = fs::remove_file(&fresh)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let written = create_private(&fresh)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            // The name must never lead to a file whose content is not on the disk yet.
            file.sync_all()
        })
        .and_then(|()| fs::rename(&fresh, path));
    if written.is_err() {
        let _ = fs::remove_file(&fresh);
        return written;
    }
    sync_folder(path)
}

fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// After this the new name survives a loss of power too.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
