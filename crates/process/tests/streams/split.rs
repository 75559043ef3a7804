//! Cutting bytes into pieces at random places, the same ones for the same seed.

/// How many ways of cutting each example is tried with.
pub(crate) const WAYS: u64 = 25;

/// A small generator of numbers that look random.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 27)) % limit.max(1) as u64) as usize
    }
}

/// The bytes in pieces of up to 1, 2, 4 … bytes, depending on the seed.
pub(crate) fn pieces(bytes: &[u8], seed: u64) -> Vec<&[u8]> {
    let mut numbers = Numbers(seed);
    let longest = 1 << (seed % 8);
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at((1 + numbers.below(longest)).min(rest.len()));
        pieces.push(piece);
        rest = later;
    }
    pieces
}
