//! The agents' door from outside: the guard, both generations of the protocol, the tools, the
//! shapes and sizes of answers. The tests play the driver themselves.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "also the helpers of tests may stop a test"
)]

mod mcp;
