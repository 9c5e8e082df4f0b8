//! How events and what they lead to read as text: the transcripts of stories and of `dbeast replay`.
//!
//! Start with `happening.rs` (one event with all that it caused), then `words.rs`. `tell/` goes the other
//! way: it writes a log as a story that can be played.
//! What never lives here: rules, clocks, files, anything of the outside.

pub mod changes;
pub mod happening;
pub mod names;
pub mod tell;
mod visible;
pub mod words;

pub use happening::Occurrence;
pub use visible::visible;
