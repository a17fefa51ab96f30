//! The `Constrainer` interface: anything that contributes bilateral, unilateral and friction constraints to a
//! system, row by row, in an order that every operation repeats.
//!
//! The system loops over its constrainers and threads a running index through each call: the order of columns in
//! `Gᵀ`, `Nᵀ`, `Dᵀ` is the order of multipliers, infos and states. Bilateral rows demand `G v = 0`, unilateral ones
//! `N v ≥ 0` with forces `θ ≥ 0`; friction forces act along the rows of `D` within `±μ θ`. Rows may also keep a rate
//! ([`RowInfo::drive`]), and friction sets have limits of their own ([`FrictionInfo::limits`]): motors.
//!
//! Each pass over a system is [`update`](Constrainer::update), then sizes and rows ([`assemble_rows_into`]), then friction
//! ([`assemble_friction_into`]), then forces and states back. [`LibraryConstrainer`] drives any constraint of the library.
//!
//! A constrainer of your own, a point of a body held on the world's x axis:
//!
//! ```
//! use engine2d_constraint::constrainer::{Constrainer, RowInfo, Update};
//! use engine2d_constraint::Motions;
//! use engine2d_geometry::BodyRef;
//! use engine2d_math::{SparseBlockMatrix, Vec2, cross, sparse_block::BlockError};
//!
//! struct OnAxis { body: u32, point: Vec2, force: f64, height: f64 }
//!
//! impl Constrainer for OnAxis {
//!     fn bilateral_sizes(&self, sizes: &mut Vec<usize>) { sizes.push(1); }
//!     fn add_bilateral(&mut self, m: Motions<'_>, gt: &mut SparseBlockMatrix, dg: &mut [f64], index: usize)
//!         -> Result<usize, BlockError> {
//!         let motion = m.of(BodyRef::Body(self.body));
//!         let (arm, up) = (motion.arm(self.point), Vec2::new(0.0, 1.0));
//!         let column = gt.append_column(1);
//!         gt.set(self.body as usize, column, &[0.0, 1.0, cross(arm, up)])?;
//!         dg[index] = motion.acceleration_bias_at(arm).y; // what the row's rate changes by itself
//!         self.height = motion.position(self.point).y;
//!         Ok(index + 1)
//!     }
//!     fn bilateral_info(&self, info: &mut [RowInfo], index: usize) -> usize {
//!         info[index] = RowInfo { distance: self.height, ..RowInfo::default() };
//!         index + 1
//!     }
//!     fn set_bilateral_forces(&mut self, lambda: &[f64], scale: f64, index: usize) -> usize {
//!         self.force = lambda[index] * scale;
//!         index + 1
//!     }
//!     fn bilateral_forces(&self, lambda: &mut [f64], index: usize) -> usize {
//!         lambda[index] = self.force;
//!         index + 1
//!     }
//!     fn zero_forces(&mut self) { self.force = 0.0; }
//!     fn update(&mut self, _: Motions<'_>, _time: f64, _: Update) -> Option<f64> { Some(0.0) }
//!     fn components(&self, out: &mut Vec<BodyRef>) { out.push(BodyRef::Body(self.body)); }
//! }
//! ```

pub mod conformance;
mod hinge;
mod info;
mod library;
mod line_contact;
mod slider;
mod system;

pub use hinge::Hinge;
pub use info::{FrictionInfo, RowInfo};
pub use library::LibraryConstrainer;
pub use line_contact::{ContactPoint, LineContact};
pub use slider::Slider;
pub use system::{
    Assembled, AssembledFriction, ConstrainerError, Fault, assemble_friction, assemble_friction_into,
    assemble_rows, assemble_rows_into,
};

use crate::equation::Motions;
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
