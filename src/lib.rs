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

pub mod config;
pub mod ids;
pub mod reason;
pub mod secret;
pub mod time;
pub mod value;

pub mod events;
pub mod recorder;
pub mod reducer;
pub mod store;
pub mod transcript;

pub mod effects;
pub mod http;

pub mod cli;
pub mod demo;
pub mod drivers;
pub mod sql;
