//! Outlines of bodies as plain data, in body coordinates (length).

use crate::choice::choice;
use crate::point::Point;
use schemars::JsonSchema;
use serde::Serialize;

/// The outline of a body.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Shape {
    /// A disc about the origin.
    Ball {
        /// Radius (> 0).
        radius: f64,
    },
    /// A rectangle centred on the origin.
    Block {
        /// Extent along x (> 0).
        width: f64,
        /// Extent along y (> 0).
        height: f64,
    },
    /// A rectangle with its lower left corner at the origin.
    BlockCornerOrigin {
        /// Extent along x (> 0).
        width: f64,
        /// Extent along y (> 0).
        height: f64,
    },
    /// A centred rectangle turned within the body.
    Diamond {
        /// Extent along x before turning (> 0).
        width: f64,
        /// Extent along y before turning (> 0).
        height: f64,
        /// Turn (radians, −π/2 to π/2).
        angle: f64,
    },
    /// A hollow box about the origin.
    Frame {
        /// Width between the centre lines of the sides (> thickness).
        width: f64,
        /// Height between the centre lines of the sides (> thickness).
        height: f64,
        /// Thickness of the sides (> 0).
        thickness: f64,
    },
    /// A toothed wheel about the origin, with straight flanks; the first tip starts at angle 0.
    Gear {
        /// Number of teeth, at least three.
        teeth: u32,
        /// Radius of the tips (> inner).
        outer: f64,
        /// Radius of the gaps (> 0).
        inner: f64,
        /// Part of a tooth's angle that its tip covers, and its gap as much (0.01 to 0.49). Default 0.25.
        #[serde(default = "default_tip")]
        tip: f64,
    },
    /// Ground: what is between a line of points and a level below them.
    Terrain {
        /// The surface from left to right, at least two points; x increases.
        points: Vec<Point>,
        /// The level of its lower side, below all points (length).
        bottom: f64,
    },
    /// A stick with round ends: all points within `radius` of a segment along x about the origin.
    Capsule {
        /// Length of the segment (> 0).
        length: f64,
        /// Radius of the ends (> 0).
        radius: f64,
    },
    /// An ellipse about the origin, of circular arcs that share their tangents.
    Ellipse {
        /// Extent along x (> 0).
        width: f64,
        /// Extent along y (> 0).
        height: f64,
        /// How far the arcs may be from the ellipse (length, > 0); absent: a thousandth of the shorter extent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tolerance: Option<f64>,
    },
    /// What an SVG path outlines. Its y points down and changes its sign, so that the body looks as in the drawing.
    SvgPath {
        /// The `d` attribute of the path, with all its commands.
        d: String,
        /// Length of a unit of the drawing (> 0).
        #[serde(default = "default_scale")]
        scale: f64,
        /// How far circular arcs may be from Bézier curves and elliptic arcs, after scaling (length, > 0).
        #[serde(default = "default_tolerance")]
        tolerance: f64,
        /// What is within where the path goes round more than once.
        #[serde(default)]
        fill_rule: FillRule,
    },
    /// A regular hexagon whose bounds start at the origin.
    Hexagon {
        /// Length of a side (> 0).
        side: f64,
    },
    /// A stick on a disc about the origin.
    Pendulum {
        /// Half the width of the stick (> 0).
        width: f64,
        /// Length of the stick above the centre of the disc (> 0).
        length: f64,
        /// Height at which the stick leaves the disc (> 0).
        radius: f64,
    },
    /// A closed polygon, clockwise or counter-clockwise.
    Polygon {
        /// Corners in order, at least three; no two edges may cross.
        points: Vec<Point>,
        /// Moment of inertia per unit mass (length², > 0); absent: that of a uniform body.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moment_factor: Option<f64>,
    },
    /// A polygon with random corners on a circle about the origin.
    RandomPolygon {
        /// Number of corners, at least three.
        sides: u32,
        /// Radius of the circle (> 0).
        radius: f64,
        /// Seed of the random angles.
        seed: u32,
    },
    /// A rectangle with half discs at its lower and upper end.
    RoundBlock {
        /// Extent along x, the diameter of the discs (> 0).
        width: f64,
        /// Extent along y (≥ width).
        height: f64,
    },
    /// A rectangle with rounded corners.
    RoundCornerBlock {
        /// Extent along x (> 0).
        width: f64,
        /// Extent along y (> 0).
        height: f64,
        /// Radius of the corners (> 0, at most half of width and height).
        radius: f64,
    },
    /// A rectangle for floors and walls: solid from all sides, of elasticity 1 unless it says otherwise. With the profile
    /// `reference` what comes from behind its side collides at some places and passes at others; a platform that is solid from
    /// one side is any shape with `one_way`.
    Wall {
        /// Extent along x (> 0).
        width: f64,
        /// Extent along y (> 0).
        height: f64,
        /// The side that faces the room: with the profile `reference`, the one that collides.
        #[serde(default = "default_side")]
        side: Side,
    },
    /// Closed paths of straight and circular edges; further paths are holes or separate parts.
    Paths {
        /// The paths, at least one; they must not cross.
        paths: Vec<Path>,
        /// Moment of inertia per unit mass (length², > 0); absent: that of the bounding box, in whose middle the centre of mass is taken
        /// to be. A shape `svg_path` has those of a uniform body.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moment_factor: Option<f64>,
    },
}

fn default_tip() -> f64 {
    Shape::DEFAULT_TIP
}

fn default_scale() -> f64 {
    Shape::DEFAULT_SCALE
}

fn default_tolerance() -> f64 {
    Shape::DEFAULT_TOLERANCE
}

fn default_side() -> Side {
    Side::Top
}

impl Shape {
    /// Part of a tooth's angle that its tip covers, of a gear that does not say.
    pub const DEFAULT_TIP: f64 = 0.25;

    /// Length of a unit of a drawing that does not say.
    pub const DEFAULT_SCALE: f64 = 1.0;

    /// How far arcs may be from the curves of a drawing that does not say.
    pub const DEFAULT_TOLERANCE: f64 = 1e-3;

    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &[
        "ball",
        "block",
        "block_corner_origin",
        "diamond",
        "frame",
        "gear",
        "terrain",
        "capsule",
        "ellipse",
        "svg_path",
        "hexagon",
        "pendulum",
        "polygon",
        "random_polygon",
        "round_block",
        "round_corner_block",
        "wall",
        "paths",
    ];
}

choice! {
    /// What is within where paths lie in each other.
    #[derive(Default)]
    FillRule {
        /// What they go round in all, each turn with its sign: an inner path of the opposite direction is a hole.
        #[default]
        NonZero = "nonzero",
        /// What an odd number of them goes round: every inner path is a hole.
        EvenOdd = "evenodd",
    }
}

choice! {
    /// A side of a wall.
    Side {
        /// Lower side.
        Bottom = "bottom",
        /// Right side.
        Right = "right",
        /// Upper side.
        Top = "top",
        /// Left side.
        Left = "left",
    }
}

/// A closed path: the last edge ends where the first one starts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// Where the first edge starts.
    pub start: Point,
    /// The edges in order; the last one must end at `start`.
    pub edges: Vec<Edge>,
}

/// An edge of a path; it starts where the one before ends.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edge {
    /// A straight edge.
    Line {
        /// End.
        to: Point,
        /// Whether the outside of the body is above the line (right of it, if it is vertical).
        outside_is_up: bool,
    },
    /// A circular edge; an arc that ends where it starts is the complete circle.
    Arc {
        /// End; as far from the centre as the start.
        to: Point,
        /// Centre of the circle.
        center: Point,
        /// Direction of travel.
        clockwise: bool,
        /// Whether the outside of the body is outside the circle (convex) or inside (concave).
        outside_is_out: bool,
    },
}

impl Edge {
    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &["line", "arc"];

    /// Where the edge ends.
    #[must_use]
    pub fn to(&self) -> Point {
        match *self {
            Self::Line { to, .. } | Self::Arc { to, .. } => to,
        }
    }
}
