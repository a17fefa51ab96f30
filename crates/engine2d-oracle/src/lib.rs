//! Reads recorded answers of other systems and judges engine2d against them.
#![doc = include_str!("../README.md")]

mod case;
mod compliant;
mod constraint;
mod contacts;
mod convex;
mod evaluation;
mod hysteresis;
mod impulse;
mod kind;
mod lcp;
mod linear;
mod recorded;
mod simulation;
mod trig;

pub use case::{CaseResult, Difference, Recording, Siblings};
pub use kind::{FileKind, Kind, judge};
pub use lcp::{Instance, contact_instances};
pub use simulation::recorded_world;
