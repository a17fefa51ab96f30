//! Driving a world through time while observers watch.

use engine2d_sim::{SimError, StepReport, World};
use std::io;
use thiserror::Error;

/// A last step shorter than this part of the time step is not taken: it would only be rounding.
const STEP_SLACK: f64 = 1e-6;

/// Watches a run.
pub trait Observer {
    /// The world before the first step.
    ///
    /// # Errors
    /// What writing reports.
    fn start(&mut self, world: &World) -> io::Result<()>;

    /// The world after a step, and what happened in it.
    ///
    /// # Errors
    /// What writing reports.
    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()>;
}

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// The simulation could not go on.
    #[error("the simulation stopped: {0}")]
    Simulation(#[from] SimError),
    /// An observer could not write.
    #[error("the record could not be written: {0}")]
    Recording(#[from] io::Error),
}

/// Advances a world by steps of `time_step` until the simulated time is `until`; the last step may be
/// shorter. The observers see the start and every step.
///
/// # Errors
/// [`RunError`]; the observers have seen everything up to the failure.
pub fn run(
    world: &mut World,
    until: f64,
    time_step: f64,
    observers: &mut [&mut dyn Observer],
) -> Result<(), RunError> {
    observers.iter_mut().try_for_each(|observer| observer.start(world))?;
    while until - world.time() > STEP_SLACK * time_step {
        let left = until - world.time();
        let step = if left < (1.0 + STEP_SLACK) * time_step { left } else { time_step };
        let report = world.advance(step)?;
        observers.iter_mut().try_for_each(|observer| observer.step(world, &report))?;
    }
    Ok(())
}
