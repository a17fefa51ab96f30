//! Observers that record a run: CSV, JSON Lines, summary, digest, SVG and a replay page.
#![doc = include_str!("../README.md")]
