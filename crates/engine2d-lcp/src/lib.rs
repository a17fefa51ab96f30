//! Mixed linear complementarity problems of contact mechanics, solved to a certificate.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod certificate;
mod contradiction;
mod deadline;
mod dense;
mod double;
mod error;
mod exchange;
mod factored;
#[cfg(feature = "file")]
pub mod file;
mod friction;
#[cfg(feature = "gauss-seidel")]
mod gauss_seidel;
mod gram;
#[cfg(feature = "sparse")]
mod interior_point;
#[cfg(feature = "lemke")]
pub mod lemke;
mod min_norm;
mod neighbours;
mod null_space;
mod partition;
mod pivoting;
mod policy;
#[cfg(feature = "sparse")]
mod presolve;
mod principal;
mod problem;
mod ray;
#[cfg(feature = "reference")]
pub mod reference;
mod row;
mod scale;
mod semidefinite;
mod small;
mod solution;
mod solver;
mod stepper;
mod stored;
#[cfg_attr(
    not(all(feature = "lemke", feature = "sparse")),
    expect(dead_code, reason = "constants of all methods are listed together")
)]
pub mod tolerance;
mod trace;

pub use certificate::Certificate;
pub use error::Error;
pub use factored::FactoredSets;
pub use partition::islands;
pub use policy::Policy;
pub use problem::{Lcp, Matrix, SparseRows};
/// The crate of the generators that [`Run::rng`] takes, in the version that fits.
pub use rand_core;
pub use ray::infeasibility_bound;
pub use row::{Row, Set};
pub use solution::{Explanation, Method, Solution, Stats, Status};
pub use solver::{ForceSelection, Run, Solver, Workspace};
pub use stepper::Stepper;
pub use trace::{Pivot, Reason, Trace};
