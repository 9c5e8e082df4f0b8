//! What a piece of work adds to the memory of the program, by the system's own figures.

use std::fs;

/// The most that a piece of work may add.
pub(crate) const GROWTH_MAX_KIB: u64 = 16 * 1024;

/// A figure of `/proc/self/status`, in KiB.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find(|line| line.starts_with(name)).expect("a line");
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
}

/// Begins the peak anew at what is held now, which is returned.
pub(crate) fn begin() -> u64 {
    fs::write("/proc/self/clear_refs", "5").expect("the peak begins anew");
    status("VmRSS")
}

/// How far the peak has grown since then, in KiB.
pub(crate) fn grown(begun: u64) -> u64 {
    status("VmHWM").saturating_sub(begun)
}

/// The measure measures.
pub(crate) fn assert_measures() {
    let before = begin();
    let ballast = vec![1_u8; 40 * 1024 * 1024];
    let grown = grown(before);
    assert!(grown > 2 * GROWTH_MAX_KIB, "{grown} KiB for {} bytes", ballast.len());
}
