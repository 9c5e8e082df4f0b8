//! Any bytes: no verdict panics or takes long, and what is accepted is its own normal form.
#![no_main]

use dbeast_fuzz::{DIALECTS, check_read, check_write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for dialect in DIALECTS {
        let _verdict = check_read(text, dialect);
        let _verdict = check_write(text, dialect);
    }
});
