//! The module `engine2d._native` of Python: the same worlds, mechanisms and solvers as in Rust.
#![doc = include_str!("../README.md")]

mod arrays;
mod bodies;
mod changes;
mod contacts;
mod edits;
mod energy;
mod fault;
mod lcp;
mod mechanism;
mod queries;
mod raised;
mod recording;
mod report;
mod shape;
mod sweep;
mod tree;
mod world;

/// What the interpreter sees.
#[pyo3::pymodule]
#[pyo3(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::bodies::Body;
    #[pymodule_export]
    use crate::contacts::Contacts;
    #[pymodule_export]
    use crate::energy::Energy;
    #[pymodule_export]
    use crate::lcp::{LcpSolution, solve_dense, solve_jacobian, solve_sparse};
    #[pymodule_export]
    use crate::mechanism::Mechanism;
    #[pymodule_export]
    use crate::recording::Recording;
    #[pymodule_export]
    use crate::report::Report;
    #[pymodule_export]
    use crate::shape::{Shape, distance};
    #[pymodule_export]
    use crate::sweep::Sweep;
    #[pymodule_export]
    use crate::world::{World, built_in, scenes};
}
