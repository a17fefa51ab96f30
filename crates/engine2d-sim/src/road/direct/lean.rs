//! Rows that all hold, for those who solve again and again and look at what is left themselves: the same elimination without
//! refinement, with the rows laid out in its order.

use super::{CLEAR, Direct, NONE, ZERO, distinct};
use crate::road::row::Row;
use engine2d_constraint::InverseMass;
use engine2d_math::envelope::Rank;

/// A row with what its multiplier does to its bodies; [`NONE`] on sides without a movable one. A body that is on both sides is on the
/// first with the sum of both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lean {
    bodies: [u32; 2],
    jacobian: [[f64; 3]; 2],
    /// `M⁻¹ Jᵀ`.
    response: [[f64; 3]; 2],
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Lean {
    fn new(row: &Row, masses: &[InverseMass]) -> Self {
        let mut lean = Self { bodies: [NONE; 2], jacobian: [[0.0; 3]; 2], response: [[0.0; 3]; 2] };
        for (k, (body, j)) in row.row.bodies.iter().zip(&row.row.jacobian).enumerate() {
            let Some(index) = body.index().filter(|&i| masses[i].is_movable()) else { continue };
            let k = if lean.bodies[0] == index as u32 { 0 } else { k };
            let (own, m) = (&mut lean.jacobian[k], masses[index]);
            *own = [own[0] + j[0], own[1] + j[1], own[2] + j[2]];
            lean.response[k] = [own[0] * m.linear, own[1] * m.linear, own[2] * m.angular];
            lean.bodies[k] = index as u32;
        }
        lean
    }

    /// The side of a body that the row has.
    fn side(&self, body: u32) -> usize {
        usize::from(self.bodies[0] != body)
    }
}

impl Direct {
    /// Takes up the rows `active`, and eliminates; whether no pivot is negative beyond rounding.
    pub(crate) fn factor(&mut self, rows: &[Row], active: &[u32], masses: &[InverseMass]) -> bool {
        self.arrange(rows, active, masses);
        let Self { lean, order, .. } = self;
        lean.clear();
        lean.extend(order.iter().map(|&k| Lean::new(&rows[active[k as usize] as usize], masses)));
        self.envelope.shape(&self.reach);
        for (at, &k) in self.order.iter().enumerate() {
            let line = self.envelope.row_mut(at);
            let row = &self.lean[at];
            for local in distinct(self.ends[k as usize]) {
                let body = self.bodies[local as usize];
                let own = row.jacobian[row.side(body)];
                let range = self.body_start[local as usize]..self.body_start[local as usize + 1];
                // In the order of elimination: those before this row have taken it up already.
                for &other in self.body_rows[range.start as usize..range.end as usize].iter().rev() {
                    let column = self.place[other as usize] as usize;
                    if column < at {
                        break;
                    }
                    let other = &self.lean[column];
                    line[column - at] += dot(&own, &other.response[other.side(body)]);
                }
            }
        }
        self.x.clear();
        self.x.resize(self.order.len(), 0.0);
        self.envelope.eliminate(&mut self.x, CLEAR, ZERO) != Rank::Doubtful
    }

    /// The rate `J v` of each of the rows taken up, by the velocities of the bodies.
    pub(crate) fn rates(&self, velocity: impl Fn(usize) -> [f64; 3], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.order.len(), 0.0);
        for (&k, Lean { bodies, jacobian, .. }) in self.order.iter().zip(&self.lean) {
            let sides = bodies.iter().zip(jacobian).filter(|(body, _)| **body != NONE);
            out[k as usize] = sides.map(|(&body, j)| dot(j, &velocity(body as usize))).sum();
        }
    }

    /// The multipliers of the rows taken up that change their rates by `rhs`; 0 for rows that depend on others.
    pub(crate) fn answer(&mut self, rhs: &[f64], multipliers: &mut Vec<f64>) {
        super::in_order(&self.order, rhs, &mut self.x);
        self.envelope.solve(&mut self.x);
        multipliers.clear();
        multipliers.resize(self.order.len(), 0.0);
        for (&k, &x) in self.order.iter().zip(&self.x) {
            multipliers[k as usize] = x;
        }
    }

    /// Shows what the multipliers of the first `count` rows change of their bodies' velocities.
    pub(crate) fn give(&self, multipliers: &[f64], count: usize, mut add: impl FnMut(usize, [f64; 3])) {
        for (&k, Lean { bodies, response, .. }) in self.order.iter().zip(&self.lean) {
            let multiplier = multipliers[k as usize];
            if (k as usize) < count && multiplier != 0.0 {
                for (&body, r) in bodies.iter().zip(response).filter(|(body, _)| **body != NONE) {
                    add(body as usize, r.map(|r| multiplier * r));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::road::row::Source;
    use engine2d_constraint::{ConstraintRow, RowKind};
    use engine2d_geometry::BodyRef::{Body, Ground};
    use engine2d_math::Vec2;

    fn number(k: u32) -> f64 {
        f64::from(k.wrapping_mul(2_654_435_761) >> 12) / f64::from(1_u32 << 20) - 0.5
    }

    /// Chains, a loop, the ground, a body that does not move, a row between a body and itself.
    #[test]
    fn what_is_given_changes_the_rates_as_demanded() {
        let ends = [[0, 1], [1, 2], [2, 3], [3, 9], [0, 9], [3, 4], [5, 6], [7, 7], [2, 6], [6, 9], [0, 1]];
        let mut masses: Vec<_> = (0..8).map(|k| InverseMass::new(1.0 + f64::from(k), 0.3)).collect();
        masses[5] = InverseMass::default();
        let row = |(k, ends): (u32, [u32; 2])| {
            let entry = |n: u32| number(31 * k + n);
            let jacobian = [[entry(1), entry(2), entry(3)], [entry(4), entry(5), entry(6)]];
            let bodies = ends.map(|body| if body == 9 { Ground } else { Body(body) });
            let source = Source::Equation { constraint: k, equation: 0 };
            let row = ConstraintRow { bodies, jacobian };
            let (kind, point) = (RowKind::Bilateral, Vec2::zeros());
            Row { source, row, kind, error: 0.0, rate: 0.0, bias: 0.0, holonomic: true, point }
        };
        let rows: Vec<_> = (0..).zip(ends).map(row).collect();
        let active: Vec<u32> = (0..rows.len() as u32).filter(|k| *k != 4).collect();
        let mut direct = Direct::default();
        let mut velocities: Vec<[f64; 3]> = (0..8).map(|k| [number(k), number(k + 50), 1.0]).collect();
        velocities[5] = [0.0; 3];
        assert!(direct.factor(&rows, &active, &masses));
        let (mut before, mut after, mut multipliers) = (Vec::new(), Vec::new(), Vec::new());
        direct.rates(|k| velocities[k], &mut before);
        for (rate, &k) in before.iter().zip(&active) {
            let expected = super::super::along(&rows[k as usize].row, &velocities);
            assert!((rate - expected).abs() < 1e-14, "{k}: {rate} instead of {expected}");
        }
        let rhs: Vec<f64> = (0..active.len() as u32).map(|k| number(k + 900)).collect();
        direct.answer(&rhs, &mut multipliers);
        direct.give(&multipliers, active.len(), |k, change| {
            (0..3).for_each(|i| velocities[k][i] += change[i]);
        });
        direct.rates(|k| velocities[k], &mut after);
        for k in 0..active.len() {
            let (changed, wanted) = (after[k] - before[k], rhs[k]);
            assert!((changed - wanted).abs() < 1e-10, "{k}: {changed} instead of {wanted}");
        }
        assert_eq!(velocities[5], [0.0; 3]);
    }
}
