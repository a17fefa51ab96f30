//! Rows that all hold, solved at the cost of their graph: `(J M⁻¹ Jᵀ) λ = r` by elimination inside an envelope.
//!
//! Bodies are numbered from the outside of their graph inwards (reverse Cuthill–McKee, \[Cuthill, McKee 1969\]), rows after
//! them. A chain of `n` links so has an envelope of constant width and costs `O(n)`. Rows that are combinations of others
//! get no multiplier; whether they agree shows in the residual, which the caller judges.

mod lean;
#[cfg(test)]
mod tests;

use super::row::Row;
use engine2d_constraint::{ConstraintRow, InverseMass, coupling};
use engine2d_math::envelope::{Envelope, Rank};
use engine2d_math::order::Order;
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
    /// The bodies of each row that `order` is for.
    pattern: Vec<[u32; 2]>,
    pattern_now: Vec<[u32; 2]>,
    /// The bodies that take part, in order, and the places of each row's among them.
    bodies: Vec<u32>,
    ends: Vec<[u32; 2]>,
    /// Rows in the order of elimination.
    order: Vec<u32>,
    /// Place of each row in `order`.
    place: Vec<u32>,
    /// Row of the envelope up to which each row is coupled, exclusive.
    reach: Vec<usize>,
    /// Rows of each body in the order of elimination, one list behind the other.
    body_rows: Vec<u32>,
    body_start: Vec<u32>,
    rank: Vec<u32>,
    queue: Vec<u32>,
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
        in_order(&self.order, rhs, &mut self.x);
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
        for (&k, &x) in self.order.iter().zip(&self.x) {
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
            in_order(&self.order, &self.residual, &mut self.x);
            self.envelope.solve(&mut self.x);
            for (&k, &x) in self.order.iter().zip(&self.x) {
                multipliers[k as usize] += x;
            }
        }
    }

    /// The order of elimination, found anew only when the rows connect other bodies than before.
    fn arrange(&mut self, rows: &[Row], active: &[u32], masses: &[InverseMass]) {
        self.pattern_now.clear();
        let movable = |b: engine2d_geometry::BodyRef| {
            b.index().filter(|&i| masses[i].is_movable()).map_or(NONE, |i| i as u32)
        };
        self.pattern_now.extend(active.iter().map(|&k| rows[k as usize].row.bodies.map(movable)));
        if self.pattern_now == self.pattern && !self.body_start.is_empty() {
            return;
        }
        std::mem::swap(&mut self.pattern, &mut self.pattern_now);
        let count = self.number_bodies();
        self.list_rows_of_bodies(count, None);
        self.rank_bodies(count);
        let Self { ends, rank, order, place, .. } = self;
        let key = |k: u32| {
            let [a, b] = ends[k as usize].map(|b| if b == NONE { NONE } else { rank[b as usize] });
            // By the later body first: what it closes follows what the earlier ones have among themselves.
            let last = if a == NONE {
                b
            } else if b == NONE {
                a
            } else {
                a.max(b)
            };
            (last, a.min(b), k)
        };
        order.clear();
        order.extend(0..ends.len() as u32);
        order.order_distinct_by_key(|&k| key(k));
        place.clear();
        place.resize(order.len(), 0);
        for (at, &k) in order.iter().enumerate() {
            place[k as usize] = at as u32;
        }
        self.list_rows_of_bodies(count, Some(()));
        self.reach.clear();
        for (at, &k) in self.order.iter().enumerate() {
            let mut reach = at + 1;
            for body in self.ends[k as usize].into_iter().filter(|&b| b != NONE) {
                let range =
                    self.body_start[body as usize] as usize..self.body_start[body as usize + 1] as usize;
                if let Some(&last) = self.body_rows[range].last() {
                    reach = reach.max(self.place[last as usize] as usize + 1);
                }
            }
            self.reach.push(reach);
        }
    }

    /// Numbers the bodies that take part; returns how many there are.
    fn number_bodies(&mut self) -> usize {
        let Self { pattern, bodies, ends, .. } = self;
        bodies.clear();
        bodies.extend(pattern.iter().flatten().copied().filter(|&b| b != NONE));
        bodies.order();
        bodies.dedup();
        let number =
            |b: u32| if b == NONE { NONE } else { bodies.partition_point(|&other| other < b) as u32 };
        ends.clear();
        ends.extend(pattern.iter().map(|pair| pair.map(number)));
        bodies.len()
    }

    /// Lists the rows of each body: as they come, or in the order of elimination once there is one.
    fn list_rows_of_bodies(&mut self, bodies: usize, ordered: Option<()>) {
        let Self { ends, order, body_rows, body_start, .. } = self;
        body_start.clear();
        body_start.resize(bodies + 1, 0);
        for body in ends.iter().flat_map(|pair| distinct(*pair)) {
            body_start[body as usize + 1] += 1;
        }
        for b in 0..bodies {
            body_start[b + 1] += body_start[b];
        }
        body_rows.clear();
        body_rows.resize(body_start[bodies] as usize, 0);
        let mut put = |k: u32| {
            for body in distinct(ends[k as usize]) {
                body_rows[body_start[body as usize] as usize] = k;
                body_start[body as usize] += 1;
            }
        };
        match ordered {
            None => (0..ends.len() as u32).for_each(&mut put),
            Some(()) => order.iter().for_each(|&k| put(k)),
        }
        // Each start has moved on to the next body's.
        body_start.rotate_right(1);
        body_start[0] = 0;
    }

    /// Ranks of the bodies: breadth first from a body at the outside of each component, reversed.
    fn rank_bodies(&mut self, bodies: usize) {
        let mut rank = std::mem::take(&mut self.rank);
        rank.clear();
        rank.resize(bodies, NONE);
        self.queue.clear();
        for body in 0..bodies as u32 {
            let (start, end) = (self.body_start[body as usize], self.body_start[body as usize + 1]);
            if rank[body as usize] != NONE || start == end {
                continue;
            }
            // The last body of a first pass is at the outside.
            let first = self.queue.len();
            self.spread(body, &mut rank, first);
            let outermost = self.queue[self.queue.len() - 1];
            for &seen in &self.queue[first..] {
                rank[seen as usize] = NONE;
            }
            self.queue.truncate(first);
            self.spread(outermost, &mut rank, first);
        }
        let count = self.queue.len() as u32;
        for (at, &body) in self.queue.iter().enumerate() {
            rank[body as usize] = count - 1 - at as u32;
        }
        self.rank = rank;
    }

    /// Appends a component to the queue, breadth first.
    fn spread(&mut self, from: u32, rank: &mut [u32], first: usize) {
        self.queue.push(from);
        rank[from as usize] = 0;
        let mut next = first;
        while next < self.queue.len() {
            let body = self.queue[next] as usize;
            next += 1;
            for at in self.body_start[body]..self.body_start[body + 1] {
                let row = self.body_rows[at as usize];
                for other in self.ends[row as usize].into_iter().filter(|&b| b != NONE) {
                    if rank[other as usize] == NONE {
                        rank[other as usize] = 0;
                        self.queue.push(other);
                    }
                }
            }
        }
    }

    /// Writes the upper triangle of `J M⁻¹ Jᵀ` into the envelope.
    fn assemble(&mut self, rows: &[Row], active: &[u32], masses: &[InverseMass]) {
        self.envelope.shape(&self.reach);
        for (at, &k) in self.order.iter().enumerate() {
            let row = &rows[active[k as usize] as usize].row;
            let line = self.envelope.row_mut(at);
            for body in distinct(self.ends[k as usize]) {
                let range =
                    self.body_start[body as usize] as usize..self.body_start[body as usize + 1] as usize;
                for &other in &self.body_rows[range] {
                    let column = self.place[other as usize] as usize;
                    if column >= at {
                        let other = &rows[active[other as usize] as usize].row;
                        line[column - at] = coupling(row, other, masses);
                    }
                }
            }
        }
    }
}

/// Without refinement, for those who solve again and again and look at what is left themselves.
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
        self.envelope.factor(CLEAR, ZERO) != Rank::Doubtful
    }

    /// How much of a row taken up is at least left beside the others, in the metric of the masses: nothing of those that depend on others,
    /// which do not count, and little where the rows are nearly in a singular position.
    pub(crate) fn least_share(&self) -> f64 {
        self.envelope.least_share()
    }

    /// The places, among the rows taken up, of those that are combinations of others.
    pub(crate) fn dependent(&self) -> impl Iterator<Item = usize> + '_ {
        let at = (0..self.order.len()).filter(|&at| self.envelope.is_dependent(at));
        at.map(|at| self.order[at] as usize)
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
        in_order(&self.order, rhs, &mut self.x);
        self.envelope.solve(&mut self.x);
        multipliers.clear();
        multipliers.resize(self.order.len(), 0.0);
        for (&k, &x) in self.order.iter().zip(&self.x) {
            multipliers[k as usize] = x;
        }
    }

    /// Shows what the multipliers of the first `count` rows change of their bodies' velocities.
    pub(crate) fn apply(&self, multipliers: &[f64], count: usize, mut add: impl FnMut(usize, [f64; 3])) {
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

/// Values of the rows in the order of elimination.
fn in_order(order: &[u32], values: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(order.iter().map(|&k| values[k as usize]));
}

fn distinct([a, b]: [u32; 2]) -> impl Iterator<Item = u32> {
    [a, if a == b { NONE } else { b }].into_iter().filter(|&body| body != NONE)
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
