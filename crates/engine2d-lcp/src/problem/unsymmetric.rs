//! Problems whose matrix is not symmetric.

use super::{Lcp, Matrix, SparseRows, check_bias, check_length, check_numbers};
use crate::{Error, Row};
use std::borrow::Cow;

impl<'a> Lcp<'a> {
    /// A problem with any square matrix, row-major `n × n`: not symmetric, or symmetric and not semidefinite. All rows unilateral
    /// until [`Lcp::rows`] says otherwise.
    ///
    /// The same [`Solver`](crate::Solver) takes it: exchange of rows in blocks, then Lemke's method, whose answer
    /// carries the same certificate. Of such problems there is no theorem that covers them all: where every principal minor of
    /// `A` is positive there is exactly one answer, found unless the way is longer than the limits on rounds and pivots; elsewhere there
    /// may be none or several, and an end without answer, as [`Status::NoProgress`](crate::Status::NoProgress), proves nothing.
    ///
    /// ```
    /// use engine2d_lcp::{Lcp, Solver};
    ///
    /// let problem = Lcp::unsymmetric(vec![2.0, 1.0, -1.0, 2.0], vec![-5.0, -1.0])?;
    /// let solution = Solver::auto().solve(&problem)?;
    /// assert!(solution.is_solved());
    /// assert!((solution.f[0] - 1.8).abs() < 1e-15 && (solution.f[1] - 1.4).abs() < 1e-15);
    /// # Ok::<(), engine2d_lcp::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::NonFinite`], [`Error::OutOfRange`].
    pub fn unsymmetric(a: impl Into<Cow<'a, [f64]>>, b: impl Into<Cow<'a, [f64]>>) -> Result<Self, Error> {
        let (a, b) = (a.into(), b.into());
        check_length("A", a.len(), b.len() * b.len())?;
        check_numbers("A", &a)?;
        Self::any(Matrix::Dense(a), b)
    }

    /// As [`Lcp::unsymmetric`] from compressed rows. Costs what its rows are linked to, not `n²`, where exchange in blocks
    /// finds the answer; Lemke's method works densely, for some hundred rows.
    ///
    /// # Errors
    /// As [`Lcp::unsymmetric`].
    pub fn unsymmetric_sparse(a: SparseRows, b: impl Into<Cow<'a, [f64]>>) -> Result<Self, Error> {
        let b = b.into();
        a.check("A", b.len(), b.len())?;
        Self::any(Matrix::Sparse(a), b)
    }

    /// As [`Lcp::unsymmetric_sparse`] from entries `(row, column, value)` in any order; what is given several times for one
    /// place adds up.
    ///
    /// # Errors
    /// As [`Lcp::unsymmetric`].
    pub fn unsymmetric_triplets(
        entries: &[(usize, usize, f64)],
        b: impl Into<Cow<'a, [f64]>>,
    ) -> Result<Self, Error> {
        let b = b.into();
        Lcp::unsymmetric_sparse(SparseRows::from_triplets(entries, b.len())?, b)
    }

    /// Whether the matrix was given as a symmetric one: then the theorems of the methods hold.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    fn any(matrix: Matrix<'a>, bias: Cow<'a, [f64]>) -> Result<Self, Error> {
        check_bias(&bias)?;
        let rows = vec![Row::Unilateral; bias.len()].into();
        Ok(Self { matrix, bias, rows, frictional: false, symmetric: false })
    }
}
