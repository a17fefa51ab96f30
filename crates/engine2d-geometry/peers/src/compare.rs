//! Times of this crate's queries beside those of parry and rapier on the same input.
//!
//! `cargo run --release` prints medians of processor time; run it on a quiet machine.

mod broad;
mod convex;
mod measure;
mod paths;

fn main() {
    convex::run();
    paths::run();
    broad::run();
}
