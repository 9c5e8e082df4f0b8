//! The PostgreSQL driver against private servers: what it proves, what it refuses and for which reason, how it
//! fails when servers and networks do, and what it never makes run.
//!
//! `tests/servers` says how a test gets a server, an account, a standby or a network that fails.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says what it measured"
)]

mod servers;
mod postgres {
    mod canary;
    mod common;
    mod harness;
    mod positions;
    mod proof;
}
