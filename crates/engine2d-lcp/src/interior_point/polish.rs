//! The last digits where masses differ by powers of ten.
//!
//! The crossover solves `(A_CC + w I) x = r` again and again, which needs no rank but gains only a factor
//! `w / (w + λ)` each time: where `A_CC` has eigenvalues far below `w`, as between bodies of very different masses,
//! it would take forever. Once the sets are settled the rows of C are factored on their own with a weight at the
//! level of rounding. Of a matrix with redundant rows that is no use: then the answer is not better, and not taken.

use super::Scaled;
use super::system::{Form, System, force_form};
use crate::Set;
use crate::tolerance::{LAST_DIGIT, POLISH_PASSES};

/// Solves `a = 0` on the clamped rows for the scaled forces `f`; `false` if that is no better than before.
pub(super) fn polish(p: &Scaled, system: &mut System, sets: &[Set], f: &mut [f64]) -> bool {
    let clamped: Vec<usize> = (0..f.len()).filter(|&i| sets[i] == Set::Clamped && !p.fixed(i)).collect();
    let Some(matrix) = system.principal(&clamped) else { return false };
    let Ok(Form::Force { mut base, places, mut cholesky }) = force_form(matrix) else { return false };
    places.iter().for_each(|&place| base[place] += LAST_DIGIT);
    if cholesky.factor(&base).is_err() {
        return false;
    }
    let mut a = vec![0.0; f.len()];
    let mut step = vec![0.0; clamped.len()];
    let mut largest = f64::INFINITY;
    let mut improved = false;
    for _ in 0..POLISH_PASSES {
        system.product(f, &mut a);
        for (step, &i) in step.iter_mut().zip(&clamped) {
            *step = -(a[i] + p.b[i]);
        }
        let now = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        if !(now < 0.5 * largest) {
            break;
        }
        (improved, largest) = (largest < f64::INFINITY, now);
        cholesky.solve(&mut step);
        clamped.iter().zip(&step).for_each(|(&i, step)| f[i] += step);
    }
    improved
}
