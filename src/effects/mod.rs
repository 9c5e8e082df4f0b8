//! What the reducer asks for, run outside it. Every effect answers with an event or needs no answer.
//!
//! Only this folder reads clocks (`clock`) and makes identifiers and secrets (`ids`). What never
//! lives here: rules. A decision that an agent or the person could notice belongs to the reducer.

mod alarm;
pub mod clock;
mod connections;
mod estimate;
pub mod ids;
pub mod keep;
pub mod passwords;
pub mod query;
pub mod runner;
pub mod vault;

pub use connections::Open;
