//! Sparse Cholesky factorization with its symbolic part reused: faer behind a small door.
//!
//! **Conditions.** Symmetric positive definite, given by the lower triangle in compressed columns. The pattern
//! is analysed once (minimum degree ordering, elimination tree); each new set of values costs only the
//! numeric factorization. One thread; allocates nothing after the first factorization.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// Work per entry, relative to faer's own choice, from which columns are factored in blocks; measured on contact
/// problems, whose factors have small dense blocks earlier than most.
const SUPERNODAL: f64 = 0.3;

/// Why a pattern or a matrix could not be factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SparseError {
    /// The analysis ran out of memory or of index range.
    #[error("the symbolic factorization failed")]
    Symbolic,
    /// The matrix is not positive definite in floating point.
    #[error("the matrix is not positive definite")]
    NotPositiveDefinite,
}

/// A factorization whose pattern is fixed.
pub struct SparseCholesky {
    start: Vec<usize>,
    row: Vec<usize>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

impl std::fmt::Debug for SparseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseCholesky").field("len", &self.len()).field("fill", &self.fill()).finish()
    }
}

impl SparseCholesky {
    /// Analyses the pattern of a lower triangle in compressed columns (`start`, sorted `row` indices).
    ///
    /// # Errors
    /// [`SparseError::Symbolic`].
    ///
    /// # Panics
    /// If the pattern is malformed: indices out of range or not increasing within a column.
    pub fn analyse(start: Vec<usize>, row: Vec<usize>) -> Result<Self, SparseError> {
        let n = start.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &start, None, &row);
        let symbolic = factorize_symbolic_cholesky(
            pattern,
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold(SUPERNODAL),
                ..CholeskySymbolicParams::default()
            },
        )
        .map_err(|_| SparseError::Symbolic)?;
        let request = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let memory = MemBuffer::try_new(request).map_err(|_| SparseError::Symbolic)?;
        let factor = vec![0.0; symbolic.len_val()];
        Ok(Self { start, row, symbolic, factor, memory })
    }

    /// Dimension.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Whether the dimension is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of entries of the pattern.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.row.len()
    }

    /// Number of stored entries of the factor.
    #[must_use]
    pub fn fill(&self) -> usize {
        self.factor.len()
    }

    /// Factors the matrix with these values, in the order of the pattern.
    ///
    /// # Errors
    /// [`SparseError::NotPositiveDefinite`].
    ///
    /// # Panics
    /// If the number of values is not that of the pattern.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), SparseError> {
        let n = self.len();
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.start, None, &self.row);
        let matrix = SparseColMatRef::new(pattern, values);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                matrix,
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
                Default::default(),
            )
            .map(|_| ())
            .map_err(|_| SparseError::NotPositiveDefinite)
    }

    /// `x ← A⁻¹ x` with the last factorization.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        let factor = LltRef::new(&self.symbolic, &self.factor);
        let stack = MemStack::new(&mut self.memory);
        factor.solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            stack,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_matrix_is_solved_twice_with_one_analysis() {
        // Diagonal 4, 5, 6 with a full last row of ones.
        let mut cholesky = SparseCholesky::analyse(vec![0, 2, 4, 5], vec![0, 2, 1, 2, 2]).unwrap();
        for scale in [1.0, 3.0] {
            let values = [4.0, 1.0, 5.0, 1.0, 6.0].map(|v| v * scale);
            cholesky.factor(&values).unwrap();
            let mut x = [4.0 + 3.0, 10.0 + 3.0, 1.0 + 2.0 + 18.0].map(|v| v * scale);
            cholesky.solve(&mut x);
            assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(x, e)| (x - e).abs() < 1e-14));
        }
        assert_eq!(cholesky.factor(&[4.0, 9.0, 5.0, 1.0, 6.0]), Err(SparseError::NotPositiveDefinite));
    }
}
