//! A row of a step: what is demanded of it, and what its impulse does.

use crate::model::Model;
use crate::road::{Asked, Row, responses, restitution_of};
use engine2d_constraint::InverseMass;

/// Speed after a bounce, in what forces add to it in a step, from which it is one: slower bodies would be back within four steps.
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

impl Line {
    /// As a row of a complementarity problem.
    pub(super) fn asked(&self) -> Asked<'_> {
        let Self { row, bias, compliance, .. } = self;
        Asked { row: &row.row, kind: row.kind, bias: *bias, compliance: *compliance }
    }
}

/// What forces do to the velocities of bodies in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pushes<'a> {
    /// What they add to them.
    pub(super) changes: &'a [Change],
    /// Bodies that others press.
    pub(super) pressed: &'a [bool],
}

impl Pushes<'_> {
    /// How fast a row may close by what forces do in a step. Bodies that fall together do not come nearer by that; but what is
    /// pressed is held by others while the other body falls on it.
    fn of(&self, row: &Row) -> f64 {
        if !ends(row).any(|(k, _)| self.pressed[k]) {
            return rate_along(row, self.changes).abs();
        }
        ends(row).map(|(k, j)| along(j, &self.changes[k]).abs()).fold(0.0, f64::max)
    }
}

/// Coefficient of restitution of a row that approaches so fast that it bounces when it meets.
pub(super) fn restitution_if_fast(model: &Model, row: &Row, pushes: Pushes<'_>) -> Option<f64> {
    let restitution = restitution_of(model, row);
    let lasts = || -restitution * row.rate > BOUNCES * pushes.of(row);
    (restitution > 0.0 && -row.rate > model.settings.rest_speed && lasts()).then_some(restitution)
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
    ends(row).map(|(k, j)| along(j, &changes[k])).sum()
}

/// The bodies of a row, each with its coefficients.
fn ends(row: &Row) -> impl Iterator<Item = (usize, &[f64; 3])> {
    row.row.bodies.iter().zip(&row.row.jacobian).filter_map(|(body, j)| Some((body.index()?, j)))
}

/// What coefficients make of changes.
pub(super) fn along(j: &[f64; 3], d: &Change) -> f64 {
    j[0] * d[0] + j[1] * d[1] + j[2] * d[2]
}
