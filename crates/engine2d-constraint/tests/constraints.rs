//! The tests of constraints as one program, which is compiled and linked once. Each stands under the name of its file:
//! `cargo test -p engine2d-constraint --test constraints gears::`.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod circle_on_line;
mod circles;
mod constrainers;
mod finite_differences;
mod gears;
mod laws;
mod limits;
mod own;
mod properties;
mod table;
