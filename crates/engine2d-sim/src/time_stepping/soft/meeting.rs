//! How a pair meets within a substep, and what the blow does to its bodies.

use super::motion::Motion;
use super::pair::Ends;

/// A body that was struck in a round.
pub(super) const STRUCK: f64 = -1.0;

/// How the points of a pair meet.
#[derive(Clone, Copy)]
pub(super) struct Meeting<const N: usize> {
    pub(super) v: Ends,
    pub(super) rates: [f64; N],
    /// What forces change of them (per time).
    pub(super) pushes: [f64; N],
    /// When each meets; none where it does not, or too slowly.
    pub(super) times: [Option<f64>; N],
    pub(super) first: f64,
}

/// Gives a body a change of its velocity at a time of the substep.
pub(super) fn strike(
    (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
    k: usize,
    change: [f64; 3],
    time: f64,
) {
    let motion = &mut motions[k];
    motion.shift(change, -time);
    motion.v = std::array::from_fn(|i| motion.v[i] + change[i]);
    if let Some(kept) = kept.get_mut(k) {
        *kept = std::array::from_fn(|i| kept[i] + change[i]);
    }
}
