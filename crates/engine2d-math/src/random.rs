//! Random choices that are reproducible to the bit.
//!
//! [`Lcg32`] is the generator of the recorded runs; any [`rand_core::Rng`] (ChaCha in the default profile)
//! can take its place. Picks and permutations are defined here once, because the number of draws they
//! consume is part of a run's result.

use rand_core::{Infallible, Rng, TryRng};
use serde::{Deserialize, Serialize};

/// The linear congruential generator `X ← (1664525 X + 1013904223) mod 2³²`.
///
/// The state before the first draw is the seed; each draw advances the state and returns it.
///
/// ```
/// use engine2d_math::random::Lcg32;
/// use rand_core::Rng;
///
/// let mut generator = Lcg32::new(0);
/// assert_eq!(generator.next_u32(), 1013904223);
/// assert_eq!(generator.next_u32(), 1196435762);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lcg32 {
    state: u32,
}

impl Lcg32 {
    /// A generator whose next draw follows `seed`.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self { state: seed }
    }

    /// The current state: the last value drawn, or the seed before any draw.
    #[must_use]
    pub fn state(&self) -> u32 {
        self.state
    }

    /// The next uniform number in `[0, 1]`, `X / (2³² − 1)`.
    pub fn next_unit(&mut self) -> f64 {
        f64::from(self.next_u32()) / f64::from(u32::MAX)
    }
}

impl TryRng for Lcg32 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Ok(self.state)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let high = u64::from(self.next_u32());
        Ok((high << 32) | u64::from(self.next_u32()))
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        for chunk in dst.chunks_mut(4) {
            let bytes = self.next_u32().to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
        Ok(())
    }
}

/// One draw mapped to `0..n` by its high bits: `⌊X n / 2³²⌋`.
///
/// For `n = 0` the result is 0, which indexes nothing.
#[inline]
pub fn pick(n: usize, rng: &mut impl Rng) -> usize {
    ((u128::from(rng.next_u32()) * n as u128) >> 32) as usize
}

/// Fills `order` with a random permutation of `0..n`; `n` draws, the last, forced one included.
///
/// Items are removed one at a time from the increasing list of those that remain.
pub fn permutation(n: usize, rng: &mut impl Rng, order: &mut Vec<usize>) {
    order.clear();
    order.extend(0..n);
    for chosen in 0..n {
        let k = chosen + pick(n - chosen, rng);
        // The remaining items stay in increasing order: rotate the chosen one to the front of them.
        order[chosen..=k].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_from_seed_zero_are_the_published_ones() {
        let mut g = Lcg32::new(0);
        let drawn: Vec<u32> = (0..6).map(|_| g.next_u32()).collect();
        assert_eq!(drawn, [1013904223, 1196435762, 3519870697, 2868466484, 1649599747, 2670642822]);
    }

    #[test]
    fn permutations_are_the_published_ones() {
        let mut g = Lcg32::new(0);
        let mut order = Vec::new();
        for expected in [[1, 2, 4, 3, 0], [3, 1, 2, 4, 0], [3, 2, 1, 4, 0]] {
            permutation(5, &mut g, &mut order);
            assert_eq!(order, expected);
        }
        assert_eq!(g.state(), 28987765);
        let mut g = Lcg32::new(99999);
        permutation(8, &mut g, &mut order);
        assert_eq!(order, [7, 3, 6, 1, 2, 5, 4, 0]);
        permutation(3, &mut g, &mut order);
        assert_eq!(order, [1, 0, 2]);
    }
}
