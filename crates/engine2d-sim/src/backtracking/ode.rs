//! One step of the integrator: fixed-step Runge–Kutta methods, the energy-adaptive wrapper, Dormand–Prince.

use super::collision::Collision;
use super::evaluate::{Evaluation, Outcome};
use crate::adaptive::{AdaptiveError, AdaptiveSettings, DormandPrince};
use crate::energy::energy;
use crate::error::SimError;
use crate::model::Model;
use crate::settings::{FixedStepMethod, OdeMethod};
use crate::state::State;
use crate::tolerance::{MIN_INNER_STEP, STEP_END_SLACK};
use crate::work::Work;

/// What an integrator moves, and with what.
pub(super) struct Moving<'a> {
    pub(super) model: &'a Model,
    pub(super) state: &'a mut State,
    pub(super) evaluation: &'a mut Evaluation,
    pub(super) work: &'a mut Work,
}

impl Moving<'_> {
    fn rates(
        &mut self,
        y: &[f64],
        offset: f64,
        rates: &mut Vec<f64>,
        records: &mut Vec<Collision>,
    ) -> Result<Outcome, SimError> {
        let Self { model, state, evaluation, work } = self;
        evaluation.rates(model, state, work, (y, offset), rates, records, None)
    }

    fn energy(&self) -> f64 {
        energy(self.model, self.state).total()
    }
}

/// Scratch of the integrators.
#[derive(Clone, Debug, Default)]
pub(crate) struct OdeWorkspace {
    start: Vec<f64>,
    trial: Vec<f64>,
    k: [Vec<f64>; 4],
    saved: Vec<f64>,
    adaptive: DormandPrince,
}

/// Why the rates of an adaptive step could not be had.
#[derive(Debug, thiserror::Error)]
enum Stop {
    #[error("bodies penetrate")]
    Collided,
    #[error(transparent)]
    Failed(#[from] SimError),
}

impl OdeWorkspace {
    /// Integrates over `h`. On [`Outcome::Collided`] nothing is written beyond the failing trial
    /// state, and `records` holds what was found there.
    pub(crate) fn step(
        &mut self,
        bodies: &mut Moving<'_>,
        method: OdeMethod,
        h: f64,
        records: &mut Vec<Collision>,
    ) -> Result<Outcome, SimError> {
        match method {
            OdeMethod::Fixed(method) => self.fixed_step(bodies, method, h, records),
            OdeMethod::EnergyAdaptive { inner, tolerance, second_difference } => {
                self.energy_adaptive_step(bodies, (inner, tolerance, second_difference), h, records)
            }
            OdeMethod::DormandPrince { relative_tolerance, absolute_tolerance } => {
                let settings = AdaptiveSettings {
                    relative_tolerance,
                    absolute_tolerance,
                    ..AdaptiveSettings::default()
                };
                self.dormand_prince_step(bodies, settings, h, records)
            }
        }
    }

    fn fixed_step(
        &mut self,
        bodies: &mut Moving<'_>,
        method: FixedStepMethod,
        h: f64,
        records: &mut Vec<Collision>,
    ) -> Result<Outcome, SimError> {
        // Each stage: weight of the previous stage's rates in the trial state, as a fraction of h.
        let nodes: &[f64] = match method {
            FixedStepMethod::Euler => &[0.0],
            FixedStepMethod::ModifiedEuler => &[0.0, 1.0],
            FixedStepMethod::RungeKutta4 => &[0.0, 0.5, 0.5, 1.0],
        };
        let Self { start, trial, k, .. } = self;
        bodies.state.read(start);
        for (stage, node) in nodes.iter().enumerate() {
            trial.clear();
            trial.extend_from_slice(start);
            let offset = node * h;
            if stage > 0 {
                for (t, rate) in trial.iter_mut().zip(&k[stage - 1]) {
                    *t += offset * rate;
                }
            }
            if bodies.rates(trial, offset, &mut k[stage], records)? == Outcome::Collided {
                return Ok(Outcome::Collided);
            }
        }
        trial.clear();
        for (i, s) in start.iter().enumerate() {
            trial.push(match method {
                FixedStepMethod::Euler => s + h * k[0][i],
                FixedStepMethod::ModifiedEuler => s + (k[0][i] + k[1][i]) * h / 2.0,
                FixedStepMethod::RungeKutta4 => {
                    s + (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]) * h / 6.0
                }
            });
        }
        if trial.iter().any(|v| !v.is_finite()) {
            return Err(SimError::NotFinite {
                what: "the state after a step".to_owned(),
                time: bodies.state.time,
            });
        }
        bodies.state.write(trial);
        Ok(Outcome::Done)
    }

    /// Repeats the step with inner steps divided by 5 until the change of total energy settles.
    fn energy_adaptive_step(
        &mut self,
        bodies: &mut Moving<'_>,
        (inner, tolerance, second_difference): (FixedStepMethod, f64, bool),
        h: f64,
        records: &mut Vec<Collision>,
    ) -> Result<Outcome, SimError> {
        if h < MIN_INNER_STEP {
            return Ok(Outcome::Done);
        }
        let mut saved = std::mem::take(&mut self.saved);
        bodies.state.read(&mut saved);
        bodies.state.save_old_poses();
        let start_energy = bodies.energy();
        let end = saved[0] + h;
        let mut inner_step = h;
        let mut previous = f64::INFINITY;
        let mut pass = 0;
        let result = loop {
            if pass > 0 {
                bodies.state.write(&saved);
                bodies.state.erase_old_poses();
                inner_step /= 5.0;
                if inner_step < MIN_INNER_STEP {
                    break Err(SimError::StepTooSmall { time: saved[0], limit: MIN_INNER_STEP });
                }
            }
            match self.inner_steps(bodies, inner, inner_step, end, records) {
                Ok(Outcome::Done) => {}
                other => break other,
            }
            let difference = (start_energy - bodies.energy()).abs();
            let criterion = if second_difference { (difference - previous).abs() } else { difference };
            previous = difference;
            pass += 1;
            if criterion <= tolerance {
                break Ok(Outcome::Done);
            }
        };
        self.saved = saved;
        result
    }

    /// As many adaptive steps as `h` takes; the state is written at the end only.
    fn dormand_prince_step(
        &mut self,
        bodies: &mut Moving<'_>,
        settings: AdaptiveSettings,
        h: f64,
        records: &mut Vec<Collision>,
    ) -> Result<Outcome, SimError> {
        bodies.state.read(&mut self.start);
        let begin = self.start[0];
        let end = begin + h;
        let Self { start, k, adaptive, .. } = self;
        adaptive.configure(settings);
        adaptive.start(begin, start);
        let mut rates = |_: f64, y: &[f64], dy: &mut [f64]| -> Result<(), Stop> {
            match bodies.rates(y, y[0] - begin, &mut k[0], records)? {
                Outcome::Done => {
                    dy.copy_from_slice(&k[0]);
                    Ok(())
                }
                Outcome::Collided => Err(Stop::Collided),
            }
        };
        while adaptive.time() < end {
            match adaptive.step(&mut rates, end) {
                Ok(()) => {}
                Err(AdaptiveError::Rates(Stop::Collided)) => return Ok(Outcome::Collided),
                Err(AdaptiveError::Rates(Stop::Failed(error))) => return Err(error),
                Err(AdaptiveError::StepTooSmall { time, step }) => {
                    return Err(SimError::StepTooSmall { time, limit: step });
                }
                Err(AdaptiveError::TooManySteps { time, .. }) => {
                    return Err(SimError::StepTooSmall { time, limit: 0.0 });
                }
            }
        }
        if adaptive.state().iter().any(|v| !v.is_finite()) {
            return Err(SimError::NotFinite { what: "the state after a step".to_owned(), time: begin });
        }
        bodies.state.write(adaptive.state());
        Ok(Outcome::Done)
    }

    fn inner_steps(
        &mut self,
        bodies: &mut Moving<'_>,
        method: FixedStepMethod,
        inner_step: f64,
        end: f64,
        records: &mut Vec<Collision>,
    ) -> Result<Outcome, SimError> {
        while bodies.state.time < end {
            let mut h = inner_step;
            if bodies.state.time + h > end - STEP_END_SLACK {
                h = end - bodies.state.time;
            }
            let before = bodies.state.time;
            if self.fixed_step(bodies, method, h, records)? == Outcome::Collided {
                return Ok(Outcome::Collided);
            }
            if bodies.state.time <= before {
                break;
            }
        }
        Ok(Outcome::Done)
    }
}
