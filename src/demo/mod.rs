//! The demonstration: a shop database that DBeast makes itself, and a conversation played through the
//! real doors. Nothing here has a way into the state that an agent or a person does not have.

mod agent;
mod person;
pub mod script;
pub mod shop;
