//! Answers of an oracle that mean nothing: searches have to be right whatever it says.

/// In so many of 100 cases, some of these many atoms, as bits: of those that were not chosen. The same
/// whenever the same is asked.
pub fn lie(seed: u64, percent: u64, atoms: usize, chosen: u64) -> Option<u64> {
    let number = mixed(seed ^ chosen ^ (atoms as u64) << 40);
    let all = 1u64.checked_shl(atoms as u32).unwrap_or(0).wrapping_sub(1);
    (number % 100 < percent).then(|| mixed(number) & all & !chosen)
}

/// A number that looks like any other (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}
