//! The Dormand–Prince 5(4) pair with dense output of order 4.
//!
//! Source: \[Dormand, Prince 1980\], with the step control and interpolant of \[Hairer, Nørsett, Wanner 1993,
//! Solving Ordinary Differential Equations I, §II.4–II.6\].

mod tableau;

use super::settings::{AdaptiveError, AdaptiveSettings};
use tableau::{A, C, D, E};

/// Fraction of the theoretically optimal step that is taken, so that few steps are rejected.
const SAFETY: f64 = 0.9;
/// Largest growth and strongest reduction of the step.
const GROWTH: (f64, f64) = (0.2, 5.0);
/// Error of a step, in units of the tolerance, below which its interpolant is as good as the step: both the estimate and
/// the interpolant's error are of order 5 in the step.
const NEGLIGIBLE: f64 = 1e-2;
/// Steps below this fraction of the time reached cannot advance the clock reliably.
const RELATIVE_MIN_STEP: f64 = 16.0 * f64::EPSILON;

/// An integration in progress. Reuse it: its storage is kept from run to run. Saved and read back, it goes on bit
/// for bit.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct DormandPrince {
    settings: AdaptiveSettings,
    time: f64,
    state: Vec<f64>,
    step: f64,
    last_time: f64,
    last_state: Vec<f64>,
    last_step: f64,
    k: [Vec<f64>; 7],
    /// Coefficients of the interpolant of the last step, as long as they are known.
    #[serde(skip)]
    dense: Vec<[f64; 4]>,
    /// The state at the end of the last step; the one reached may be before it, or a nearby one.
    trial: Vec<f64>,
    /// Error of the last step in units of the tolerance.
    last_error: f64,
    /// Whether the last stage of the last step is the first of the next one.
    last_is_first: bool,
    steps: u64,
    evaluations: u64,
}

impl PartialEq for DormandPrince {
    fn eq(&self, other: &Self) -> bool {
        // All but the interpolant, which follows from the rest.
        let parts =
            |s: &Self| (s.settings, s.time, s.step, s.last_time, s.last_step, s.last_error, s.last_is_first);
        let lists = |s: &Self| [&s.state, &s.last_state, &s.trial].map(Vec::clone);
        parts(self) == parts(other)
            && lists(self) == lists(other)
            && self.k == other.k
            && (self.steps, self.evaluations) == (other.steps, other.evaluations)
    }
}

impl DormandPrince {
    /// An integrator with the given settings.
    #[must_use]
    pub fn new(settings: AdaptiveSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Replaces the settings; takes effect from the next step.
    pub fn configure(&mut self, settings: AdaptiveSettings) {
        self.settings = settings;
    }

    /// Begins (or restarts after an event) at `state`; the step is chosen anew.
    pub fn start(&mut self, time: f64, state: &[f64]) {
        self.time = time;
        self.last_time = time;
        self.state.clear();
        self.state.extend_from_slice(state);
        self.last_state.clone_from(&self.state);
        self.step = 0.0;
        self.last_step = 0.0;
        self.last_error = 0.0;
        self.last_is_first = false;
        self.steps = 0;
        for k in self.k.iter_mut().chain([&mut self.trial]) {
            k.clear();
            k.resize(state.len(), 0.0);
        }
    }

    /// Goes on after an event at a state whose velocities have jumped: the next step is as long as the last one was to be.
    pub fn resume(&mut self, time: f64, state: &[f64]) {
        let step = self.step;
        self.start(time, state);
        self.step = step;
    }

    /// Takes the last step back; it would be as long again.
    pub(crate) fn rewind(&mut self) {
        self.time = self.last_time;
        self.state.clone_from(&self.last_state);
        self.step = self.last_step;
        self.last_step = 0.0;
        self.last_is_first = false;
    }

    /// Takes over a step that was taken by other means; in between the state is that on the straight line.
    pub(crate) fn take(&mut self, time: f64, state: &[f64]) {
        let h = time - self.time;
        self.trial.clear();
        self.trial.extend_from_slice(state);
        for k in &mut self.k {
            k.clear();
            k.extend(state.iter().zip(&self.state).map(|(new, old)| (new - old) / h));
        }
        self.last_error = 0.0;
        self.accept(h, time);
        self.last_is_first = false;
    }

    /// The state before the last step.
    pub(crate) fn last_state(&self) -> &[f64] {
        &self.last_state
    }

    /// Begins at `state` with a step of a given length.
    pub(crate) fn start_with(&mut self, time: f64, state: &[f64], step: f64) {
        self.start(time, state);
        self.step = step;
    }

    /// Length of the next step, if the tolerance allows it; 0 if it is to be chosen.
    pub(crate) fn next_step(&self) -> f64 {
        self.step
    }

    /// Replaces the state reached by a nearby one (a projection onto constraints), keeping the step size.
    pub fn adjust(&mut self, time: f64, state: &[f64]) {
        self.time = time;
        self.state.clear();
        self.state.extend_from_slice(state);
        self.last_is_first = false;
    }

    /// Time reached.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// State reached.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// Time before the last step.
    #[must_use]
    pub fn last_time(&self) -> f64 {
        self.last_time
    }

    /// Evaluations of the right-hand side since the integrator was made.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Takes one step that meets the tolerance and does not pass `end`.
    ///
    /// # Errors
    /// [`AdaptiveError`].
    pub fn step<E: std::error::Error>(
        &mut self,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        end: f64,
    ) -> Result<(), AdaptiveError<E>> {
        if self.time >= end {
            return Ok(());
        }
        if self.last_is_first {
            self.k.swap(0, 6);
            self.last_is_first = false;
        } else {
            self.evaluate_first(rates)?;
        }
        if self.step <= 0.0 {
            self.step = self.initial_step(rates, end)?;
        }
        let mut rejected = false;
        let mut failures = 0;
        loop {
            let rest = end - self.time;
            let planned = self.step.min(self.settings.max_step);
            // A remainder too short for a step of its own is taken along.
            let h = if planned >= rest * (1.0 - 1e-12) { rest } else { planned };
            if h < RELATIVE_MIN_STEP * self.time.abs().max(f64::MIN_POSITIVE) && h < rest {
                return Err(AdaptiveError::StepTooSmall { time: self.time, step: h });
            }
            self.steps += 1;
            if self.steps > self.settings.max_steps {
                return Err(AdaptiveError::TooManySteps { time: self.time, steps: self.settings.max_steps });
            }
            if let Err(failed) = self.stages(rates, self.time, h) {
                failures += 1;
                if failures > self.settings.retries {
                    return Err(failed);
                }
                rejected = true;
                self.step = h * GROWTH.0;
                continue;
            }
            let error = self.error_norm(h);
            let factor = if error == 0.0 { GROWTH.1 } else { SAFETY * engine2d_math::trig::pow(error, -0.2) };
            if error <= 1.0 {
                self.last_error = error;
                self.accept(h, if h == rest { end } else { self.time + h });
                let growth = factor.clamp(GROWTH.0, if rejected { 1.0 } else { GROWTH.1 });
                // A step cut short by the end says little about the next one.
                self.step = if h < planned { planned.max(h * growth) } else { h * growth };
                return Ok(());
            }
            rejected = true;
            self.step = h * if factor.is_finite() { factor.clamp(GROWTH.0, SAFETY) } else { GROWTH.0 };
        }
    }

    /// Replaces the last step by one of length `h` from the same start: exact to the method's order where
    /// the interpolant is one order lower.
    ///
    /// # Errors
    /// [`AdaptiveError::Rates`].
    pub fn redo<E: std::error::Error>(
        &mut self,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        h: f64,
    ) -> Result<(), AdaptiveError<E>> {
        self.time = self.last_time;
        self.state.clone_from(&self.last_state);
        self.evaluate_first(rates)?;
        self.stages(rates, self.time, h)?;
        self.last_error = self.error_norm(h);
        self.accept(h, self.last_time + h);
        Ok(())
    }

    /// Goes back to `time` within the last step: by its interpolant where that errs by far less than the tolerance, and
    /// else by a shorter step.
    ///
    /// # Errors
    /// [`AdaptiveError::Rates`].
    pub(crate) fn go_back<E: std::error::Error>(
        &mut self,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        time: f64,
    ) -> Result<(), AdaptiveError<E>> {
        if self.last_error > NEGLIGIBLE {
            return self.redo(rates, time - self.last_time);
        }
        for i in 0..self.state.len() {
            self.state[i] = self.component(i, time);
        }
        self.time = time;
        self.last_is_first = false;
        Ok(())
    }

    /// Whether the interpolant of the last step is as good as the step.
    pub(crate) fn interpolates_well(&self) -> bool {
        self.last_error <= NEGLIGIBLE
    }

    /// The state at `time` within the last step, by the interpolant of order 4.
    pub fn interpolate(&self, time: f64, out: &mut Vec<f64>) {
        out.clear();
        out.extend((0..self.state.len()).map(|i| self.component(i, time)));
    }

    /// One component of the state at `time` within the last step.
    pub(crate) fn component(&self, i: usize, time: f64) -> f64 {
        let h = self.last_step;
        if h == 0.0 || time == self.time {
            return self.state[i];
        }
        let theta = (time - self.last_time) / h;
        let rest = 1.0 - theta;
        let [rise, bulge, skew, fifth] = self.dense.get(i).copied().unwrap_or_else(|| self.coefficients(i));
        self.last_state[i] + theta * (rise + rest * (bulge + theta * (skew + rest * fifth)))
    }

    /// The coefficients of the interpolant of one component.
    fn coefficients(&self, i: usize) -> [f64; 4] {
        let h = self.last_step;
        let rise = self.trial[i] - self.last_state[i];
        let bulge = h * self.k[0][i] - rise;
        let skew = rise - h * self.k[6][i] - bulge;
        [rise, bulge, skew, h * self.k.iter().zip(D).map(|(k, d)| d * k[i]).sum::<f64>()]
    }

    /// Whether all its lists are of a state of so many variables: those of a file need not be.
    pub(crate) fn is_of(&self, variables: usize) -> bool {
        let lists = [&self.state, &self.last_state, &self.trial];
        lists.into_iter().chain(&self.k).all(|list| list.len() == variables)
    }

    fn evaluate_first<E: std::error::Error>(
        &mut self,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
    ) -> Result<(), AdaptiveError<E>> {
        self.evaluations += 1;
        rates(self.time, &self.state, &mut self.k[0]).map_err(AdaptiveError::Rates)?;
        Ok(())
    }

    /// Stages 2 to 7 of a step of length `h`; the trial state ends as the solution of order 5.
    fn stages<E: std::error::Error>(
        &mut self,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        time: f64,
        h: f64,
    ) -> Result<(), AdaptiveError<E>> {
        for stage in 1..7 {
            let (known, rest) = self.k.split_at_mut(stage);
            for (i, y) in self.state.iter().enumerate() {
                let sum: f64 = known.iter().zip(A[stage]).map(|(k, a)| a * k[i]).sum();
                self.trial[i] = y + h * sum;
            }
            self.evaluations += 1;
            rates(time + C[stage] * h, &self.trial, &mut rest[0]).map_err(AdaptiveError::Rates)?;
        }
        Ok(())
    }

    /// Largest error of a component in units of the tolerance: a mean would forgive more the more components are at
    /// rest.
    fn error_norm(&self, h: f64) -> f64 {
        let mut worst = 0.0_f64;
        for i in 0..self.state.len() {
            let error: f64 = h * self.k.iter().zip(E).map(|(k, e)| e * k[i]).sum::<f64>();
            let size = self.state[i].abs().max(self.trial[i].abs());
            let scale = self.settings.absolute_tolerance + self.settings.relative_tolerance * size;
            let ratio = (error / scale).abs();
            if ratio.is_nan() {
                return ratio;
            }
            worst = worst.max(ratio);
        }
        worst
    }

    fn accept(&mut self, h: f64, time: f64) {
        self.last_time = self.time;
        self.last_step = h;
        self.time = time;
        std::mem::swap(&mut self.last_state, &mut self.state);
        self.state.clone_from(&self.trial);
        // Both ends' rates stay in place for the interpolant until the next step begins.
        self.last_is_first = true;
        let mut dense = std::mem::take(&mut self.dense);
        dense.clear();
        dense.extend((0..self.state.len()).map(|i| self.coefficients(i)));
        self.dense = dense;
    }

    /// A first step from the sizes of the state, its rate and the change of the rate.
    fn initial_step<E: std::error::Error>(
        &mut self,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), E>,
        end: f64,
    ) -> Result<f64, AdaptiveError<E>> {
        let scale = |y: f64| self.settings.absolute_tolerance + self.settings.relative_tolerance * y.abs();
        let n = self.state.len().max(1) as f64;
        let norm = |v: &mut dyn Iterator<Item = f64>| (v.map(|x| x * x).sum::<f64>() / n).sqrt();
        let size = norm(&mut self.state.iter().map(|&y| y / scale(y)));
        let speed = norm(&mut self.state.iter().zip(&self.k[0]).map(|(&y, &k)| k / scale(y)));
        let rest = end - self.time;
        let guess = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
        let guess = guess.min(rest).min(self.settings.max_step);
        for (t, (y, k)) in self.trial.iter_mut().zip(self.state.iter().zip(&self.k[0])) {
            *t = y + guess * k;
        }
        self.evaluations += 1;
        rates(self.time + guess, &self.trial, &mut self.k[1]).map_err(AdaptiveError::Rates)?;
        let change = self.k[1].iter().zip(&self.k[0]).zip(&self.state);
        let bend = norm(&mut change.map(|((&b, &a), &y)| (b - a) / scale(y))) / guess;
        let strongest = speed.max(bend);
        let second = if strongest <= 1e-15 {
            (guess * 1e-3).max(1e-6)
        } else {
            engine2d_math::trig::pow(0.01 / strongest, 0.2)
        };
        Ok((100.0 * guess).min(second).min(rest).min(self.settings.max_step))
    }
}

#[cfg(test)]
mod tests;
