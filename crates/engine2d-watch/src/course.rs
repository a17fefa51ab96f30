//! How far a run goes, and what ends it before.

use crate::error::WatchError;
use crate::limits::RunLimits;
use crate::observer::Observer;
use engine2d_sim::{SimError, World};

/// A last step shorter than this part of the time step is not taken: it would only be rounding.
const STEP_SLACK: f64 = 1e-6;

/// The length of the next step of a run that is at `time`, until `until` by steps of `time_step`; `None` at its end. The last
/// step may be shorter.
#[must_use]
pub fn next_step(time: f64, until: f64, time_step: f64) -> Option<f64> {
    let left = until - time;
    if !(left > STEP_SLACK * time_step) {
        return None;
    }
    Some(if left < (1.0 + STEP_SLACK) * time_step { left } else { time_step })
}

/// Where a run goes, and what may end it before.
#[derive(Clone, Copy)]
pub struct Course<'a> {
    /// Simulated time of the end.
    pub until: f64,
    /// Length of a step (time, > 0); the last one may be shorter.
    pub time_step: f64,
    /// Most that the run may take.
    pub limits: RunLimits,
    /// Asked before each step whether the run is to end there, and where a step has met the world's
    /// [deadline](engine2d_sim::Probe::set_deadline) whether that is why.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// Its time was over.
    InTime,
    /// The event of this name [stops](engine2d_sim::UserEvent::stopping).
    ByEvent(String),
    /// [`Course::stop`] said so.
    OnDemand,
    /// [`Course::stop`] said so of a step that met the world's deadline: the world is left where that was, and goes on from a snapshot
    /// of the last step's end only.
    WithinStep,
}

impl Course<'_> {
    /// A run by steps of `time_step` until the simulated time is `until`, without limits.
    #[must_use]
    pub fn new(until: f64, time_step: f64) -> Self {
        Self { until, time_step, limits: RunLimits::NONE, stop: None }
    }

    /// Runs: the observers see the start and every step.
    ///
    /// # Errors
    /// [`WatchError`]; the observers have seen everything up to the failure.
    pub fn run(&self, world: &mut World, observers: &mut [&mut dyn Observer]) -> Result<Ended, WatchError> {
        observers.iter_mut().try_for_each(|observer| observer.start(world))?;
        self.go_on(world, observers)
    }

    /// Goes on with a run whose start the observers have seen already: after a save and a resume at the end of a step the
    /// steps are the same as without.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn go_on(&self, world: &mut World, observers: &mut [&mut dyn Observer]) -> Result<Ended, WatchError> {
        let mut spent = self.limits.open();
        while let Some(step) = next_step(world.time(), self.until, self.time_step) {
            let is_asked = || self.stop.is_some_and(|stop| stop());
            if is_asked() {
                return Ok(Ended::OnDemand);
            }
            let before = world.time();
            let report = match world.advance(step) {
                Err(SimError::Deadline { .. }) if is_asked() => return Ok(Ended::WithinStep),
                advanced => advanced?,
            };
            observers.iter_mut().try_for_each(|observer| observer.step(world, &report))?;
            if let Some(name) = report.stopped_by {
                return Ok(Ended::ByEvent(name));
            }
            if world.time() <= before {
                return Err(WatchError::NoProgress { time: before, step });
            }
            spent.step(report.events().len(), report.contacts.len(), world.time())?;
        }
        Ok(Ended::InTime)
    }
}
