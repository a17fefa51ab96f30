//! A fingerprint of a world's state: equal bits, equal digest.

use engine2d_sim::World;

/// Offset basis and prime of the 64-bit FNV-1a hash [Fowler, Noll and Vo].
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// Sixteen hexadecimal digits from the bits of the time and of six numbers a body; negative zero counts as
/// zero. It tells runs apart, it does not protect against forgery.
#[must_use]
pub fn digest(world: &World) -> String {
    let mut hash = FNV_OFFSET;
    let mut absorb = |value: f64| {
        for byte in (value + 0.0).to_bits().to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
    };
    absorb(world.time());
    world.state().into_iter().for_each(absorb);
    format!("{hash:016x}")
}
