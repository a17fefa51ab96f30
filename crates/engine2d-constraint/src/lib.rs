//! Constraint rows and their assembly.
#![doc = include_str!("../README.md")]

mod delassus;
mod row;

pub use delassus::{Delassus, delassus};
pub use row::{ConstraintRow, InverseMass};
