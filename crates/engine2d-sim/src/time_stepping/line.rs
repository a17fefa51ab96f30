//! A row of a step: what is demanded of it, and what its impulse does.

use crate::model::Model;
use crate::road::{Row, responses, restitution_of};
use engine2d_constraint::InverseMass;

/// Approach, in what forces add to it in a step, above which bodies bounce: slower ones are held by the forces anyway.
const BOUNCES: f64 = 2.0;

/// What changes of the velocities of a body: linear, angular.
pub(super) type Change = [f64; 3];

/// A row of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Its limits are those of the impulse.
    pub(super) row: Row,
    /// The demanded rate without its impulse.
    pub(super) bias: f64,
    /// `1/γ` of springs, else 0.
    pub(super) compliance: f64,
    /// Coefficient of restitution, where bodies bounce.
    pub(super) restitution: f64,
}

/// Coefficient of restitution of a row that approaches so fast that it bounces when it meets; forces change its rate by `change`
/// in a step.
pub(super) fn restitution_if_fast(model: &Model, row: &Row, change: f64) -> Option<f64> {
    let fast = row.rate < -(BOUNCES * change.abs()).max(model.settings.rest_speed);
    Some(restitution_of(model, row)).filter(|restitution| fast && *restitution > 0.0)
}

/// Adds what impulses change of the velocities.
pub(super) fn add_changes(lines: &[Line], impulses: &[f64], masses: &[InverseMass], out: &mut [Change]) {
    for (line, &impulse) in lines.iter().zip(impulses) {
        if impulse != 0.0 {
            for (index, linear, angular) in responses(&line.row.row, impulse, masses) {
                let change = &mut out[index];
                *change = [change[0] + linear.x, change[1] + linear.y, change[2] + angular];
            }
        }
    }
}

/// The rate that changes of the velocities make along a row.
pub(super) fn rate_along(row: &Row, changes: &[Change]) -> f64 {
    let ends = row.row.bodies.iter().zip(&row.row.jacobian);
    ends.filter_map(|(body, j)| {
        let d = &changes[body.index()?];
        Some(j[0] * d[0] + j[1] * d[1] + j[2] * d[2])
    })
    .sum()
}
