//! The loops of a factorization and of a solution, for vectors of any width.

use super::{Entries, SparseLu};
use crate::wide::{Loops, widest};

impl SparseLu {
    /// Factors the stale blocks and those that depend on them. What fills a row is called by address, so that the loops, which are long, are
    /// compiled once for each width and not once more for each caller.
    pub(super) fn factor_stale(&mut self, fill: &mut dyn FnMut(usize, &mut Entries<'_>)) -> bool {
        widest(Factor { lu: self, fill })
    }

    /// `x ← K⁻¹ x`.
    pub fn solve(&mut self, x: &mut [f64]) {
        widest(Solve { lu: self, x });
    }
}

/// The loops of a factorization.
struct Factor<'a, 'f> {
    lu: &'a mut SparseLu,
    fill: &'a mut (dyn FnMut(usize, &mut Entries<'_>) + 'f),
}

impl Loops for Factor<'_, '_> {
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
