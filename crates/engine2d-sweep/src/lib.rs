//! Many runs of one scene: what varies, how it is sampled, what is measured; one row a run.
#![doc = include_str!("../README.md")]

mod error;
mod fingerprint;
mod measure;
mod path;
mod plan;
mod read;
mod row;
mod run;
mod sampling;
mod sobol;
mod table;

pub use error::SweepError;
pub use plan::{FORMAT, Sweep, VERSION};
pub use row::Row;
pub use sampling::Method;
