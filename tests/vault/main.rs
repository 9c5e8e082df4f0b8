//! What outlives the program: the vault against a real Secret Service, and what keeps it.
#![cfg(target_os = "linux")]

mod keep;
mod keychain;
mod program;
mod session;
