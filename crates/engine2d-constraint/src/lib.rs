//! Constraint rows and their assembly; mechanisms analysed without time stepping.
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod activity;
mod answer;
mod assemble;
mod body;
mod check;
mod compliance;
pub mod conformance;
pub mod constrainer;
mod constraint;
mod delassus;
mod equation;
mod error;
mod forest;
mod id;
mod islands;
mod joint;
mod library;
mod mechanism;
mod mobility;
mod motion;
mod operator;
mod point_jacobian;
mod problem;
mod reduced;
mod relative;
mod row;
mod sparse_delassus;
mod stage;
pub mod tolerance;

pub use activity::{Activity, activities};
pub use answer::{Answer, Conflict, Reaction, Wrench};
pub use assemble::AssemblyReport;
pub use body::{BodyId, Mass};
pub use compliance::{Compliance, CubicSpring, ForceLaw, LawValue, PowerSpring};
pub use constraint::{AnyConstraint, BadValue, Constraint, Stroke};
pub use delassus::{Delassus, coupling, delassus};
pub use engine2d_geometry::BodyRef;
pub use engine2d_math::{Pose, Vec2};
pub use equation::{Equation, Level, RowKind, SpringDamper};
pub use error::MechanismError;
pub use forest::Forest;
pub use id::ConstraintId;
pub use islands::Island;
pub use joint::Joint;
pub use library::{
    AngleLimit, Arc, CircleOnCircle, CircleOnLine, ConstantAngle, Contact, Coordinate, Coupler, Curve,
    CurveSample, GearMesh, Gearing, Line, Measure, Motor, NoSlip, PathJoint, PointOnLine, Prescribed,
    Prismatic, Revolute, Rod, Rope, Servo, SlideLimit, Slider, SpeedDrive, Spline, SplineError, Tracking,
    Trajectory, Weld,
};
pub use mechanism::Mechanism;
pub use mechanism::kkt::Kkt;
pub use mechanism::operators::{EquationCounts, IndexRanges};
pub use mobility::Mobility;
pub use motion::{FrameMotion, Motions};
pub use problem::Problem;
pub use row::{ConstraintRow, InverseMass};
pub use sparse_delassus::SparseDelassus;
pub use stage::Stage;
