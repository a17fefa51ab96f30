//! Mathematics shared by the layers of engine2d, and by nothing that knows of bodies or contacts.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "sparse")]
pub mod block_cholesky;
pub mod dense;
pub mod dense_cholesky;
pub mod eigen;
pub mod elimination;
pub mod envelope;
pub mod gram;
pub mod kernel;
pub mod kkt;
pub mod ldlt;
pub mod lu;
pub mod minimum_degree;
pub mod order;
pub mod random;
pub mod sparse_block;
pub mod sparse_lu;
pub mod tolerance;

#[cfg(feature = "sparse")]
pub mod sparse_cholesky;
pub mod trig;

#[cfg(feature = "geometry")]
mod pose;
#[cfg(feature = "geometry")]
pub mod sampled_curve;
#[cfg(feature = "geometry")]
mod vector;
mod wide;

/// The crate of the vectors in public signatures, in the version that they are of: who works with [`Vec2`] needs no dependency
/// of its own whose version would have to match.
#[cfg(feature = "geometry")]
pub use nalgebra;
#[cfg(feature = "geometry")]
pub use pose::Pose;
pub use sparse_block::SparseBlockMatrix;
#[cfg(feature = "geometry")]
pub use vector::{Vec2, cross, perp};
