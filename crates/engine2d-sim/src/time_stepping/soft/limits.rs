//! Ropes and limits that throw back: at the moment within a substep when they are met, with the joints that hold beside them.

use super::bounce::{ROUNDS, Span, time_to_meet};
use super::joints::{Joints, Single, rate_of};
use super::meeting::strike;
use super::motion::Motion;
use super::take::BOUNCES;
use crate::model::Model;
use crate::road::{Direct, restitution_of};
use engine2d_constraint::{InverseMass, RowKind};

/// A limit that is met.
#[derive(Clone, Copy)]
struct Met {
    /// Its number among the rows that are solved by themselves.
    number: usize,
    time: f64,
    /// What its rate lacks of that with which it throws back.
    lack: f64,
}

impl Joints {
    /// Strikes the limits that are met and throw back within a substep, each when it is met, the earliest first; `kept` are velocities
    /// that impulses of this substep are told from. Returns whether any did.
    pub(super) fn bounce(
        &mut self,
        direct: &mut Direct,
        (model, masses): (&Model, &[InverseMass]),
        (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
        span: Span<'_>,
    ) -> bool {
        for single in &mut self.singles {
            let bounces = single.row.kind == RowKind::Unilateral && restitution_of(model, &single.row) > 0.0;
            single.spared = if bounces { -threshold(model, single, span) } else { f64::NEG_INFINITY };
        }
        let mut any = false;
        for _ in 0..ROUNDS {
            let met = (0..self.singles.len()).filter_map(|number| self.meet(number, model, motions, span));
            let Some(met) = met.reduce(|a, b| if b.time < a.time { b } else { a }) else { break };
            if !self.strike(met, direct, masses, (&mut *motions, &mut *kept)) {
                break;
            }
            any = true;
        }
        any
    }

    fn meet(&self, number: usize, model: &Model, motions: &[Motion], span: Span<'_>) -> Option<Met> {
        let single = &self.singles[number];
        let rate = rate_of(&single.row, motions) - single.speed;
        if rate >= single.spared {
            return None;
        }
        let push = rate_by(single, span.changes) / span.step;
        // Where the bodies were placed within this substep by what struck before the gap is another, but not whether it closes.
        let time = time_to_meet(single.row.error, rate, push, span.part)?;
        let lack = (1.0 + restitution_of(model, &single.row)) * (rate + push * time);
        Some(Met { number, time, lack })
    }

    /// Strikes a limit: all joints that hold keep their rates. Returns whether that is possible.
    fn strike(
        &mut self,
        met: Met,
        direct: &mut Direct,
        masses: &[InverseMass],
        (motions, kept): (&mut [Motion], &mut [[f64; 3]]),
    ) -> bool {
        let Self { singles, rows, speeds, active, factored, rhs, multipliers, sums, .. } = self;
        let single = &mut singles[met.number];
        active.clear();
        active.extend(0..speeds.len() as u32);
        active.push(single.place);
        factored.clear();
        if !direct.factor(rows, active, masses) {
            return false;
        }
        factored.clone_from(active);
        rhs.clear();
        rhs.resize(speeds.len(), 0.0);
        rhs.push(-met.lack);
        direct.answer(rhs, multipliers);
        let impulse = multipliers[speeds.len()];
        // A limit that joints keep from being met has none.
        if !(impulse > 0.0) {
            return false;
        }
        single.struck += impulse;
        sums.iter_mut().zip(multipliers.iter()).for_each(|(sum, impulse)| *sum += impulse);
        direct.apply(multipliers, active.len(), |k, change| {
            strike((&mut *motions, &mut *kept), k, change, met.time);
        });
        true
    }
}

/// Approach above which a limit throws back: what forces do in a step is none.
fn threshold(model: &Model, single: &Single, span: Span<'_>) -> f64 {
    (BOUNCES * rate_by(single, span.changes).abs()).max(model.settings.rest_speed)
}

/// The rate that changes of the velocities make.
fn rate_by(single: &Single, changes: &[[f64; 3]]) -> f64 {
    let ends = single.row.row.bodies.iter().zip(&single.row.row.jacobian);
    let of = |c: &[f64; 3], j: &[f64; 3]| c[0] * j[0] + c[1] * j[1] + c[2] * j[2];
    ends.filter_map(|(body, j)| Some(of(&changes[body.index()?], j))).sum()
}
