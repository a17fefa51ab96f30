//! From an interior point to an exact answer: solve the set it points at, check, exchange what is wrong.

use super::{ABSENT, Point, Scaled, System, heading};
use crate::tolerance::{CROSSOVER_REFINEMENTS, CROSSOVER_ROUNDS, CROSSOVER_WEIGHT};
use crate::{Certificate, Lcp, Set, Solution};

/// Solves for the set the point heads for, and exchanges rows that turn out wrong, a few times. Keeps the best
/// answer in `solution`; returns the certificate of the best found here.
pub(super) fn finish(
    problem: &Lcp<'_>,
    p: &Scaled,
    system: &mut System,
    point: &Point,
    tolerance: f64,
    solution: &mut Solution,
) -> f64 {
    let n = p.b.len();
    let mut sets: Vec<Set> = (0..n).map(|i| heading(p, point, i)).collect();
    let mut f = point.f.clone();
    let mut weight = vec![0.0; n];
    let mut a = vec![0.0; n];
    let mut best = f64::INFINITY;
    let mut forces = vec![0.0; n];
    let mut found = vec![0.0; n];
    for _ in 0..CROSSOVER_ROUNDS {
        for i in 0..n {
            weight[i] = if sets[i] == Set::Clamped && !p.fixed(i) { CROSSOVER_WEIGHT } else { ABSENT };
            match sets[i] {
                Set::Lower => f[i] = p.lo[i],
                Set::Upper => f[i] = p.hi[i],
                _ => {}
            }
        }
        if !system.factor(&weight) {
            break;
        }
        solution.stats.factorizations += 1;
        refine(p, system, &sets, &mut f, &mut a);
        for i in 0..n {
            forces[i] = p.force(i, f[i].clamp(p.lo[i], p.hi[i]));
        }
        let certificate = Certificate::compute(problem, &forces, tolerance, &mut found);
        if certificate.excess < best {
            best = certificate.excess;
            solution.f.copy_from_slice(&forces);
            solution.sets.copy_from_slice(&sets);
        }
        if best <= tolerance * 1e-3 || !exchange(p, &f, &a, &mut sets) {
            break;
        }
    }
    best
}

/// Steps of the proximal point method towards `a = 0` on the clamped rows: converges to the nearest solution even
/// if their matrix is singular.
fn refine(p: &Scaled, system: &mut System, sets: &[Set], f: &mut [f64], a: &mut [f64]) {
    let n = p.b.len();
    let mut step = vec![0.0; n];
    for round in 0..=CROSSOVER_REFINEMENTS {
        system.product(f, a);
        let mut largest = 0.0_f64;
        for i in 0..n {
            a[i] += p.b[i];
            step[i] = if sets[i] == Set::Clamped { -a[i] } else { 0.0 };
            largest = largest.max(step[i].abs());
        }
        if round == CROSSOVER_REFINEMENTS || largest < 1e-15 {
            break;
        }
        system.solve(&mut step);
        for i in 0..n {
            if sets[i] == Set::Clamped && step[i].is_finite() {
                f[i] += step[i];
            }
        }
    }
}

/// Moves rows to the set that their force and acceleration ask for; `false` if none moves.
fn exchange(p: &Scaled, f: &[f64], a: &[f64], sets: &mut [Set]) -> bool {
    let mut changed = false;
    for i in 0..f.len() {
        let wish = f[i] - a[i];
        let set = if wish < p.lo[i] || wish == p.lo[i] && sets[i] == Set::Lower {
            Set::Lower
        } else if wish > p.hi[i] || wish == p.hi[i] && sets[i] == Set::Upper {
            Set::Upper
        } else {
            Set::Clamped
        };
        changed |= set != sets[i];
        sets[i] = set;
    }
    changed
}

/// Takes the interior point itself if it is better than the best of the crossover.
pub(super) fn keep_interior(
    problem: &Lcp<'_>,
    p: &Scaled,
    point: &Point,
    tolerance: f64,
    best: f64,
    solution: &mut Solution,
) {
    let n = p.b.len();
    let mut found = vec![0.0; n];
    let forces: Vec<f64> = (0..n).map(|i| p.force(i, point.f[i])).collect();
    if forces.iter().any(|f| !f.is_finite()) {
        return;
    }
    let certificate = Certificate::compute(problem, &forces, tolerance, &mut found);
    if certificate.excess < best {
        solution.f.copy_from_slice(&forces);
        for i in 0..n {
            solution.sets[i] = heading(p, point, i);
        }
    }
}
