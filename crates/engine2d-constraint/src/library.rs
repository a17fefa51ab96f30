//! The list of the library's constraints. Each knows the trait and no other list.

mod angle;
mod ball;
mod circle_on_circle;
mod circle_on_line;
mod contact;
mod coupler;
mod curve;
mod follower;
mod gear_mesh;
mod limit;
mod measure;
mod motor;
mod no_slip;
mod path_joint;
mod prescribed;
mod slider;
mod weld;

pub use angle::ConstantAngle;
pub use ball::Revolute;
pub use circle_on_circle::CircleOnCircle;
pub use circle_on_line::{CircleOnLine, PointOnLine};
pub use contact::Contact;
pub use coupler::{Coupler, Gearing};
pub use curve::{Arc, Curve, CurveSample, Spline, SplineError};
pub use follower::Line;
pub use gear_mesh::GearMesh;
pub use limit::{AngleLimit, Rod, Rope, SlideLimit};
pub use measure::{Coordinate, Measure};
pub use motor::{Motor, Servo, SpeedDrive, Tracking};
pub use no_slip::NoSlip;
pub use path_joint::PathJoint;
pub use prescribed::{Prescribed, Trajectory};
pub use slider::{Prismatic, Slider};
pub use weld::Weld;
