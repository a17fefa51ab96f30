//! The library of constraints. Each names its bodies and writes its equations at a state.

mod angle;
mod ball;
mod circle_on_circle;
mod circle_on_line;
mod coordinate;
mod no_slip;
mod rod;
mod weld;

pub use angle::ConstantAngle;
pub use ball::Revolute;
pub use circle_on_circle::CircleOnCircle;
pub use circle_on_line::{CircleOnLine, Line, PointOnLine};
pub use coordinate::{ConstantCoordinate, Coordinate, Coupler};
pub use no_slip::NoSlip;
pub use rod::Rod;
pub use weld::Weld;

use crate::equation::{Equation, Motions};
use engine2d_geometry::BodyRef;
use std::fmt::Debug;

/// A constraint between bodies of a mechanism.
///
/// Implement it to add kinds of your own; [`Mechanism`](crate::Mechanism) treats them as its own.
pub trait Constraint: Debug {
    /// Name of the kind, for reports.
    fn kind(&self) -> &'static str;

    /// The bodies it connects, the ground among them where it takes part. Never the same body twice.
    fn bodies(&self) -> Vec<BodyRef>;

    /// Appends its equations at a state, in a fixed order and number: position level first, then velocity,
    /// then acceleration.
    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>);
}
