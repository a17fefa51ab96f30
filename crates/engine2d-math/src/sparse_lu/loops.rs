//! The loops of a factorization and of a solution, for vectors of any width.

use super::{Entries, SparseLu};
use crate::wide::{Loops, widest};

impl SparseLu {
    /// Factors the stale blocks and those that depend on them.
    pub(super) fn factor_stale(&mut self, fill: impl FnMut(usize, &mut Entries<'_>)) -> bool {
        widest(Factor { lu: self, fill })
    }

    /// `x ← K⁻¹ x`.
    pub fn solve(&mut self, x: &mut [f64]) {
        widest(Solve { lu: self, x });
    }
}

/// The loops of a factorization.
struct Factor<'a, F> {
    lu: &'a mut SparseLu,
    fill: F,
}

impl<F: FnMut(usize, &mut Entries<'_>)> Loops for Factor<'_, F> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.lu.factor_blocks(self.fill)
    }
}

/// The loops of a solution.
struct Solve<'a> {
    lu: &'a mut SparseLu,
    x: &'a mut [f64],
}

impl Loops for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.lu.solve_blocks(self.x);
    }
}
