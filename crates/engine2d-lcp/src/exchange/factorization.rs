//! What exchange in blocks asks of a factorization.

use crate::dense::Dense;

/// What solves for the forces of C.
pub(super) trait Factorization {
    /// The order of elimination; empty if it is that of the rows' numbers.
    fn sequence(&self) -> &[usize];
    /// `x ← A_CC⁻¹ x` for the rows `active` in that order, those that are combinations of others without force; `false` if a pivot
    /// leaves doubt.
    fn eliminate(&mut self, p: Dense<'_>, active: &[u32], x: &mut [f64]) -> bool;
    /// As the last [`Factorization::eliminate`] for other right-hand sides.
    fn solve(&mut self, x: &mut [f64]);
    /// Whether the k-th of the rows is a combination of others.
    fn is_dependent(&self, k: usize) -> bool;
    /// `a = A f + b`.
    fn accelerations(&mut self, p: Dense<'_>, f: &[f64], a: &mut [f64]);
}
