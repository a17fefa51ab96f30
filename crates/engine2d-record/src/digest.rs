//! A fingerprint of a world's state: equal bits, equal digest.

use engine2d_sim::World;
use std::fmt;

/// Offset basis and prime of the 64-bit FNV-1a hash [Fowler, Noll and Vo].
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// A hash that grows byte by byte. Any change of a single byte changes it; it does not protect against forgery.
#[derive(Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// Of no bytes.
    pub(crate) fn new() -> Self {
        Self(FNV_OFFSET)
    }

    /// Of some bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut hash = Self::new();
        hash.absorb(bytes);
        hash
    }

    /// Takes in bytes.
    pub(crate) fn absorb(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(FNV_PRIME);
        }
    }

    /// Takes in the bits of a number; negative zero counts as zero.
    pub(crate) fn number(&mut self, value: f64) {
        self.absorb(&(value + 0.0).to_bits().to_le_bytes());
    }
}

impl fmt::Display for Fingerprint {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Sixteen hexadecimal digits from the bits of the time and of six numbers a body; negative zero counts as
/// zero. It tells runs apart, it does not protect against forgery.
#[must_use]
pub fn digest(world: &World) -> String {
    let mut hash = Fingerprint::new();
    hash.number(world.time());
    world.state().into_iter().for_each(|value| hash.number(value));
    hash.to_string()
}
