//! Multipliers of rows: the mixed complementarity problem `w = J M⁻¹ Jᵀ λ + b` island by island.
//!
//! The set of pressing rows that held last is tried first, as equations at the cost of a direct solve; its answer is taken
//! if it satisfies every condition. Rows that pull are let go, rows that would sink are taken in, and it is tried again.
//! What does not settle so goes to the complementarity solver, which settles everything.

use super::by_bodies::{Asked, problem_by_bodies};
use super::direct::{Direct, add_motion, along, still};
use super::row::{Row, responses};
use crate::error::SimError;
use crate::lcp::{LcpDriver, Rows as Problem};
use crate::spans;
use engine2d_constraint::{ConstraintRow, Delassus, InverseMass, RowKind, coupling, delassus};
use engine2d_geometry::BodyRef;
use engine2d_lcp::Row as Kind;
use engine2d_math::order::Order;

/// Rounds of exchange before the complementarity solver is asked.
const EXCHANGES: usize = 6;

/// Multiplier that counts as none, relative to the largest of the island.
const NO_FORCE: f64 = 1e-11;

/// Violation of a demand (`w` of a row that must vanish or must not be negative) that is accepted, relative to the
/// largest right-hand side of the island: the certificate that every answer meets.
const ACCEPTED: f64 = 1e-11;

/// What rounding leaves of a row's rate, relative to the largest push `A_ii λ_i` in it: some units in the last place.
const ROUNDED: f64 = 64.0 * f64::EPSILON;

/// Rows of an island with friction from which it is solved by its bodies instead of by its matrix.
const SPARSE: usize = 32;

/// Right-hand sides below this are rounding (acceleration or velocity).
const NOISE: f64 = 1e-14;

/// Scratch and statistics.
#[derive(Clone, Debug, Default)]
pub(crate) struct Multipliers {
    direct: Direct,
    /// Rows of each island, one behind the other.
    members: Vec<u32>,
    starts: Vec<u32>,
    parents: Vec<u32>,
    /// Place of each row among the members.
    places: Vec<u32>,
    /// Island of each row, by one of its bodies.
    homes: Vec<u32>,
    active: Vec<u32>,
    is_active: Vec<bool>,
    rhs: Vec<f64>,
    answer: Vec<f64>,
    motion: Vec<[f64; 3]>,
    rates: Vec<f64>,
    /// For the complementarity solver.
    rows: Vec<ConstraintRow>,
    matrix: Delassus,
    bias: Vec<f64>,
    kinds: Vec<Kind>,
    bodies: Vec<[BodyRef; 2]>,
    /// Size of the largest island.
    pub(crate) largest: usize,
}

/// What is sought.
pub(crate) struct Task<'a> {
    /// "contact forces" or "impulses".
    pub(crate) what: &'static str,
    pub(crate) time: f64,
    pub(crate) rows: &'a [Row],
    pub(crate) masses: &'a [InverseMass],
    /// `b`: what each row's rate is without multipliers.
    pub(crate) bias: &'a [f64],
}

/// Limits of a row's multiplier.
fn limits(row: &Row) -> (f64, f64) {
    match row.kind {
        RowKind::Unilateral => (0.0, f64::INFINITY),
        RowKind::Boxed { lo, hi } => (lo, hi),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

impl Multipliers {
    /// Solves for the multipliers of all rows. `pressing` says where to begin, and afterwards which rows press: a
    /// unilateral row whose multiplier acts, a motor that holds its speed.
    pub(crate) fn solve(
        &mut self,
        task: &Task<'_>,
        lcp: &mut LcpDriver,
        pressing: &mut [bool],
        multipliers: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        multipliers.clear();
        multipliers.resize(task.rows.len(), 0.0);
        self.split(task);
        self.largest = 0;
        // All islands at once cost no more than one after another; only what does not settle so is looked at alone.
        let islands = self.starts.len() - 1;
        if islands > 1 && self.by_exchange(task, 0..task.rows.len(), lcp, pressing, multipliers) {
            spans::island(task.what, task.time, task.rows.len()).record("status", "all as before");
            let sizes = self.starts.windows(2).map(|ends| (ends[1] - ends[0]) as usize);
            self.largest = sizes.fold(0, usize::max);
            return Ok(());
        }
        for island in 0..islands {
            let range = self.starts[island] as usize..self.starts[island + 1] as usize;
            self.largest = self.largest.max(range.len());
            let span = spans::island(task.what, task.time, range.len());
            let _inside = span.enter();
            if self.by_exchange(task, range.clone(), lcp, pressing, multipliers) {
                span.record("status", "as before");
            } else {
                let result = self.by_complementarity(task, range, lcp, pressing, multipliers);
                spans::ended(&span, &result);
                result?;
            }
        }
        Ok(())
    }

    /// Sorts the rows into islands: those that share movable bodies.
    fn split(&mut self, task: &Task<'_>) {
        let Self { members, places, starts, parents, homes, .. } = self;
        parents.resize(task.masses.len(), 0);
        for body in task.rows.iter().flat_map(|row| row.row.bodies).filter_map(BodyRef::index) {
            parents[body] = body as u32;
        }
        let ends = |row: &Row| {
            let movable = |b: BodyRef| b.index().filter(|&i| task.masses[i].is_movable());
            row.row.bodies.map(movable)
        };
        for row in task.rows {
            if let [Some(a), Some(b)] = ends(row) {
                let (a, b) = (root(parents, a as u32), root(parents, b as u32));
                parents[a.max(b) as usize] = a.min(b);
            }
        }
        homes.clear();
        homes.extend(task.rows.iter().map(|row| {
            let [a, b] = ends(row);
            a.or(b).map_or(u32::MAX, |body| root(parents, body as u32))
        }));
        members.clear();
        members.extend(0..task.rows.len() as u32);
        members.order_distinct_by_key(|&k| (homes[k as usize], k));
        places.clear();
        places.resize(members.len(), 0);
        members.iter().enumerate().for_each(|(at, &k)| places[k as usize] = at as u32);
        starts.clear();
        starts.push(0);
        for at in 1..members.len() {
            if homes[members[at] as usize] != homes[members[at - 1] as usize] {
                starts.push(at as u32);
            }
        }
        if !members.is_empty() {
            starts.push(members.len() as u32);
        }
    }

    /// Tries sets of pressing rows by direct solves; returns whether one satisfied everything.
    fn by_exchange(
        &mut self,
        task: &Task<'_>,
        range: std::ops::Range<usize>,
        lcp: &mut LcpDriver,
        pressing: &mut [bool],
        multipliers: &mut [f64],
    ) -> bool {
        let (first, members) = (range.start, &self.members[range]);
        if members.iter().any(|&k| matches!(task.rows[k as usize].kind, RowKind::Sliding { .. })) {
            return false;
        }
        self.is_active.clear();
        self.is_active
            .extend(members.iter().map(|&k| task.rows[k as usize].is_bilateral() || pressing[k as usize]));
        let contact = |normal: usize| self.places[normal] as usize - first;
        follow_contacts(task.rows, members, contact, &mut self.is_active);
        let scale = members.iter().fold(NOISE, |most: f64, &k| most.max(task.bias[k as usize].abs()));
        for _ in 0..EXCHANGES {
            self.active.clear();
            self.active.extend(members.iter().zip(&self.is_active).filter(|(_, on)| **on).map(|(k, _)| *k));
            self.rhs.clear();
            self.rhs.extend(self.active.iter().map(|&k| -task.bias[k as usize]));
            let solved = self.direct.solve(task.rows, &self.active, task.masses, &self.rhs, &mut self.answer);
            let Some(residual) = solved else { return false };
            // What large multipliers leave in rounding cannot be less.
            let pushes = self.active.iter().zip(&self.answer).map(|(&k, f)| {
                let row = &task.rows[k as usize].row;
                coupling(row, row, task.masses) * f.abs()
            });
            let accepted = ACCEPTED * scale + ROUNDED * pushes.fold(0.0, f64::max);
            if residual > accepted {
                return false;
            }
            self.motion.resize(task.masses.len(), [0.0; 3]);
            let rows = members.iter().map(|&k| &task.rows[k as usize]);
            still(rows, &mut self.motion);
            let largest = self.answer.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
            for (&k, &f) in self.active.iter().zip(&self.answer) {
                add_motion(&task.rows[k as usize].row, f, task.masses, &mut self.motion);
            }
            for (&k, &f) in self.active.iter().zip(&self.answer) {
                multipliers[k as usize] = f;
            }
            let within = |&k: &u32| within_cone(task.rows, multipliers, k as usize, NO_FORCE * largest);
            if !self.active.iter().all(within) {
                return false;
            }
            let (mut changed, mut worst) = (false, 0.0_f64);
            let mut answers = self.answer.iter();
            for (&k, on) in members.iter().zip(&mut self.is_active) {
                let row = &task.rows[k as usize];
                if matches!(row.kind, RowKind::Friction { .. }) {
                    if *on {
                        answers.next();
                    }
                    continue;
                }
                if *on {
                    let f = answers.next().copied().unwrap_or(0.0);
                    let (lo, hi) = limits(row);
                    if f < lo - NO_FORCE * largest || f > hi + NO_FORCE * largest {
                        if matches!(row.kind, RowKind::Boxed { .. }) {
                            return false;
                        }
                        (*on, changed) = (false, true);
                    }
                } else {
                    if matches!(row.kind, RowKind::Boxed { .. }) {
                        return false;
                    }
                    let w = along(&row.row, &self.motion) + task.bias[k as usize];
                    if w < -accepted {
                        (*on, changed) = (true, true);
                    } else {
                        worst = worst.max(-w);
                    }
                }
            }
            follow_contacts(task.rows, members, contact, &mut self.is_active);
            if !changed {
                for &k in members {
                    (pressing[k as usize], multipliers[k as usize]) = (false, 0.0);
                }
                for (&k, &f) in self.active.iter().zip(&self.answer) {
                    let (lo, hi) = limits(&task.rows[k as usize]);
                    multipliers[k as usize] = f.clamp(lo, hi);
                    pressing[k as usize] = true;
                }
                lcp.note(members.len(), residual.max(worst) / scale.max(accepted / ACCEPTED));
                return true;
            }
        }
        false
    }

    /// Asks the complementarity solver.
    fn by_complementarity(
        &mut self,
        task: &Task<'_>,
        range: std::ops::Range<usize>,
        lcp: &mut LcpDriver,
        pressing: &mut [bool],
        multipliers: &mut [f64],
    ) -> Result<(), SimError> {
        let (first, members) = (range.start, self.members[range].to_vec());
        let members = &members[..];
        self.rows.clear();
        self.bias.clear();
        self.kinds.clear();
        self.bodies.clear();
        for &k in members {
            let row = &task.rows[k as usize];
            self.rows.push(row.row);
            self.bias.push(task.bias[k as usize]);
            self.bodies.push(row.row.bodies);
            // The row of a contact lies in the island of its friction.
            let place = |normal: usize| self.places[normal] as usize - first;
            self.kinds.push(match row.kind {
                Kind::Friction { normal, mu } => Kind::Friction { normal: place(normal), mu },
                Kind::Sliding { normal, mu, sign } => Kind::Sliding { normal: place(normal), mu, sign },
                other => other,
            });
        }
        let tries = members.len() >= SPARSE && self.kinds.iter().any(|kind| kind.normal().is_some());
        if tries && self.by_bodies(task, lcp)? {
            self.take(task, members, pressing, multipliers);
            return Ok(());
        }
        delassus(&self.rows, task.masses, &mut self.matrix);
        let problem = Problem {
            what: task.what,
            time: task.time,
            matrix: self.matrix.entries(),
            bias: &self.bias,
            ids: None,
            bodies: &|row| self.bodies[row],
        };
        lcp.solve_mixed(&problem, &self.kinds, tries, &mut self.rates)?;
        self.take(task, members, pressing, multipliers);
        Ok(())
    }

    /// Takes the answer of the complementarity solver for the rows of an island.
    fn take(&self, task: &Task<'_>, members: &[u32], pressing: &mut [bool], multipliers: &mut [f64]) {
        for (&k, &f) in members.iter().zip(&self.rates) {
            let (lo, hi) = limits(&task.rows[k as usize]);
            multipliers[k as usize] = f;
            pressing[k as usize] = f > lo && f < hi && f != 0.0;
        }
    }

    /// Asks the complementarity solver with the problem given by its Jacobian: what many rough contacts cost then grows with the
    /// bodies they are of. Returns whether it has an answer.
    fn by_bodies(&mut self, task: &Task<'_>, lcp: &mut LcpDriver) -> Result<bool, SimError> {
        let malformed = |e: engine2d_lcp::Error| SimError::Problem {
            time: task.time,
            message: format!("{}: {e}", task.what),
        };
        let parts = self.rows.iter().zip(&self.kinds).zip(&self.bias);
        let mut asked = parts.map(|((row, &kind), &bias)| Asked { row, kind, bias, compliance: 0.0 });
        let problem = problem_by_bodies(&mut asked, task.masses).map_err(malformed)?;
        lcp.solve_sparse((task.what, task.time), &problem, &mut self.rates).map_err(malformed)
    }
}

/// Rows of friction act where their contacts do, whose places `contact` tells.
fn follow_contacts(rows: &[Row], members: &[u32], contact: impl Fn(usize) -> usize, is_active: &mut [bool]) {
    for at in 0..members.len() {
        if let RowKind::Friction { normal, .. } = rows[members[at] as usize].kind {
            is_active[at] = is_active[contact(normal)];
        }
    }
}

/// Whether friction stays in its cone, with room for rounding.
fn within_cone(rows: &[Row], multipliers: &[f64], row: usize, room: f64) -> bool {
    match rows[row].kind {
        RowKind::Friction { normal, mu } => multipliers[row].abs() <= mu * multipliers[normal] + room,
        _ => true,
    }
}

/// Adds the accelerations of a multiplier to rates of a state vector, six per body.
pub(crate) fn add_rates(row: &ConstraintRow, multiplier: f64, masses: &[InverseMass], rates: &mut [f64]) {
    for (index, linear, angular) in responses(row, multiplier, masses) {
        rates[6 * index + 1] += linear.x;
        rates[6 * index + 3] += linear.y;
        rates[6 * index + 5] += angular;
    }
}

/// The root of a body in a forest of parents, with paths halved on the way.
pub(crate) fn root(parents: &mut [u32], mut body: u32) -> u32 {
    while parents[body as usize] != body {
        parents[body as usize] = parents[parents[body as usize] as usize];
        body = parents[body as usize];
    }
    body
}
