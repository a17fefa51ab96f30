//! Projection: positions back onto joints and held contacts, velocities along them, in the metric of the masses.
//!
//! `min ½ Δqᵀ M Δq` with `J Δq = −error`: Newton rounds for positions, one solve for velocities. Rows that must only not
//! become negative take part where they are.

use super::direct::Direct;
use super::row::{Row, push, responses};
use engine2d_constraint::InverseMass;
use engine2d_geometry::CollisionBody;

/// Residual (relative to the largest error) that a projection accepts: rows that contradict each other leave more, and
/// then nothing is moved.
const AGREED: f64 = 1e-3;

/// Largest multiplier-made motion relative to the largest error: beyond it rows contradict each other.
const REACH: f64 = 1e4;

/// Scratch of projections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projector {
    direct: Direct,
    active: Vec<u32>,
    rhs: Vec<f64>,
    answer: Vec<f64>,
}

impl Projector {
    /// Moves the bodies by one Newton round onto the rows that `select` picks; returns whether they were moved.
    pub(crate) fn positions(
        &mut self,
        rows: &[Row],
        select: &dyn Fn(&Row) -> bool,
        masses: &[InverseMass],
        bodies: &mut [CollisionBody],
    ) -> bool {
        if !self.solve(rows, select, |r| r.error, masses) {
            return false;
        }
        for (&k, &multiplier) in self.active.iter().zip(&self.answer) {
            for (index, shift, turn) in responses(&rows[k as usize].row, multiplier, masses) {
                let body = &mut bodies[index];
                body.translate(shift);
                body.pose.set_angle(body.pose.angle() + turn);
            }
        }
        true
    }

    /// Takes the rates of the rows that `select` picks out of the velocities.
    pub(crate) fn velocities(
        &mut self,
        rows: &[Row],
        select: &dyn Fn(&Row) -> bool,
        masses: &[InverseMass],
        bodies: &mut [CollisionBody],
    ) -> bool {
        if !self.solve(rows, select, |r| r.rate, masses) {
            return false;
        }
        for (&k, &multiplier) in self.active.iter().zip(&self.answer) {
            push(&rows[k as usize].row, multiplier, masses, bodies);
        }
        true
    }

    /// How much of one of the rows that `select` picks is at least left beside the others; 1 if there are none.
    pub(crate) fn least_share(
        &mut self,
        rows: &[Row],
        select: &dyn Fn(&Row) -> bool,
        masses: &[InverseMass],
    ) -> f64 {
        self.choose(rows, select);
        self.rhs.clear();
        self.rhs.resize(self.active.len(), 0.0);
        let solved = self.direct.solve(rows, &self.active, masses, &self.rhs, &mut self.answer);
        solved.map_or(0.0, |_| self.direct.least_share())
    }

    /// Whether one of the rows that `select` picks is a combination of others.
    pub(crate) fn depend(
        &mut self,
        rows: &[Row],
        select: &dyn Fn(&Row) -> bool,
        masses: &[InverseMass],
    ) -> bool {
        self.choose(rows, select);
        self.direct.factor(rows, &self.active, masses) && self.direct.dependent().next().is_some()
    }

    /// Takes up the rows that `select` picks.
    fn choose(&mut self, rows: &[Row], select: &dyn Fn(&Row) -> bool) {
        self.active.clear();
        self.active.extend((0..rows.len() as u32).filter(|&k| select(&rows[k as usize])));
    }

    fn solve(
        &mut self,
        rows: &[Row],
        select: &dyn Fn(&Row) -> bool,
        error: fn(&Row) -> f64,
        masses: &[InverseMass],
    ) -> bool {
        self.choose(rows, select);
        self.rhs.clear();
        self.rhs.extend(self.active.iter().map(|&k| -error(&rows[k as usize])));
        let largest = self.rhs.iter().fold(0.0, |most: f64, e| most.max(e.abs()));
        if largest == 0.0 {
            return false;
        }
        let solved = self.direct.solve(rows, &self.active, masses, &self.rhs, &mut self.answer);
        let motion = self.active.iter().zip(&self.answer).flat_map(|(&k, &multiplier)| {
            responses(&rows[k as usize].row, multiplier, masses)
                .map(|(_, shift, turn)| shift.norm().max(turn.abs()))
        });
        let farthest = motion.fold(0.0, f64::max);
        solved.is_some_and(|residual| residual <= AGREED * largest) && farthest <= REACH * largest
    }
}
