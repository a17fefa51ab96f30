//! A contact problem as a linear complementarity problem in standard form, and back.
//!
//! Bilateral rows are eliminated first, or have an unknown for either sign where that is not possible. A unilateral row gives one
//! unknown; a boxed row its distance from a bound and, if it has a second one, the multiplier of that; a friction row the two directions
//! of slip and the sliding speed [Stewart, Trinkle 1996; Anitescu, Potra 1997]. A sliding row follows its normal row.

mod start;

use super::{End, Lemke};
use crate::deadline::Deadline;
use crate::tolerance::{ATTEMPTS, TINY};
use crate::{Certificate, Lcp, Row, Set, Solution, Status};
use engine2d_math::kernel::dot;
use engine2d_math::ldlt::UpdatableLdlt;
use engine2d_math::lu::Lu;

/// An unknown of the standard form.
#[derive(Clone, Copy)]
enum Unknown {
    /// Adds `sign` times itself to the force of `row`; its complement is `sign` times the acceleration, plus
    /// the unknown `with` times a weight.
    Force { row: usize, sign: f64, with: Option<(usize, f64)> },
    /// Complement: the room `hi − lo` less the unknown `of`.
    Room { of: usize, room: f64 },
    /// Complement: `limit f_normal` less the directions of slip, unknowns from `first` on with these weights.
    Speed { first: usize, weights: [Option<f64>; 2], normal: usize, limit: f64 },
}

impl Unknown {
    /// The row whose unit it has, and whether it is a force: else it is an acceleration.
    fn unit(self, unknowns: &[Self]) -> (usize, bool) {
        let row = |k: usize| match unknowns[k] {
            Self::Force { row, .. } => row,
            _ => 0,
        };
        match self {
            Self::Force { row, .. } => (row, true),
            Self::Room { of: first, .. } | Self::Speed { first, .. } => (row(first), false),
        }
    }
}

/// Solves any problem by Lemke's method.
pub(crate) fn solve(
    problem: &Lcp<'_>,
    dense: &[f64],
    tolerance: f64,
    deadline: Deadline,
    solution: &mut Solution,
) -> Status {
    let n = problem.len();
    solution.clear(n);
    let reduced = match problem.is_symmetric() {
        true => Reduced::new(problem.kinds(), dense, problem.bias()),
        false => Reduced::unsymmetric(problem.kinds(), dense, problem.bias()),
    };
    let mut expanded = Expanded::of(problem.kinds(), dense, problem.bias(), reduced);
    expanded.lemke.deadline = deadline;
    let patience = super::PIVOTS_UNSYMMETRIC * (expanded.q.len() + 1);
    expanded.lemke.patience = (!problem.is_symmetric()).then_some(patience);
    let mut end = expanded.forces(|_| 1.0, &mut solution.f);
    if end == End::Ray && !problem.is_symmetric() {
        let a = &mut solution.a;
        let accepts = |f: &[f64]| Certificate::compute(problem, f, tolerance, a).holds(tolerance);
        end = expanded.forces_from_elsewhere(accepts, &mut solution.f);
    }
    solution.stats.pivots = expanded.pivots();
    for i in 0..n {
        let (kind, f) = (problem.kinds()[i], solution.f[i]);
        let (lo, hi) = kind.bounds(kind.normal().map_or(0.0, |normal| solution.f[normal]));
        solution.sets[i] = if f > lo && f < hi {
            Set::Clamped
        } else if f <= lo {
            Set::Lower
        } else {
            Set::Upper
        };
    }
    solution.certificate = Certificate::compute(problem, &solution.f, tolerance, &mut solution.a);
    solution.status = match end {
        _ if solution.certificate.holds(tolerance) => Status::Solved,
        End::Solved => Status::ToleranceMissed,
        End::Ray => Status::NoProgress,
        End::PivotLimit => Status::PivotLimit,
    };
    solution.status
}

/// A problem in standard form, in the units of its rows.
pub(crate) struct Expanded<'p> {
    dense: &'p [f64],
    bias: &'p [f64],
    reduced: Reduced,
    unknowns: Vec<Unknown>,
    offset: Vec<f64>,
    followers: Vec<Vec<(usize, f64)>>,
    scale: Vec<f64>,
    m: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
    lemke: Lemke,
}

impl<'p> Expanded<'p> {
    /// Expands the problem of these rows.
    pub(crate) fn new(kinds: &[Row], dense: &'p [f64], bias: &'p [f64]) -> Self {
        Self::of(kinds, dense, bias, Reduced::new(kinds, dense, bias))
    }

    fn of(kinds: &[Row], dense: &'p [f64], bias: &'p [f64], reduced: Reduced) -> Self {
        let (unknowns, offset) = unknowns(kinds, matches!(reduced.factor, Factor::None));
        let followers = followers(kinds);
        let (mut m, mut q) = standard_form(&reduced, &unknowns, &offset, &followers);
        // Forces by 1/√A_ii, accelerations by √A_ii: masses of all sizes look alike.
        let n = bias.len();
        let unit = |i: usize| if dense[i * n + i] > TINY { 1.0 / dense[i * n + i].sqrt() } else { 1.0 };
        let scale = |unknown: &Unknown| match unknown.unit(&unknowns) {
            (row, true) => unit(row),
            (row, false) => 1.0 / unit(row),
        };
        let scale: Vec<f64> = unknowns.iter().map(scale).collect();
        for (k, by) in scale.iter().enumerate() {
            q[k] *= by;
            let row = &mut m[k * scale.len()..(k + 1) * scale.len()];
            row.iter_mut().zip(&scale).for_each(|(m, other)| *m *= by * other);
        }
        let z = vec![0.0; scale.len()];
        Self { dense, bias, reduced, unknowns, offset, followers, scale, m, q, z, lemke: Lemke::new() }
    }

    /// The sets of the basis it ended with; rows without an unknown are held.
    pub(crate) fn sets(&self, sets: &mut [Set]) {
        sets.fill(Set::Clamped);
        let basic = |k: usize| self.lemke.is_basic(k);
        for (k, unknown) in self.unknowns.iter().enumerate() {
            match *unknown {
                Unknown::Force { row, sign, with } => {
                    let (low, high) =
                        if sign > 0.0 { (Set::Lower, Set::Upper) } else { (Set::Upper, Set::Lower) };
                    let friction = matches!(with, Some((speed, _)) if matches!(self.unknowns[speed], Unknown::Speed { .. }));
                    match with {
                        _ if friction => {}
                        None | Some(_) if !basic(k) => sets[row] = low,
                        Some((room, _)) if basic(room) => sets[row] = high,
                        _ => {}
                    }
                }
                Unknown::Speed { first, .. } if basic(k) => {
                    // It slips, with the direction whose force is there.
                    for along in first..k {
                        if let Unknown::Force { row, sign, .. } = self.unknowns[along]
                            && (basic(along) || along + 1 == k && sets[row] == Set::Clamped)
                        {
                            sets[row] = if sign > 0.0 { Set::Upper } else { Set::Lower };
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Pivots of the last way.
    pub(crate) fn pivots(&self) -> usize {
        self.lemke.pivots
    }

    /// The forces that Lemke's method finds on the way that `cover` sets.
    pub(crate) fn forces(&mut self, cover: impl FnMut(usize) -> f64, f: &mut [f64]) -> End {
        let end = self.lemke.solve_covered(&self.m, &self.q, cover, &mut self.z);
        self.forces_of_unknowns(f);
        end
    }

    fn forces_of_unknowns(&mut self, f: &mut [f64]) {
        f.copy_from_slice(&self.offset);
        for (unknown, (z, scale)) in self.unknowns.iter().zip(self.z.iter().zip(&self.scale)) {
            if let Unknown::Force { row, sign, .. } = *unknown {
                f[row] += sign * z * scale;
            }
        }
        for (normal, slides) in self.followers.iter().enumerate() {
            for &(k, share) in slides {
                f[k] = share * f[normal].max(0.0);
            }
        }
        self.reduced.complete(self.dense, self.bias, f);
    }
}

/// The problem with its bilateral rows eliminated: `A' = A − A_·B A_BB⁻¹ A_B·`, likewise `b'`.
struct Reduced {
    a: Vec<f64>,
    b: Vec<f64>,
    bilateral: Vec<usize>,
    factor: Factor,
}

/// The factorization of `A_BB`.
enum Factor {
    /// There is none: the bilateral rows stay.
    None,
    Symmetric(UpdatableLdlt),
    Any(Lu),
}

impl Reduced {
    fn new(kinds: &[Row], dense: &[f64], bias: &[f64]) -> Self {
        let n = kinds.len();
        let mut factor = UpdatableLdlt::new();
        factor.reset(n);
        let mut reduced =
            Self { a: dense.to_vec(), b: bias.to_vec(), bilateral: Vec::new(), factor: Factor::None };
        for i in (0..n).filter(|&i| free(kinds[i])) {
            let row = &dense[i * n..(i + 1) * n];
            let mut y: Vec<f64> = reduced.bilateral.iter().map(|&j| row[j]).collect();
            factor.forward(&mut y);
            let pivot = factor.pivot_of(row[i], &y);
            // Redundant rows are satisfied by the others or not at all.
            if pivot > ATTEMPTS[0].0 * row[i] {
                factor.push(&y, pivot);
                reduced.bilateral.push(i);
            }
        }
        if reduced.bilateral.is_empty() {
            reduced.factor = Factor::Symmetric(factor);
            return reduced;
        }
        let mut forwarded = Vec::with_capacity(n);
        for i in 0..n {
            let mut y: Vec<f64> = reduced.bilateral.iter().map(|&j| dense[i * n + j]).collect();
            factor.forward(&mut y);
            forwarded.push(y);
        }
        let mut bias: Vec<f64> = reduced.bilateral.iter().map(|&j| bias[j]).collect();
        factor.forward(&mut bias);
        factor.divide(&mut bias);
        for i in 0..n {
            let mut y = forwarded[i].clone();
            reduced.b[i] -= dot(&y, &bias);
            factor.divide(&mut y);
            for (j, other) in forwarded.iter().enumerate() {
                reduced.a[i * n + j] -= dot(&y, other);
            }
        }
        reduced.factor = Factor::Symmetric(factor);
        reduced
    }

    /// As [`Reduced::new`] without symmetry; where `A_BB` is singular the bilateral rows stay.
    fn unsymmetric(kinds: &[Row], dense: &[f64], bias: &[f64]) -> Self {
        let n = kinds.len();
        let mut reduced =
            Self { a: dense.to_vec(), b: bias.to_vec(), bilateral: Vec::new(), factor: Factor::None };
        let bilateral: Vec<usize> = (0..n).filter(|&i| free(kinds[i])).collect();
        let m = bilateral.len();
        let mut lu = Lu::new();
        let matrix = lu.load(m);
        for (r, &i) in bilateral.iter().enumerate() {
            bilateral.iter().enumerate().for_each(|(c, &j)| matrix[r * m + c] = dense[i * n + j]);
        }
        if lu.factor().is_none() {
            return reduced;
        }
        let mut x = Vec::with_capacity(m);
        for j in 0..=n {
            // A column of the matrix, and in the end b.
            let entry = |i: usize| if j < n { dense[i * n + j] } else { bias[i] };
            x.clear();
            x.extend(bilateral.iter().map(|&i| entry(i)));
            lu.solve(&mut x);
            for i in 0..n {
                let part: f64 = bilateral.iter().zip(&x).map(|(&k, x)| dense[i * n + k] * x).sum();
                *(if j < n { &mut reduced.a[i * n + j] } else { &mut reduced.b[i] }) -= part;
            }
        }
        (reduced.bilateral, reduced.factor) = (bilateral, Factor::Any(lu));
        reduced
    }

    /// Forces of the bilateral rows once the others are known.
    fn complete(&mut self, dense: &[f64], bias: &[f64], f: &mut [f64]) {
        let n = f.len();
        let mut x: Vec<f64> =
            self.bilateral.iter().map(|&i| -(bias[i] + dot(&dense[i * n..(i + 1) * n], f))).collect();
        match &mut self.factor {
            Factor::None => return,
            Factor::Symmetric(factor) => factor.solve(&mut x),
            Factor::Any(lu) => lu.solve(&mut x),
        }
        for (&i, x) in self.bilateral.iter().zip(&x) {
            f[i] = *x;
        }
    }
}

fn free(kind: Row) -> bool {
    let (lo, hi) = kind.bounds(1.0);
    kind.normal().is_none() && lo == f64::NEG_INFINITY && hi == f64::INFINITY
}

/// The unknowns, and the forces where all of them are zero. With `split` a bilateral row has one for either sign of its force.
fn unknowns(kinds: &[Row], split: bool) -> (Vec<Unknown>, Vec<f64>) {
    let mut unknowns = Vec::new();
    let mut offset = vec![0.0; kinds.len()];
    for (row, &kind) in kinds.iter().enumerate() {
        let next = unknowns.len();
        match kind {
            Row::Sliding { .. } => {}
            Row::Friction { .. } | Row::FrictionLimits { .. } => {
                let Some((normal, lo, hi)) = kind.shares() else { continue };
                let limit = hi.max(-lo);
                let weight = |mu: f64| (mu > 0.0).then(|| limit / mu);
                let weights = [weight(hi), weight(-lo)];
                let speed = next + weights.iter().flatten().count();
                for (sign, weight) in [1.0, -1.0].into_iter().zip(weights) {
                    if let Some(weight) = weight {
                        unknowns.push(Unknown::Force { row, sign, with: Some((speed, weight)) });
                    }
                }
                if speed > next {
                    unknowns.push(Unknown::Speed { first: next, weights, normal, limit });
                }
            }
            _ if free(kind) && split => {
                unknowns.extend([1.0, -1.0].map(|sign| Unknown::Force { row, sign, with: None }));
            }
            _ if free(kind) => {}
            _ => {
                let (lo, hi) = kind.bounds(0.0);
                let (sign, start) = if lo.is_finite() { (1.0, lo) } else { (-1.0, hi) };
                offset[row] = start;
                let two_sided = lo.is_finite() && hi.is_finite();
                unknowns.push(Unknown::Force { row, sign, with: two_sided.then_some((next + 1, 1.0)) });
                if two_sided {
                    unknowns.push(Unknown::Room { of: next, room: hi - lo });
                }
            }
        }
    }
    (unknowns, offset)
}

/// The sliding rows of each normal row, with their force as a multiple of its own.
fn followers(kinds: &[Row]) -> Vec<Vec<(usize, f64)>> {
    let mut followers = vec![Vec::new(); kinds.len()];
    for (k, kind) in kinds.iter().enumerate() {
        if let (Row::Sliding { .. }, Some((normal, share, _))) = (kind, kind.shares()) {
            followers[normal].push((k, share));
        }
    }
    followers
}

/// `M` and `q` of `w = M z + q`.
fn standard_form(
    reduced: &Reduced,
    unknowns: &[Unknown],
    offset: &[f64],
    followers: &[Vec<(usize, f64)>],
) -> (Vec<f64>, Vec<f64>) {
    let n = reduced.b.len();
    let m = unknowns.len();
    let mut matrix = vec![0.0; m * m];
    let mut q = vec![0.0; m];
    for (k, unknown) in unknowns.iter().enumerate() {
        let target = &mut matrix[k * m..(k + 1) * m];
        match *unknown {
            Unknown::Force { row, sign, with } => {
                let a = &reduced.a[row * n..(row + 1) * n];
                q[k] = sign * (reduced.b[row] + dot(a, offset));
                for (t, other) in target.iter_mut().zip(unknowns) {
                    if let Unknown::Force { row: j, sign: s, .. } = *other {
                        let along: f64 = followers[j].iter().map(|&(k, share)| share * a[k]).sum();
                        *t = sign * s * (a[j] + along);
                    }
                }
                if let Some((with, weight)) = with {
                    target[with] += weight;
                }
            }
            Unknown::Room { of, room } => {
                q[k] = room;
                target[of] = -1.0;
            }
            Unknown::Speed { first, weights, normal, limit } => {
                for (k, weight) in weights.into_iter().flatten().enumerate() {
                    target[first + k] = -weight;
                }
                for (t, other) in target.iter_mut().zip(unknowns) {
                    if matches!(*other, Unknown::Force { row, .. } if row == normal) {
                        *t += limit;
                    }
                }
            }
        }
    }
    (matrix, q)
}
