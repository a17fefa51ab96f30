//! A proof that there is no solution, from where the iteration went.
//!
//! Without a solution the forces grow along a ray `A v = 0`, `bᵀv < 0`: on the rows that carry most of them. With these
//! fixed as `C`, `x ← ε (A_CC + ε I)⁻¹ x` takes away what is not in the null space, a factor `ε/λ` each time.

use super::{ABSENT, Scaled, System};
use crate::ray::prove;
use crate::tolerance::{PROXIMAL_PASSES, RAY_SHARES, ROUNDING, WEIGHT};
use crate::{Lcp, Row};

/// The ray the scaled forces head for, if there is one that proves the problem infeasible beyond the tolerance. If
/// `strict`, one in the null space to rounding, row by row: between very different masses there are forces of great
/// size that move next to nothing, and are a solution all the same.
pub(super) fn find(
    problem: &Lcp<'_>,
    p: &Scaled,
    system: &mut System,
    forces: &[f64],
    tolerance: f64,
    strict: bool,
) -> Option<Vec<f64>> {
    let n = p.b.len();
    let largest = forces.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let mut weight = vec![ABSENT; n];
    let mut x = vec![0.0; n];
    for share in RAY_SHARES {
        for i in 0..n {
            let open = |f: f64| if f > 0.0 { p.hi[i] == f64::INFINITY } else { p.lo[i] == f64::NEG_INFINITY };
            let bilateral = problem.kinds()[i] == Row::Bilateral;
            let part = bilateral || open(forces[i]) && forces[i].abs() > share * largest;
            (weight[i], x[i]) = if part { (WEIGHT, forces[i] / largest) } else { (ABSENT, 0.0) };
        }
        if !system.factor(&weight) {
            continue;
        }
        for _ in 0..PROXIMAL_PASSES {
            for (x, w) in x.iter_mut().zip(&weight) {
                *x = if *w < ABSENT { *x * WEIGHT } else { 0.0 };
            }
            system.solve(&mut x);
        }
        if strict {
            let mut image = vec![0.0; n];
            system.product(&x, &mut image);
            let size = |v: &[f64]| v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            if !(size(&image) <= ROUNDING * size(&x)) {
                continue;
            }
        }
        let mut v: Vec<f64> = (0..n)
            .map(|i| {
                let v = p.force(i, x[i]);
                let allowed = if v > 0.0 { p.hi[i] == f64::INFINITY } else { p.lo[i] == f64::NEG_INFINITY };
                if allowed && weight[i] < ABSENT { v } else { 0.0 }
            })
            .collect();
        p.split_pairs(&mut v);
        if prove(problem, &mut v, tolerance).is_some_and(|bound| bound > tolerance) {
            return Some(v);
        }
    }
    None
}
