//! DBeast's configuration folder: where it is, that only one program uses it, and `config.json`.
//!
//! The folder holds no secrets: no token, no hash of one, no password. What is read is checked
//! whole before anything is used; what is written replaces the old file in one step or not at all.
//! What never lives here: command-line arguments (`main`), the keychain (`effects::vault`).

mod error;
mod file;
mod folder;
mod form;

pub use error::ConfigError;
pub use folder::{CONFIG_FILE, Folder};
pub use form::{Config, ConfiguredSource};
