//! The trait of constrainers: every operation, in the order in which a pass calls them.

use super::info::{FrictionInfo, RowInfo};
use crate::motion::Motions;
use engine2d_geometry::BodyRef;
use engine2d_math::SparseBlockMatrix;
use engine2d_math::sparse_block::BlockError;

/// What an update recomputes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Everything, including which contacts and limits are engaged.
    Compute,
    /// What depends on the pose; the engaged rows stay the same.
    Refresh,
}

/// Anything that contributes constraints to a system. Operations without rows have empty defaults.
pub trait Constrainer {
    /// Its name in reports; by default that of its type.
    fn name(&self) -> &str {
        std::any::type_name::<Self>()
    }

    /// Appends the number of rows of each block column of bilateral constraints.
    fn bilateral_sizes(&self, _sizes: &mut Vec<usize>) {}

    /// Appends block columns to `Gᵀ` and writes `ġ` (velocity-product terms) from `index` on; returns the index
    /// after its rows.
    ///
    /// # Errors
    /// [`BlockError`] for a block that does not fit.
    fn add_bilateral(
        &mut self,
        _motions: Motions<'_>,
        _gt: &mut SparseBlockMatrix,
        _dg: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        Ok(index)
    }

    /// Writes the infos of its bilateral rows from `index` on; every field is overwritten.
    fn bilateral_info(&self, _info: &mut [RowInfo], index: usize) -> usize {
        index
    }

    /// Stores the forces of its bilateral rows: `lambda · scale` (the scale turns impulses into forces).
    fn set_bilateral_forces(&mut self, _lambda: &[f64], _scale: f64, index: usize) -> usize {
        index
    }

    /// Writes the stored forces of its bilateral rows.
    fn bilateral_forces(&self, _lambda: &mut [f64], index: usize) -> usize {
        index
    }

    /// Sets all stored forces to zero: bilateral, unilateral and friction.
    fn zero_forces(&mut self) {}

    /// Appends the number of rows of each block column of engaged unilateral constraints.
    fn unilateral_sizes(&self, _sizes: &mut Vec<usize>) {}

    /// As [`add_bilateral`](Self::add_bilateral) for `Nᵀ` and the engaged rows.
    ///
    /// # Errors
    /// [`BlockError`].
    fn add_unilateral(
        &mut self,
        _motions: Motions<'_>,
        _nt: &mut SparseBlockMatrix,
        _dn: &mut [f64],
        index: usize,
    ) -> Result<usize, BlockError> {
        Ok(index)
    }

    /// As [`bilateral_info`](Self::bilateral_info) for the engaged rows.
    fn unilateral_info(&self, _info: &mut [RowInfo], index: usize) -> usize {
        index
    }

    /// As [`set_bilateral_forces`](Self::set_bilateral_forces) for the engaged rows.
    fn set_unilateral_forces(&mut self, _theta: &[f64], _scale: f64, index: usize) -> usize {
        index
    }

    /// As [`bilateral_forces`](Self::bilateral_forces) for the engaged rows.
    fn unilateral_forces(&self, _theta: &mut [f64], index: usize) -> usize {
        index
    }

    /// Stores the state of its engaged rows for the next solve's warm start: 0 inactive, 1 at an upper limit, 2 active.
    fn set_unilateral_state(&mut self, _state: &[u8], index: usize) -> usize {
        index
    }

    /// Writes the stored states of its engaged rows.
    fn unilateral_state(&self, _state: &mut [u8], index: usize) -> usize {
        index
    }

    /// Upper bound on the number of friction sets.
    fn max_friction_sets(&self) -> usize {
        0
    }

    /// Appends the friction directions of its contacts to `Dᵀ` and an info for each; called after the unilateral
    /// rows were added. With `prune`, contacts whose `μ · force` is at most the friction threshold get an info
    /// without block.
    ///
    /// # Errors
    /// [`BlockError`].
    fn add_friction(
        &mut self,
        _motions: Motions<'_>,
        _dt: &mut SparseBlockMatrix,
        _info: &mut Vec<FrictionInfo>,
        _prune: bool,
    ) -> Result<(), BlockError> {
        Ok(())
    }

    /// Stores friction forces, one for each set (pruned ones zero), scaled.
    fn set_friction_forces(&mut self, _phi: &[f64], _scale: f64, index: usize) -> usize {
        index
    }

    /// Writes the stored friction forces.
    fn friction_forces(&self, _phi: &mut [f64], index: usize) -> usize {
        index
    }

    /// Stores the state of each friction set (pruned ones 0) for the next solve's warm start: 0 at the lower limit, 1 at
    /// the upper, 2 sticking.
    fn set_friction_state(&mut self, _state: &[u8], index: usize) -> usize {
        index
    }

    /// Writes the stored states of its friction sets.
    fn friction_state(&self, _state: &mut [u8], index: usize) -> usize {
        index
    }

    /// Brings distances (and with [`Update::Compute`] engagements) up to date at `time`; returns the largest
    /// penetration (≥ 0), or `None` when nothing is active.
    fn update(&mut self, motions: Motions<'_>, time: f64, what: Update) -> Option<f64>;

    /// Appends the bodies it constrains, the ground left out.
    fn components(&self, out: &mut Vec<BodyRef>);
}

/// Friction sets whose limit `μ · force` is at most this are pruned (force).
pub const FRICTION_THRESHOLD: f64 = 1e-2;

/// Sets the blocks of two bodies into a column of a transposed Jacobian; the ground has none.
pub(crate) fn set_blocks<const N: usize>(
    matrix: &mut SparseBlockMatrix,
    column: usize,
    blocks: [(BodyRef, [f64; N]); 2],
) -> Result<(), BlockError> {
    for (body, values) in blocks {
        if let Some(i) = body.index() {
            matrix.set(i, column, &values)?;
        }
    }
    Ok(())
}
