//! The story language: parser, world, verbs, words, transcript and checks.
//!
//! Start with `tests/scenarios/README.md` (the language), then `story.rs` (one file), `world.rs`
//! (what lives around the reducer) and `verbs/` (what each line does).
//! What never lives here: SQL parsing, HTTP, real clocks, randomness.
#![allow(dead_code, reason = "each test crate that shares this module uses a part of it")]

pub(crate) mod checks;
pub(crate) mod coverage;
pub(crate) mod story;
pub(crate) mod transcript;
pub(crate) mod verbs;
pub(crate) mod world;

/// Everything that can go wrong in a story is told in words.
pub(crate) type Told<T> = Result<T, String>;
