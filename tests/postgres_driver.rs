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

#[path = "drivers/contract/mod.rs"]
mod contract;
mod servers;
mod postgres {
    mod attack;
    pub(crate) mod bench;
    mod canary;
    mod changes;
    mod common;
    mod faults;
    mod harness;
    mod locks;
    mod positions;
    mod proof;
    mod refused_connections;
    mod sessions;
    mod values;
}

mod with_the_full_lock {
    use crate::postgres::bench::PostgresBench;
    use dbeast::value::ReadLock;
    crate::contract::suite!(PostgresBench { lock: ReadLock::Full });
}

mod with_the_weaker_lock {
    use crate::postgres::bench::PostgresBench;
    use dbeast::value::ReadLock;
    crate::contract::suite!(PostgresBench { lock: ReadLock::Weak });
}
