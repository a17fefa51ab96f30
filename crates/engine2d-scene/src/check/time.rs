//! Judging the times of a scene: a step must move the time, and a run must have an end.

use super::numbers::Judge;
use crate::limits::Limits;
use crate::scene::Scene;

/// Notes a time step that is lost when it is added to the times of the scene, and more steps than may be.
pub(super) fn check_times(scene: &Scene, limits: &Limits, judge: &mut Judge<'_>) {
    let (start, step) = (scene.start_time, scene.settings.clone().resolved().time_step);
    let end = start + scene.duration;
    let known =
        step > 0.0 && scene.duration >= 0.0 && [start, step, scene.duration].iter().all(|t| t.is_finite());
    if !known {
        // These have mistakes of their own.
        return;
    }
    let last = if start.abs() > end.abs() { start } else { end };
    if !end.is_finite() || last + step == last || last - step == last {
        let allowed = format!(
            "added to the time {last:e} it changes nothing: take a longer time step, or a start time and a duration nearer to 0"
        );
        return judge.not_allowed("settings.time_step", format!("{step:?}"), allowed);
    }
    let steps = scene.duration / step;
    if steps > limits.steps {
        let allowed = format!(
            "that is {steps:.0} steps, at most {:.0} are accepted; raise the limit if more are meant",
            limits.steps
        );
        judge.not_allowed("duration", format!("{:?}", scene.duration), allowed);
    }
}
