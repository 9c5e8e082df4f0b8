//! The SQLite driver against real files: what it answers, what it refuses, and how it stops.
//!
//! The SQL layer stands before the driver in the program; here hostile text goes straight to the
//! driver, which has to stand alone.

#![expect(clippy::expect_used, clippy::panic, reason = "a helper of a test fails the test")]

#[path = "drivers/common.rs"]
mod common;
#[path = "drivers/identity.rs"]
mod identity;
#[path = "drivers/limits.rs"]
mod limits;
#[path = "drivers/metadata.rs"]
mod metadata;
#[path = "drivers/reading.rs"]
mod reading;
#[path = "drivers/refusals.rs"]
mod refusals;
#[path = "drivers/sources.rs"]
mod sources;
#[path = "drivers/stopping.rs"]
mod stopping;
#[path = "drivers/tables.rs"]
mod tables;
