//! Convex pieces of a body's surface.

use crate::point::Point;
use engine2d_geometry::ShapeError;
use engine2d_math::Vec2;
use engine2d_sim::compliant::Piece as SimPiece;
use schemars::JsonSchema;
use serde::Serialize;

/// A convex piece of a body, in body coordinates: what compliant contact sees of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Piece {
    /// A disc.
    Disc {
        /// Centre.
        center: Point,
        /// Radius (> 0).
        radius: f64,
    },
    /// The convex hull of points.
    Polygon {
        /// At least three points, not all on a line.
        points: Vec<Point>,
    },
}

impl Piece {
    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &["disc", "polygon"];

    /// What the simulation makes of it.
    pub(crate) fn build(&self) -> Result<Vec<SimPiece>, ShapeError> {
        match self {
            Self::Disc { center, radius } => SimPiece::disc(*center, *radius).map(|disc| vec![disc]),
            Self::Polygon { points } => {
                let corners: Vec<Vec2> = points.iter().map(|&p| p.into()).collect();
                let middle = corners.iter().sum::<Vec2>() / corners.len().max(1) as f64;
                let size = corners.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
                SimPiece::polygon(&corners, size)
            }
        }
    }
}
