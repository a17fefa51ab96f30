//! From impulses to the velocities after a step.

use super::line::{Change, Line, add_changes};
use super::solve::Answer;
use crate::road::responses;
use crate::state::{PER_BODY, State};
use engine2d_constraint::InverseMass;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;

/// Share of the mean of a body's speed changes below which a speed is what rounding leaves of pushes that balance.
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
    let parts = changes.iter().zip(before);
    let mut sizes: Vec<[f64; 3]> = parts.map(|(c, b)| [0, 1, 2].map(|k| c[k].abs() + b[k].abs())).collect();
    for (line, &p) in lines.iter().zip(&answer.impulses) {
        for (index, linear, angular) in responses(&line.row.row, p, masses) {
            let size = &mut sizes[index];
            *size = [size[0] + linear.x.abs(), size[1] + linear.y.abs(), size[2] + angular.abs()];
        }
    }
    for (k, body) in bodies.iter_mut().enumerate().filter(|(_, body)| !body.fixed) {
        let v = [0, 1, 2].map(|i| {
            let v = before[k][i] + (changes[k][i] + pushes[k][i]);
            if v.abs() <= BALANCED * sizes[k][i] { 0.0 } else { v }
        });
        body.velocity = Vec2::new(v[0], v[1]);
        body.angular_velocity = v[2];
    }
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
