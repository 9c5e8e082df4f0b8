//! DBeast's own files, which must never become a source, under whatever name they are given.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Entries of the own folder that are compared with a file. It holds a handful.
const ENTRIES_MAX: usize = 1_000;
/// How deep the own folder is walked. It is flat.
const DEPTH_MAX: usize = 4;

/// The folders that hold DBeast's own files.
#[derive(Clone)]
pub struct OwnFiles {
    folders: Arc<[PathBuf]>,
}

impl OwnFiles {
    /// These folders and everything in them.
    #[must_use]
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().collect() }
    }

    /// Whether the path leads to an own file: through `..`, symbolic links or, on Unix, hard links.
    /// A path that leads nowhere is nobody's.
    pub async fn covers(&self, path: &Path) -> bool {
        let (own, path) = (self.clone(), path.to_owned());
        // If the look itself breaks down, the careful answer is yes.
        tokio::task::spawn_blocking(move || own.covers_now(&path)).await.unwrap_or(true)
    }

    fn covers_now(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| {
            let Ok(folder) = folder.canonicalize() else { return path.starts_with(folder) };
            if path.starts_with(&folder) {
                return true;
            }
            let Ok(path) = path.canonicalize() else { return false };
            path.starts_with(&folder) || holds_the_same_file(&folder, &path, DEPTH_MAX)
        })
    }
}

#[cfg(unix)]
fn holds_the_same_file(folder: &Path, path: &Path, depth: usize) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(wanted) = path.metadata() else { return false };
    // A file with one name cannot have another one in the folder.
    if wanted.is_dir() || wanted.nlink() < 2 {
        return false;
    }
    let Ok(entries) = folder.read_dir() else { return false };
    entries.take(ENTRIES_MAX).flatten().any(|entry| {
        let Ok(found) = entry.metadata() else { return false };
        if found.is_dir() {
            return depth > 0 && holds_the_same_file(&entry.path(), path, depth - 1);
        }
        found.dev() == wanted.dev() && found.ino() == wanted.ino()
    })
}

#[cfg(not(unix))]
fn holds_the_same_file(_: &Path, _: &Path, _: usize) -> bool {
    let _ = (ENTRIES_MAX, DEPTH_MAX);
    false
}
