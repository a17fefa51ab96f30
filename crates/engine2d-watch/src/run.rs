//! Driving a world through time while observers watch.

use crate::course::Course;
use crate::error::WatchError;
use crate::observer::Observer;
use engine2d_sim::World;

/// Advances a world by steps of `time_step` until the simulated time is `until`; the last step may be
/// shorter. It ends early at an event of the user's that [stops](engine2d_sim::UserEvent::stopping). The observers see the
/// start and every step. [`Course`] is the same with limits, a way to stop, and going on.
///
/// # Errors
/// [`WatchError`]; the observers have seen everything up to the failure.
pub fn run(
    world: &mut World,
    until: f64,
    time_step: f64,
    observers: &mut [&mut dyn Observer],
) -> Result<(), WatchError> {
    Course::new(until, time_step).run(world, observers).map(|_| ())
}
