//! The hash of packed states and of colours: multiplication to 128 bits, folded to 64.

/// Odd numbers without structure: the fractional parts of the square roots of 2, 3, 5 and 7.
const KEYS: [u64; 4] =
    [0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1];

/// A hash of all bits of `value`, and of all bits of `key` but the highest.
#[inline]
pub(crate) fn mix(value: u64, key: u64) -> u64 {
    fold(u128::from(value ^ KEYS[0]) * u128::from(key.wrapping_mul(2).wrapping_add(1) ^ KEYS[1] & !1))
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both halves count")]
fn fold(product: u128) -> u64 {
    (product >> 64) as u64 ^ product as u64
}

/// The hash of the first `words` words of a packed state. The rest is ignored, so that the order in which
/// states are found does not depend on `W`.
#[inline]
pub(crate) fn hash<const W: usize>(state: &[u64; W], words: usize) -> u64 {
    let mut hash = KEYS[3];
    // One or two words are always used in full.
    for &word in &state[..if W <= 2 { W } else { words }] {
        hash = fold(u128::from(word ^ hash) * u128::from(KEYS[2])).wrapping_add(KEYS[1]);
    }
    hash.wrapping_mul(KEYS[1])
}
