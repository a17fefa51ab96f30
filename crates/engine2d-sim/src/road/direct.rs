//! Rows that all hold, solved at the cost of their graph: `(J M⁻¹ Jᵀ) λ = r` by elimination inside an envelope.
//!
//! Bodies are numbered from the outside of their graph inwards (reverse Cuthill–McKee, \[Cuthill, McKee 1969\]), rows after
//! them. A chain of `n` links so has an envelope of constant width and costs `O(n)`. Rows that are combinations of others
//! get no multiplier; whether they agree shows in the residual, which the caller judges.

mod graph;
mod lean;
#[cfg(test)]
mod tests;

use super::row::Row;
use engine2d_constraint::{ConstraintRow, InverseMass, coupling};
use engine2d_math::envelope::{Envelope, Rank};
use graph::{Coupling, Graph};
use lean::{Lean, NONE, dot};

/// A pivot above this share of its diagonal entry stands clear of rounding.
const CLEAR: f64 = 1e-11;

/// A pivot up to this share of its diagonal entry is a combination of the rows before; what lies between is too.
/// Shares between the two are treated as clear as well: their residual is refined and judged.
const ZERO: f64 = 1e-11;

/// Most rounds of refinement: each removes what rounding left of the residual of the one before.
const REFINEMENTS: usize = 2;

/// Residual, relative to the largest right-hand side, that needs no refinement.
const REFINED: f64 = 1e-14;

/// Scratch of direct solves; the order is kept as long as the rows connect the same bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Direct {
    graph: Graph,
    /// The bodies of each row, before the graph takes them.
    pattern: Vec<[u32; 2]>,
    envelope: Envelope,
    x: Vec<f64>,
    residual: Vec<f64>,
    motion: Vec<[f64; 3]>,
    /// The rows in the order of elimination.
    lean: Vec<Lean>,
}

impl Direct {
    /// Solves `A λ = rhs` over the rows `active`; `multipliers` holds an answer for each of them, and 0 for rows that
    /// depend on others. Returns the largest residual; `None` if a pivot is negative beyond rounding.
    pub(crate) fn solve(
        &mut self,
        rows: &[Row],
        active: &[u32],
        masses: &[InverseMass],
        rhs: &[f64],
        multipliers: &mut Vec<f64>,
    ) -> Option<f64> {
        self.arrange(rows, active, masses);
        self.assemble(rows, active, masses);
        in_order(&self.graph.order, rhs, &mut self.x);
        if self.envelope.eliminate(&mut self.x, CLEAR, ZERO) == Rank::Doubtful {
            return None;
        }
        Some(self.refine((rows, active), masses, rhs, multipliers))
    }

    /// From the first answer in `x` to one that rounding allows; returns the largest residual.
    fn refine(
        &mut self,
        (rows, active): (&[Row], &[u32]),
        masses: &[InverseMass],
        rhs: &[f64],
        multipliers: &mut Vec<f64>,
    ) -> f64 {
        let row = |k: usize| &rows[active[k] as usize].row;
        multipliers.clear();
        multipliers.resize(active.len(), 0.0);
        for (&k, &x) in self.graph.order.iter().zip(&self.x) {
            multipliers[k as usize] = x;
        }
        let scale = rhs.iter().fold(0.0, |most: f64, r| most.max(r.abs()));
        let mut round = 0;
        loop {
            self.motion.resize(masses.len(), [0.0; 3]);
            still(active.iter().map(|&k| &rows[k as usize]), &mut self.motion);
            for (k, &multiplier) in multipliers.iter().enumerate() {
                add_motion(row(k), multiplier, masses, &mut self.motion);
            }
            self.residual.clear();
            self.residual.extend((0..active.len()).map(|k| rhs[k] - along(row(k), &self.motion)));
            let worst = self.residual.iter().fold(0.0, |most: f64, r| most.max(r.abs()));
            if round == REFINEMENTS || worst <= REFINED * scale {
                return worst;
            }
            round += 1;
            in_order(&self.graph.order, &self.residual, &mut self.x);
            self.envelope.solve(&mut self.x);
            for (&k, &x) in self.graph.order.iter().zip(&self.x) {
                multipliers[k as usize] += x;
            }
        }
    }

    /// The order of elimination, found anew only when the rows connect other bodies than before.
    fn arrange(&mut self, rows: &[Row], active: &[u32], masses: &[InverseMass]) {
        let movable = |b: engine2d_geometry::BodyRef| {
            b.index().filter(|&i| masses[i].is_movable()).map_or(NONE, |i| i as u32)
        };
        self.pattern.clear();
        self.pattern.extend(active.iter().map(|&k| rows[k as usize].row.bodies.map(movable)));
        self.graph.arrange(&mut self.pattern);
    }

    /// Writes the upper triangle of `J M⁻¹ Jᵀ` into the envelope.
    fn assemble(&mut self, rows: &[Row], active: &[u32], masses: &[InverseMass]) {
        self.envelope.shape(&self.graph.reach);
        for &Coupling { row, beyond, .. } in &self.graph.couplings {
            let of = |at: u32| &rows[active[self.graph.order[at as usize] as usize] as usize].row;
            self.envelope.row_mut(row as usize)[beyond as usize] =
                coupling(of(row), of(row + beyond), masses);
        }
    }
}

/// Without refinement, for those who solve again and again and look at what is left themselves.
impl Direct {
    /// Takes up the rows `active`, and eliminates; whether no pivot is negative beyond rounding.
    pub(crate) fn factor(&mut self, rows: &[Row], active: &[u32], masses: &[InverseMass]) -> bool {
        self.arrange(rows, active, masses);
        let Self { lean, graph, .. } = self;
        lean.clear();
        lean.extend(graph.order.iter().map(|&k| Lean::new(&rows[active[k as usize] as usize], masses)));
        self.envelope.shape(&self.graph.reach);
        for &Coupling { row, beyond, sides: [own, other] } in &self.graph.couplings {
            let (first, second) = (&self.lean[row as usize], &self.lean[(row + beyond) as usize]);
            let coupled = dot(&first.jacobian[own as usize], &second.response[other as usize]);
            self.envelope.row_mut(row as usize)[beyond as usize] += coupled;
        }
        self.envelope.factor(CLEAR, ZERO) != Rank::Doubtful
    }

    /// How much of a row taken up is at least left beside the others, in the metric of the masses: nothing of those that depend on others,
    /// which do not count, and little where the rows are nearly in a singular position.
    pub(crate) fn least_share(&self) -> f64 {
        self.envelope.least_share()
    }

    /// The places, among the rows taken up, of those that are combinations of others.
    pub(crate) fn dependent(&self) -> impl Iterator<Item = usize> + '_ {
        let at = (0..self.graph.order.len()).filter(|&at| self.envelope.is_dependent(at));
        at.map(|at| self.graph.order[at] as usize)
    }

    /// The rate `J v` of each of the rows taken up, by the velocities of the bodies.
    pub(crate) fn rates(&self, velocity: impl Fn(usize) -> [f64; 3], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.graph.order.len(), 0.0);
        for (&k, lean) in self.graph.order.iter().zip(&self.lean) {
            out[k as usize] = lean.rate(&velocity);
        }
    }

    /// The multipliers of the rows taken up that change their rates by `rhs`; 0 for rows that depend on others.
    pub(crate) fn answer(&mut self, rhs: &[f64], multipliers: &mut Vec<f64>) {
        in_order(&self.graph.order, rhs, &mut self.x);
        self.solve_in_order(multipliers);
    }

    /// The multipliers that give the rows taken up the rates wanted, where velocities are other ones.
    pub(crate) fn drive(
        &mut self,
        wanted: impl Fn(usize) -> f64,
        velocity: impl Fn(usize) -> [f64; 3],
        multipliers: &mut Vec<f64>,
    ) {
        self.x.clear();
        let rows = self.graph.order.iter().zip(&self.lean);
        self.x.extend(rows.map(|(&k, lean)| wanted(k as usize) - lean.rate(&velocity)));
        self.solve_in_order(multipliers);
    }

    fn solve_in_order(&mut self, multipliers: &mut Vec<f64>) {
        self.envelope.solve(&mut self.x);
        multipliers.clear();
        multipliers.resize(self.graph.order.len(), 0.0);
        for (&k, &x) in self.graph.order.iter().zip(&self.x) {
            multipliers[k as usize] = x;
        }
    }

    /// Shows what the multipliers of the first `count` rows change of their bodies' velocities.
    pub(crate) fn apply(&self, multipliers: &[f64], count: usize, mut add: impl FnMut(usize, [f64; 3])) {
        for (&k, Lean { bodies, response, .. }) in self.graph.order.iter().zip(&self.lean) {
            let multiplier = multipliers[k as usize];
            if (k as usize) < count && multiplier != 0.0 {
                for (&body, r) in bodies.iter().zip(response).filter(|(body, _)| **body != NONE) {
                    add(body as usize, r.map(|r| multiplier * r));
                }
            }
        }
    }
}

/// Values of the rows in the order of elimination.
fn in_order(order: &[u32], values: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(order.iter().map(|&k| values[k as usize]));
}

/// Sets the motion of all bodies of some rows to zero.
pub(crate) fn still<'a>(rows: impl Iterator<Item = &'a Row>, motion: &mut [[f64; 3]]) {
    for body in rows.flat_map(|row| row.row.bodies).filter_map(engine2d_geometry::BodyRef::index) {
        motion[body] = [0.0; 3];
    }
}

/// Adds `M⁻¹ Jᵀ λ`.
pub(crate) fn add_motion(
    row: &ConstraintRow,
    multiplier: f64,
    masses: &[InverseMass],
    motion: &mut [[f64; 3]],
) {
    for (index, linear, angular) in super::row::responses(row, multiplier, masses) {
        let m = &mut motion[index];
        *m = [m[0] + linear.x, m[1] + linear.y, m[2] + angular];
    }
}

/// `J v` for velocities `[v_x, v_y, ω]` of all bodies.
pub(crate) fn along(row: &ConstraintRow, motion: &[[f64; 3]]) -> f64 {
    let ends = row.bodies.iter().zip(&row.jacobian);
    ends.filter_map(|(body, j)| {
        let m = motion[body.index()?];
        Some(j[0] * m[0] + j[1] * m[1] + j[2] * m[2])
    })
    .sum()
}
