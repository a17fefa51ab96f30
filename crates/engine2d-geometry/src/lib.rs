//! Exact planar collision geometry: paths of straight and circular edges, contact features, queries.
#![doc = include_str!("../README.md")]
