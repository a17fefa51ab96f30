//! Constraint rows, Jacobians, assembly and the Delassus operator of planar mechanisms.
#![doc = include_str!("../README.md")]
