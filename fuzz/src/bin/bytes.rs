//! Any bytes at all.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    polycube_fuzz::front_end(&String::from_utf8_lossy(bytes));
});
