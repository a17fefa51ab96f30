//! `J M⁻¹ Jᵀ` of rigid rows, factored with an analysis of its rank.
//!
//! Rows are scaled to a unit diagonal. Where all pivots of `L D Lᵀ` are far from zero the rows are independent and that
//! factorization, with one step of refinement, answers. Otherwise eigenvalues decide: those below the dependence limit
//! are damped away, which gives multipliers of least norm in the scaled rows' metric.

use crate::sparse_delassus::SparseDelassus;
use crate::tolerance::{DEPENDENT, EIGEN_ROWS, REGULAR_PIVOT};
use engine2d_math::ldlt::UpdatableLdlt;
use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

/// A factored reduced system; its storage is reused while rows are independent. Every call takes the same matrix.
#[derive(Debug, Default)]
pub(crate) struct Reduced {
    scale: Vec<f64>,
    factor: UpdatableLdlt,
    /// Rows in the factor, in order.
    kept: Vec<usize>,
    /// Combinations that give the rows left out of the factor.
    dependent: Vec<(usize, Vec<f64>)>,
    eigen: Option<SymmetricEigen<f64, Dyn>>,
    limit: f64,
    scratch: Vec<f64>,
    solved: Vec<f64>,
}

impl Reduced {
    /// The factored matrix with the usual limit of dependence.
    pub(crate) fn new(matrix: &SparseDelassus) -> Self {
        let mut reduced = Self::default();
        reduced.factor(matrix, DEPENDENT);
        reduced
    }

    /// Factors the matrix; combinations of rows below `limit` count as dependent.
    pub(crate) fn factor(&mut self, matrix: &SparseDelassus, limit: f64) {
        let n = matrix.size();
        debug_assert!(matrix.values().iter().all(|v| v.is_finite()), "rows and masses are checked before");
        self.scale.clear();
        self.scale.extend((0..n).map(|i| {
            let d = matrix.diagonal(i);
            if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 }
        }));
        self.eigen = None;
        self.limit = limit;
        if !self.factor_regular(matrix) {
            if n <= EIGEN_ROWS {
                self.factor_eigen(matrix, limit);
            } else {
                self.factor_independent(matrix);
            }
        }
    }

    /// Writes the scaled entries of row `i` among the rows kept so far.
    fn scaled_row(
        &mut self,
        matrix: &SparseDelassus,
        i: usize,
        place: impl Fn(usize) -> Option<usize>,
    ) -> f64 {
        self.scratch.clear();
        self.scratch.resize(self.factor.len(), 0.0);
        let mut diagonal = 0.0;
        let (columns, values) = matrix.row(i);
        for (&j, value) in columns.iter().zip(values) {
            let scaled = value * self.scale[i] * self.scale[j];
            if j == i {
                diagonal = scaled;
            } else if j < i
                && let Some(k) = place(j)
            {
                self.scratch[k] = scaled;
            }
        }
        diagonal
    }

    /// Factors all rows in order; `false` at the first pivot that is not far from zero.
    fn factor_regular(&mut self, matrix: &SparseDelassus) -> bool {
        let n = matrix.size();
        self.factor.reset(n);
        self.kept.clear();
        self.dependent.clear();
        for i in 0..n {
            let diagonal = self.scaled_row(matrix, i, Some);
            self.factor.forward(&mut self.scratch);
            let pivot = self.factor.pivot_of(diagonal, &self.scratch);
            if !(pivot > REGULAR_PIVOT) {
                return false;
            }
            self.factor.push(&self.scratch, pivot);
            self.kept.push(i);
        }
        true
    }

    fn factor_eigen(&mut self, matrix: &SparseDelassus, limit: f64) {
        let n = matrix.size();
        let mut scaled = DMatrix::zeros(n, n);
        for i in 0..n {
            let (columns, values) = matrix.row(i);
            columns.iter().zip(values).for_each(|(&j, v)| scaled[(i, j)] = v * self.scale[i] * self.scale[j]);
        }
        let eigen = SymmetricEigen::new(scaled);
        self.limit = limit * eigen.eigenvalues.amax().max(1.0);
        self.eigen = Some(eigen);
    }

    /// Factors the rows that are independent of those before them and notes the others.
    fn factor_independent(&mut self, matrix: &SparseDelassus) {
        let n = matrix.size();
        self.factor.reset(n);
        self.kept.clear();
        let mut place = vec![None; n];
        for i in 0..n {
            let diagonal = self.scaled_row(matrix, i, |j| place[j]);
            self.factor.forward(&mut self.scratch);
            let pivot = self.factor.pivot_of(diagonal, &self.scratch);
            if pivot > self.limit {
                place[i] = Some(self.kept.len());
                self.factor.push(&self.scratch, pivot);
                self.kept.push(i);
            } else {
                let mut combination = self.scratch.clone();
                self.factor.divide(&mut combination);
                self.factor.backward(&mut combination);
                self.dependent.push((i, combination));
            }
        }
    }

    /// Number of independent rows.
    pub(crate) fn rank(&self) -> usize {
        match &self.eigen {
            None => self.kept.len(),
            Some(e) => e.eigenvalues.iter().filter(|v| **v > self.limit).count(),
        }
    }

    /// For each row, its share in dependent combinations: 0 for a row without redundancy, 1 for one that is
    /// dependent alone.
    pub(crate) fn redundancy(&self) -> Vec<f64> {
        let mut shares = vec![0.0; self.scale.len()];
        if let Some(e) = &self.eigen {
            for (k, value) in e.eigenvalues.iter().enumerate() {
                if *value <= self.limit {
                    for (i, share) in shares.iter_mut().enumerate() {
                        *share += e.eigenvectors[(i, k)] * e.eigenvectors[(i, k)];
                    }
                }
            }
        }
        for (i, combination) in &self.dependent {
            shares[*i] = 1.0;
            for (&j, c) in self.kept.iter().zip(combination) {
                shares[j] = f64::max(shares[j], (c * c).min(1.0));
            }
        }
        shares
    }

    /// Multipliers with `(J M⁻¹ Jᵀ) λ = rhs` as nearly as possible; of least norm up to [`EIGEN_ROWS`] rows.
    pub(crate) fn solve(&mut self, matrix: &SparseDelassus, rhs: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let Some(e) = &self.eigen else {
            out.resize(rhs.len(), 0.0);
            self.solve_kept(rhs, out);
            // The second round removes what rounding left of the first.
            let mut residual = std::mem::take(&mut self.scratch);
            residual.clear();
            residual.resize(rhs.len(), 0.0);
            matrix.multiply(out, &mut residual);
            residual.iter_mut().zip(rhs).for_each(|(r, b)| *r = b - *r);
            self.solve_kept(&residual, out);
            self.scratch = residual;
            return;
        };
        let scaled = DVector::from_fn(rhs.len(), |i, _| rhs[i] * self.scale[i]);
        let mut parts = e.eigenvectors.tr_mul(&scaled);
        for (part, value) in parts.iter_mut().zip(e.eigenvalues.iter()) {
            // 1/λ above the limit (a part in 1e8 off at a hundred times the limit), falling smoothly to 0 below it: a
            // mechanism that moves through a change point must not meet a jump there.
            let (square, limit) = (value * value, self.limit * self.limit);
            *part *= square * value / (square * square + limit * limit);
        }
        let y = &e.eigenvectors * parts;
        out.extend(y.iter().zip(&self.scale).map(|(y, s)| y * s));
    }

    /// Adds the solution over the rows in the factor.
    fn solve_kept(&mut self, rhs: &[f64], out: &mut [f64]) {
        let mut y = std::mem::take(&mut self.solved);
        y.clear();
        y.extend(self.kept.iter().map(|&i| rhs[i] * self.scale[i]));
        self.factor.solve(&mut y);
        for (&i, y) in self.kept.iter().zip(&y) {
            out[i] += y * self.scale[i];
        }
        self.solved = y;
    }
}
