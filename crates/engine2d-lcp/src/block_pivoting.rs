//! Block principal pivoting for medium dense problems.
//!
//! **Problem.** Without friction rows. **Method.** Guess the clamped set, solve it exactly, move every row that
//! turns out wrong at once [Júdice, Pires 1994]; when that stops lowering the number of wrong rows for a few
//! rounds, hand the best set to the incremental pivoting, which always ends. Redundant rows make `A_CC` singular:
//! rows whose pivot vanishes are left out, as in the incremental method. **Promise.** That of the pivoting solver;
//! usually a handful of factorizations.

use crate::tolerance::{ACCEPTABLE, BLOCK_PATIENCE, BLOCK_ROUNDS};
use crate::{Lcp, Row, Set, Stats};
use engine2d_math::kernel::dot;
use engine2d_math::ldlt::UpdatableLdlt;

/// Scratch of the block method.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockPivoting {
    factor: UpdatableLdlt,
    clamped: Vec<usize>,
    column: Vec<f64>,
    f: Vec<f64>,
    best: Vec<Set>,
    /// The sets under trial.
    pub(crate) sets: Vec<Set>,
}

impl BlockPivoting {
    /// Exchanges rows until none is wrong or no progress is made; leaves the best sets in `sets`.
    pub(crate) fn guess(&mut self, problem: &Lcp<'_>, dense: &[f64], threshold: f64, stats: &mut Stats) {
        let n = problem.len();
        let b = problem.bias();
        let scale = b.iter().fold(1.0_f64, |m, b| m.max(b.abs()));
        self.sets.clear();
        self.sets.extend(problem.kinds().iter().zip(b).map(|(kind, b)| match kind {
            Row::Unilateral if *b >= 0.0 => Set::Lower,
            Row::Boxed { lo, .. } if *lo == 0.0 && *b >= 0.0 => Set::Lower,
            _ => Set::Clamped,
        }));
        self.f.resize(n, 0.0);
        self.column.resize(n, 0.0);
        let (mut fewest, mut patience) = (usize::MAX, BLOCK_PATIENCE);
        for _ in 0..BLOCK_ROUNDS {
            stats.factorizations += 1;
            self.solve_sets(problem, dense, threshold);
            let mut wrong = 0;
            let mut next = std::mem::take(&mut self.best);
            next.clear();
            for i in 0..n {
                let (lo, hi) = problem.kinds()[i].bounds(0.0);
                let a = if self.sets[i] == Set::Clamped {
                    0.0
                } else {
                    b[i] + dot(&dense[i * n..(i + 1) * n], &self.f)
                };
                let set = match self.sets[i] {
                    Set::Clamped if self.f[i] < lo => Set::Lower,
                    Set::Clamped if self.f[i] > hi => Set::Upper,
                    Set::Lower if a < -ACCEPTABLE * scale => Set::Clamped,
                    Set::Upper if a > ACCEPTABLE * scale => Set::Clamped,
                    same => same,
                };
                wrong += usize::from(set != self.sets[i]);
                next.push(set);
            }
            std::mem::swap(&mut self.sets, &mut next);
            self.best = next;
            if wrong == 0 {
                return;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, BLOCK_PATIENCE);
            } else if patience == 0 {
                return;
            } else {
                patience -= 1;
            }
        }
    }

    /// Forces of the clamped rows, the others at their bounds. Rows that depend on those before them keep force 0.
    fn solve_sets(&mut self, problem: &Lcp<'_>, dense: &[f64], threshold: f64) {
        let n = problem.len();
        self.factor.reset(n);
        self.clamped.clear();
        for i in 0..n {
            let (lo, hi) = problem.kinds()[i].bounds(0.0);
            self.f[i] = match self.sets[i] {
                Set::Lower => lo,
                Set::Upper => hi,
                _ => 0.0,
            };
            if self.sets[i] != Set::Clamped {
                continue;
            }
            let row = &dense[i * n..(i + 1) * n];
            let column = &mut self.column[..self.clamped.len()];
            for (y, &j) in column.iter_mut().zip(&self.clamped) {
                *y = row[j];
            }
            self.factor.forward(column);
            let pivot = self.factor.pivot_of(row[i], column);
            if pivot > threshold * row[i] {
                self.factor.push(column, pivot);
                self.clamped.push(i);
            }
        }
        let m = self.clamped.len();
        for k in 0..m {
            let i = self.clamped[k];
            self.column[k] = -(problem.bias()[i] + dot(&dense[i * n..(i + 1) * n], &self.f));
        }
        self.factor.solve(&mut self.column[..m]);
        for (&i, f) in self.clamped.iter().zip(&self.column) {
            self.f[i] = *f;
        }
    }
}
