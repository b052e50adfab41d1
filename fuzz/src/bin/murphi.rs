//! Any bytes at all, as a model that was written for Murphi.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    polycube_fuzz::murphi(&String::from_utf8_lossy(bytes));
});
