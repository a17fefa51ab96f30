//! The rows of a step: what each demands of the velocities before and after it.
//!
//! With `u⁻`, `u⁺` the rates of a row before and after the step, by the Jacobian in its middle, and `u` the rate after all forces
//! but those of constraints:
//!
//! | row | demand |
//! |---|---|
//! | joint, closed contact, sticking, not rolling | of `u⁺ + u⁻`: its forces then do no work |
//! | motor, sliding, rolling | of `u⁺` |
//! | contact at the gap `g` | `u⁺ + max(2 g/h + b h/4, u⁻, 0) ≥ 0`: it may close by the end, not more; `b ≥ 0` is the acceleration of the gap by the turning of its normal |
//! | spring | `γ u⁺ + r + h f + (h c/2 − h² k/4) u⁻ = 0`, `γ = h² k/4 + h c/2`: force at the mean of both positions |

use super::far::THROUGH;
use super::line::{Line, Pushes, rate_along, restitution_if_fast};
use super::memory::Memory;
use super::near::Near;
use super::solve::AT_REST;
use crate::friction::Friction;
use crate::model::Model;
use crate::road::{Known, Row, Rows, Source, friction_row, reach_of, resistance_of, rolling_row};
use engine2d_constraint::RowKind;
use engine2d_geometry::CollisionBody;

/// Excess of a closed row's approach over what the turning of its normal explains, relative to that, up to which it is taken
/// for one that persists.
const TURNING: f64 = 4.0;

/// What the rows of a step are made from.
pub(super) struct Middle<'a> {
    pub(super) model: &'a Model,
    /// In the middle of the step, with the velocities before it.
    pub(super) bodies: &'a [CollisionBody],
    /// What forces do in the step.
    pub(super) pushes: Pushes<'a>,
    pub(super) memory: &'a Memory,
    /// Length of the step (time).
    pub(super) step: f64,
    /// Whether what bounces is stopped where it meets, instead of bouncing in the next step.
    pub(super) arrests: bool,
}

impl Middle<'_> {
    /// What forces add to the rate of a row.
    fn change(&self, row: &Row) -> f64 {
        rate_along(row, self.pushes.changes)
    }

    /// The row of a joint that acts.
    pub(super) fn joint(&self, row: &Row) -> Line {
        let h = self.step;
        let before = self.memory.get(row.source).is_some_and(|known| known.closed);
        let mean = if row.holonomic && before { row.rate } else { 0.0 };
        let kind = match row.kind {
            RowKind::Boxed { lo, hi } => RowKind::Boxed { lo: h * lo, hi: h * hi },
            kind => kind,
        };
        let bias = row.rate + self.change(row) + mean;
        Line { row: Row { kind, ..*row }, bias, compliance: 0.0, restitution: 0.0 }
    }

    /// The row of a spring; `None` if it is none.
    pub(super) fn spring(&self, known: &Known) -> Option<Line> {
        let (h, row) = (self.step, &known.row);
        if known.spring.is_rigid() {
            return None;
        }
        let (k, c) = (1.0 / known.spring.compliance, known.spring.damping);
        let [stiff, damped] = [0.25 * h * h * k, 0.5 * h * c];
        let elastic = -known.multiplier - c * row.rate;
        let rest = (h * elastic + (damped - stiff) * row.rate) / (stiff + damped);
        let bias = row.rate + self.change(row) + rest;
        Some(Line { row: *row, bias, compliance: 1.0 / (stiff + damped), restitution: 0.0 })
    }

    /// A row that must not become negative, at the gap `row.error`; `None` if bodies bounce there.
    pub(super) fn unilateral(&self, row: &Row) -> Option<Line> {
        let (h, change) = (self.step, self.change(row));
        let free = row.rate + change;
        let rest_speed = self.model.settings.rest_speed;
        let line = |bias: f64| Line { row: *row, bias, compliance: 0.0, restitution: 0.0 };
        // What the turning of the normal has made of the rate since the step began.
        let turning = 0.5 * h * row.bias.abs();
        if self.memory.is_closed(row.source) && row.rate >= -TURNING * turning - rest_speed {
            return Some(line(free + row.rate));
        }
        // What bounces has done so, or does when it meets.
        let came = Row { rate: row.rate + turning, ..*row };
        if !self.arrests && restitution_if_fast(self.model, &came, self.pushes).is_some() {
            return None;
        }
        // No more than what it came with on the mean, or its force would do work.
        // Round sides and corners that pass each other part again: a straight way would lead through them. What turns the other way
        // is put apart at the end.
        let ahead = row.error + 0.125 * h * h * row.bias.max(0.0);
        Some(line(free + (2.0 * ahead / h).max(row.rate).max(0.0)))
    }

    /// The rows of a place where bodies face each other: the contact's, and those of its friction and its rolling resistance; returns whether
    /// it has any, and bodies do not bounce there.
    fn contact(&self, near: &Near, out: &mut Vec<Line>) -> bool {
        let (row, place) = (near.row(self.bodies), out.len());
        let Some(line) = self.unilateral(&row) else { return false };
        out.push(line);
        let friction = self.model.friction_between(row.row.bodies);
        if friction.is_some() {
            out.push(self.friction(&row, friction, place));
        }
        if let Some(mu) = resistance_of(self.model, near.id) {
            let row = rolling_row(&row, RowKind::Friction { normal: place, mu }, self.bodies);
            let mean = if self.memory.is_closed(row.source) { row.rate } else { 0.0 };
            let bias = row.rate + self.change(&row) + mean;
            out.push(Line { row, bias, compliance: 0.0, restitution: 0.0 });
        }
        true
    }

    fn friction(&self, contact: &Row, friction: Friction, normal: usize) -> Line {
        let Source::Contact(id) = contact.source else { unreachable!("friction of a contact") };
        let surface = self.model.surface_speed(contact.row.bodies);
        let of = |mu: f64| friction_row(contact, RowKind::Friction { normal, mu }, surface, self.bodies);
        let (row, sticks) = (of(friction.kinetic), self.memory.is_closed(Source::Friction(id)));
        let change = self.change(&row);
        // What comes to lie without sliding sticks, too.
        let rests = sticks || row.rate.abs() <= AT_REST * change.abs();
        let mean = if sticks { row.rate } else { 0.0 };
        let row = if rests { of(friction.at_rest) } else { row };
        Line { row, bias: row.rate + change + mean, compliance: 0.0, restitution: 0.0 }
    }

    /// All rows of the step; those of friction and rolling resistance follow their contacts. Places that are left to bounce are in `left`;
    /// returns whether a connector is that goes far beyond its length.
    pub(super) fn lines(
        &self,
        rows: &Rows,
        near: &[Near],
        (out, left): (&mut Vec<Line>, &mut Vec<Near>),
    ) -> bool {
        out.clear();
        out.extend(rows.acting.iter().map(|row| self.joint(row)));
        out.extend(rows.known.iter().filter_map(|known| self.spring(known)));
        out.extend(rows.open.iter().filter_map(|row| self.unilateral(row)));
        left.clear();
        left.extend(near.iter().filter(|near| !self.contact(near, out)));
        let beyond = |row: &&Row| row.source.is_connector() && self.goes_beyond(row);
        rows.open.iter().filter(beyond).any(|row| self.unilateral(row).is_none())
    }

    /// Whether a row of lengths is open so far where the step ends that putting its bodies back would take them elsewhere.
    fn goes_beyond(&self, row: &Row) -> bool {
        let ends = row.row.bodies.iter().filter_map(|body| Some(&self.bodies[body.index()?]));
        let smallest = ends.filter(|body| !body.fixed).map(reach_of).fold(f64::INFINITY, f64::min);
        row.error + 0.5 * self.step * row.rate < -THROUGH * smallest
    }
}
