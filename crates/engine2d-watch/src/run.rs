//! Driving a world through time while observers watch.

use crate::error::WatchError;
use crate::observer::Observer;
use engine2d_sim::World;

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

/// Advances a world by steps of `time_step` until the simulated time is `until`; the last step may be
/// shorter. It ends early at an event of the user's that [stops](engine2d_sim::UserEvent::stopping). The observers see the
/// start and every step.
///
/// # Errors
/// [`WatchError`]; the observers have seen everything up to the failure.
pub fn run(
    world: &mut World,
    until: f64,
    time_step: f64,
    observers: &mut [&mut dyn Observer],
) -> Result<(), WatchError> {
    observers.iter_mut().try_for_each(|observer| observer.start(world))?;
    while let Some(step) = next_step(world.time(), until, time_step) {
        let report = world.advance(step)?;
        observers.iter_mut().try_for_each(|observer| observer.step(world, &report))?;
        if report.stopped_by.is_some() {
            break;
        }
    }
    Ok(())
}
