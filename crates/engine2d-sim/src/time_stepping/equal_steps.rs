//! The equal steps that an advance is cut into.

/// A step is taken for one of the full length if it is shorter by no more than this share.
const WHOLE: f64 = 1e-9;

/// Equal steps from `start` on, no longer than asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualSteps {
    start: f64,
    requested: f64,
    pub(crate) count: u64,
}

impl EqualSteps {
    /// Cuts `requested` (time ≥ 0) into steps no longer than `longest` (time > 0).
    pub(crate) fn new(start: f64, requested: f64, longest: f64) -> Self {
        Self { start, requested, count: (requested / longest - WHOLE).ceil().max(0.0) as u64 }
    }

    /// The time at which each step ends.
    pub(crate) fn ends(self) -> impl Iterator<Item = f64> {
        let Self { start, requested, count } = self;
        let step = requested / (count as f64).max(1.0);
        // The last one ends exactly where was asked for.
        (1..=count).map(move |k| if k == count { start + requested } else { start + step * k as f64 })
    }
}
