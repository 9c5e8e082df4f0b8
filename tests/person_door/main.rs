//! The person's door: getting in, what is refused, what each call does, and the stream.

mod calls;
mod entry;
mod gate;
mod interface;
mod own_files;
mod streaming;
mod support;
