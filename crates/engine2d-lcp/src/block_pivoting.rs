//! Block principal pivoting for medium dense problems.
//!
//! **Problem.** Without friction rows. **Method.** Guess the clamped set, solve it exactly, move every row that
//! turns out wrong at once [Júdice, Pires 1994]; when that stops lowering the number of wrong rows for a few
//! rounds, hand the best set to the incremental pivoting, which always ends. Redundant rows make `A_CC` singular:
//! where a pivot of its Cholesky factor leaves doubt, it is eliminated row by row and rows whose pivot vanishes are left
//! out, as in the incremental method. **Promise.** That of the pivoting solver; usually a handful of factorizations.

use crate::pivoting::Dense;
use crate::tolerance::{ACCEPTABLE, BLOCK_ROUNDS, CLEAR_RANK, PATIENCE};
use crate::{Row, Set, Solution, Stats};
use engine2d_math::dense_cholesky::DenseCholesky;
use engine2d_math::kernel::symmetric_product_add;
use engine2d_math::ldlt::UpdatableLdlt;

/// Scratch of the block method.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockPivoting {
    cholesky: DenseCholesky,
    factor: UpdatableLdlt,
    clamped: Vec<usize>,
    column: Vec<f64>,
    f: Vec<f64>,
    a: Vec<f64>,
    support: Vec<usize>,
    next: Vec<Set>,
    /// The sets under trial.
    pub(crate) sets: Vec<Set>,
}

/// What to do where the rank of the clamped rows is in doubt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Doubt {
    /// Give up.
    End,
    /// Eliminate row by row, without rows whose relative pivot is below this.
    Eliminate(f64),
}

impl BlockPivoting {
    /// Exchanges rows until none is wrong or no progress is made; leaves the last sets in `sets`. Returns whether none is
    /// wrong.
    pub(crate) fn guess(&mut self, p: Dense<'_>, kinds: &[Row], doubt: Doubt, stats: &mut Stats) -> bool {
        let n = p.b.len();
        let acceptable = ACCEPTABLE * p.b.iter().fold(1.0_f64, |m, b| m.max(b.abs()));
        self.sets.clear();
        self.sets.extend(kinds.iter().zip(p.b).map(|(kind, b)| match kind {
            Row::Unilateral if *b >= 0.0 => Set::Lower,
            Row::Boxed { lo, .. } if *lo == 0.0 && *b >= 0.0 => Set::Lower,
            _ => Set::Clamped,
        }));
        for v in [&mut self.f, &mut self.column] {
            v.resize(n, 0.0);
        }
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..BLOCK_ROUNDS {
            stats.factorizations += 1;
            if !self.solve_sets(p, kinds, doubt) {
                return false;
            }
            self.accelerations(p);
            let wrong = self.exchange(kinds, acceptable);
            if wrong == 0 {
                return true;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, PATIENCE);
            } else if patience == 0 {
                return false;
            } else {
                patience -= 1;
            }
        }
        false
    }

    /// Fills `solution` with the forces of the last guess, their accelerations and the sets.
    pub(crate) fn hand_over(&mut self, solution: &mut Solution) {
        std::mem::swap(&mut solution.f, &mut self.f);
        std::mem::swap(&mut solution.a, &mut self.a);
        solution.sets.clone_from(&self.sets);
        solution.order.clone_from(&self.clamped);
        solution.ray.clear();
    }

    /// Moves every row that is wrong to the set it asks for; returns how many.
    fn exchange(&mut self, kinds: &[Row], acceptable: f64) -> usize {
        self.next.clear();
        let mut wrong = 0;
        for (i, kind) in kinds.iter().enumerate() {
            let (lo, hi) = kind.bounds(0.0);
            let set = match self.sets[i] {
                Set::Clamped if self.f[i] < lo => Set::Lower,
                Set::Clamped if self.f[i] > hi => Set::Upper,
                Set::Lower if self.a[i] < -acceptable => Set::Clamped,
                Set::Upper if self.a[i] > acceptable => Set::Clamped,
                same => same,
            };
            wrong += usize::from(set != self.sets[i]);
            self.next.push(set);
        }
        std::mem::swap(&mut self.sets, &mut self.next);
        wrong
    }

    /// `a = A f + b`.
    fn accelerations(&mut self, p: Dense<'_>) {
        self.a.clear();
        self.a.extend_from_slice(p.b);
        self.support.clear();
        self.support.extend((0..p.b.len()).filter(|&i| self.f[i] != 0.0));
        symmetric_product_add(p.a, &self.support, &self.f, &mut self.a);
    }

    /// Forces of the clamped rows, the others at their bounds. Rows that depend on those before them keep force 0.
    /// `false` if the rank is in doubt and that is the end.
    fn solve_sets(&mut self, p: Dense<'_>, kinds: &[Row], doubt: Doubt) -> bool {
        self.clamped.clear();
        for (i, kind) in kinds.iter().enumerate() {
            let (lo, hi) = kind.bounds(0.0);
            self.f[i] = match self.sets[i] {
                Set::Lower => lo,
                Set::Upper => hi,
                _ => 0.0,
            };
            if self.sets[i] == Set::Clamped {
                self.clamped.push(i);
            }
        }
        self.accelerations(p);
        let regular = self.factor_clear(p);
        if !regular {
            let Doubt::Eliminate(threshold) = doubt else { return false };
            self.eliminate(p, threshold);
        }
        let target = &mut self.column[..self.clamped.len()];
        for (x, &i) in target.iter_mut().zip(&self.clamped) {
            *x = -self.a[i];
        }
        if regular {
            self.cholesky.solve(target);
        } else {
            self.factor.solve(target);
        }
        for (&i, f) in self.clamped.iter().zip(&self.column) {
            self.f[i] = *f;
        }
        true
    }

    /// Factors `A_CC` if it is regular without doubt.
    fn factor_clear(&mut self, p: Dense<'_>) -> bool {
        let m = self.clamped.len();
        let matrix = self.cholesky.load(m);
        for (k, (column, &i)) in matrix.chunks_exact_mut(m.max(1)).zip(&self.clamped).enumerate() {
            let row = p.row(i);
            for (entry, &j) in column[k..].iter_mut().zip(&self.clamped[k..]) {
                *entry = row[j];
            }
        }
        let clear = |(pivot, &i): (f64, &usize)| pivot > CLEAR_RANK * p.diagonal(i);
        self.cholesky.factor() && self.cholesky.pivots().zip(&self.clamped).all(clear)
    }

    /// Factors `A_CC` row by row and drops the rows that depend on those before them from C.
    fn eliminate(&mut self, p: Dense<'_>, threshold: f64) {
        self.factor.reset(p.b.len());
        let mut kept = 0;
        for k in 0..self.clamped.len() {
            let i = self.clamped[k];
            let row = p.row(i);
            let column = &mut self.column[..kept];
            for (y, &j) in column.iter_mut().zip(&self.clamped[..kept]) {
                *y = row[j];
            }
            self.factor.forward(column);
            let pivot = self.factor.pivot_of(row[i], column);
            if pivot > threshold * row[i] {
                self.factor.push(column, pivot);
                self.clamped[kept] = i;
                kept += 1;
            }
        }
        self.clamped.truncate(kept);
    }
}
