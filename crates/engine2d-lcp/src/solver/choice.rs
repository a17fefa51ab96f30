//! Which method answers, and why.

use super::{Run, Solver};
use crate::tolerance::{DENSE_ROWS, JACOBIAN_ROWS, PIVOTING_ROWS};
#[cfg(feature = "sparse")]
use crate::tolerance::{SPARSE_SHARE, THIN_LINKS, THIN_ROWS};
use crate::{Lcp, Matrix, Method};

impl Solver {
    /// The method and why.
    pub(super) fn choose(&self, problem: &Lcp<'_>, run: &Run<'_>) -> (Method, &'static str) {
        if self.method != Method::Auto {
            return (self.method, "asked for");
        }
        if !problem.is_symmetric() {
            return match problem.has_friction() {
                true => (Method::Lemke, "the matrix is not symmetric, and there are friction rows"),
                false => (Method::BlockPivoting, "the matrix is not symmetric"),
            };
        }
        if problem.has_friction() {
            return (Method::Friction, "there are friction rows");
        }
        if self.portable {
            let few = problem.len() <= DENSE_ROWS || matches!(problem.matrix(), Matrix::Dense(_));
            return match few {
                true => {
                    (Method::Pivoting, "few rows or a dense matrix, and the same bits on every processor")
                }
                false => (Method::Friction, "many rows, and the same bits on every processor"),
            };
        }
        let jacobian = cfg!(feature = "sparse") && matches!(problem.matrix(), Matrix::Jacobian { .. });
        if problem.len() <= if jacobian { JACOBIAN_ROWS } else { PIVOTING_ROWS } {
            return (Method::Pivoting, "few rows");
        }
        if self.policy.is_some()
            || run.trace.is_some()
            || run.warm.is_some() && problem.len() <= 4 * PIVOTING_ROWS
        {
            return (Method::Pivoting, "an order, an observer or a warm start was given");
        }
        #[cfg(feature = "sparse")]
        {
            let share = density(problem);
            let links = share * problem.len() as f64;
            if problem.len() <= THIN_ROWS && !jacobian && links <= THIN_LINKS {
                return (Method::Pivoting, "some hundred rows, each linked to few others");
            }
            if share < SPARSE_SHARE {
                return (Method::InteriorPoint, "many rows, sparse matrix");
            }
        }
        #[cfg(not(feature = "sparse"))]
        if let Some(choice) = without_sparse(problem) {
            return choice;
        }
        (Method::BlockPivoting, "many rows, dense matrix")
    }
}

/// The method for a sparse matrix where the feature for it is off: sweeps need no dense matrix.
#[cfg(not(feature = "sparse"))]
fn without_sparse(problem: &Lcp<'_>) -> Option<(Method, &'static str)> {
    if !matches!(problem.matrix(), Matrix::Sparse(_)) {
        return None;
    }
    if problem.len() <= crate::tolerance::FORMED_ROWS {
        return Some((Method::Pivoting, "sparse matrix, formed densely: the feature `sparse` is off"));
    }
    cfg!(feature = "gauss-seidel")
        .then_some((Method::GaussSeidel, "many rows, sparse matrix, and the feature `sparse` is off"))
}

/// Share of entries that are not zero: of `A`, in every eighth row if it is dense, or an estimate from the Jacobian.
pub(super) fn density(problem: &Lcp<'_>) -> f64 {
    let n = problem.len() as f64;
    match problem.matrix() {
        Matrix::Dense(a) => {
            let rows = a.chunks(problem.len().max(1)).step_by(8);
            let seen = rows.len() as f64 * n;
            rows.flatten().filter(|a| **a != 0.0).count() as f64 / seen
        }
        Matrix::Sparse(a) => a.value.len() as f64 / (n * n),
        Matrix::Jacobian { jacobian, inverse_mass, .. } => {
            // Two rows meet if they share a column: each column's rows form a clique.
            let columns = inverse_mass.len().max(1) as f64;
            let entries = jacobian.value.len() as f64;
            (entries / n) * (entries / columns) / n
        }
    }
}
