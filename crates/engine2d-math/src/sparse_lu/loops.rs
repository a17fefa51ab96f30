//! The loops of a factorization and of a solution, for vectors of any width.

use super::{Entries, SparseLu};
use crate::wide::Loops;

/// The loops of a factorization.
pub(super) struct Factor<'a, F> {
    pub(super) lu: &'a mut SparseLu,
    pub(super) fill: F,
}

impl<F: FnMut(usize, &mut Entries<'_>)> Loops for Factor<'_, F> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.lu.factor_blocks(self.fill)
    }
}

/// The loops of a solution.
pub(super) struct Solve<'a> {
    pub(super) lu: &'a mut SparseLu,
    pub(super) x: &'a mut [f64],
}

impl Loops for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.lu.solve_blocks(self.x);
    }
}
