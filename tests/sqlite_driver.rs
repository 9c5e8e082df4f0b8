//! The SQLite driver against real files: what it answers, what it refuses, and how it stops.
//!
//! The SQL layer stands before the driver in the program; here hostile text goes straight to the
//! driver, which has to stand alone. [`contract`] is the suite that every driver passes.

#![expect(clippy::expect_used, clippy::panic, reason = "a helper of a test fails the test")]

#[path = "drivers/attack.rs"]
mod attack;
#[path = "drivers/blocks.rs"]
mod blocks;
#[path = "drivers/canary.rs"]
mod canary;
#[path = "drivers/common.rs"]
mod common;
#[path = "drivers/contract/mod.rs"]
mod contract;
#[path = "drivers/identity.rs"]
mod identity;
#[path = "drivers/kept.rs"]
mod kept;
#[path = "drivers/limits.rs"]
mod limits;
#[path = "drivers/metadata.rs"]
mod metadata;
#[path = "drivers/proofs.rs"]
mod proofs;
#[path = "drivers/reading.rs"]
mod reading;
#[path = "drivers/refusals.rs"]
mod refusals;
#[path = "drivers/sources.rs"]
mod sources;
#[path = "drivers/sqlite_bench.rs"]
mod sqlite_bench;
#[path = "drivers/stopping.rs"]
mod stopping;
#[path = "drivers/tables.rs"]
mod tables;
#[path = "drivers/writes.rs"]
mod writes;

mod with_a_journal {
    use crate::sqlite_bench::SqliteBench;
    crate::contract::suite!(SqliteBench { has_log: false });
}

mod with_a_log {
    use crate::sqlite_bench::SqliteBench;
    crate::contract::suite!(SqliteBench { has_log: true });
}
