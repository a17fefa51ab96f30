//! Walls: blocks with one active side, alone or four about a room.

use super::size;
use crate::bounds::Bounds;
use crate::error::ShapeError;
use crate::shape::PathShape;
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// A side of a rectangle, in edge order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Edge 0.
    Bottom,
    /// Edge 1.
    Right,
    /// Edge 2.
    Top,
    /// Edge 3.
    Left,
}

/// A wall of a room: its shape, and where its centre of mass belongs (world, angle 0).
#[derive(Clone, Debug, PartialEq)]
pub struct RoomWall {
    /// A block whose active side faces the room.
    pub shape: PathShape,
    /// Position of the centre of mass (world).
    pub position: Vec2,
}

impl PathShape {
    /// A block of which one side is the active surface of a wall: solid from all sides, unless it is made
    /// [`one_sided`](Self::one_sided) (by the reference rules its other sides are searched at its middle only).
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`], [`ShapeError::OutOfRange`] for sizes below 1e-10 or beyond 1e75.
    pub fn wall(w: f64, h: f64, side: Side) -> Result<Self, ShapeError> {
        let half = if matches!(side, Side::Bottom | Side::Top) { h / 2.0 } else { w / 2.0 };
        Ok(Self::block(w, h)?.with_special_edge(side as u32, half))
    }

    /// The four walls about a room with the given interior (world): bottom, right, top, left. They overlap in the
    /// corners; make them immovable and let them ignore one another.
    ///
    /// # Errors
    /// [`ShapeError::NotPositive`] for an interior without area or a thickness that is not positive, [`ShapeError::OutOfRange`] for sizes below
    /// 1e-10 or beyond 1e75.
    pub fn room(interior: &Bounds, thickness: f64) -> Result<[RoomWall; 4], ShapeError> {
        let t = size("thickness", thickness)?;
        let (w, h) = (size("width", interior.width())?, size("height", interior.height())?);
        let center = interior.center();
        let wall = |w: f64, h: f64, side: Side, x: f64, y: f64| -> Result<RoomWall, ShapeError> {
            Ok(RoomWall { shape: Self::wall(w, h, side)?, position: center + Vec2::new(x, y) })
        };
        let (x, y) = (w / 2.0 + t / 2.0, h / 2.0 + t / 2.0);
        let (long, high) = (w + 2.0 * t, h + 2.0 * t);
        Ok([
            wall(long, t, Side::Top, 0.0, -y)?,
            wall(t, high, Side::Left, x, 0.0)?,
            wall(long, t, Side::Bottom, 0.0, y)?,
            wall(t, high, Side::Right, -x, 0.0)?,
        ])
    }
}
