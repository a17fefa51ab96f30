//! Connectors that the constraint library solves, as plain data: welds, sliders, gears, motors, limits, wheels.
//!
//! Each holds the second body against the first: axes are fixed to `body_a`, and angles and travels are those of
//! `body_b` seen from there. Bodies that they join do not collide with each other. They need the located clock or fixed steps.

mod drive;
mod ends;
mod gear;
mod guide;
mod limit;

pub use drive::{DEFAULT_GAIN, Drive, Motor, Mouse, Wheel};
pub use ends::{Ends, Fitting};
pub use gear::{Coordinate, Coupled, Coupler, Gear, Pulley};
pub use guide::{CircleOnLine, PointOnLine, Prismatic, Slider, Weld};
pub use limit::{AngleLimit, SlideLimit};

pub(crate) use drive::upright;
