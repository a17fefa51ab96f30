//! Constraint rows and their assembly; mechanisms analysed without time stepping.
#![doc = include_str!("../README.md")]

mod assemble;
mod body;
pub mod constrainer;
mod delassus;
mod equation;
mod error;
mod library;
mod mechanism;
mod row;
mod solve;
mod stage;
pub mod tolerance;

pub use assemble::{AssemblyReport, Mobility};
pub use body::{FrameMotion, Mass};
pub use delassus::{Delassus, delassus};
pub use equation::{Equation, Level, Motions};
pub use error::MechanismError;
pub use library::{
    CircleOnCircle, CircleOnLine, ConstantAngle, ConstantCoordinate, Constraint, Coordinate, Coupler, Line,
    NoSlip, PointOnLine, Revolute, Rod, Weld,
};
pub use mechanism::{ConstraintId, EquationCounts, Mechanism};
pub use row::{ConstraintRow, InverseMass};
pub use solve::{Answer, Conflict};
pub use stage::Stage;
