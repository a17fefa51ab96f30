//! The scene of the present moment: what a world is now, as a scene that starts there.

use engine2d_scene::{Moving, Origin, Scene};
use engine2d_sim::World;

/// The scene with the poses and velocities of now, its time as the start. `None` where that cannot be said: a body led from
/// stop to stop has its times counted from the start.
pub(crate) fn scene_now(scene: &Scene, world: &World) -> Option<Scene> {
    let mut now = scene.clone();
    let elapsed = world.time() - scene.start_time;
    if elapsed == 0.0 {
        return Some(now);
    }
    now.start_time = world.time();
    for (index, body) in now.bodies.iter_mut().enumerate() {
        let view = world.body(index).ok()?;
        match &mut body.moving {
            Some(Moving::Stops { .. }) => return None,
            Some(Moving::Oscillation { period, phase, .. }) => {
                *phase =
                    (*phase + std::f64::consts::TAU * elapsed / *period).rem_euclid(std::f64::consts::TAU);
            }
            _ => {}
        }
        if view.is_fixed() {
            continue;
        }
        body.position = [view.position().x, view.position().y];
        body.origin = Origin::Centroid;
        body.angle = view.angle();
        if body.moving.is_none() {
            body.velocity = [view.velocity().x, view.velocity().y];
            body.angular_velocity = view.angular_velocity();
        }
    }
    Some(now)
}
