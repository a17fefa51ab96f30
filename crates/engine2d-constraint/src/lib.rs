//! Constraint rows and their assembly; mechanisms analysed without time stepping.
#![doc = include_str!("../README.md")]

mod activity;
mod assemble;
mod body;
pub mod constrainer;
mod delassus;
mod equation;
mod error;
mod islands;
mod law;
mod library;
mod mechanism;
mod problem;
mod reduced;
mod row;
mod solve;
mod sparse_delassus;
mod stage;
pub mod tolerance;

pub use activity::{Activity, activities};
pub use assemble::{AssemblyReport, Mobility};
pub use body::{BodyId, FrameMotion, Mass};
pub use delassus::{Delassus, coupling, delassus};
pub use equation::{Equation, Level, Motions, RowKind, Softness};
pub use error::MechanismError;
pub use islands::Island;
pub use law::{CubicSpring, ForceLaw, Give, LawValue, PowerSpring};
pub use library::{
    AngleLimit, AnyConstraint, Arc, BadValue, CircleOnCircle, CircleOnLine, ConstantAngle,
    ConstantCoordinate, Constraint, Contact, Coordinate, Coupler, Curve, CurveSample, GearMesh, Line, Motor,
    NoSlip, PathJoint, PointOnLine, Prismatic, Revolute, Rod, Rope, SlideLimit, Slider, Spline, SplineError,
    Stroke, Weld,
};
pub use mechanism::{ConstraintId, EquationCounts, IndexRanges, Mechanism, Reaction, Wrench};
pub use problem::{Kkt, Problem};
pub use row::{ConstraintRow, InverseMass};
pub use solve::{Answer, Conflict};
pub use sparse_delassus::SparseDelassus;
pub use stage::Stage;
