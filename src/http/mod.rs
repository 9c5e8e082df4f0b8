//! The two doors. Agents: `mcp`, with a bearer token. The person: `person`, with a cookie from a
//! one-time link. Neither key opens the other door. What never lives here: rules and drivers.

pub mod guard;
pub mod listener;
pub mod mcp;
pub mod person;
