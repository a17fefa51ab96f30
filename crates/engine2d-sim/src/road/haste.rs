//! How often bodies have had events lately: what tells a bounce from the end of a series of them.

use engine2d_math::trig;

/// How often a body has had events lately: a count that fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Haste {
    last: f64,
    count: f64,
}

/// Time in which the count of events fades to a fraction `1/e`.
const FADING: f64 = 1e-2;

impl Haste {
    /// Notes an event.
    pub(crate) fn note(&mut self, time: f64) {
        self.count = self.at(time) + 1.0;
        self.last = time;
    }

    /// The count at a time.
    pub(crate) fn at(&self, time: f64) -> f64 {
        self.count * trig::exp((self.last - time) / FADING)
    }
}
