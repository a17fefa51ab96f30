//! The tests of geometry as one program, which is compiled and linked once. Each stands under the name of its file:
//! `cargo test -p engine2d-geometry --test geometry walls::`.

mod broad_phase;
mod casts;
mod company;
mod convex_properties;
mod crossed;
mod extreme_sizes;
mod features;
mod finder;
mod fuzzed;
mod golden;
mod hysteresis;
mod outlines;
mod path_pair;
mod path_queries;
mod shallow_overlap;
mod tips;
mod walls;
