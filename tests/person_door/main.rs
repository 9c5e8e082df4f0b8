//! The person's door: getting in, what is refused, what each call does, and the stream.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where it is wrong"
)]

mod calls;
mod entry;
mod gate;
mod grants;
mod interface;
mod own_files;
mod peer;
mod recorded;
mod servers;
mod streaming;
mod support;
