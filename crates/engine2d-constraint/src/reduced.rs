//! `J M⁻¹ Jᵀ` of rigid rows, factored with an analysis of its rank.
//!
//! Rows are scaled to a unit diagonal. Where all pivots of `L D Lᵀ` are far from zero the rows are independent and that
//! factorization, with one step of refinement, answers. Otherwise eigenvalues decide: those below the dependence limit
//! are damped away, which gives multipliers of least norm in the scaled rows' metric.

use crate::body::RigidBody;
use crate::row::{ConstraintRow, InverseMass};
use crate::sparse_delassus::SparseDelassus;
use crate::tolerance::{DEPENDENT, EIGEN_ROWS, REGULAR_PIVOT};
use engine2d_math::Vec2;
use engine2d_math::ldlt::UpdatableLdlt;
use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

/// A factored reduced system; its storage is reused while rows are independent.
#[derive(Debug, Default)]
pub(crate) struct Reduced {
    rows: Vec<ConstraintRow>,
    masses: Vec<InverseMass>,
    arms: Vec<Vec2>,
    matrix: SparseDelassus,
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
    pub(crate) fn new(bodies: &[RigidBody], rows: impl Iterator<Item = ConstraintRow>) -> Self {
        let mut reduced = Self::default();
        reduced.prepare(bodies, rows);
        reduced
    }

    /// Assembles and factors the matrix of these rows.
    pub(crate) fn prepare(&mut self, bodies: &[RigidBody], rows: impl Iterator<Item = ConstraintRow>) {
        self.prepare_with_limit(bodies, rows, DEPENDENT);
    }

    /// As [`prepare`](Self::prepare) with another limit of dependence.
    pub(crate) fn prepare_with_limit(
        &mut self,
        bodies: &[RigidBody],
        rows: impl Iterator<Item = ConstraintRow>,
        limit: f64,
    ) {
        self.masses.clear();
        self.masses.extend(bodies.iter().map(|b| InverseMass::new(b.mass.mass, b.mass.inertia)));
        self.arms.clear();
        self.arms.extend(bodies.iter().map(|b| b.motion.arm(b.mass.center)));
        self.rows.clear();
        let arms = &self.arms;
        let arm_of = |b: engine2d_geometry::BodyRef| b.index().map_or_else(Vec2::zeros, |i| arms[i]);
        self.rows.extend(rows.map(|r| r.centered(arm_of)));
        self.matrix.assemble(&self.rows, &self.masses);
        let n = self.rows.len();
        self.scale.clear();
        for i in 0..n {
            let (columns, values) = self.matrix.row(i);
            let d = columns.binary_search(&i).map_or(0.0, |k| values[k]);
            self.scale.push(if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 });
        }
        self.eigen = None;
        self.limit = limit;
        if !self.factor_regular() {
            if n <= EIGEN_ROWS {
                self.factor_eigen(limit);
            } else {
                self.factor_independent();
            }
        }
    }

    /// Writes the scaled entries of row `i` among the rows kept so far.
    fn scaled_row(&mut self, i: usize, place: impl Fn(usize) -> Option<usize>) -> f64 {
        self.scratch.clear();
        self.scratch.resize(self.factor.len(), 0.0);
        let mut diagonal = 0.0;
        let (columns, values) = self.matrix.row(i);
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
    fn factor_regular(&mut self) -> bool {
        let n = self.rows.len();
        self.factor.reset(n);
        self.kept.clear();
        self.dependent.clear();
        for i in 0..n {
            let diagonal = self.scaled_row(i, Some);
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

    fn factor_eigen(&mut self, limit: f64) {
        let n = self.rows.len();
        let mut matrix = DMatrix::zeros(n, n);
        for i in 0..n {
            let (columns, values) = self.matrix.row(i);
            columns.iter().zip(values).for_each(|(&j, v)| matrix[(i, j)] = v * self.scale[i] * self.scale[j]);
        }
        let eigen = SymmetricEigen::new(matrix);
        self.limit = limit * eigen.eigenvalues.amax().max(1.0);
        self.eigen = Some(eigen);
    }

    /// Factors the rows that are independent of those before them and notes the others.
    fn factor_independent(&mut self) {
        let n = self.rows.len();
        self.factor.reset(n);
        self.kept.clear();
        let mut place = vec![None; n];
        for i in 0..n {
            let diagonal = self.scaled_row(i, |j| place[j]);
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
        let mut shares = vec![0.0; self.rows.len()];
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
    pub(crate) fn solve(&mut self, rhs: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let Some(e) = &self.eigen else {
            out.resize(rhs.len(), 0.0);
            self.solve_kept(rhs, out);
            // The second round removes what rounding left of the first.
            let mut residual = std::mem::take(&mut self.scratch);
            residual.clear();
            residual.resize(rhs.len(), 0.0);
            self.matrix.multiply(out, &mut residual);
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

    /// `rhs − (J M⁻¹ Jᵀ) λ`: what the multipliers leave.
    pub(crate) fn residual(&self, rhs: &[f64], multipliers: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; rhs.len()];
        self.matrix.multiply(multipliers, &mut product);
        rhs.iter().zip(product).map(|(b, p)| b - p).collect()
    }
}
