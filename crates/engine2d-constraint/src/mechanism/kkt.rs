//! The KKT form `[M −Jᵀ; J R] [v; f] = [M v_free; −β]` of a problem.

use super::Mechanism;
use crate::body::along;
use crate::error::MechanismError;
use crate::problem::Problem;
#[cfg(feature = "sparse")]
use faer::sparse::{SparseColMat, Triplet};

/// The KKT system of a problem whose rows all hold: unknowns are the accelerations (or velocities) of all bodies, then
/// the forces (or impulses).
#[derive(Clone, Debug)]
pub struct Kkt {
    /// Number of unknown accelerations or velocities.
    pub bodies: usize,
    /// Number of rows.
    pub rows: usize,
    /// Entries `(row, column, value)`, none twice.
    pub entries: Vec<(usize, usize, f64)>,
    /// Right-hand side.
    pub right: Vec<f64>,
}

impl Kkt {
    /// The matrix by dense rows.
    #[must_use]
    pub fn to_dense(&self) -> Vec<Vec<f64>> {
        let n = self.right.len();
        let mut dense = vec![vec![0.0; n]; n];
        self.entries.iter().for_each(|&(i, j, v)| dense[i][j] += v);
        dense
    }

    /// The matrix in faer's compressed columns; `None` if it is too large for them.
    #[cfg(feature = "sparse")]
    #[must_use]
    pub fn to_faer(&self) -> Option<SparseColMat<usize, f64>> {
        let n = self.right.len();
        let entries: Vec<_> = self.entries.iter().map(|&(i, j, v)| Triplet::new(i, j, v)).collect();
        SparseColMat::try_new_from_triplets(n, n, &entries).ok()
    }
}

impl Mechanism {
    /// The KKT form of a problem of this mechanism, every row taken as an equation.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`] for a problem of another mechanism.
    pub fn kkt(&self, problem: &Problem) -> Result<Kkt, MechanismError> {
        if problem.mechanism != self.number || problem.free.len() != 3 * self.bodies.len() {
            return Err(MechanismError::ForeignId { id: problem.mechanism as usize });
        }
        let (n, rows) = (3 * self.bodies.len(), problem.len());
        let mut entries = Vec::new();
        let mut right = vec![0.0; n + rows];
        for (b, body) in self.bodies.iter().enumerate() {
            for (i, row) in body.mass_matrix().iter().enumerate() {
                for (j, &value) in row.iter().enumerate() {
                    entries.push((3 * b + i, 3 * b + j, value));
                    right[3 * b + i] += value * problem.free[3 * b + j];
                }
            }
        }
        for (k, row) in problem.rows.iter().enumerate() {
            let mut coefficients: Vec<(usize, f64)> = Vec::with_capacity(6);
            for (body, jacobian) in row.bodies.iter().zip(&row.jacobian) {
                let Some(b) = body.index() else { continue };
                for (i, &value) in jacobian.iter().enumerate() {
                    match coefficients.iter_mut().find(|(c, _)| *c == 3 * b + i) {
                        Some((_, sum)) => *sum += value,
                        None => coefficients.push((3 * b + i, value)),
                    }
                }
            }
            for (column, value) in coefficients {
                entries.push((column, n + k, -value));
                entries.push((n + k, column, value));
            }
            if problem.regularization[k] != 0.0 {
                entries.push((n + k, n + k, problem.regularization[k]));
            }
            right[n + k] = along(row, &problem.free) - problem.bias[k];
        }
        Ok(Kkt { bodies: n, rows, entries, right })
    }
}
