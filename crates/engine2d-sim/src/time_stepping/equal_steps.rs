//! The equal steps that an advance is cut into.

/// A step is taken for one of the full length if it is shorter by no more than this share.
const WHOLE: f64 = 1e-9;

/// Rounding of the clock, in its times: what is asked for between two of them is off by as much.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Equal steps from `start` on, no longer than asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualSteps {
    start: f64,
    requested: f64,
    pub(crate) count: u64,
    /// Length of each (time): the longest that is allowed where they differ from it by the rounding of the clock alone, so that what is
    /// driven from time to time has steps of one length.
    pub(crate) length: f64,
}

impl EqualSteps {
    /// Cuts `requested` (time ≥ 0) into steps no longer than `longest` (time > 0).
    pub(crate) fn new(start: f64, requested: f64, longest: f64) -> Self {
        let count = (requested / longest - WHOLE).ceil().max(0.0) as u64;
        let length = requested / (count as f64).max(1.0);
        let rounding = ROUNDING * (start.abs() + requested);
        let length = if (length - longest).abs() <= rounding { longest } else { length };
        Self { start, requested, count, length }
    }

    /// The time at which each step ends.
    pub(crate) fn ends(self) -> impl Iterator<Item = f64> {
        let Self { start, requested, count, .. } = self;
        let step = requested / (count as f64).max(1.0);
        // The last one ends exactly where was asked for.
        (1..=count).map(move |k| if k == count { start + requested } else { start + step * k as f64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_from_time_to_time_have_one_length() {
        let longest = 1.0 / 60.0;
        let mut lengths = std::collections::BTreeSet::new();
        for k in 0..100_000_u32 {
            let [from, to] = [k, k + 1].map(|k| f64::from(k) * longest);
            let steps = EqualSteps::new(from, to - from, longest);
            assert_eq!((steps.count, steps.length), (1, longest), "from {from}");
            assert_eq!(steps.ends().last(), Some(from + (to - from)));
            lengths.insert((to - from).to_bits());
        }
        assert!(lengths.len() > 10, "the clock has {} lengths", lengths.len());
    }

    #[test]
    fn what_is_no_whole_number_of_steps_is_cut_evenly() {
        let steps = EqualSteps::new(1.0, 0.1, 0.03);
        assert_eq!((steps.count, steps.length), (4, 0.1 / 4.0));
        let shorter = EqualSteps::new(1.0, 0.03 * (1.0 - 1e-12), 0.03);
        assert_eq!((shorter.count, shorter.length), (1, 0.03 * (1.0 - 1e-12)), "no rounding of the clock");
        assert_eq!(EqualSteps::new(1.0, 0.0, 0.03).count, 0);
    }
}
