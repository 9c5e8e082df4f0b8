//! What outlives the program: the vault against a real Secret Service, and what keeps it.
#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it is wrong"
)]

mod keep;
mod keychain;
mod passwords;
mod program;
mod session;
