//! From impulses to the velocities after a step.

use super::line::{Change, Line, add_changes, along};
use super::solve::Answer;
use crate::road::{Row, responses};
use crate::state::{PER_BODY, State};
use engine2d_constraint::InverseMass;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;

/// Share of the speed changes of a body, in the metric of its mass, below which a speed is what rounding leaves of pushes that balance.
const BALANCED: f64 = 64.0 * f64::EPSILON;

/// Sets the velocities after the step: those `before`, with what forces change and what impulses push, which is left in
/// `pushes`. What is left of pushes that balance is rounding.
pub(super) fn change_velocities(
    (lines, answer): (&[Line], &Answer),
    (before, changes, pushes): (&[Change], &[Change], &mut Vec<Change>),
    masses: &[InverseMass],
    bodies: &mut [CollisionBody],
) {
    pushes.clear();
    pushes.resize(masses.len(), [0.0; 3]);
    add_changes(lines, &answer.impulses, masses, pushes);
    let mut sizes = vec![[0.0; 3]; masses.len()];
    for (line, &p) in lines.iter().zip(&answer.impulses).filter(|(_, p)| **p != 0.0) {
        for (index, linear, angular) in responses(&line.row.row, p, masses) {
            let size = &mut sizes[index];
            *size = [size[0] + linear.x.abs(), size[1] + linear.y.abs(), size[2] + angular.abs()];
        }
    }
    for (k, body) in bodies.iter_mut().enumerate().filter(|(_, body)| !body.fixed) {
        let rounding = rounding_of(sizes[k], (changes[k], before[k]), masses[k]);
        let v = [0, 1, 2].map(|i| {
            let v = before[k][i] + (changes[k][i] + pushes[k][i]);
            if v.abs() <= rounding[i] { 0.0 } else { v }
        });
        body.velocity = Vec2::new(v[0], v[1]);
        body.angular_velocity = v[2];
    }
}

/// What rounding leaves of the velocities of a body that was pushed by such amounts, of what forces changed and of what it had before:
/// the same in every direction, and none where nothing pushed.
fn rounding_of(pushed: Change, (change, before): (Change, Change), mass: InverseMass) -> Change {
    if pushed == [0.0; 3] {
        return [0.0; 3];
    }
    let [x, y, w] = [0, 1, 2].map(|i| pushed[i] + change[i].abs() + before[i].abs());
    // Radius of gyration: the speed of what turns at rate 1.
    let radius = if mass.angular > 0.0 { (mass.linear / mass.angular).sqrt() } else { 0.0 };
    let speed = BALANCED * (x * x + y * y + radius * radius * w * w).sqrt();
    [speed, speed, if radius > 0.0 { speed / radius } else { BALANCED * w }]
}

/// What the rates of the scope change its velocities by in a step of length `h`; those of bodies elsewhere stay.
pub(super) fn changes_of(state: &State, rates: &[f64], h: f64, changes: &mut Vec<Change>) {
    changes.clear();
    changes.resize(state.bodies.len(), [0.0; 3]);
    for k in state.focus.bodies(state.bodies.len()) {
        let r = &rates[1 + PER_BODY * k..];
        changes[k] = [h * r[1], h * r[3], h * r[5]];
    }
}

/// Takes up the velocities of the bodies.
pub(super) fn take_velocities(state: &State, out: &mut Vec<Change>) {
    out.clear();
    out.extend(state.bodies.iter().map(|b| [b.velocity.x, b.velocity.y, b.angular_velocity]));
}

/// Gives the bodies velocities.
pub(super) fn set_velocities(state: &mut State, velocities: &[Change]) {
    for (body, v) in state.bodies.iter_mut().zip(velocities) {
        (body.velocity, body.angular_velocity) = (Vec2::new(v[0], v[1]), v[2]);
    }
}

/// By how much the rate of a row has changed from the velocities `before` to those that the bodies have.
pub(super) fn rate_changed(row: &Row, bodies: &[CollisionBody], before: &[Change]) -> f64 {
    let ends = row.row.bodies.iter().zip(&row.row.jacobian);
    let own = ends.filter_map(|(body, j)| Some((body.index()?, j))).filter(|&(k, _)| !bodies[k].fixed);
    own.map(|(k, j)| {
        let (b, [x, y, w]) = (&bodies[k], before[k]);
        along(j, &[b.velocity.x - x, b.velocity.y - y, b.angular_velocity - w])
    })
    .sum()
}
