//! Reads recorded answers of other systems and judges engine2d against them.
#![doc = include_str!("../README.md")]
