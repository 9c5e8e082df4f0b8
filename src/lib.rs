//! DBeast: give AI agents exactly as much of a database as you mean to, and take it back at any
//! moment.
//!
//! Everything that happens is an event (`events`). A pure reducer (`reducer`) folds events into an
//! immutable state and returns effects as data. The store (`store`) owns the state. Effects
//! (`effects`) run outside and answer with new events. Agents and the person come in by `http`.
//!
//! Where to start:
//! - the rules: `reducer::requests`, told as stories in `tests/scenarios`
//! - the SQL proof: `sql`
//! - the databases: `drivers`
//! - the doors: `http`
//!
//! The pure core (the plain types, `events`, `reducer`) is always built. The SQL proof needs the
//! feature `sql`, everything else the feature `program`.

pub mod ids;
pub mod reason;
pub mod secret;
pub mod time;
pub mod value;

pub mod events;
pub mod recorder;
pub mod reducer;
pub mod transcript;

#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod config;
#[cfg(feature = "program")]
pub mod demo;
#[cfg(feature = "program")]
pub mod drivers;
#[cfg(feature = "program")]
pub mod effects;
#[cfg(feature = "program")]
pub mod http;
#[cfg(feature = "sql")]
pub mod sql;
#[cfg(feature = "program")]
pub mod store;
