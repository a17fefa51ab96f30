//! The rows of C as a dense Cholesky factor; row by row where its rank is in doubt.

use super::factorization::Factorization;
use crate::dense::Dense;
use crate::tolerance::CLEAR_RANK;
use engine2d_math::dense_cholesky::DenseCholesky;
use engine2d_math::kernel::symmetric_product_add;
use engine2d_math::ldlt::UpdatableLdlt;

/// What to do where the rank of the clamped rows is in doubt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Unclear {
    /// Give up.
    #[default]
    End,
    /// Eliminate row by row, without rows whose relative pivot is below this.
    Eliminate(f64),
}

/// The factorization, by whichever of the two was made last.
#[derive(Clone, Debug, Default)]
pub(super) struct Whole {
    pub(super) unclear: Unclear,
    cholesky: DenseCholesky,
    factor: UpdatableLdlt,
    /// Whether the Cholesky factor is the one, and if not, which rows are in the other.
    regular: bool,
    kept: Vec<usize>,
    column: Vec<f64>,
    support: Vec<usize>,
}

impl Whole {
    /// Factors `A_CC` if it is regular without doubt.
    fn factor_clear(&mut self, p: Dense<'_>, active: &[u32]) -> bool {
        let m = active.len();
        let matrix = self.cholesky.load(m);
        for (k, (column, &i)) in matrix.chunks_exact_mut(m.max(1)).zip(active).enumerate() {
            let row = p.row(i as usize);
            for (entry, &j) in column[k..].iter_mut().zip(&active[k..]) {
                *entry = row[j as usize];
            }
        }
        let clear = |(pivot, &i): (f64, &u32)| pivot > CLEAR_RANK * p.diagonal(i as usize);
        self.cholesky.factor() && self.cholesky.pivots().zip(active).all(clear)
    }

    /// Factors `A_CC` row by row without the rows that depend on those before them.
    fn eliminate_rows(&mut self, p: Dense<'_>, active: &[u32], threshold: f64) {
        self.factor.reset(p.b.len());
        self.kept.clear();
        for (k, &i) in active.iter().enumerate() {
            let row = p.row(i as usize);
            self.column.clear();
            self.column.extend(self.kept.iter().map(|&place| row[active[place] as usize]));
            self.factor.forward(&mut self.column);
            let pivot = self.factor.pivot_of(row[i as usize], &self.column);
            if pivot > threshold * row[i as usize] {
                self.factor.push(&self.column, pivot);
                self.kept.push(k);
            }
        }
    }
}

impl Factorization for Whole {
    fn sequence(&self) -> &[usize] {
        &[]
    }

    fn eliminate(&mut self, p: Dense<'_>, active: &[u32], x: &mut [f64]) -> bool {
        self.regular = self.factor_clear(p, active);
        if !self.regular {
            let Unclear::Eliminate(threshold) = self.unclear else { return false };
            self.eliminate_rows(p, active, threshold);
        }
        self.solve(x);
        true
    }

    fn solve(&mut self, x: &mut [f64]) {
        if self.regular {
            return self.cholesky.solve(x);
        }
        self.column.clear();
        self.column.extend(self.kept.iter().map(|&k| x[k]));
        self.factor.solve(&mut self.column);
        x.fill(0.0);
        self.kept.iter().zip(&self.column).for_each(|(&k, value)| x[k] = *value);
    }

    fn is_dependent(&self, k: usize) -> bool {
        !self.regular && self.kept.binary_search(&k).is_err()
    }

    fn accelerations(&mut self, p: Dense<'_>, f: &[f64], a: &mut [f64]) {
        a.copy_from_slice(p.b);
        self.support.clear();
        self.support.extend((0..f.len()).filter(|&i| f[i] != 0.0));
        symmetric_product_add(p.a, &self.support, f, a);
    }
}
