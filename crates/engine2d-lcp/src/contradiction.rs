//! How far the demands of a problem contradict each other, and where.
//!
//! **Problem.** Find the shift `s` of the bias with the least `r = max |s_i|/bs_i` for which `A f + b + s` has a solution.
//! **Duality.** `r` is the largest bound `−bᵀv / Σ bs_i |v_i|` of a ray: `A v = 0`, `v` not out of the bounds. So either a ray
//! proves that no `f` meets the tolerance, or a shift within the tolerance leads to one that does: nothing lies between.
//! **Method.** For weights `w` the shift of least `Σ w_i s_i²` is a projection on a cone in the null space, `s_i = −v_i/w_i`;
//! the weights are multiplied by the shifts they led to [Lawson 1961; Rice, Usow 1968] until bound and shift enclose the
//! tolerance. **Failure.** None of both after some rounds, where they differ from it by less than a thousandth.

use crate::Lcp;
use crate::null_space::NullSpace;
use crate::pivoting::Pivoting;
use crate::ray::prove;
use crate::scale::Scales;
use crate::tolerance::{LAWSON_LEAST, LAWSON_ROUNDS, ROUNDING, SHIFT_MARGIN};

/// What the demands come to.
pub(crate) enum Verdict {
    /// A ray whose bound exceeds the tolerance.
    Contradiction(Vec<f64>),
    /// A bias without contradiction, no further from the given one than the tolerance allows.
    Reconciled(Vec<f64>),
    /// Neither can be told; with an estimate of the condition of the matrix.
    Unclear(f64),
}

/// Compares the contradictions of a problem without friction rows, whose matrix is `dense`, with the tolerance.
pub(crate) fn weigh(problem: &Lcp<'_>, dense: &[f64], tolerance: f64, pivoting: &mut Pivoting) -> Verdict {
    let n = problem.len();
    let b = problem.bias();
    let scales = Scales::of(problem).bias;
    let space = NullSpace::eliminated(dense, n, ROUNDING);
    let unclear = Verdict::Unclear(space.condition());
    if space.is_empty() {
        return unclear;
    }
    let cone: Vec<(f64, f64)> = problem
        .kinds()
        .iter()
        .map(|kind| {
            let (lo, hi) = kind.bounds(0.0);
            let open = |bound: f64| if bound.is_finite() { 0.0 } else { bound };
            (open(lo), open(hi))
        })
        .collect();
    // The roots of 1/w: large where a shift is cheap.
    let mut roots = scales.clone();
    for _ in 0..LAWSON_ROUNDS {
        let Some(mut v) = project(&space, &roots, b, &cone, pivoting) else { break };
        if prove(problem, &mut v, tolerance).is_some_and(|bound| bound > tolerance) {
            return Verdict::Contradiction(v);
        }
        let shift: Vec<f64> = v.iter().zip(&roots).map(|(v, root)| v * root * root).collect();
        let sizes = shift.iter().zip(&scales).map(|(s, scale)| s.abs() / scale);
        let largest = sizes.clone().fold(0.0, f64::max);
        if !(largest > 0.0 && largest.is_finite()) {
            break;
        }
        if SHIFT_MARGIN * largest <= tolerance {
            let shifted = b.iter().zip(&shift).map(|(b, s)| b + SHIFT_MARGIN * s);
            return Verdict::Reconciled(shifted.collect());
        }
        let sizes: Vec<f64> = sizes.collect();
        for (root, size) in roots.iter_mut().zip(&sizes) {
            *root /= (size / largest).max(LAWSON_LEAST).sqrt();
        }
        let most = roots.iter().zip(&scales).fold(0.0_f64, |most, (root, scale)| most.max(root / scale));
        roots.iter_mut().for_each(|root| *root /= most);
    }
    unclear
}

/// The ray `v` with the largest `−bᵀv − ½ Σ (r_i v_i)²`: the projection of `−b/r` on the stretched cone.
fn project(
    space: &NullSpace,
    roots: &[f64],
    b: &[f64],
    cone: &[(f64, f64)],
    pivoting: &mut Pivoting,
) -> Option<Vec<f64>> {
    let space = space.stretched(roots);
    let target: Vec<f64> = b.iter().zip(roots).map(|(b, root)| -b / root).collect();
    let mut outside = target.clone();
    space.remove(&mut outside);
    let mut start: Vec<f64> = target.iter().zip(&outside).map(|(t, o)| t - o).collect();
    // What is nearest to the contradiction is worked out in its own unit.
    let unit = start.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
    if !(unit > 0.0) {
        return None;
    }
    start.iter_mut().for_each(|s| *s /= unit);
    let g = space.nearest(&start, cone, pivoting).ok()?;
    let bounded = g.iter().zip(cone).zip(roots);
    Some(bounded.map(|((g, (lo, hi)), root)| g.clamp(*lo, *hi) * unit / root).collect())
}
