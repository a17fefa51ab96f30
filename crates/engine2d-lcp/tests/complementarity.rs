//! The tests of complementarity problems as one program, which is compiled and linked once. Each stands under the name of its file:
//! `cargo test -p engine2d-lcp --test complementarity theorem::`.

mod families;
mod faults;
mod flow;
mod friction;
mod heap;
mod hunt;
mod piles;
mod rows;
mod sparse;
mod stress;
mod theorem;
mod turned_heap;
mod unsymmetric;
