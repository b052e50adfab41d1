//! Random numbers.

/// A stream of random numbers: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream with this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in this many cases of a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// True in one of this many cases.
    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// A number from `low`, which is not 0, to `high`: small ones more often than large ones.
    pub fn size(&mut self, low: usize, high: usize) -> usize {
        let (low, high) = (low as f64, high as f64);
        let place = (self.number() >> 11) as f64 / (1u64 << 53) as f64;
        (low * ((high + 1.0) / low).powf(place)) as usize
    }

    /// One of `items`, which are not empty.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }
}
