//! Exact 2D rigid-body physics: certified contact forces, located collisions, exact joints.
#![doc = include_str!("../README.md")]
