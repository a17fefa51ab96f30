//! A contact problem as a linear complementarity problem in standard form, and back.
//!
//! Bilateral rows are eliminated first. A unilateral row gives one unknown; a boxed row its distance from a bound
//! and, if it has a second one, the multiplier of that; a friction row the two directions of slip and the sliding
//! speed [Stewart, Trinkle 1996; Anitescu, Potra 1997]. A sliding row follows its normal row.

use super::{End, Lemke};
use crate::tolerance::ATTEMPTS;
use crate::{Certificate, Lcp, Row, Set, Solution, Status};
use engine2d_math::kernel::dot;
use engine2d_math::ldlt::UpdatableLdlt;

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

/// Solves any problem by Lemke's method.
pub(crate) fn solve(problem: &Lcp<'_>, dense: &[f64], tolerance: f64, solution: &mut Solution) -> Status {
    let n = problem.len();
    solution.clear(n);
    let reduced = Reduced::new(problem, dense);
    let (unknowns, offset) = unknowns(problem);
    let (m, q) = standard_form(problem, &reduced, &unknowns, &offset);
    let mut z = vec![0.0; unknowns.len()];
    let mut lemke = Lemke::new();
    let end = lemke.solve(&m, &q, &mut z);
    solution.stats.pivots = lemke.pivots;
    solution.f.copy_from_slice(&offset);
    for (unknown, z) in unknowns.iter().zip(&z) {
        if let Unknown::Force { row, sign, .. } = *unknown {
            solution.f[row] += sign * z;
        }
    }
    for (normal, slides) in followers(problem).iter().enumerate() {
        for &(k, share) in slides {
            solution.f[k] = share * solution.f[normal].max(0.0);
        }
    }
    reduced.complete(problem, dense, &mut solution.f);
    for i in 0..n {
        let kind = problem.kinds()[i];
        let (lo, hi) = kind.bounds(kind.normal().map_or(0.0, |normal| solution.f[normal]));
        let f = solution.f[i];
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

/// The problem with its bilateral rows eliminated: `A' = A − A_·B A_BB⁻¹ A_B·`, likewise `b'`.
struct Reduced {
    a: Vec<f64>,
    b: Vec<f64>,
    bilateral: Vec<usize>,
    factor: UpdatableLdlt,
}

impl Reduced {
    fn new(problem: &Lcp<'_>, dense: &[f64]) -> Self {
        let n = problem.len();
        let mut reduced = Self {
            a: dense.to_vec(),
            b: problem.bias().to_vec(),
            bilateral: Vec::new(),
            factor: UpdatableLdlt::new(),
        };
        reduced.factor.reset(n);
        for i in (0..n).filter(|&i| free(problem.kinds()[i])) {
            let row = &dense[i * n..(i + 1) * n];
            let mut y: Vec<f64> = reduced.bilateral.iter().map(|&j| row[j]).collect();
            reduced.factor.forward(&mut y);
            let pivot = reduced.factor.pivot_of(row[i], &y);
            // Redundant rows are satisfied by the others or not at all.
            if pivot > ATTEMPTS[0].0 * row[i] {
                reduced.factor.push(&y, pivot);
                reduced.bilateral.push(i);
            }
        }
        if reduced.bilateral.is_empty() {
            return reduced;
        }
        let mut forwarded = Vec::with_capacity(n);
        for i in 0..n {
            let mut y: Vec<f64> = reduced.bilateral.iter().map(|&j| dense[i * n + j]).collect();
            reduced.factor.forward(&mut y);
            forwarded.push(y);
        }
        let mut bias: Vec<f64> = reduced.bilateral.iter().map(|&j| problem.bias()[j]).collect();
        reduced.factor.forward(&mut bias);
        reduced.factor.divide(&mut bias);
        for i in 0..n {
            let mut y = forwarded[i].clone();
            reduced.b[i] -= dot(&y, &bias);
            reduced.factor.divide(&mut y);
            for (j, other) in forwarded.iter().enumerate() {
                reduced.a[i * n + j] -= dot(&y, other);
            }
        }
        reduced
    }

    /// Forces of the bilateral rows once the others are known.
    fn complete(&self, problem: &Lcp<'_>, dense: &[f64], f: &mut [f64]) {
        let n = f.len();
        let mut x: Vec<f64> = self
            .bilateral
            .iter()
            .map(|&i| -(problem.bias()[i] + dot(&dense[i * n..(i + 1) * n], f)))
            .collect();
        self.factor.solve(&mut x);
        for (&i, x) in self.bilateral.iter().zip(&x) {
            f[i] = *x;
        }
    }
}

fn free(kind: Row) -> bool {
    let (lo, hi) = kind.bounds(1.0);
    kind.normal().is_none() && lo == f64::NEG_INFINITY && hi == f64::INFINITY
}

/// The unknowns, and the forces where all of them are zero.
fn unknowns(problem: &Lcp<'_>) -> (Vec<Unknown>, Vec<f64>) {
    let mut unknowns = Vec::new();
    let mut offset = vec![0.0; problem.len()];
    for (row, &kind) in problem.kinds().iter().enumerate() {
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
fn followers(problem: &Lcp<'_>) -> Vec<Vec<(usize, f64)>> {
    let mut followers = vec![Vec::new(); problem.len()];
    for (k, kind) in problem.kinds().iter().enumerate() {
        if let (Row::Sliding { .. }, Some((normal, share, _))) = (kind, kind.shares()) {
            followers[normal].push((k, share));
        }
    }
    followers
}

/// `M` and `q` of `w = M z + q`.
fn standard_form(
    problem: &Lcp<'_>,
    reduced: &Reduced,
    unknowns: &[Unknown],
    offset: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let n = problem.len();
    let m = unknowns.len();
    let mut matrix = vec![0.0; m * m];
    let mut q = vec![0.0; m];
    let followers = followers(problem);
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
