//! Nearness, and the update of a record after backing up.

use super::scene::*;
use engine2d_geometry::{FinderWorkspace, Pass, Rules, find_contacts, nearness};
use engine2d_math::Vec2;

#[test]
fn nearness_of_all_kinds_of_curves() {
    let infinite = f64::INFINITY;
    for ([r1, r2], expected) in [
        ([infinite, infinite], 0.01),
        ([infinite, 0.5], 0.2),
        ([0.5, infinite], 0.2),
        ([0.5, 1.0], 0.2),
        ([infinite, -2.0], 0.01),
        ([-2.0, infinite], 0.01),
        ([0.5, -2.0], 0.4),
        ([-2.0, 0.5], 0.4),
        ([0.02, infinite], 0.04),
    ] {
        near(&format!("nearness {r1} {r2}"), "radius", nearness(r1, r2, 0.01), expected);
    }
}

#[test]
fn a_record_follows_its_bodies_back_in_time() {
    let falling = at(ball(0.5), 0.3, 0.48, 0.0).velocity(0.0, -2.0, 0.0).old(0.3, 0.53, 0.0);
    let (mut found, mut bodies) = pass(falling, floor(10.0), 1.0, 0.025);
    check("A4", &found, &[(ee(0, 0, 2), -0.02)]);
    let up = bodies[0].pose.position();
    bodies[0].translate(Vec2::new(0.3, 0.53) - up);
    bodies[0].velocity = Vec2::new(0.0, -1.9);
    bodies.iter_mut().for_each(|b| b.old = None);
    found[0].update(&bodies, 0.975, true);
    let c = found[0];
    near("update", "distance", c.distance, 0.03);
    near("update", "velocity", c.velocity, -1.9);
    near_vector("update", "point", c.point, [0.3, 0.03]);
    near("update", "primary radius", c.primary_radius.unwrap(), 0.5);
    estimate("update", &c, 0.987980532399);
    near("update", "detection distance", c.detection.distance, -0.02);
    // The touch is known: a pass at an earlier time adds nothing.
    bodies[0].translate(Vec2::new(0.0, 0.508 - 0.53));
    let pass = Pass { time: 0.975, step: 0.025, tolerance: 0.01, rules: Rules::REFERENCE };
    find_contacts(&bodies, &pass, &mut FinderWorkspace::default(), &mut found);
    assert_eq!(found.len(), 1);
}
