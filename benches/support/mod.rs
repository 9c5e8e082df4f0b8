//! States of a given size, made by real events only, the events that are measured on them, and a
//! long life of events as the program would record it.

mod cases;
mod life;
mod walk;

pub(crate) use cases::{Case, cases};
pub(crate) use life::{FULL, Life, ONE, Size, WALKED};
pub(crate) use walk::Walk;
