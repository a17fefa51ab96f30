//! Location of events: sign changes of functions of time and state along an adaptive integration.

use super::crossing::{Crossing, Direction};
use super::dormand_prince::DormandPrince;
use super::settings::AdaptiveError;

/// Places within a step at which crossing functions are looked at, besides its ends: a function that
/// changes sign twice between two of them is missed.
pub(crate) const SAMPLES_PER_STEP: u32 = 4;

/// Width (time, relative to the larger of 1 and the time) to which a root is bracketed.
const ROOT_WIDTH: f64 = 1e-14;

/// Looks between two others for a function that rises from zero before it falls: each at half the time of the one before, so
/// that a short rise is seen in a long interval.
const RISE_LOOKS: i32 = 32;

/// Repetitions of the last step that take the located state from the interpolant to the full order.
const CORRECTIONS: usize = 3;

/// Largest correction of a located time, relative to the step: far more than the interpolant errs by.
const CREDIBLE_SHIFT: f64 = 1e-2;

/// Growth of the delay after which the sign of a function that jumps is looked at again.
const LATER: f64 = 100.0;

/// Functions whose sign changes are events.
pub(crate) trait Watched {
    /// Writes the values of all functions at a state.
    fn all(&mut self, time: f64, state: &[f64], values: &mut Vec<f64>);

    /// The value of one function at a state.
    fn one(&mut self, time: f64, state: &[f64], index: usize, values: &mut Vec<f64>) -> f64 {
        self.all(time, state, values);
        values[index]
    }

    /// A time between two looks at which a function has crossed zero that has one sign at both.
    fn between(&mut self, _: &DormandPrince, _: &Interval<'_>) -> Option<f64> {
        None
    }
}

/// What is between two looks.
pub(crate) struct Interval<'a> {
    /// Times of the looks.
    pub(crate) ends: (f64, f64),
    /// Values at both.
    pub(crate) values: (&'a [f64], &'a [f64]),
    /// How far below zero each function has to fall.
    pub(crate) offsets: &'a [f64],
}

/// Functions that are all evaluated at once.
struct Together<F>(F);

impl<F: FnMut(f64, &[f64], &mut Vec<f64>)> Watched for Together<F> {
    fn all(&mut self, time: f64, state: &[f64], values: &mut Vec<f64>) {
        (self.0)(time, state, values);
    }
}

/// Watches crossing functions from step to step. Scratch is reused.
#[derive(Clone, Debug, Default)]
pub struct CrossingLocator {
    directions: Vec<Direction>,
    /// Added to each function until it has risen above: those that start at zero count as crossed only below.
    offsets: Vec<f64>,
    before: Vec<f64>,
    now: Vec<f64>,
    probe: Vec<f64>,
    state: Vec<f64>,
}

impl CrossingLocator {
    /// A locator that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets which sign changes count, function by function; those not listed count in both directions.
    pub fn set_directions(&mut self, directions: impl IntoIterator<Item = Direction>) {
        self.directions.clear();
        self.directions.extend(directions);
    }

    /// Sets how far below zero each function must fall in the next step, as long as it has not risen as far above: for
    /// functions that start at zero up to rounding. Those not listed count at zero.
    pub fn set_offsets(&mut self, offsets: impl IntoIterator<Item = f64>) {
        self.offsets.clear();
        self.offsets.extend(offsets);
    }

    /// Whether function `index` crosses from `a` to `b`.
    fn crosses(&self, index: usize, a: f64, b: f64) -> bool {
        let offset = self.offset(index);
        self.directions.get(index).copied().unwrap_or_default().is_crossed(a + offset, b + offset)
    }

    fn offset(&self, index: usize) -> f64 {
        self.offsets.get(index).copied().unwrap_or(0.0)
    }

    /// Functions that have risen clear of zero count at zero from here on.
    fn arm(&mut self) {
        for (offset, value) in self.offsets.iter_mut().zip(&self.now) {
            if value > offset {
                *offset = 0.0;
            }
        }
    }

    /// Takes one step of `integrator` and looks for the earliest sign change of `crossing` in it. On an event
    /// the integration stands just past it, with the sign changed. A function that is exactly zero at the
    /// start of the step has no sign there: leave zero before going on, as hysteresis does.
    ///
    /// # Errors
    /// [`AdaptiveError`].
    pub fn step<E: std::error::Error>(
        &mut self,
        integrator: &mut DormandPrince,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        crossing: &mut impl FnMut(f64, &[f64], &mut Vec<f64>),
        end: f64,
    ) -> Result<Option<Crossing>, AdaptiveError<E>> {
        integrator.step(rates, end)?;
        self.search(integrator, rates, &mut Together(crossing), SAMPLES_PER_STEP)
    }

    /// Looks for the earliest sign change of `crossing` in the step that `integrator` has just taken, at `samples` (≥ 1)
    /// places. Ends as [`step`](Self::step) does.
    ///
    /// # Errors
    /// [`AdaptiveError`].
    pub(crate) fn search<E: std::error::Error>(
        &mut self,
        integrator: &mut DormandPrince,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        crossing: &mut impl Watched,
        samples: u32,
    ) -> Result<Option<Crossing>, AdaptiveError<E>> {
        let start = integrator.last_time();
        let h = integrator.time() - start;
        let spacing = h / f64::from(samples);
        self.sample(integrator, crossing, start);
        std::mem::swap(&mut self.before, &mut self.now);
        let mut low = start;
        for k in 1..=samples {
            let mut high = if k == samples { integrator.time() } else { start + spacing * f64::from(k) };
            self.sample(integrator, crossing, high);
            let Self { before, now, offsets, .. } = &*self;
            let between = Interval { ends: (low, high), values: (before, now), offsets };
            if let Some(time) = crossing.between(integrator, &between) {
                high = time;
                self.sample(integrator, crossing, high);
            }
            if self.changed().is_some() {
                let (index, time) = self.earliest_root(integrator, crossing, low, high);
                let rising = self.before[index] < 0.0;
                let time = if integrator.interpolates_well() {
                    integrator.go_back(rates, time)?;
                    time
                } else {
                    self.correct(integrator, rates, crossing, (index, rising), time)?
                };
                return Ok(Some(Crossing { index, time, rising }));
            }
            self.arm();
            low = high;
            std::mem::swap(&mut self.before, &mut self.now);
        }
        Ok(None)
    }

    fn sample(&mut self, integrator: &DormandPrince, crossing: &mut impl Watched, time: f64) {
        if time == integrator.time() {
            crossing.all(time, integrator.state(), &mut self.now);
        } else {
            integrator.interpolate(time, &mut self.state);
            crossing.all(time, &self.state, &mut self.now);
        }
    }

    /// The first function whose sign differs between the two samples.
    fn changed(&self) -> Option<usize> {
        (0..self.before.len().min(self.now.len())).find(|&i| self.crosses(i, self.before[i], self.now[i]))
    }

    /// The function that crosses first in `[low, high]`, and the end of its bracket past the root.
    fn earliest_root(
        &mut self,
        integrator: &DormandPrince,
        crossing: &mut impl Watched,
        low: f64,
        high: f64,
    ) -> (usize, f64) {
        let mut best: Option<(usize, f64)> = None;
        for index in 0..self.before.len().min(self.now.len()) {
            let (a, b) = (self.before[index], self.now[index]);
            if !self.crosses(index, a, b) {
                continue;
            }
            let start = self.risen(integrator, crossing, index, (low, a), high);
            let root = self.root(integrator, crossing, index, start, (high, b));
            if best.is_none_or(|(_, time)| root < time) {
                best = Some((index, root));
            }
        }
        best.unwrap_or((0, high))
    }

    /// Where the search for the root of a function begins: one that starts at zero may rise before it falls, and then it
    /// falls through zero and not below. Disarms its offset in that case.
    fn risen(
        &mut self,
        integrator: &DormandPrince,
        crossing: &mut impl Watched,
        index: usize,
        (low, a): (f64, f64),
        high: f64,
    ) -> (f64, f64) {
        let offset = self.offset(index);
        if offset == 0.0 || a > offset {
            return (low, a);
        }
        for part in 1..RISE_LOOKS {
            let time = low + (high - low) * 0.5_f64.powi(part);
            integrator.interpolate(time, &mut self.state);
            let value = crossing.one(time, &self.state, index, &mut self.probe);
            if value > offset {
                self.offsets[index] = 0.0;
                return (time, value);
            }
        }
        (low, a)
    }

    /// Bracketed root on the interpolant: secant steps safeguarded by halving (Illinois rule). Returns the
    /// end of the bracket where the sign has changed.
    fn root(
        &mut self,
        integrator: &DormandPrince,
        crossing: &mut impl Watched,
        index: usize,
        (mut lo, mut g_lo): (f64, f64),
        (mut hi, mut g_hi): (f64, f64),
    ) -> f64 {
        let width = ROOT_WIDTH * hi.abs().max(1.0);
        let offset = self.offset(index);
        (g_lo, g_hi) = (g_lo + offset, g_hi + offset);
        let mut last_side = 0;
        for round in 0..200 {
            if hi - lo <= width {
                break;
            }
            let secant = hi - g_hi * (hi - lo) / (g_hi - g_lo);
            let inside = secant > lo && secant < hi;
            let t = if inside && round % 4 != 3 { secant } else { 0.5 * (lo + hi) };
            integrator.interpolate(t, &mut self.state);
            let g = crossing.one(t, &self.state, index, &mut self.probe) + offset;
            if opposite(g_lo, g) || g == 0.0 {
                (hi, g_hi) = (t, g);
                if last_side == 1 {
                    g_lo *= 0.5;
                }
                last_side = 1;
                if g == 0.0 {
                    break;
                }
            } else {
                (lo, g_lo) = (t, g);
                if last_side == -1 {
                    g_hi *= 0.5;
                }
                last_side = -1;
            }
        }
        hi
    }

    /// Steps to the located time with the full method and corrects the time by what the function is there.
    fn correct<E: std::error::Error>(
        &mut self,
        integrator: &mut DormandPrince,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        crossing: &mut impl Watched,
        (index, rising): (usize, bool),
        time: f64,
    ) -> Result<f64, AdaptiveError<E>> {
        let start = integrator.last_time();
        let scale = time.abs().max(1.0);
        // Slope of the function along the interpolant, about the root.
        let reach = (1e-6 * (integrator.time() - start)).max(4.0 * f64::EPSILON * scale);
        let mut values = [0.0; 2];
        for (value, t) in values.iter_mut().zip([time - reach, time + reach]) {
            integrator.interpolate(t, &mut self.state);
            *value = crossing.one(t, &self.state, index, &mut self.probe);
        }
        let slope = (values[1] - values[0]) / (2.0 * reach);
        let step = integrator.time() - start;
        let width = ROOT_WIDTH * scale;
        let past = |g: f64| if rising { g >= 0.0 } else { g <= 0.0 };
        let mut at = time;
        for round in 0..CORRECTIONS {
            integrator.redo(rates, (at - start).max(0.0))?;
            let g = crossing.one(at, integrator.state(), index, &mut self.probe) + self.offset(index);
            let shift = if slope != 0.0 { -g / slope } else { 0.0 };
            if past(g) && shift.abs() <= width {
                return Ok(at);
            }
            // A shift beyond what the interpolant can err by says that the function is flat or jumps.
            if round + 1 == CORRECTIONS || shift.abs() > CREDIBLE_SHIFT * step || at + shift <= start {
                break;
            }
            // Just past the root, so that the sign has changed.
            at += shift + 0.5 * width;
        }
        // Where the function jumps, the interpolant's root is as good as any; a little later the sign has changed.
        let mut late = width;
        for _ in 0..CORRECTIONS {
            let g = crossing.one(at, integrator.state(), index, &mut self.probe) + self.offset(index);
            if past(g) {
                break;
            }
            at = time + late;
            late *= LATER;
            integrator.redo(rates, at - start)?;
        }
        Ok(at)
    }
}

#[inline]
fn opposite(a: f64, b: f64) -> bool {
    (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) || (a != 0.0 && b == 0.0)
}

#[cfg(test)]
mod tests;
