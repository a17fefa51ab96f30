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
mod contract;
mod contributed;
pub(crate) mod info;
mod library;
mod system;

pub use contract::{Constrainer, FRICTION_THRESHOLD, Update};
pub use contributed::Contributed;
pub use info::{FrictionInfo, RowInfo};
pub use library::LibraryConstrainer;
pub use system::{
    Assembled, AssembledFriction, ConstrainerError, Fault, assemble_friction, assemble_friction_into,
    assemble_rows, assemble_rows_into,
};
