//! Judgement from the definitions, with accelerations summed up with twice the digits.

use super::families::Problem;
use engine2d_lcp::{Lcp, Row};

/// A sum as an exact pair.
#[derive(Clone, Copy, Default)]
struct Pair(f64, f64);

fn split(x: f64) -> (f64, f64) {
    let high = f64::from_bits(x.to_bits() & !((1 << 27) - 1));
    (high, x - high)
}

impl Pair {
    fn add(self, x: f64) -> Self {
        let sum = self.0 + x;
        let part = sum - self.0;
        Self(sum, self.1 + ((self.0 - (sum - part)) + (x - part)))
    }

    /// Adds `x y`: of the four products of halves all but the smallest are exact.
    fn add_product(self, x: f64, y: f64) -> Self {
        let ((xh, xl), (yh, yl)) = (split(x), split(y));
        self.add(xh * yh).add(xh * yl).add(xl * yh).add(xl * yl)
    }

    fn value(self) -> f64 {
        self.0 + self.1
    }
}

/// `A x` and `Σ_j |A_ij x_j|`.
fn image(a: &[f64], x: &[f64]) -> Vec<(Pair, f64)> {
    let row = |row: &[f64]| {
        row.iter().zip(x).fold((Pair::default(), 0.0), |(sum, size), (a, x)| {
            (sum.add_product(*a, *x), size + (a * x).abs())
        })
    };
    a.chunks_exact(x.len().max(1)).map(row).collect()
}

/// The largest violation as a share of what is allowed: `1e-8` of the largest bias, or `1e-13` of the terms of a row if that
/// is not more than `1e-6` of it.
pub(crate) fn largest_violation(problem: &Problem, f: &[f64]) -> f64 {
    let largest = |v: &[f64]| v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
    let (bs, fs) = (largest(&problem.b), largest(f));
    let mut worst = 0.0_f64;
    for (i, (exact, terms)) in image(&problem.a, f).into_iter().enumerate() {
        let a = exact.add(problem.b[i]).value();
        // What the solver may not know of the last digits of its own sum.
        let sum = f.len() as f64 * f64::EPSILON * (terms + problem.b[i].abs());
        let floor = (1e-13 * (terms + problem.b[i].abs())).min(1e-6 * bs);
        let allowed = (1e-8 * bs).max(floor) + sum;
        let force = 1e-8 * fs;
        let (lo, hi) = problem.kinds[i].bounds(0.0);
        let outside = (lo - f[i]).max(f[i] - hi).max(0.0) / force;
        let push = match problem.kinds[i] {
            Row::Bilateral => a.abs(),
            Row::Unilateral => (-a).max((f[i] / fs * a).abs()),
            _ if f[i] <= lo => -a,
            _ if f[i] >= hi => a,
            _ => a.abs(),
        };
        worst = worst.max(outside).max(push / allowed);
    }
    worst
}

/// Whether `v` keeps to the signs and contradicts `b`, whatever the forces: where `A v` is not null to rounding, forces that
/// are lost in their own rounding would be needed to make up for the contradiction.
pub(crate) fn refutes(problem: &Problem, lcp: &Lcp<'_>, v: &[f64]) -> bool {
    let signs = problem.kinds.iter().zip(v).all(|(kind, v)| {
        let (lo, hi) = kind.bounds(0.0);
        *v == 0.0 || if *v > 0.0 { hi == f64::INFINITY } else { lo == f64::NEG_INFINITY }
    });
    let root = |i: usize| problem.a[i * (v.len() + 1)].sqrt();
    let size: f64 = v.iter().enumerate().map(|(i, v)| v.abs() * root(i)).sum();
    let bias = problem.b.iter().enumerate().filter(|(i, _)| root(*i) > 0.0);
    let common = bias.fold(0.0_f64, |most, (i, b)| most.max(b.abs() / root(i)));
    let largest = problem.b.iter().fold(1.0_f64, |most, b| most.max(b.abs()));
    let mut exploited = 0.0;
    for (i, (exact, _)) in image(&problem.a, v).into_iter().enumerate() {
        let left = exact.value().abs();
        // What is near the smallest numbers has no digits to judge by.
        if left > 2e-14 * root(i) * size && root(i) > 1e-140 {
            exploited += left * (root(i) * common).max(1.0).min(largest) / (f64::EPSILON * root(i) * root(i));
        }
    }
    let slope = v.iter().zip(lcp.bias()).fold(Pair::default(), |sum, (v, b)| sum.add_product(*v, *b));
    signs && v.iter().any(|v| *v != 0.0) && exploited < -slope.value()
}
