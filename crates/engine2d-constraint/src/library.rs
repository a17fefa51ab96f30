//! The list of the library's constraints. Each knows the trait and no other list.

mod angle;
mod ball;
mod circle_on_circle;
mod circle_on_line;
mod contact;
mod coordinate;
mod curve;
mod follower;
mod gear_mesh;
mod motor;
mod no_slip;
mod path_joint;
mod rod;
mod rope;
mod slider;
mod weld;

pub use angle::ConstantAngle;
pub use ball::Revolute;
pub use circle_on_circle::CircleOnCircle;
pub use circle_on_line::{CircleOnLine, PointOnLine};
pub use contact::Contact;
pub use coordinate::{ConstantCoordinate, Coordinate, Coupler};
pub use curve::{Arc, Curve, CurveSample, Spline, SplineError};
pub use follower::Line;
pub use gear_mesh::GearMesh;
pub use motor::Motor;
pub use no_slip::NoSlip;
pub use path_joint::PathJoint;
pub use rod::Rod;
pub use rope::Rope;
pub use slider::{AngleLimit, Prismatic, SlideLimit, Slider};
pub use weld::Weld;
